"""Elementwise primitives: each element goes by itself, whatever axes there are."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import told, typeof
from ...layer1_core.lax import elementwise as ew, special
from ...layer1_core.lax.elementwise import clamp_p, select_n, select_n_p
from ...layer1_core.lax.shaping import broadcast as broadcast_to_front, broadcast_in_dim
from ...layer4_grad.tangents import add_any_p
from ..batching import Dim, batching_rules, bdim_at_front, broadcast, moveaxis, size_of
from ..families import Dims, Result, defbroadcasting, defvectorized

# ---- one operand

ONE_OPERAND = (
    ew.neg_p, ew.sign_p, ew.square_p, ew.abs_p, ew.floor_p, ew.ceil_p, ew.round_p, ew.is_finite_p,
    ew.not_p, ew.population_count_p, ew.clz_p, ew.exp_p, ew.exp2_p, ew.log_p, ew.log1p_p, ew.expm1_p,
    ew.sin_p, ew.cos_p, ew.tan_p, ew.tanh_p, ew.logistic_p, ew.sqrt_p, ew.rsqrt_p, ew.cbrt_p,
    ew.asin_p, ew.acos_p, ew.atan_p, ew.sinh_p, ew.cosh_p, ew.asinh_p, ew.acosh_p, ew.atanh_p,
    ew.real_p, ew.imag_p, ew.conj_p, ew.integer_pow_p,
)  # fmt: skip
defvectorized(*ONE_OPERAND)

# ---- two operands, and comparisons

TWO_OPERANDS = (
    ew.add_p, ew.sub_p, ew.mul_p, ew.div_p, ew.rem_p, ew.max_p, ew.min_p, ew.atan2_p, ew.nextafter_p,
    ew.mulhi_p, ew.complex_p, ew.pow_p, ew.and_p, ew.or_p, ew.xor_p, ew.shift_left_p,
    ew.shift_right_arithmetic_p, ew.shift_right_logical_p,
    ew.eq_p, ew.ne_p, ew.lt_p, ew.le_p, ew.gt_p, ew.ge_p,
)  # fmt: skip
defbroadcasting(*TWO_OPERANDS)

# ---- special functions

defvectorized(
    special.erf_p, special.erfc_p, special.erf_inv_p, special.lgamma_p, special.digamma_p, special.bessel_i0e_p,
    special.bessel_i1e_p,
)  # fmt: skip
defbroadcasting(
    special.igamma_p, special.igammac_p, special.igamma_grad_a_p, special.random_gamma_grad_p, special.zeta_p,
    special.polygamma_p, special.regularized_incomplete_beta_p, special.special_function_p,
)  # fmt: skip

# ---- the sum of cotangents, which have one type


@batching_rules.rule(add_any_p)
def _add_any_rule(args: Sequence[Any], dims: Dims) -> Result:
    (x, y), (x_dim, y_dim) = args, dims
    if x_dim is None:
        assert y_dim is not None
        return add_any_p.bind(broadcast(x, y.shape[y_dim], y_dim), y), y_dim
    if y_dim is None:
        return add_any_p.bind(x, broadcast(y, x.shape[x_dim], x_dim)), x_dim
    return add_any_p.bind(moveaxis(x, x_dim, y_dim), y), y_dim


# ---- selection: `which` may be a scalar, for one example


@batching_rules.rule(select_n_p)
def _select_rule(args: Sequence[Any], dims: Dims) -> Result:
    (which, *cases), (which_dim, *case_dims) = args, dims
    easy = _select_in_place(which, cases, which_dim, case_dims)
    if easy is not None:
        return easy
    size = size_of(args, dims)
    which = bdim_at_front(which, which_dim, size) if np.ndim(which) else which
    if any(map(np.ndim, cases)):
        cases = [bdim_at_front(x, d, size) for x, d in zip(cases, case_dims, strict=True)]
    if 0 < np.ndim(which) < np.ndim(cases[0]):
        which = broadcast_in_dim(which, cases[0].shape, [0], out_sharding=told(typeof(cases[0])))
    if np.ndim(which) > np.ndim(cases[0]):
        cases = [broadcast_to_front(x, which.shape) for x in cases]
    return select_n(which, *cases), 0


def _select_in_place(which: Any, cases: Sequence[Any], which_dim: Dim, case_dims: Dims) -> Result | None:
    """The selection where no batch axis need be moved to the front; None where one must."""
    first, dim = cases[0], case_dims[0]
    if dim is None or any(d is None for d in case_dims):
        return None
    if all(which_dim == d for d in case_dims):
        if np.shape(which) != np.shape(first):
            which = broadcast_in_dim(which, first.shape, [dim], out_sharding=told(typeof(first)))
        return select_n(which, *cases), dim
    if np.ndim(which):
        return None
    if all(d == dim for d in case_dims):
        return select_n(which, *cases), dim
    if all(np.shape(x) == np.shape(first) for x in cases):
        moved = [moveaxis(x, d or 0, dim) for x, d in zip(cases[1:], case_dims[1:], strict=True)]
        return select_n(which, first, *moved), dim
    return None


@batching_rules.rule(clamp_p)
def _clamp_rule(args: Sequence[Any], dims: Dims) -> Result:
    (low, x, high), (low_dim, x_dim, high_dim) = args, dims
    if x_dim is not None and low_dim == x_dim == high_dim:
        if np.shape(low) == np.shape(x) == np.shape(high):
            return clamp_p.bind(low, x, high), x_dim
        if np.ndim(low) == np.ndim(high) == 1:
            place = told(typeof(x))
            low, high = (broadcast_in_dim(bound, x.shape, [x_dim], out_sharding=place) for bound in (low, high))
            return clamp_p.bind(low, x, high), x_dim
    elif np.ndim(low) == np.ndim(high) == 0 and x_dim is not None:
        return clamp_p.bind(low, x, high), x_dim
    size = size_of(args, dims)
    low, high, x = (
        bdim_at_front(v, d, size) if np.ndim(v) else v for v, d in ((low, low_dim), (high, high_dim), (x, x_dim))
    )
    for rank in (0, 1):  # a bound for all elements, then one for each example
        low, high = (_like(x, bound) if np.ndim(bound) == rank else bound for bound in (low, high))
    if np.ndim(low) > np.ndim(x):
        x = broadcast_to_front(x, low.shape)
    return clamp_p.bind(low, x, high), 0


def _like(x: Any, bound: Any) -> Any:
    """A bound in the shape of `x`, where `x` has more axes."""
    if np.ndim(bound) >= np.ndim(x):
        return bound
    return broadcast_in_dim(bound, x.shape, range(np.ndim(bound)), out_sharding=told(typeof(x)))
