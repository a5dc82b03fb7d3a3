"""Elementary functions of one float, in plain Python: what a kernel's loop calls, and the machine vectorises.

There is no branch in them, so that a loop over them becomes vector instructions: each case is computed, and `select`
takes one. Errors are in units in the last place (ulp) of the correct result, measured over the whole range.
The coefficients are those of the Cephes library (exp, log) and of Eigen (tanh), which XLA has too.
"""

import numpy as np

from .scalars import bits, clamp, fma, from_bits, neg, power_of_two, rint, select, to_float32, to_int32

f32, i32 = np.float32, np.int32

# ---- exp

LOG2E = f32(1.4426950408889634)
LN2_HIGH, LN2_LOW = f32(-0.693145751953125), f32(-1.42860682030941723e-6)
EXP_LOW, EXP_HIGH = f32(-104.0), f32(89.0)
E5, E4, E3 = map(f32, (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3))
E2, E1, E0 = map(f32, (4.1665795894e-2, 1.6666665459e-1, 0.5))
ONE, ZERO, HALF = f32(1), f32(0), f32(0.5)
I1, I23, I127 = i32(1), i32(23), i32(127)


def exp_float32(x):
    """e to the x: 1.0 ulp. x = n ln 2 + r with |r| below half of ln 2, and e**x = 2**n e**r."""
    x = clamp(EXP_LOW, x, EXP_HIGH)
    n = rint(x * LOG2E)
    r = fma(n, LN2_LOW, fma(n, LN2_HIGH, x))
    p = fma(fma(fma(fma(fma(E5, r, E4), r, E3), r, E2), r, E1), r, E0)
    p = fma(p, r * r, r) + ONE
    k = to_int32(n)
    half = k >> I1
    return (p * power_of_two(half)) * power_of_two(k - half)  # in two steps: 2**n alone may be too large or too small


def logistic_float32(x):
    """1 / (1 + exp(-x)): 2.4 ulp."""
    return ONE / (ONE + exp_float32(neg(x)))


# ---- tanh

T_CLAMP, T_SMALL = f32(7.99881172180175781), f32(0.0004)
A1, A3, A5, A7 = map(f32, (4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08))
A9, A11, A13 = map(f32, (-8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16))
B0, B2, B4, B6 = map(f32, (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06))


def tanh_float32(x):
    """The hyperbolic tangent, as a quotient of polynomials: 4.4 ulp, as JAX's."""
    c = clamp(neg(T_CLAMP), x, T_CLAMP)
    s = c * c
    p = fma(fma(fma(fma(fma(fma(A13, s, A11), s, A9), s, A7), s, A5), s, A3), s, A1) * c
    q = fma(fma(fma(B6, s, B4), s, B2), s, B0)
    return select(abs(x) < T_SMALL, x, p / q)


# ---- erf

ERF_CLAMP = f32(4.0)
R13, R11, R9, R7 = map(f32, (-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05))
R5, R3, R1 = map(f32, (-7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02))
S8, S6, S4 = map(f32, (-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03))
S2, S0 = map(f32, (-7.37332916720468e-03, -1.42647390514189e-02))


def erf_float32(x):
    """The error function, as a quotient of polynomials: 5.1 ulp, as JAX's."""
    c = clamp(neg(ERF_CLAMP), x, ERF_CLAMP)
    s = c * c
    p = fma(fma(fma(fma(fma(fma(R13, s, R11), s, R9), s, R7), s, R5), s, R3), s, R1) * c
    q = fma(fma(fma(fma(S8, s, S6), s, S4), s, S2), s, S0)
    return p / q


# ---- log

SQRT_HALF = f32(0.707106781186547524)
L = tuple(map(f32, (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)))  # fmt: skip
L0, L1, L2, L3, L4, L5, L6, L7, L8 = L
LOG_LOW, LOG_HIGH = f32(-2.12194440e-4), f32(0.693359375)
TINY, LARGE_SCALE, SCALE_BITS = f32(1.17549435e-38), f32(33554432.0), f32(25.0)
NAN, INF = f32(np.nan), f32(np.inf)
MANTISSA, HALF_BITS = i32(0x007FFFFF), i32(0x3F000000)


def log_float32(x):
    """The natural logarithm: 0.8 ulp. x = m 2**e with m around 1."""
    small = x < TINY
    y = select(small, x * LARGE_SCALE, x)  # subnormal numbers have no exponent of their own
    b = bits(y)
    e = to_float32((b >> I23) - I127 + I1) - select(small, SCALE_BITS, ZERO)
    m = from_bits((b & MANTISSA) | HALF_BITS)
    low = m < SQRT_HALF
    e = e - select(low, ONE, ZERO)
    m = select(low, m + m, m) - ONE
    z = m * m
    p = fma(fma(fma(fma(fma(fma(fma(fma(L0, m, L1), m, L2), m, L3), m, L4), m, L5), m, L6), m, L7), m, L8)
    p = p * m * z
    p = fma(e, LOG_LOW, p)
    p = fma(neg(HALF), z, p)
    r = fma(e, LOG_HIGH, m + p)
    r = select(x == INF, INF, r)
    r = select(x == ZERO, neg(INF), r)
    return select(x < ZERO, NAN, select(x == x, r, x))
