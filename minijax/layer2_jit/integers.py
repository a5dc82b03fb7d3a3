# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The instructions of a kernel for whole numbers: division, shifts, bits.

Each has a result for all operands, as lax has: the machine would stop the process at a division by zero, and LLVM
leaves open what a shift by too much is.
"""

from typing import Any

from llvmlite import ir

from .instructions import FLOATS, INTS, UINTS, Emit, function, intrinsic

WHOLE = (*INTS, *UINTS)
PAIRS = [(t, t, t) for t in WHOLE]


def _constant(x: ir.Value, value: int) -> ir.Constant:
    return ir.Constant(x.type, value)


def _is(b: ir.IRBuilder, x: ir.Value, value: int) -> ir.Value:
    return b.icmp_unsigned("==", x, _constant(x, value))


# ---- division


def _divided(b: ir.IRBuilder, x: Any, y: Any, signed: bool) -> Any:
    """x / y without its fraction, for a y that divides x.

    Up to 32 bits through float64: (x + 1/2) / y is at least 1/2 / y away from a whole number, and what is computed is
    wrong by less than 2**-20 / y. So the divisor may be turned over first, in front of the loop if it is always the
    same: a multiplication takes a tenth of the time. (49 * (1 / 49) is less than 1: the half is needed.)
    """
    if x.type.width == 64:
        return (b.sdiv if signed else b.udiv)(x, y)
    to_float, to_whole = (b.sitofp, b.fptosi) if signed else (b.uitofp, b.fptoui)
    number, half = to_float(x, ir.DoubleType()), ir.Constant(ir.DoubleType(), 0.5)
    away = intrinsic("copysign")(b, [half, number], None) if signed else half
    turned = b.fdiv(ir.Constant(ir.DoubleType(), 1), to_float(y, ir.DoubleType()))
    return to_whole(b.fmul(b.fadd(number, away), turned), x.type)


def _quotient(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """Without a fraction; all bits of x / 0 are 1, and the least number, which has no opposite, is its own."""
    x, y = args
    signed, one = sig.args[0] in INTS, _constant(y, 1)
    zero, less_one = _is(b, y, 0), _is(b, y, -1)
    if not signed:
        return b.select(zero, _constant(x, -1), _divided(b, x, b.select(zero, one, y), signed))
    q = _divided(b, x, b.select(b.or_(zero, less_one), one, y), signed)
    return b.select(zero, _constant(x, -1), b.select(less_one, b.neg(x), q))


def _rem(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """What the quotient leaves over; x where y is 0."""
    if sig.args[0] in FLOATS:
        return b.frem(*args)
    return b.sub(args[0], b.mul(_quotient(b, args, sig), args[1]))


def _mulhi(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """The upper half of the product."""
    width = args[0].type.width
    wider = b.sext if sig.args[0] in INTS else b.zext
    x, y = (wider(v, ir.IntType(2 * width)) for v in args)
    return b.trunc(b.lshr(b.mul(x, y), ir.Constant(x.type, width)), args[0].type)


function("quotient", PAIRS, _quotient)
function("rem", [*PAIRS, *((t, t, t) for t in FLOATS)], _rem)
function("mulhi", PAIRS, _mulhi)

# ---- bits


def _shift(method: str) -> Emit:
    """Zeros come in. Everything is moved out where the distance is the width or more, as a negative one is too."""

    def emit(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        x, y = args
        zero, inside = _constant(x, 0), b.icmp_unsigned("<", y, _constant(y, x.type.width))
        return b.select(inside, getattr(b, method)(x, b.select(inside, y, zero)), zero)

    return emit


def _shift_right_arithmetic(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """Copies of the first bit come in."""
    x, y = args
    most = _constant(y, x.type.width - 1)
    return b.ashr(x, b.select(b.icmp_unsigned("<", y, most), y, most))


def _population_count(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return b.ctpop(args[0])


def _clz(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """Leading zeros: as many as there are bits for 0, where LLVM could leave it open."""
    return b.ctlz(args[0], ir.Constant(ir.IntType(1), 0))


function("shift_left", PAIRS, _shift("shl"))
function("shift_right_logical", PAIRS, _shift("lshr"))
function("shift_right_arithmetic", PAIRS, _shift_right_arithmetic)
function("population_count", [(t, t) for t in WHOLE], _population_count)
function("clz", [(t, t) for t in WHOLE], _clz)
