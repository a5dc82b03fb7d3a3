"""The normal distribution of vectors."""

from typing import Any

import numpy as np

from ...jnp.core_dims import core_dimensions
from ...jnp.creation import diagonal
from ...jnp.einsum import einsum
from ...jnp.mathematics import log
from ...jnp.promotion import promote_dtypes_inexact
from ...jnp.shaping import broadcast_to
from ...jnp.ufuncs import square
from ...lax.elementwise import exp
from ...lax.linalg import cholesky, triangular_solve
from ..arguments import to_array


def logpdf(x: Any, mean: Any, cov: Any, allow_singular: None = None) -> Any:
    """The logarithm of the density at x [..., n], for the covariance `cov` [..., n, n] or one variance for all."""
    if allow_singular is not None:
        raise NotImplementedError("allow_singular argument of multivariate_normal.logpdf")
    x, mean, cov = map(to_array, promote_dtypes_inexact(x, mean, cov))
    if not mean.ndim:
        return -1 / 2 * square(x - mean) / cov - 1 / 2 * (log(2 * np.pi) + log(cov))
    n = mean.shape[-1]
    if not cov.ndim:
        return -1 / 2 * _squared_length(x - mean) / cov - n / 2 * (log(2 * np.pi) + log(cov))
    if cov.ndim < 2 or cov.shape[-2:] != (n, n):
        raise ValueError("multivariate_normal.logpdf got incompatible shapes")
    factor = cholesky(cov)
    y = _whitened(factor, x - mean)
    log_density = -1 / 2 * _squared_length(y) - n / 2 * log(2 * np.pi)
    return log_density - log(diagonal(factor, axis1=-1, axis2=-2)).sum(-1)


def _squared_length(y: Any) -> Any:
    return einsum("...i,...i->...", y, y)


def _whitened(factor: Any, y: Any) -> Any:
    """L^-1 y: what has the covariance 1 where y has L L^T."""
    batch = core_dimensions("(n,n),(n)->(n)", factor, y).batch
    factor, y = broadcast_to(factor, batch + factor.shape[-2:]), broadcast_to(y, batch + y.shape[-1:])
    return triangular_solve(factor, y, lower=True, transpose_a=True)


def pdf(x: Any, mean: Any, cov: Any) -> Any:
    """The density."""
    return exp(logpdf(x, mean, cov))
