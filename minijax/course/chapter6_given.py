"""What the exercises of chapter 6 have at hand: words, keys and counters, and what a program does with keys.

The package is looked up each time, since a `%chapter` replaces it.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .chapter3_given import numbers, package

# ---- words


def words(*values: int) -> np.ndarray:
    """An array of words: uint32."""
    return np.array(values, np.uint32)


def halves(number: Any) -> tuple[Any, Any]:
    """The upper and the lower word of a whole number, which may be traced. One of 32 bits has no upper word: 0."""
    upper, lower = package("layer6_random.implementation").threefry_seed(number)
    return upper, lower


def places(shape: tuple[int, ...]) -> tuple[Any, Any]:
    """The number of each element of an array, counted row after row: its upper and its lower word.

    Upper words are 0: an array that is drawn as a whole has fewer than 2**32 elements here.
    """
    jnp = package("numpy")
    return jnp.zeros(shape, "uint32"), jnp.arange(math.prod(shape), dtype="uint32").reshape(shape)


# ---- keys


def key_words(keys: Any) -> list[Any]:
    """The words of keys, as numbers of Python's."""
    return numbers(package("random").key_data, keys)


def bits_of(keys: Any) -> Any:
    """A number of 32 bits for each of some keys."""
    jax = package()
    draw = jax.random.bits
    for _ in keys.shape:
        draw = jax.vmap(draw)
    return draw(keys)


# ---- what a program does with keys

USES = ("random_bits", "random_split", "random_gamma")  # primitives that use up the key that is their first operand


def is_literal(v: Any) -> bool:
    """Whether an operand of an equation is a number that stands in the program."""
    return isinstance(v, package("extend.core").Literal)


def scan_parts(eqn: Any, operands: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """What is said of the operands of a scan, in three lists: of its constants, of its carry, of what it runs along."""
    consts, carry, xs = eqn.params["ft_in"].split([*operands])
    return [*consts], [*carry], [*xs]


# ---- how often


def equal_pairs(values: Any) -> int:
    """How many pairs of equal numbers there are in an array."""
    _, counts = np.unique(np.asarray(values), return_counts=True)
    return int((counts * (counts - 1) // 2).sum())


def changed_bits(some: Any, others: Any) -> int:
    """How many bits differ between words and others."""
    return sum(int(x).bit_count() for x in np.ravel(np.bitwise_xor(np.asarray(some), np.asarray(others))))
