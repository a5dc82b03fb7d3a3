# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The instructions of a kernel that take numbers from a tuple or a table: polynomials, and the digits of 2/pi."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing import templates

from .instructions import FLOATS, LOWERINGS, STUBS, TYPES, Emit, function, intrinsic
from .quarter_turns import WINDOWS

# ---- polynomials


def _horner(context: Any, b: ir.IRBuilder, sig: Any, args: list[Any]) -> Any:
    x, coefficients = args
    emit, total = intrinsic("fma"), b.extract_value(coefficients, 0)
    for k in range(1, sig.args[1].count):
        total = emit(b, [total, x, b.extract_value(coefficients, k)], sig)
    return total


def _enter_horner() -> None:
    """`horner(x, coefficients)`: its second operand is a tuple, of any length."""

    def stub(*args: Any) -> Any:
        raise NotImplementedError("horner")

    class Horner(templates.AbstractTemplate):
        key = stub

        def generic(self, args: Any, kws: Any) -> Any:
            return templates.signature(args[0], *args)

    TYPES.register(Horner)
    TYPES.register_global(stub, types.Function(Horner))
    STUBS["horner"] = stub
    for t in FLOATS:
        LOWERINGS.lower(stub, t, types.UniTuple)(_horner)


_enter_horner()

# ---- tables


def _two_over_pi(part: int) -> Emit:
    def emit(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        name, values = f"minijax_two_over_pi_{part}", WINDOWS[part]
        kind = ir.ArrayType(ir.DoubleType(), len(values))
        table = b.module.globals.get(name) or ir.GlobalVariable(b.module, kind, name)
        table.global_constant, table.linkage, table.initializer = True, "private", ir.Constant(kind, list(values))
        j = b.and_(args[0], ir.Constant(args[0].type, len(values) - 1))
        return b.load(b.gep(table, [ir.Constant(ir.IntType(64), 0), j], inbounds=True))

    return emit


for _part in range(len(WINDOWS)):
    function(f"two_over_pi_{_part}", [(types.float64, types.int64)], _two_over_pi(_part))
