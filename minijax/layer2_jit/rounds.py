# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The rounds of a kernel's loops: `range`, as instructions.

Numba's own has any step, and an error for a step of zero. It would be half of the instructions of a short kernel, and a
tenth of the time that LLVM takes. Here a loop counts up from its start and looks, before each round, if it is done.
Only what has a step, as in a function of maths that a learner writes, looks which way it counts.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.datamodel import models, register_default
from numba.core.typing import templates

from .instructions import LOWERINGS, TYPES

PARTS = "start", "stop", "step"  # of a range; the third one if it has it


class _Rounds(types.SimpleIteratorType):
    """What is left of a loop: where the number of the next round stands, and the other parts of its range."""

    def __init__(self, parts: int):
        super().__init__(f"rounds of {parts}", types.int64)
        self.parts = parts


class _Range(types.SimpleIterableType):
    """What `range` gives, of 2 parts or of 3. (A loop over it may be begun again, as inside of another one.)"""

    def __init__(self, parts: int):
        super().__init__(f"range of {parts}", _Rounds(parts))
        self.parts = parts


@register_default(_Range)
@register_default(_Rounds)
class _Model(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        first = types.int64 if isinstance(kind, _Range) else types.EphemeralPointer(types.int64)
        super().__init__(manager, kind, [*zip(PARTS, (first, types.int64, types.int64)[: kind.parts], strict=False)])


WORD = ir.IntType(64)


def together(b: ir.IRBuilder, *parts: Any) -> Any:
    """The parts as one value."""
    whole: Any = ir.Constant(ir.LiteralStructType([x.type for x in parts]), ir.Undefined)
    for k, x in enumerate(parts):
        whole = b.insert_value(whole, x, k)
    return whole


def _range(context: Any, b: ir.IRBuilder, sig: Any, args: list[Any]) -> Any:
    return together(b, *args) if len(args) > 1 else together(b, ir.Constant(WORD, 0), *args)


def _begin(context: Any, b: ir.IRBuilder, sig: Any, args: list[Any]) -> Any:
    """The rounds of a range, with a place of their own for the number of the next one."""
    start, *others = (b.extract_value(args[0], k) for k in range(sig.return_type.parts))
    with b.goto_entry_block():
        place = b.alloca(WORD)
    b.store(start, place)
    return together(b, place, *others)


def _next(context: Any, b: ir.IRBuilder, sig: Any, args: list[Any]) -> Any:
    """The number of a round, and whether there is one. (With a step of zero there is none; Python raises an error.)"""
    place, stop, *steps = (b.extract_value(args[0], k) for k in range(sig.args[0].parts))
    now = b.load(place)
    there = b.icmp_signed("<", now, stop)
    if not steps:
        b.store(b.add(now, ir.Constant(WORD, 1), flags=("nsw",)), place)
        return together(b, now, there)
    (step,) = steps
    b.store(b.add(now, step), place)
    up, down = (b.icmp_signed(sign, step, ir.Constant(WORD, 0)) for sign in "><")
    return together(b, now, b.or_(b.and_(up, there), b.and_(down, b.icmp_signed(">", now, stop))))


class _Template(templates.ConcreteTemplate):
    """The types of `range(stop)`, `range(start, stop)` and `range(start, stop, step)`."""

    key = "rounds"
    cases = tuple(templates.signature(_Range(max(n, 2)), *[types.int64] * n) for n in (1, 2, 3))


TYPES.register(_Template)
TYPES.register_global(range, types.Function(_Template))
for _case in _Template.cases:
    LOWERINGS.lower(_Template.key, *_case.args)(_range)
LOWERINGS.lower("getiter", _Range)(_begin)
LOWERINGS.lower("iternext", _Rounds)(_next)
