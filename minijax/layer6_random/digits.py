"""Functions with JAX's own digits, for kernels and, on arrays, for what is interpreted.

Noise is often the logarithm of a logarithm near 1, or a difference of logarithms, where each digit counts. JAX has
polynomials for float32; for float64 it asks the C library, and has quotients of polynomials (from Cephes) for the rest.
"""

import numpy as np

from ..layer2_jit.digits64 import HALF, INF, ONE, jax_log1p_float64
from ..layer2_jit.maths import (
    INF as INF32,
    NAN,
    TINY,
    ZERO,
    erf_float32,
    exp_float32,
    jax_log1p_float32,
    jax_log_float32,
)
from ..layer2_jit.rounded import lgamma_float32, pow_float32
from ..layer2_jit.scalars import (
    bits,
    clamp,
    floor,
    fma,
    horner,
    library_erf,
    library_log,
    library_pow,
    neg,
    power_of_two,
    select,
    sqrt,
    to_float32,
    to_float64,
)

f32, f64, i64 = np.float32, np.float64, np.int64

# ---- squares


def rounded_square_float32(x):
    """x * x, rounded before it is added to another number. LLVM would make one step of both, but for the selection."""
    return select(x == x, x * x, x)


def rounded_square_float64(x):
    """The same of float64."""
    return select(x == x, x * x, x)


# ---- float32


def noise_log_float32(x):
    """The natural logarithm: -inf for what is no normal number above 0."""
    r = select(x < TINY, neg(INF32), select(x == INF32, INF32, jax_log_float32(x)))
    return select(x < ZERO, NAN, select(x == x, r, x))


def noise_log1p_float32(x):
    """log(1 + x)."""
    return select(x == x, select(x == INF32, INF32, jax_log1p_float32(x)), x)


def noise_exp_float32(x):
    """e to the x."""
    return exp_float32(x)


def noise_pow_float32(x, y):
    """x to the power y."""
    return pow_float32(x, y)


def noise_erf_float32(x):
    """The error function."""
    return erf_float32(x)


def noise_rsqrt_float32(x):
    """1 / sqrt(x), rounded once. (JAX's begins with the processor's own approximation, and ends 1 ulp off at times.)"""
    return to_float32(ONE / sqrt(to_float64(x)))


L0, L1, L2, L3, L4, L5, L6, L7, L8 = map(f32, (
    0.99999999999980993, 676.520368121885099, -1259.13921672240287, 771.323428777653079, -176.615029162140599,
    12.5073432786869048, -0.138571095265720117, 9.98436957801957086e-6, 1.50563273514931156e-7,
))  # fmt: skip
G, LOG_G, ONE_BY_G, HALF_LOG_2PI = f32(7.5), f32(np.log(7.5)), f32(1 / 7.5), f32(np.log(2 * np.pi) / 2)
N1, N2, N3, N4, N5, N6, N7, N8 = map(f32, range(1, 9))
HALF32 = f32(0.5)


def noise_lgamma_float32(x):
    """log |gamma(x)|. JAX has Lanczos' sum of quotients, which is an ulp or two off; below 1/2 the digits are not its.

    Where it is large and something of its size is taken away, that ulp decides.
    """
    y = select(x < HALF32, N1, select(x == INF32, N1, x))
    z = y - N1
    s = L0 + L1 / (z + N1) + L2 / (z + N2) + L3 / (z + N3) + L4 / (z + N4)
    s = s + L5 / (z + N5) + L6 / (z + N6) + L7 / (z + N7) + L8 / (z + N8)
    log_t = LOG_G + noise_log1p_float32(z * ONE_BY_G)
    above = fma(z + HALF32 - (z + G) / log_t, log_t, HALF_LOG_2PI) + noise_log_float32(s)
    return select(x < HALF32, lgamma_float32(x), select(x == INF32, x, above))


# ---- float64

LOG2E = f64(1.4426950408889634)
LN2_HIGH, LN2_LOW = f64(6.93145751953125e-1), f64(1.42860682030941723212e-6)
EXP_LOW, EXP_HIGH, EXP_ZERO = f64(-708.39641853226408), f64(709.78271289338397), f64(0)
EXP_ABOVE = tuple(map(f64, (1.26177193074810590878e-4, 3.02994407707441961300e-2, 1.0)))
EXP_BELOW = tuple(map(f64, (
    3.00198505138664455042e-6, 2.52448340349684104192e-3, 2.27265548208155028766e-1, 2.0,
)))  # fmt: skip
MAGIC = f64(1.5 * 2**52)  # x + MAGIC has no fraction, and its bits end in the whole number x
MAGIC_BITS, I1 = bits(MAGIC), i64(1)


def noise_log_float64(x):
    """The natural logarithm."""
    return library_log(x)


def noise_log1p_float64(x):
    """log(1 + x)."""
    return select(x < INF, jax_log1p_float64(x), x)


def noise_exp_float64(x):
    """e to the x, 0 where that is no normal number. x = n ln 2 + r, and e**r = 1 + 2 a / (b - a)."""
    y = clamp(EXP_LOW, x, EXP_HIGH)
    n = floor(fma(y, LOG2E, HALF))
    r = fma(n, neg(LN2_LOW), fma(n, neg(LN2_HIGH), y))
    z = r * r
    a = horner(z, EXP_ABOVE) * r
    q = a / (horner(z, EXP_BELOW) - a)
    k = bits(n + MAGIC) - MAGIC_BITS
    half = k >> I1
    p = ((q + q + ONE) * power_of_two(half)) * power_of_two(k - half)  # in two steps: 2**n alone may be too large
    return select(x < EXP_LOW, EXP_ZERO, select(x > EXP_HIGH, INF, p))


def noise_pow_float64(x, y):
    """x to the power y."""
    return library_pow(x, y)


def noise_rsqrt_float64(x):
    """1 / sqrt(x)."""
    return ONE / sqrt(x)


def noise_erf_float64(x):
    """The error function."""
    return library_erf(x)
