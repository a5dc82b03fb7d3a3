"""Elementary functions of float32 that are computed in float64 and rounded once: 0.51 ulp, where 0.5 is the least.

The functions whose names begin with `rough` are their float64: right to 2**-32, which takes fewer terms than all of
float64 would. It has digits and range to spare, so cancellation, overflow and tiny numbers need little care here. There
is no branch, as in maths.py. Polynomials are Taylor's, whose coefficients are computed here, or fitted by us (the
largest relative error made smallest, by Remez's exchange).
"""

from math import factorial, pi

import numpy as np

from .maths64 import log_float64
from .quarter_turns import without_first
from .scalars import (
    bits,
    clamp,
    copysign,
    floor,
    fma,
    from_bits,
    horner,
    maximum,
    minimum,
    neg,
    power_of_two,
    rint,
    select,
    sqrt,
    to_float32,
    to_float64,
)

f64, i64 = np.float64, np.int64

ZERO, HALF, ONE, TWO = f64(0), f64(0.5), f64(1), f64(2)
INF, NAN = f64(np.inf), f64(np.nan)
MAGIC = f64(1.5 * 2**52)  # x + MAGIC has no fraction, and its bits end in the whole number next to x
MAGIC_BITS, I0, I1, I2, I32, I52, I62 = bits(MAGIC), *map(i64, (0, 1, 2, 32, 52, 62))

# ---- powers of e

LOG2E, LN2 = f64(1.4426950408889634), f64(0.6931471805599453)
EXP_LOW, EXP_HIGH = f64(-700.0), f64(700.0)
EXP = tuple(f64(1 / factorial(k)) for k in range(9, 0, -1))


def rough_exp_less_float64(x, c):
    """e**x - c for c = 0 or 1. x = n ln 2 + r with |r| below half of ln 2, and e**x = 2**n + 2**n (e**r - 1)."""
    x = clamp(EXP_LOW, x, EXP_HIGH)
    m = fma(x, LOG2E, MAGIC)
    r = fma(neg(m - MAGIC), LN2, x)
    scale = power_of_two(bits(m) - MAGIC_BITS)
    return fma(scale, horner(r, EXP) * r, scale - c)


def expm1_float32(x):
    """e**x - 1: 0.51 ulp."""
    return copysign(to_float32(rough_exp_less_float64(to_float64(x), ONE)), x)


def exp2_float32(x):
    """2 to the x: 0.51 ulp."""
    return to_float32(rough_exp_less_float64(to_float64(x) * LN2, ZERO))


def sinh_float32(x):
    """The hyperbolic sine, (e**x - e**-x) / 2: 0.51 ulp."""
    less = rough_exp_less_float64(abs(to_float64(x)), ONE)
    return copysign(to_float32(HALF * (less + less / (less + ONE))), x)


def cosh_float32(x):
    """The hyperbolic cosine, (e**x + e**-x) / 2: 0.51 ulp."""
    power = rough_exp_less_float64(abs(to_float64(x)), ZERO)
    return to_float32(HALF * (power + ONE / power))


# ---- logarithms

SQRT_HALF, MANTISSA = bits(f64(0.5**0.5)), i64(2**52 - 1)
ATANH = tuple(f64(2 / k) for k in range(15, 0, -2))
NEAR_ZERO = f64(2.0**-14)
THIRD, CBRT_START = f64(1 / 3), MAGIC + f64(715094163.0)  # two thirds of the exponent's bias; from FreeBSD's libm


def rough_log_float64(x):
    """The natural logarithm of a normal number. x = m 2**e with m around 1; log m = 2 artanh((m - 1) / (m + 1))."""
    b = bits(x) - SQRT_HALF
    m = from_bits((b & MANTISSA) + SQRT_HALF)
    s = (m - ONE) / (m + ONE)
    r = fma(to_float64(b >> I52), LN2, s * horner(s * s, ATANH))
    return select(x > ZERO, select(x < INF, r, x), select(x == ZERO, neg(INF), NAN))


def log1p_float32(x):
    """log(1 + x): 0.51 ulp."""
    y = to_float64(x)
    return to_float32(select(abs(y) < NEAR_ZERO, fma(neg(HALF) * y, y, y), rough_log_float64(ONE + y)))


def logaddexp_float32(x, y):
    """log(e**x + e**y): 0.51 ulp, or 2**-32 where that is near 0."""
    x, y = to_float64(x), to_float64(y)
    apart = abs(x - y)
    r = maximum(x, y) + rough_log_float64(ONE + rough_exp_less_float64(neg(apart), ZERO))
    return to_float32(select(apart == apart, r, x + y))  # of two infinities, it is their sum


def asinh_float32(x):
    """The inverse hyperbolic sine, log(x + sqrt(x**2 + 1)): 0.51 ulp."""
    y = abs(to_float64(x))
    r = rough_log_float64(y + sqrt(fma(y, y, ONE)))
    return copysign(to_float32(select(y < NEAR_ZERO, y, r)), x)


def acosh_float32(x):
    """The inverse hyperbolic cosine, log(x + sqrt(x**2 - 1)): 0.51 ulp."""
    y = to_float64(x)
    r = rough_log_float64(y + sqrt(fma(y, y, neg(ONE))))
    return to_float32(select(y < ONE, NAN, r))


def atanh_float32(x):
    """The inverse hyperbolic tangent, log((1 + x) / (1 - x)) / 2: 0.51 ulp."""
    y = to_float64(x)
    r = HALF * rough_log_float64((ONE + y) / (ONE - y))
    return to_float32(select(abs(y) < NEAR_ZERO, y, r))


def cbrt_float32(x):
    """The cube root: 0.51 ulp. A third of the bits is a third of the exponent, which Halley's steps start from."""
    y = abs(to_float64(x))
    r = from_bits(bits(fma(to_float64(bits(y) >> I32), THIRD, CBRT_START)) << I32)
    r = r * fma(r * r, r, TWO * y) / fma(TWO * r * r, r, y)
    r = r * fma(r * r, r, TWO * y) / fma(TWO * r * r, r, y)
    return copysign(to_float32(select((y > ZERO) & (y < INF), r, y)), x)


def pow_float32(x, y):
    """x to the power y: 0.51 ulp. A negative x has powers where y is whole, and they are negative where it is odd."""
    x, y = to_float64(x), to_float64(y)
    log = rough_log_float64(abs(x))
    r = rough_exp_less_float64(select((log == ZERO) | (y == ZERO), ZERO, log * y), ZERO)  # 1 also for NaN
    whole, half = floor(y), HALF * y
    r = select((whole == y) & (floor(half) < half), copysign(r, x), r)
    return to_float32(select((x < ZERO) & (log < INF) & (whole != y), NAN, r))


# ---- angles

(P0, Q0), (P1, Q1), (P2, Q2), (P3, Q3) = (without_first(bits, 2) for bits in (0, 24, 50, 76))  # of 2/pi
S1, S2, S3 = f64(2.0**49), f64(2.0**75), f64(2.0**101)
SIN = tuple(f64((-1) ** k * (pi / 2) ** (2 * k + 1) / factorial(2 * k + 1)) for k in range(5, -1, -1))
COS = tuple(f64((-1) ** k * (pi / 2) ** (2 * k) / factorial(2 * k)) for k in range(6, -1, -1))


def rough_sin_float64(x, more):
    """The sine of x and `more` quarter turns.

    x = (n + r) pi/2 with a whole n and |r| up to a half. Of x * 2/pi only n modulo 4 and r matter; so for a large x,
    whose last bit stands far above the point, the first bits of 2/pi may be left out: they make multiples of 4.
    What is left is kept as two floats, for r may be tiny (Payne and Hanek's reduction).
    """
    size = abs(x)
    high = select(size < S1, P0, select(size < S2, P1, select(size < S3, P2, P3)))
    low = select(size < S1, Q0, select(size < S2, Q1, select(size < S3, Q2, Q3)))
    turns = x * high
    m = turns + MAGIC
    n = m - MAGIC
    r = (turns - n) + fma(x, low, fma(x, high, neg(turns)))
    quarter = bits(m + more)
    z = r * r
    y = select((quarter & I1) == I0, horner(z, SIN) * r, horner(z, COS))
    return from_bits(bits(y) ^ ((quarter & I2) << I62))


def sin_float32(x):
    """The sine, of numbers of any size: 0.51 ulp."""
    y = to_float64(x)
    return to_float32(select(y == ZERO, y, rough_sin_float64(y, ZERO)))


def cos_float32(x):
    """The cosine, of numbers of any size: 0.51 ulp."""
    return to_float32(rough_sin_float64(to_float64(x), ONE))


def tan_float32(x):
    """The tangent, of numbers of any size: 0.51 ulp."""
    y = to_float64(x)
    return to_float32(select(y == ZERO, y, rough_sin_float64(y, ZERO) / rough_sin_float64(y, ONE)))


HALF_PI, PI = f64(pi / 2), f64(pi)
# Of t**23, t**21, ... t: fitted to atan t for t from 0 to 1.
ATAN = tuple(map(f64, (
    -0.0006847937820851003, 0.004850941463860566, -0.016111700265456663, 0.034209636052273576, -0.054279131227252204,
    0.0724571958271071, -0.08980239518764262, 0.11093241339849244, -0.1428398076749586, 0.19999912051789603,
    -0.33333331571217545, 0.9999999999412365,
)))  # fmt: skip


def rough_angle_float64(y, x):
    """The angle of the point (x, y): its tangent is y / x."""
    across, up = abs(x), abs(y)
    small, large = minimum(across, up), maximum(across, up)
    t = select(small == large, select(small == ZERO, ZERO, ONE), small / large)  # for 0 / 0 and inf / inf
    r = horner(t * t, ATAN) * t
    r = select(up > across, HALF_PI - r, r)
    r = select(bits(x) < I0, PI - r, r)
    return copysign(r, y)


def atan2_float32(y, x):
    """The angle of the point (x, y): 0.51 ulp."""
    return to_float32(rough_angle_float64(to_float64(y), to_float64(x)))


def atan_float32(x):
    """The inverse tangent: 0.51 ulp."""
    return to_float32(rough_angle_float64(to_float64(x), ONE))


def asin_float32(x):
    """The inverse sine: 0.51 ulp."""
    y = to_float64(x)
    return to_float32(rough_angle_float64(y, sqrt((ONE - y) * (ONE + y))))


def acos_float32(x):
    """The inverse cosine: 0.51 ulp."""
    y = to_float64(x)
    return to_float32(rough_angle_float64(sqrt((ONE - y) * (ONE + y)), y))


# ---- the error function

ERFC_CLAMP, ERFC_ONE = f64(10.5), f64(3)
# Of q**12, q**11, ... 1: fitted to (1 + 2 x) e**(x**2) erfc(x), q = (x - 3) / (x + 3), x from 0 to 10.5.
ERFC = tuple(map(f64, (
    3.268182481978488e-05, 0.00012543980141629276, -0.0001277559362875866, -0.0007896291351069334,
    0.0018950747017212842, 0.0025336601051201193, -0.023771243085747074, 0.06830731618594203, -0.11927363521306983,
    0.1296452061488621, -0.04756229451135981, -0.13562110701638327, 1.2530080582700611,
)))  # fmt: skip


def erfc_float32(x):
    """1 - erf(x), exact where that is tiny: 0.51 ulp."""
    y = to_float64(x)
    size = minimum(abs(y), ERFC_CLAMP)
    scaled = horner((size - ERFC_ONE) / (size + ERFC_ONE), ERFC) / fma(TWO, size, ONE)
    r = scaled * rough_exp_less_float64(neg(size * size), ZERO)
    return to_float32(select(y < ZERO, TWO - r, r))


# ---- the gamma function

HALF_LOG_2PI, LOG_PI = f64(0.9189385332046727), f64(1.1447298858494002)
THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, ROOT3 = map(f64, (3, 4, 5, 6, 7, 8, 3**0.5))
# Of q**10, q**9, ... 1: fitted to log gamma(x) / (x - 1) / (x - 2), q = (x - root 3) / (x + root 3), x from 1 to 3.
LGAMMA = tuple(map(f64, (
    0.04998066562108451, -0.06156150549970826, 0.04990823717998725, -0.06521088366758696, 0.06318711347914384,
    -0.09021448469931993, 0.08421529959718155, -0.1447966431173131, 0.12726680153963377, -0.41949723352001106,
    0.4522983645119317,
)))  # fmt: skip
STIRLING = tuple(map(f64, (-1 / 1680, 1 / 1260, -1 / 360, 1 / 12)))
DIGAMMA = tuple(map(f64, (691 / 32760, -1 / 132, 1 / 240, -1 / 252, 1 / 120, -1 / 12)))


def less_or_one_float64(y, j, k):
    """y - j, or 1 where j is above k."""
    return select(j <= k, y - j, ONE)


def rough_lgamma_float64(y):
    """log gamma(y) of a positive y: Stirling's series from 8 on; below, gamma(y + 1) = y gamma(y) leads to 1 .. 3."""
    k = clamp(ZERO, floor(y) - TWO, FIVE)
    p = less_or_one_float64(y, ONE, k) * less_or_one_float64(y, TWO, k) * less_or_one_float64(y, THREE, k)
    p = p * less_or_one_float64(y, FOUR, k) * less_or_one_float64(y, FIVE, k)
    small, large = y < ONE, y >= EIGHT
    w = select(small, y + ONE, y - k)
    log = rough_log_float64(select(small | large, y, p))
    q = (w - ROOT3) / (w + ROOT3)
    near = horner(q, LGAMMA) * (w - ONE) * (w - TWO) + select(small, neg(log), log)
    z = ONE / y
    return select(large, fma(y - HALF, log, HALF_LOG_2PI - y) + horner(z * z, STIRLING) * z, near)


def rough_half_sine_float64(r):
    """The sine of half of r half turns, for |r| up to 1/2."""
    return horner(r * r, SIN) * r


def rough_half_cosine_float64(r):
    return horner(r * r, COS)


def lgamma_float32(x):
    """log |gamma(x)|: 0.51 ulp above 0, 8 ulp below. There gamma(y) gamma(-y) = -pi / (y sin(pi y))."""
    x = to_float64(x)
    y = abs(x)
    r = y - rint(y)
    sine = TWO * abs(rough_half_sine_float64(r)) * rough_half_cosine_float64(r)
    above = rough_lgamma_float64(y)
    below = LOG_PI - rough_log_float64(y * sine) - above
    return to_float32(select(y == INF, y, select(x < ZERO, below, above)))


def digamma_float32(x):
    """The derivative of log gamma: 0.51 ulp above 0, 2.5 at its zero there; 65 ulp at the zeros below.

    From 8 on it has a series; digamma(y + 8) = digamma(y) + 1 / y + ... + 1 / (y + 7) leads there.
    """
    x = to_float64(x)
    y = abs(x)
    small = y < EIGHT
    z = select(small, y + EIGHT, y)
    n1, d1 = y + y + ONE, y * (y + ONE)  # 1 / y + 1 / (y + 1) = n1 / d1; and so on
    u, v, w = y + TWO, y + FOUR, y + SIX
    n2, d2 = u + u + ONE, u * (u + ONE)
    n3, d3 = v + v + ONE, v * (v + ONE)
    n4, d4 = w + w + ONE, w * (w + ONE)
    n12, d12, n34, d34 = fma(n1, d2, n2 * d1), d1 * d2, fma(n3, d4, n4 * d3), d3 * d4
    steps = fma(n12, d34, n34 * d12) / (d12 * d34)
    t = ONE / z
    series = fma(horner(t * t, DIGAMMA) * t, t, neg(HALF) * t)
    r = log_float64(z) + series - select(small, steps, ZERO)
    part = y - rint(y)
    sine, cosine = rough_half_sine_float64(part), rough_half_cosine_float64(part)
    below = r + ONE / y + PI * (cosine * cosine - sine * sine) / (TWO * sine * cosine)
    return to_float32(select(x > ZERO, r, select(part == ZERO, NAN, below)))
