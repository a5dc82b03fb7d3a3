"""Keys as types: `key<fry>[3]` is the type of an array of three keys.

A key is not a number. Its dtype says by which implementation it was made, and how it lies in memory: as a few words
along one more axis, which the key's own shape does not show.

    key<fry>[3]   in memory   u32[3,2]
"""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..layer1_core import config
from ..layer1_core.aval import Shape, ShapedArray, shaped, told
from ..layer1_core.dtypes import extended

U32 = np.dtype("uint32")

_CHOICES = ("threefry2x32", "threefry4x32", "rbg", "unsafe_rbg", "philox2x32", "philox4x32")
default_prng_impl = config.Flag("jax_default_prng_impl", "threefry2x32", _CHOICES)
enable_custom_prng = config.Flag("jax_enable_custom_prng", False)
threefry_partitionable = config.Flag("jax_threefry_partitionable", True)


class prng_key(extended):
    """The family of the dtypes of keys."""


class PRNGImpl(NamedTuple):
    """A way to make random bits. Its functions take the words of one key, an array of `key_shape`.

    seed(number)                     the words of a key
    split(words, shape)              those of new keys, in front of the axes of `key_shape`
    random_bits(words, width, shape) an array of unsigned integers of so many bits
    fold_in(words, number)           the words of another key
    """

    key_shape: Shape
    seed: Callable[..., Any]
    split: Callable[..., Any]
    random_bits: Callable[..., Any]
    fold_in: Callable[..., Any]
    name: str = "<unnamed>"
    tag: str = "?"

    def __hash__(self) -> int:
        return hash(self.tag)

    def __str__(self) -> str:
        return self.tag


class KeyTy:
    """The dtype of keys of an implementation: `key<fry>`."""

    _is_extended = True
    type = prng_key
    names = None  # of fields, which NumPy's dtypes may have
    kind = "O"
    fill_value = np.iinfo(U32).max  # of each word, where an index is outside of an array of keys
    of_words: Callable[..., Any]  # from words in memory to an array of keys: key_array.py has it
    full: Callable[..., Any]  # an array of one key, by its shape and what is in it: primitives.py has it

    def __init__(self, impl: PRNGImpl):
        self._impl = impl

    @property
    def name(self) -> str:
        return f"key<{self._impl.tag}>"

    @property
    def itemsize(self) -> int:
        return math.prod(self._impl.key_shape) * U32.itemsize

    def held(self, value: np.ndarray, sharding: Any, committed: bool) -> Any:
        """The array of keys whose words are in this memory."""
        return self.of_words(self._impl, value, sharding, committed)

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return type(other) is KeyTy and self._impl == other._impl

    def __hash__(self) -> int:
        return hash((KeyTy, self._impl))


def is_key_type(dtype: Any) -> bool:
    return type(dtype) is KeyTy


def has_keys(aval: ShapedArray) -> bool:
    return type(aval.dtype) is KeyTy


def impl_of(aval: Any) -> PRNGImpl:
    """The implementation that keys of this type are of."""
    return aval.dtype._impl


def keys_aval(impl: PRNGImpl, shape: Shape) -> ShapedArray:
    """The type of an array of keys."""
    return shaped(shape, KeyTy(impl))


def words_aval(aval: ShapedArray) -> ShapedArray:
    """The type in memory: of keys, that of their words; any other type is its own."""
    if not has_keys(aval):
        return aval
    behind = impl_of(aval).key_shape
    words = shaped((*aval.shape, *behind), U32)
    if (place := told(aval)) is None:
        return words
    return words.update(sharding=functools.reduce(lambda found, _: found.with_axis(aval.ndim), behind, place))


# ---- the implementations that there are

prngs: dict[str, PRNGImpl] = {}
# The names that JAX knows, in the order of its message. Those that are not in `prngs` are left out here.
_NAMES = ("philox2x32", "philox4x32", "threefry2x32", "rbg", "unsafe_rbg", "threefry4x32")


def register_prng(impl: PRNGImpl) -> None:
    """Enter an implementation by its name. Raises ValueError where the name is taken."""
    if impl.name in prngs:
        raise ValueError(f"PRNG with name {impl.name} already registered: {impl}")
    prngs[impl.name] = impl


class PRNGSpec:
    """An implementation, as users see one that has no name in `prngs`."""

    __slots__ = ("_impl",)

    def __init__(self, impl: PRNGImpl):
        self._impl = impl

    def __repr__(self) -> str:
        return f"PRNGSpec({self._impl.name!r})"

    def __str__(self) -> str:
        return str(self._impl)

    def __hash__(self) -> int:
        return hash(self._impl)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PRNGSpec) and self._impl == other._impl


def define_prng_impl(
    *,
    key_shape: Shape,
    seed: Callable[..., Any],
    split: Callable[..., Any],
    random_bits: Callable[..., Any],
    fold_in: Callable[..., Any],
    name: str = "<unnamed>",
    tag: str = "?",
) -> PRNGSpec:
    """An implementation of the user's own, for `key(seed, impl=...)`: its functions are those of `PRNGImpl`."""
    return PRNGSpec(PRNGImpl(key_shape, seed, split, random_bits, fold_in, name, tag))


def resolve_prng_impl(spec: Any) -> PRNGImpl:
    """The implementation that a user names; the default one for None.

    Raises ValueError for a name that is not known, NotImplementedError for one of JAX's that is left out.
    """
    if spec is None:
        spec = default_prng_impl.value
    if isinstance(spec, (PRNGSpec, KeyTy)):
        return spec._impl
    if isinstance(spec, PRNGImpl):
        return spec
    if not isinstance(spec, str):
        raise TypeError(f"unrecognized type {type(spec)} for specifying PRNG implementation.")
    if spec in prngs:
        return prngs[spec]
    if spec in _NAMES:
        raise NotImplementedError(
            f'the PRNG implementation "{spec}" is left out here, where all arrays are on a CPU: use "threefry2x32"'
        )
    known = ", ".join(f'"{name}"' for name in dict.fromkeys((*_NAMES, *prngs)))
    raise ValueError(f'unrecognized PRNG implementation "{spec}". Did you mean one of: {known}?')
