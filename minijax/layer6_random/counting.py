"""Counts: of events, of trials, of successes."""

from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape
from ..layer1_core.jit import jit
from ..layer1_core.jnp.array_creation import asarray, full, full_like as jnp_full_like, zeros_like
from ..layer1_core.jnp.choosing import where
from ..layer1_core.jnp.promotion import (
    broadcast_to_shape,
    check_arraylike,
    const,
    promote_dtypes_inexact,
)
from ..layer1_core.jnp.shaping import moveaxis
from ..layer1_core.jnp.ufuncs import abs, ceil, floor, isinf, log, log1p, sqrt
from ..layer1_core.lax import elementwise as lax
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.lax.shaping import full_like
from ..layer1_core.lax.special import lgamma
from ..layer1_core.lax.windows import cumsum
from ..layer1_core.trace import pure
from ..layer3_control.scan import scan
from ..layer3_control.while_loop import while_loop
from .arguments import (
    check_shape,
    common_shape,
    drawn,
    float_dtype,
    int_dtype,
    shape_of,
    shape_or_none,
    typed_key,
)
from .implementation import threefry_prng_impl
from .keys import split, split_typed
from .uniform import uniform

# ---- geometric


def geometric(key: Any, p: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """The number of trials up to the first success, of probability `p`: from 1 on."""
    key, dtype = typed_key("geometric", key), int_dtype("geometric", dtype)
    shape = common_shape("geometric", shape, p)
    return drawn(_geometric, key, p, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _geometric(key: Any, p: Any, shape: Shape, dtype: np.dtype) -> Any:
    check_arraylike("geometric", p)
    (p,) = promote_dtypes_inexact(p)
    u = uniform(key, shape, p.dtype)
    u = where(u == 0, 1, u)
    trials = lax.div(lax.log(u), broadcast_to_shape(lax.log1p(-p), shape))
    return (lax.floor(trials) + 1).astype(dtype)


# ---- poisson


def poisson(key: Any, lam: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """The number of events where `lam` are expected."""
    key = typed_key("poisson", key)
    dtype = dtypes.check_user_dtype_supported(int if dtype is None else dtype)
    impl = key.dtype._impl
    if impl is not threefry_prng_impl:
        raise NotImplementedError(f"`poisson` is only implemented for the threefry2x32 RNG, not {impl}")
    shape = np.shape(lam) if shape is None else shape_of(shape)
    check_arraylike("broadcast_to", lam)
    lam = convert_element_type(broadcast_to_shape(asarray(lam), shape), np.float32)
    return drawn(_poisson, key, lam, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(2, 3))
def _poisson(key: Any, lam: Any, shape: Shape, dtype: np.dtype) -> Any:
    """By counting where few are expected (below 10), else by rejection; both are computed, with something in range."""
    few = lax.ne(lam, lam) | (lam < 10)
    rare = lax.select(few, lam, full_like(lam, 0.0))
    frequent = lax.select(few, full_like(lam, 1e5), lam)
    most = dtype.type(dtypes.iinfo(dtype).max)
    counts = lax.select(
        few,
        _poisson_knuth(key, rare, shape, dtype, most),
        _poisson_rejection(key, frequent, shape, dtype, most),
    )
    return lax.select(lam == 0, zeros_like(counts), counts)


@jit(static_argnums=(2, 3, 4))
def _poisson_knuth(key: Any, lam: Any, shape: Shape, dtype: np.dtype, max_iters: Any) -> Any:
    """How many uniform numbers can be multiplied before the product is below e**-lam.

    Source: Knuth, "The art of computer programming", volume 2.
    """

    def step(carry: Any) -> Any:
        i, k, key, total = carry
        key, sub = split_typed(key)
        k = lax.select(total > -lam, k + 1, k)
        u = uniform(sub, shape, np.float32)
        return i + 1, k, key, total + log(u)

    def goes_on(carry: Any) -> Any:
        return (carry[3] > -lam).any() & (carry[0] < max_iters)

    start = 0, full_like(lam, 0, dtype, shape), key, full_like(lam, 0, np.float32, shape)
    return (while_loop(goes_on, step, start)[1] - 1).astype(dtype)


@jit(static_argnums=(2, 3, 4))
def _poisson_rejection(key: Any, lam: Any, shape: Shape, dtype: np.dtype, max_iters: Any) -> Any:
    """Source: Hoermann, "The transformed rejection method for generating Poisson random variables" (1993)."""
    log_lam = lax.log(lam)
    b = 0.931 + 2.53 * lax.sqrt(lam)
    a = -0.059 + 0.02483 * b
    inv_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)

    def step(carry: Any) -> Any:
        i, found, accepted, key = carry
        key, for_u, for_v = split_typed(key, 3)
        u = uniform(for_u, shape, lam.dtype) - 0.5
        v = uniform(for_v, shape, lam.dtype)
        room = 0.5 - abs(u)
        k = lax.floor((2 * a / room + b) * u + lam + 0.43)
        s = lax.log(v * inv_alpha / (a / (room * room) + b))
        t = -lam + k * log_lam - lgamma(k + 1)
        at_once = (room >= 0.07) & (v <= v_r)
        never = (k < 0) | ((room < 0.013) & (v > room))
        accept = at_once | (~never & (s <= t))
        return i + 1, lax.select(accept, k, found), accepted | accept, key

    def goes_on(carry: Any) -> Any:
        return (~carry[2]).any() & (carry[0] < max_iters)

    start = 0, full_like(lam, -1, lam.dtype, shape), full_like(lam, False, np.dtype("bool"), shape), key
    return while_loop(goes_on, step, start)[1].astype(dtype)


# ---- binomial


def binomial(key: Any, n: Any, p: Any, shape: Any = None, dtype: Any = None) -> Any:
    """The number of successes of `n` trials with probability `p` each, as a float."""
    key = typed_key("binomial", key)
    check_arraylike("binomial", n, p)
    return _binomial(key, n, p, shape_or_none(shape), float_dtype("binomial", dtype))


@jit(static_argnums=(3, 4), inline=True)
def _binomial(key: Any, count: Any, prob: Any, shape: Shape | None, dtype: np.dtype) -> Any:
    """By counting where few successes are expected, else by rejection; of the rarer of success and failure."""
    if shape is None:
        shape = common_shape("binomial", None, count, prob)
    else:
        check_shape("binomial", shape, np.shape(count), np.shape(prob))
    (prob,) = promote_dtypes_inexact(prob)
    count = broadcast_to_shape(convert_element_type(count, prob.dtype), shape)
    prob = broadcast_to_shape(pure(prob), shape)
    rare = prob < 0.5
    q = lax.select(rare, prob, 1.0 - prob)
    bad_count, endless = lax.ne(count, count) | (count < 0.0), isinf(count)
    q_is_nan, q_below = lax.ne(q, q), q < 0.0
    q = lax.select(q_is_nan | q_below, full_like(q, 0.01), q)
    few = bad_count | (count * q <= 10.0)
    count = floor(count)
    samples = _of_either(key, few, count, q, shape, dtype)
    invalid = q_below | q_is_nan | bad_count
    samples = lax.select(invalid, jnp_full_like(samples, np.nan, dtype), samples)
    samples = lax.select(endless & (~invalid), jnp_full_like(samples, np.inf, dtype), samples)
    as_they_are = rare | bad_count | q_is_nan | endless
    return lax.select(as_they_are, samples, count.astype(dtype) - samples)


def _of_either(key: Any, few: Any, count: Any, q: Any, shape: Shape, dtype: np.dtype) -> Any:
    """Counts by one way where `few`, by the other elsewhere; each has something in its range where it is not asked."""
    for_few = lax.select(few, count, full_like(count, 0.0))
    for_many = lax.select(few, full_like(count, 1e4), count)
    q_many = lax.select(few, full_like(q, 0.5), q)
    most = dtype.type(dtypes.finfo(dtype).max)
    return lax.select(
        few,
        _binomial_inversion(key, for_few, q, shape, dtype, most),
        _btrs(key, for_many, q_many, shape, dtype, most),
    )


@jit(static_argnums=(3, 4, 5), inline=True)
def _binomial_inversion(key: Any, count: Any, prob: Any, shape: Shape, dtype: np.dtype, max_iters: Any) -> Any:
    """How many geometric numbers, the distances between successes, go into `count` trials."""
    log_failure = log1p(-prob)

    def step(carry: Any) -> Any:
        i, number, total, key = carry
        sub, key = split(key)
        number = lax.select(total <= count, number + 1, number)
        u = uniform(sub, shape, prob.dtype)
        total = total + ceil(log(u) / log_failure)
        return i + 1, number, total, key

    def goes_on(carry: Any) -> Any:
        return (carry[2] <= count).any() & (carry[0] < max_iters)

    zeros = full_like(prob, 0, prob.dtype, shape)
    return (while_loop(goes_on, step, (0, zeros, zeros, key))[1] - 1).astype(dtype)


@jit(static_argnums=(3, 4, 5), inline=True)
def _btrs(key: Any, count: Any, prob: Any, shape: Shape, dtype: np.dtype, max_iters: Any) -> Any:
    """Source: Hoermann, "The generation of binomial random variates" (1993)."""
    stddev = sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * stddev
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = count * prob + 0.5
    v_r = 0.92 - 4.2 / b
    r = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * stddev
    m = floor((count + 1) * prob)

    def step(carry: Any) -> Any:
        i, found, accepted, key = carry
        key, for_u, for_v = split(key, 3)
        u, v = uniform(for_u, shape, prob.dtype), uniform(for_v, shape, prob.dtype)
        u = u - 0.5
        us = 0.5 - abs(u)
        at_once = (us >= 0.07) & (v <= v_r)
        k = floor((2 * a / us + b) * u + c)
        never = (k < 0) | (k > count)
        v = log(v * alpha / (a / (us * us) + b))
        within = v <= _bound(k, m, r, count)
        accept = at_once | (~never & within)
        found = lax.select(accept, k, found)
        accepted = accepted | accept
        return i + 1, found, accepted, key

    def goes_on(carry: Any) -> Any:
        return (~carry[2]).any() & (carry[0] < max_iters)

    start = 0, full_like(prob, -1, prob.dtype, shape), full(shape, False, bool), key
    return while_loop(goes_on, step, start)[1].astype(dtype)


def _bound(k: Any, m: Any, r: Any, count: Any) -> Any:
    """The logarithm of the probability of k over that of m, by Stirling's formula."""
    return (
        (m + 0.5) * log((m + 1) / (r * (count - m + 1)))
        + (count + 1) * log((count - m + 1) / (count - k + 1))
        + (k + 0.5) * log(r * (count - k + 1) / (k + 1))
        + _stirling_tail(m)
        + _stirling_tail(count - m)
        - _stirling_tail(k)
        - _stirling_tail(count - k)
    )


_TAILS = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def _stirling_tail(k: Any) -> Any:
    """What Stirling's formula for log(k!) leaves out: from a table up to 9, by a series above."""
    tails = asarray(np.array(_TAILS), dtype=k.dtype)
    small = k <= 9
    k = lax.clamp(const(k, 0.0), k, const(k, 9.0))
    square = (k + 1) * (k + 1)
    series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
    return lax.select(small, tails[asarray(floor(k), dtype="int32")], series)


# ---- multinomial


def multinomial(key: Any, n: Any, p: Any, *, shape: Any = None, dtype: Any = None, unroll: int | bool = 1) -> Any:
    """How often each outcome comes in `n` trials, with the probabilities `p` along the last axis.

    One outcome after the other: a binomial number of what is left, with its part of the probability that is left.
    """
    key = typed_key("multinomial", key)
    check_arraylike("multinomial", n, p)
    n, p = map(pure, promote_dtypes_inexact(n, p))
    shape = p.shape if shape is None else shape
    n, p = broadcast_to_shape(n, tuple(shape[:-1])), broadcast_to_shape(p, tuple(shape))

    def one(left: Any, ratio_and_key: Any) -> tuple[Any, Any]:
        ratio, key = ratio_and_key
        count = binomial(key, left, ratio.clip(0, 1), dtype=left.dtype)
        return left - count, count

    p = moveaxis(p, -1, 0)
    remaining = cumsum(p, 0, reverse=True)
    ratios = p / where(remaining == 0, 1, remaining)
    _, counts = scan(one, n, (ratios, split(key, ratios.shape[0])), unroll=unroll)
    return moveaxis(counts, 0, -1).astype(dtype)
