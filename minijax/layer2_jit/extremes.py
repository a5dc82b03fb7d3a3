"""The largest and the smallest of many floats, as machine code finds them: among whole numbers.

A maximum is NaN where an element is, and 0.0 is larger than -0.0. Processors have no instruction for that: it takes
six, which wait for each other. The bits of floats, with those of negative ones turned over, are whole numbers in the
same order, and with one addition NaN comes last: keys, whose maximum is one instruction. So a variable that is put
together from many elements is a key, and a float again where it is read.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .loops import Const, Kernel, Let, Load, Name, Op, Statement, Value, changed, statements, with_bodies, with_values

KEYS = {np.dtype("float32"): np.dtype("int32"), np.dtype("float64"): np.dtype("int64")}
EXTREMES = "max", "min"


def among_keys(kernel: Kernel) -> Kernel:
    """The kernel with keys in place of floats that are the largest, or the smallest, of many."""
    found = _collected(kernel.body)
    return replace(kernel, body=_Keyed(found).block(kernel.body)) if found else kernel


def _collected(body: Sequence[Statement]) -> dict[str, str]:
    """The variables that are put together by max or by min, and by which of them."""
    lines = [s for s in statements(body) if isinstance(s, Let)]
    found = {
        s.name: s.value.name
        for s in lines
        if isinstance(s.value, Op) and s.value.name in EXTREMES and s.value.dtype in KEYS and _reads(s.value, s.name)
    }
    for s in lines if found else ():
        same = isinstance(s.value, Op) and s.value.name == found.get(s.name)  # or a start: a number, or an element
        if s.name in found and not same and not isinstance(s.value, Const | Load):
            del found[s.name]
    return found


def _reads(value: Op, name: str) -> bool:
    return any(isinstance(x, Name) and x.name == name for x in value.args)


class _Keyed:
    """Statements in which these variables are keys, of max or of min."""

    def __init__(self, found: dict[str, str]):
        self.found = found

    def block(self, body: list[Statement]) -> list[Statement]:
        return [with_bodies(self.statement(s), self.block) for s in body]

    def statement(self, s: Statement) -> Statement:
        if isinstance(s, Let) and s.name in self.found:
            return replace(s, value=self.key(s.value, self.found[s.name]))
        return with_values(s, self.number)

    def number(self, value: Value) -> Value:
        """The value as it is, of keys where it reads any."""
        if (operation := self.operation(value)) is not None:
            return Op(f"from_key_of_{operation}", (self.key(value, operation),), value.dtype)
        return changed(value, args=tuple(map(self.number, value.args))) if isinstance(value, Op) else value

    def key(self, value: Value, operation: str) -> Value:
        """The key of a value, for this operation."""
        dtype = KEYS[value.dtype]
        if isinstance(value, Op) and value.name == operation:
            return Op(operation, tuple(self.key(x, operation) for x in value.args), dtype)
        if isinstance(value, Name) and self.operation(value) == operation:
            return Name(value.name, dtype)
        return Op(f"key_of_{operation}", (self.number(value),), dtype)

    def operation(self, value: Value) -> str | None:
        """The operation whose key a value is: it is a variable among those found, or the extreme of one and another."""
        match value:
            case Name(name):
                return self.found.get(name)
            case Op(name, args) if name in EXTREMES and value.dtype in KEYS:
                return name if any(self.operation(x) == name for x in args) else None
        return None
