"""jax.scipy.cluster.vq and jax.scipy.integrate: the nearest entry of a code book; areas."""

from functools import partial
from typing import Any

from ..jit import jit
from ..jnp import interpolation
from ..jnp.arguments import array_arguments
from ..jnp.extremes import argmin
from ..jnp.linalg.norms import norm
from ..jnp.promotion import promote_dtypes_inexact


def vq(obs: Any, code_book: Any, check_finite: bool = True) -> tuple[Any, Any]:
    """(code, distance): which row of `code_book` is nearest to each row of `obs`, and how far away it is."""
    obs, code_book = promote_dtypes_inexact(*array_arguments("scipy.cluster.vq.vq", obs, code_book))
    if obs.ndim != code_book.ndim:
        raise ValueError("Observation and code_book should have the same rank")
    if obs.ndim == 1:
        obs, code_book = obs[:, None], code_book[:, None]
    if obs.ndim != 2:
        raise ValueError("ndim different than 1 or 2 are not supported")
    distances = norm(obs[:, None, :] - code_book, axis=-1)
    return argmin(distances, axis=-1), distances.min(axis=-1)


@partial(jit, static_argnames=("axis",))
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The area under `y` along `axis`, by trapezoids, at coordinates `x` or at distances `dx`."""
    return interpolation.trapezoid(y, x, dx, axis)
