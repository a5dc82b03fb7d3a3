"""What the special functions compute, through scipy.special, whose values at the edges are not always XLA's."""

import numpy as np

from ..lazy import scipy_special
from .elementwise import float_ufunc

# ---- the error function


@float_ufunc
def erf(x):
    return scipy_special.erf(x)


@float_ufunc
def erfc(x):
    return scipy_special.erfc(x)


@float_ufunc
def erf_inv(x):
    return scipy_special.erfinv(x)


# ---- the gamma function


@float_ufunc
def lgamma(x):
    return np.where(np.isinf(x), np.inf, scipy_special.gammaln(x))


@float_ufunc
def digamma(x):
    return np.where((x <= 0) & (x == np.floor(x)), np.nan, scipy_special.digamma(x))  # the poles


@float_ufunc
def zeta(x, q):
    two_sided = (x % 2 != 0) & (x != 1)  # at a pole the sides differ in sign, unless x is even
    pole = (q <= 0) & (q == np.floor(q))
    return np.where(pole, np.where(two_sided, np.nan, np.inf), scipy_special.zeta(x, q))


@float_ufunc
def polygamma(m, x):
    """Derivative number m of digamma: (-1)**(m + 1) m! zeta(m + 1, x)."""
    sign = np.where(m % 2 == 0, -1, 1)
    higher = sign * scipy_special.gamma(m + 1.0) * zeta(m + 1, x).astype(np.float64)
    result = np.where(m == 0, digamma(x), higher)
    return np.where((m < 0) | (m != np.floor(m)), np.nan, result)


@float_ufunc
def igamma(a, x):
    return scipy_special.gammainc(a, x)


@float_ufunc
def igammac(a, x):
    return scipy_special.gammaincc(a, x)


@float_ufunc
def igamma_grad_a(a, x):
    """d igamma(a, x) / d a: how the sample moves, times the density at x, times -1."""
    slope, a, x = random_gamma_grad(a, x), a.astype(np.float64), x.astype(np.float64)
    density = np.exp((a - 1) * np.log(x) - x - scipy_special.gammaln(a))
    flat = ((density == 0) | (x == 0)) & ~np.isnan(slope)
    return np.where(flat, 0, -density * slope)


@float_ufunc
def random_gamma_grad(a, x):
    """How a sample x of Gamma(a, 1) moves with a, the uniform number that it was made from held fixed.

    That is -(d igamma / d a) / (d igamma / d x), by a series that suits the size of x.
    """
    a, x = np.broadcast_arrays(a.astype(np.float64), x.astype(np.float64))
    far, slope = x > a + 4 * np.sqrt(a) + 12, np.empty_like(x)
    for series, there in ((slope_in_the_tail, far), (slope_by_power_series, ~far)):
        slope[there] = series(a[there], x[there])
    return np.where((a > 0) & (a < np.inf) & (x >= 0) & (x < np.inf), np.where(x == 0, 0, slope), np.nan)


def slope_by_power_series(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """From igamma = density * x * sum_n c_n with c_n = x**n / (a (a + 1) ... (a + n)).

    Differentiated by a, term n of the sum gets the factor log x - digamma(a + n + 1).
    """
    c, psi = 1 / a, scipy_special.digamma(a + 1)
    total = c * (np.log(x) - psi)
    for n in range(1, 2000):
        c, psi = c * x / (a + n), psi + 1 / (a + n)
        term = c * (np.log(x) - psi)
        total = total + term
        if not np.any(np.abs(term) > 1e-17 * np.abs(total)):
            break
    return -x * total


def slope_in_the_tail(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """From igammac = density * sum_n c_n with c_n = (a - 1) (a - 2) ... (a - n) / x**n, which is good for large x.

    The terms fall at first and rise later; what is added up are the falling ones.
    """
    c, slope_of_c = np.ones_like(x), np.zeros_like(x)
    total, slope_of_total = c, slope_of_c
    for n in range(1, 100):
        falling = np.abs(a - n) < x
        if not np.any(falling):
            break
        slope_of_c = np.where(falling, slope_of_c * (a - n) / x + c / x, 0)
        c = np.where(falling, c * (a - n) / x, 0)
        total, slope_of_total = total + c, slope_of_total + slope_of_c
    return (np.log(x) - scipy_special.digamma(a)) * total + slope_of_total


# ---- the others


@float_ufunc
def regularized_incomplete_beta(a, b, x):
    return scipy_special.betainc(a, b, x)


@float_ufunc
def bessel_i0e(x):
    return scipy_special.i0e(x)


@float_ufunc
def bessel_i1e(x):
    return scipy_special.i1e(x)


# ---- functions that have no primitive of their own


def special_function(
    *operands: np.ndarray, function: str, dtype: np.dtype, part: int | None, derivative: int | None
) -> np.ndarray:
    """scipy.special's function of this name, in double precision; or its slope along one operand.

    The slope is a central difference of fourth order, good to about 10 digits.
    """

    def f(*xs: np.ndarray) -> np.ndarray:
        results = getattr(scipy_special, function)(*xs)
        return results if part is None else results[part]

    wide = {"c": np.complex128, "i": np.int64}
    doubles = [x.astype(wide.get(x.dtype.kind, np.float64)) for x in operands]
    if derivative is None:
        return np.asarray(f(*doubles)).astype(dtype)
    before, x, after = doubles[:derivative], doubles[derivative], doubles[derivative + 1 :]
    h = 1e-3 * np.maximum(1, np.abs(x))
    near, far = (f(*before, x + k * h, *after) - f(*before, x - k * h, *after) for k in (1, 2))
    return np.asarray((8 * near - far) / (12 * h)).astype(dtype)
