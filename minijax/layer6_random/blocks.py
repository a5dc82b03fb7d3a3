"""Threefry-2x32 as operations of programs.

threefry2x32    four arrays of words (a key, and counters) -> two: what JAX has, and shows

In a program that is run, its two results are the halves of one array of 64-bit words, which a kernel computes at an
index: `threefry_words`, `upper_half`, `lower_half`, `swapped_halves`. `counter_half` is one half of the flat index.
"""

from typing import Any

import numpy as np

from ..layer1_core.aval import Shape, ShapedArray, shaped
from ..layer1_core.lax.families import broadcast_shape, primitive
from ..layer1_core.primitive import impl_rules
from ..layer2_jit.functions import MODULES
from ..layer2_jit.loops import Op, Place, Value
from ..layer2_jit.lowering import CALLED, Made, Pointwise, lowering_rules
from . import words
from .threefry import counters, scrambled

U32, U64 = np.dtype("uint32"), np.dtype("uint64")
COST = 60  # in additions: 20 rounds of an addition, a turn and an xor

MODULES.append(words)


def _broadcast(*avals: ShapedArray) -> Shape:
    """The common shape of words; scalars go with all. Raises TypeError for what are no words."""
    if any(a.dtype != U32 for a in avals):
        raise TypeError(f"Arguments to threefry2x32 must have uint32 type, got {avals}")
    return broadcast_shape("threefry2x32", [a.shape for a in avals])


threefry2x32_p = primitive("threefry2x32", lambda *avals: [shaped(_broadcast(*avals), U32)] * 2, multiple_results=True)
impl_rules[threefry2x32_p] = scrambled
lowering_rules[threefry2x32_p] = CALLED  # by itself; as a part of a program it becomes the three below

# ---- the same, one result at a time

threefry_words_p = primitive("threefry_words", lambda *avals: shaped(_broadcast(*avals), U64))
upper_half_p = primitive("upper_half", lambda x: shaped(x.shape, U32))
lower_half_p = primitive("lower_half", lambda x: shaped(x.shape, U32))
swapped_halves_p = primitive("swapped_halves", lambda x: x)


@impl_rules.rule(threefry_words_p)
def _words(*operands: np.ndarray) -> np.ndarray:
    upper, lower = scrambled(*operands)
    return upper.astype(U64) << np.uint64(32) | lower


impl_rules[upper_half_p] = lambda x: (x >> np.uint64(32)).astype(U32)
impl_rules[lower_half_p] = lambda x: x.astype(U32)
impl_rules[swapped_halves_p] = words.swapped_uint64


def _wide(x: Value) -> Value:
    return Op("to_uint64", (x,), U64)


def _pair(upper: Value, lower: Value) -> Value:
    """Two words as one. (With the operators of kernels, 32 would be a parameter of the kernel: LLVM must know it.)"""
    return Op("pair_uint64", (_wide(upper), _wide(lower)), U64)


def _word_at(eqn: Any, k0: Value, k1: Value, x0: Value, x1: Value) -> Value:
    return Op("threefry2x32_uint64", (_pair(k0, k1), _pair(x0, x1)), U64)


def _upper(x: Value) -> Value:
    return Op("to_uint32", (Op("upper_uint64", (x,), U64),), U32)


lowering_rules[threefry_words_p] = Pointwise(_word_at, COST)
lowering_rules[upper_half_p] = Pointwise(lambda eqn, x: _upper(x))
lowering_rules[lower_half_p] = Pointwise(lambda eqn, x: Op("to_uint32", (x,), U32))
lowering_rules[swapped_halves_p] = Pointwise(lambda eqn, x: Op("swapped_uint64", (x,), U64))

# ---- counters

counter_half_p = primitive("counter_half", lambda *, size, upper: shaped((size,), U32))


@impl_rules.rule(counter_half_p)
def _counter_half(*, size: int, upper: bool) -> np.ndarray:
    return counters(0, size)[0 if upper else 1]


def _counter_at(eqn: Any, at: Any) -> Value:
    """A half of the index along the one axis."""
    index = Place(at[0], U64)
    return _upper(index) if eqn.params["upper"] else Op("to_uint32", (index,), U32)


lowering_rules[counter_half_p] = Made(_counter_at)
