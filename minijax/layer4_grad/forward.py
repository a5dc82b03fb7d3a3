"""Forward mode for users: `jvp` and `linearize`."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..layer1_core.aval import typeof
from ..layer1_core.staging import eval_jaxpr
from ..layer1_core.tree import Partial, PyTreeDef, tree_flatten, tree_unflatten
from .flat import Flat, check_callable, info_of
from .jvp import jvp_flat
from .linearize import Linearization, linearize_flat
from .tangents import Zero, instantiate, same_type, tangent_aval, tangent_dtype


def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """(fun(*primals), its derivative along `tangents`): the Jacobian times a vector, in one go.

    >>> jvp(lambda x: x * x, (3.0,), (1.0,))
    (Array(9., dtype=float32, weak_type=True), Array(6., dtype=float32, weak_type=True))

    `tangents` is a tuple like `primals`: arrays of the same types; of dtype float0 for integers and truth values. With
    `has_aux` the function returns a pair, of which the second part is handed through, third.
    Raises TypeError or ValueError where a tangent does not fit its primal.
    """
    check_callable(fun)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError(
            "primal and tangent arguments to jax.jvp must be tuples or lists; "
            f"found {type(primals).__name__} and {type(tangents).__name__}."
        )
    (xs, tree), (ts, tangent_tree) = tree_flatten(primals), tree_flatten(tangents)
    if tree != tangent_tree:
        raise TypeError(
            "primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure "
            f"{tree} whereas tangents have tree structure {tangent_tree}."
        )
    for x, t in zip(xs, ts, strict=True):
        _check_tangent(x, t)
    flat = Flat(fun, tree, has_aux)
    out, out_dot = jvp_flat(flat, xs, ts)
    out_dot = [instantiate(t) for t in out_dot]
    results = tree_unflatten(flat.out_tree, out), tree_unflatten(flat.out_tree, out_dot)
    return (*results, flat.aux) if has_aux else results


def _check_tangent(x: Any, t: Any) -> None:
    primal, tangent = typeof(x), typeof(t)
    expected = tangent_dtype(primal.dtype)
    if tangent.dtype != expected:
        raise TypeError(
            "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool primal "
            f"dtype the tangent dtype must be float0.Got primal dtype {primal.dtype} and so expected tangent dtype "
            f"{expected}, but got tangent dtype {tangent.dtype} instead."
        )
    if primal.shape != tangent.shape:
        raise ValueError(
            "jvp called with different primal and tangent shapes;"
            f"Got primal shape {primal.shape} and tangent shape as {tangent.shape}"
        )


def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """(fun(*primals), a function from tangents of the arguments to that of the result).

    >>> y, f_jvp = linearize(lambda x: x * x, 3.0)
    >>> print(y, f_jvp(1.0), f_jvp(2.0))
    9.0 6.0 12.0

    The function is run once; what the linear function needs of that is kept.
    """
    check_callable(fun)
    leaves, in_tree = tree_flatten(primals)
    flat = Flat(fun, in_tree, has_aux)
    made = linearize_flat(flat, leaves, info_of(fun, "linearize"))
    rest = replace(made, primals=[])  # the linear function needs no results, and would keep them in memory
    push = Partial(functools.partial(_push, rest, in_tree, flat.out_tree, [*map(typeof, leaves)]), made.jaxpr.consts)
    results = tree_unflatten(flat.out_tree, made.primals), push
    return (*results, flat.aux) if has_aux else results


def _push(
    made: Linearization, in_tree: PyTreeDef, out_tree: PyTreeDef, in_avals: Any, consts: Sequence[Any], *tangents: Any
) -> Any:
    """The tangents of the results. Raises TypeError or ValueError for tangents that do not fit the primals."""
    leaves, tree = tree_flatten(tangents)
    if tree != in_tree:
        raise TypeError(f"expected {in_tree}, got {tree}")
    for aval, t in zip(in_avals, leaves, strict=True):
        expected, found = tangent_aval(aval), typeof(t)
        if not same_type(expected, found):
            raise ValueError(
                "linearized function called on tangent values inconsistent with the original primal values:\n"
                f"Got tangent aval {found} for primal aval {aval} but expected {expected}."
            )
    out = iter(eval_jaxpr(made.jaxpr, consts, *leaves))
    full = [next(out) if mark else instantiate(Zero(tangent_aval(a)))
            for mark, a in zip(made.nonzero, made.out_avals, strict=True)]  # fmt: skip
    return tree_unflatten(out_tree, full)
