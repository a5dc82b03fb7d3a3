"""Elementwise primitives: on parts that are divided alike."""

from ...layer1_core.lax import converting as c, elementwise as e, reducing as r, special as s
from ...layer4_grad.naming import name_p
from ...layer4_grad.tangents import add_any_p
from ...layer6_random import blocks as b
from ...layer6_random.rounding import NOISE, fma_p, rounded_square_p
from ..moving import Part
from ..partition_families import defelementwise_parts, whole_along
from ..partitioning import Equation, partition_rules

defelementwise_parts(
    e.neg_p, e.sign_p, e.square_p, e.abs_p, e.floor_p, e.ceil_p, e.round_p, e.is_finite_p, e.not_p,
    e.population_count_p, e.clz_p, e.exp_p, e.exp2_p, e.log_p, e.log1p_p, e.expm1_p, e.sin_p, e.cos_p, e.tan_p,
    e.tanh_p, e.logistic_p, e.sqrt_p, e.rsqrt_p, e.cbrt_p, e.asin_p, e.acos_p, e.atan_p, e.sinh_p, e.cosh_p,
    e.asinh_p, e.acosh_p, e.atanh_p, e.real_p, e.imag_p, e.conj_p, e.integer_pow_p, s.erf_p, s.erfc_p, s.erf_inv_p,
    s.lgamma_p, s.digamma_p, s.bessel_i0e_p, s.bessel_i1e_p, c.reduce_precision_p, c.copy_p, c.stop_gradient_p, name_p,
    rounded_square_p, *NOISE.values(), c.convert_element_type_p,
)  # fmt: skip

defelementwise_parts(
    e.add_p, e.sub_p, e.mul_p, e.div_p, e.rem_p, e.max_p, e.min_p, e.atan2_p, e.nextafter_p, e.mulhi_p, e.complex_p,
    e.and_p, e.or_p, e.xor_p, e.shift_left_p, e.shift_right_arithmetic_p, e.shift_right_logical_p, e.pow_p, e.eq_p,
    e.ne_p, e.lt_p, e.le_p, e.gt_p, e.ge_p, s.igamma_p, s.igammac_p, s.igamma_grad_a_p, s.random_gamma_grad_p,
    s.zeta_p, s.polygamma_p, s.regularized_incomplete_beta_p, s.special_function_p, fma_p, add_any_p, e.select_n_p,
    e.clamp_p, b.threefry_words_p, b.threefry2x32_p, b.upper_half_p, b.lower_half_p, b.swapped_halves_p,
)  # fmt: skip


@partition_rules.rule(c.bitcast_convert_type_p)
def _bitcast(e: Equation) -> list[Part]:
    """Where the widths differ, the last axis holds the parts of a number."""
    return whole_along(e, ()) if e.parts[0].aval.shape == e.outs[0].shape else e.whole()


@partition_rules.rule(r.optimization_barrier_p)
def _barrier(e: Equation) -> list[Part]:
    return e.on_parts(e.wanted, e.wanted)
