"""Reductions."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...layer1_core.array import ArrayImpl
from ...layer1_core.aval import Shape, told, typeof
from ...layer1_core.jaxpr import Jaxpr, Literal
from ...layer1_core.jit_call import jit_p
from ...layer1_core.lax.converting import convert_element_type
from ...layer1_core.lax.elementwise import clamp_p, div, eq, mul, select_n_p
from ...layer1_core.lax.indexing import slice_in_dim
from ...layer1_core.lax.reducing import (
    optimization_barrier_p,
    reduce_max_p,
    reduce_min_p,
    reduce_p,
    reduce_prod_p,
    reduce_sum,
    reduce_sum_p,
)
from ...layer1_core.lax.shaping import broadcast_in_dim_p, broadcast_shapes, full, pad, reshape, squeeze
from ...layer1_core.trace import Tracer
from ..families import defjvp2, deflinear2
from ..jvp import jvp_flat, jvp_rules
from ..tangents import Zero, instantiate
from ..transpose import transpose_rules
from .parts import broadcast_to, const

Axes = tuple[int, ...]

# ---- sums


def _reduce_sum_transpose(ct: Any, x: Any, *, axes: Axes, out_sharding: Any) -> list[Any]:
    """Each summand gets the cotangent of its sum."""
    kept = tuple(np.delete(np.arange(x.ndim), axes))
    if not axes and isinstance(ct, (Tracer, ArrayImpl)):
        return [ct]
    return [broadcast_in_dim_p.bind(ct, shape=x.shape, broadcast_dimensions=kept, sharding=told(x.aval))]


deflinear2(reduce_sum_p, _reduce_sum_transpose)

# ---- the largest and the smallest


def _chooser_jvp(g: Any, ans: Any, x: Any, *, axes: Axes, out_sharding: Any = None) -> Any:
    """The mean of the tangents of the elements that are equal to the result."""
    shape = [1 if d in axes else n for d, n in enumerate(typeof(x).shape)]
    chosen = convert_element_type(eq(x, reshape(ans, shape)), typeof(g).dtype)
    count = reduce_sum(chosen, axes)
    return div(reduce_sum(mul(g, chosen), axes), count)


for _p in (reduce_max_p, reduce_min_p):
    defjvp2(_p, _chooser_jvp)

# ---- products, and reduction by any function: the derivative of a tree of operations

Reducer = Callable[..., Sequence[Any]]  # of n + n arrays: halves of the operands, to be combined elementwise


def _tree_jvp(
    reducer: Reducer, inits: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any], axes: Axes
) -> tuple[Sequence[Any], Sequence[Any]]:
    """Halves of the operands are combined until one element is left; and that is differentiated."""
    shape = np.array(typeof(primals[0]).shape, int)
    kept = np.delete(np.arange(len(shape)), axes)
    sizes = int(np.prod(shape[list(axes)])), *map(int, shape[kept])
    order = *axes, *map(int, kept)
    flat = [[reshape(x, sizes, order) for x in xs] for xs in (primals, map(instantiate, tangents))]
    return jvp_flat(lambda *xs: _reduced(reducer, inits, xs, sizes[1:]), *flat)


def _reduced(reducer: Reducer, inits: Sequence[Any], xs: Sequence[Any], rest: Shape) -> list[Any]:
    """The operands, of shape [n, *rest], reduced along their first axis."""
    while (n := typeof(xs[0]).shape[0]) > 1:
        half = (n + 1) // 2
        first, second = ([slice_in_dim(x, *bounds) for x in xs] for bounds in ((0, half), (half, None)))
        if n % 2:
            config = [(0, 1, 0), *[(0, 0, 0)] * len(rest)]
            second = [pad(x, init, config) for x, init in zip(second, inits, strict=True)]
        xs = reducer(*first, *second)
    return [squeeze(x, (0,)) for x in xs] if n else [full(rest, init) for init in inits]


@jvp_rules.rule(reduce_prod_p)
def _reduce_prod_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, axes: Axes, out_sharding: Any = None) -> Any:
    (out,), (out_dot,) = _tree_jvp(lambda x, y: [mul(x, y)], [const(primals[0], 1)], primals, tangents, axes)
    return out, out_dot


@jvp_rules.rule(reduce_p)
def _reduce_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, computation: Any, jaxpr: Jaxpr, dimensions: Axes
) -> tuple[Sequence[Any], Sequence[Any]]:
    n = len(primals) // 2
    if any(type(t) is not Zero for t in tangents[n:]):
        raise NotImplementedError(
            "Gradient of general lax.reduce with non-zero tangents for initial values to reduction not implemented"
        )
    reducer = lambda *xs: elementwise(jaxpr, *xs)
    return _tree_jvp(reducer, primals[n:], primals[:n], tangents[:n], dimensions)


def elementwise(jaxpr: Jaxpr, *args: Any) -> list[Any]:
    """The results of a program of scalars for each element of arrays, where all it does is elementwise."""
    env: dict[Any, Any] = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*jaxpr.consts, *args), strict=True))
    read = lambda v: v.val if type(v) is Literal else env[v]
    for eqn in jaxpr.eqns:
        operands = [read(v) for v in eqn.invars]
        if eqn.primitive in (select_n_p, clamp_p):  # they take no scalars beside arrays
            shape = broadcast_shapes(*(typeof(x).shape for x in operands))
            operands = [broadcast_to(shape, x) for x in operands]
        if eqn.primitive is jit_p:
            out = elementwise(eqn.params["jaxpr"], *operands)
        else:
            out = eqn.primitive.bind(*operands, **eqn.params)
        env.update(zip(eqn.outvars, out if eqn.primitive.multiple_results else [out], strict=True))
    return [read(v) for v in jaxpr.outvars]


# ---- keeping the order of operations


@jvp_rules.rule(optimization_barrier_p)
def _barrier_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """One barrier for the values and one for the tangents."""
    tangents = [*map(instantiate, tangents)]
    return optimization_barrier_p.bind(*primals), optimization_barrier_p.bind(*tangents)


@transpose_rules.rule(optimization_barrier_p)
def _barrier_transpose(cts: Sequence[Any], *operands: Any) -> list[Any]:
    return optimization_barrier_p.bind(*map(instantiate, cts))
