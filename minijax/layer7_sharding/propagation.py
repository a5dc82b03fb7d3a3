"""How the results of a program are divided along Auto axes: what a compiler finds out from how the operands are.

It goes forward through the program: each result is divided as it would be if all axes were Explicit, by the rule of
`sharding_rules`. Where the rule refuses, because the types do not say it, the axes that stay as they are stay divided.
"""

import functools
import math
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ..layer1_core.aval import Shape, ShapedArray
from ..layer1_core.device_put import device_put_p
from ..layer1_core.evaluate import naming
from ..layer1_core.jaxpr import Jaxpr, Literal
from ..layer1_core.jit_call import jit_p
from ..layer1_core.lax.dot import dot_general_p
from ..layer1_core.lax.shaping import reshape_p
from ..layer1_core.primitive import Primitive
from ..layer3_control.cond import cond_p
from ..layer3_control.scan import scan_p
from ..layer3_control.while_loop import while_p
from .mesh import AbstractMesh, AxisType, BaseMesh, Mesh
from .named import NamedSharding
from .parts import entries, parts_along
from .resharding import constrained, reshard_p, sharding_constraint_p, told_and_found
from .rules.shaping import groups_of_axes
from .spec import P, Partition, PartitionSpec, axes_of, partition_of
from .types import ShardingTypeError, specs_by_rule

Specs = list[PartitionSpec]
# The rules of equations that carry programs or name a place: from specs, types of results, mesh and params to specs.
propagation_rules: dict[Primitive, Callable[..., Specs]] = {}


def specs_of_results(
    primitive: Primitive, specs: Sequence[PartitionSpec], avals: Sequence[ShapedArray], outs: Sequence[ShapedArray],
    mesh: BaseMesh, params: dict[str, Any],
) -> Specs:  # fmt: skip
    """The spec of each result of an equation, from those of its operands. `avals` and `outs` are their types."""
    if primitive in propagation_rules:
        found = propagation_rules[primitive](specs, outs, mesh, params)
    elif (program := _program(params)) is not None and len(program.invars) == len(specs):
        found = specs_of_program(program, specs, mesh)
    else:
        found = _by_rule(primitive, specs, avals, outs, mesh, params)
    return [_possible(spec, aval, mesh) for spec, aval in zip(found, outs, strict=True)]


def specs_of_program(jaxpr: Jaxpr, specs: Sequence[PartitionSpec], mesh: BaseMesh) -> Specs:
    """The spec of each result of a program."""
    env: dict[int, PartitionSpec] = dict(zip(map(id, jaxpr.invars), specs, strict=True))
    read = lambda v: P() if type(v) is Literal else env.get(id(v), P())
    for eqn in jaxpr.eqns:
        ins, outs = [v.aval for v in eqn.invars], [v.aval for v in eqn.outvars]
        found = specs_of_results(eqn.primitive, list(map(read, eqn.invars)), ins, outs, mesh, eqn.params)
        env.update(zip(map(id, eqn.outvars), found, strict=True))
    return list(map(read, jaxpr.outvars))


def _program(params: dict[str, Any]) -> Jaxpr | None:
    """The first program among the parameters."""
    return next((value for value in params.values() if isinstance(value, Jaxpr)), None)


# ---- by the rules of types


@functools.lru_cache(maxsize=1024)
def _all_explicit(mesh: BaseMesh) -> AbstractMesh:
    """The mesh without devices, its axes all Explicit."""
    abstract = mesh.abstract_mesh  # type: ignore[attr-defined]
    return abstract.update(axis_types=(AxisType.Explicit,) * len(abstract.axis_names))


def _by_rule(
    primitive: Primitive, specs: Sequence[PartitionSpec], avals: Sequence[ShapedArray], outs: Sequence[ShapedArray],
    mesh: BaseMesh, params: dict[str, Any],
) -> Specs:  # fmt: skip
    everywhere = _all_explicit(mesh)
    if primitive is dot_general_p:
        specs = [_without(s, dims) for s, dims in zip(specs, params["dimension_numbers"][0], strict=True)]
    if primitive is reshape_p:
        specs = [_in_front(specs[0], avals[0].shape, outs[0].shape, mesh)]
    typed = [_divided(aval, spec, everywhere) for aval, spec in zip(avals, specs, strict=True)]
    plain = [aval.update(sharding=None, vma=frozenset()) for aval in outs]
    try:
        return specs_by_rule(primitive, plain, typed, params)
    except ShardingTypeError:
        return [_kept(typed, aval) for aval in outs]


def _divided(aval: ShapedArray, spec: PartitionSpec, mesh: AbstractMesh) -> ShapedArray:
    """The type of an operand that is divided so on this mesh."""
    spec = P(*spec.partitions, *(None,) * (aval.ndim - len(spec)))
    return aval.update(sharding=NamedSharding(mesh, spec), vma=frozenset())


def _without(spec: PartitionSpec, dims: Sequence[int]) -> PartitionSpec:
    """The spec with these axes whole: they are contracted, and their sum is everywhere, however they are divided."""
    return P(*(None if d in dims else entry for d, entry in enumerate(spec.partitions)))


def _in_front(spec: PartitionSpec, before: Shape, after: Shape, mesh: BaseMesh) -> PartitionSpec:
    """The spec with the mesh axes only that still divide after a reshape.

    Of axes that become one or several, a mesh axis divides on where those in front of it divide all that is in front,
    and where it divides the new axes in turn.
    """
    old, out = iter(entries(spec, len(before))), []
    sizes, parts = iter(before), iter(after)
    for many, into in groups_of_axes(before, after):
        new, whole = [next(parts) for _ in range(into)], True
        for size in (next(sizes) for _ in range(many)):
            names = []
            for name in axes_of(next(old)):
                left = _divided_by(new, mesh.shape[name]) if whole else None
                whole = left is not None
                new = left or new
                names += [name] * whole
            whole = whole and math.prod(mesh.shape[name] for name in names) == size
            out.append(partition_of(names))
    return P(*out)


def _divided_by(sizes: Sequence[int], k: int) -> list[int] | None:
    """These sizes with the first one that is not 1 divided by `k`; None where that is not even."""
    at = next((i for i, size in enumerate(sizes) if size != 1), None)
    if at is None or sizes[at] % k:
        return None
    return [*sizes[:at], sizes[at] // k, *sizes[at + 1 :]]


def _kept(avals: Sequence[ShapedArray], out: ShapedArray) -> PartitionSpec:
    """The axes of the first operand of this rank whose sizes stay, as they are."""
    like = next((a for a in avals if a.ndim == out.ndim), None)
    if like is None:
        return P()
    entries = zip(like.sharding.spec.partitions, like.shape, out.shape, strict=True)
    return P(*(entry if before == after else None for entry, before, after in entries))


def _possible(spec: PartitionSpec, aval: ShapedArray, mesh: BaseMesh) -> PartitionSpec:
    """The spec without a mesh axis named twice, or one that does not divide the axis evenly; no None at its end."""
    seen: set[Any] = set()
    entries: list[Partition] = []
    for entry, size in zip(spec.partitions, aval.shape, strict=False):
        free = partition_of(name for name in axes_of(entry) if name not in seen)
        parts = parts_along(mesh, free)
        entries.append(free if parts and size % parts == 0 else None)
        seen.update(axes_of(entries[-1]))
    while entries and entries[-1] is None:
        entries.pop()
    return P(*entries)


# ---- equations that carry programs, or name a place


def _of_jit(specs: Specs, outs: Any, mesh: BaseMesh, params: dict[str, Any]) -> Specs:
    found = specs_of_program(params["jaxpr"], specs, mesh)
    places = params["out_shardings"]
    return [getattr(place, "spec", spec) for place, spec in zip(places, found, strict=True)]


def _of_scan(specs: Specs, outs: Any, mesh: BaseMesh, params: dict[str, Any]) -> Specs:
    """The carry starts as it is given, or as the body leaves it; of what is scanned the first axis is whole."""
    consts, carry, xs = map(list, params["ft_in"].split(specs))
    steps = [P(*spec.partitions[1:]) for spec in xs]
    found: Specs = []
    for _ in range(2):
        found = specs_of_program(params["jaxpr"], [*consts, *carry, *steps], mesh)
        carry = [new if len(new) else old for new, old in zip(found, carry, strict=False)]
    return carry + [P(None, *spec.partitions) for spec in found[len(carry) :]]


def _of_while(specs: Specs, outs: Any, mesh: BaseMesh, params: dict[str, Any]) -> Specs:
    """The carry as the body leaves it, or else as it is given."""
    consts = specs[params["cond_nconsts"] :]
    carry = consts[params["body_nconsts"] :]
    found = specs_of_program(params["body_jaxpr"], consts, mesh)
    return [new if len(new) else old for new, old in zip(found, carry, strict=True)]


def _of_cond(specs: Specs, outs: Any, mesh: BaseMesh, params: dict[str, Any]) -> Specs:
    return specs_of_program(params["branches"][0], specs[1:], mesh)


def _of_put(specs: Specs, outs: Any, mesh: BaseMesh, params: dict[str, Any]) -> Specs:
    """A place that is named inside of a program does not count for the compiler, unless types show it."""
    return [P() if place is not None else spec for spec, place in zip(specs, params["devices"], strict=True)]


def _of_reshard(specs: Specs, outs: Any, mesh: BaseMesh, params: dict[str, Any]) -> Specs:
    """What it says of Explicit axes; the others divide what they divided."""
    said = params["dst_sharding"]
    return [told_and_found(said.spec, specs[0], said.mesh.auto_axes)]


propagation_rules.update(
    {
        jit_p: _of_jit,
        scan_p: _of_scan,
        while_p: _of_while,
        cond_p: _of_cond,
        device_put_p: _of_put,
        reshard_p: _of_reshard,
        sharding_constraint_p: lambda specs, outs, mesh, params: [
            constrained(getattr(params["sharding"], "spec", P()), specs[0])
        ],
    }
)


# ---- the mesh that a program names


def mesh_named(params: dict[str, Any]) -> Mesh | None:
    """The mesh with devices that a parameter names, or an equation of a program among the parameters; or None."""
    for value in params.values():
        for part in value if isinstance(value, tuple) else (value,):
            mesh = _mesh_in(part) if isinstance(part, Jaxpr) else getattr(part, "mesh", part)
            if isinstance(mesh, Mesh) and not mesh.empty:
                return mesh
    return None


_meshes: "weakref.WeakKeyDictionary[Jaxpr, Mesh | None]" = weakref.WeakKeyDictionary()


def _mesh_in(jaxpr: Jaxpr) -> Mesh | None:
    """The mesh that an equation of a program names, looked for once."""
    if jaxpr not in _meshes:
        _meshes[jaxpr] = next((m for eqn in jaxpr.eqns if (m := mesh_named(eqn.params)) is not None), None)
    return _meshes[jaxpr]


def _whole_on(find: Callable[[dict[str, Any]], BaseMesh | None]) -> Callable[[dict[str, Any]], NamedSharding | None]:
    """From parameters, whole on the devices of the mesh that `find` finds in them."""

    def named(params: dict[str, Any]) -> NamedSharding | None:
        mesh = find(params)
        return None if mesh is None else NamedSharding(mesh, P())

    return named


naming[jit_p] = _whole_on(lambda params: _mesh_in(params["jaxpr"]))  # of its places, `put_each` knows
naming.update(dict.fromkeys((cond_p, scan_p, while_p), _whole_on(mesh_named)))
