"""The elementary functions are as exact as they say, for floats of any size, and integer operations have no edges."""

import zlib
from decimal import Decimal, localcontext

import numpy as np
import pytest
import scipy.special

import minijax as jax
from minijax import lax
from minijax.layer1_core.evaluate import interpret
from minijax.layer2_jit import gamma_slopes, maths, maths64, rounded
from minijax.layer2_jit.compiler import Program
from minijax.layer2_jit.lowering import CALLED, lowering_of

WIDE = {"float32": np.float64, "float64": np.longdouble}
wider = pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="the reference needs a float wider than float64")

logistic = lambda x: 1 / (1 + np.exp(-x))

# Of each function: its exact form, and the largest error allowed for float32 and for float64, in ulp.
FUNCTIONS = {
    "exp": (np.exp, 1.0, 1.0),
    "exp2": (np.exp2, 0.51, 1.0),
    "expm1": (np.expm1, 0.51, 1.8),
    "logistic": (logistic, 2.4, 2.4),
    "tanh": (np.tanh, 4.7, 2.6),
    "sinh": (np.sinh, 0.51, 2.4),
    "cosh": (np.cosh, 0.51, 1.5),
    "log": (np.log, 0.9, 0.7),
    "log1p": (np.log1p, 0.53, 1.5),
    "asinh": (np.arcsinh, 0.51, 2.1),
    "acosh": (np.arccosh, 0.51, 2.5),
    "atanh": (np.arctanh, 0.51, 2.3),
    "cbrt": (np.cbrt, 0.51, 0.8),
    "sin": (np.sin, 0.51, 0.8),
    "cos": (np.cos, 0.51, 0.8),
    "tan": (np.tan, 0.51, None),
    "asin": (np.arcsin, 0.51, None),
    "acos": (np.arccos, 0.51, None),
    "atan": (np.arctan, 0.51, 2.2),
    "erf": (scipy.special.erf, 5.2, None),
    "erfc": (scipy.special.erfc, 0.51, None),
    "lgamma": (lambda x: np.where(np.isinf(x), np.inf, scipy.special.gammaln(x)), 8, None),
    "digamma": (lambda x: np.where((x <= 0) & (x == np.floor(x)), np.nan, scipy.special.digamma(x)), 65, None),
    "pow": (np.power, 0.51, 0.6),
    "atan2": (np.arctan2, 0.51, None),
}
CASES = [(name, dtype) for name, row in FUNCTIONS.items() for dtype, most in zip(WIDE, row[1:], strict=True) if most]
each_function = pytest.mark.parametrize(("name", "dtype"), CASES)

EDGES = [0, 1, 0.5, 2, 3, 2.5, 20, 88.72, 88.73, 103.9, 709.78, 710.4, 710.48, 745.1, 1e-8, 1e-40, 5e-324, 3e38, 1e308]
EDGES = np.array([*EDGES, 2**24 + 1, 2**25 + 2, 2**53, np.inf])
EDGES = np.array([*EDGES, *-EDGES, np.nan])


def compiled(fun, *xs):
    """What the machine makes of a function of arrays. Refuses what is not one kernel."""
    jaxpr = jax.make_jaxpr(fun)(*xs)
    assert CALLED not in [lowering_of(eqn) for eqn in jaxpr.eqns]
    return Program(jaxpr)(xs)[0]


def floats(dtype, seed, count=20_000):
    """Numbers of all sizes and near what is special: random bits, around 0, 1 and -1, multiples of pi / 4, edges."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 2 ** (8 * dtype.itemsize), 2 * count, dtype=f"u{dtype.itemsize}").view(dtype)
    sizes = np.exp(rng.uniform(-40, 40, count))
    spread = [*(rng.uniform(-most, most, count) for most in (1, 10, 100, 750)), rng.normal(size=count)]
    near = np.exp(rng.uniform(-36, 0, count))
    signs = rng.choice([-1, 1], count)
    angles = np.arange(-3000, 3000) * (np.pi / 4)
    with np.errstate(all="ignore"):
        found = [words, sizes * signs, *spread, 1 + near * signs, -1 + near * signs, angles, EDGES]
        return np.concatenate([x.astype(dtype) for x in found])


def operands(name, dtype):
    """The arrays that a function is tried on: a second one stands beside the first in another order."""
    dtype = np.dtype(dtype)
    if name not in ("pow", "atan2"):
        return [floats(dtype, 0)]
    x, y, count = floats(dtype, 1), floats(dtype, 2), 50_000
    rng = np.random.default_rng(3)
    below, above = np.exp(rng.uniform(-20, 20, count)), rng.normal(size=count) * 4
    with np.errstate(all="ignore"):
        first, second = map(np.ravel, np.meshgrid(EDGES.astype(dtype), EDGES.astype(dtype)))
    whole = np.round(above)
    x = np.concatenate([x, below, -below, below, first]).astype(dtype)
    return [x, np.concatenate([rng.permutation(y), above, whole, -above, second]).astype(dtype)]


def error(got, exact):
    """How far results are from the exact ones, in units in the last place of these; infinite for what cannot be."""
    want = exact.astype(got.dtype)
    away = np.abs(got - exact) / np.spacing(np.abs(want)).astype(exact.dtype)
    same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
    return np.where(np.isfinite(away) & (exact != 0), away, np.where(same, 0, np.inf))


@wider
@each_function
def test_the_error_is_within_its_bound(name, dtype):
    with jax.enable_x64(True), np.errstate(all="ignore"):
        xs = operands(name, dtype)
        exact, *bounds = FUNCTIONS[name]
        got = compiled(getattr(lax, name), *xs)
        want = exact(*(x.astype(WIDE[dtype]) for x in xs))
        found = error(got, want)
    if name == "logistic":  # exp(-x) is infinite already where the result is subnormal
        found = np.where(np.abs(want) < np.finfo(dtype).tiny, 0, found)
    worst = int(found.argmax())
    assert found[worst] <= bounds[dtype == "float64"], [x[worst] for x in xs]


@pytest.mark.parametrize(("fun", "exact"), [(lax.lgamma, scipy.special.gammaln), (lax.digamma, scipy.special.digamma)])
def test_above_zero_the_functions_of_gamma_are_rounded_once(fun, exact):
    x = np.concatenate([floats(np.dtype("float32"), 4), np.linspace(0.5, 20, 200_001)]).astype(np.float32)
    x = x[(x > 0) & (abs(x - 1.4616321) > 1e-5)]  # where digamma is 0, it has other digits
    with np.errstate(all="ignore"):
        assert error(compiled(fun, x), exact(x.astype(np.float64))).max() <= 0.51


def test_the_inverse_of_erf_is_as_exact_as_that_of_jax():
    x = operands("erf_inv", "float32")[0]
    x = x[(np.abs(x) < 1) & (np.abs(x) > 1e-37)]
    want = scipy.special.erfinv(x.astype(np.float64))
    assert error(compiled(lax.erf_inv, x), want).max() <= 65
    ends = np.array([1, -1, 0.0, -0.0, 2, -2, np.nan], np.float32)
    np.testing.assert_array_equal(compiled(lax.erf_inv, ends), np.array([np.inf, -np.inf, 0, 0, *[np.nan] * 3]))


def test_the_inverse_of_erf_has_the_bits_of_jax():
    x = (np.arange(-32767, 32768) / 32768).astype(np.float32)
    assert zlib.crc32(compiled(lax.erf_inv, x).tobytes()) == CHECKSUM  # of what JAX 0.11.0 computes on a CPU


CHECKSUM = 1962505243


@wider
def test_angles_next_to_a_multiple_of_a_quarter_turn_keep_their_digits():
    nearest = {"float64": [6381956970095103 * 2.0**797, 6381956970095103 * 2.0**798], "float32": [16367173 * 2.0**72]}
    for dtype, x in nearest.items():
        x = np.array([*x, np.pi / 2, np.pi, 11 * np.pi, 355, 103993], dtype)
        with jax.enable_x64(True):
            for fun, exact in ((lax.sin, np.sin), (lax.cos, np.cos)):
                assert error(compiled(fun, x), exact(x.astype(np.longdouble))).max() <= 0.8


# ---- float64: erf and its complement, against numbers of 400 digits


def erf_and_complement(x):
    """erf(x) = 2 / sqrt(pi) e**-x**2 (x + 2 x**3 / 3 + 4 x**5 / 15 + ...), a sum of positive terms; and 1 less it."""
    with localcontext() as context:
        context.prec = 400
        x = Decimal(x)
        term = total = x
        k = 1
        while abs(term) > abs(total) * Decimal(10) ** -390:
            term *= 2 * x * x / (2 * k + 1)
            total, k = total + term, k + 1
        found = 2 * total * (-x * x).exp() / PI.sqrt()
        return float(found), float(1 - found)


def pi_to(digits):
    """16 atan(1/5) - 4 atan(1/239), by Machin, in whole numbers."""
    one = 10 ** (digits + 10)

    def atan_inverse(n):
        power, total, k = one // n, 0, 1
        while power:
            total += (-power if k & 2 else power) // k
            power, k = power // (n * n), k + 2
        return total

    return Decimal(16 * atan_inverse(5) - 4 * atan_inverse(239)) / one


with localcontext() as _context:
    _context.prec = 420
    PI = pi_to(400)


@pytest.mark.parametrize(("name", "most"), [("erf", 1.2), ("erfc", 4.2)])
def test_the_error_function_of_float64_is_within_its_bound(name, most):
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(0, 1.2, 60), rng.uniform(0, 26, 40), -rng.uniform(0, 6, 20), [1e-9, 1e-300, 0.95]])
    want = np.array([erf_and_complement(float(v))[name == "erfc"] for v in x])
    with jax.enable_x64(True):
        got = compiled(getattr(lax, name), x)
        ends = compiled(getattr(lax, name), np.array([np.inf, -np.inf, np.nan, 0.0, -0.0]))
    assert (np.abs(got - want) / np.spacing(np.abs(want))).max() <= most
    expected = {"erf": [1, -1, np.nan, 0, -0.0], "erfc": [0, 2, np.nan, 1, 1]}[name]
    np.testing.assert_array_equal(ends, expected)


# ---- what is exact


EXACT = [
    ("exp", [0, -0.0], [1, 1]),
    ("exp2", [0, 1, 10, -10], [1, 2, 1024, 1 / 1024]),
    ("log", [1], [0]),
    ("cos", [0], [1]),
    ("cosh", [0], [1]),
    ("cbrt", [8, -27, 1000], [2, -3, 10]),
    ("logistic", [0], [0.5]),
    ("acos", [1, -1], [0, np.pi]),
    ("erfc", [0], [1]),
]


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize(("name", "x", "want"), EXACT)
def test_what_is_exact_comes_out_exactly(name, x, want, dtype):
    with jax.enable_x64(True):
        got = Program(jax.make_jaxpr(getattr(lax, name))(np.array(x, dtype)))([np.array(x, dtype)])[0]
    assert got.tolist() == np.array(want, dtype).tolist()


# ---- the same text in Python alone


@pytest.mark.parametrize(("name", "dtype"), [*CASES, ("erf_inv", "float32"), ("erf", "float64"), ("erfc", "float64")])
def test_the_same_text_computes_the_same_in_python_alone(name, dtype):
    fun = next(vars(m)[f"{name}_{dtype}"] for m in (maths, rounded, maths64) if f"{name}_{dtype}" in vars(m))
    with jax.enable_x64(True), np.errstate(all="ignore"):
        xs = [np.concatenate([x[:: len(x) // 60], EDGES.astype(dtype)]) for x in operands(name, dtype)]
        want = compiled(getattr(lax, name), *xs)
        got = np.array([fun(*values) for values in zip(*xs, strict=True)])
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)
    assert np.array_equal(np.signbit(got[got == 0]), np.signbit(want[got == 0]))


# ---- whole numbers: as the impl rules have them, bit for bit


def same_as_interpreted(fun, *xs):
    with jax.enable_x64(True), np.errstate(all="ignore"):
        got, want = compiled(fun, *xs), interpret(jax.make_jaxpr(fun)(*xs))(xs)[0]
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)
    if got.dtype.kind == "f":
        numbers = got == got
        assert np.array_equal(np.signbit(got[numbers]), np.signbit(want[numbers]))


WHOLE = [f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)]
each_whole = pytest.mark.parametrize("dtype", WHOLE)


def wholes(dtype):
    """Small numbers, widths and their neighbours, the ends of the range, and numbers of all sizes."""
    info, rng = np.iinfo(dtype), np.random.default_rng(0)
    ends = [info.min, info.min + 1, info.max, info.max - 1, info.max // 2 + 1]
    small = [
        0,
        1,
        2,
        3,
        7,
        10,
        info.bits - 1,
        info.bits,
        info.bits + 1,
        *((-1, -2, -3, -info.bits) if info.min else ()),
    ]
    spread = rng.integers(info.min, info.max, 40, dtype=dtype, endpoint=True)
    return np.concatenate([np.array(ends, dtype), np.array(small, dtype), spread, spread >> dtype_shift(dtype, rng)])


def dtype_shift(dtype, rng):
    return rng.integers(0, np.iinfo(dtype).bits, 40).astype(dtype)


@each_whole
@pytest.mark.parametrize("name", "div rem mulhi shift_left shift_right_logical shift_right_arithmetic".split())
def test_operations_on_two_whole_numbers_have_no_edges(name, dtype):
    x, y = map(np.ravel, np.meshgrid(wholes(dtype), wholes(dtype)))
    same_as_interpreted(getattr(lax, name), x, y)


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint32", "int64"])
@pytest.mark.parametrize("name", "div rem shift_left shift_right_logical shift_right_arithmetic".split())
def test_nor_have_they_for_one_number_alone(name, dtype):
    info = np.iinfo(dtype)
    for x in (info.min, 100):
        for y in (0, info.bits, info.bits + 1, info.max, -1 if info.min else info.max - 1):
            same_as_interpreted(getattr(lax, name), np.array(x, dtype), np.array(y, dtype))


@each_whole
def test_a_quotient_is_right_beside_each_multiple(dtype):
    y, q = map(np.ravel, np.meshgrid(wholes(dtype), wholes(dtype)))
    with np.errstate(all="ignore"):
        x = np.concatenate([y * q, y * q + y.dtype.type(1), y * q - y.dtype.type(1)])
    for fun in (lax.div, lax.rem):
        same_as_interpreted(fun, x, np.tile(y, 3))


@each_whole
def test_operations_on_one_whole_number_have_no_edges(dtype):
    for fun in (lax.population_count, lax.clz, lambda x: lax.integer_pow(x, 13)):
        same_as_interpreted(fun, wholes(dtype))


# ---- floats without rounding


def near_whole(dtype):
    """Floats beside whole numbers, halves and the ends of the integer types."""
    dtype = np.dtype(dtype)
    powers = [2.0**k for k in (0, 7, 8, 15, 16, 22, 23, 24, 31, 32, 51, 52, 53, 63, 64)]
    found = np.array([0.5, 1.5, 2.5, 3.7, 100, 1e-40, *powers], dtype)
    with np.errstate(all="ignore"):
        beside = [np.nextafter(found, dtype.type(side)) for side in (-np.inf, np.inf)]
        found = np.concatenate([found, *beside, found + dtype.type(0.5), floats(dtype, 5, 50), EDGES.astype(dtype)])
    return np.concatenate([found, -found])


@pytest.mark.parametrize("dtype", WIDE)
def test_floats_become_whole_numbers_at_all_edges(dtype):
    x = near_whole(dtype)
    for method in (0, 1):
        same_as_interpreted(lambda x, m=method: lax.round(x, m), x)
    for target in WHOLE:
        same_as_interpreted(lambda x, t=target: lax.convert_element_type(x, t), x)


@pytest.mark.parametrize("dtype", WIDE)
def test_what_is_left_over_and_what_is_next_have_no_edges(dtype):
    x, y = map(np.ravel, np.meshgrid(near_whole(dtype)[::9], near_whole(dtype)[::7]))
    for fun in (lax.rem, lax.nextafter):
        same_as_interpreted(fun, x, y)


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("y", [-100, -7, -2, -1, 0, 1, 5, 6, 13, 100])
def test_whole_powers_multiply_in_the_same_order(y, dtype):
    same_as_interpreted(lambda x: lax.integer_pow(x, y), near_whole(dtype))


def test_a_power_may_be_an_array_of_whole_numbers():
    x, y = map(
        np.ravel, np.meshgrid(np.float32([0, -0.0, 1, -1, 2, -3, 0.5, np.inf, -np.inf]), np.int32([-3, -2, 0, 1, 4]))
    )
    same_as_interpreted(lax.pow, x, y)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_a_selector_out_of_range_takes_the_nearest_case(count):
    which = np.array([-(2**31), -1, 0, 1, 2, 3, 4, 5, 2**31 - 1], np.int32)
    cases = [np.arange(9.0) + 10 * k for k in range(count)]
    same_as_interpreted(lax.select_n, which, *cases)
    same_as_interpreted(lambda *cases: lax.select_n(np.int32(1), *cases), *cases)


# ---- series with loops


@pytest.mark.parametrize("dtype", WIDE)
def test_the_slope_of_a_gamma_number_is_the_same_compiled_interpreted_and_in_python_alone(dtype):
    rng = np.random.default_rng(0)
    a = np.exp(rng.uniform(-4, 5, 400))
    x = np.where(np.arange(400) % 5, rng.gamma(a), a * rng.uniform(0.01, 5, 400))
    outside = [(0, 1), (-1, 1), (np.nan, 1), (1, np.nan), (1, np.inf), (np.inf, 1), (1, -1)]
    edges = [*outside, (1, 0), (2, 1e30), (1e-8, 1e-8)]
    a, x = (np.append(v, e).astype(dtype) for v, e in zip((a, x), zip(*edges, strict=True), strict=True))
    with jax.enable_x64(True), np.errstate(all="ignore"):
        fun = lax.random_gamma_grad
        got, want = compiled(fun, a, x), interpret(jax.make_jaxpr(fun)(a, x))([a, x])[0]
        alone = [vars(gamma_slopes)[f"random_gamma_grad_{dtype}"](*pair) for pair in zip(a[-20:], x[-20:], strict=True)]
    np.testing.assert_allclose(got, want, rtol=1e-6 if dtype == "float32" else 1e-9)
    assert np.isnan(got[-10:]).tolist() == [True] * len(outside) + [False] * 3
    np.testing.assert_allclose(got[-20:], alone, rtol=1e-6 if dtype == "float32" else 1e-13)
