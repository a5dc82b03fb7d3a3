"""The cases over which the laws are tested: one list, to which every layer's laws apply.

A case is a function of arrays and the types of its arguments. Its values are drawn from `domain`, always the
same ones. Add a primitive, and add its cases here: each law then holds it to all its obligations.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import minijax as jax
import minijax.numpy as jnp
from minijax import lax

Type = tuple[tuple[int, ...], str]  # (shape, dtype), such as ((2, 3), "float32")


@dataclass(frozen=True)
class Case:
    """`fun` at arguments of these types, with values from `domain` (low, high)."""

    name: str
    fun: Callable[..., Any]
    types: tuple[Type, ...]
    domain: tuple[float, float] = (-2.0, 2.0)
    tags: frozenset[str] = field(default_factory=frozenset)

    def values(self) -> list[np.ndarray]:
        """The example arguments, the same in every run."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return [draw(rng, shape, dtype, self.domain) for shape, dtype in self.types]

    def __str__(self) -> str:
        return self.name


def draw(rng: np.random.Generator, shape: tuple[int, ...], dtype: str, domain: tuple[float, float]) -> np.ndarray:
    """An array of this type with values in [low, high); integers and truth values too."""
    low, high = domain
    kind = jnp.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind in "iu":
        return rng.integers(0 if kind == "u" else int(low * 4), int(high * 4), shape).astype(dtype)
    real = rng.uniform(low, high, shape)
    return (real + 1j * rng.uniform(low, high, shape) if kind == "c" else real).astype(jnp.dtype(dtype))


CASES: list[Case] = []


def case(name: str, fun: Callable[..., Any], *types: Type, domain: tuple[float, float] = (-2.0, 2.0)) -> None:
    dtypes = "_".join(f"{dtype}{'x'.join(map(str, shape)) or 's'}" for shape, dtype in types)
    CASES.append(Case(f"{name}-{dtypes}", fun, types, domain))


def f32(*shape: int) -> Type:
    return shape, "float32"


def i32(*shape: int) -> Type:
    return shape, "int32"


SHAPES = [(), (3,), (2, 3), (0, 2)]
FLOATS = ["float32", "float16", "bfloat16", "complex64"]
INTEGERS = ["int32", "int8", "uint8", "uint32"]

# ---- elementwise, one operand

UNARY = ["exp", "exp2", "log1p", "expm1", "sin", "cos", "tanh", "logistic", "asinh", "sinh", "cosh", "square", "neg"]
for name in [*UNARY, "sign", "abs"]:
    for shape in SHAPES:
        case(name, getattr(lax, name), (shape, "float32"), domain=(-0.9, 0.9))
    for dtype in FLOATS[1:]:
        case(name, getattr(lax, name), ((3,), dtype), domain=(-0.9, 0.9))
DOMAINS = {
    "log": (0.1, 3), "sqrt": (0, 4), "rsqrt": (0.1, 4), "acosh": (1, 3), "atanh": (-0.9, 0.9), "asin": (-0.9, 0.9),
    "acos": (-0.9, 0.9), "atan": (-3, 3), "tan": (-1, 1),
}  # fmt: skip
for name, domain in DOMAINS.items():
    for dtype in FLOATS:
        case(name, getattr(lax, name), ((2, 3), dtype), domain=domain)
for name in ["floor", "ceil", "is_finite", "cbrt"]:
    for dtype in FLOATS[:3]:
        case(name, getattr(lax, name), ((5,), dtype))
for name in ["neg", "sign", "square", "population_count", "clz", "bitwise_not"]:
    for dtype in INTEGERS:
        case(name, getattr(lax, name), ((4,), dtype))
for method in (0, 1):
    case(f"round{method}", lambda x, m=method: lax.round(x, m), f32(5), domain=(-3, 3))
for y in (-2, 0, 1, 3):
    case(f"integer_pow{y}", lambda x, y=y: lax.integer_pow(x, y), f32(3), domain=(0.5, 2))
for name in ["real", "imag", "conj"]:
    case(name, getattr(lax, name), ((3,), "complex64"))

# ---- elementwise, two operands

for name in ["add", "sub", "mul", "max", "min"]:
    for shape in SHAPES:
        case(name, getattr(lax, name), (shape, "float32"), (shape, "float32"))
    for dtype in FLOATS[1:] + INTEGERS:
        case(name, getattr(lax, name), ((3,), dtype), ((3,), dtype))
    case(name, getattr(lax, name), f32(2, 3), f32(1, 3))
    case(name, getattr(lax, name), f32(2, 3), f32())
for name in ["div", "rem", "pow", "atan2", "nextafter"]:
    case(name, getattr(lax, name), f32(4), f32(4), domain=(0.5, 3))
case("pow", lax.pow, f32(3), i32(3), domain=(0.5, 1))
for name in ["div", "rem"]:
    for dtype in INTEGERS:
        case(name, getattr(lax, name), ((6,), dtype), ((6,), dtype))
for name in ["bitwise_and", "bitwise_or", "bitwise_xor"]:
    for dtype in [*INTEGERS, "bool"]:
        case(name, getattr(lax, name), ((4,), dtype), ((4,), dtype))
for name in ["mulhi", "shift_left", "shift_right_logical", "shift_right_arithmetic"]:
    for dtype in INTEGERS:
        case(name, getattr(lax, name), ((5,), dtype), ((5,), dtype))
for name in ["eq", "ne", "lt", "le", "gt", "ge"]:
    for dtype in ["float32", "int32", "bool", "bfloat16"]:
        case(name, getattr(lax, name), ((4,), dtype), ((4,), dtype))
case("complex", lax.complex, f32(2), f32(2))

# ---- selection

case("select_n", lax.select_n, ((3,), "bool"), f32(3), f32(3))
case("select_n", lax.select_n, ((), "bool"), f32(2, 2), f32(2, 2))
case("clamp", lax.clamp, f32(), f32(4), f32())
case("clamp", lax.clamp, i32(4), i32(4), i32(4))
case("clamp_each", lax.clamp, f32(6), f32(6), f32(6))

# ---- converting

for old in ["float32", "int32", "uint8", "bool", "bfloat16", "complex64"]:
    for new in ["float32", "int32", "int8", "uint8", "bool", "float16", "bfloat16", "complex64"]:
        case(f"convert_{new}", lambda x, new=new: lax.convert_element_type(x, new), ((3,), old), domain=(0, 2))
case("bitcast", lambda x: lax.bitcast_convert_type(x, "int32"), f32(2, 3))
case("bitcast_narrow", lambda x: lax.bitcast_convert_type(x, "uint8"), f32(3))
case("bitcast_wide", lambda x: lax.bitcast_convert_type(x, "int32"), ((3, 2), "uint16"))
case("reduce_precision", lambda x: lax.reduce_precision(x, 5, 4), f32(4))

# ---- shaping

case("broadcast_in_dim", lambda x: lax.broadcast_in_dim(x, (2, 4, 3), (0, 2)), f32(2, 3))
case("broadcast_scalar", lambda x: lax.broadcast(x, (2, 0)), f32())
case("reshape", lambda x: lax.reshape(x, (3, 2)), f32(2, 3))
case("reshape_permuted", lambda x: lax.reshape(x, (6,), (1, 0)), f32(2, 3))
case("squeeze", lambda x: lax.squeeze(x, (0, 2)), f32(1, 3, 1))
case("expand_dims", lambda x: lax.expand_dims(x, (0, -1)), f32(2))
case("transpose", lambda x: lax.transpose(x, (2, 0, 1)), f32(2, 3, 4))
case("pad", lambda x, v: lax.pad(x, v, [(1, 2, 1), (-1, 0, 0)]), f32(2, 3), f32())
case("concatenate", lambda x, y: lax.concatenate([x, y, x], 1), f32(2, 3), f32(2, 1))
case("stack", lambda x, y: lax.stack([x, y], 1), i32(2, 3), i32(2, 3))
case("stack", lambda x, y: lax.stack([x, y], 0), f32(2, 3), f32(2, 3))
case("unstack", lambda x: lax.unstack(x, 1), f32(2, 3))
case("split", lambda x: lax.split(x, (1, 0, 2), 1), f32(2, 3))
case("tile", lambda x: lax.tile(x, (2, 3)), f32(2, 1))
case("iota", lambda x: lax.add(x, lax.broadcasted_iota(x.dtype, (2, 3), 1)), f32(2, 3))
case("full", lambda x: lax.full((2, 2), x), f32())

# ---- reducing

for name in ["reduce_sum", "reduce_prod", "reduce_max", "reduce_min"]:
    for dtype in ["float32", "bfloat16", "int32", "int8"]:
        for axes in [(), (0,), (0, 1)]:
            case(f"{name}{axes}", lambda x, n=name, a=axes: getattr(lax, n)(x, a), ((2, 3), dtype))
for name in ["reduce_and", "reduce_or", "reduce_xor"]:
    for dtype in ["bool", "int32", "uint8"]:
        case(name, lambda x, n=name: getattr(lax, n)(x, (1,)), ((2, 3), dtype))
case(
    "reduce_any_function",
    lambda x: lax.reduce(x, np.zeros((), x.dtype), lambda a, b: lax.add(a, lax.mul(b, b)), (0,)),
    f32(2, 3),
)
case(
    "reduce_associative",
    lambda x: lax.reduce(x, np.zeros((), x.dtype), lambda a, b: a + b + a * b, (1,)),
    f32(2, 3),
)
case(
    "reduce_chooses",
    lambda x: lax.reduce(
        x, np.zeros((), x.dtype), lambda a, b: jnp.where(a * a > b * b, a, jnp.clip(b, -1.5, 9)), (1,)
    ),
    f32(2, 3),
    domain=(-1.4, 1.4),
)
case("optimization_barrier", lambda x, y: lax.optimization_barrier((x, y))[0], f32(3), f32(2))

# ---- indexing

case("slice", lambda x: lax.slice(x, (0, 1), (2, 4), (1, 2)), f32(3, 4))
case("rev", lambda x: lax.rev(x, (1,)), f32(2, 3))
case("dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i, np.int32(0)), (2, 2)), f32(4, 3), i32())
case("dynamic_update_slice", lambda x, u, i: lax.dynamic_update_slice(x, u, (i,)), f32(5), f32(2), i32())
case("gather", lambda x, i: x[i], f32(4, 3), i32(2, 2), domain=(-0.9, 0.9))
case("gather_fill", lambda x, i: jnp.take(x, i, axis=0), f32(4, 3), i32(5))
case("gather_fill", lambda x, i: jnp.take(x, i, axis=0), ((4,), "uint8"), i32(5))
for name in ["set", "add", "subtract", "multiply", "min", "max"]:
    case(f"scatter_{name}", lambda x, i, u, n=name: getattr(jnp.asarray(x).at[i], n)(u), f32(4, 2), i32(3), f32(3, 2))
for name in ["set", "multiply"]:
    case(
        f"scatter_{name}_unique",
        lambda x, u, n=name: getattr(jnp.asarray(x).at[np.array([2, 0])], n)(u, unique_indices=True),
        f32(4, 2),
        f32(2, 2),
    )
case("scatter_scalar", lambda x, u: jnp.asarray(x).at[1, 0].set(u), f32(2, 3), f32())
case("scatter_apply", lambda x, i: jnp.asarray(x).at[i].apply(lax.neg), f32(4), i32(3))

# ---- sorting

case("sort", lax.sort, f32(7))
case("sort_rows", lambda x: lax.sort(x, dimension=0), i32(4, 3))
case("sort_pairs", lambda k, v: lax.sort((k, v), num_keys=1), i32(6), f32(6))
case("top_k", lambda x: lax.top_k(x, 2), f32(2, 5))
case("approx_max_k", lambda x: lax.approx_max_k(x, 2), f32(6))
case("argmax", lambda x: lax.argmax(x, 1, "int32"), f32(2, 4))
case("argmin", lambda x: lax.argmin(x, 0, "int8"), i32(3, 2))

# ---- windows and cumulative

for name in ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]:
    case(name, lambda x, n=name: getattr(lax, n)(x, 1), f32(2, 4))
    case(f"{name}_reverse", lambda x, n=name: getattr(lax, n)(x, 0, reverse=True), f32(3, 2))
for name, init in [("add", 0.0), ("max", -np.inf), ("min", np.inf)]:
    case(
        f"reduce_window_{name}",
        lambda x, n=name, i=init: lax.reduce_window(x, x.dtype.type(i), getattr(lax, n), (2, 2), (1, 2), "SAME"),
        f32(3, 4),
    )
case(
    "reduce_window_any",
    lambda x: lax.reduce_window(x, x.dtype.type(0), lambda a, b: lax.add(a, lax.mul(b, b)), (2,), (1,), "VALID"),
    f32(4),
)
case(
    "reduce_window_dilated",
    lambda x: lax.reduce_window(x, x.dtype.type(0), lax.add, (2, 2), (1, 2), [(1, 0), (0, 1)], (2, 1), (1, 2)),
    f32(3, 4),
)
case(
    "reduce_window_max_dilated",
    lambda x: lax.reduce_window(x, x.dtype.type(-np.inf), lax.max, (2, 2), (1, 2), "VALID", base_dilation=(2, 1)),
    f32(3, 4),
)

# ---- products

case("dot_general", lambda x, y: lax.dot_general(x, y, (((2,), (1,)), ((0,), (0,)))), f32(2, 3, 4), f32(2, 4, 5))
case("dot_general_two", lambda x, y: lax.dot_general(x, y, (((1, 0), (0, 1)), ((), ()))), f32(3, 4), f32(4, 3))
case("dot_int8", lambda x, y: lax.dot(x, y), ((2, 3), "int8"), ((3, 2), "int8"))
case("dot_bfloat16", lambda x, y: lax.dot(x, y), ((2, 3), "bfloat16"), ((3, 2), "bfloat16"))
case("dot_empty", lambda x, y: lax.dot(x, y), f32(2, 0), f32(0, 3))
case("conv", lambda x, k: lax.conv(x, k, (1, 2), "SAME"), f32(2, 3, 5, 6), f32(4, 3, 2, 3))
case(
    "conv_dilated",
    lambda x, k: lax.conv_general_dilated(x, k, (1,), [(2, 1)], (2,), (2,), ("NWC", "WIO", "NWC"), 2),
    f32(1, 6, 4),
    f32(2, 2, 6),
)
case(
    "conv_batch_groups",
    lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "VALID", batch_group_count=2),
    f32(4, 2, 3, 4),
    f32(4, 2, 2, 2),
)

# ---- special functions

for name in ["erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i0e", "bessel_i1e"]:
    for dtype in ["float32", "bfloat16"]:
        case(name, getattr(lax, name), ((4,), dtype), domain=(0.1, 0.9))
for name in ["igamma", "igammac", "igamma_grad_a", "random_gamma_grad"]:
    case(name, getattr(lax, name), f32(4), f32(4), domain=(0.5, 3))
for name in ["erf", "bessel_i0e", "bessel_i1e", "lgamma", "digamma"]:
    case(f"{name}_below_0", getattr(lax, name), f32(4), domain=(-0.9, -0.1))
case("zeta", lax.zeta, f32(3), f32(3), domain=(1.5, 4))
case("polygamma", lambda x: lax.polygamma(lax.full_like(x, 2.0), x), f32(3), domain=(0.5, 3))
case("betainc", lax.betainc, f32(3), f32(3), f32(3), domain=(0.2, 0.8))
case("betainc_x", lambda x: lax.betainc(lax.full_like(x, 1.5), lax.full_like(x, 0.7), x), f32(3), domain=(0.2, 0.8))

# ---- Fourier transforms and linear algebra

case("fft_RFFT_odd", lambda x: lax.fft(x, lax.FftType.RFFT, (3,)), f32(2, 3))
case("fft_IRFFT_odd", lambda x: lax.fft(x, lax.FftType.IRFFT, (5,)), ((2, 3), "complex64"))
for kind in ["FFT", "IFFT"]:
    case(f"fft_{kind}", lambda x, k=kind: lax.fft(x, getattr(lax.FftType, k), (4,)), ((2, 4), "complex64"))
case("fft_RFFT", lambda x: lax.fft(x, lax.FftType.RFFT, (3, 4)), f32(3, 4))
case("fft_IRFFT", lambda x: lax.fft(x, lax.FftType.IRFFT, (4,)), ((2, 3), "complex64"))


def spd(x: np.ndarray) -> np.ndarray:
    """A symmetric positive definite matrix made of x."""
    return jnp.matmul(x, jnp.matrix_transpose(x)) + 3 * jnp.eye(x.shape[-1], dtype=x.dtype)


case("cholesky", lambda x: lax.linalg.cholesky(spd(x)), f32(2, 3, 3))
case("lu", lambda x: lax.linalg.lu(x), f32(3, 3))
case("qr", lambda x: lax.linalg.qr(x, full_matrices=False), f32(4, 3))
case("eigh", lambda x: lax.linalg.eigh(spd(x)), f32(3, 3))
case("svd", lambda x: lax.linalg.svd(x, full_matrices=False), f32(3, 2))
case(
    "triangular_solve",
    lambda a, b: lax.linalg.triangular_solve(spd(a), b, left_side=True, lower=True),
    f32(3, 3),
    f32(3, 2),
)
case("eig", lambda x: lax.linalg.eig(x, compute_left_eigenvectors=False), f32(3, 3))
case(
    "eig_values",
    lambda x: lax.linalg.eig(x, compute_left_eigenvectors=False, compute_right_eigenvectors=False),
    f32(3, 3),
)
case("eig_derivatives", lambda x: lax.linalg.eig(x, enable_eigvec_derivs=True), f32(3, 3))
case("lu_wide", lambda x: lax.linalg.lu(x), f32(2, 3))
case("lu_tall", lambda x: lax.linalg.lu(x), f32(2, 4, 3))
case("qr_wide", lambda x: lax.linalg.qr(x), f32(2, 3))
case("qr_full", lambda x: lax.linalg.qr(x), f32(4, 2))
case("qr_pivoting", lambda x: lax.linalg.qr(x, pivoting=True, full_matrices=False), f32(3, 3))
case("svd_wide", lambda x: lax.linalg.svd(x, full_matrices=False), f32(2, 2, 3))
case("svd_values", lambda x: lax.linalg.svd(x, compute_uv=False), f32(3, 3))
case("svd_unitary", lambda x: jnp.matmul(*lax.linalg.svd(x, full_matrices=False)[::2]), ((3, 2), "complex64"))
for side in (False, True):
    case(
        f"triangular_solve_{side}",
        lambda a, b, s=side: lax.linalg.triangular_solve(spd(a), b, left_side=s, lower=s, transpose_a=True),
        f32(2, 3, 3),
        f32(2, *((3, 5) if side else (5, 3))),
    )
case("schur", lambda x: lax.linalg.schur(x), f32(3, 3))
case("hessenberg", lambda x: lax.linalg.hessenberg(x), f32(3, 3))
case("tridiagonal", lambda x: lax.linalg.tridiagonal(spd(x)), f32(3, 3))
case("tridiagonal_solve", lambda d, e, b: lax.linalg.tridiagonal_solve(e, d + 5, e, b), f32(3), f32(3), f32(3, 2))
case("householder_product", lambda a, taus: lax.linalg.householder_product(a, taus), f32(3, 2), f32(2))
case("ormqr", lambda a, taus, c: lax.linalg.ormqr(a, taus, c), f32(3, 2), f32(2), f32(3, 2))
case("lu_pivots", lambda x: lax.linalg.lu_pivots_to_permutation(lax.linalg.lu(x)[1], 3), f32(3, 3))
case("symmetric_product", lambda x, c: lax.linalg.symmetric_product(x, spd(c)), f32(3, 2), f32(3, 3))
case("cholesky_update", lambda x, v: lax.linalg.cholesky_update(lax.linalg.cholesky(spd(x)), v), f32(3, 3), f32(3))

# ---- the element that a window selects (in the derivative of max pooling)

WINDOW = dict(window_dimensions=(2, 2), window_strides=(1, 2), padding=((0, 0), (1, 1)))
case(
    "select_and_scatter_add",
    lambda s, x: lax.select_and_scatter_add_p.bind(s, x, select_prim=lax.ge_p, **WINDOW),
    f32(2, 3),
    f32(3, 4),
)
case(
    "select_and_gather_add",
    lambda t, x: lax.select_and_gather_add_p.bind(
        t, x, select_prim=lax.ge_p, base_dilation=(1, 1), window_dilation=(1, 1), **WINDOW
    ),
    f32(3, 4),
    f32(3, 4),
)

# ---- control flow: there from chapter 3 on

if hasattr(lax, "scan"):
    BODIES = {
        "sum": lambda c, x: (c + x, c),
        "pass": lambda c, x: (x, (c, x)),  # nothing is computed
        "mixed": lambda c, x: (c * c - x, {"sum": c + x, "less": c < x, "one": 1}),
    }
    for body, dtype in [("sum", "float32"), ("pass", "int8"), ("mixed", "float32"), ("mixed", "int32")]:
        for reverse in (False, True):
            scanned = lambda c, xs, f=BODIES[body], r=reverse: lax.scan(f, c, xs, reverse=r)
            case(f"scan_{body}{'_reverse' * reverse}", scanned, ((2,), dtype), ((4, 2), dtype), domain=(-1, 1))
    for dtype in ["bfloat16", "complex64"]:
        case("scan_sum", lambda c, xs: lax.scan(BODIES["sum"], c, xs), ((2,), dtype), ((3, 2), dtype))
    case("scan_nothing", lambda c, xs: lax.scan(BODIES["mixed"], c, xs), f32(2), f32(0, 2))
    case("scan_captures", lambda w, xs: lax.scan(lambda c, x: (w @ c + x, w[0]), xs[0], xs), f32(3, 3), f32(4, 3))
    case("scan_keeps", lambda c, xs: lax.scan(lambda c, x: ((c[0] + x, c[1]), c[1]), (c, c), xs), f32(2), f32(3, 2))
    case("scan_steps", lambda c: lax.scan(lambda c, _: (c * 0.5, c.sum()), c, length=5, unroll=2), f32(3))
    case(
        "scan_nested",
        lambda c, xs: lax.scan(lambda c, row: lax.scan(BODIES["sum"], c, row), c, xs),
        f32(),
        f32(2, 3),
    )
    case("while", lambda x: lax.while_loop(lambda c: c[0].sum() < 9, lambda c: (c[0] + 1, c[1] * c[0]), (x, x)), f32(2))
    case("while_captures", lambda x, n: lax.while_loop(lambda c: c < n, lambda c: c + x * x + 1, x), f32(), f32())
    case("while_never", lambda x: lax.while_loop(lambda c: False, lambda c: c + 1, x), i32(3))
    case("fori", lambda x: lax.fori_loop(1, 4, lambda i, c: c * i + x, x), f32(2, 2))
    case("fori_traced", lambda n, x: lax.fori_loop(0, n, lambda i, c: c + i, x), i32(), i32(3))
    for taken in ("less", "greater_equal"):
        pred = getattr(jnp, taken)
        chosen = lambda x, y, p=pred: lax.cond(p(x.sum(), 99), lambda: (x * y, y), lambda: (x - y, y))
        case(f"cond_{taken}", chosen, f32(3), f32(3))
    for dtype in ["int32", "bfloat16", "bool"]:
        case("cond", lambda p, x: lax.cond(p, jnp.sort, lambda x: x, x), ((), "bool"), ((3,), dtype))
    case("switch", lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda x: x], x), i32(), f32(2, 3))
    case("map", lambda x: lax.map(lambda row: (row.sum(), row * 2), x), f32(3, 2))
    case("associative_scan", lambda x: lax.associative_scan(jnp.matmul, x), f32(5, 2, 2))

# ---- solutions of equations: there from chapter 4 on

if hasattr(lax, "custom_linear_solve"):
    INVERSE = lambda matvec, b: jnp.linalg.solve(jnp.stack([matvec(e) for e in np.eye(3, dtype="f")], 1), b)
    case(
        "custom_linear_solve",
        lambda a, b: lax.custom_linear_solve(lambda x: spd(a) @ x, b, INVERSE, INVERSE),
        f32(3, 3),
        f32(3),
    )

# ---- random numbers, as functions of the words of a key: there from chapter 6 on

if hasattr(jax, "random"):
    KEY = (2,), "uint32"
    wrapped = lambda draw: lambda words, *args: draw(jax.random.wrap_key_data(words), *args)
    data = jax.random.key_data
    for dtype in ["uint8", "uint16", "uint32"]:
        for shape in SHAPES:
            case(f"bits_{dtype}_{shape}", wrapped(lambda k, s=shape, d=dtype: jax.random.bits(k, s, d)), KEY)
    case("split", wrapped(lambda k: data(jax.random.split(k, 3))), KEY)
    case("split_grid", wrapped(lambda k: data(jax.random.split(k, (2, 2)))), KEY)
    case("fold_in", wrapped(lambda k, i: data(jax.random.fold_in(k, i))), KEY, ((), "uint32"))
    case("random_clone", wrapped(lambda k: data(jax.random.clone(k))), KEY)
    case("random_seed", lambda seed: data(jax.random.key(seed)), i32())
    case("keys_equal", wrapped(lambda k: jax.random.split(k, 3) == k), KEY)
    case("threefry2x32", jax.extend.random.threefry2x32_p.bind, *[((), "uint32")] * 2, *[((5,), "uint32")] * 2)
    for shape in [(), (3,), (2, 3)]:
        case(f"uniform_{shape}", wrapped(lambda k, s=shape: jax.random.uniform(k, s)), KEY)
        case(f"normal_{shape}", wrapped(lambda k, s=shape: jax.random.normal(k, s)), KEY)
    case("randint", wrapped(lambda k, n: jax.random.randint(k, (4,), -3, n)), KEY, i32())
    case("permutation", wrapped(lambda k, x: jax.random.permutation(k, x)), KEY, f32(5))
    case("categorical", wrapped(lambda k, x: jax.random.categorical(k, x)), KEY, f32(2, 4))
    case("random_gamma", wrapped(lambda k: jax.random.gamma(k, 2.5, (3,))), KEY)
    case("scan_of_keys", wrapped(lambda k: lax.scan(lambda k, _: (k, jax.random.bits(k)), k, None, 2)[1]), KEY)
