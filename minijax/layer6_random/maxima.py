"""Gumbel noise, and categories drawn with it: of log-probabilities with noise added, the largest is the draw."""

import math
from typing import Any

import numpy as np

from ..layer1_core import config, dtypes
from ..layer1_core.aval import Shape
from ..layer1_core.jit import jit
from ..layer1_core.jnp.array_creation import array, asarray, ones_like
from ..layer1_core.jnp.choosing import where
from ..layer1_core.jnp.extremes import argmax
from ..layer1_core.jnp.promotion import check_arraylike
from ..layer1_core.jnp.shaping import moveaxis
from ..layer1_core.jnp.ufuncs import log, log1p
from ..layer1_core.lax.elementwise import (
    bitwise_and,
    bitwise_not,
    bitwise_or,
    clz,
    shift_left,
    shift_right_logical,
)
from ..layer1_core.lax.shaping import expand_dims, reshape
from ..layer1_core.lax.sorting import top_k
from .arguments import check_shape, drawn, float_dtype, shape_of, typed_key
from .uniform import _uniform, random_bits

use_high_dynamic_range_gumbel = config.Flag("jax_high_dynamic_range_gumbel", False)

# ---- gumbel


def gumbel(key: Any, shape: Any = (), dtype: Any = None, mode: str | None = None, *, out_sharding: Any = None) -> Any:
    """-log(-log(u)): the distribution of the largest of many numbers.

    The largest float32 is about 16 with `mode` "low", twice that with "high" (at twice the cost).
    """
    key = typed_key("gumbel", key)
    dtype = float_dtype("gumbel", dtype)
    shape = shape_of(shape)
    if mode is None:
        mode = "high" if use_high_dynamic_range_gumbel.value else "low"
    if mode not in ("highest", "high", "low"):
        raise ValueError(f"Must provide valid mode for gumbel got: {mode}")
    return drawn(_gumbel, key, shape, dtype, mode, out_sharding=out_sharding)


@jit(static_argnums=(1, 2, 3))
def _gumbel(key: Any, shape: Shape, dtype: np.dtype, mode: str) -> Any:
    check_shape("gumbel", shape)
    info = dtypes.finfo(dtype)
    if dtype == np.float32 and mode == "highest":
        return _gumbel_of_words(random_bits(key, 32, (2, *shape)))
    if mode == "low":
        return -log(-log(_uniform(key, minval=info.tiny, maxval=1.0, shape=shape, dtype=dtype)))
    high, low = _uniform(key, minval=0.0, maxval=1.0, shape=(2, *shape), dtype=dtype)
    x = where(high >= 0.5, high, high + 2**-(info.nmant) * low + info.tiny)  # the steps of `low` are finer
    return -log(-log1p(-x))


def _gumbel_of_words(bits: Any) -> Any:
    """Gumbel noise from 64 bits, a number x below 1: log1p for the lower half of them, log of 1 - x for the upper."""
    opposite = bitwise_not(bits)
    last = opposite[1]
    carry = array([last == np.uint32(0xFFFFFFFF), ones_like(last)], dtype=np.uint32)
    lower = bits[0] < np.uint32(1 << 31)
    x = _float_below_one(where(lower, bits, opposite + carry))
    return where(lower, -log(-log1p(-x)), -log(-log(x)))


def _float_below_one(bits: Any) -> Any:
    """The float32 of a fraction of 64 bits: its leading zeros are the exponent, the next 23 bits the mantissa."""
    info = dtypes.finfo(np.float32)
    zeros_high, zeros_low = clz(bits)
    high, low = bits
    below = where(zeros_high == 32, shift_left(low, zeros_low), shift_right_logical(low, info.bits - zeros_high))
    mantissa = shift_right_logical(
        bitwise_or(shift_left(high, zeros_high), below), np.uint32(info.bits - info.nmant - 1)
    )
    mantissa = bitwise_and(mantissa, np.uint32((1 << info.nmant) - 1))
    exponent = -info.minexp - where(zeros_high == 32, 32 + zeros_low, zeros_high)
    exponent = shift_left(exponent, np.uint32(info.nmant))
    exponent = bitwise_and(exponent, np.uint32((1 << (info.bits - 2)) - (1 << (info.nmant - 1))))
    return bitwise_or(exponent, mantissa).view(np.float32)


# ---- categories


def categorical(
    key: Any,
    logits: Any,
    axis: int = -1,
    shape: Any = None,
    replace: bool = True,
    mode: str | None = None,
    *,
    out_sharding: Any = None,
) -> Any:
    """Categories along `axis`, with the logarithms of their probabilities (up to a constant) in `logits`.

    `shape` may have more axes in front: so many draws. Without `replace` these are different categories.
    """
    key = typed_key("categorical", key)
    check_arraylike("categorical", logits)
    logits = asarray(logits)
    batch = tuple(map(int, np.delete(logits.shape, axis)))
    shape = batch if shape is None else shape_of(shape)
    check_shape("categorical", shape, batch)
    many = shape[: len(shape) - len(batch)]
    sampler = _with_replacement if replace else _without_replacement
    return drawn(sampler, key, logits, axis, shape, many, mode, out_sharding=out_sharding)


def _with_replacement(key: Any, logits: Any, axis: int, shape: Shape, many: Shape, mode: str | None) -> Any:
    axis = axis - logits.ndim if axis >= 0 else axis
    sizes = [*shape[len(many) :]]
    sizes.insert(axis % logits.ndim, logits.shape[axis])
    noise = gumbel(key, (*many, *sizes), logits.dtype, mode=mode)
    return argmax(noise + expand_dims(logits, tuple(range(len(many)))), axis=axis)


def _without_replacement(key: Any, logits: Any, axis: int, shape: Shape, many: Shape, mode: str | None) -> Any:
    logits = logits + gumbel(key, logits.shape, logits.dtype, mode=mode)
    count, categories = math.prod(many), logits.shape[axis]
    if count > categories:
        raise ValueError(
            f"Number of samples without replacement ({count}) cannot exceed number of categories ({categories})."
        )
    _, places = top_k(moveaxis(logits, axis, -1), count)
    return reshape(places, shape, (places.ndim - 1, *range(places.ndim - 1)))
