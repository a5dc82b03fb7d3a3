"""The rounds of threefry run one after the other, on a counter and on the same with one bit flipped."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .figure import package_module
from .linear_writing import asked_for

ROUNDS, BITS = 20, 64
THREEFRY = "layer6_random.threefry"
COUNTER, KEY = "the counter", "the key"  # the two numbers of 64 bits of which a bit may be flipped

States = list[int]  # the two words as one number, after 0 rounds, 1 round, ...


@dataclass(frozen=True)
class Avalanche:
    """What the rounds make of a pair of words, and of it with each of the 128 bits flipped."""

    key: int
    counter: int
    plain: States
    flipped: dict[tuple[str, int], States]  # by the number and the bit that is flipped, 0 for the lowest
    agrees: bool  # whether the last state is the result of the package's `block`

    def changed(self, of: str, bit: int, rounds: int) -> int:
        """The bits that differ after so many rounds, as the ones of a number."""
        return self.plain[rounds] ^ self.flipped[of, bit][rounds]

    def count(self, of: str, bit: int, rounds: int) -> int:
        return self.changed(of, bit, rounds).bit_count()

    def counts(self, rounds: int) -> list[int]:
        """How many bits differ after so many rounds, for each of the bits that may be flipped."""
        return [self.count(of, bit, rounds) for of, bit in self.flipped]


def what_is_missing() -> str:
    """Why the rounds cannot be run: which chapter and step brings what is not there. "" where all is."""
    return next(filter(None, (asked_for(THREEFRY, name) for name in ("ROTATIONS", "mix", "PARITY"))), "")


def measured(key: int, counter: int) -> Avalanche:
    """Run the rounds of the package as it stands on the pair, and on its 128 neighbours at once."""
    flips = [(of, bit) for of in (COUNTER, KEY) for bit in range(BITS)]
    keys = [key, *(key ^ 1 << bit if of == KEY else key for of, bit in flips)]
    numbers = [counter, *(counter ^ 1 << bit if of == COUNTER else counter for of, bit in flips)]
    operands = [*halves(keys), *halves(numbers)]
    columns = [joined(pair) for pair in after_each_round(*operands)]
    plain, *others = (list(states) for states in zip(*columns, strict=True))
    return Avalanche(key, counter, plain, dict(zip(flips, others, strict=True)), agrees(operands, columns[-1]))


def agrees(operands: list[np.ndarray], last: list[int]) -> bool:
    """Whether `block` gives the same; True where it is not there yet."""
    return bool(asked_for(THREEFRY, "block")) or joined(package_module(THREEFRY).block(*operands)) == last


def after_each_round(k0: Any, k1: Any, x0: Any, x1: Any) -> list[tuple[Any, Any]]:
    """The words after 0, 1, ..., 20 rounds. The key is added before the first and together with every fourth."""
    threefry = package_module(THREEFRY)
    keys = k0, k1, k0 ^ k1 ^ threefry.PARITY
    with np.errstate(over="ignore"):
        x0, x1 = x0 + k0, x1 + k1
        found = [(x0, x1)]
        for i in range(ROUNDS):
            x0, x1 = threefry.mix(x0, x1, threefry.ROTATIONS[i // 4 % 2][i % 4])
            if i % 4 == 3:
                n = i // 4 + 1
                x0, x1 = x0 + keys[n % 3], x1 + keys[(n + 1) % 3] + np.uint32(n)
            found.append((x0, x1))
    return found


def halves(numbers: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of 64 bits as words: (upper, lower)."""
    return np.array([n >> 32 for n in numbers], np.uint32), np.array([n & 0xFFFFFFFF for n in numbers], np.uint32)


def joined(words: tuple[Any, Any]) -> list[int]:
    return [int(upper) << 32 | int(lower) for upper, lower in zip(*words, strict=True)]
