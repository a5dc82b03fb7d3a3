"""vmap: a function of one example becomes a function of a batch of them."""

import functools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from ..layer1_core.aval import abstractify, is_jax_type, partition_of_axis, told, typeof
from ..layer1_core.fun_names import fun_name, fun_signature
from ..layer1_core.lax.shaping import canonicalize_axis
from ..layer1_core.tree import (
    PyTreeDef,
    flatten_axes,
    keystr,
    tree_flatten,
    tree_flatten_with_path,
    tree_leaves,
    tree_unflatten,
)
from ..layer4_grad.flat import check_callable
from .axes import AxisData, bound, divided_as, no_axis_name
from .batching import Dim, Dims, OutAxesError, batch_flat, matchaxis


def vmap(
    fun: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Hashable | None = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
    sum_match: bool = False,
) -> Callable[..., Any]:
    """`fun`, of one example, as a function of a batch: its arguments and results have one more axis.

    >>> import numpy as np
    >>> vmap(lambda x, y: x + y, in_axes=(0, None))(np.arange(3), 10)
    Array([10, 11, 12], dtype=int32)

    `in_axes` says which axis of each positional argument runs over the examples: a number, None for an
    argument that is the same for all, or a tree of these, a prefix of the arguments' tuple. An argument that
    is given by name is mapped along its first axis. `out_axes` says where the axis goes in the results, None
    where they are the same for all. The axis may be given a name, for `lax.psum` and its kin, and a size,
    where no argument has it.

    Raises TypeError for axes that are no axes, ValueError for those that do not fit arguments or results.
    """
    check_callable(fun)
    in_axes = tuple(in_axes) if isinstance(in_axes, list) else in_axes
    _check_axes(in_axes, out_axes)
    spmd = spmd_axis_name if spmd_axis_name is None or isinstance(spmd_axis_name, tuple) else (spmd_axis_name,)
    name = no_axis_name if axis_name is None else axis_name

    @functools.wraps(fun)
    def vmap_f(*args: Any, **kwargs: Any) -> Any:
        _check_count(in_axes, args)
        leaves, in_tree = tree_flatten((args, kwargs))
        dims = flatten_axes("vmap in_axes", in_tree, (in_axes, 0), kws=True)
        size = _axis_size(fun, in_tree, leaves, dims, axis_size)
        dims = [None if d is None else canonicalize_axis(d, typeof(x).ndim) for x, d in zip(leaves, dims, strict=True)]
        axis = AxisData(name, size, spmd, _place(leaves, dims))
        return _mapped(_Flat(fun, in_tree), axis, leaves, dims, out_axes, sum_match)

    vmap_f.__doc__ = _docstring(fun)
    return vmap_f


def _place(leaves: Sequence[Any], dims: Dims) -> Any:
    """How the batch axis is divided, where types say so. Raises ValueError where they do not say the same."""
    mapped = [(typeof(x), d) for x, d in zip(leaves, dims, strict=True) if d is not None]  # the others may be anything
    found = {partition_of_axis(aval, d): told(aval, (d,)) for aval, d in mapped}
    if len(found) > 1:
        one, other, *_ = found
        raise ValueError(
            "Mapped away dimension of inputs passed to vmap should be sharded the same. Got inconsistent axis specs: "
            f"{one} vs {other}"
        )
    return next((place for partition, place in found.items() if partition is not None), None)


def _docstring(fun: Callable[..., Any]) -> str:
    name = fun_name(fun)
    told = (
        f"Vectorized version of {name}. Takes similar arguments as {name} but with additional array axes over which "
        f"{name} is mapped."
    )
    return f"{told}\n\nOriginal documentation:\n\n{fun.__doc__}" if fun.__doc__ else told


class _Flat:
    """A function of trees as one of leaves. After a call it knows the tree of its results."""

    def __init__(self, fun: Callable[..., Any], in_tree: PyTreeDef):
        self.fun, self.in_tree = fun, in_tree
        self.out_tree: PyTreeDef

    def __call__(self, *leaves: Any) -> list[Any]:
        args, kwargs = tree_unflatten(self.in_tree, leaves)
        out, self.out_tree = tree_flatten(self.fun(*args, **kwargs))
        return out


def _mapped(flat: _Flat, axis: AxisData, leaves: Sequence[Any], dims: Dims, out_axes: Any, sum_match: bool) -> Any:
    """The results of a function on a batch, with their batch axes at `out_axes`."""
    with bound([(axis.name, axis.size)]), divided_as(axis.place):
        vals, srcs = batch_flat(flat, axis, object(), leaves, dims)
        dsts = flatten_axes("vmap out_axes", flat.out_tree, out_axes)
        places = _paths(flat.out_tree, dsts)
        results = [_result(axis, *each, sum_match) for each in zip(srcs, dsts, vals, places, strict=True)]
    return tree_unflatten(flat.out_tree, results)


def _result(axis: AxisData, src: Dim, dst: Dim, x: Any, place: Callable[[], str], sum_match: bool) -> Any:
    if not is_jax_type(x):
        raise TypeError(f"Output from batched function {x!r} with type {type(x)} is not a valid JAX type")
    try:
        return matchaxis(axis, src, dst, x, sum_match)
    except OutAxesError:
        if axis.name is not no_axis_name:
            told = f"vmap has mapped output (axis_name={axis.name}) but out_axes is {dst}"
        else:
            told = f"at vmap out_axes{place()}, got axis spec {dst} but output was batched on axis {src}"
    raise ValueError(told)


def _paths(tree: PyTreeDef, dsts: Sequence[Any]) -> list[Callable[[], str]]:
    """For each result a function that gives its place in the tree."""

    def path(i: int) -> str:
        return keystr(tree_flatten_with_path(tree_unflatten(tree, dsts), is_leaf=lambda x: x is None)[0][i][0])

    return [functools.partial(path, i) for i in range(len(dsts))]


# ---- axes that are none


def _check_axes(in_axes: Any, out_axes: Any) -> None:
    if not (in_axes is None or type(in_axes) in (int, tuple)):
        raise TypeError(
            "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed "
            f"to the function, but got {in_axes}."
        )
    for name, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        if not all(type(leaf) is int for leaf in tree_leaves(axes)):
            raise TypeError(
                f"vmap {name} must be an int, None, or (nested) container with those types as leaves, but got {axes}."
            )


def _check_count(in_axes: Any, args: Sequence[Any]) -> None:
    if isinstance(in_axes, tuple) and len(in_axes) != len(args):
        raise ValueError(
            "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
            f"passed to the function, but got {len(in_axes)=}, {len(args)=}"
        )


# ---- the size of the axis


def _axis_size(
    fun: Callable[..., Any], tree: PyTreeDef, leaves: Sequence[Any], dims: Sequence[Any], axis_size: int | None
) -> int:
    """The size of the axis over which a function is mapped.

    Raises ValueError where sizes differ, or none is known.
    """
    if not leaves:
        if axis_size is not None:
            return axis_size
        args, kwargs = tree_unflatten(tree, leaves)
        raise ValueError(
            "vmap wrapped function must be passed at least one argument containing an array or axis_size must be "
            f"specified, got empty *args={args} and **kwargs={kwargs}"
        )
    sizes = [None if d is None else _mapped_size(x, d) for x, d in zip(leaves, dims, strict=True)]
    found = {*sizes, axis_size} - {None}
    if not found:
        raise ValueError("vmap must have at least one non-None value in in_axes or axis_size must be specified")
    if len(found) > 1:
        args, kwargs = tree_unflatten(tree, leaves)
        raise ValueError(_inconsistent([*_names(fun, args, kwargs)], sizes, dims, axis_size))
    return found.pop()  # type: ignore[return-value]  # it is no None


def _mapped_size(x: Any, dim: int) -> int:
    aval = typeof(x)
    if -aval.ndim <= dim < aval.ndim:
        return aval.shape[dim]
    raise ValueError(
        f"vmap was requested to map its argument along axis {dim}, which implies that its rank should be at least "
        f"{dim + 1 if dim >= 0 else -dim}, but is only {aval.ndim} (its shape is {aval.shape})"
    )


def _inconsistent(names: Sequence[str], sizes: Sequence[int | None], dims: Dims, axis_size: int | None) -> str:
    """The message for sizes that differ: each size, how often it is there, and where first."""
    lines = [] if axis_size is None else [f"  * the `axis_size` argument was {axis_size}"]
    for k, (size, count) in enumerate(Counter(n for n in sizes if n is not None).most_common()):
        i = sizes.index(size)
        where = f"axis {dims[i]} of {names[i]}"
        if count == 1:
            lines.append(f"  * one axis had size {size}: {where}")
        else:
            lines.append(f"  * {'some' if k else 'most'} axes ({count} of them) had size {size}, e.g. {where}")
    return "vmap got inconsistent sizes for array axes to be mapped:\n" + ";\n".join(lines)


def _names(fun: Callable[..., Any], args: Any, kwargs: Any) -> Iterator[str]:
    """What each leaf of the arguments is called, with its type."""
    signature = fun_signature(fun)
    try:
        params = [*signature.bind(*args, **kwargs).signature.parameters] if signature else []
    except TypeError:
        params = []
    for path, x in tree_flatten_with_path(args)[0]:
        i = path[0].idx  # type: ignore[attr-defined]  # of a tuple
        known = i < len(params)
        yield f"{f'argument {params[i]}{keystr(path[1:])}' if known else f'args{keystr(path)}'} of type {_short(x)}"
    for path, x in tree_flatten_with_path(kwargs)[0]:
        yield f"kwargs{keystr(path)} of type {_short(x)}"


def _short(x: Any) -> str:
    try:
        return abstractify(x).str_short()
    except TypeError:
        return "unknown"
