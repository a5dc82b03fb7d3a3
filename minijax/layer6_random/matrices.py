"""Vectors and matrices: correlated normal numbers, and rotations."""

import operator
from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape
from ..layer1_core.config import numpy_rank_promotion
from ..layer1_core.jit import jit
from ..layer1_core.jnp.arguments import concrete
from ..layer1_core.jnp.creation import diagonal
from ..layer1_core.jnp.einsum import einsum
from ..layer1_core.jnp.linalg.factoring import cholesky, eigh, qr, svd
from ..layer1_core.jnp.promotion import promote_dtypes_inexact
from ..layer1_core.jnp.shaping import expand_dims
from ..layer1_core.jnp.ufuncs import sign, sqrt
from ..layer1_core.lax.shaping import broadcast_shapes
from ..layer1_core.trace import pure
from .arguments import check_shape, drawn, float_dtype, shape_of, shape_or_none, type_of_parameter, typed_key
from .normal import normal

# ---- correlated normal numbers


def multivariate_normal(
    key: Any,
    mean: Any,
    cov: Any,
    shape: Any = None,
    dtype: Any = None,
    method: str = "cholesky",
    *,
    out_sharding: Any = None,
) -> Any:
    """mean + A z, where z is normal and A a factor of the covariance, A A' = `cov`, by the `method`.

    `shape` is that of the batch. Raises ValueError where mean and covariance do not fit.
    """
    key = typed_key("multivariate_normal", key)
    for x in (mean, cov):
        type_of_parameter(x)
    mean, cov = map(pure, promote_dtypes_inexact(mean, cov))
    if method not in ("svd", "eigh", "cholesky"):
        raise ValueError("method must be one of {'svd', 'eigh', 'cholesky'}")
    dtype = float_dtype("multivariate_normal", mean.dtype if dtype is None else dtype)
    return drawn(_multivariate_normal, key, mean, cov, shape_or_none(shape), dtype, method, out_sharding=out_sharding)


@jit(static_argnums=(3, 4, 5))
def _multivariate_normal(key: Any, mean: Any, cov: Any, shape: Shape | None, dtype: np.dtype, method: str) -> Any:
    _check_parameters(mean, cov)
    if shape is None:
        shape = broadcast_shapes(mean.shape[:-1], cov.shape[:-2])
    else:
        check_shape("normal", shape, mean.shape[:-1], cov.shape[:-2])
    factor = _factor(cov, method)
    z = normal(key, shape + mean.shape[-1:], dtype)
    with numpy_rank_promotion("allow"):
        return mean + einsum("...ij,...j->...i", factor, z)


def _check_parameters(mean: Any, cov: Any) -> None:
    for name, x, least in (("mean", mean, 1), ("cov", cov, 2)):
        if np.ndim(x) < least:
            raise ValueError(f"multivariate_normal requires {name}.ndim >= {least}, got {name}.ndim == {np.ndim(x)}")
    n = mean.shape[-1]
    if np.shape(cov)[-2:] != (n, n):
        raise ValueError(
            f"multivariate_normal requires cov.shape == (..., n, n) for n={n}, but got cov.shape == {np.shape(cov)}."
        )


def _factor(cov: Any, method: str) -> Any:
    if method == "svd":
        u, s, _ = svd(cov)
        return u * sqrt(s[..., None, :])
    if method == "eigh":
        w, v = eigh(cov)
        return v * sqrt(w[..., None, :])
    return cholesky(cov)


# ---- rotations


def orthogonal(
    key: Any, n: int, shape: Any = (), dtype: Any = None, m: int | None = None, *, out_sharding: Any = None
) -> Any:
    """Matrices of n rows and m columns, by default n, that are orthogonal (unitary for a complex dtype), all alike.

    Source: Mezzadri, "How to generate random matrices from the classical compact groups" (2007).
    """
    shape = shape_of(shape)
    key = typed_key("orthogonal", key)
    dtype = dtypes.check_user_dtype_supported(float if dtype is None else dtype)
    told = "The error occurred in jax.random.orthogonal()"
    rows = operator.index(concrete(n, told))
    columns = rows if m is None else operator.index(concrete(m, told))
    if min(rows, columns) < 0:
        raise ValueError(f"negative dimensions are not allowed, got {min(rows, columns)} and None")
    return drawn(_orthogonal, key, rows, columns, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(1, 2, 3, 4))
def _orthogonal(key: Any, n: int, m: int, shape: Shape, dtype: np.dtype) -> Any:
    z = normal(key, (*shape, max(n, m), min(n, m)), dtype)
    q, r = qr(z)
    x = q * expand_dims(sign(diagonal(r, axis1=-2, axis2=-1)), -2)  # else it would lean to some of them
    return x.mT if n < m else x
