"""Functions of float64 with JAX's own steps, so that both draw the same numbers: the inverse of erf, for random.normal.

The natural logarithm is the C library's here, as XLA has it for float64. Coefficients are those of the Cephes library
(log1p) and of Giles (erf_inv), which XLA has too. maths.py has the same for float32.
"""

import numpy as np

from .scalars import fma, horner, library_log, neg, select, sqrt

f64 = np.float64

HALF, ONE, INF = map(f64, (0.5, 1, np.inf))
LOG1P_SMALL = f64(0.41421356237309503)
LOG1P_ABOVE = tuple(map(f64, (
    4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969e0, 2.9911919328553073277375e1,
    6.0949667980987787057556e1, 5.7112963590585538103336e1, 2.0039553499201281259648e1,
)))  # fmt: skip
LOG1P_BELOW = tuple(map(f64, (
    1.0, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2, 3.0909872225312059774938e2,
    2.1642788614495947685003e2, 6.0118660497603843919306e1,
)))  # fmt: skip


def jax_log1p_float64(x):
    """log(1 + x), bit for bit as JAX has it: 2.5 ulp, but 130 near x = -0.41, where the quotient is at its end."""
    z = x * x
    small = x + fma(neg(HALF), z, (x * z) * (horner(x, LOG1P_ABOVE) / horner(x, LOG1P_BELOW)))
    return select(abs(x) < LOG1P_SMALL, small, library_log(ONE + x))


SPLIT_NEAR, SPLIT_FAR, CENTRE_NEAR, CENTRE_MIDDLE, CENTRE_FAR = map(f64, (6.25, 16, 3.125, 3.25, 5))
NEAR = tuple(map(f64, (
    -3.64441206401782e-21, -1.6850591381820166e-19, 1.28584807152564e-18, 1.1157877678025181e-17,
    -1.333171662854621e-16, 2.0972767875968562e-17, 6.637638134358324e-15, -4.054566272975207e-14,
    -8.151934197605472e-14, 2.6335093153082323e-12, -1.2975133253453532e-11, -5.415412054294628e-11,
    1.0512122733215323e-09, -4.112633980346984e-09, -2.9070369957882005e-08, 4.2347877827932404e-07,
    -1.3654692000834679e-06, -1.3882523362786469e-05, 0.00018673420803405714, -0.000740702534166267,
    -0.006033670871430149, 0.24015818242558962, 1.6536545626831027,
)))  # fmt: skip
MIDDLE = tuple(map(f64, (
    2.2137376921775787e-09, 9.075656193888539e-08, -2.7517406297064545e-07, 1.8239629214389228e-08,
    1.5027403968909828e-06, -4.013867526981546e-06, 2.9234449089955446e-06, 1.2475304481671779e-05,
    -4.7318229009055734e-05, 6.828485145957318e-05, 2.4031110387097894e-05, -0.0003550375203628475,
    0.0009532893797373805, -0.0016882755560235047, 0.002491442096107851, -0.003751208507569241,
    0.005370914553590064, 1.0052589676941592, 3.0838856104922208,
)))  # fmt: skip
FAR = tuple(map(f64, (
    -2.7109920616438573e-11, -2.555641816996525e-10, 1.5076572693500548e-09, -3.789465440126737e-09,
    7.61570120807834e-09, -1.496002662714924e-08, 2.914795345090108e-08, -6.771199775845234e-08,
    2.2900482228026655e-07, -9.9298272942317e-07, 4.526062597223154e-06, -1.968177810553167e-05,
    7.599527703001776e-05, -0.00021503011930044477, -0.00013871931833623122, 1.0103004648645344, 4.849906401408584,
)))  # fmt: skip


def near_float64(w):
    """erf_inv(x) / x where w = -log(1 - x**2) is small."""
    return horner(w - CENTRE_NEAR, NEAR)


def far_float64(w):
    """erf_inv(x) / x where w is large: x is near 1 or -1."""
    root = sqrt(w)
    return select(w < SPLIT_FAR, horner(root - CENTRE_MIDDLE, MIDDLE), horner(root - CENTRE_FAR, FAR))


def erf_inv_float64(x):
    """The inverse of the error function, bit for bit as JAX has it (from Giles, 2010)."""
    w = neg(jax_log1p_float64(neg(x * x)))
    p = select(w < SPLIT_NEAR, near_float64(w), far_float64(w))
    return select(abs(x) == ONE, x * INF, p * x)
