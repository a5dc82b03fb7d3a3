"""Keys, as users make and take them: `key`, `split`, `fold_in`, and the words behind them.

Each function takes a typed key, or, as programs of old do, the words themselves (`uint32[2]`): then it gives words too.
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.aval import is_jax_type, typeof
from ..layer1_core.basearray import Array
from ..layer1_core.jnp.array_creation import asarray
from ..layer1_core.trace import Tracer, index_or_tracer
from .key_types import KeyTy, PRNGImpl, PRNGSpec, enable_custom_prng, impl_of, is_key_type, prngs, resolve_prng_impl
from .primitives import (
    random_clone_p,
    random_fold_in_p,
    random_seed,
    random_split_p,
    random_unwrap,
    random_wrap,
)

legacy_prng_key = config.Flag("jax_legacy_prng_key", "allow", ("allow", "warn", "error"))

# ---- arguments


def is_key_array(x: Any) -> bool:
    return isinstance(x, Array) and is_key_type(typeof(x).dtype)


def check_prng_key(name: str, key: Any, *, allow_batched: bool = False) -> tuple[Any, bool]:
    """The typed key, and whether it was given as words.

    Raises TypeError for what is no key, ValueError for an array of keys where one is asked for.
    """
    if is_key_array(key):
        typed, wrapped = key, False
    elif hasattr(key, "__jax_array__") or is_jax_type(key) or isinstance(key, str):
        typed, wrapped = random_wrap(key, impl=resolve_prng_impl(None)), True
        _about_words()
    else:
        raise TypeError(f"unexpected PRNG key type {type(key)}")
    if not allow_batched and typed.ndim:
        raise ValueError(
            f"{name} accepts a single key, but was given a key array of shape {np.shape(key)} != (). "
            "Use jax.vmap for batching."
        )
    return typed, wrapped


_WORDS = (
    "Legacy uint32 key array passed as key to jax.random function. Please create keys using jax.random.key(). If use "
    'of a raw key array was intended, set jax_legacy_prng_key="allow".'
)


def _about_words() -> None:
    """What the flags want to be said of a key that is given as words."""
    if legacy_prng_key.value == "error":
        raise ValueError(_WORDS)
    if legacy_prng_key.value == "warn":
        warnings.warn(_WORDS, stacklevel=4)
    elif enable_custom_prng.value:
        told = (
            "Raw arrays as random keys to jax.random functions are deprecated. Assuming valid threefry2x32 key for now."
        )
        warnings.warn(told, FutureWarning, stacklevel=4)


def _as_given(wrapped: bool, keys: Any) -> Any:
    """Typed keys, or their words where words were given."""
    return random_unwrap(keys) if wrapped and not enable_custom_prng.value else keys


# ---- making keys


def key_dtype(impl: Any = None) -> KeyTy:
    """The dtype of keys of an implementation, of the default one where none is named."""
    return KeyTy(resolve_prng_impl(impl))


def _key(name: str, seed: Any, impl: PRNGImpl) -> Any:
    if is_key_array(seed):
        raise TypeError(f"{name} accepts a scalar seed, but was given a PRNG key.")
    if np.ndim(seed):
        raise TypeError(
            f"{name} accepts a scalar seed, but was given an array of shape {np.shape(seed)} != (). "
            "Use jax.vmap for batching"
        )
    return random_seed(seed, impl)


def _implementation(name: str, impl: Any, dtype: Any) -> PRNGImpl:
    if impl is not None and dtype is not None:
        raise ValueError(f"Cannot specify both `impl` and `dtype` arguments to jax.random.{name}")
    return resolve_prng_impl(impl if dtype is None else dtype)


def key(seed: Any, *, impl: Any = None, dtype: Any = None) -> Any:
    """The key of a number: a scalar of type `key<fry>`.

    >>> key(0)
    Array((), dtype=key<fry>) overlaying:
    [0 0]
    """
    return _key("key", seed, _implementation("key", impl, dtype))


def PRNGKey(seed: Any, *, impl: Any = None) -> Any:
    """The same as words, `uint32[2]`, as keys were before they had a type."""
    return _as_given(True, _key("PRNGKey", seed, resolve_prng_impl(impl)))


def wrap_key_data(key_bits_array: Any, *, impl: Any = None, dtype: Any = None) -> Any:
    """The keys with these words. Raises TypeError where they cannot be that."""
    return random_wrap(key_bits_array, impl=_implementation("wrap_key_data", impl, dtype))


# ---- what is known of keys


def key_data(keys: Any) -> Any:
    """The words of keys.

    >>> key_data(key(7))
    Array([0, 7], dtype=uint32)
    """
    return random_unwrap(check_prng_key("key_data", keys, allow_batched=True)[0])


def key_impl(keys: Any) -> str | PRNGSpec:
    """The name of the implementation that the keys are of."""
    impl = impl_of(typeof(check_prng_key("key_impl", keys, allow_batched=True)[0]))
    return impl.name if impl.name in prngs else PRNGSpec(impl)


# ---- keys from keys


def split_typed(key: Any, num: int | Sequence[int] = 2) -> Any:
    """`split` of a typed key."""
    if key.ndim:
        raise TypeError(
            f"split accepts a single key, but was given a key array of shape {key.shape} != (). "
            "Use jax.vmap for batching."
        )
    shape = tuple(num) if isinstance(num, Sequence) else (num,)
    if not isinstance(key, Tracer):
        shape = tuple(map(index_or_tracer, shape))  # a number in an array is taken, as it is not in a program
    return random_split_p.bind(key, shape=shape)


def split(key: Any, num: int | Sequence[int] = 2) -> Any:
    """So many new keys (or an array of them, of this shape). The key itself has been used then.

    >>> split(wrap_key_data(np.zeros(2, np.uint32)), 3).shape
    (3,)
    """
    typed, wrapped = check_prng_key("split", key)
    return _as_given(wrapped, split_typed(typed, num))


def fold_in(key: Any, data: Any) -> Any:
    """The key that belongs to a key and a whole number, such as that of a step or of a device."""
    typed, wrapped = check_prng_key("fold_in", key)
    if np.ndim(data):
        raise TypeError(
            f"fold_in accepts a scalar, but was given an array ofshape {np.shape(data)} != (). "  # "ofshape" is JAX's
            "Use jax.vmap for batching."
        )
    return _as_given(wrapped, random_fold_in_p.bind(typed, asarray(data, dtype="uint32")))


def clone(key: Any) -> Any:
    """The same key, for a second use on purpose: the check of keys that are used twice lets it pass."""
    return random_clone_p.bind(key)
