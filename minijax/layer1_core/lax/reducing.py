"""Reductions: an array folded along some of its axes by an associative operation."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..aval import ShapedArray, shaped, typeof
from ..jaxpr import Jaxpr
from ..placement import named
from ..pretty import without
from ..primitive import Primitive
from ..staging import stage, struct_of
from ..tree import tree_flatten, tree_unflatten
from .elementwise import add_p, and_p, max_p, min_p, mul_p, or_p, xor_p
from .families import Dtypes, accepts, any_, boolean, check_dtype, described, integer, primitive, sizes_without

Axes = tuple[int, ...]  # (0, 2): the axes that disappear


def _check_axes(x: ShapedArray, axes: Axes) -> None:
    if len(set(axes)) != len(axes):
        raise ValueError(f"duplicate value in 'axes' of reduction: {axes}")
    if not all(0 <= a < x.ndim for a in axes):
        raise ValueError(f"reduction axes {axes} contains out-of-bounds indices for {x.str_short()}.")


def _arithmetic(name: str, accepted: Dtypes) -> Primitive:
    """A reduction of numbers; one of truth values too, where `accepted` has them."""

    def rule(x: ShapedArray, *, axes: Axes, out_sharding: Any = None) -> ShapedArray:
        check_dtype(name, x, accepted)
        _check_axes(x, axes)
        return shaped(sizes_without(x.shape, axes), x.dtype, x.weak_type)

    return primitive(name, rule)


def _logical(name: str) -> Primitive:
    """A reduction of bits."""

    def rule(x: ShapedArray, *, axes: Axes) -> ShapedArray:
        if not accepts(x.dtype, integer + boolean):
            raise TypeError(f"logical reduction requires operand dtype bool or int, got {x.dtype.name}.")
        _check_axes(x, axes)
        return shaped(sizes_without(x.shape, axes), x.dtype, x.weak_type)

    return primitive(name, rule)


reduce_sum_p = _arithmetic("reduce_sum", (np.number,))
reduce_prod_p = _arithmetic("reduce_prod", (np.number,))
reduce_max_p = _arithmetic("reduce_max", any_)
reduce_min_p = _arithmetic("reduce_min", any_)
for _p in (reduce_max_p, reduce_min_p):
    _p.pretty = without("out_sharding")  # reduce_sum shows it, as in JAX
reduce_and_p, reduce_or_p, reduce_xor_p = map(_logical, ("reduce_and", "reduce_or", "reduce_xor"))


def _reducer(p: Primitive, doc: str, **params: Any) -> Callable[..., Any]:
    """The function of a reduction; it binds `params` too."""

    @described(p.name, doc)
    def apply(operand: Any, axes: Sequence[int]) -> Any:
        return p.bind(operand, axes=tuple(axes), **params)

    return apply


def reduce_sum(operand: Any, axes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """The sum along `axes`; 0 of nothing."""
    return reduce_sum_p.bind(operand, axes=tuple(axes), out_sharding=named(out_sharding, "reduce_sum"))


reduce_prod = _reducer(reduce_prod_p, "The product along `axes`; 1 of nothing.")
reduce_max = _reducer(reduce_max_p, "The largest element along `axes`; NaN where there is one.", out_sharding=None)
reduce_min = _reducer(reduce_min_p, "The smallest element along `axes`; NaN where there is one.", out_sharding=None)
reduce_and = _reducer(reduce_and_p, "The bitwise and along `axes`.")
reduce_or = _reducer(reduce_or_p, "The bitwise or along `axes`.")
reduce_xor = _reducer(reduce_xor_p, "The bitwise exclusive or along `axes`.")


# ---- reduction by any function


def _reduce_rule(*avals: ShapedArray, computation: Any, jaxpr: Jaxpr, dimensions: Axes) -> list[ShapedArray]:
    operands, inits = avals[: len(avals) // 2], avals[len(avals) // 2 :]
    if [a.dtype for a in operands] != [a.dtype for a in inits]:
        raise TypeError(
            "reduce operand dtypes should match corresponding initial value dtypes, "
            f"got operands={list(operands)} and initial_values={list(inits)}"
        )
    _check_axes(operands[0], dimensions)
    return [
        shaped(sizes_without(a.shape, dimensions), a.dtype, a.weak_type and i.weak_type)
        for a, i in zip(operands, inits, strict=True)
    ]


reduce_p = primitive("reduce", _reduce_rule, multiple_results=True)

_MONOIDS = {
    add_p: (reduce_sum, 0), mul_p: (reduce_prod, 1), and_p: (reduce_and, -1), or_p: (reduce_or, 0),
    xor_p: (reduce_xor, 0), max_p: (reduce_max, None), min_p: (reduce_min, None),
}  # fmt: skip


def reduce(operands: Any, init_values: Any, computation: Callable[..., Any], dimensions: Sequence[int]) -> Any:
    """`operands` (a tree of arrays) folded along `dimensions` by `computation`, a function of two such trees.

    `init_values` must be neutral for `computation`. A well-known operation on one array becomes its own primitive.
    """
    flat, tree = tree_flatten(operands)
    inits, init_tree = tree_flatten(init_values)
    if tree != init_tree:
        raise ValueError(f"Operands must have the same tree structure as init_values: {tree} vs. {init_tree}")
    if any(typeof(init).shape for init in inits):
        raise ValueError(f"reduce found non-scalar initial value: {[typeof(init).shape for init in inits]}")
    scalars = [struct_of(shaped((), typeof(x).dtype)) for x in flat]
    args = [tree_unflatten(tree, scalars)] * 2
    jaxpr, _ = stage(computation, args, {}, "reduce")
    known = _known_reducer(jaxpr, inits) if len(flat) == 1 else None
    if known is not None:
        return tree_unflatten(tree, [known(flat[0], dimensions)])
    out = reduce_p.bind(*flat, *inits, computation=computation, jaxpr=jaxpr, dimensions=tuple(dimensions))
    return tree_unflatten(tree, out)


def _known_reducer(jaxpr: Jaxpr, inits: Sequence[Any]) -> Callable[..., Any] | None:
    """The reduction that `jaxpr` spells out: one equation on its two inputs, started from its neutral element."""
    if len(jaxpr.eqns) != 1 or jaxpr.eqns[0].primitive not in _MONOIDS:
        return None
    eqn = jaxpr.eqns[0]
    if eqn.invars != jaxpr.invars or eqn.outvars != jaxpr.outvars or not hasattr(inits[0], "__float__"):
        return None
    reducer, neutral = _MONOIDS[eqn.primitive]
    aval = typeof(inits[0])
    if neutral is None:
        neutral = extreme(aval.dtype, largest=eqn.primitive is min_p)
    if isinstance(inits[0], (bool, int, float, np.generic, np.ndarray)) or hasattr(inits[0], "_value"):
        return reducer if np.asarray(inits[0]) == np.asarray(neutral).astype(aval.dtype) else None
    return None


def extreme(dtype: Any, largest: bool) -> Any:
    """The largest (or smallest) value of `dtype`: what minimum (or maximum) starts from."""
    if dtype.kind in "iu":
        return np.iinfo(dtype).max if largest else np.iinfo(dtype).min
    if dtype.kind == "b":
        return largest
    return float("inf") if largest else float("-inf")


# ---- keeping the order of operations


optimization_barrier_p = primitive("optimization_barrier", lambda *avals: list(avals), multiple_results=True)


def optimization_barrier(operand: Any) -> Any:
    """The same values; a compiler moves no computation across this point."""
    flat, tree = tree_flatten(operand)
    return tree_unflatten(tree, optimization_barrier_p.bind(*flat))
