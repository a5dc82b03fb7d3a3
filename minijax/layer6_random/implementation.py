"""The implementation `threefry2x32`: how a key of two words gives bits, other keys, and is made from a number.

The i-th element of any array depends on the key and on i alone (the *partitionable* layout): its counter is i, as a
pair of words. So a long draw begins with the short one, and any part of it can be computed by itself.

    bits(key, shape)[i]   upper ^ lower                of threefry2x32(key, i)
    split(key, n)[i]      (upper, lower)               of threefry2x32(key, i)
    fold_in(key, data)    (upper, lower)               of threefry2x32(key, data)

Each function here is of one key; vmap makes it one of an array of keys.
"""

import math
from typing import Any

import numpy as np

from ..layer1_core.aval import Shape, typeof
from ..layer1_core.jnp.joining import split
from ..layer1_core.lax.converting import bitcast_convert_type_p, convert_element_type_p
from ..layer1_core.lax.elementwise import (
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    mul,
    shift_left,
    shift_right_logical,
)
from ..layer1_core.lax.indexing import slice_in_dim
from ..layer1_core.lax.joining import concatenate, stack, unstack
from ..layer1_core.lax.shaping import broadcast, expand_dims, iota, reshape
from ..layer1_core.trace import pure
from .blocks import U32, counter_half_p, lower_half_p, swapped_halves_p, threefry2x32_p, threefry_words_p, upper_half_p
from .key_types import PRNGImpl, register_prng, threefry_partitionable

MANY = 4096  # keys that are made at once: then they are made as 64-bit words
UINTS = {width: np.dtype(f"uint{width}") for width in (8, 16, 32, 64)}


def _to(x: Any, dtype: np.dtype) -> Any:
    return convert_element_type_p.bind(x, new_dtype=dtype, weak_type=False, sharding=None)


def threefry_seed(seed: Any) -> Any:
    """The words of the key of a number: its upper and its lower half. A number of 32 bits has no upper half."""
    aval = typeof(seed)
    if aval.shape:
        raise TypeError(f"PRNG key seed must be a scalar; got JitTracer({aval}).")
    if aval.dtype.kind not in "iu":
        raise TypeError(f"PRNG key seed must be an integer; got JitTracer({aval})")
    upper = shift_right_logical(seed, aval.dtype.type(32))
    return stack([_to(upper, U32), _to(seed, U32)])


# ---- the partitionable layout


def _counters(size: int) -> tuple[Any, Any]:
    """The numbers 0, 1, ..., as pairs of words. Up to 2**32 of them have 0 for their upper word."""
    upper = counter_half_p.bind(size=size, upper=True) if size > 1 << 32 else np.uint32(0)
    return upper, counter_half_p.bind(size=size, upper=False)


def _scrambled(key: Any, size: int) -> Any:
    """The first numbers, scrambled under the key: an array of 64-bit words."""
    if size > 1 << 64:
        raise NotImplementedError("random bits array of size exceeding 2 ** 64")
    return threefry_words_p.bind(*unstack(key), *_counters(size))


def _random_bits(key: Any, width: int, shape: Shape) -> Any:
    words = _scrambled(key, math.prod(shape))
    if width < 64:
        words = bitwise_xor(upper_half_p.bind(words), lower_half_p.bind(words))
    return reshape(words if width in (32, 64) else _to(words, UINTS[width]), shape)


def _split(key: Any, shape: Shape) -> Any:
    words = _scrambled(key, math.prod(shape))
    if math.prod(shape) < MANY:
        pairs = stack([upper_half_p.bind(words), lower_half_p.bind(words)], 1)
    else:  # a word of 64 bits, its halves swapped, is in memory already the pair that we want
        pairs = bitcast_convert_type_p.bind(swapped_halves_p.bind(words), new_dtype=U32)
    return reshape(pairs, (*shape, 2))


# ---- the layout that JAX had before: counters are halves of the draw, so every element depends on its size


def threefry_2x32(keypair: Any, count: Any) -> Any:
    """The words `count` scrambled under two words, the first half of them together with the second.

    Raises TypeError for what are no words.
    """
    k0, k1 = keypair
    if not typeof(k0).dtype == typeof(k1).dtype == typeof(count).dtype == U32:
        raise TypeError(f"threefry_2x32 requires uint32 arguments, got {[typeof(x).dtype for x in (k0, k1, count)]}")
    shape, size = typeof(count).shape, typeof(count).size
    flat = pure(count) if len(shape) == 1 else reshape(pure(count), (size,))
    if size % 2:
        flat = concatenate([flat, np.zeros(1, np.uint32)], 0)
    halves = split(flat, 2)
    out = concatenate(threefry2x32_p.bind(k0, k1, *halves), 0)
    return reshape(slice_in_dim(out, 0, size) if size % 2 else out, shape)


def _random_bits_original(key: Any, width: int, shape: Shape) -> Any:
    size = math.prod(shape)
    count = -(-width * size // 32)
    if count >= 1 << 32:
        raise NotImplementedError("the layout of jax_threefry_partitionable=False has at most 2 ** 32 words")
    bits = threefry_2x32(unstack(key), iota(U32, count))
    if width == 64:
        upper, lower = (_to(x, UINTS[64]) for x in split(bits, 2))
        bits = bitwise_or(shift_left(upper, np.uint64(32)), lower)
    elif width < 32:
        bits = _cut(bits, width, size)
    return reshape(bits, shape)


def _cut(words: Any, width: int, size: int) -> Any:
    """The words in pieces of `width` bits, the lowest first."""
    shifts = expand_dims(mul(iota(U32, 32 // width), np.uint32(width)), (1,))
    pieces = bitwise_and(shift_right_logical(broadcast(words, (1,)), shifts), np.uint32((1 << width) - 1))
    flat = reshape(pieces, (math.prod(typeof(pieces).shape),), (1, 0))
    return slice_in_dim(_to(flat, UINTS[width]), 0, size)


def _split_original(key: Any, shape: Shape) -> Any:
    return reshape(threefry_2x32(unstack(key), iota(U32, 2 * math.prod(shape))), (*shape, 2))


# ---- the implementation


def threefry_random_bits(key: Any, width: int, shape: Shape) -> Any:
    """Unsigned integers of `width` bits: 8, 16, 32 or 64. Raises TypeError for other widths."""
    if width not in UINTS:
        raise TypeError("requires 8-, 16-, 32- or 64-bit field width.")
    return (_random_bits if threefry_partitionable.value else _random_bits_original)(key, width, shape)


def threefry_split(key: Any, shape: Shape) -> Any:
    """The words of `shape` new keys."""
    return (_split if threefry_partitionable.value else _split_original)(key, shape)


def threefry_fold_in(key: Any, data: Any) -> Any:
    """The words of a key that depends on the key and on a number."""
    upper, lower = unstack(threefry_seed(data))
    word = threefry_words_p.bind(*unstack(key), upper, lower)
    return stack([upper_half_p.bind(word), lower_half_p.bind(word)])


threefry_prng_impl = PRNGImpl(
    (2,), threefry_seed, threefry_split, threefry_random_bits, threefry_fold_in, "threefry2x32", "fry"
)
register_prng(threefry_prng_impl)
