"""Scatter: linear in the operand and the updates together, but for products, maxima and minima."""

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import Shape, typeof
from ...layer1_core.lax.elementwise import add, eq, mul, neg, select
from ...layer1_core.lax.gather import GatherDimensionNumbers, gather
from ...layer1_core.lax.scatter import (
    ScatterDimensionNumbers,
    scatter,
    scatter_add,
    scatter_add_p,
    scatter_max_p,
    scatter_min_p,
    scatter_mul_p,
    scatter_p,
    scatter_sub_p,
)
from ...layer1_core.lax.shaping import full, iota, reshape
from ...layer1_core.primitive import Primitive
from ..families import defjvp
from ..jvp import jvp_rules
from ..tangents import instantiate
from ..transpose import is_undefined_primal, transpose_rules
from .gather import written_back
from .parts import ones, zeros

# ---- the gather that reads what a scatter writes


def as_gather(numbers: ScatterDimensionNumbers) -> GatherDimensionNumbers:
    """The dimension numbers of the gather that reads what this scatter writes."""
    return GatherDimensionNumbers(
        offset_dims=numbers.update_window_dims,
        collapsed_slice_dims=numbers.inserted_window_dims,
        start_index_map=numbers.scatter_dims_to_operand_dims,
        operand_batching_dims=numbers.operand_batching_dims,
        start_indices_batching_dims=numbers.scatter_indices_batching_dims,
    )


def window_sizes(ndim: int, updates: Shape, numbers: ScatterDimensionNumbers) -> list[int]:
    """The sizes, along the axes of the operand, of the windows that updates of this shape are written to."""
    gone = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    sizes = iter([updates[d] for d in numbers.update_window_dims])
    return [1 if d in gone else next(sizes) for d in range(ndim)]


def read_back(x: Any, indices: Any, updates: Shape, numbers: ScatterDimensionNumbers, **options: Any) -> Any:
    """The windows of `x` that updates of this shape are written to."""
    return gather(x, indices, as_gather(numbers), window_sizes(typeof(x).ndim, updates, numbers), **options)


# ---- sums


def _linear_jvp(primitive: Primitive, primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> Any:
    """Operand and updates are written alike."""
    indices, (x_dot, _, updates_dot) = primals[1], tangents
    out = primitive.bind(*primals, **params)
    return out, primitive.bind(instantiate(x_dot), indices, instantiate(updates_dot), **params)


def _sum_transpose(
    primitive: Primitive, ct: Any, x: Any, indices: Any, updates: Any, *, dimension_numbers: Any, mode: Any, **_: Any
) -> list[Any]:
    """The operand gets the whole cotangent, the updates the windows that they were written to."""
    for_updates = None
    if is_undefined_primal(updates):
        for_updates = read_back(ct, indices, updates.shape, dimension_numbers, mode=mode, fill_value=0)
        for_updates = neg(for_updates) if primitive is scatter_sub_p else for_updates
    return [ct if is_undefined_primal(x) else None, None, for_updates]


for _p in (scatter_add_p, scatter_sub_p):
    jvp_rules[_p] = functools.partial(_linear_jvp, _p)
    transpose_rules[_p] = functools.partial(_sum_transpose, _p)

# ---- products


def _check_unique(unique_indices: bool) -> None:
    if not unique_indices:
        raise NotImplementedError("scatter_mul gradients are only implemented if `unique_indices=True`")


def _scatter_mul_jvp_updates(
    g: Any, x: Any, indices: Any, updates: Any, *, update_jaxpr: Any, update_consts: Any, **params: Any
) -> Any:
    _check_unique(params["unique_indices"])
    return mul(x, scatter_add(zeros(x), indices, g, **params))


defjvp(
    scatter_mul_p,
    lambda g, x, indices, updates, **params: scatter_mul_p.bind(g, indices, updates, **params),
    None,
    _scatter_mul_jvp_updates,
)


@transpose_rules.rule(scatter_mul_p)
def _scatter_mul_transpose(
    ct: Any, x: Any, indices: Any, updates: Any, *, update_jaxpr: Any, update_consts: Any, **params: Any
) -> list[Any]:
    """The equation is linear in its operand (or in its updates, where no element is written twice)."""
    if is_undefined_primal(x):
        return [written_back(scatter_mul_p, mul, ct, indices, updates, **params), None, None]
    _check_unique(params["unique_indices"])
    numbers, mode = params["dimension_numbers"], params["mode"]
    return [None, None, read_back(mul(ct, x), indices, updates.shape, numbers, mode=mode, fill_value=0)]


# ---- maxima and minima


def _extreme_jvp(primitive: Primitive, primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> Any:
    """The mean of the tangents of all that are equal to the result: updates, and the element that was there.

    With n updates equal to the result at a place, each counts 1/n; 1/(n + 1) where the old element is equal too. The
    old element's share is added to the tangent as a correction, which each of the updates for a place brings a part of.
    """
    (x, indices, updates), (x_dot, _, updates_dot) = primals, tangents
    numbers = params["dimension_numbers"]
    read = lambda array: read_back(array, indices, typeof(updates).shape, numbers)
    count = lambda nothing, marks: read(scatter_add(nothing, indices, marks, numbers))
    out = primitive.bind(*primals, **params)
    x_dot, updates_dot = instantiate(x_dot), instantiate(updates_dot)
    before, after = read(x), read(out)
    chosen, kept = eq(updates, after), eq(before, after)
    n_chosen = count(zeros(x), select(chosen, ones(updates), zeros(updates)))
    n_written = count(zeros(x), ones(updates))
    share = select(kept, 1.0 / (n_chosen + 1), 1.0 / n_chosen)
    of_update = select(chosen, share, zeros(updates))
    of_old = select(kept, 1.0 / (n_chosen + 1), zeros(n_chosen))
    correction = (-1.0 + of_old) / n_written
    change = read(x_dot) * correction + updates_dot * of_update
    options = {name: params[name] for name in ("indices_are_sorted", "unique_indices", "mode")}
    return out, scatter_add(x_dot, indices, change, numbers, **options)


for _p in (scatter_min_p, scatter_max_p):
    jvp_rules[_p] = functools.partial(_extreme_jvp, _p)

# ---- writing


@jvp_rules.rule(scatter_p)
def _scatter_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, update_jaxpr: Any, update_consts: Any, **params: Any
) -> tuple[Any, Any]:
    if update_jaxpr is not None:
        raise NotImplementedError("scatter_apply JVP not implemented")
    if params["unique_indices"]:
        params.update(update_jaxpr=None, update_consts=update_consts)
        tangents = instantiate(tangents[0]), None, instantiate(tangents[2])
        return _linear_jvp(scatter_p, primals, tangents, **params)
    return _masked_jvp(primals, tangents, params["dimension_numbers"], params)


def _masked_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], numbers: ScatterDimensionNumbers, params: dict[str, Any]
) -> tuple[Any, Any]:
    """Of updates for one place one wins. Which one is found by writing their numbers and reading them back.

    What was written over is made zero, in the values and in the tangents; then both are sums, which have a transpose.
    """
    (x, indices, updates), (x_dot, _, updates_dot) = primals, tangents
    x_dot, updates_dot = instantiate(x_dot), instantiate(updates_dot)
    ids = _update_ids(typeof(updates).shape, numbers)
    written = scatter(full(typeof(x).shape, 0, typeof(ids).dtype), indices, ids, **params)
    back = read_back(written, indices, typeof(updates).shape, numbers)
    untouched = lambda array: select(eq(written, zeros(written)), array, zeros(array))
    winning = lambda array: select(eq(ids, back), array, zeros(array))
    masked = untouched(x), winning(updates), untouched(x_dot), winning(updates_dot)
    out, out_dot = (scatter_add(old, indices, new, **params) for old, new in (masked[:2], masked[2:]))
    return out, out_dot


def _update_ids(shape: Shape, numbers: ScatterDimensionNumbers) -> Any:
    """1, 2, 3, ... for the updates, of which each is one window, where they are arrays of this shape."""
    sizes = [1 if d in numbers.update_window_dims else n for d, n in enumerate(shape)]
    count = math.prod(sizes)
    dtype = np.dtype("uint32" if count <= np.iinfo(np.int32).max else "uint64")
    return add(reshape(iota(dtype, count), sizes), full(shape, 1, dtype))


@transpose_rules.rule(scatter_p)
def _scatter_transpose(
    ct: Any, x: Any, indices: Any, updates: Any, *, update_jaxpr: Any, update_consts: Any, **params: Any
) -> list[Any]:
    """The updates get the windows that they were written to, the operand what is outside of them."""
    if not params["unique_indices"]:
        raise NotImplementedError("scatter transpose is only implemented where unique_indices=True")
    shape = updates.shape if is_undefined_primal(updates) else typeof(updates).shape
    for_x = for_updates = None
    if is_undefined_primal(x):
        for_x = scatter(ct, indices, full(shape, 0, typeof(ct).dtype), **params)
    if is_undefined_primal(updates):
        numbers, mode = params["dimension_numbers"], params["mode"]
        for_updates = read_back(ct, indices, shape, numbers, mode=mode, fill_value=0)
    return [for_x, None, for_updates]
