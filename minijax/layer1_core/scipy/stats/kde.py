"""Density estimation: a small normal distribution around each point of a sample."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...jnp.arguments import array_argument
from ...jnp.array_creation import full
from ...jnp.asking import isscalar
from ...jnp.creation import diag
from ...jnp.linalg.solving import inv
from ...jnp.mathematics import exp, log, sqrt
from ...jnp.products import dot
from ...jnp.promotion import promote_dtypes_inexact
from ...jnp.shaping import atleast_1d, atleast_2d, squeeze
from ...jnp.statistics import cov as jnp_cov
from ...jnp.ufuncs import power, square
from ...nn.softmax import logsumexp
from ...tree_register import register_pytree_node_class
from ..linalg.factoring import cholesky
from ..linalg.solving import cho_factor, cho_solve
from ..special.errors import ndtr

Bandwidth = None | str | float | Callable[[Any], Any]


@register_pytree_node_class
class gaussian_kde:
    """The density estimated from the columns of `dataset` [d, n], which may be weighted.

    `bw_method` says how wide the kernels are: "scott" (the default), "silverman", a factor of the sample's own
    width, or a function of the estimate.
    """

    _PARTS = ("neff", "dataset", "weights", "covariance", "inv_cov")

    def __init__(self, dataset: Any, bw_method: Bandwidth = None, weights: Any = None):
        dataset = atleast_2d(array_argument("gaussian_kde", dataset))
        if dataset.dtype.kind == "c":
            raise NotImplementedError("gaussian_kde does not support complex data")
        if dataset.size <= 1:
            raise ValueError("`dataset` input should have multiple elements.")
        self.dataset, self.weights = _weighted(dataset, weights)
        self.neff = 1 / square(self.weights).sum()
        factor = self._factor(bw_method)
        covariance = atleast_2d(jnp_cov(self.dataset, rowvar=1, bias=False, aweights=self.weights))
        self.covariance, self.inv_cov = covariance * factor**2, inv(covariance) / factor**2

    def _factor(self, bw_method: Bandwidth) -> Any:
        exponent = -1.0 / (self.d + 4)
        if bw_method is None or bw_method == "scott":
            return power(self.neff, exponent)
        if bw_method == "silverman":
            return power(self.neff * (self.d + 2) / 4.0, exponent)
        if isscalar(bw_method) and not isinstance(bw_method, str):
            return bw_method
        if callable(bw_method):
            return bw_method(self)
        raise ValueError("`bw_method` should be 'scott', 'silverman', a scalar, or a callable.")

    @property
    def d(self) -> int:
        """The dimension of the points."""
        return self.dataset.shape[0]

    @property
    def n(self) -> int:
        """The number of points."""
        return self.dataset.shape[1]

    # ---- as a pytree

    def tree_flatten(self) -> tuple[tuple[Any, ...], None]:
        return tuple(getattr(self, name) for name in self._PARTS), None

    @classmethod
    def tree_unflatten(cls, aux_data: None, children: tuple[Any, ...]) -> "gaussian_kde":
        kde = cls.__new__(cls)
        for name, child in zip(cls._PARTS, children, strict=True):
            setattr(kde, name, child)
        return kde

    # ---- the density

    def evaluate(self, points: Any) -> Any:
        """The density at each column of `points`."""
        return (exp(self._log_kernels("evaluate", points)) * self.weights).sum(axis=-1)

    __call__ = pdf = evaluate

    def logpdf(self, x: Any) -> Any:
        """The logarithm of the density, good far out too."""
        return logsumexp(self._log_kernels("logpdf", x) + log(self.weights), axis=-1)

    def _log_kernels(self, name: str, points: Any) -> Any:
        """The logarithm of each point's kernel at each place: [places, n]."""
        points = self._reshaped(array_argument(name, points))
        points, dataset, precision = promote_dtypes_inexact(points, self.dataset, self.inv_cov)
        whitening = cholesky(precision, lower=True)
        normalizer = log(diag(whitening)).sum() - 0.5 * self.d * np.log(2 * np.pi)
        places, centres = dot(points.T, whitening), dot(dataset.T, whitening)
        return normalizer - 0.5 * square(places[:, None, :] - centres[None, :, :]).sum(axis=-1)

    def _reshaped(self, points: Any) -> Any:
        if points.dtype.kind == "c":
            raise NotImplementedError("gaussian_kde does not support complex coordinates")
        points = atleast_2d(points)
        d, m = points.shape
        if d == self.d:
            return points
        if d == 1 and m == self.d:
            return points.reshape((self.d, 1))
        raise ValueError(f"points have dimension {d}, dataset has dimension {self.d}")

    # ---- integrals

    def integrate_box_1d(self, low: Any, high: Any) -> Any:
        """The probability between `low` and `high`, in one dimension."""
        if self.d != 1:
            raise ValueError("integrate_box_1d() only handles 1D pdfs")
        if np.ndim(low) or np.ndim(high):
            raise ValueError("the limits of integration in integrate_box_1d must be scalars")
        sigma = squeeze(sqrt(self.covariance))
        low, high = (squeeze((x - self.dataset) / sigma) for x in (low, high))
        return (self.weights * (ndtr(high) - ndtr(low))).sum()

    def integrate_gaussian(self, mean: Any, cov: Any) -> Any:
        """The integral of the density times that of a normal distribution."""
        mean, cov = atleast_1d(squeeze(mean)), atleast_2d(cov)
        if mean.shape != (self.d,):
            raise ValueError(f"mean does not have dimension {self.d}")
        if cov.shape != (self.d, self.d):
            raise ValueError(f"covariance does not have dimension {self.d}")
        return (_overlaps(self.covariance + cov, self.dataset, mean[:, None])[:, 0] * self.weights).sum()

    def integrate_kde(self, other: "gaussian_kde") -> Any:
        """The integral of the density times that of another estimate."""
        if other.d != self.d:
            raise ValueError("KDEs are not the same dimensionality")
        overlaps = _overlaps(self.covariance + other.covariance, self.dataset, other.dataset)
        return (self.weights[:, None] * overlaps * other.weights).sum()

    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = None) -> Any:
        raise NotImplementedError("only 1D box integrations are supported; use `integrate_box_1d`")

    def resample(self, key: Any, shape: tuple[int, ...] = ()) -> Any:
        raise NotImplementedError(
            "gaussian_kde.resample is not implemented: choose columns of `dataset` with jax.random.choice and add "
            "jax.random.multivariate_normal draws of `covariance`."
        )

    def set_bandwidth(self, bw_method: Bandwidth = None) -> None:
        raise NotImplementedError("dynamically changing the bandwidth method is not supported")


def _weighted(dataset: Any, weights: Any) -> tuple[Any, Any]:
    """The sample, and weights whose sum is 1: equal ones for None."""
    n = dataset.shape[1]
    if weights is None:
        (dataset,) = promote_dtypes_inexact(dataset)
        return dataset, full(n, 1.0 / n, dtype=dataset.dtype)
    dataset, weights = promote_dtypes_inexact(dataset, array_argument("gaussian_kde", weights))
    weights = atleast_1d(weights)
    if weights.ndim != 1:
        raise ValueError("`weights` input should be one-dimensional.")
    if len(weights) != n:
        raise ValueError("`weights` input should be of length n")
    return dataset, weights / weights.sum()


def _overlaps(covariance: Any, a: Any, b: Any) -> Any:
    """The normal density of this covariance at the difference of each column of `a` to each of `b`: [n, m]."""
    d, n, m = a.shape[0], a.shape[1], b.shape[1]
    factor, lower = cho_factor(covariance)
    differences = (a[:, :, None] - b[:, None, :]).reshape(d, n * m)
    lengths = (differences * cho_solve((factor, lower), differences)).sum(axis=0)
    normalizer = sqrt(2 * np.pi) ** d * diag(factor).prod()
    return exp(-0.5 * lengths).reshape(n, m) / normalizer
