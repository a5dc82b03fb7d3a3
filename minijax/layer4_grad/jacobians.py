"""Matrices of derivatives: `jacfwd`, `jacrev`, `hessian`.

The columns of a Jacobian are the tangents that the unit vectors are pushed to, its rows what they are pulled back to.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import told, typeof
from ..layer1_core.devices import default_device, sharding_on
from ..layer1_core.jnp.creation import eye
from ..layer1_core.jnp.joining import split, stack
from ..layer1_core.lax.converting import convert, convert_element_type_p
from ..layer1_core.lax.elementwise import real
from ..layer1_core.lax.indexing import index_in_dim
from ..layer1_core.lax.shaping import reshape
from ..layer1_core.tree import tree_flatten, tree_leaves, tree_map, tree_structure, tree_transpose, tree_unflatten
from .flat import check_arg, check_callable
from .forward import jvp
from .grad import as_index, check_input, check_output, split_args
from .reverse import vjp

# ---- many vectors at once


def one_at_a_time(fun: Callable[[Any], tuple[Any, ...]], xs: Any, out_axes: Sequence[int | None]) -> tuple[Any, ...]:
    """The results of `fun` on each element along the leading axis of `xs`, stacked along these axes.

    None for a part of the result that is the same each time. Of no elements, it is run on zeros.
    """
    n = tree_leaves(xs)[0].shape[0]
    outs = [fun(tree_map(lambda x, i=i: index_in_dim(x, i, keepdims=False), xs)) for i in range(n)]
    if not n:
        empty = fun(tree_map(lambda x: np.zeros(x.shape[1:], x.dtype), xs))
        return tuple(_none_of(part, axis) for part, axis in zip(empty, out_axes, strict=True))
    return tuple(
        parts[0] if axis is None else tree_map(lambda *rows, axis=axis: stack(rows, axis=axis), *parts)
        for parts, axis in zip(zip(*outs, strict=True), out_axes, strict=True)
    )


def _none_of(part: Any, axis: int | None) -> Any:
    if axis is None:
        return part
    return tree_map(lambda x: np.zeros(np.insert(typeof(x).shape, axis % (typeof(x).ndim + 1), 0), x.dtype), part)


# How a function of one vector is applied to many: chapter 5 enters vmap.
vectorizers: list[Callable[..., tuple[Any, ...]]] = [one_at_a_time]

# ---- the functions


def jacfwd(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """The Jacobian of `fun`, column by column: by forward mode, for functions of few numbers.

    >>> print(jacfwd(lambda x: x * x)(np.array([1.0, 2.0], "float32")))
    [[2. 0.]
     [0. 4.]]

    For trees: a tree like the result, of trees like the argument; with the axes of the result first.
    """
    check_callable(fun)
    nums = as_index(argnums)

    @functools.wraps(fun)
    def jacobian_f(*args: Any, **kwargs: Any) -> Any:
        partial, dynamic = split_args(fun, nums, args, kwargs)
        for x in tree_leaves(dynamic):
            _check_forward_input(holomorphic, x)
        push = lambda tangents: jvp(partial, dynamic, tangents, has_aux=has_aux)  # of one unit vector
        out_axes = (None, -1, None) if has_aux else (None, -1)
        y, columns, *aux = vectorizers[-1](push, _unit_vectors(dynamic), out_axes)
        for x in tree_leaves(y):
            _check_forward_output(holomorphic, x)
        example = dynamic[0] if isinstance(nums, int) else dynamic
        jacobian = tree_map(lambda leaf, arr: _unravel(example, -1, leaf, arr), y, columns)
        return (jacobian, *aux) if has_aux else jacobian

    return jacobian_f


def jacrev(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """The Jacobian of `fun`, row by row: by reverse mode, for functions to few numbers. In the form of `jacfwd`."""
    check_callable(fun)
    nums = as_index(argnums)

    @functools.wraps(fun)
    def jacobian_f(*args: Any, **kwargs: Any) -> Any:
        partial, dynamic = split_args(fun, nums, args, kwargs)
        for x in tree_leaves(dynamic):
            check_input("jacrev", holomorphic, allow_int, x)
        y, pullback, *aux = vjp(partial, *dynamic, has_aux=has_aux)
        for x in tree_leaves(y):
            check_output("jacrev", holomorphic, x)
        pull = lambda ct: (pullback(ct),)  # of one unit vector
        (rows,) = vectorizers[-1](pull, _unit_vectors(y), (0,))
        example, rows = (dynamic[0], rows[0]) if isinstance(nums, int) else (dynamic, rows)
        by_argument = tree_map(lambda leaf, arr: _unravel(y, 0, leaf, arr), example, rows)
        jacobian = tree_transpose(tree_structure(example), tree_structure(y), by_argument)
        return (jacobian, *aux) if has_aux else jacobian

    return jacobian_f


jacobian = jacrev


def hessian(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """The matrix of second derivatives: forward mode over reverse mode.

    >>> print(hessian(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 3.0], "float32")))
    [[6. 2.]
     [2. 0.]]
    """
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)


# ---- unit vectors, and the blocks of a Jacobian


def _unit_vectors(tree: Any) -> Any:
    """A tree like `tree`, of stacks: along the leading axis, each of its numbers once is 1 where all others are 0."""
    leaves = tree_leaves(tree)
    n = sum(typeof(x).size for x in leaves)
    dtype, _ = dtypes.join(*((a.dtype, a.weak_type) for a in map(typeof, leaves)))
    return _unravel(tree, 1, None, eye(n, dtype=dtype))


def _unravel(tree: Any, axis: int, like: Any, arr: Any) -> Any:
    """A tree like `tree`, whose leaves are the parts of `arr` along `axis`, in the shapes of its leaves there.

    The parts have the type of `like`; of the leaves, where it is None.
    """
    leaves, treedef = tree_flatten(tree)
    axis %= arr.ndim
    avals = [typeof(leaf) for leaf in leaves]
    parts = []
    for part, aval in zip(split(arr, np.cumsum([a.size for a in avals[:-1]]), axis), avals, strict=True):
        part = reshape(part, (*arr.shape[:axis], *aval.shape, *arr.shape[axis + 1 :]))
        parts.append(_said_to_be_here(part, aval, axis) if like is None else _with_type(part, typeof(like)))
    return tree_unflatten(treedef, parts)


def _said_to_be_here(x: Any, aval: Any, axis: int) -> Any:
    """`x` with this type from `axis` on, said to be where it is: so it is an equation even where the type stays, as in
    JAX.
    """
    place, behind = told(aval), (None,) * (x.ndim - axis - aval.ndim)
    if place is None:
        place = sharding_on(default_device())
    else:
        place = place.of([*(None,) * axis, *place.spec.partitions, *behind])
    return convert_element_type_p.bind(
        _part_of(x, aval), new_dtype=aval.dtype, weak_type=aval.weak_type, sharding=place
    )


def _with_type(x: Any, aval: Any) -> Any:
    if x.dtype == dtypes.float0:  # `convert` makes Python's number of one
        return convert_element_type_p.bind(x, new_dtype=aval.dtype, weak_type=aval.weak_type, sharding=None)
    return convert(_part_of(x, aval), aval.dtype, aval.weak_type)


def _part_of(x: Any, aval: Any) -> Any:
    """The real part, of a complex number in the place of a real one."""
    by_type = dtypes.issubdtype(x.dtype, np.complexfloating), dtypes.issubdtype(aval.dtype, np.complexfloating)
    return real(x) if by_type == (True, False) else x


def _check_forward_input(holomorphic: bool, x: Any) -> None:
    check_arg(x)
    dtype = typeof(x).dtype
    if holomorphic and not dtypes.issubdtype(dtype, np.complexfloating):
        raise TypeError(f"jacfwd with holomorphic=True requires inputs with complex dtype, but got {dtype.name}.")
    if not holomorphic and not dtypes.issubdtype(dtype, np.floating):
        raise TypeError(
            "jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got "
            f"{dtype.name}. For holomorphic differentiation, pass holomorphic=True. For differentiation of "
            "non-holomorphic functions involving complex inputs or integer inputs, use jax.jvp directly."
        )


def _check_forward_output(holomorphic: bool, x: Any) -> None:
    dtype = typeof(x).dtype
    if holomorphic and not dtypes.issubdtype(dtype, np.complexfloating):
        raise TypeError(f"jacfwd with holomorphic=True requires outputs with complex dtype, but got {dtype.name}.")
