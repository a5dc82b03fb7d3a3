"""Donation: an argument gives its buffer to a result of its type, and is deleted."""

import warnings
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from .array import ArrayImpl
from .errors import JaxRuntimeError
from .jaxpr import Jaxpr
from .trace import Tracer


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


def donate(leaves: Sequence[Any], traced: Traced, out: Sequence[Any]) -> None:
    """Delete each donated argument for which there is a result of the same shape and dtype; warn of the others."""
    if any(isinstance(x, Tracer) for x in out):
        return  # recorded, not run
    room = [(o.shape, o.dtype) for o in out]
    unused = []
    for x, donated, used in zip(leaves, traced.donated, _is_used(traced, len(leaves)), strict=True):
        if donated and used and isinstance(x, ArrayImpl):
            if (x.shape, x.dtype) in room:
                room.remove((x.shape, x.dtype))
                x.give_away()
            else:
                unused.append(x.aval.str_short())
    if unused:
        warnings.warn(
            f"Some donated buffers were not usable: {', '.join(unused)}.\n"
            "See an explanation at https://docs.jax.dev/en/latest/faq.html#buffer-donation.",
            stacklevel=3,
        )
