"""Special functions: the error function, gamma functions and their kin, Bessel functions."""

from typing import Any

import numpy as np

from ..aval import ShapedArray, shaped, typeof
from .families import all_weak, binder, broadcast_shape, floating, nary, primitive, unary

erf_p, erfc_p, erf_inv_p, lgamma_p, digamma_p, bessel_i0e_p, bessel_i1e_p = (
    unary(name, floating) for name in ["erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i0e", "bessel_i1e"]
)
igamma_p, igammac_p, igamma_grad_a_p, random_gamma_grad_p, zeta_p, polygamma_p = (
    nary(name, (floating, floating))
    for name in ["igamma", "igammac", "igamma_grad_a", "random_gamma_grad", "zeta", "polygamma"]
)
regularized_incomplete_beta_p = nary("regularized_incomplete_beta", (floating, floating, floating))


erf = binder(erf_p, "The error function.")
erfc = binder(erfc_p, "1 - erf(x).")
erf_inv = binder(erf_inv_p, "The inverse of erf, on (-1, 1).")
lgamma = binder(lgamma_p, "log |gamma(x)|.")
digamma = binder(digamma_p, "The derivative of lgamma.")
bessel_i0e = binder(bessel_i0e_p, "exp(-|x|) I0(x): the modified Bessel function of order 0, scaled.")
bessel_i1e = binder(bessel_i1e_p, "exp(-|x|) I1(x): the modified Bessel function of order 1, scaled.")
igamma = binder(igamma_p, "The regularised lower incomplete gamma function P(a, x).")
igammac = binder(igammac_p, "The regularised upper incomplete gamma function Q(a, x).")
igamma_grad_a = binder(igamma_grad_a_p, "The derivative of igamma with respect to a.")
random_gamma_grad = binder(random_gamma_grad_p, "The derivative of a gamma variate with respect to its shape a.")
zeta = binder(zeta_p, "The Hurwitz zeta function.")
polygamma = binder(polygamma_p, "The m-th derivative of digamma.")
betainc = binder(regularized_incomplete_beta_p, "The regularised incomplete beta function I_x(a, b).", "betainc")


# ---- functions that have no primitive of their own


def _special_rule(
    *avals: ShapedArray, function: str, dtype: np.dtype, part: int | None, derivative: int | None
) -> ShapedArray:
    weak = all_weak(avals) and function not in _STRONG
    return shaped(broadcast_shape(function, [a.shape for a in avals]), dtype, weak)


# What is never weakly typed: in JAX these are spelled out, with arrays of coefficients.
_STRONG = frozenset(
    [
        "erfcx",
        "expi",
        "expn",
        "fresnel",
        "gamma",
        "hyp2f1",
        "log_ndtr",
        "loggamma",
        "ndtri",
        "owens_t",
        "sici",
        "spence",
    ]
)
special_function_p = primitive("special_function", _special_rule)


def special_function(
    function: str, *operands: Any, dtype: Any = None, part: int | None = None, derivative: int | None = None
) -> Any:
    """What scipy.special's `function` gives for each element, as `dtype` (that of the last operand for None).

    JAX spells these functions out in polynomials and loops. With `part`, one of several results. With `derivative`,
    the slope along that operand, by a difference: for parameters whose derivative has no formula.
    """
    dtype = typeof(operands[-1]).dtype if dtype is None else np.dtype(dtype)
    return special_function_p.bind(*operands, function=function, dtype=dtype, part=part, derivative=derivative)
