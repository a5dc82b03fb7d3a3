"""Elementary functions of one float, in plain Python: what a kernel's loop calls, and the machine vectorises.

There is no branch in them, so that a loop over them becomes vector instructions: each case is computed, and `select`
takes one. Errors are in units in the last place (ulp) of the correct result, measured over the whole range.
The coefficients are those of the Cephes library (exp, log, log1p), of Eigen (tanh, erf) and of Giles (erf_inv), which
XLA has too. rounded.py has the other functions of float32.
"""

import numpy as np

from .scalars import bits, clamp, copysign, fma, from_bits, horner, neg, power_of_two, select, sqrt, to_float32

f32, i32 = np.float32, np.int32

# ---- exp

LOG2E = f32(1.4426950408889634)
LN2_HIGH, LN2_LOW = f32(-0.693145751953125), f32(-1.42860682030941723e-6)
EXP_LOW, EXP_HIGH = f32(-104.0), f32(89.0)
EXP = tuple(map(f32, (1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 0.5)))
MAGIC = f32(1.5 * 2**23)  # x + MAGIC has no fraction, and its bits end in the whole number next to x
MAGIC_BITS = bits(MAGIC)
ONE, ZERO, HALF = f32(1), f32(0), f32(0.5)
I1, I23 = i32(1), i32(23)


def exp_float32(x):
    """e to the x: 1.0 ulp. x = n ln 2 + r with |r| below half of ln 2, and e**x = 2**n e**r."""
    x = clamp(EXP_LOW, x, EXP_HIGH)
    m = fma(x, LOG2E, MAGIC)
    n = m - MAGIC
    r = fma(n, LN2_LOW, fma(n, LN2_HIGH, x))
    p = fma(horner(r, EXP), r * r, r) + ONE
    k = bits(m) - MAGIC_BITS
    half = k >> I1
    return (p * power_of_two(half)) * power_of_two(k - half)  # in two steps: 2**n alone may be too large or too small


def logistic_float32(x):
    """1 / (1 + exp(-x)): 2.4 ulp."""
    return ONE / (ONE + exp_float32(neg(x)))


# ---- tanh

T_CLAMP, T_SMALL = f32(7.99881172180175781), f32(0.0004)
TANH_ODD = tuple(map(f32, (
    -2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08, 1.48572235717979e-05,
    6.37261928875436e-04, 4.89352455891786e-03,
)))  # fmt: skip
TANH_EVEN = tuple(map(f32, (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)))


def tanh_float32(x):
    """The hyperbolic tangent, as a quotient of polynomials: 4.4 ulp, as JAX's."""
    c = clamp(neg(T_CLAMP), x, T_CLAMP)
    s = c * c
    return select(abs(x) < T_SMALL, x, horner(s, TANH_ODD) * c / horner(s, TANH_EVEN))


# ---- erf

ERF_CLAMP = f32(3.832506856900711)
ERF_ODD = tuple(map(f32, (
    0.00022905065861350646, 0.0034082910107109506, 0.050955695062380861, 0.18520832239976145, 1.128379143519084,
)))  # fmt: skip
ERF_EVEN = tuple(map(f32, (
    -1.1791602954361697e-7, 0.000023547966471313185, 0.0010179625278914885, 0.014070470171167667, 0.11098505178285362,
    0.49746925110067538, 1.0,
)))  # fmt: skip


def erf_float32(x):
    """The error function, as a quotient of polynomials: 5.1 ulp, as JAX's."""
    c = clamp(neg(ERF_CLAMP), x, ERF_CLAMP)
    s = c * c
    return horner(s, ERF_ODD) * c / horner(s, ERF_EVEN)


# ---- log

SQRT_HALF = bits(f32(0.707106781186547524))
LOG = tuple(map(f32, (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)))  # fmt: skip
LOG_LOW, LOG_HIGH = f32(-2.12194440e-4), f32(0.693359375)
TINY, LARGE_SCALE, SCALE_BITS = f32(1.17549435e-38), f32(33554432.0), f32(25.0)
NAN, INF = f32(np.nan), f32(np.inf)
MANTISSA = i32(0x007FFFFF)


def log_float32(x):
    """The natural logarithm: 0.8 ulp. x = (1 + m) 2**e with 1 + m from sqrt(1/2) to sqrt(2)."""
    small = x < TINY
    b = bits(select(small, x * LARGE_SCALE, x)) - SQRT_HALF  # subnormal numbers have no exponent of their own
    e = to_float32(b >> I23) - select(small, SCALE_BITS, ZERO)
    m = from_bits((b & MANTISSA) + SQRT_HALF) - ONE
    z = m * m
    p = fma(e, LOG_LOW, horner(m, LOG) * m * z)
    p = fma(neg(HALF), z, p)
    r = fma(e, LOG_HIGH, m + p)
    r = select(x == INF, INF, r)
    r = select(x == ZERO, neg(INF), r)
    return select(x < ZERO, NAN, select(x == x, r, x))


# ---- the inverse of erf, which random.normal is made with: with JAX's own steps, so that both draw the same numbers

LOG1P_SMALL, ERF_INV_SPLIT, ERF_INV_NEAR, ERF_INV_FAR = map(f32, (0.41421356, 5.0, 2.5, 3.0))
LOG1P_ABOVE = tuple(map(f32, (
    4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969e0, 2.9911919328553073277375e1,
    6.0949667980987787057556e1, 5.7112963590585538103336e1, 2.0039553499201281259648e1,
)))  # fmt: skip
LOG1P_BELOW = tuple(map(f32, (
    1.0, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2, 3.0909872225312059774938e2,
    2.1642788614495947685003e2, 6.0118660497603843919306e1,
)))  # fmt: skip
LOG_0, LOG_3, LOG_6 = LOG[0:3], LOG[3:6], LOG[6:9]
NEAR = tuple(map(f32, (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
    0.246640727, 1.50140941,
)))  # fmt: skip
FAR = tuple(map(f32, (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
    1.00167406, 2.83297682,
)))  # fmt: skip


def jax_log_float32(x):
    """The natural logarithm of a positive normal number, bit for bit as JAX has it: 1.2 ulp."""
    b = bits(x) - SQRT_HALF
    e = to_float32(b >> I23)
    m = from_bits((b & MANTISSA) + SQRT_HALF) - ONE
    z = m * m
    cube = z * m
    p = fma(fma(horner(m, LOG_0), cube, horner(m, LOG_3)), cube, horner(m, LOG_6))
    p = fma(p, cube, LOG_LOW * e)
    return fma(LOG_HIGH, e, fma(neg(HALF), z, m) + p)


def jax_log1p_float32(x):
    """log(1 + x) for x from -1 to 0, bit for bit as JAX has it: 2.5 ulp."""
    z = x * x
    small = x + fma(neg(HALF), z, (x * z) * (horner(x, LOG1P_ABOVE) / horner(x, LOG1P_BELOW)))
    u = ONE + x
    return select(abs(x) < LOG1P_SMALL, small, select(u > ZERO, jax_log_float32(u), select(u < ZERO, NAN, neg(INF))))


def erf_inv_float32(x):
    """The inverse of the error function: 65 ulp near 1 and -1, as JAX's (from Giles, 2010)."""
    w = neg(jax_log1p_float32(neg(x * x)))
    p = select(w < ERF_INV_SPLIT, horner(w - ERF_INV_NEAR, NEAR), horner(sqrt(w) - ERF_INV_FAR, FAR))
    return select(abs(x) == ONE, x * INF, p * x)


# ---- neighbours


def nextafter_float32(x, y):
    """The float next to x in the direction of y: that whose bits, read as a whole number, are one more or less."""
    r = from_bits(bits(x) + select((x < y) == (x > ZERO), I1, neg(I1)))
    r = select(x == ZERO, copysign(from_bits(I1), y), r)
    return select((x == x) & (y == y), select(x == y, y, r), x + y)
