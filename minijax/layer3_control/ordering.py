"""Long arrays are sorted by the digits of their keys, from the lowest to the highest: no element is compared with one.

In each pass an element goes behind those with smaller digits, and behind those with the same one that came before it.
Its place is read from a table of counts, and the next element with this digit goes one further. [n]
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.jaxpr import JaxprEqn
from ..layer1_core.lax.converting import bitcast_convert_type, convert_element_type
from ..layer1_core.lax.indexing import dynamic_index_in_dim, dynamic_update_index_in_dim
from ..layer1_core.lax.shaping import full, full_like
from ..layer1_core.lax.windows import cumsum
from ..layer2_jit import sorting
from ..layer2_jit.simpler import put_as, rules
from .scan import scan

BITS = 11  # of a digit: the counts of 2,048 digits stay in the fastest memory
SHORT = 16_384  # elements: fewer are sorted by a call
LONG = np.iinfo("int32").max
_few = rules[lax.sorting.sort_p]


def _is_long(eqn: JaxprEqn) -> bool:
    (shape,) = {v.aval.shape for v in eqn.invars}
    return len(eqn.invars) > 1 and len(shape) == 1 and SHORT <= shape[0] <= LONG


@put_as(lax.sorting.sort_p, accepts=lambda eqn, inside: _is_long(eqn) or _few.accepts(eqn, inside))
def sort(*operands: Any, dimension: int, is_stable: bool, num_keys: int) -> Sequence[Any]:
    """Long arrays by their digits, and others as in layer 2."""
    if operands[0].size < SHORT or operands[0].ndim != 1:
        return _few.program(*operands, dimension=dimension, is_stable=is_stable, num_keys=num_keys)
    found: Sequence[Any] = operands
    for k in reversed(range(num_keys)):
        found = by_key(k, found)
    return found


def by_key(k: int, operands: Sequence[Any]) -> Sequence[Any]:
    """The operands in the order of one of them; where it is the same, they stay in theirs."""
    key, others = unsigned(sorting.sort_key(operands[k])), [*operands]
    if key is operands[k]:  # then it need not be moved twice
        del others[k]
    for shift in range(0, 8 * key.dtype.itemsize, BITS):
        key, *others = by_digit(shift, [key, *others])
    return others if len(others) == len(operands) else [*others[:k], key, *others[k:]]


def unsigned(key: Any) -> Any:
    """Whole numbers in the same order, none of them negative: the lowest number becomes 0."""
    if key.dtype.kind == "u":
        return key
    lowest = full_like(key, np.iinfo(key.dtype).min)
    return bitcast_convert_type(key ^ lowest, f"uint{8 * key.dtype.itemsize}")


def by_digit(shift: int, operands: Sequence[Any]) -> Sequence[Any]:
    """The operands in the order of one digit of the first one, the key."""
    counts = full((1 << BITS,), 0, "uint32")
    digit = lambda key: convert_element_type(key >> shift, "uint32") & ((1 << BITS) - 1)

    def count(counts: Any, key: Any) -> tuple[Any, None]:
        return increased(counts, digit(key)), None

    def place(state: tuple[Any, Sequence[Any]], elements: Sequence[Any]) -> tuple[Any, None]:
        (places, outs), d = state, digit(elements[0])
        at = element(places, d)
        outs = [dynamic_update_index_in_dim(out, x, at, 0) for out, x in zip(outs, elements, strict=True)]
        return (increased(places, d), outs), None

    counts = scan(count, counts, operands[0])[0]
    return scan(place, (cumsum(counts) - counts, [full_like(x, 0) for x in operands]), [*operands])[0][1]


def element(x: Any, k: Any) -> Any:
    return dynamic_index_in_dim(x, k, 0, keepdims=False)


def increased(counts: Any, k: Any) -> Any:
    """The counts with one more of k."""
    return dynamic_update_index_in_dim(counts, element(counts, k) + 1, k, 0)
