"""The Dirichlet distribution, on positive numbers whose sum is 1."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...jnp.joining import concatenate
from ...jnp.promotion import promote_dtypes_inexact
from ...lax.elementwise import exp
from ..arguments import to_array
from ..special.gamma import gammaln
from ..special.logarithms import xlogy


def logpdf(x: Any, alpha: Any) -> Any:
    """The logarithm of the density at x, whose parts stand along its first axis; the last one may be left out."""
    x, alpha = map(to_array, promote_dtypes_inexact(x, alpha))
    if alpha.ndim != 1:
        raise ValueError(f"`alpha` must be one-dimensional; got alpha.shape={alpha.shape}")
    if x.shape[0] not in (alpha.shape[0], alpha.shape[0] - 1):
        raise ValueError(
            "`x` must have either the same number of entries as `alpha` or one entry fewer; "
            f"got x.shape={x.shape}, alpha.shape={alpha.shape}"
        )
    if x.shape[0] != alpha.shape[0]:
        x = concatenate([x, 1 - x.sum(0, keepdims=True)], axis=0)
    normalizer = gammaln(alpha).sum() - gammaln(alpha.sum())
    alpha = alpha.reshape(alpha.shape + (1,) * (x.ndim - 1))
    inside = (x > 0).all(axis=0) & (abs(x.sum(axis=0) - 1) < 1e-6)
    return where(inside, xlogy(alpha - 1, x).sum(axis=0) - normalizer, -np.inf)


def pdf(x: Any, alpha: Any) -> Any:
    """The density."""
    return exp(logpdf(x, alpha))
