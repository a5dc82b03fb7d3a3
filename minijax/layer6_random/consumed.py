"""Which keys of an array have been used: a mask stands for some of them, True for all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..layer1_core.trace import SourceLine
from .key_array import PRNGKeyArray

Mask = Any  # True, or an array of truth values: which keys of an array


@dataclass(frozen=True)
class Closed:
    """A constant of a program, which it uses up, and where."""

    keys: PRNGKeyArray
    mask: Mask
    used_at: SourceLine | None


def either(a: Mask, b: Mask) -> Mask:
    """The keys of either mask; True for all."""
    both = np.logical_or(a, b)
    return True if both.all() and both.size else both if both.any() else False


def joined(closed: Sequence[Closed]) -> list[Closed]:
    """Each constant once: the branches of a conditional may have it in common."""
    found: dict[int, Closed] = {}
    for one in closed:
        before = found.get(id(one.keys))
        found[id(one.keys)] = one if before is None else Closed(one.keys, either(before.mask, one.mask), before.used_at)
    return list(found.values())
