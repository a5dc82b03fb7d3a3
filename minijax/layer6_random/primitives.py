"""Operations on keys: each is a primitive, and shows in a jaxpr as one equation.

random_seed      numbers -> keys             random_wrap      words -> keys
random_split     key -> keys                 random_unwrap    keys -> words
random_fold_in   keys, numbers -> keys       random_clone     keys -> the same, for a second use
random_bits      keys -> unsigned integers

What they compute is said by the implementation in the keys' type, in terms of their words: see memory.py.
"""

from typing import Any

import numpy as np

from ..layer1_core.aval import Shape, ShapedArray, canonicalize_shape, shaped
from ..layer1_core.jnp.array_creation import asarray
from ..layer1_core.jnp.promotion import broadcast_to_shape
from ..layer1_core.lax.families import broadcast_shape, primitive
from ..layer1_core.lax.shaping import full as lax_full
from .key_array import check_key_data
from .key_types import U32, KeyTy, PRNGImpl, is_key_type, keys_aval, words_aval


def _bits_aval(keys: ShapedArray, *, bit_width: int, shape: Shape) -> ShapedArray:
    return shaped((*keys.shape, *shape), np.dtype(f"uint{bit_width}"))


def _split_aval(keys: ShapedArray, *, shape: Shape) -> ShapedArray:
    sizes = canonicalize_shape(shape)
    if any(n < 0 for n in sizes):
        raise ValueError(f"the number of keys must not be negative, got {shape}")
    return shaped((*keys.shape, *sizes), keys.dtype)


def _fold_in_aval(keys: ShapedArray, data: ShapedArray) -> ShapedArray:
    return shaped(broadcast_shape("random_fold_in", [keys.shape, data.shape]), keys.dtype)


random_seed_p = primitive("random_seed", lambda seeds, *, impl: keys_aval(impl, seeds.shape))
random_split_p = primitive("random_split", _split_aval)
random_fold_in_p = primitive("random_fold_in", _fold_in_aval)
random_bits_p = primitive("random_bits", _bits_aval)
random_wrap_p = primitive("random_wrap", lambda words, *, impl: keys_aval(impl, words.shape[: -len(impl.key_shape)]))
random_unwrap_p = primitive("random_unwrap", words_aval)
random_clone_p = primitive("random_clone", lambda keys: keys)


def random_seed(seeds: Any, impl: PRNGImpl) -> Any:
    """The keys of these numbers. A Python integer of more than 32 bits keeps its lower ones, where x64 is off."""
    return random_seed_p.bind(asarray(np.int64(seeds) if isinstance(seeds, int) else seeds), impl=impl)


seed_with_impl = lambda impl, seed: random_seed(seed, impl)  # JAX has it under this name too


def random_wrap(words: Any, *, impl: PRNGImpl) -> Any:
    """The keys with these words. Raises TypeError where they cannot be that."""
    check_key_data(impl, words)
    return random_wrap_p.bind(words, impl=impl)


def random_unwrap(keys: Any) -> Any:
    """The words of keys. Raises TypeError for what are no keys."""
    if not is_key_type(keys.dtype):
        raise TypeError(f"random_unwrap takes key array operand, got {keys.dtype=}")
    return random_unwrap_p.bind(keys)


def _full(dtype: KeyTy, shape: Shape, fill_value: Any) -> Any:
    """Keys whose words are all `fill_value`; or copies of the key that this is."""
    whole = (*shape, *dtype._impl.key_shape)
    if is_key_type(getattr(fill_value, "dtype", None)):
        return random_wrap(broadcast_to_shape(random_unwrap(fill_value), whole), impl=dtype._impl)
    return random_wrap(lax_full(whole, fill_value, U32), impl=dtype._impl)


KeyTy.full = _full
