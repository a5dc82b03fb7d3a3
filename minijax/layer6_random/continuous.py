"""Numbers with a density, each from a few uniform or normal ones by a formula."""

from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape
from ..layer1_core.jit import jit
from ..layer1_core.jnp.linalg.norms import norm
from ..layer1_core.jnp.promotion import broadcast_to_shape, const
from ..layer1_core.jnp.ufuncs import log1p as jnp_log1p, power
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.lax.elementwise import (
    abs,
    exp,
    integer_pow,
    le,
    log,
    log1p,
    mul,
    neg,
    select,
    sign,
    sqrt,
    sub,
    tan,
)
from ..layer1_core.lax.shaping import broadcast_shapes
from .arguments import (
    check_safe_to_cast,
    check_shape,
    common_shape,
    drawn,
    float_dtype,
    inexact_dtype,
    shape_of,
    standard,
    typed_key,
    with_parameters,
)
from .coins import rademacher
from .keys import split_typed
from .normal import normal
from .uniform import uniform

# ---- from one uniform number


def exponential(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density e**-x: -log(1 - u)."""
    return drawn(_exponential, *standard("exponential", key, shape, dtype), out_sharding=out_sharding)


@jit(static_argnums=(1, 2))
def _exponential(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    check_shape("exponential", shape)
    return neg(log1p(neg(uniform(key, shape, dtype))))


def laplace(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density e**-|x| / 2."""
    return drawn(_laplace, *standard("laplace", key, shape, dtype), out_sharding=out_sharding)


@jit(static_argnums=(1, 2))
def _laplace(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    check_shape("laplace", shape)
    u = uniform(key, shape, dtype, minval=-1.0 + dtypes.finfo(dtype).epsneg, maxval=1.0)
    return mul(sign(u), log1p(neg(abs(u))))


def cauchy(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density 1 / (pi (1 + x**2)): the tangent of a uniform angle."""
    return drawn(_cauchy, *standard("cauchy", key, shape, dtype), out_sharding=out_sharding)


@jit(static_argnums=(1, 2))
def _cauchy(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    check_shape("cauchy", shape)
    u = uniform(key, shape, dtype, minval=dtypes.finfo(dtype).eps, maxval=1.0)
    return tan(mul(const(u, np.pi), sub(u, const(u, 0.5))))


def logistic(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """log(u / (1 - u))."""
    return drawn(_logistic, *standard("logistic", key, shape, dtype), out_sharding=out_sharding)


@jit(static_argnums=(1, 2))
def _logistic(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    check_shape("logistic", shape)
    x = uniform(key, shape, dtype, minval=dtypes.finfo(dtype).tiny, maxval=1.0)
    return sub(log(x), log1p(neg(x)))


def pareto(key: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density b / x**(b + 1) from 1 on."""
    key, shape, dtype = with_parameters("pareto", key, shape, dtype, b)
    return drawn(_pareto, key, b, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _pareto(key: Any, b: Any, shape: Shape, dtype: np.dtype) -> Any:
    b = convert_element_type(b, dtype)
    return exp(exponential(key, shape, dtype) / b)


def rayleigh(key: Any, scale: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density x / s**2 e**-(x**2 / 2 s**2)."""
    key, shape, dtype = with_parameters("rayleigh", key, shape, dtype, scale)
    return drawn(_rayleigh, key, scale, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _rayleigh(key: Any, scale: Any, shape: Shape, dtype: np.dtype) -> Any:
    u = uniform(key, shape, dtype)
    scale = broadcast_to_shape(scale.astype(dtype), shape)
    return mul(scale, sqrt(mul(log(u), const(scale, -2))))


def weibull_min(key: Any, scale: Any, concentration: Any, shape: Any = (), dtype: Any = None) -> Any:
    """Density x**(c - 1) e**-(x / scale)**c, up to a constant."""
    key, shape, dtype = standard("weibull_min", key, shape, dtype)
    return _weibull_min(key, scale, concentration, shape, dtype)


@jit(static_argnums=(3, 4))
def _weibull_min(key: Any, scale: Any, concentration: Any, shape: Shape, dtype: np.dtype) -> Any:
    u = uniform(key=key, shape=shape, minval=0, maxval=1, dtype=dtype)
    return power(-jnp_log1p(-u), 1.0 / concentration) * scale


def triangular(
    key: Any, left: Any, mode: Any, right: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """A density that rises from `left` to `mode` and falls to `right`."""
    key, shape, dtype = with_parameters("triangular", key, shape, dtype, left, mode, right)
    return drawn(_triangular, key, left, mode, right, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(4, 5), inline=True)
def _triangular(key: Any, left: Any, mode: Any, right: Any, shape: Shape, dtype: np.dtype) -> Any:
    left, right, mode = (broadcast_to_shape(convert_element_type(x, dtype), shape) for x in (left, right, mode))
    peak = (mode - left) / (right - left)
    u = uniform(key, shape, dtype)
    rising = left + sqrt(u * (right - left) * (mode - left))
    falling = right - sqrt((1 - u) * (right - left) * (right - mode))
    return select(u < peak, rising, falling)


# ---- from normal numbers

_ONE = np.float32(1)


def lognormal(key: Any, sigma: Any = _ONE, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """e to normal numbers of standard deviation `sigma`."""
    key = typed_key("lognormal", key)
    dtype = inexact_dtype("lognormal", dtype)
    shape = common_shape("lognormal", shape, sigma)
    check_safe_to_cast("lognormal", dtype, sigma)
    return drawn(_lognormal, key, sigma, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3), inline=True)
def _lognormal(key: Any, sigma: Any, shape: Shape, dtype: np.dtype) -> Any:
    sigma = convert_element_type(sigma, dtype)
    return exp(normal(key, shape, dtype) * sigma)


def maxwell(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density x**2 e**-(x**2 / 2): the length of three normal numbers."""
    return drawn(_maxwell, *standard("maxwell", key, shape, dtype), out_sharding=out_sharding)


@jit(static_argnums=(1, 2))
def _maxwell(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    return norm(normal(key=key, shape=(*shape, 3), dtype=dtype), axis=-1)


def double_sided_maxwell(key: Any, loc: Any, scale: Any, shape: Any = (), dtype: Any = None) -> Any:
    """`loc` + `scale` z, where |z| is as `maxwell`'s and its sign random. The parameters' axes come behind `shape`."""
    key = typed_key("double_sided_maxwell", key)
    dtype = float_dtype("double_sided_maxwell", dtype)
    return _double_sided_maxwell(key, loc, scale, shape_of(shape), dtype)


@jit(static_argnums=(3, 4))
def _double_sided_maxwell(key: Any, loc: Any, scale: Any, shape: Shape, dtype: np.dtype) -> Any:
    own = broadcast_shapes(np.shape(loc), np.shape(scale))
    shape = (shape or own) + own
    sizes, signs = split_typed(key)
    size = maxwell(sizes, shape=shape, dtype=dtype)
    return rademacher(signs, shape=shape, dtype=dtype) * size * scale + loc


def wald(key: Any, mean: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """When a drifting Brownian motion first comes to a height (the inverse Gaussian distribution)."""
    key, shape, dtype = with_parameters("wald", key, shape, dtype, mean)
    return drawn(_wald, key, mean, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _wald(key: Any, mean: Any, shape: Shape, dtype: np.dtype) -> Any:
    """One of the two roots of a quadratic equation in a normal number squared.

    Source: Michael, Schucany and Haas, "Generating random variates using transformations with multiple roots" (1976).
    """
    k1, k2 = split_typed(key, 2)
    mean = broadcast_to_shape(mean.astype(dtype), shape)
    v, z = normal(k1, shape, dtype), uniform(k2, shape, dtype)
    y = integer_pow(v, 2)
    squares, mean_squared = integer_pow(y, 2), integer_pow(mean, 2)
    root = sqrt(4 * mean * y + mean_squared * squares)
    x = mean + mean_squared * y / 2 - mean / 2 * root
    return select(le(z, mean / (mean + x)), x, mean_squared / x)
