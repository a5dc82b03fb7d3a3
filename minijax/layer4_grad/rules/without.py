"""Primitives without a rule, and why: in the matrix of rules no hole is silent. To ask for one is JAX's error."""

from ...layer1_core.primitive import RuleTable, impl_rules
from ..families import no_rule
from ..jvp import jvp_rules
from ..transpose import transpose_rules

_BY_NAME = {p.name: p for p in impl_rules}


def _without(table: RuleTable, reason: str, names: str) -> None:
    """Declare it of primitives by their names. Raises ValueError for one that has a rule."""
    primitives = [_BY_NAME[name] for name in names.split()]
    if any(p in table for p in primitives):
        raise ValueError(f"{[p.name for p in primitives if p in table]} have {table.family} rules")
    no_rule(table, reason, *primitives)


_without(jvp_rules, "it has no operands", "iota empty")
_without(
    jvp_rules,
    "its operands are whole numbers or truth values, which have no tangents",
    "population_count clz reduce_and reduce_or reduce_xor lu_pivots_to_permutation",
)
_without(
    jvp_rules,
    "JAX has no derivative of it",
    "nextafter zeta igamma_grad_a cholesky_update geqrf hessenberg householder_product ormqr schur symmetric_product "
    "tridiagonal",
)
_without(jvp_rules, "it is a derivative itself, and no formula is known for the next one", "random_gamma_grad")

_without(transpose_rules, "it has no operands", "iota empty")
_without(
    transpose_rules,
    "its derivative is zero: no cotangent comes to it",
    "sign floor ceil round bitcast_convert_type stop_gradient is_finite eq ne lt le gt ge and or xor not mulhi "
    "shift_left shift_right_arithmetic shift_right_logical population_count clz reduce_and reduce_or reduce_xor "
    "argmax argmin lu_pivots_to_permutation",
)
_without(
    transpose_rules,
    "it is not linear: its jvp rule is made of operations that are",
    "square abs exp exp2 log log1p expm1 sin cos tan tanh logistic sqrt rsqrt cbrt asin acos atan sinh cosh asinh "
    "acosh atanh integer_pow rem max min atan2 nextafter pow clamp "
    "reduce_prod reduce_max reduce_min reduce cumprod cummax cummin cumlogsumexp "
    "scatter-min scatter-max reduce_window_max reduce_window_min reduce_window sort top_k approx_top_k "
    "erf erfc erf_inv lgamma digamma bessel_i0e bessel_i1e igamma igammac igamma_grad_a random_gamma_grad zeta "
    "polygamma regularized_incomplete_beta special_function "
    "cholesky cholesky_update householder_product lu ormqr qr symmetric_product eig eigh hessenberg schur svd "
    "tridiagonal geqrf",
)
