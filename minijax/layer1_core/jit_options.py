"""What the user said to jit: positions and names of static and donated arguments, and the other options."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from .fun_names import fun_signature
from .jit_call import UNSPECIFIED, Inline


@dataclass(frozen=True)
class Options:
    """The parameters of jit, normalised: positions and names of static and donated arguments."""

    static_argnums: tuple[int, ...] = ()
    static_argnames: tuple[str, ...] = ()
    donate_argnums: tuple[int, ...] = ()
    donate_argnames: tuple[str, ...] = ()
    keep_unused: bool = False
    inline: Inline = Inline.AUTO
    in_shardings: Any = UNSPECIFIED
    out_shardings: Any = UNSPECIFIED
    interpreted: bool = False  # jitted by the package itself: so that to compute eagerly waits for no compiler

    @functools.cached_property
    def key(self) -> int:
        """A number for these options, the same for equal ones: cheaper to look up than eight fields."""
        return _option_numbers.setdefault(self, len(_option_numbers))


_option_numbers: dict[Options, int] = {}


def options_of(key: int) -> dict[str, Any]:
    """The options with this number, by name."""
    options = [*_option_numbers][key]
    return {field.name: getattr(options, field.name) for field in fields(options)}


def _positions(value: Any) -> tuple[int, ...]:
    """An int or a sequence of ints. Raises TypeError for anything else, as `operator.index` does."""
    values = value if isinstance(value, (tuple, list, range, set, frozenset)) else (value,)
    for v in values:
        if not hasattr(v, "__index__"):
            raise TypeError(f"'{type(v).__name__}' object cannot be interpreted as an integer")
    return tuple(v.__index__() for v in values)


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def resolve(fun: Callable[..., Any], nums: Any, names: Any, what: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Positions and names of the marked arguments: each given as the one counts as the other too."""
    if nums is None and names is None:
        return (), ()
    positions = () if nums is None else _positions(nums)
    called = () if names is None else _names(names)
    signature = fun_signature(fun)
    if signature is None:
        return positions, called
    params = list(signature.parameters.values())
    positional = [p for p in params if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    _check_positions(params, positional, positions, what)
    _check_names(params, called, what)
    by_name = {p.name: i for i, p in enumerate(positional)}
    if nums is None:
        positions = tuple(by_name[n] for n in called if n in by_name)
    if names is None:
        n = len(positional)
        listed = {i % n for i in positions if -n <= i < n}
        called = tuple(p.name for i, p in enumerate(positional) if i in listed and p.kind is p.POSITIONAL_OR_KEYWORD)
    return positions, called


def _check_positions(params: Sequence[Any], positional: Sequence[Any], nums: Sequence[int], what: str) -> None:
    n = len(positional)
    if any(p.kind is p.VAR_POSITIONAL for p in params) or all(-n <= i < n for i in nums):
        return
    raise ValueError(f"Jitted function has {what}_argnums={tuple(nums)}, but only accepts {n} positional arguments.")


def _check_names(params: Sequence[Any], names: Sequence[str], what: str) -> None:
    accepted = {p.name for p in params if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    unknown = {n for n in names if n not in accepted}
    by_place = {p.name for p in params if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL)}.intersection(unknown)
    if by_place:
        raise ValueError(
            f"Jitted function has invalid argnames {by_place} in {what}_argnames. These are positional-only"
        )
    if unknown and not any(p.kind is p.VAR_KEYWORD for p in params):
        raise ValueError(
            f"Jitted function has invalid argnames {unknown} in {what}_argnames. Function does not take these args."
        )
