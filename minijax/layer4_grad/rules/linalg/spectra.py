"""Eigenvalues and singular values, where they are distinct: by first order perturbation theory.

Source: Mike Giles, "An extended collection of matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....layer1_core.jnp.linalg.solving import solve
from ....layer1_core.lax.elementwise import abs, complex, integer_pow, reciprocal
from ....layer1_core.lax.linalg.families import adjoint, symmetrize
from ....layer1_core.lax.linalg.spectra import eig, eig_p, eigh_p, svd_p
from ....layer1_core.lax.shaping import broadcasted_iota, expand_dims
from ....layer1_core.lax.sorting import argmax
from ....layer1_core.trace import pure
from ...jvp import jvp_rules
from .matrices import diagonal, diagonal_matrix, identity, product, times, transposed

# ---- Hermitian matrices


@jvp_rules.rule(eigh_p)
def _eigh_jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Sequence[Any], Sequence[Any]]:
    """With P = V^H dA V: dw is the diagonal of P, and V^H dV has P[i, j] / (w[j] - w[i]) outside of it."""
    a, a_dot = map(pure, (*primals, *tangents))
    n = a.shape[-1]
    if params["subset_by_index"] not in (None, (0, n)):
        raise NotImplementedError("Derivatives not defined for partial eigen decomposition.")
    v, values = eigh_p.bind(symmetrize(a), **params)
    w, one = values.astype(a.dtype), identity(n, a.dtype)
    gaps = integer_pow(one + w[..., None, :] - w[..., None], -1) - one
    p = product(product(adjoint(v), a_dot), v)
    v_dot = product(v, gaps * p)
    return [v, values], [v_dot, diagonal(p.real)]


# ---- general matrices


@jvp_rules.rule(eig_p)
def _eig_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, compute_left_eigenvectors: bool,
    compute_right_eigenvectors: bool, enable_eigvec_derivs: bool, implementation: Any,
) -> tuple[Sequence[Any], Sequence[Any]]:  # fmt: skip
    left, right = compute_left_eigenvectors, compute_right_eigenvectors
    if (left or right) and not enable_eigvec_derivs:
        raise NotImplementedError(
            "Derivatives of non-symmetric eigenvectors are only valid under assumptions on the input that JAX cannot "
            "check (see the enable_eigvec_derivs argument to jax.lax.linalg.eig). Pass enable_eigvec_derivs=True to "
            "jax.lax.linalg.eig to opt in. See https://github.com/jax-ml/jax/issues/2748 for discussion."
        )
    out = eig(
        *primals, compute_left_eigenvectors=left, compute_right_eigenvectors=True,
        enable_eigvec_derivs=enable_eigvec_derivs, implementation=implementation,
    )  # fmt: skip
    w, v = out[0], out[-1]
    a_dot = pure(tangents[0]).astype(v.dtype)
    if not (left or right):
        return [w], [(solve(v, a_dot) * transposed(v)).sum(-1)]
    w_dot, v_dot = _eigenvectors_jvp(w, v, a_dot)
    dots = [w_dot, *([_eigenvectors_jvp(w.conj(), out[1], adjoint(a_dot))[1]] if left else [])]
    return out if right else out[:-1], [*dots, v_dot] if right else dots


def _eigenvectors_jvp(w: Any, v: Any, a_dot: Any) -> tuple[Any, Any]:
    """The same, with V^-1 for V^H. LAPACK makes each eigenvector of length 1, with its largest component real.

    So a multiple of the eigenvector is added to its tangent that keeps both.
    """
    one = identity(w.shape[-1], w.dtype)
    gaps = reciprocal(one + w[..., None, :] - w[..., None]) - one
    p = product(solve(v, a_dot), v)
    w_dot, u = diagonal(p), product(v, gaps * p)
    largest = argmax(abs(v), v.ndim - 2, np.int32)
    rows = broadcasted_iota(np.int32, v.shape, v.ndim - 2)
    mask = (rows == expand_dims(largest, (v.ndim - 2,))).astype(v.dtype)
    length = -(v.conj() * u).sum(-2).real
    phase = -(mask * u).sum(-2).imag / (mask * v).sum(-2).real
    return w_dot, u + v * expand_dims(complex(length, phase), (v.ndim - 2,))


# ---- singular values


@jvp_rules.rule(svd_p)
def _svd_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, full_matrices: bool, compute_uv: bool, **params: Any
) -> tuple[Sequence[Any], Sequence[Any]]:
    a, a_dot = map(pure, (*primals, *tangents))
    m, n = a.shape[-2:]
    s, u, vh = svd_p.bind(a, full_matrices=False, compute_uv=True, **params)
    if compute_uv and full_matrices and m != n:
        raise NotImplementedError("Singular value decomposition JVP not implemented for full matrices")
    uh, v = adjoint(u), adjoint(vh)
    row = s[..., None, :]
    p = times(times(uh, a_dot), v)
    s_dot = diagonal(p.real)
    if not compute_uv:
        return [s], [s_dot]
    u_dot, v_dot = _singular_vectors_jvp(s, row, u, v, p, a.dtype)
    if m > n:
        x = times(a_dot, v)
        u_dot = u_dot + (x - times(u, times(uh, x))) / row.astype(a.dtype)
    if n > m:
        x = times(adjoint(a_dot), u)
        v_dot = v_dot + (x - times(v, times(vh, x))) / row.astype(a.dtype)
    return [s, u, vh], [s_dot, u_dot, adjoint(v_dot)]


def _singular_vectors_jvp(s: Any, row: Any, u: Any, v: Any, p: Any, dtype: Any) -> tuple[Any, Any]:
    """The parts of dU in the columns of U, and of dV in those of V, for P = U^H dA V.

    U^H dU has (P[i, j] s[j] + s[i] P[j, i]*) / (s[j]**2 - s[i]**2) outside of its diagonal, V^H dV the same with s[i]
    and s[j] exchanged; the imaginary part of the diagonal of P goes to U.
    """
    squares = (row + transposed(row)) * (row - transposed(row))
    one = expand_dims(identity(s.shape[-1], s.dtype), range(squares.ndim - 2))
    gaps = 1 / (squares + one) - one
    ps, sp = row.astype(dtype) * p, transposed(row.astype(dtype)) * p
    zeros = (s == 0).astype(s.dtype)
    inverses = diagonal_matrix(1 / (s + zeros) - zeros)
    imaginary = 0.5 * (p - adjoint(p)) * inverses.astype(dtype)
    u_dot = times(u, gaps.astype(dtype) * (ps + adjoint(ps)) + imaginary)
    return u_dot, times(v, gaps.astype(dtype) * (sp + adjoint(sp)))
