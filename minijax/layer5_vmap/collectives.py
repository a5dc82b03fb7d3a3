"""Collectives: operations along a named axis over which the function is mapped.

    vmap(lambda x: x - pmean(x, "i"), axis_name="i")

The function sees one example; a collective is how it speaks of all of them. In a program it is one equation, whose axes
have names; when the function is batched along such an axis, the name becomes a place (see collective_rules.py).
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray, shaped, typeof
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.lax.elementwise import mul
from ..layer1_core.lax.reducing import reduce_max_p, reduce_min_p, reduce_sum, reduce_sum_p
from ..layer1_core.lax.shaping import canonicalize_axis, expand_dims, squeeze
from ..layer1_core.primitive import Primitive, impl_rules, typed
from ..layer1_core.trace import Tracer, pure
from ..layer1_core.tree import tree_flatten, tree_map, tree_unflatten
from ..layer2_jit.lowering import CALLED
from ..layer2_jit.rules import lowering_rules
from ..layer4_grad.rules.parts import const
from .axes import check_bound, size_of_axis

Names = tuple[Any, ...]  # ("batch", "model")
Groups = tuple[tuple[int, ...], ...] | None  # parts of an axis, by index: refused under vmap

# ---- primitives


class Collective(Primitive):
    """A primitive along named axes. Its types are not remembered: they depend on what the names are bound to."""

    def out_avals(self, in_avals: tuple[ShapedArray, ...], params: dict[str, Any]) -> Any:
        return typed[-1](self, in_avals, params)


def named(axes: Any) -> Names:
    """Names of axes as a tuple, from one name or several."""
    return tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)


def axes_of_collective(params: dict[str, Any]) -> Names:
    """The named axes along which an equation with these parameters is; axes of an array have numbers."""
    return tuple(a for a in named(params.get("axes", params.get("axis_name"))) if not isinstance(a, int))


def _unbound(*values: Any, **params: Any) -> Any:
    """Values have no named axes: those are of a function that is mapped."""
    raise NameError(f"unbound axis name: {', '.join(map(str, axes_of_collective(params)))}")


def _all_reduce(name: str, positional: Primitive) -> Primitive:
    """A reduction along axes of which some may be places: then it is one like `positional`."""

    def rule(x: ShapedArray, *, axes: Names, axis_index_groups: Groups) -> ShapedArray:
        check_bound([a for a in axes if not isinstance(a, int)], "psum")  # so for all of these, in JAX
        places = tuple(a for a in axes if isinstance(a, int))
        return positional.abstract_eval(x, axes=places).strip_weak_type()

    def impl(x: np.ndarray, *, axes: Names, axis_index_groups: Groups) -> Any:
        if not all(isinstance(a, int) for a in axes):
            return _unbound(axes=axes)
        return impl_rules[positional](x, axes=axes, out_sharding=None)

    p = Collective(name)
    p.def_abstract_eval(rule)
    impl_rules[p], lowering_rules[p] = impl, lowering_rules[positional]
    return p


psum_p = _all_reduce("psum", reduce_sum_p)
pmax_p = _all_reduce("pmax", reduce_max_p)
pmin_p = _all_reduce("pmin", reduce_min_p)


def _along_axis(name: str, shape_rule: Callable[..., ShapedArray]) -> Primitive:
    """A collective with the parameter `axis_name`, one name or a tuple of them."""

    def rule(*avals: ShapedArray, axis_name: Any, **params: Any) -> ShapedArray:
        check_bound(named(axis_name), "ppermute" if name == "pbroadcast" else name)  # so in JAX
        return shape_rule(*avals, axis_name=named(axis_name), **params)

    p = Collective(name)
    p.def_abstract_eval(rule)
    impl_rules[p], lowering_rules[p] = _unbound, CALLED
    return p


def _all_gather_rule(
    x: ShapedArray, *, all_gather_dimension: int, axis_size: int, tiled: bool, **params: Any
) -> ShapedArray:
    shape = [*x.shape]
    if tiled:
        shape[all_gather_dimension] *= axis_size
    else:
        shape.insert(all_gather_dimension, axis_size)
    return x.update(shape=shape)


def _reduce_scatter_rule(
    x: ShapedArray, *, scatter_dimension: int, axis_size: int, tiled: bool, **params: Any
) -> ShapedArray:
    shape, size = [*x.shape], x.shape[scatter_dimension]
    if tiled and size % axis_size:
        raise ValueError(
            f"tiled reduce_scatter operand scatter dimension size {size} must be divisible by shard_count {axis_size}"
        )
    if not tiled and size != axis_size:
        raise ValueError(f"reduce_scatter operand scatter dimension size {size} must match shard count {axis_size}")
    shape[scatter_dimension : scatter_dimension + 1] = [size // axis_size] if tiled else []
    return x.update(shape=shape)


def _all_to_all_rule(
    x: ShapedArray, *, axis_name: Names, split_axis: int, concat_axis: int, axis_index_groups: Groups, tiled: bool
) -> ShapedArray:
    size = axis_size(axis_name) if axis_index_groups is None else len(axis_index_groups[0])
    shape = [*x.shape]
    shape[split_axis] //= size
    shape[concat_axis] *= size
    return shaped(tuple(shape), x.dtype)


ppermute_p = _along_axis("ppermute", lambda x, **params: x)
pbroadcast_p = _along_axis("pbroadcast", lambda x, **params: x)
all_gather_p = _along_axis("all_gather", _all_gather_rule)
reduce_scatter_p = _along_axis("reduce_scatter", _reduce_scatter_rule)
all_to_all_p = _along_axis("all_to_all", _all_to_all_rule)
axis_index_p = _along_axis("axis_index", lambda **params: shaped((), np.dtype("int32")))

# ---- groups


def _groups(axis_index_groups: Sequence[Sequence[int]] | None) -> Groups:
    return None if axis_index_groups is None else tuple(map(tuple, axis_index_groups))


def _check_groups(axes: Names, axis_index_groups: Sequence[Sequence[int]] | None) -> Groups:
    """The groups. Raises ValueError where they do not cover an axis, or where an axis is a place."""
    if axis_index_groups is None:
        return None
    if any(isinstance(a, int) for a in axes):
        raise ValueError("axis_index_groups only supported for sums over just named axes")
    if {i for group in axis_index_groups for i in group} != {*range(sum(map(len, axis_index_groups)))}:
        raise ValueError("axis_index_groups must cover all indices exactly once")
    return _groups(axis_index_groups)


# ---- sums, means, extremes


def psum(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """The sum of `x`, an array or a tree of arrays, over all examples along the named axis, or axes.

    A number that is no tracer is the same for all: psum(1, "i") is the size of the axis, at once.
    """
    axes = named(axis_name)
    if not axes:
        return x
    groups = _check_groups(axes, axis_index_groups)
    leaves, tree = tree_flatten(x)
    leaves = [convert_element_type(leaf, np.int32) if typeof(leaf).dtype == np.bool_ else leaf for leaf in leaves]
    if any(isinstance(leaf, Tracer) for leaf in leaves):
        out = [psum_p.bind(leaf, axes=axes, axis_index_groups=groups) for leaf in leaves]
    else:
        out = [_sum_of_constant(leaf, axes, groups) for leaf in leaves]
    return tree_unflatten(tree, out)


def _sum_of_constant(x: Any, axes: Names, groups: Groups) -> Any:
    size = axis_size([a for a in axes if not isinstance(a, int)]) if groups is None else len(groups[0])
    if isinstance(x, (int, float, complex)):
        return type(x)(size) * x
    places = [canonicalize_axis(a, typeof(x).ndim) for a in axes if isinstance(a, int)]
    return mul(const(x, size), reduce_sum(x, places) if places else x)


def pmean(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """The mean of `x` over all examples along the named axis, or axes."""
    total = psum(x, axis_name, axis_index_groups=axis_index_groups)
    n = psum(1, axis_name, axis_index_groups=axis_index_groups)
    return tree_map(lambda v: v / n, total)


def pmax(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """The largest of `x` over all examples along the named axis, or axes."""
    return _extreme(pmax_p, x, axis_name, axis_index_groups)


def pmin(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """The smallest of `x` over all examples along the named axis, or axes."""
    return _extreme(pmin_p, x, axis_name, axis_index_groups)


def _extreme(primitive: Primitive, x: Any, axis_name: Any, axis_index_groups: Any) -> Any:
    axes = named(axis_name)
    groups = _check_groups(axes, axis_index_groups)
    return tree_map(lambda leaf: primitive.bind(leaf, axes=axes, axis_index_groups=groups), x)


# ---- who am I


def axis_index(axis_name: Any) -> Any:
    """Which example this is, along the named axis; along several, counted as if they were one."""
    if not isinstance(axis_name, (tuple, list)):
        return axis_index_p.bind(axis_name=axis_name)
    index, inner = pure(0), 1
    for name in reversed(axis_name):
        index += axis_index(name) * inner
        inner *= axis_size(name)
    return index


def axis_size(axis_name: Any) -> int:
    """How many examples there are along the named axis, or axes together: a number of Python's.

    Raises NameError for a name that is bound to no axis.
    """
    size = 1
    for name in named(axis_name):
        size *= size_of_axis(name)
    return size


# ---- examples exchanged


def ppermute(x: Any, axis_name: Any, perm: Sequence[tuple[int, int]]) -> Any:
    """`x` of another example: for each pair (source, destination), the destination gets that of the source."""
    params = dict(axis_name=named(axis_name), perm=tuple(map(tuple, perm)))
    return tree_map(lambda leaf: ppermute_p.bind(leaf, **params), x)


def pshuffle(x: Any, axis_name: Any, perm: Sequence[int]) -> Any:
    """`x` of the example perm[i], for example i. Raises ValueError where `perm` is not a permutation."""
    if {*perm} != {*range(len(perm))}:
        raise ValueError(f"`perm` does not represent a permutation: {perm}")
    return ppermute(x, axis_name, [*zip(perm, range(len(perm)), strict=True)])


def pbroadcast(x: Any, axis_name: Any, source: int) -> Any:
    """`x` of the example `source`, for all."""
    return tree_map(lambda leaf: pbroadcast_p.bind(leaf, axis_name=axis_name, source=source), x)


def all_gather(
    x: Any, axis_name: Any, *, axis_index_groups: Any = None, axis: int = 0, tiled: bool = False, to: str = "varying"
) -> Any:
    """`x` of all examples, stacked along a new axis; if `tiled`, joined along one that is there."""
    if to not in ("varying", "reduced", "invarying"):
        raise ValueError(
            f"Got unexpected `to` value for `jax.lax.all_gather`. Allowed `to` values are: "
            f"{ {'varying', 'reduced', 'invarying'} }"
        )
    names = axis_name if isinstance(axis_name, tuple) else (axis_name,)
    groups = _groups(axis_index_groups)
    size = psum(1, names, axis_index_groups=groups)

    def bind(leaf: Any) -> Any:
        place = canonicalize_axis(axis, np.ndim(leaf) + (not tiled))
        return all_gather_p.bind(
            leaf, all_gather_dimension=place, axis_name=names, axis_index_groups=groups, axis_size=size, tiled=tiled
        )

    return tree_map(bind, x) if names else x


def psum_scatter(
    x: Any, axis_name: Any, *, scatter_dimension: int = 0, axis_index_groups: Any = None, tiled: bool = False
) -> Any:
    """The sum over all examples, of which each gets its own part along an axis: `psum`, and then a slice."""
    names = axis_name if isinstance(axis_name, tuple) else (axis_name,)
    size, groups = psum(1, names, axis_index_groups=axis_index_groups), _groups(axis_index_groups)

    def bind(leaf: Any) -> Any:
        place = canonicalize_axis(scatter_dimension, np.ndim(leaf))
        return reduce_scatter_p.bind(
            leaf, axis_name=names, scatter_dimension=place, axis_index_groups=groups, axis_size=size, tiled=tiled
        )

    return tree_map(bind, x) if names else x


def all_to_all(
    x: Any, axis_name: Any, split_axis: int, concat_axis: int, *, axis_index_groups: Any = None, tiled: bool = False
) -> Any:
    """`x` split along an axis, of which each example gets one part from all, joined along another axis.

    Without `tiled` the parts have size 1: the named axis and `split_axis` change places. Raises ValueError for an axis
    that cannot be split so.
    """
    groups = _groups(axis_index_groups)
    size = psum(1, axis_name, axis_index_groups=groups)
    params = dict(axis_name=axis_name, axis_index_groups=groups, tiled=tiled)

    def bind(leaf: Any) -> Any:
        split, concat = (canonicalize_axis(d, np.ndim(leaf)) for d in (split_axis, concat_axis))
        _check_split(np.shape(leaf)[split], size, axis_name, tiled)
        if tiled or split == concat:
            return all_to_all_p.bind(leaf, split_axis=split, concat_axis=concat, **params)
        concat += split < concat  # it is a place after `split` has gone
        leaf = expand_dims(leaf, (concat,))
        split += concat <= split
        return squeeze(all_to_all_p.bind(leaf, split_axis=split, concat_axis=concat, **params), (split,))

    return tree_map(bind, x)


def _check_split(length: int, size: int, axis_name: Hashable, tiled: bool) -> None:
    if tiled and length % size:
        raise ValueError(
            f"The size of all_to_all split_axis ({length}) has to be divisible by the size of the named axis "
            f"{axis_name} ({size})"
        )
    if not tiled and length != size:
        raise ValueError(
            "all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are "
            f"{size} and {length} respectively."
        )


def pswapaxes(x: Any, axis_name: Any, axis: int, *, axis_index_groups: Any = None) -> Any:
    """`x` with the named axis and the axis `axis`, of one size, in each other's places."""
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)
