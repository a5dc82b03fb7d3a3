"""Donation: an argument gives its buffer to a result that takes as many bytes, and is deleted."""

import sys
import warnings
import weakref
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np

from . import config
from .array import ArrayImpl
from .basearray import Array
from .devices import default_device, sharding_on
from .dtypes import is_extended
from .errors import JaxRuntimeError
from .evaluate import program_of
from .jaxpr import Jaxpr
from .quick import new_array
from .trace import EVAL, Tracer, current_trace


class Traced(Protocol):
    """What is asked here of a staged call (stages.Traced, which stands above)."""

    @property
    def jaxpr(self) -> Jaxpr: ...
    @property
    def donated(self) -> tuple[bool, ...]: ...
    @property
    def params(self) -> dict[str, Any]: ...


_SAME_CALL = {  # (the first use is donated, the second one is) -> what is refused, and the toy example
    (True, True): ("donate the same buffer twice in Execute()", "`f(donate(a), donate(a))`"),
    (True, False): ("use a buffer that was previously donated in the same call to Execute()", "`f(donate(a), a)`"),
    (False, True): ("donate a buffer which is also used by the same call to Execute()", "`f(a, donate(a))`"),
}


def check_donated(leaves: Sequence[Any], traced: Traced) -> None:
    """Raises JaxRuntimeError where a donated array is an argument twice: its buffer could not be given away."""
    first: dict[int, int] = {}
    for i, (x, used) in enumerate(zip(leaves, _is_used(traced, len(leaves)), strict=True)):
        if not isinstance(x, ArrayImpl) or not used:
            continue
        j = first.setdefault(id(x), i)
        uses = traced.donated[j], traced.donated[i]
        if j != i and any(uses):
            what, example = _SAME_CALL[uses]
            raise JaxRuntimeError(
                f"INVALID_ARGUMENT: Attempt to {what} (flattened argument {i}, replica 0, partition 0, "
                f"first use: {j}). Toy example for this bug: {example}."
            )


def without_deleted(leaves: Sequence[Any], traced: Traced) -> list[Any]:
    """The arguments of a call that met a deleted one, with a stand-in for each that the program does not read.

    Raises RuntimeError for a deleted one that it reads, or JAX's ValueError where it was given to a result and the
    program has been run before: then JAX finds out only when the buffer is used.
    """
    out, position = list(leaves), 0
    for i, (x, used) in enumerate(zip(leaves, _is_used(traced, len(leaves)), strict=True)):
        if isinstance(x, ArrayImpl) and x.is_deleted():
            if used and x._arrays is None and traced.jaxpr._program is not None:
                raise ValueError(
                    f"INVALID_ARGUMENT: Invalid buffer passed to Execute() as argument {position} to replica 0: "
                    "INVALID_ARGUMENT: Buffer has been deleted or donated."
                )
            out[i] = x._value if used else np.zeros(x.shape, x.dtype)
        position += used
    return out


def _is_used(traced: Traced, n: int) -> list[bool]:
    """For each of the n arguments, whether the program reads it. One that is not read is not given to it at all."""
    jaxpr = traced.jaxpr
    read = {id(v) for eqn in jaxpr.eqns for v in eqn.invars} | {id(v) for v in jaxpr.outvars}
    return [traced.params["keep_unused"] or id(v) in read for v in jaxpr.invars[len(jaxpr.invars) - n :]]


class Shares(NamedTuple):
    """Which arguments of a call give their buffer to a result, by their positions."""

    same: list[int]  # those for which there is a result of the same shape and dtype
    other: list[int]  # those for which there is a result of another type that takes as many bytes
    unusable: list[int]  # donated, and there is no result with as many elements


def _shares(traced: Traced, n: int) -> Shares:
    """What becomes of the donated ones of the last n arguments. No two of them get the same result."""
    avals = [v.aval for v in traced.jaxpr.invars[len(traced.jaxpr.invars) - n :]]
    room = [*traced.jaxpr.out_avals]
    donated = [i for i, used in enumerate(_is_used(traced, n)) if used and traced.donated[i]]
    same = _placed(donated, avals, room, lambda aval: (aval.shape, aval.dtype))
    others = [i for i in donated if i not in same]
    by_size = _placed(others, avals, [*room], lambda aval: aval.size)
    other = _placed(by_size, avals, room, lambda aval: aval.size * aval.dtype.itemsize)
    return Shares(same, other, [i for i in others if i not in by_size])


def _placed(positions: Sequence[int], avals: Sequence[Any], room: list[Any], key: Callable[[Any], Any]) -> list[int]:
    """The arguments for which `room` has a result with an equal key. What they get is taken out of `room`."""
    found = []
    for i in positions:
        result = next((aval for aval in room if key(aval) == key(avals[i])), None)
        if result is not None:
            room.remove(result)
            found.append(i)
    return found


_told: "weakref.WeakSet[Jaxpr]" = weakref.WeakSet()  # programs whose unusable arguments have been named


def warn_of_unusable(traced: Traced) -> None:
    """Warn, once for a program, of donated arguments that no result can take over."""
    if traced.jaxpr in _told:
        return
    _told.add(traced.jaxpr)
    n = len(traced.donated)
    given = traced.jaxpr.invars[len(traced.jaxpr.invars) - n :]
    unusable = [str(given[i].aval) for i in _shares(traced, n).unusable]
    if unusable:
        warnings.warn(
            f"Some donated buffers were not usable: {', '.join(unusable)}.\n"
            "See an explanation at https://docs.jax.dev/en/latest/faq.html#buffer-donation.",
            stacklevel=4,
        )


def donate(leaves: Sequence[Any], traced: Traced, out: Sequence[Any]) -> None:
    """Delete each donated array whose buffer a result gets."""
    if any(isinstance(x, Tracer) for x in out):
        return  # recorded, not run
    same, other, _ = _shares(traced, len(leaves))
    for i in (*same, *other):
        if isinstance(leaves[i], Array) and not isinstance(leaves[i], Tracer):
            leaves[i].give_away()


# ---- in place


def run_in_place(leaves: Sequence[Any], traced: Traced) -> list[ArrayImpl] | None:
    """The results of a call, in the memory of its donated arguments where that fits; None for an unusual call."""
    jaxpr, sharding = traced.jaxpr, sharding_on(default_device())
    special = current_trace.get() is not EVAL or config.debug_nans.value or config.debug_infs.value or jaxpr.effects
    special = special or any(is_extended(aval.dtype) for aval in jaxpr.out_avals)
    if special or len(leaves) != len(jaxpr.invars) or not all(_is_usual(x, sharding) for x in leaves):
        return None
    same = _shares(traced, len(leaves)).same
    given = tuple(i in same for i in range(len(leaves)))
    program = program_of(jaxpr, given)
    getattr(program, "main", None)  # compiled: from then on it holds what it has captured, and `_own` sees that
    values = [_own(x) if mine else x._arrays[0] for x, mine in zip(leaves, given, strict=True)]
    try:
        out = program(values)
    except BaseException:  # in the middle: what was given may be overwritten already
        for x, mine in zip(leaves, given, strict=True):
            if mine:
                x.give_away()
        raise
    return [new_array(aval, value, sharding) for aval, value in zip(jaxpr.out_avals, out, strict=True)]


def _is_usual(x: Any, sharding: Any) -> bool:
    return type(x) is ArrayImpl and bool(x._arrays) and x._sharding is sharding and not x._committed


def _own(x: ArrayImpl) -> np.ndarray:
    """The memory of an array; a copy where a view or another array has it too, which must keep its values."""
    x._plain = None
    assert x._arrays  # asked before
    return x._arrays[0] if _holders(x) in _ALONE else x._arrays[0].copy()


def _holders(x: Any) -> tuple[int, int | None]:
    """How many know the memory of an array, and what it is a view of; those included that only ask here."""
    base = x._arrays[0].base
    owned = base is None or (type(base) is np.ndarray and base.base is None)
    return sys.getrefcount(x._arrays[0]), None if base is None else sys.getrefcount(base) if owned else 0


_ALONE = [_holders(SimpleNamespace(_arrays=[make()])) for make in (lambda: np.zeros(1), lambda: np.zeros(1).view())]
