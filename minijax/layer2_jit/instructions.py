# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The instructions of a kernel: operators and functions of scalars, with the types that lax gives them.

int32 + int32 is int32 here, where Numba alone would make it int64. Each entry says the types, and writes the
instructions of LLVM; scalars.py has the same functions for Python.
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.imputils import Registry as LowerRegistry
from numba.core.typing import templates

TYPES, LOWERINGS = templates.Registry(), LowerRegistry("minijax")
STUBS: dict[str, Any] = {}  # the functions that kernels may call
CASES: dict[str, list[Any]] = {}  # of each of them, the signatures
SIGNATURES: dict[Any, Any] = {}
EMITTERS: dict[Any, Any] = {}

FLOATS = types.float32, types.float64
INTS = types.int8, types.int16, types.int32, types.int64
UINTS = types.uint8, types.uint16, types.uint32, types.uint64
BOOL = types.boolean
Emit = Callable[[ir.IRBuilder, list[Any], Any], Any]


def function(name: str, cases: list[tuple[Any, ...]], emit: Emit) -> None:
    """A function of scalars that kernels may call: `cases` are (result, *operands), `emit` writes its instructions.

    A function that is there already gets further cases.
    """
    if name not in STUBS:
        enter(name)
    CASES[name] += [templates.signature(*case) for case in cases]
    for case in cases:
        LOWERINGS.lower(STUBS[name], *case[1:])(lambda context, builder, sig, args: emit(builder, args, sig))


def enter(name: str) -> None:
    """A function of this name, without any cases yet."""

    def stub(*args: Any) -> Any:
        raise NotImplementedError(name)

    stub.__name__ = name
    template = type(name, (templates.ConcreteTemplate,), {"key": stub, "cases": CASES.setdefault(name, [])})
    TYPES.register(template)
    TYPES.register_global(stub, types.Function(template))
    STUBS[name] = stub


def llvm_type(t: Any) -> ir.Type:
    """LLVM's type for one of Numba's."""
    others = {types.float32: ir.FloatType(), types.float64: ir.DoubleType(), BOOL: ir.IntType(1)}
    return others.get(t) or ir.IntType(t.bitwidth)


def binary_operator(op: Any, result: Any, operand: Any, emit: Emit) -> None:
    key = op, (operand, operand)
    SIGNATURES[key], EMITTERS[key] = templates.signature(result, operand, operand), emit


def intrinsic(name: str) -> Emit:
    """An LLVM intrinsic whose operands and result have one type."""

    def emit(builder: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        kind = ir.FunctionType(args[0].type, [x.type for x in args])
        return builder.call(builder.module.declare_intrinsic(f"llvm.{name}", [args[0].type], kind), args)

    return emit


# ---- operators: each has the type of its operands


def _enter_operators() -> None:
    for t in FLOATS + INTS + UINTS:
        for name in ("add", "sub", "mul"):
            method = f"f{name}" if t in FLOATS else name
            binary_operator(getattr(operator, name), t, t, lambda b, args, sig, m=method: getattr(b, m)(*args))
        for name, sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
            binary_operator(getattr(operator, name), BOOL, t, _comparison(t, sign))
    for t in FLOATS:
        binary_operator(operator.truediv, t, t, lambda b, args, sig: b.fdiv(*args))
    for t in (*INTS, *UINTS, BOOL):
        for op, method in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor")):
            binary_operator(op, t, t, lambda b, args, sig, m=method: getattr(b, m)(*args))
    for t in (*INTS, *UINTS):
        right = "ashr" if t in INTS else "lshr"
        for op, method in ((operator.lshift, "shl"), (operator.rshift, right)):
            binary_operator(op, t, t, lambda b, args, sig, m=method: getattr(b, m)(*args))
    for name, sign in (("eq", "=="), ("ne", "!=")):
        binary_operator(getattr(operator, name), BOOL, BOOL, _comparison(types.uint8, sign))


def _comparison(t: Any, sign: str) -> Emit:
    if t in FLOATS:
        kind = "fcmp_unordered" if sign == "!=" else "fcmp_ordered"
    else:
        kind = "icmp_signed" if t.signed else "icmp_unsigned"
    return lambda b, args, sig: getattr(b, kind)(sign, *args)


_enter_operators()

# ---- functions

_each = lambda kinds, n: [(t,) * (n + 1) for t in kinds]  # n operands and a result of one type


def _pick(sign: str) -> Emit:
    """The one of two integers that compares so."""

    def emit(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        compare = b.icmp_signed if getattr(sig.args[0], "signed", False) else b.icmp_unsigned
        return b.select(compare(sign, *args), *args)

    return emit


def _maximum(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return (intrinsic("maximum") if sig.args[0] in FLOATS else _pick(">"))(b, args, sig)


def _minimum(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return (intrinsic("minimum") if sig.args[0] in FLOATS else _pick("<"))(b, args, sig)


def _select(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return b.select(args[0], args[1], args[2])


def _neg(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return b.fneg(args[0]) if sig.args[0] in FLOATS else b.neg(args[0])


def _abs(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    if sig.args[0] in FLOATS:
        return intrinsic("fabs")(b, args, sig)
    if not sig.args[0].signed:
        return args[0]
    zero = ir.Constant(args[0].type, 0)
    return b.select(b.icmp_signed("<", args[0], zero), b.neg(args[0]), args[0])


def _sum(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """The only addition that may be done in another order: so that a reduction has several lanes."""
    return b.fadd(*args, flags=("reassoc", "contract")) if sig.args[0] in FLOATS else b.add(*args)


def _product(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return b.fmul(*args, flags=("reassoc", "contract")) if sig.args[0] in FLOATS else b.mul(*args)


NUMBERS = FLOATS + INTS + UINTS
function("max", _each((*NUMBERS, BOOL), 2), _maximum)
function("min", _each((*NUMBERS, BOOL), 2), _minimum)
function("sum", _each(NUMBERS, 2), _sum)
function("product", _each(NUMBERS, 2), _product)
function("neg", _each(NUMBERS, 1), _neg)
function("abs", _each(NUMBERS, 1), _abs)
function("select", [(t, BOOL, t, t) for t in (*NUMBERS, BOOL)], _select)
for _name in ("sqrt", "floor", "ceil", "rint"):
    function(_name, _each(FLOATS, 1), intrinsic(_name))
function("round_away", _each(FLOATS, 1), intrinsic("round"))
function("fma", _each(FLOATS, 3), intrinsic("fma"))
function("maximum", _each(NUMBERS, 2), _maximum)
function("minimum", _each(NUMBERS, 2), _minimum)
function("copysign", _each(FLOATS, 2), intrinsic("copysign"))


def _not(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return b.not_(args[0])


def _sign(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    (x,), (t,) = args, sig.args
    zero, one = ir.Constant(x.type, 0), ir.Constant(x.type, 1)
    if t in UINTS:
        return b.select(b.icmp_unsigned("!=", x, zero), one, zero)
    if t in INTS:
        negative = b.select(b.icmp_signed("<", x, zero), ir.Constant(x.type, -1), zero)
        return b.select(b.icmp_signed(">", x, zero), one, negative)
    moved = intrinsic("copysign")(b, [one, x], sig)
    return b.select(b.fcmp_ordered("!=", x, zero), moved, x)  # zeros and NaN are their own signs


def _clamp(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    low, x, high = args
    return _minimum(b, [_maximum(b, [low, x], sig), high], sig)


def _is_finite(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    size = intrinsic("fabs")(b, args, sig)
    return b.fcmp_ordered("<", size, ir.Constant(size.type, float("inf")))


def _square(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return (b.fmul if sig.args[0] in FLOATS else b.mul)(args[0], args[0])


def _rsqrt(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    root = intrinsic("sqrt")(b, args, sig)
    return b.fdiv(ir.Constant(root.type, 1), root)


function("invert", _each((*INTS, *UINTS, BOOL), 1), _not)
function("sign", _each(NUMBERS, 1), _sign)
function("clamp", _each(NUMBERS, 3), _clamp)
function("is_finite", [(BOOL, t) for t in FLOATS], _is_finite)
function("square", _each(NUMBERS, 1), _square)
function("rsqrt", _each(FLOATS, 1), _rsqrt)

# ---- loops that may be long


def _interrupted(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """Whether Python has to stop, asked for once in so many rounds, a power of two. Then an exception is set."""
    rounds, often = args
    found = b.alloca(ir.IntType(1))
    b.store(ir.Constant(ir.IntType(1), 0), found)
    rest = b.and_(rounds, b.sub(often, ir.Constant(often.type, 1)))
    with b.if_then(b.icmp_signed("==", rest, ir.Constant(rest.type, 0)), likely=False):
        state = b.call(external(b.module, "PyGILState_Ensure", ir.IntType(32), []), [])
        signals = b.call(external(b.module, "PyErr_CheckSignals", ir.IntType(32), []), [])
        b.call(external(b.module, "PyGILState_Release", ir.VoidType(), [ir.IntType(32)]), [state])
        b.store(b.icmp_signed("!=", signals, ir.Constant(signals.type, 0)), found)
    return b.load(found)


def external(module: ir.Module, name: str, result: Any, operands: list[Any]) -> ir.Function:
    """A function of Python's C interface, of the C library, or of threads.py."""
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(result, operands), name)


function("interrupted", [(BOOL, types.int64, types.int64)], _interrupted)

# ---- functions of the C library


def _of_library(name: str) -> Callable[..., Any]:
    def call(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        return b.call(external(b.module, name, args[0].type, [x.type for x in args]), args)

    return call


function("library_log", [(types.float64, types.float64)], intrinsic("log"))
function("library_erf", [(types.float64, types.float64)], _of_library("erf"))
function("library_pow", [(types.float64, types.float64, types.float64)], _of_library("pow"))

# ---- conversions


def _saturated(b: ir.IRBuilder, x: Any, to: Any, name: str) -> Any:
    """A float without its fraction: the nearest end of the range where that is outside, and 0 for NaN."""
    kind = ir.FunctionType(to, [x.type])
    return b.call(b.module.declare_intrinsic(f"llvm.{name}.sat", [to, x.type], kind), [x])


def _converted(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return converted(b, args[0], sig.args[0], sig.return_type)


def converted(b: ir.IRBuilder, x: Any, source: Any, target: Any) -> Any:
    """A real number as one of another type."""
    to = llvm_type(target)
    if source is target:
        return x
    if target is BOOL:
        zero = ir.Constant(x.type, 0)
        return b.fcmp_unordered("!=", x, zero) if source in FLOATS else b.icmp_unsigned("!=", x, zero)
    if source in FLOATS and target in FLOATS:
        return b.fpext(x, to) if target is types.float64 else b.fptrunc(x, to)
    if source in FLOATS:
        return _saturated(b, x, to, "fptosi" if target in INTS else "fptoui")
    if target in FLOATS:
        return b.sitofp(x, to) if source in INTS else b.uitofp(x, to)
    wide, have = to.width, x.type.width
    if wide <= have:
        return b.trunc(x, to) if wide < have else x
    return b.sext(x, to) if source in INTS else b.zext(x, to)


def _enter_conversions() -> None:
    for target in (*NUMBERS, BOOL):
        name = "bool" if target is BOOL else target.name
        function(f"to_{name}", [(target, source) for source in (*NUMBERS, BOOL)], _converted)


_enter_conversions()
