"""Gather: linear in the array that is read."""

import functools
from typing import Any

from ...layer1_core.aval import told, typeof
from ...layer1_core.lax.elementwise import add
from ...layer1_core.lax.gather import GatherDimensionNumbers, gather, gather_p
from ...layer1_core.lax.scatter import ScatterDimensionNumbers, scalar_jaxpr, scatter_add_p
from ...layer1_core.lax.shaping import full
from ...layer1_core.primitive import Primitive
from ..families import defjvp
from ..transpose import transpose_rules


def _gather_jvp(g: Any, x: Any, indices: Any, *, dimension_numbers: Any, slice_sizes: Any, **params: Any) -> Any:
    """The windows of the tangent; 0 for one that sticks out, whatever value that has."""
    params["fill_value"] = 0
    return gather(g, indices, dimension_numbers, slice_sizes, **params)


defjvp(gather_p, _gather_jvp, None)


@transpose_rules.rule(gather_p)
def _gather_transpose(
    ct: Any, x: Any, indices: Any, *, dimension_numbers: Any, slice_sizes: Any, fill_value: Any, **params: Any
) -> list[Any]:
    """Each element gets the sum of the cotangents of all its copies."""
    zeros = full(x.shape, 0, typeof(ct).dtype, sharding=told(x.aval))
    numbers = as_scatter(dimension_numbers)
    return [written_back(scatter_add_p, add, zeros, indices, ct, dimension_numbers=numbers, **params), None]


def written_back(primitive: Primitive, combine: Any, x: Any, indices: Any, updates: Any, **params: Any) -> Any:
    """A scatter in a transposed program.

    Its `update_jaxpr` is one for all of these and another than that of scatters in values: so JAX's programs show it.
    """
    jaxpr = _combining_jaxpr(combine, typeof(x).dtype)
    return primitive.bind(x, indices, updates, update_jaxpr=jaxpr, update_consts=(), **params)


_combining_jaxpr = functools.lru_cache(maxsize=64)(scalar_jaxpr)


def as_scatter(numbers: GatherDimensionNumbers) -> ScatterDimensionNumbers:
    """The dimension numbers of the scatter that writes what this gather reads."""
    return ScatterDimensionNumbers(
        update_window_dims=numbers.offset_dims,
        inserted_window_dims=numbers.collapsed_slice_dims,
        scatter_dims_to_operand_dims=numbers.start_index_map,
        operand_batching_dims=numbers.operand_batching_dims,
        scatter_indices_batching_dims=numbers.start_indices_batching_dims,
    )
