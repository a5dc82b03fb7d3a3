"""Whole numbers: greatest common divisor and least common multiple."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax import elementwise as lax
from . import reductions
from .arguments import array_arguments
from .arithmetic import floor_divide, multiply
from .numbers import absolute
from .promotion import broadcast_arrays_to_common, const, promote_dtypes
from .selecting import _where

Pair = tuple[Any, Any]


def repeat(cond: Callable[[Pair], Any], body: Callable[[Pair], Pair], state: Pair, most: int) -> Pair:
    """`body` applied `most` times: enough for `cond` to be false, after which it changes nothing."""
    for _ in range(most):
        state = body(state)
    return state


# How Euclid's algorithm is repeated: here as often as it may need, until layer 3 enters its while_loop.
loops: list[Callable[..., Pair]] = [repeat]


@jit
def gcd(x1: Any, x2: Any) -> Any:
    """The greatest common divisor, by Euclid's algorithm. Raises ValueError for dtypes other than integers."""
    x1, x2 = promote_dtypes(*array_arguments("gcd", x1, x2))
    _check_integers("gcd", x1)
    x1, x2 = broadcast_arrays_to_common(x1, x2)
    steps = 12 * typeof(x1).dtype.itemsize  # Fibonacci numbers need most: 46 steps in 32 bits, 92 in 64
    return loops[-1](_euclid_goes_on, _euclid_step, (absolute(x1), absolute(x2)), steps)[0]


def _euclid_goes_on(state: Pair) -> Any:
    return reductions.any(lax.ne(state[1], const(state[1], 0)))


def _euclid_step(state: Pair) -> Pair:
    """(a, b) -> (b, a mod b), the larger one first; where b is 0 all stays."""
    x1, x2 = state
    divisor = _where(lax.ne(x2, const(x2, 0)), x2, x1)
    goes_on = lax.ne(x2, const(x2, 0))
    rest = _where(goes_on, lax.rem(x1, x2), const(x2, 0))
    larger = _where(lax.lt(divisor, rest), rest, divisor)
    return larger, _where(lax.lt(divisor, rest), divisor, rest)


@jit
def lcm(x1: Any, x2: Any) -> Any:
    """The least common multiple; 0 where one is 0. Raises ValueError for dtypes other than integers."""
    x1, x2 = promote_dtypes(*array_arguments("lcm", x1, x2))
    x1, x2 = absolute(x1), absolute(x2)
    _check_integers("lcm", x1)
    divisor = gcd(x1, x2)
    nothing = lax.eq(divisor, const(divisor, 0))
    return _where(nothing, const(divisor, 0), multiply(x1, floor_divide(x2, divisor)))


def _check_integers(name: str, x: Any) -> None:
    if not dtypes.issubdtype(typeof(x).dtype, np.integer):
        raise ValueError(f"Arguments to jax.numpy.{name} must be integers.")
