"""Order: tangents go where the values go. The places are found with the values, and tangents are read from there."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import told, typeof
from ...layer1_core.jnp.taking import take_along_axis
from ...layer1_core.lax.gather import GatherDimensionNumbers, GatherScatterMode, gather
from ...layer1_core.lax.shaping import broadcasted_iota, expand_dims, reshape
from ...layer1_core.lax.sorting import approx_top_k_p, argmax_p, argmin_p, sort_p, top_k_p
from ..families import defjvp_zero
from ..jvp import jvp_rules
from ..tangents import Zero, zero_of

# ---- sort


@jvp_rules.rule(sort_p)
def _sort_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, dimension: int, is_stable: bool, num_keys: int
) -> tuple[Sequence[Any], Sequence[Any]]:
    """The places 0, 1, 2, ... are sorted with the values."""
    shape = typeof(primals[0]).shape
    dtype = "uint32" if max(shape) <= np.iinfo(np.int32).max else "uint64"
    places = broadcasted_iota(dtype, shape, dimension, out_sharding=told(typeof(primals[0])))
    *out, order = sort_p.bind(*primals, places, dimension=dimension, is_stable=is_stable, num_keys=num_keys)
    indices, numbers = expand_dims(order, (len(shape),)), _along(dimension, len(shape))
    mode = GatherScatterMode.PROMISE_IN_BOUNDS
    read = lambda t: gather(t, indices, numbers, (1,) * len(shape), mode=mode)
    return out, [t if type(t) is Zero else read(t) for t in tangents]


def _along(axis: int, ndim: int) -> GatherDimensionNumbers:
    """The elements at indices along one axis, at equal places along the others (NumPy's integers, as JAX shows)."""
    others: Any = tuple(np.delete(np.arange(ndim), axis))
    return GatherDimensionNumbers((), (axis,), (axis,), others, others)


# ---- the k largest


@jvp_rules.rule(top_k_p)
def _top_k_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, k: int, axis: int, is_stable: bool
) -> tuple[Sequence[Any], Sequence[Any]]:
    out, places = top_k_p.bind(*primals, k=k, axis=axis, is_stable=is_stable)
    shape = typeof(places).shape
    others = tuple(d for d in range(len(shape)) if d != axis)
    numbers = GatherDimensionNumbers((), (axis,), (axis,), others, others)
    out_dot = gather(tangents[0], reshape(places, (*shape, 1)), numbers, (1,) * len(shape))
    return [out, places], [out_dot, zero_of(places)]


@jvp_rules.rule(approx_top_k_p)
def _approx_top_k_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, reduction_dimension: int, **params: Any
) -> tuple[Sequence[Any], Sequence[Any]]:
    out, places = approx_top_k_p.bind(*primals, reduction_dimension=reduction_dimension, **params)
    return [out, places], [take_along_axis(tangents[0], places, axis=reduction_dimension), zero_of(places)]


# ---- the place of the largest

defjvp_zero(argmin_p, argmax_p)
