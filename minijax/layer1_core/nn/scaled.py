"""Products of matrices whose entries share scales, one for each block along the contracted axis."""

from typing import Any

from .. import dtypes
from ..jnp.arguments import to_array
from ..jnp.einsum import einsum
from ..jnp.rearranging import repeat
from ..lax.dot import dot_general


def scaled_matmul(lhs: Any, rhs: Any, lhs_scales: Any, rhs_scales: Any, preferred_element_type: Any = "float32") -> Any:
    """(lhs scaled) (rhs scaled)^T: [B, M, K], [B, N, K], scales [B, M, K / block], [B, N, K / block] -> [B, M, N].

    Raises ValueError where the shapes do not fit.
    """
    a, b, a_scales, b_scales = map(to_array, (lhs, rhs, lhs_scales, rhs_scales))
    if any(x.ndim != 3 for x in (a, b, a_scales, b_scales)):
        raise ValueError("scaled_matmul requires all inputs to be 3-dimensional arrays")
    if (a.shape[0], a.shape[2]) != (b.shape[0], b.shape[2]):
        raise ValueError(
            "scaled_matmul requires inputs a and b to have matching batch (B) and contract (K) dimensions, "
            f"but got shapes {a.shape} and {b.shape}"
        )
    if (a_scales.shape[0], a_scales.shape[2]) != (b_scales.shape[0], b_scales.shape[2]):
        raise ValueError(
            "scaled_matmul requires scales to have matching batch (B) and contract (K) dimensions, "
            f"but got shapes {a_scales.shape} and {b_scales.shape}"
        )
    if a_scales.shape[1] != a.shape[1] or b_scales.shape[1] != b.shape[1]:
        raise ValueError(
            "scaled_matmul requires scales to match non-contract dimensions of inputs, "
            f"but got shapes a: {a.shape}, b: {b.shape}, a_scales: {a_scales.shape}, b_scales: {b_scales.shape}"
        )
    dtype = dtypes.check_user_dtype_supported(preferred_element_type, "scaled_matmul")
    return einsum(
        "bmk,bnk->bmn", _scaled(a, a_scales, dtype), _scaled(b, b_scales, dtype), preferred_element_type=dtype
    )


def _scaled(x: Any, scales: Any, dtype: Any) -> Any:
    """Each block of `x` along its last axis times its scale."""
    return x.astype(dtype) * repeat(scales.astype(dtype), x.shape[-1] // scales.shape[-1], axis=-1)


def scaled_dot_general(
    lhs: Any,
    rhs: Any,
    dimension_numbers: Any,
    preferred_element_type: Any = "float32",
    configs: Any = None,
    implementation: str | None = None,
) -> Any:
    """lax.dot_general. The block formats of `configs` need 8-bit floats, which are left out."""
    if configs is not None:
        raise NotImplementedError("scaled_dot_general with configs needs 8-bit floats; use scaled_matmul with scales")
    return dot_general(lhs, rhs, dimension_numbers, preferred_element_type=preferred_element_type)
