"""Types that say how arrays are divided: what a primitive's result is, from what its operands are.

The shape rule gives shape and dtype. Here is added what types tell of places: the sharding along Explicit mesh axes, by
the primitive's entry in `sharding_rules`; the mesh axes along which the result varies; the memory.

A sharding rule is `(out, *operands, **params) -> entries`: from the type of the result without its sharding (a list of
them for `multiple_results`) and the types of the operands, to an entry of the result's PartitionSpec for each of its
axes (a list of such tuples). It raises ShardingTypeError where the types do not say how the result is divided.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from ..layer1_core.aval import ShapedArray
from ..layer1_core.config import abstract_mesh
from ..layer1_core.primitive import Primitive, TypeRules, typed
from ..layer1_core.trace import place_of, user_line
from ..layer5_vmap.collectives import Collective
from .mesh import AbstractMesh, empty_abstract_mesh, get_abstract_mesh
from .named import DuplicateSpecError, NamedSharding, check_divisible
from .spec import P, Partitions, PartitionSpec


class ShardingTypeError(Exception):
    """The operands' shardings do not go together, or do not say how the result is divided."""


sharding_rules = TypeRules(
    "sharding",
    "sharding rule for {0} is not implemented. Please file an issue at https://github.com/jax-ml/jax/issues. You can "
    "work around this error by dropping that operation into full auto sharding mode via: "
    "`jax.sharding.auto_axes(fun, out_shardings=...)`",
)

# Primitives whose shape rule gives the whole type: they carry programs, or are told a place.
complete: set[Primitive] = set()

# Along which mesh axes the result varies, where that is not as the operands do: from these axes, and the parameters.
varying_rules: dict[Primitive, Callable[..., frozenset[Any]]] = {}


def type_of_result(primitive: Primitive, in_avals: tuple[ShapedArray, ...], params: dict[str, Any]) -> Any:
    """The type of the result of `primitive` (a list of types for `multiple_results`)."""
    plain = abstract_mesh.value is None and all(map(_is_plain, in_avals))
    if plain or primitive in complete:
        return primitive.abstract_eval(*in_avals, **params)
    context = get_abstract_mesh()
    _check_context(primitive, in_avals, context)
    out = primitive.abstract_eval(*in_avals, **params)
    many = primitive.multiple_results
    outs: list[ShapedArray] = list(out) if many else [out]
    if isinstance(primitive, Collective):  # its shape rule keeps what its operand's type says, of other axes perhaps
        outs = [aval.update(sharding=None) for aval in outs]
    shardings = _shardings(primitive, outs, in_avals, params, context)
    vma, space = _vma(primitive, in_avals, params), _memory_space(primitive, in_avals)
    outs = [
        aval if not aval.is_undivided else aval.update(sharding=s, vma=vma, memory_space=space)
        for aval, s in zip(outs, shardings, strict=True)
    ]
    return outs if many else outs[0]


typed.append(type_of_result)


def _is_plain(aval: ShapedArray) -> bool:
    """Whether a type tells nothing of places."""
    return aval.is_undivided and not aval.vma and aval.memory_space == "device"


# ---- meshes


def _check_context(primitive: Primitive, avals: Sequence[ShapedArray], context: AbstractMesh) -> None:
    """Raises ValueError for an operand of another mesh than the one that is set here."""
    for aval in avals:
        mesh = aval.sharding.mesh
        if context.empty or mesh.empty or mesh == context or (mesh.are_all_axes_auto and context.are_all_axes_auto):
            continue
        raise ValueError(
            f"For primitive {primitive}, context mesh {context} should match the aval mesh {mesh} for shape "
            f"{aval.str_short()}. This error occurs at source:  {place_of(user_line())}"
        )


def mesh_of(avals: Sequence[ShapedArray]) -> AbstractMesh:
    """The one mesh of these types; the empty one where none has a mesh. Raises ValueError for two."""
    found = empty_abstract_mesh
    for mesh in (aval.sharding.mesh for aval in avals):
        if mesh.empty or mesh == found:
            continue
        if not found.empty:
            if found.are_all_axes_auto and mesh.are_all_axes_auto:
                return empty_abstract_mesh
            raise ValueError(f"Mesh for all inputs should be equal. Got one mesh: {found} and another mesh: {mesh}")
        found = mesh
    return found


# ---- shardings


def _shardings(
    primitive: Primitive, outs: Sequence[ShapedArray], avals: Sequence[ShapedArray], params: dict[str, Any],
    context: AbstractMesh,
) -> list[NamedSharding | None]:  # fmt: skip
    """The sharding of each result; None where no mesh is known."""
    mesh = mesh_of(avals)
    mesh = context if mesh.empty else mesh
    if mesh.empty:
        return [None] * len(outs)
    if not (context.explicit_axes or mesh.explicit_axes):
        return [NamedSharding(mesh, P(*(None,) * aval.ndim)) for aval in outs]
    if primitive not in sharding_rules:  # one of the user's own: its shape rule says what there is to say
        return [None] * len(outs)
    specs = specs_by_rule(primitive, outs, avals, params)
    return [_sharding(primitive, aval, spec, mesh, avals) for aval, spec in zip(outs, specs, strict=True)]


def specs_by_rule(
    primitive: Primitive, outs: Sequence[ShapedArray], avals: Sequence[ShapedArray], params: dict[str, Any]
) -> list[PartitionSpec]:
    """The spec of each result. Raises ShardingTypeError where the rule does, and where there is none."""
    many = primitive.multiple_results
    try:
        found = sharding_rules[primitive](outs if many else outs[0], *avals, **params)
    except NotImplementedError as error:
        raise ShardingTypeError(str(error)) from None
    return [each if isinstance(each, PartitionSpec) else P(*each) for each in (found if many else [found])]


def _sharding(
    primitive: Primitive, aval: ShapedArray, spec: PartitionSpec, mesh: AbstractMesh, avals: Sequence[ShapedArray]
) -> NamedSharding:
    """The sharding of a result. Raises ShardingTypeError where a mesh axis would divide two of its axes."""
    spec = spec.update(partitions=(*spec.partitions, *(None,) * (aval.ndim - len(spec))))
    try:
        sharding = NamedSharding(mesh, spec)
    except DuplicateSpecError as error:
        if primitive.multiple_results:
            raise
        told = ", ".join(a.str_short(short_dtypes=True) for a in avals)
        unchecked = object.__new__(NamedSharding)
        unchecked.mesh, unchecked.spec, unchecked.memory_kind = mesh, spec, None
        shown = aval.update(sharding=None).str_short(short_dtypes=True).split("[")[0]
        raise ShardingTypeError(
            f"{primitive} operation with inputs: {told} produces an illegally sharded result: "
            f"{shown}[{unchecked.sizes_text(aval.shape)}]"
        ) from error
    check_divisible(sharding, aval.shape)
    return sharding


def entries_of(aval: ShapedArray) -> Partitions:
    """The entry of each axis of a type."""
    return aval.sharding.spec.partitions


# ---- varying axes and memory


def _vma(primitive: Primitive, avals: Sequence[ShapedArray], params: dict[str, Any]) -> frozenset[Any]:
    """The mesh axes along which the result varies: those of all operands, which must agree."""
    found = [aval.vma for aval in avals]
    if any(vma != found[0] for vma in found):
        raise ValueError(
            f"Primitive {primitive} requires varying manual axes to match, but got {found}. Please open an issue at "
            "https://github.com/jax-ml/jax/issues and as a temporary workaround pass the check_vma=False argument to "
            "`jax.shard_map`"
        )
    vma = found[0] if found else frozenset()
    return varying_rules[primitive](vma, **params) if primitive in varying_rules else vma


def _memory_space(primitive: Primitive, avals: Sequence[ShapedArray]) -> str:
    """The memory of the result: that of all operands, which must agree; scalars go with all."""
    if avals and all(aval.memory_space == "any" for aval in avals):
        return "any"
    ranked = [aval for aval in avals if aval.ndim]
    for one, other in itertools.pairwise(ranked):
        if one.memory_space != other.memory_space:
            raise ValueError(
                f"memory_space of all inputs passed to `{primitive}` must be the same. Got one operand with type: "
                f"{one.str_short()} and another operand with type: {other.str_short()}"
            )
    return ranked[0].memory_space if ranked else "device"
