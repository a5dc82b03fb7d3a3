# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The rounds of a kernel's loops: `range`, as instructions.

Numba's own has any step, and an error for a step of zero. It would be half of the instructions of a short kernel, and a
tenth of the time that LLVM takes. Here a loop counts up from its start and looks, before each round, if it is done.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.datamodel import models, register_default
from numba.core.typing import templates

from .instructions import LOWERINGS, TYPES


class _Rounds(types.SimpleIteratorType):
    """What is left of a loop: where the number of the next round stands, and the number that no round has."""


@register_default(_Rounds)
class _Model(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        super().__init__(manager, kind, [("next", types.EphemeralPointer(types.int64)), ("stop", types.int64)])


ROUNDS, WORD = _Rounds("rounds", types.int64), ir.IntType(64)


def together(b: ir.IRBuilder, *parts: Any) -> Any:
    """The parts as one value."""
    whole: Any = ir.Constant(ir.LiteralStructType([x.type for x in parts]), ir.Undefined)
    for k, x in enumerate(parts):
        whole = b.insert_value(whole, x, k)
    return whole


def _range(b: ir.IRBuilder, args: list[Any]) -> Any:
    start, stop = args if len(args) > 1 else (ir.Constant(WORD, 0), args[0])
    with b.goto_entry_block():
        place = b.alloca(WORD)
    b.store(start, place)
    return together(b, place, stop)


def _next(context: Any, b: ir.IRBuilder, sig: Any, args: list[Any]) -> Any:
    """The number of a round, and whether there is one."""
    place, stop = (b.extract_value(args[0], k) for k in range(2))
    now = b.load(place)
    b.store(b.add(now, ir.Constant(WORD, 1), flags=("nsw",)), place)
    return together(b, now, b.icmp_signed("<", now, stop))


class _Template(templates.ConcreteTemplate):
    """The types of `range(stop)` and `range(start, stop)`."""

    key = "rounds"
    cases = tuple(templates.signature(ROUNDS, *[types.int64] * n) for n in (1, 2))


TYPES.register(_Template)
TYPES.register_global(range, types.Function(_Template))
for _case in _Template.cases:
    LOWERINGS.lower(_Template.key, *_case.args)(lambda context, b, sig, args: _range(b, args))
LOWERINGS.lower("iternext", _Rounds)(_next)
