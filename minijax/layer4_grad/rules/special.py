"""Special functions."""

import functools
import math
from collections.abc import Sequence
from typing import Any

from ...layer1_core import dtypes
from ...layer1_core.aval import typeof
from ...layer1_core.lax.converting import convert_element_type
from ...layer1_core.lax.elementwise import abs, add, exp, log, log1p, mul, neg, reciprocal, select, sign, square
from ...layer1_core.lax.shaping import full_like
from ...layer1_core.lax.special import (
    bessel_i0e,
    bessel_i0e_p,
    bessel_i1e,
    bessel_i1e_p,
    digamma,
    digamma_p,
    erf_inv_p,
    erf_p,
    erfc_p,
    igamma_grad_a,
    igamma_p,
    igammac_p,
    lgamma,
    lgamma_p,
    polygamma,
    polygamma_p,
    regularized_incomplete_beta_p,
    special_function_p,
)
from ..families import defjvp, defjvp2, refusing
from ..jvp import jvp_rules
from ..tangents import Zero, add_tangents
from .parts import const, ones

# ---- the error function

defjvp(erf_p, lambda g, x: mul(const(x, 2 / math.sqrt(math.pi)), mul(g, exp(neg(square(x))))))
defjvp(erfc_p, lambda g, x: mul(const(x, -2 / math.sqrt(math.pi)), mul(g, exp(neg(square(x))))))
defjvp2(erf_inv_p, lambda g, ans, x: mul(const(x, math.sqrt(math.pi) / 2), mul(g, exp(square(ans)))))

# ---- the gamma function


defjvp(lgamma_p, lambda g, x: mul(g, digamma(x)))
defjvp(digamma_p, lambda g, x: mul(g, polygamma(const(x, 1), x)))
defjvp(
    polygamma_p,
    refusing("polygamma gradient with respect to m is not supported"),
    lambda g, m, x: g * polygamma(add(m, const(m, 1)), x),
)


def _igamma_jvp_x(g: Any, a: Any, x: Any) -> Any:
    """x**(a - 1) e**-x / gamma(a): the density."""
    return g * exp(-x + (a - ones(a)) * log(x) - lgamma(a))


defjvp(igamma_p, lambda g, a, x: g * igamma_grad_a(a, x), _igamma_jvp_x)
defjvp(igammac_p, lambda g, a, x: -(g * igamma_grad_a(a, x)), lambda g, a, x: -_igamma_jvp_x(g, a, x))


def _betainc_jvp_x(g: Any, a: Any, b: Any, x: Any) -> Any:
    """x**(a - 1) (1 - x)**(b - 1) / B(a, b)."""
    log_beta = lgamma(a) + lgamma(b) - lgamma(a + b)
    return exp((b - 1) * log1p(-x) + (a - 1) * log(x) - log_beta) * g


_by_parameter = refusing("Betainc gradient with respect to a and b not supported.")
defjvp(regularized_incomplete_beta_p, _by_parameter, _by_parameter, _betainc_jvp_x)

# ---- Bessel functions

defjvp2(bessel_i0e_p, lambda g, ans, x: g * (bessel_i1e(x) - sign(x) * ans))


def _bessel_i1e_jvp(g: Any, ans: Any, x: Any) -> Any:
    """i0e(x) - i1e(x) (sign(x) + 1/x); 1/2 at 0."""
    eps = dtypes.finfo(typeof(x).dtype).eps
    is_large = abs(x) > eps
    safe = select(is_large, x, full_like(x, eps))
    slope = bessel_i0e(safe) - ans * (sign(safe) + reciprocal(safe))
    return g * select(is_large, slope, full_like(x, 0.5))


defjvp2(bessel_i1e_p, _bessel_i1e_jvp)

# ---- functions that have no primitive of their own


@jvp_rules.rule(special_function_p)
def _special_function_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, derivative: int | None, **params: Any
) -> tuple[Any, Any]:
    """Along each operand the slope that scipy's values have, by a difference: so there is no second one."""
    if derivative is not None:
        raise NotImplementedError(f"the second derivative of {params['function']} by a parameter")
    out = special_function_p.bind(*primals, derivative=None, **params)
    dots = [
        mul(convert_element_type(t, params["dtype"]), special_function_p.bind(*primals, derivative=i, **params))
        for i, t in enumerate(tangents)
        if type(t) is not Zero
    ]
    return out, functools.reduce(add_tangents, dots)
