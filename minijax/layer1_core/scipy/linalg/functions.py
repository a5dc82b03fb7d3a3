"""Functions of matrices: the exponential and the square root."""

from functools import partial
from typing import Any

import numpy as np

from ...jit import jit
from ...jnp.array_creation import asarray, eye, zeros, zeros_like
from ...jnp.choosing import where
from ...jnp.joining import block, stack
from ...jnp.linalg.norms import norm
from ...jnp.linalg.solving import solve
from ...jnp.logarithms import log2
from ...jnp.mathematics import sqrt
from ...jnp.numbers import conj, floor
from ...jnp.products import matmul
from ...jnp.ufuncs import maximum
from ...lax import linalg as lax
from ...lax.dot import Precision
from .factoring import inexact, schur
from .solving import solve_triangular

_product = partial(matmul, precision=Precision.HIGHEST)

# The numerator of the diagonal Pade approximant of exp, and the 1-norm up to which it is good: for the dtype.
# Source: Higham, "The scaling and squaring method for the matrix exponential revisited" (2005).
_PADE_7 = (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0), 3.925724783138660
_PADE_13 = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
), 5.371920351148152  # fmt: skip


@partial(jit, static_argnames=("upper_triangular", "max_squarings"))
def expm(A: Any, *, upper_triangular: bool = False, max_squarings: int = 16) -> Any:
    """The exponential of each square matrix: 1 + A + A^2 / 2 + ...

    By scaling and squaring: exp(A) = exp(A / 2**k)**(2**k), with k so large that a rational function will do. NaN
    where more than `max_squarings` were needed.
    """
    (a,) = inexact(A)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Expected A to be a (batched) square matrix, got A.shape={a.shape}.")
    if a.dtype not in ("float32", "float64", "complex64", "complex128"):
        raise TypeError(f"A.dtype={a.dtype} is not supported.")
    coefficients, largest = _PADE_7 if a.dtype in ("float32", "complex64") else _PADE_13
    squarings = maximum(0, floor(log2(norm(a, 1, axis=(-2, -1)) / largest)))[..., None, None]
    odd, even = _pade(a / 2 ** squarings.astype(a.dtype), coefficients)
    numerator, denominator = odd + even, even - odd
    out = solve_triangular(denominator, numerator) if upper_triangular else solve(denominator, numerator)
    for i in range(max_squarings):
        wanted = i < squarings
        base = where(wanted, out, zeros_like(out))  # what is not wanted must not overflow: its gradient would be NaN
        out = where(wanted, _product(base, base), out)
    return where(squarings > max_squarings, np.nan, out)


def _pade(a: Any, coefficients: tuple[float, ...]) -> tuple[Any, Any]:
    """The odd and the even part of the polynomial with these coefficients, lowest first."""
    square, power = _product(a, a), eye(a.shape[-1], dtype=a.dtype)
    odd = even = 0
    for c_even, c_odd in zip(coefficients[::2], coefficients[1::2], strict=True):
        even, odd = even + c_even * power, odd + c_odd * power
        power = _product(power, square)
    return _product(a, odd), even


@partial(jit, static_argnames=("method", "compute_expm"))
def expm_frechet(A: Any, E: Any, *, method: str | None = None, compute_expm: bool = True) -> Any:
    """(exp(A), its derivative at A in the direction E); both stand in the exponential of [[A, E], [0, A]]."""
    a, e = asarray(A), asarray(E)
    for name, x in (("A", a), ("E", e)):
        if x.ndim < 2 or x.shape[-2] != x.shape[-1]:
            raise ValueError(f"expected {name} to be a (batched) square matrix, got {name}.shape={x.shape}")
    if a.shape != e.shape:
        raise ValueError(f"expected A and E to be the same shape, got A.shape={a.shape} E.shape={e.shape}")
    n = a.shape[-1]
    both = expm(block([[a, e], [zeros_like(a), a]]))
    exponential, derivative = both[..., :n, :n], both[..., :n, n:]
    return (exponential, derivative) if compute_expm else derivative


def sqrtm(A: Any, blocksize: int = 1) -> Any:
    """The principal square root of a square matrix; complex."""
    if blocksize > 1:
        raise NotImplementedError("Blocked version is not implemented yet.")
    return _sqrtm(A)


@jit
def _sqrtm(a: Any) -> Any:
    t, z = schur(a, output="complex")
    return _product(_product(z, _sqrt_of_triangle(t)), conj(z.mT))


def _sqrt_of_triangle(t: Any) -> Any:
    """U, upper triangular, with U U = t. Above the diagonal, column j solves (U[:j, :j] + U[j, j]) u = t[:j, j]."""
    n = t.shape[-1]
    columns: list[Any] = []
    for j in range(n):
        root = sqrt(t[j, j])
        above = t[:j, j]
        if j:
            known = stack([column[:j] for column in columns], axis=-1)
            above = lax.triangular_solve(known + root * eye(j, dtype=t.dtype), above, left_side=True)
        columns.append(_column(above, root, n))
    return stack(columns, axis=-1)


def _column(above: Any, diagonal: Any, n: int) -> Any:
    return zeros(n, above.dtype).at[: above.shape[0]].set(above).at[above.shape[0]].set(diagonal)
