"""Names for parts of a program."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .jit import jit


@contextmanager
def named_scope(name: str) -> Iterator[str]:
    """A name for the operations inside this `with`; for readers and profilers, without effect on results."""
    if not isinstance(name, str):
        raise TypeError(f"named_scope name argument must be a string; got {name}")
    yield name


def named_call(fun: Callable[..., Any], *, name: str | None = None) -> Callable[..., Any]:
    """`fun` as a function with a name of its own in jaxprs."""
    named = functools.wraps(fun)(lambda *args, **kwargs: fun(*args, **kwargs))
    named.__name__ = name or getattr(fun, "__name__", "named_call")
    return jit(named)
