"""How a number drawn from a gamma distribution moves with the distribution's shape: series, added up term by term.

These functions have loops and branches, unlike those of maths.py: each element takes as many terms as it needs, about a
hundred, one element after the other. layer1_core/impl/special.py has the same series for whole arrays.
"""

import numpy as np

from .maths64 import log_float64
from .scalars import horner, neg, select, sqrt, to_float32, to_float64

f64 = np.float64

ZERO, HALF, ONE, FOUR, TWELVE = map(f64, (0, 0.5, 1, 4, 12))
INF, NAN = f64(np.inf), f64(np.nan)
LAST, MOST, MOST_IN_TAIL = f64(1e-17), f64(2000), f64(100)  # the term that counts no more, in parts of the sum
LARGE = f64(12)  # from which on digamma has a series; its terms:
DIGAMMA = tuple(f64(x) for x in (-1 / 12, 691 / 32760, -1 / 132, 1 / 240, -1 / 252, 1 / 120, -1 / 12))


def digamma_above_zero_float64(y):
    """The derivative of log gamma(y), y > 0: digamma(y + 1) = digamma(y) + 1 / y leads to where it has a series."""
    steps = ZERO
    while y < LARGE:
        steps = steps + ONE / y
        y = y + ONE
    t = ONE / y
    return log_float64(y) - HALF * t + horner(t * t, DIGAMMA) * (t * t) - steps


def slope_by_power_series_float64(a, x):
    """From igamma = density * x * sum of c_n, c_n = x**n / (a (a + 1) ... (a + n)): see layer 1."""
    log, c, n = log_float64(x), ONE / a, ONE
    psi = digamma_above_zero_float64(a + ONE)
    total = c * (log - psi)
    term = total
    while (abs(term) > LAST * abs(total)) & (n < MOST):
        c = c * x / (a + n)
        psi = psi + ONE / (a + n)
        term = c * (log - psi)
        total = total + term
        n = n + ONE
    return neg(x) * total


def slope_in_the_tail_float64(a, x):
    """From igammac = density * sum of c_n, c_n = (a - 1) ... (a - n) / x**n, while these terms fall."""
    c, slope_of_c, n = ONE, ZERO, ONE
    total, slope_of_total = ONE, ZERO
    while (abs(a - n) < x) & (n < MOST_IN_TAIL):
        slope_of_c = slope_of_c * (a - n) / x + c / x
        c = c * (a - n) / x
        total = total + c
        slope_of_total = slope_of_total + slope_of_c
        n = n + ONE
    return (log_float64(x) - digamma_above_zero_float64(a)) * total + slope_of_total


def random_gamma_grad_float64(a, x):
    """-(d igamma / d a) / (d igamma / d x), by the series that suits the size of x."""
    if (a > ZERO) & (a < INF) & (x > ZERO) & (x < INF):
        if x > a + FOUR * sqrt(a) + TWELVE:
            return slope_in_the_tail_float64(a, x)
        return slope_by_power_series_float64(a, x)
    return select((a > ZERO) & (a < INF) & (x == ZERO), ZERO, NAN)


def random_gamma_grad_float32(a, x):
    """The same of float32, rounded once."""
    return to_float32(random_gamma_grad_float64(to_float64(a), to_float64(x)))
