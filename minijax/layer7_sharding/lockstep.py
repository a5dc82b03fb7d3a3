"""A program run on all devices of a mesh, one step at a time on all of them: so that they can speak to each other.

A segment of the program is run for each device by itself, side by side. A collective takes what all devices have, and
gives each what it gets. An equation that carries a program with collectives in it is run in lockstep too.
"""

import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.array import numpy_value
from ..layer1_core.evaluate import run_equation, stored
from ..layer1_core.jaxpr import Atom, Jaxpr, JaxprEqn, Literal, jaxprs_in_params
from ..layer1_core.jit import caches
from ..layer1_core.primitive import Primitive
from ..layer2_jit.passes import inlined
from ..layer3_control.cond import cond_p
from ..layer3_control.scan import scan_p
from ..layer3_control.while_loop import while_p
from ..layer4_grad.programs import run_like
from ..layer5_vmap import collectives as c
from ..layer5_vmap.axes import bound
from .erasing import of_one_device
from .once import once_p
from .segments import Segment, Step, Values, cut, for_distinct
from .varying import psum_invariant_p

Place = dict[Hashable, int]  # where a device stands in the mesh: {'x': 0, 'y': 1}

# From what each device of a group has, in order, and the parameters, to what each gets.
joint: dict[Primitive, Callable[..., Values]] = {}

# How a loop or a branch with collectives in its programs is run: from the operands of each device, the places and the
# parameters to the results of each.
loops: dict[Primitive, Callable[..., list[Values]]] = {}


def in_memory(jaxpr: Jaxpr, sizes: Iterable[tuple[Hashable, int]]) -> Jaxpr:
    """The program of one device as it is run: with plain types, and with words for keys.

    For words it is traced again, so the names of the mesh's axes, which have these `sizes`, are bound.
    """
    with bound(sizes), config.abstract_mesh(None), config.check_vma(False):
        return stored[-1](of_one_device(jaxpr))


def run_in_lockstep(jaxpr: Jaxpr, args: Sequence[Values], places: Sequence[Place]) -> list[Values]:
    """The results of a program for each device: `args` has the arguments of each, and `places` where it stands."""
    jaxpr, steps = _steps(jaxpr, args, places)
    consts = dict(zip(map(id, jaxpr.constvars), map(numpy_value, jaxpr.consts), strict=True))
    envs = [consts | dict(zip(map(id, jaxpr.invars), values, strict=True)) for values in args]
    for step in steps:
        if isinstance(step, Segment):
            outvars = step.jaxpr.outvars
            outs = step.run([[env[id(v)] for v in step.jaxpr.invars] for env in envs])
        else:
            outvars = step.outvars
            outs = _on_all(step.primitive, [[_read(env, v) for v in step.invars] for env in envs], places, step.params)
        for env, out in zip(envs, outs, strict=True):
            env.update(zip(map(id, outvars), out, strict=True))
    return [[np.asarray(_read(env, v)) for v in jaxpr.outvars] for env in envs]


def _read(env: dict[int, Any], v: Atom) -> Any:
    return numpy_value(v.val) if isinstance(v, Literal) else env[id(v)]


# By the program; then by which arguments differ from device to device, and the names of axes along which they stand.
_cut: "weakref.WeakKeyDictionary[Jaxpr, dict[Any, tuple[Jaxpr, list[Step]]]]" = weakref.WeakKeyDictionary()
caches.append(_cut)


def _steps(jaxpr: Jaxpr, args: Sequence[Values], places: Sequence[Place]) -> tuple[Jaxpr, list[Step]]:
    """The program with plain types and without calls, and its steps. They are made once."""
    varying = tuple(any(x is not column[0] for x in column) for column in zip(*args, strict=True))
    names = frozenset(places[0])
    known = _cut.setdefault(jaxpr, {})
    if (varying, names) not in known:
        plain = of_one_device(stored[-1](jaxpr))
        plain = run_like(plain, inlined(plain))
        known[varying, names] = plain, cut(plain, varying, _is_joint, lambda eqn: _makes_same(eqn, names))
    return known[varying, names]


def _is_joint(eqn: JaxprEqn) -> bool:
    return eqn.primitive in joint or eqn.primitive is once_p or any(map(speaks, jaxprs_in_params(eqn.params)))


def _makes_same(eqn: JaxprEqn, names: frozenset[Hashable]) -> bool:
    """Whether all devices have the same results."""
    alike = eqn.primitive in _ALIKE and not eqn.params.get("axis_index_groups")
    return eqn.primitive is once_p or (alike and names <= {*c.axes_of_collective(eqn.params)})


_ALIKE = {c.psum_p, psum_invariant_p, c.pmax_p, c.pmin_p, c.all_gather_p, c.pbroadcast_p}


def _on_all(primitive: Primitive, ins: list[Values], places: Sequence[Place], params: dict[str, Any]) -> list[Values]:
    """The results of one equation on each device, from the operands of each: `ins` has a row for each device."""
    if primitive in joint:
        return [[out] for out in _together(primitive, ins, places, params)]
    if primitive is once_p:
        return [run_equation(primitive, ins[0], params)] * len(ins)
    if primitive in loops and any(map(speaks, jaxprs_in_params(params))):
        return loops[primitive](ins, places, params)
    outs = [run_equation(primitive, values, params) for values in ins]
    return [[*map(np.asarray, out if primitive.multiple_results else [out])] for out in outs]


# ---- programs in which devices speak to each other

_speaking: "weakref.WeakKeyDictionary[Jaxpr, bool]" = weakref.WeakKeyDictionary()


def speaks(jaxpr: Jaxpr) -> bool:
    """Whether a program asks what other devices have, or which device it is on, or is run for all at once."""
    if jaxpr not in _speaking:
        _speaking[jaxpr] = any(_is_joint(eqn) for eqn in jaxpr.eqns)
    return _speaking[jaxpr]


# ---- loops and branches


def _scan(ins: list[Values], places: Sequence[Place], params: dict[str, Any]) -> list[Values]:
    """Each step is run on all devices, and then the next one."""
    split = params["ft_in"].split
    jaxpr, length = params["jaxpr"], params["length"]
    carries = [list(split(values)[1]) for values in ins]
    n, steps = len(carries[0]), range(length)
    ys: list[list[Values]] = [[] for _ in ins]
    for i in reversed(steps) if params["reverse"] else steps:
        elements = for_distinct(lambda rows, i=i: [[x[i, ...] for x in xs] for xs in rows], [split(x)[2] for x in ins])
        rows = zip(ins, carries, elements, strict=True)
        outs = run_in_lockstep(jaxpr, [[*split(values)[0], *carry, *xs] for values, carry, xs in rows], places)
        carries = [out[:n] for out in outs]
        for row, out in zip(ys, outs, strict=True):
            row.append(out[n:])
    if params["reverse"]:
        ys = [rows[::-1] for rows in ys]
    empty = [np.zeros((length, *v.aval.shape), v.aval.dtype) for v in jaxpr.outvars[n:]]
    stacked = [[np.stack(column) for column in zip(*rows, strict=True)] if rows else empty for rows in ys]
    return [[*carry, *columns] for carry, columns in zip(carries, stacked, strict=True)]


def _while(ins: list[Values], places: Sequence[Place], params: dict[str, Any]) -> list[Values]:
    """The devices go on together. Raises RuntimeError where some would stop and others go on."""
    n, m = params["cond_nconsts"], params["body_nconsts"]
    carries = [values[n + m :] for values in ins]
    while True:
        heads = [[*values[:n], *carry] for values, carry in zip(ins, carries, strict=True)]
        going = {bool(out[0]) for out in run_in_lockstep(params["cond_jaxpr"], heads, places)}
        if team.get() is not None:
            going = _said_by_all(going, places, [params["cond_jaxpr"], params["body_jaxpr"]])
        if len(going) > 1:
            raise RuntimeError("a while loop with collectives in its body must go on for all devices alike")
        if not going.pop():
            return carries
        bodies = [[*values[n : n + m], *carry] for values, carry in zip(ins, carries, strict=True)]
        carries = run_in_lockstep(params["body_jaxpr"], bodies, places)


def _said_by_all(going: set[bool], places: Sequence[Place], programs: Sequence[Jaxpr]) -> set[bool]:
    """What is said by all devices that speak to these in the programs, those of other processes too.

    A device that stopped where another process goes on would be waited for in vain.
    """
    axes = tuple(sorted(set().union(*map(axes_spoken_along, programs)), key=str))
    marks = np.array([True in going, False in going])
    found = _together(c.pmax_p, [[marks] for _ in places], places, {"axes": axes, "axis_index_groups": None})
    return {said for both in found for said, mark in zip((True, False), both, strict=True) if mark}


def axes_spoken_along(jaxpr: Jaxpr) -> set[Hashable]:
    """The axes of the mesh along which there are collectives in a program."""
    inner = (program for eqn in jaxpr.eqns for program in jaxprs_in_params(eqn.params))
    own = (c.axes_of_collective(eqn.params) for eqn in jaxpr.eqns if eqn.primitive in joint)
    return set().union(*own, *map(axes_spoken_along, inner))


def _cond(ins: list[Values], places: Sequence[Place], params: dict[str, Any]) -> list[Values]:
    """Devices that take the same branch take it together."""
    branches = params["branches"]
    taken = [min(max(int(values[0]), 0), len(branches) - 1) for values in ins]
    out: list[Values] = [[] for _ in ins]
    for k in sorted(set(taken)):
        mine = [d for d, branch in enumerate(taken) if branch == k]
        found = run_in_lockstep(branches[k], [ins[d][1:] for d in mine], [places[d] for d in mine])
        for d, values in zip(mine, found, strict=True):
            out[d] = values
    return out


loops.update({scan_p: _scan, while_p: _while, cond_p: _cond})


# ---- collectives


def _together(primitive: Primitive, ins: list[Values], places: Sequence[Place], params: dict[str, Any]) -> Values:
    """What each device gets from a collective, which has one operand or none."""
    if (several := team.get()) is not None:
        return several.together(primitive, ins, places, params)
    out: Values = [None] * len(ins)
    for part in group_parts(places, c.axes_of_collective(params), params.get("axis_index_groups")):
        found = joint[primitive]([ins[d][0] if ins[d] else None for d in part], **params)
        for d, value in zip(part, found, strict=True):
            out[d] = np.asarray(value, order="C")  # compiled programs read memory row by row
    return out


# What speaks for devices of this process with those of others, `together` as above; None where there are no others.
team: ContextVar[Any] = ContextVar("team", default=None)


@contextmanager
def speaking(found: Any) -> Iterator[None]:
    """Inside of this `with`, this is the team."""
    token = team.set(found)
    try:
        yield
    finally:
        team.reset(token)


def group_parts(places: Sequence[Place], axes: Sequence[Hashable], index_groups: Any) -> list[list[int]]:
    """The devices that speak together: those that differ in these axes only, or the groups of these."""
    groups: dict[Any, list[int]] = {}
    for d, place in enumerate(places):
        groups.setdefault(tuple(i for name, i in place.items() if name not in axes), []).append(d)
    ordered = [sorted(group, key=lambda d: [places[d][name] for name in axes]) for group in groups.values()]
    if index_groups is None:
        return ordered
    return [[group[i] for i in part] for group in ordered for part in index_groups]


def _reduced(fold: Any, positional: Any) -> Callable[..., Values]:
    def rule(xs: Values, *, axes: Any, **params: Any) -> Values:
        places = tuple(a for a in axes if isinstance(a, int))
        xs = [positional(x, axis=places) for x in xs] if places else xs
        out = xs[0]
        for x in xs[1:]:
            out = fold(out, x)
        return [np.asarray(out)] * len(xs)

    return rule


def _gathered(xs: Values, *, all_gather_dimension: int, tiled: bool, **params: Any) -> Values:
    out = (np.concatenate if tiled else np.stack)(xs, all_gather_dimension)
    return [out] * len(xs)


def _scattered(xs: Values, *, scatter_dimension: int, tiled: bool, **params: Any) -> Values:
    (total,) = joint[c.psum_p](xs, axes=())[:1]
    parts = np.split(total, len(xs), scatter_dimension)
    return parts if tiled else [part.squeeze(scatter_dimension) for part in parts]


def _permuted(xs: Values, *, perm: Any, **params: Any) -> Values:
    """Where nothing comes, there are zeros. Raises ValueError where a device sends, or gets, twice."""
    if any(len({*places}) < len(places) for places in zip(*perm, strict=True)):
        raise ValueError(f"ppermute sources and destinations must be unique, got {perm}.")
    out, places = [*map(np.zeros_like, xs)], [*range(len(xs))]
    for sender, destination in perm:
        out[places[destination]] = xs[sender]
    return out


def _exchanged(xs: Values, *, split_axis: int, concat_axis: int, **params: Any) -> Values:
    parts = [np.split(x, len(xs), split_axis) for x in xs]
    return [np.concatenate(column, concat_axis) for column in zip(*parts, strict=True)]


joint.update(
    {
        c.psum_p: _reduced(np.add, np.sum),
        psum_invariant_p: _reduced(np.add, np.sum),
        c.pmax_p: _reduced(np.maximum, np.max),
        c.pmin_p: _reduced(np.minimum, np.min),
        c.all_gather_p: _gathered,
        c.reduce_scatter_p: _scattered,
        c.ppermute_p: _permuted,
        c.all_to_all_p: _exchanged,
        c.pbroadcast_p: lambda xs, *, source, **params: [xs[source]] * len(xs),
        c.axis_index_p: lambda xs, **params: [np.int32(i) for i in range(len(xs))],
    }
)
