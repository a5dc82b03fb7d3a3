"""Keys that are used twice: with the flag `jax_debug_key_reuse` that is an error, which names both places.

Each operation has a signature. It says which operands it uses up (*sinks*), which results are fresh (*sources*), and
which results are an operand under another name (*forwards*). A program has one too, which follows from its equations.

    random_bits    uses its key                 random_split    uses its key, the new ones are fresh
    fold_in        uses nothing                 slice           uses the part that it takes, which is fresh

An array of keys remembers which of them have been used.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.device_put import device_put_p
from ..layer1_core.errors import KeyReuseError
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.jit_call import jit_p
from ..layer1_core.lax.converting import convert_element_type_p, copy_p
from ..layer1_core.lax.elementwise import eq_p, ne_p
from ..layer1_core.lax.gather import gather_p
from ..layer1_core.lax.indexing import dynamic_slice_p, dynamic_update_slice_p, slice_p
from ..layer1_core.lax.joining import concatenate_p, unstack_p
from ..layer1_core.lax.scatter import scatter_p
from ..layer1_core.lax.shaping import broadcast_in_dim_p, reshape_p, squeeze_p
from ..layer1_core.primitive import Primitive
from ..layer1_core.trace import SourceLine, place_of, user_line
from ..layer3_control.cond import cond_p
from ..layer3_control.scan import scan_p
from ..layer3_control.while_loop import while_p
from ..layer4_grad.checkpoint import remat_p
from . import memory
from .consumed import Closed, Mask, either, joined
from .gamma import random_gamma_p
from .key_array import PRNGKeyArray
from .key_types import has_keys
from .primitives import (
    random_bits_p,
    random_clone_p,
    random_fold_in_p,
    random_seed_p,
    random_split_p,
    random_unwrap_p,
    random_wrap_p,
)

debug_key_reuse = config.Flag("jax_debug_key_reuse", False)


@dataclass(frozen=True)
class Signature:
    """What an operation does to the keys among its operands (by position) and results."""

    sinks: dict[int, Mask] = field(default_factory=dict)
    sources: frozenset[int] = frozenset()
    forwards: dict[int, int] = field(default_factory=dict)  # result -> operand
    used_at: dict[int, SourceLine | None] = field(default_factory=dict)  # of the sinks of a program
    closed: tuple[Closed, ...] = ()  # keys that a program uses and closes over

    def __repr__(self) -> str:
        sinks = [f"Sink({i})" if mask is True else f"Sink({i}, {mask})" for i, mask in sorted(self.sinks.items())]
        sources = [f"Source({i})" for i in sorted(self.sources)]
        forwards = [f"Forward({i}, {out})" for out, i in sorted(self.forwards.items())]
        told = [*sinks, *sources, *forwards]
        return f"KeyReuseSignature({', '.join(told)}{',' * (len(told) == 1)})"


def uses(*operands: int, fresh: Sequence[int] = (), same: dict[int, int] | None = None) -> Signature:
    return Signature(dict.fromkeys(operands, True), frozenset(fresh), same or {})


# primitive -> signature, or a function from an equation to it
signatures: dict[Primitive, Signature | Callable[[JaxprEqn], Signature]] = {
    random_seed_p: uses(fresh=[0]),
    random_wrap_p: uses(fresh=[0]),
    random_clone_p: uses(fresh=[0]),
    random_fold_in_p: uses(fresh=[0]),
    random_split_p: uses(0, fresh=[0]),
    random_bits_p: uses(0),
    random_gamma_p: uses(0),
    random_unwrap_p: uses(),
    eq_p: uses(),
    ne_p: uses(),
    dynamic_update_slice_p: uses(1, same={0: 0}),
    scatter_p: uses(2, same={0: 0}),
    **dict.fromkeys(
        (broadcast_in_dim_p, copy_p, convert_element_type_p, reshape_p, squeeze_p, dynamic_slice_p, gather_p),
        uses(same={0: 0}),
    ),
}


def signature_of(eqn: JaxprEqn) -> Signature:
    """The signature of an equation. An operation that is not known uses up all its keys."""
    known = signatures.get(eqn.primitive)
    if known is None:
        return uses(*(i for i, v in enumerate(eqn.invars) if has_keys(v.aval)))
    return known if isinstance(known, Signature) else known(eqn)


# ---- operations whose signature depends on their parameters


def _slice(eqn: JaxprEqn) -> Signature:
    """It uses the part that it takes, so that each key of an array may be taken once."""
    starts, limits = eqn.params["start_indices"], eqn.params["limit_indices"]
    steps = eqn.params["strides"] or (1,) * len(starts)
    mask = np.zeros(eqn.invars[0].aval.shape, bool)
    mask[tuple(map(slice, starts, limits, steps))] = True
    return Signature({0: mask}, frozenset([0]))


def _concatenate(eqn: JaxprEqn) -> Signature:
    return uses(same={0: 0}) if len(eqn.invars) == 1 else uses(*range(len(eqn.invars)), fresh=[0])


def _cond(eqn: JaxprEqn) -> Signature:
    """What one of the branches uses is used, and fresh is what is fresh in all. Their operands follow the index."""
    branches = [program_signature(jaxpr) for jaxpr in eqn.params["branches"]]
    sinks: dict[int, Mask] = {}
    for each in branches:
        for i, mask in each.sinks.items():
            sinks[i + 1] = either(sinks.get(i + 1, False), mask)
    fresh = frozenset.intersection(*(each.sources for each in branches))
    first, *others = (each.forwards for each in branches)
    same = {out: i + 1 for out, i in first.items() if all(each.get(out) == i for each in others)}
    return Signature(sinks, fresh, same, closed=tuple(c for each in branches for c in each.closed))


def _scan(eqn: JaxprEqn) -> Signature:
    """A step must use no key that the next one uses as well: a constant, or a carry that does not change."""
    params = eqn.params
    jaxpr, own = params["jaxpr"], program_signature(params["jaxpr"])
    consts, carry, _ = map(len, params["ft_in"].split(eqn.invars))
    told = "scan body function leads to key reuse when repeatedly executed, because"
    about = f"\n  signature={own}\n  eqn={eqn}\n  {jaxpr=}"
    if own.closed or any(i < consts for i in own.sinks):
        raise KeyReuseError(f"{told} key constants are repeatedly consumed:{about}")
    if not {i - consts for i in own.sinks if i < consts + carry} <= own.sources:
        raise KeyReuseError(f"{told} consumed inputs don't match sourced outputs:{about}")
    return own


def _while(eqn: JaxprEqn) -> Signature:
    """The same of a round; the condition may use no key that the body uses."""
    params = eqn.params
    carried: dict[str, set[int]] = {}
    body = program_signature(params["body_jaxpr"])
    for name in ("cond", "body"):
        own, consts = program_signature(params[f"{name}_jaxpr"]), params[f"{name}_nconsts"]
        carried[name] = {i - consts for i in own.sinks if i >= consts}
        if own.closed or any(i < consts for i in own.sinks) or not carried[name] <= body.sources:
            raise KeyReuseError(
                f"while_loop {name} function leads to key reuse when repeatedly executed: "
                f"  {name}_signature={own}\n  {eqn=}"
            )
    if carried["cond"] & carried["body"]:
        raise KeyReuseError(f"while_loop cond and body functions both use the same key:   {eqn=}")
    shift = params["cond_nconsts"]
    return Signature({i + shift: m for i, m in body.sinks.items()}, body.sources, _shifted(body.forwards, shift))


def _shifted(forwards: dict[int, int], shift: int) -> dict[int, int]:
    return {out: i + shift for out, i in forwards.items()}


signatures.update(
    {
        slice_p: _slice,
        concatenate_p: _concatenate,
        unstack_p: lambda eqn: uses(0, fresh=range(len(eqn.outvars))),
        device_put_p: lambda eqn: uses(same={i: i for i in range(len(eqn.invars))}),
        jit_p: lambda eqn: program_signature(eqn.params["jaxpr"]),
        remat_p: lambda eqn: uses() if eqn.params["differentiated"] else program_signature(eqn.params["jaxpr"]),
        cond_p: _cond,
        scan_p: _scan,
        while_p: _while,
    }
)

# ---- programs


class _Uses:
    """What has been used in a program so far: by variable, and by what line."""

    def __init__(self) -> None:
        self.consumed: dict[int, Mask] = {}
        self.lines: dict[int, SourceLine | None] = {}
        self.same: dict[int, Any] = {}  # a variable -> the one whose keys it has
        self.constants: dict[int, Any] = {}  # keys with a value

    def root(self, v: Any) -> Any:
        while id(v) in self.same:
            v = self.same[id(v)]
        return v

    def apply(self, eqn: JaxprEqn) -> None:
        """Use what an equation uses. Raises KeyReuseError where that has been used before."""
        own = signature_of(eqn)
        for out, i in own.forwards.items():
            self.same[id(eqn.outvars[out])] = eqn.invars[i]
        for i, mask in own.sinks.items():
            self.use(eqn, i, eqn.invars[i], mask, own.used_at.get(i) or eqn.source_info)
        for k, one in enumerate(joined(own.closed)):
            self.constants[id(one.keys)] = one.keys
            self.use(eqn, len(eqn.invars) + k, one.keys, one.mask, one.used_at)
        for out, v in enumerate(eqn.outvars):
            if out not in own.forwards:
                self.consumed[id(v)] = out not in own.sources

    def use(self, eqn: JaxprEqn, i: int, v: Any, mask: Mask, line: SourceLine | None) -> None:
        """Use the keys of a variable, or those of a constant."""
        v = self.root(v)
        if isinstance(v, Literal) or not has_keys(v.aval):
            return
        before = self.consumed.get(id(v), False)
        if np.any(np.logical_and(before, mask)):
            message = f"In {eqn.primitive}, argument {i} is already consumed."
            raise with_places(KeyReuseError(message), self.lines.get(id(v)), line)
        self.consumed[id(v)] = either(before, mask)
        self.lines.setdefault(id(v), line)


@functools.lru_cache(maxsize=1024)
def program_signature(jaxpr: Jaxpr) -> Signature:
    """The signature of a program. Raises KeyReuseError where it uses a key twice."""
    found = _Uses()
    found.same = {id(v): x for v, x in zip(jaxpr.constvars, jaxpr.consts, strict=True) if has_keys(v.aval)}
    for eqn in jaxpr.eqns:
        found.apply(eqn)
    found.constants.update((id(x), x) for x in jaxpr.consts if isinstance(x, PRNGKeyArray))
    used = {k: mask for k, mask in found.consumed.items() if np.any(mask)}
    closed = tuple(Closed(x, used[k], found.lines.get(k)) for k, x in found.constants.items() if k in used)
    place = {id(v): i for i, v in enumerate(jaxpr.invars)}
    sinks = {i: used[k] for k, i in place.items() if k in used}
    lines = {i: found.lines.get(k) for k, i in place.items() if k in used}
    roots = {i: id(found.root(v)) for i, v in enumerate(jaxpr.outvars) if has_keys(v.aval)}  # of the results
    same = {i: place[root] for i, root in roots.items() if root in place}
    own = {i: id(jaxpr.outvars[i]) for i, root in roots.items() if root not in place and root not in found.constants}
    fresh = frozenset(i for i, k in own.items() if k not in used)
    return Signature(sinks, fresh, same, lines, closed)


# ---- values


def with_places(error: KeyReuseError, first: SourceLine | None, second: SourceLine | None) -> KeyReuseError:
    """The error with the two places of use as a note."""
    error.add_note(f"The key was first used at {place_of(first)}\nand is used again at  {place_of(second)}")
    return error


def watched(primitive: Primitive, args: Sequence[Any], params: dict[str, Any], compute: Callable[[], Any]) -> Any:
    """The results of an operation on values, of which keys are used up. Raises KeyReuseError for a used one."""
    if not debug_key_reuse.value:
        return compute()
    line = user_line()
    own = _signature_on(primitive, args, params)
    name = "jit-compiled function" if primitive is jit_p else str(primitive)
    used = [(i, args[i], mask) for i, mask in own.sinks.items()]
    used += [(len(args) + k, one.keys, one.mask) for k, one in enumerate(own.closed)]
    for i, key, mask in used:
        if isinstance(key, PRNGKeyArray) and np.any(np.logical_and(key._consumed, mask)):
            message = f"Previously-consumed key passed to {name} at index {i}"
            raise with_places(KeyReuseError(message), key._used_at, line)
    results = compute()
    for _, key, mask in used:
        if isinstance(key, PRNGKeyArray):
            key._consumed, key._used_at = either(key._consumed, mask), line
    _update(own, args, results if primitive.multiple_results else [results], line)
    return results


def _signature_on(primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Signature:
    """The signature of an operation on values of these types."""
    avals = memory.operand_avals(primitive, args)
    out = primitive.out_avals(avals, params)
    outvars = [Var(a) for a in (out if primitive.multiple_results else [out])]
    return signature_of(JaxprEqn([*map(Var, avals)], outvars, primitive, params))


def _update(own: Signature, operands: Sequence[Any], results: Sequence[Any], line: SourceLine | None) -> None:
    """Mark what is fresh among the results."""
    for out, x in enumerate(results):
        if isinstance(x, PRNGKeyArray) and out in own.forwards:
            source = operands[own.forwards[out]]
            x._consumed, x._used_at = getattr(source, "_consumed", False), getattr(source, "_used_at", None)
        elif isinstance(x, PRNGKeyArray):
            x._consumed, x._used_at = out not in own.sources, line


memory.watchers.append(watched)
