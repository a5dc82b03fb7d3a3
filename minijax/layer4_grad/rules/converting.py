"""Conversions."""

from typing import Any

from ...layer1_core.dtypes import float0
from ...layer1_core.lax.converting import (
    bitcast_convert_type_p,
    convert_element_type_p,
    copy_p,
    reduce_precision_p,
    stop_gradient_p,
)
from ..families import defjvp2, defjvp_zero, deflinear
from ..tangents import Zero, tangent_dtype, zero_of
from ..transpose import transpose_rules

defjvp_zero(bitcast_convert_type_p, stop_gradient_p)
deflinear(copy_p, lambda ct: [copy_p.bind(ct)])
deflinear(reduce_precision_p, lambda ct, **params: [reduce_precision_p.bind(ct, **params)])


def _convert_jvp(g: Any, ans: Any, x: Any, *, new_dtype: Any, weak_type: bool, sharding: Any) -> Any:
    dtype = tangent_dtype(new_dtype)
    if dtype == float0:
        return zero_of(ans)
    return convert_element_type_p.bind(g, new_dtype=dtype, weak_type=weak_type, sharding=sharding)


defjvp2(convert_element_type_p, _convert_jvp)


@transpose_rules.rule(convert_element_type_p)
def _convert_transpose(ct: Any, x: Any, *, new_dtype: Any, weak_type: bool, sharding: Any) -> list[Any]:
    """Back to the type of the operand."""
    if x.dtype == float0:
        return [Zero(x.aval)]
    old = dict(new_dtype=x.dtype, weak_type=x.aval.weak_type, sharding=None)
    return [convert_element_type_p.bind(ct, **old)]
