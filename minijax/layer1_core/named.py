"""Names for parts of a program."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def named_scope(name: str) -> Iterator[str]:
    """A name for the operations inside this `with`; for readers and profilers, without effect on results."""
    if not isinstance(name, str):
        raise TypeError("named_scope name argument must be a string.")
    yield name


def named_call(fun: Callable[..., Any], *, name: str | None = None) -> Callable[..., Any]:
    """`fun` inside a named scope: under its own name, or the one given."""

    @functools.wraps(fun)
    def named(*args: Any, **kwargs: Any) -> Any:
        with named_scope(name or getattr(fun, "__name__", "named_call")):
            return fun(*args, **kwargs)

    return named
