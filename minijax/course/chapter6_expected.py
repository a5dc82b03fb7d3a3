"""What is right in the exercises of chapter 6: found in Python's own integers, or step by step and key by key."""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .chapter3_given import numbers, package

WORD = 1 << 32

# ---- threefry

_TURNS = (13, 15, 26, 6), (17, 29, 16, 24)


def threefry_by_hand(key: Sequence[int], counter: int) -> tuple[int, int]:
    """The two words of a counter of 64 bits under a key of two words."""
    k = [*key, key[0] ^ key[1] ^ 0x1BD11BDA]
    x, y = (counter // WORD + k[0]) % WORD, (counter + k[1]) % WORD
    for group in range(5):
        for turn in _TURNS[group % 2]:
            x = (x + y) % WORD
            y = (y << turn) % WORD ^ y >> 32 - turn ^ x
        x, y = (x + k[(group + 1) % 3]) % WORD, (y + k[(group + 2) % 3] + group + 1) % WORD
    return x, y


def block_by_hand(key: Sequence[int], shape: Sequence[int], starts: Sequence[int], sizes: Sequence[int]) -> Any:
    """The numbers of a part of a large draw, as nested lists: each from its place in the whole."""
    found = []
    for place in itertools.product(*(range(start, start + size) for start, size in zip(starts, sizes, strict=True))):
        counter = sum(i * math.prod(shape[d + 1 :]) for d, i in enumerate(place))
        x, y = threefry_by_hand(key, counter)
        found.append(x ^ y)
    return np.array(found).reshape(sizes).tolist()


# ---- loops with keys


def by_steps(f: Callable[..., Any], key: Any, init: Any, xs: Any, start: int = 0) -> Any:
    """What a loop with keys gives, step by step: the carry, and a list for what each step gives besides."""
    jax, carry, each = package(), init, []
    with package("layer1_core.config").interpret_jaxprs(True):
        for i in range(len(jax.tree.leaves(xs)[0])):
            x = jax.tree.map(lambda x, i=i: x[i], xs)
            carry, y = f(jax.random.fold_in(key, start + i), carry, x)
            each.append(y)
        return numbers(lambda: (carry, jax.tree.map(lambda *ys: np.stack([*map(np.asarray, ys)]), *each)))


def rejected(key: Any, propose: Callable[..., Any], keep: Callable[..., Any], most: int) -> Any:
    """The proposal that is kept, and its number, by a loop of Python's."""
    random = package("random")
    with package("layer1_core.config").interpret_jaxprs(True):
        rounds, is_kept, x = 0, False, None
        while not is_kept and rounds < most:
            key, for_x, for_u = random.split(key, 3)
            x = propose(for_x)
            rounds, is_kept = rounds + 1, random.uniform(for_u) < keep(x)
    return numbers(lambda: x), rounds


# ---- dropout


def thinned(key: Any, x: Any, rate: float) -> list[Any]:
    """The elements that are kept, larger by as much as is lost, and 0 for the others; with four digits."""
    x = np.asarray(x)
    kept = numbers(package("random").bernoulli, key, 1.0 - rate, x.shape)
    found = [round(float(v) / (1.0 - rate), 4) if k else 0.0 for v, k in zip(x.ravel(), np.ravel(kept), strict=True)]
    return np.array(found).reshape(x.shape).tolist()


# ---- philox


def philox_by_hand(key: Sequence[int], counter: Sequence[int]) -> list[int]:
    """The four words of a counter of four words under a key of two."""
    (k0, k1), (x0, x1, x2, x3) = key, counter
    for i in range(10):
        first, second = 0xD2511F53 * x0, 0xCD9E8D57 * x2
        x0 = second // WORD ^ x1 ^ (k0 + i * 0x9E3779B9) % WORD
        x2 = first // WORD ^ x3 ^ (k1 + i * 0xBB67AE85) % WORD
        x1, x3 = second % WORD, first % WORD
    return [x0, x1, x2, x3]


def philox_key(seed: int) -> list[int]:
    """The words of the key of a number."""
    return philox_by_hand((0, 0), (0, seed % WORD, 0, 0))[:2]


def philox_child(key: Sequence[int], data: int) -> list[int]:
    """The words of the key number `data` of a split, which is that of fold_in as well."""
    return philox_by_hand(key, (0, 0, 0, data % WORD))[:2]


def philox_numbers(key: Sequence[int], width: int, count: int) -> list[int]:
    """The first numbers of so many bits."""
    blocks = [philox_by_hand(key, (0, i, 0, 0)) for i in range(count)]
    return [(a ^ b ^ c ^ d) % (1 << width) for a, b, c, d in blocks]


def steps_of_32(numbers: Sequence[int]) -> list[float]:
    """Numbers of 32 bits as uniform numbers of float32: their first 23 bits count."""
    return [n // 2**9 / 2**23 for n in numbers]
