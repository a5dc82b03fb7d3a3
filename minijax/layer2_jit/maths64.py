"""Elementary functions of float64, in plain Python, without branches: as maths.py has them for float32.

Polynomials are Taylor's, whose coefficients are computed here, or fitted by us (the largest relative error made
smallest, by Remez's exchange). Where a function needs more digits than a float64 has, a number is kept as two floats:
the rounded one, and what rounding took from it.
"""

from math import factorial

import numpy as np

from .scalars import (
    bits,
    clamp,
    copysign,
    fma,
    from_bits,
    horner,
    library_pow,
    maximum,
    neg,
    power_of_two,
    rint,
    select,
    sqrt,
    to_float64,
    two_over_pi_0,
    two_over_pi_1,
    two_over_pi_2,
    two_over_pi_3,
)

f64, i64 = np.float64, np.int64

ZERO, QUARTER, HALF, ONE, TWO, FOUR = map(f64, (0, 0.25, 0.5, 1, 2, 4))
INF, NAN = f64(np.inf), f64(np.nan)
MAGIC = f64(1.5 * 2**52)  # x + MAGIC has no fraction, and its bits end in the whole number next to x
MAGIC_BITS, I1, I2, I32, I52 = bits(MAGIC), *map(i64, (1, 2, 32, 52))
TINY = f64(2.0**-54)

# ---- powers

LOG2E = f64(1.4426950408889634)
LN2, LN2_REST = f64(0.6931471805599453), f64(2.3190468138462996e-17)
LN2_HIGH, LN2_LOW = f64(6.93147180369123816490e-01), f64(1.90821492927058770002e-10)  # the first ends in zeros
EXP_LOW, EXP_HIGH = f64(-746.0), f64(711.0)
EXP2_LOW, EXP2_HIGH = f64(-1080.0), f64(1030.0)
EXPM1_LOW, EXPM1_HIGH, TANH_ONE = f64(-40.0), f64(710.5), f64(20.0)
EXP = tuple(f64(1 / factorial(k)) for k in range(13, 1, -1))  # (e**r - 1 - r) / r**2


def scaled_float64(x, m):
    """x 2**n for x around 1, where m is n + MAGIC."""
    k = bits(m) - MAGIC_BITS
    half = k >> I1
    return (x * power_of_two(half)) * power_of_two(k - half)  # in two steps: 2**n alone may be too large or too small


def exp_times_float64(x, k):
    """e**x 2**k for a whole k. x = n ln 2 + r with |r| below half of ln 2, and e**x = 2**n e**r."""
    x = clamp(EXP_LOW, x, EXP_HIGH)
    m = fma(x, LOG2E, MAGIC)
    n = MAGIC - m
    r = fma(n, LN2_LOW, fma(n, LN2_HIGH, x))
    return scaled_float64(fma(horner(r, EXP), r * r, r) + ONE, m + k)


def exp_float64(x):
    """e to the x: 1.0 ulp."""
    return exp_times_float64(x, ZERO)


def exp2_float64(x):
    """2 to the x: 1.0 ulp."""
    x = clamp(EXP2_LOW, x, EXP2_HIGH)
    m = x + MAGIC
    f = x - (m - MAGIC)
    r = f * LN2
    rest = fma(f, LN2_REST, fma(f, LN2, neg(r)))
    return scaled_float64((fma(horner(r, EXP), r * r, rest) + r) + ONE, m)


def quarter_expm1_float64(x):
    """(e**x - 1) / 4, which is finite where e**x or sinh x just are."""
    x = clamp(EXPM1_LOW, x, EXPM1_HIGH)
    m = fma(x, LOG2E, MAGIC)
    n = MAGIC - m
    r = fma(n, LN2_LOW, fma(n, LN2_HIGH, x))
    scale = power_of_two(bits(m) - MAGIC_BITS - I2)
    return fma(scale, fma(horner(r, EXP), r * r, r), scale - QUARTER)


def expm1_float64(x):
    """e**x - 1: 1.8 ulp."""
    return select(abs(x) < TINY, x, FOUR * quarter_expm1_float64(x))


def logistic_float64(x):
    """1 / (1 + exp(-x)): 2.4 ulp."""
    return ONE / (ONE + exp_float64(neg(x)))


def sinh_float64(x):
    """The hyperbolic sine, (e**x - e**-x) / 2: 2.4 ulp."""
    t = quarter_expm1_float64(abs(x))
    r = t + t / fma(FOUR, t, ONE)
    return select(abs(x) < TINY, x, copysign(r + r, x))


def cosh_float64(x):
    """The hyperbolic cosine, (e**x + e**-x) / 2: 1.4 ulp."""
    half = exp_times_float64(abs(x), neg(ONE))
    return half + QUARTER / half


def tanh_float64(x):
    """The hyperbolic tangent, (e**2x - 1) / (e**2x + 1): 2.5 ulp."""
    t = quarter_expm1_float64(clamp(ZERO, abs(x), TANH_ONE) * TWO)
    return select(abs(x) < TINY, x, copysign(t / (t + HALF), x))


# ---- logarithms

SQRT_HALF, MANTISSA = bits(f64(0.5**0.5)), i64(2**52 - 1)
SUBNORMAL, SCALE, SCALE_BITS = f64(2.0**-1022), f64(2.0**54), f64(54.0)
LOG = tuple(f64(2 / k) for k in range(23, 1, -2))
LARGE = f64(2.0**60)


def log_float64(x):
    """The natural logarithm: 0.7 ulp. x = m 2**e with m around 1; log m = 2 artanh(f / (2 + f)) for f = m - 1.

    artanh's series is written as f - f**2 / 2 + a rest, and what rounding takes from the first two is added to it.
    """
    small = x < SUBNORMAL
    b = bits(select(small, x * SCALE, x)) - SQRT_HALF
    e = to_float64(b >> I52) - select(small, SCALE_BITS, ZERO)
    f = from_bits((b & MANTISSA) + SQRT_HALF) - ONE
    s = f / (TWO + f)
    z, half, square = s * s, HALF * f, HALF * f * f
    rest = fma(s, fma(horner(z, LOG), z, square), fma(e, LN2_LOW, neg(fma(half, f, neg(square)))))
    a = f - square
    rest = rest + ((f - a) - square)
    high = e * LN2_HIGH
    r = high + a
    r = r + (rest + ((high - r) + a))
    return select(x > ZERO, select(x < INF, r, x), select(x == ZERO, neg(INF), select(x == x, NAN, x)))


def log1p_float64(x):
    """log(1 + x): 1.5 ulp. What rounding takes from 1 + x is added to its logarithm."""
    u = ONE + x
    lost = select(x < ONE, x - (u - ONE), ONE - (u - x))
    r = log_float64(u) + select(lost == ZERO, ZERO, lost / u)
    return select(x < INF, copysign(r, x), x)


def logaddexp_float64(x, y):
    """log(e**x + e**y): 1.5 ulp, or 2**-52 where that is near 0."""
    apart = abs(x - y)
    return select(apart == apart, maximum(x, y) + log1p_float64(exp_float64(neg(apart))), x + y)


def asinh_float64(x):
    """The inverse hyperbolic sine, log(x + sqrt(x**2 + 1)): 2 ulp."""
    y = abs(x)
    large, square = y > LARGE, y * y
    r = log1p_float64(select(large, y, y + square / (ONE + sqrt(ONE + square))))
    return copysign(r + select(large, LN2, ZERO), x)


def acosh_float64(x):
    """The inverse hyperbolic cosine, log(x + sqrt(x**2 - 1)): 2.5 ulp."""
    y = x - ONE
    large = x > LARGE
    r = log1p_float64(select(large, x, y + sqrt(y * (y + TWO))))
    return select(x < ONE, NAN, r + select(large, LN2, ZERO))


def atanh_float64(x):
    """The inverse hyperbolic tangent, log((1 + x) / (1 - x)) / 2: 2.2 ulp."""
    y = abs(x)
    return copysign(HALF * log1p_float64((y + y) / (ONE - y)), x)


# ---- sine and cosine

KEPT, BASE, I0, I56, I62, I127 = map(i64, (~(0x7F0 << 52), 0x3F0 << 52, 0, 56, 62, 127))
HALF_PI, HALF_PI_REST = f64(1.5707963267948966), f64(6.123233995736766e-17)
SIN = tuple(f64((-1) ** k / factorial(2 * k + 1)) for k in range(8, 0, -1))
COS = tuple(f64((-1) ** k / factorial(2 * k)) for k in range(8, 1, -1))
SMALL = f64(2.0**-27)


def turn_float64(x):
    """x less a multiple of 4, from -2 to 2."""
    return x - FOUR * rint(QUARTER * x)


def lost_float64(a, b, total):
    """What rounding took from a + b (Knuth)."""
    part = total - a
    return (a - (total - part)) + (b - part)


def sin_turned_float64(x, more):
    """The sine of x and `more` quarter turns. x = (n + r) pi/2 with a whole n and |r| up to a half.

    Of x * 2/pi only n modulo 4 and r matter: bits of 2/pi that make whole turns of x are left out, and of the rest four
    floats are kept, since r may be tiny (Payne and Hanek's reduction). Sums are kept as two floats.
    """
    j = (bits(x) >> I56) & I127
    y = from_bits((bits(x) & KEPT) | BASE)
    a0, a1, a2 = y * two_over_pi_0(j), y * two_over_pi_1(j), y * two_over_pi_2(j)
    e0, e1, e2 = fma(y, two_over_pi_0(j), neg(a0)), fma(y, two_over_pi_1(j), neg(a1)), fma(y, two_over_pi_2(j), neg(a2))
    t0, t1, t2 = turn_float64(a0), turn_float64(e0), turn_float64(a1)
    s0 = t0 + t1
    s1 = s0 + t2
    m = s1 + MAGIC
    r0 = s1 - (m - MAGIC)
    rest = lost_float64(t0, t1, s0) + lost_float64(s0, t2, s1)
    r1 = r0 + rest
    r2 = r1 + e1
    r = r2 + a2
    low = lost_float64(r0, rest, r1) + lost_float64(r1, e1, r2) + lost_float64(r2, a2, r) + fma(y, two_over_pi_3(j), e2)
    return sin_of_quarters_float64(r, low, m + more)


def sin_of_quarters_float64(r, low, turns):
    """The sine of r + low quarter turns and of as many whole ones as the bits of `turns` end in."""
    y = r * HALF_PI
    rest = fma(r, HALF_PI, neg(y)) + fma(r, HALF_PI_REST, low * HALF_PI)
    z = y * y
    half = HALF * z
    sine = y + fma(y * z, horner(z, SIN), fma(neg(half), rest, rest))
    whole = ONE - half
    lost = ((ONE - whole) - half) - HALF * fma(y, y, neg(z))
    cosine = whole + fma(z * z, horner(z, COS), fma(neg(y), rest, lost))
    quarter = bits(turns)
    return from_bits(bits(select((quarter & I1) == I0, sine, cosine)) ^ ((quarter & I2) << I62))


def sin_float64(x):
    """The sine, of numbers of any size: 0.8 ulp."""
    return select(abs(x) < INF, select(abs(x) < SMALL, x, sin_turned_float64(x, ZERO)), x - x)


def cos_float64(x):
    """The cosine, of numbers of any size: 0.8 ulp."""
    return select(abs(x) < INF, sin_turned_float64(x, ONE), x - x)


# ---- roots, the inverse tangent, the error function

THREE, THIRD = f64(3), f64(1 / 3)
HUGE, CBRT_SCALE = f64(2.0**1000), f64(2.0**18)
CBRT_START = MAGIC + f64(715094163.0)  # two thirds of the exponent's bias, in the upper half; from FreeBSD's libm


def cbrt_float64(x):
    """The cube root: 0.8 ulp. A third of the bits is a third of the exponent; two steps of Halley's start from it."""
    small, large = abs(x) < SUBNORMAL, abs(x) > HUGE
    y = abs(x) * select(small, SCALE, select(large, ONE / SCALE, ONE))
    r = from_bits(bits(fma(to_float64(bits(y) >> I32), THIRD, CBRT_START)) << I32)
    r = r * (fma(r * r, r, TWO * y) / fma(TWO * r * r, r, y))
    r = r * (fma(r * r, r, TWO * y) / fma(TWO * r * r, r, y))
    square = r * r
    rest = fma(fma(r, r, neg(square)), r, fma(square, r, neg(y)))  # r**3 - y
    r = (r - rest / (THREE * square)) * select(small, ONE / CBRT_SCALE, select(large, CBRT_SCALE, ONE))
    return copysign(select((y > ZERO) & (y < INF), r, y), x)


QUARTER_PI, QUARTER_PI_REST = f64(0.7853981633974483), f64(3.061616997868383e-17)
TAN_EIGHTH = f64(0.41421356237309503)  # of pi
# Of t**18, t**16, ... 1: fitted to (atan t - t) / t**3 for t up to tan(pi/8).
ATAN = tuple(map(f64, (
    0.02167693555513792, -0.04395799987944247, 0.05706314095082641, -0.06643995062883298, 0.07690432378176222,
    -0.0909081111815131, 0.11111108039549286, -0.14285714233854108, 0.1999999999963081, -0.3333333333333288,
)))  # fmt: skip


def atan_float64(x):
    """The inverse tangent: 2.1 ulp. It is that of a t below tan(pi/8) and 0, 1 or 2 times pi/4."""
    y = abs(x)
    small, large = y < TAN_EIGHTH, y * TAN_EIGHTH > ONE
    t = select(small, y, select(large, neg(ONE), y - ONE)) / select(small, ONE, select(large, y, y + ONE))
    steps = select(small, ZERO, select(large, TWO, ONE))
    z = t * t
    rest = fma(horner(z, ATAN) * z, t, steps * QUARTER_PI_REST)
    return copysign(fma(steps, QUARTER_PI, t + rest), x)


# Of x**22, x**20, ... 1: fitted to erf(x) / x - 1 for x up to 1.
ERF = tuple(map(f64, (
    -7.779699160323819e-10, 1.3711114343693149e-08, -1.620634737633616e-07, 1.644713634172968e-06,
    -1.492471272227754e-05, 0.00012055293600654719, -0.000854832593017389, 0.005223977606137711, -0.026866170643113935,
    0.112837916709442, -0.3761263890318352, 0.12837916709551256,
)))  # fmt: skip
ERF_NEAR, ERFC_NEAR, ERFC_CLAMP, ERFC_ONE = f64(0.95), f64(0.75), f64(28), f64(3.75)
# Of q**21, ... 1: fitted to (1 + 2 x) e**(x**2) erfc(x), q = (x - 3.75) / (x + 3.75), x up to 26.6.
ERFC = tuple(map(f64, (
    5.536894886970101e-09, 3.081542825374568e-08, -2.026561393223145e-09, -2.584809782939927e-07,
    -2.6662466369997885e-08, 1.7603342108481524e-06, -9.94361638432402e-07, -1.145316660895449e-05,
    2.2392941166141592e-05, 5.16536360601386e-05, -0.0002901563865419516, 0.000293712350075205, 0.0017556262390139392,
    -0.009746579332856197, 0.028362277379403257, -0.05869339861143287, 0.09230432116267841, -0.1088039301406876,
    0.08227673849008058, 0.003585415485444549, -0.14024059858554638, 1.2375126308378277,
)))  # fmt: skip


def erfc_float64(x):
    """1 - erf(x), exact where that is tiny: 4 ulp. x**2 is kept as two floats, for e**-(x**2) magnifies its error."""
    y = clamp(ZERO, abs(x), ERFC_CLAMP)
    scaled = horner((y - ERFC_ONE) / (y + ERFC_ONE), ERFC) / fma(TWO, y, ONE)
    square = y * y
    power = exp_float64(neg(square))
    r = scaled * fma(neg(fma(y, y, neg(square))), power, power)
    return select(y < ERFC_NEAR, ONE - fma(horner(x * x, ERF), x, x), select(x < ZERO, TWO - r, r))


def erf_float64(x):
    """The error function: 1.1 ulp."""
    return select(abs(x) < ERF_NEAR, fma(horner(x * x, ERF), x, x), copysign(ONE - erfc_float64(abs(x)), x))


# ---- powers of any base


def pow_float64(x, y):
    """x to the power y: that of the C library, which JAX asks as well."""
    return library_pow(x, y)


# ---- neighbours


def nextafter_float64(x, y):
    """The float next to x in the direction of y: that whose bits, read as a whole number, are one more or less."""
    r = from_bits(bits(x) + select((x < y) == (x > ZERO), I1, neg(I1)))
    r = select(x == ZERO, copysign(from_bits(I1), y), r)
    return select((x == x) & (y == y), select(x == y, y, r), x + y)
