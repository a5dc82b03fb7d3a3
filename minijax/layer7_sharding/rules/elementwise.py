"""Elementwise primitives: several operands are divided alike, or some are not divided."""

from ...layer1_core.aval import ShapedArray
from ...layer1_core.lax import converting as c, elementwise as e, special as s
from ...layer4_grad.naming import name_p
from ...layer4_grad.tangents import add_any_p
from ...layer6_random.rounding import NOISE, fma_p, rounded_square_p
from ..families import defbroadcasting, defkept
from ..spec import Partitions, PartitionSpec
from ..types import ShardingTypeError, entries_of, sharding_rules

OF_ONE = (
    e.neg_p, e.sign_p, e.square_p, e.abs_p, e.floor_p, e.ceil_p, e.round_p, e.is_finite_p, e.not_p,
    e.population_count_p, e.clz_p, e.exp_p, e.exp2_p, e.log_p, e.log1p_p, e.expm1_p, e.sin_p, e.cos_p, e.tan_p,
    e.tanh_p, e.logistic_p, e.sqrt_p, e.rsqrt_p, e.cbrt_p, e.asin_p, e.acos_p, e.atan_p, e.sinh_p, e.cosh_p,
    e.asinh_p, e.acosh_p, e.atanh_p, e.real_p, e.imag_p, e.conj_p, e.integer_pow_p, s.erf_p, s.erfc_p, s.erf_inv_p,
    s.lgamma_p, s.digamma_p, s.bessel_i0e_p, s.bessel_i1e_p, c.reduce_precision_p, c.copy_p, c.stop_gradient_p, name_p,
    rounded_square_p, *NOISE.values(),
)  # fmt: skip

OF_SEVERAL = (
    e.add_p, e.sub_p, e.mul_p, e.div_p, e.rem_p, e.max_p, e.min_p, e.atan2_p, e.nextafter_p, e.mulhi_p, e.complex_p,
    e.and_p, e.or_p, e.xor_p, e.shift_left_p, e.shift_right_arithmetic_p, e.shift_right_logical_p, e.pow_p, e.eq_p,
    e.ne_p, e.lt_p, e.le_p, e.gt_p, e.ge_p, s.igamma_p, s.igammac_p, s.igamma_grad_a_p, s.random_gamma_grad_p,
    s.zeta_p, s.polygamma_p, s.regularized_incomplete_beta_p, s.special_function_p, fma_p, add_any_p,
)  # fmt: skip

defkept(*OF_ONE)
defbroadcasting(*OF_SEVERAL)


@sharding_rules.rule(c.convert_element_type_p)
def _convert_rule(out: ShapedArray, x: ShapedArray, *, sharding: object, **params: object) -> PartitionSpec:
    """As the operand, or as was said. (A device that is named says nothing of a mesh.)"""
    return getattr(sharding, "spec", x.sharding.spec)


@sharding_rules.rule(c.bitcast_convert_type_p)
def _bitcast_rule(out: ShapedArray, x: ShapedArray, **params: object) -> Partitions:
    """An axis of parts of numbers, the last one, comes or goes; it is whole."""
    return (*entries_of(x), None)[: out.ndim]


@sharding_rules.rule(e.select_n_p)
def _select_rule(out: ShapedArray, which: ShapedArray, *cases: ShapedArray) -> PartitionSpec:
    with_mesh = [case for case in cases if not case.sharding.mesh.empty]
    if not with_mesh:
        return which.sharding.spec.update(partitions=(None,) * out.ndim)
    first = with_mesh[0].sharding
    if any(case.sharding != first for case in with_mesh):
        told = ", ".join(str(case.sharding) for case in cases)
        raise ShardingTypeError(f"select cases must have the same shardings, got [{told}].")
    has_mesh = which.shape and not which.sharding.mesh.empty
    if has_mesh and (which.sharding.mesh, entries_of(which)) != (first.mesh, first.spec.partitions):
        raise ShardingTypeError(
            "select `which` must be scalar or have the same sharding as cases, got `which` sharding "
            f"{which.sharding} but case sharding {cases[0].sharding}."
        )
    return first.spec


@sharding_rules.rule(e.clamp_p)
def _clamp_rule(out: ShapedArray, low: ShapedArray, x: ShapedArray, high: ShapedArray) -> PartitionSpec:
    return x.sharding.spec
