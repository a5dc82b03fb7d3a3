"""Watch what a function does to the arguments that it is given."""

import functools
import inspect
from typing import Any

import numpy as np

Told = list[tuple[Any, Any]]  # an argument before and after, for each that was changed


def watched(function: Any, told: Told) -> Any:
    """`function`, which also tells which of its arguments it changed; what is no plain function is left as it is."""
    if not inspect.isfunction(function):
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = (*args, *kwargs.values())
        before = [kept(x) for x in given]
        try:
            return function(*args, **kwargs)
        finally:
            told.extend((old, new) for old, new in zip(before, given, strict=True) if not untouched(old, new))

    return call


def kept(x: Any) -> Any:
    """A copy of what can be changed in place: arrays, and lists, dicts and sets in each other. Contents are shared."""
    if type(x) in (list, tuple, set):
        return type(x)(map(kept, x)) if type(x) is not set else set(x)
    if type(x) is dict:
        return {key: kept(value) for key, value in x.items()}
    return x.copy() if type(x) is np.ndarray else x


def untouched(old: Any, new: Any) -> bool:
    """Whether `new` is what it was when `old` was kept of it: the same objects in the same places."""
    if type(old) is not type(new):
        return False
    if type(old) in (list, tuple):
        return len(old) == len(new) and all(map(untouched, old, new))
    if type(old) is dict:
        return list(map(id, old)) == list(map(id, new)) and all(map(untouched, old.values(), new.values()))
    if type(old) is set:
        return set(map(id, old)) == set(map(id, new))
    if type(old) is np.ndarray:
        return old.shape == new.shape and old.dtype == new.dtype and old.tobytes() == new.tobytes()
    return old is new
