"""What the specs of `shard_map` must fit: the mesh, the arguments, the results. The errors are in JAX's words."""

from collections.abc import Sequence
from typing import Any

from ..layer1_core.aval import ShapedArray
from ..layer1_core.jit_shardings import leaf_names
from ..layer1_core.tree import PyTreeDef, keystr, prefix_errors, spread_axes, tree_flatten_with_path
from ..layer4_grad.programs import only, only_not
from .mesh import BaseMesh
from .named import check_spec, shown
from .parts import parts_along
from .spec import AxisName, Names, P, PartitionSpec, axes_of

Specs = tuple[PartitionSpec, ...]


def names_in(spec: PartitionSpec) -> Names:
    """The mesh axes that divide some axis."""
    return frozenset(name for entry in spec.partitions for name in axes_of(entry))


def chosen(marks: Sequence[bool], specs: Specs) -> Specs:
    """The specs whose marks are True."""
    return tuple(only(marks, specs))


def not_chosen(marks: Sequence[bool], specs: Specs) -> Specs:
    """The specs whose marks are False."""
    return tuple(only_not(marks, specs))


def spread(what: str, specs: Any, tree: PyTreeDef, mesh: BaseMesh, names: Names) -> Specs:
    """A spec for each leaf of `tree`, from `specs`, the tree called `what`, of which it is a prefix.

    Raises TypeError or ValueError for trees that do not fit, and for what are no specs of the Manual axes `names`.
    """
    paths, _ = tree_flatten_with_path(specs, is_leaf=lambda x: x is None)
    leaves = [leaf for _, leaf in paths]
    for path, leaf in paths:
        if leaf is not None:
            _check(what, keystr(path), leaf, mesh, names)
    found = spread_axes(tree, specs)
    if found is None or (what == "out_specs" and None in leaves):  # of an argument, None says that it is whole
        raise prefix_errors(specs, tree.unflatten([0] * tree.num_leaves))[0](f"shard_map {what}")
    return tuple(P() if spec is None else spec for spec in found)


def _check(what: str, where: str, spec: Any, mesh: BaseMesh, names: Names) -> None:
    end = f"Check the {what} values passed to shard_map."
    if not isinstance(spec, PartitionSpec):
        raise TypeError(
            f"shard_map {what} argument must be a pytree of `jax.sharding.PartitionSpec` instances, but:\n\n"
            f"  {what}{where} is {spec} of type {type(spec).__name__}, \n\n{end}"
        )
    for name in sorted(names_in(spec) - names, key=str):
        raise ValueError(
            f"shard_map {what} argument must refer to an axis marked as manual ({names}), but:\n\n"
            f"  {what} refers to {name!r}\n\n{end}"
        )
    check_spec(mesh, spec)


# ---- ranks, sizes, and what varies


def _applied(name: str, what: str) -> str:
    return f"shard_map applied to the function '{name}' was given {what}:\n\n"


def _given(mesh: BaseMesh) -> str:
    return f"The mesh given has shape {mesh.axis_sizes} with corresponding axis names {mesh.axis_names}.\n\n"


def _argument(name: str, i: int, parameter: str) -> str:
    return f"args[{i}], where args[{i}] is bound to {name}'s parameter '{parameter}',"


_FOR_SCALARS = (
    "\n\nFor scalar values (rank 0), consider using an {} entry of `P()`, where `P = jax.sharding.PartitionSpec`."
)
_FOR_SCALAR_RESULTS = (
    f"{_FOR_SCALARS.format('out_specs')} In particular, for rank 0 outputs which are not constant over the mesh, add "
    "at least one (singleton) axis to them so that they can be concatenated using out_specs."
)


def check_ranks_of_args(name: str, specs: Specs, avals: Sequence[ShapedArray], parameters: Sequence[str]) -> None:
    """Raises ValueError for a spec with more entries than the argument has axes."""
    for i, (spec, aval) in enumerate(zip(specs, avals, strict=True)):
        if len(spec) > aval.ndim:
            where = f"the passed {_argument(name, i, parameters[i])}"
            told = _too_long(name, "in_specs", "input", [(spec, aval, where)])
            raise ValueError(told if aval.ndim else told + _FOR_SCALARS.format("in_specs"))


def check_ranks_of_results(name: str, specs: Specs, tree: PyTreeDef, avals: Sequence[ShapedArray]) -> None:
    """Raises ValueError for specs with more entries than the results have axes, naming all of them."""
    found = [
        (spec, aval, where)
        for spec, aval, where in zip(specs, avals, leaf_names(f"{name}(*args)", tree), strict=True)
        if len(spec) > aval.ndim
    ]
    if found:
        told = _too_long(name, "out_specs", "output", found)
        raise ValueError(told if all(aval.ndim for _, aval, _ in found) else told + _FOR_SCALAR_RESULTS)


def _too_long(name: str, what: str, kind: str, found: Sequence[tuple[PartitionSpec, ShapedArray, str]]) -> str:
    entry = f"an {what} entry which is too long to be compatible with the corresponding {kind} value from the function"
    lines = [
        f"{what} is {spec} which has length {len(spec)}, but {where} has shape {aval.str_short()}, which has rank "
        f"{aval.ndim} (and {aval.ndim} < {len(spec)})"
        for spec, aval, where in found
    ]
    told = lines[0] if len(lines) == 1 else "\n\n".join(f"* {line}" for line in lines)
    return (
        f"{_applied(name, entry)}{told}\n\nEntries in {what} must be of length no greater than the number of axes in "
        f"the corresponding {kind} value.\n\nEither revise the spec to be shorter, or modify '{name}' so that its "
        f"{kind}s have sufficient rank."
    )


def check_sizes(
    name: str, specs: Specs, avals: Sequence[ShapedArray], mesh: BaseMesh, parameters: Sequence[str]
) -> None:
    """Raises ValueError for an argument that cannot be divided evenly."""
    for i, (spec, aval) in enumerate(zip(specs, avals, strict=True)):
        for axis, (entry, size) in enumerate(zip(spec.partitions, aval.shape, strict=False)):
            if size % parts_along(mesh, entry):
                where = f"args[{i}] of shape {aval.str_short()}, where args[{i}] is bound to {name}'s parameter "
                raise ValueError(_uneven(name, f"{where}'{parameters[i]}'", spec, axis, size, mesh))


def _uneven(name: str, where: str, spec: PartitionSpec, axis: int, size: int, mesh: BaseMesh) -> str:
    axes, parts = axes_of(spec.partitions[axis]), parts_along(mesh, spec.partitions[axis])
    along = f"axis {axes[0]!r} (of size {parts})" if len(axes) == 1 else f"axes {axes} (of total size {parts})"
    what = "argument arrays with axis sizes that are not evenly divisible by the corresponding mesh axis sizes"
    return (
        f"{_applied(name, what)}{_given(mesh)}the passed {where}, corresponds to in_specs of value {spec}, which maps "
        f"array axis {axis} (of size {size}) to mesh {along}, but {parts} does not evenly divide {size}\n\nArray "
        "arguments' axis sizes must be evenly divisible by the mesh axis or axes indicated by the corresponding "
        "elements of the argument's in_specs entry. Consider checking that in_specs are correct, and if so consider "
        f"changing the mesh axis sizes or else padding the input and adapting '{name}' appropriately."
    )


def check_replicated(name: str, specs: Specs, avals: Sequence[ShapedArray], mesh: BaseMesh, names: Names) -> None:
    """Raises ValueError for a result that varies along an axis of which its spec says that it does not."""
    for spec, aval in zip(specs, avals, strict=True):
        if (aval.vma & names) - names_in(spec):
            what = "out_specs which require replication which can't be statically inferred given the mesh"
            raise ValueError(
                f"{_applied(name, what)}{_given(mesh)}out_specs is {spec} which implies that the corresponding output "
                f"value is {_varying(spec, aval, mesh, names)}\n\nCheck if these output values are meant to be "
                "replicated over those mesh axes. If not, consider revising the corresponding out_specs entries. If "
                "so, consider disabling the check by passing the check_vma=False argument to `jax.shard_map`."
            )


def _varying(spec: PartitionSpec, aval: ShapedArray, mesh: BaseMesh, names: Names) -> str:
    unnamed = mesh.in_order(names - names_in(spec))
    if len(unnamed) == 1:
        return f"replicated across mesh axis {unnamed[0]!r}, but could not infer replication over any axes"
    told, wrong = _braces(mesh, names_in(spec)), _braces(mesh, (aval.vma & names) - names_in(spec))
    return (
        f"only varying across mesh axes {told} and not {wrong}, but it was inferred to be possibly varying over "
        f"{_braces(mesh, aval.vma)}"
    )


def _braces(mesh: BaseMesh, names: frozenset[AxisName]) -> str:
    return f"{{{','.join(map(str, mesh.in_order(names)))}}}"


def check_given(specs: Specs, told: Specs, avals: Sequence[ShapedArray], mesh: BaseMesh) -> None:
    """Raises ValueError for an argument whose type says that it is divided otherwise, along Explicit axes."""
    for spec, found, aval in zip(specs, told, avals, strict=True):
        padded = spec.update(partitions=(*spec.partitions, *(None,) * (aval.ndim - len(spec))))
        if shown(padded, mesh, aval.ndim) != found:
            raise ValueError(
                f"in_specs passed to shard_map: {padded} does not match the specs of the input: {found} for arg: "
                f"{aval.str_short()}. `in_specs` is an optional argument so you can omit specifying it and shard_map "
                "will infer the in_specs from the arguments. If you want to reshard your inputs, you can use "
                "`jax.reshard` on the arguments and then pass those args to shard_map."
            )
