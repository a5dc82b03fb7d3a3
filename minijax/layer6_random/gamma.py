"""Gamma numbers, by rejection, and the families that are made of them."""

import functools
import math
import operator
from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape, ShapedArray
from ..layer1_core.jit import jit
from ..layer1_core.jnp.promotion import broadcast_to_shape, const
from ..layer1_core.jnp.reductions import sum
from ..layer1_core.jnp.ufuncs import abs, exp, sqrt as jnp_sqrt
from ..layer1_core.lax import elementwise as lax
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.lax.families import primitive
from ..layer1_core.lax.shaping import full_like, reshape
from ..layer1_core.lax.special import random_gamma_grad
from ..layer1_core.nn.softmax import softmax
from ..layer2_jit.lowering import CALLED, lowering_rules
from ..layer3_control.fori import map
from ..layer3_control.while_loop import while_loop
from ..layer4_grad.families import defjvp2, no_rule
from ..layer4_grad.transpose import transpose_rules
from ..layer5_vmap.batching import batching_rules, bdim_at_front, size_of
from ..layer5_vmap.families import Dims, Result
from ..layer5_vmap.vmap import vmap
from .arguments import (
    check_shape,
    drawn,
    float_dtype,
    shape_or_none,
    standard,
    typed_key,
    with_parameters,
)
from .coins import rademacher
from .continuous import exponential
from .keys import split, split_typed
from .memory import DRAWS, by_keys, enter, memory_rules
from .normal import normal
from .uniform import uniform

# ---- one gamma number


def _one(key: Any, alpha: Any, log_space: bool) -> Any:
    """A gamma number of shape `alpha`: d v, where v is the cube of a shifted normal number that is not rejected.

    Below 1 it is that of alpha + 1, times u**(1 / alpha). Its logarithm, which is exact where it is tiny, in log space.
    Source: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).
    """
    zero, one = const(alpha, 0), const(alpha, 1)
    large = lax.ge(alpha, one)
    d = lax.sub(lax.select(large, alpha, lax.add(alpha, one)), const(alpha, 1.0 / 3.0))
    key, sub = split_typed(key)
    v = _accepted(key, d, lax.div(const(alpha, 1.0 / 3.0), lax.sqrt(d)))
    if not log_space:
        u = 1 - uniform(sub, (), dtype=alpha.dtype)
        return lax.mul(lax.mul(d, v), lax.select(large, one, lax.pow(u, lax.div(one, alpha))))
    u = lax.neg(exponential(sub, (), dtype=alpha.dtype))
    boost = lax.select(large | (u == 0), zero, lax.mul(u, lax.div(one, alpha)))
    return lax.add(lax.add(lax.log(d), lax.log(v)), boost)


def _accepted(key: Any, d: Any, c: Any) -> Any:
    """The first v = (1 + c x)**3, of normal x, that is accepted."""
    one, half, squeeze = const(d, 1), const(d, 0.5), const(d, 0.0331)

    def rejected(state: Any) -> Any:
        _, square, v, u = state  # of x
        quick = lax.ge(u, lax.sub(one, lax.mul(squeeze, lax.mul(square, square))))
        bound = lax.add(lax.mul(square, half), lax.mul(d, lax.add(lax.sub(one, v), lax.log(v))))
        return lax.bitwise_and(quick, lax.ge(lax.log(u), bound))

    def again(state: Any) -> Any:
        key, for_x, for_u = split_typed(state[0], 3)
        x, t = _positive(for_x, c)
        return key, lax.mul(x, x), lax.mul(lax.mul(t, t), t), uniform(for_u, (), dtype=d.dtype)

    return while_loop(rejected, again, (key, const(d, 0), one, const(d, 2)))[2]


def _positive(key: Any, c: Any) -> tuple[Any, Any]:
    """A normal x and t = 1 + c x, the first t above 0."""
    zero, one = const(c, 0), const(c, 1)

    def again(state: Any) -> Any:
        key, sub = split_typed(state[0])
        x = normal(sub, (), dtype=c.dtype)
        return key, x, lax.add(one, lax.mul(x, c))

    return while_loop(lambda state: lax.le(state[2], zero), again, (key, zero, const(c, -1)))[1:]


# ---- the primitive


def _gamma_rule(keys: ShapedArray, a: ShapedArray, *, log_space: bool) -> ShapedArray:
    return a


random_gamma_p = primitive("random_gamma", _gamma_rule)


def _each(keys: Any, a: Any, *, log_space: bool) -> Any:
    """A gamma number for each element of `a`, each with a key of its own."""
    count = math.prod(a.shape[keys.ndim :])
    own = vmap(lambda key: split_typed(key, count))(keys.flatten()).flatten()
    one = functools.partial(_one, log_space=log_space)
    return reshape(vmap(one)(own, a.flatten()), a.shape)


memory_rules[random_gamma_p] = by_keys(_each)
enter(random_gamma_p)
lowering_rules[random_gamma_p] = CALLED  # in a program that is compiled it is gone: see memory.py
DRAWS.add(random_gamma_p)


def _gamma_grad(sample: Any, a: Any, *, log_space: bool) -> Any:
    """The derivative of a gamma number by its shape: where the same uniform number would fall."""
    size = (math.prod(np.shape(a)),)
    samples, shapes = reshape(sample, size), reshape(a, size)
    grad = lambda a, x: random_gamma_grad(a, x)
    if log_space:
        samples = lax.exp(samples)
        tiny = full_like(samples, dtypes.finfo(samples.dtype).tiny)
        samples = lax.select(lax.eq(samples, const(sample, 0)), tiny, samples)
        grad = lambda a, x: random_gamma_grad(a, x) / x
    return map(lambda pair: grad(*pair), (shapes, samples)).reshape(np.shape(a))


defjvp2(random_gamma_p, None, lambda g, out, key, a, **params: g * _gamma_grad(out, a, **params))
no_rule(transpose_rules, "it is not linear: its jvp rule is made of operations that are", random_gamma_p)


@batching_rules.rule(random_gamma_p)
def _batched(args: Any, dims: Dims, *, log_space: bool) -> Result:
    size = size_of(args, dims)
    keys, a = (bdim_at_front(x, d, size) for x, d in zip(args, dims, strict=True))
    return random_gamma_p.bind(keys, a, log_space=log_space), 0


# ---- gamma


def gamma(key: Any, a: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density x**(a - 1) e**-x, up to a constant."""
    key, dtype = typed_key("gamma", key), float_dtype("gamma", dtype)
    return drawn(_gamma, key, a, shape_or_none(shape), dtype, out_sharding=out_sharding)


def loggamma(key: Any, a: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """The logarithm of a gamma number, exact where that is too small for a float."""
    key, dtype = typed_key("loggamma", key), float_dtype("gamma", dtype)
    return drawn(_gamma, key, a, shape_or_none(shape), dtype, True, out_sharding=out_sharding)


@jit(static_argnames=("shape", "dtype", "log_space"))
def _gamma(key: Any, a: Any, shape: Shape | None, dtype: np.dtype, log_space: bool = False) -> Any:
    if shape is None:
        shape = np.shape(a)
    else:
        check_shape("gamma", shape, np.shape(a))
    a = convert_element_type(a, dtype)
    return random_gamma_p.bind(key, broadcast_to_shape(a, shape) if np.shape(a) != shape else a, log_space=log_space)


# ---- made of gamma numbers


def beta(key: Any, a: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density x**(a - 1) (1 - x)**(b - 1), up to a constant: the part of one gamma number in the sum of two."""
    key, shape, dtype = with_parameters("beta", key, shape, dtype, a, b)
    return drawn(_beta, key, a, b, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(3, 4))
def _beta(key: Any, a: Any, b: Any, shape: Shape, dtype: np.dtype) -> Any:
    a, b = convert_element_type(a, dtype), convert_element_type(b, dtype)
    for_a, for_b = split_typed(key)
    a, b = broadcast_to_shape(a, shape), broadcast_to_shape(b, shape)
    x, y = loggamma(for_a, a, shape, dtype), loggamma(for_b, b, shape, dtype)
    largest = lax.max(x, y)  # so that the larger of the two is 1
    x, y = exp(x - largest), exp(y - largest)
    return x / (x + y)


def dirichlet(key: Any, alpha: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Parts of a whole, along the last axis: gamma numbers of shapes `alpha`, over their sum."""
    key, dtype = typed_key("dirichlet", key), float_dtype("dirichlet", dtype)
    return drawn(_dirichlet, key, alpha, shape_or_none(shape), dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _dirichlet(key: Any, alpha: Any, shape: Shape | None, dtype: np.dtype) -> Any:
    if not np.ndim(alpha) >= 1:
        raise ValueError(f"dirichlet requires alpha.ndim >= 1, got alpha.ndim == {np.ndim(alpha)}")
    *batch, size = np.shape(alpha)
    if shape is None:
        shape = tuple(batch)
    else:
        check_shape("dirichlet", shape, batch)
    alpha = convert_element_type(alpha, dtype)
    return softmax(loggamma(key, alpha, (*shape, size), dtype), -1)


def chisquare(key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """The sum of `df` normal numbers squared: twice a gamma number of shape df / 2."""
    key, shape, dtype = with_parameters("chisquare", key, shape, dtype, df)
    return drawn(_chisquare, key, df, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _chisquare(key: Any, df: Any, shape: Shape, dtype: np.dtype) -> Any:
    df = convert_element_type(df, dtype)
    two = const(df, 2)
    return lax.mul(exp(loggamma(key, a=lax.div(df, two), shape=shape, dtype=dtype)), two)


def f(key: Any, dfnum: Any, dfden: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """The quotient of two chi-square numbers, each over its degrees of freedom."""
    key, shape, dtype = with_parameters("f", key, shape, dtype, dfnum, dfden)
    return drawn(_f, key, dfnum, dfden, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(3, 4))
def _f(key: Any, dfnum: Any, dfden: Any, shape: Shape, dtype: np.dtype) -> Any:
    dfden, dfnum = convert_element_type(dfden, dtype), convert_element_type(dfnum, dtype)
    for_den, for_num = split_typed(key)
    num, den = chisquare(for_num, dfnum, shape, dtype), chisquare(for_den, dfden, shape, dtype)
    return lax.div(lax.div(num, dfnum), lax.div(den, dfden))


def t(key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Student's t: a normal number over the root of a chi-square one per degree of freedom."""
    key, shape, dtype = with_parameters("t", key, shape, dtype, df)
    return drawn(_t, key, df, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _t(key: Any, df: Any, shape: Shape, dtype: np.dtype) -> Any:
    df = convert_element_type(df, dtype)
    for_n, for_g = split_typed(key)
    n = normal(for_n, shape, dtype)
    half = lax.div(df, const(n, 2))
    return n * jnp_sqrt(half / gamma(for_g, half, shape, dtype))


def generalized_normal(key: Any, p: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Density e**-|x|**p, up to a constant."""
    key, shape, dtype = standard("generalized_normal", key, shape, dtype)
    return drawn(_generalized_normal, key, p, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _generalized_normal(key: Any, p: Any, shape: Shape, dtype: np.dtype) -> Any:
    keys = split(key)
    g = gamma(keys[0], 1 / p, shape, dtype)
    return rademacher(keys[1], shape, dtype) * g ** (1 / p)


def ball(key: Any, d: int, p: Any = 2, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Points of the ball of d dimensions in which the p-norm is at most 1, along the last axis.

    Source: Barthe, Guedon, Mendelson and Naor, "A probabilistic approach to the geometry of the l_p^n ball" (2005).
    """
    key, shape, dtype = standard("ball", key, shape, dtype)
    return drawn(_ball, key, p, operator.index(d), shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3, 4))
def _ball(key: Any, p: Any, d: int, shape: Shape, dtype: np.dtype) -> Any:
    k1, k2 = split(key)
    g = generalized_normal(k1, p, (*shape, d), dtype)
    e = exponential(k2, shape, dtype)
    return g / ((sum(abs(g) ** p, -1) + e) ** (1 / p))[..., None]
