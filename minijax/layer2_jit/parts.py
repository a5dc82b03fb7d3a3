"""Which kernels run in parts, on several threads: long ones that are one loop, whose rounds are independent.

A line before the loop is done once for each part. So it may not say what to start from, where something is carried from
round to round, and may not read what the loop writes.
"""

import math
from dataclasses import replace

from .hoisting import depends_on
from .loops import (
    For,
    If,
    Kernel,
    Let,
    Load,
    Op,
    Product,
    Statement,
    Store,
    Transpose,
    Value,
    While,
    loop_of_parts,
    written,
)  # fmt: skip
from .operations import OPERATORS

WORTHWHILE = 25_000  # nanoseconds; to hand work over takes about 1,000
FUNCTION = 12  # operators that a function takes as long as, about


def divided(kernel: Kernel) -> Kernel:
    """The kernel, to be run in parts where that is right and pays."""
    loop = loop_of_parts(kernel)
    pays = loop is not None and loop.extent > 1 and not kernel.in_order and work(kernel.body) > WORTHWHILE
    return replace(kernel, in_parts=True) if pays and not _reads_what_is_written(kernel) else kernel


def _reads_what_is_written(kernel: Kernel) -> bool:
    """Whether a line before the loop does: another part may have written it by then."""
    changing = {*written(kernel.body)}
    return any(not changing.isdisjoint(depends_on(s.value)) for s in kernel.body if isinstance(s, Let))


def work(body: list[Statement]) -> float:
    """How long statements take in vector instructions, in nanoseconds, about."""
    return sum(map(_statement, body))


def _statement(statement: Statement) -> float:
    match statement:
        case For(_, extent, body):
            return extent * work(body)
        case Let(_, value) | Store(_, _, value):
            return 0.03 + _value(value)
        case While(test, _, body) | If(_, test, body):
            return work(test) + work(body)  # of one round
        case Product(sizes=sizes):
            return 500 + 0.02 * math.prod(sizes)
        case Transpose():
            return 8


def _value(value: Value) -> float:
    match value:
        case Op(name, args):
            return (0.02 if name in OPERATORS else 0.02 * FUNCTION) + sum(map(_value, args))
        case Load():
            return 0.04
    return 0
