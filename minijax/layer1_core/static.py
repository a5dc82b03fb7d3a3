"""Static arguments: those that a function is traced with as they are, and so for each value anew."""

from collections.abc import Callable, Sequence
from typing import Any

from .fun_names import fun_name, fun_signature, without_positions


def split_static(args: Sequence[Any], static: Sequence[int]) -> tuple[dict[int, Any], list[Any]]:
    """The static arguments by position, and the others in order."""
    positions = {i % len(args) if -len(args) <= i < len(args) else i for i in static} if args else set()
    fixed = {i: args[i] for i in sorted(positions) if 0 <= i < len(args)}
    return fixed, [x for i, x in enumerate(args) if i not in fixed]


def with_statics(fun: Callable[..., Any], fixed: dict[int, Any], fixed_kw: dict[str, Any]) -> Callable[..., Any]:
    """A function of the other arguments of `fun`: the positional ones `fixed` and the keywords `fixed_kw` are given."""
    if not fixed and not fixed_kw:
        return fun

    def call(*args: Any, **kwargs: Any) -> Any:
        rest = iter(args)
        full = [fixed[i] if i in fixed else next(rest) for i in range(len(args) + len(fixed))]
        return fun(*full, **fixed_kw, **kwargs)

    return call


class bind_static:
    """`fun` with some positional arguments fixed; it takes the others, and has the name and the code of `fun`."""

    def __new__(cls, fun: Callable[..., Any], fixed: dict[int, Any]) -> Any:
        return super().__new__(cls) if fixed else fun

    def __init__(self, fun: Callable[..., Any], fixed: dict[int, Any]):
        self.call = with_statics(fun, fixed, {})
        self.__name__, self.__doc__ = fun_name(fun), fun.__doc__
        signature = without_positions(fun_signature(fun), fixed)
        if signature:
            self.__signature__ = signature
        self.__code__ = getattr(fun, "__code__", None)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call(*args, **kwargs)
