# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The instructions of complex numbers, each of two floats: the same names as for other numbers."""

import operator
from functools import reduce
from typing import Any

from llvmlite import ir
from numba.core import types

from .instructions import BOOL, FLOATS, INTS, UINTS, Emit, binary_operator, converted, function, intrinsic, llvm_type
from .rounds import together

# Of each complex type: that of its two parts.
PARTS = {types.complex64: types.float32, types.complex128: types.float64}
COMPLEXES = tuple(PARTS)
REASSOCIATED = "reassoc", "contract"


def parts(b: ir.IRBuilder, z: Any) -> tuple[Any, Any]:
    """The real and the imaginary part."""
    return b.extract_value(z, 0), b.extract_value(z, 1)


def _each_part(method: str, **options: Any) -> Emit:
    """What is done to the real parts, and to the imaginary ones."""

    def emit(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        both = zip(*(parts(b, z) for z in args), strict=True)
        return together(b, *(getattr(b, method)(*xs, **options) for xs in both))

    return emit


def _product(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    (a, ai), (c, ci) = (parts(b, z) for z in args)
    return together(b, b.fsub(b.fmul(a, c), b.fmul(ai, ci)), b.fadd(b.fmul(a, ci), b.fmul(ai, c)))


def _quotient(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """As `complex_quotient` of layer1_core/impl/elementwise.py."""
    (a, ai), (c, ci) = (parts(b, z) for z in args)
    size, other = (intrinsic("fabs")(b, [x], sig) for x in (c, ci))
    by_real = b.fcmp_unordered(">=", size, other)
    large, small = b.select(by_real, c, ci), b.select(by_real, ci, c)
    ratio = b.fdiv(small, large)
    whole = b.fadd(large, b.fmul(small, ratio))
    x, y = b.select(by_real, a, ai), b.select(by_real, ai, a)
    upright, turned = b.fsub(ai, b.fmul(a, ratio)), b.fsub(b.fmul(ai, ratio), a)
    found = b.fdiv(b.fadd(x, b.fmul(y, ratio)), whole), b.fdiv(b.select(by_real, upright, turned), whole)
    lost = reduce(b.and_, [b.fcmp_unordered("uno", z, z) for z in found])
    return together(b, *(b.select(lost, rest, z) for rest, z in zip(_at_the_ends(b, a, ai, c, ci), found, strict=True)))


def _at_the_ends(b: ir.IRBuilder, a: Any, ai: Any, c: Any, ci: Any) -> tuple[Any, ...]:
    """The quotient where the divisor is zero, or one of the two is infinite; else NaN."""
    number = lambda x: ir.Constant(a.type, x)
    size = lambda x: intrinsic("fabs")(b, [x], None)
    sign = lambda x, of: intrinsic("copysign")(b, [x, of], None)
    is_infinite = [b.fcmp_ordered("==", size(x), number(float("inf"))) for x in (a, ai, c, ci)]
    is_finite = [b.fcmp_ordered("<", size(x), number(float("inf"))) for x in (a, ai, c, ci)]
    p, q, r, s = (
        sign(b.select(ends, number(1), number(0)), x) for ends, x in zip(is_infinite, (a, ai, c, ci), strict=True)
    )
    found = number(float("nan")), number(float("nan"))
    for where, factor, (x, y, u, v) in (
        (b.and_(reduce(b.or_, is_infinite[2:]), reduce(b.and_, is_finite[:2])), 0.0, (a, ai, r, s)),
        (b.and_(reduce(b.or_, is_infinite[:2]), reduce(b.and_, is_finite[2:])), float("inf"), (p, q, c, ci)),
    ):
        sums = b.fadd(b.fmul(x, u), b.fmul(y, v)), b.fsub(b.fmul(y, u), b.fmul(x, v))
        found = tuple(b.select(where, b.fmul(number(factor), z), old) for z, old in zip(sums, found, strict=True))
    zero = reduce(b.and_, [b.fcmp_ordered("==", z, number(0)) for z in (c, ci)])
    return tuple(
        b.select(zero, b.fmul(sign(number(float("inf")), c), z), old) for z, old in zip((a, ai), found, strict=True)
    )


def _size(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """The distance from 0, without squares that overflow."""
    sizes = [intrinsic("fabs")(b, [x], sig) for x in parts(b, args[0])]
    large, small = (intrinsic(name)(b, sizes, sig) for name in ("maximum", "minimum"))
    zero, one = (ir.Constant(large.type, k) for k in (0, 1))
    ratio = b.fdiv(small, b.select(b.fcmp_ordered("==", large, zero), one, large))
    found = b.fmul(large, intrinsic("sqrt")(b, [b.fadd(one, b.fmul(ratio, ratio))], sig))
    infinite = ir.Constant(large.type, float("inf"))  # of two infinite parts, the ratio is none
    return b.select(b.fcmp_ordered("==", large, infinite), infinite, found)


def _select(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    which, this, other = args
    both = zip(parts(b, this), parts(b, other), strict=True)
    return together(b, *(b.select(which, x, y) for x, y in both))


def _compared(sign: str) -> Emit:
    def emit(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        compare = b.fcmp_ordered if sign == "==" else b.fcmp_unordered
        same = [compare(sign, x, y) for x, y in zip(*(parts(b, z) for z in args), strict=True)]
        return reduce(b.and_ if sign == "==" else b.or_, same)

    return emit


def _conjugate(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    x, y = parts(b, args[0])
    return together(b, x, b.fneg(y))


def _complex(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """A number of another type as a complex one; of a complex one both parts."""
    (x,), (source,) = args, sig.args
    part = PARTS[sig.return_type]
    numbers = [converted(b, z, PARTS[source], part) for z in parts(b, x)] if source in PARTS else None
    return together(b, *(numbers or [converted(b, x, source, part), ir.Constant(llvm_type(part), 0)]))


for _t, _part in PARTS.items():
    for _op, _emit in (
        (operator.add, _each_part("fadd")),
        (operator.sub, _each_part("fsub")),
        (operator.mul, _product),
        (operator.truediv, _quotient),
    ):
        binary_operator(_op, _t, _t, _emit)
    for _op, _sign in ((operator.eq, "=="), (operator.ne, "!=")):
        binary_operator(_op, BOOL, _t, _compared(_sign))
    function("complex", [(_t, _part, _part)], lambda b, args, sig: together(b, *args))
    function("real", [(_part, _t)], lambda b, args, sig: parts(b, args[0])[0])
    function("abs", [(_part, _t)], _size)
    function("imag", [(_part, _t)], lambda b, args, sig: parts(b, args[0])[1])
    function(f"to_{_t.name}", [(_t, source) for source in (*FLOATS, *INTS, *UINTS, BOOL, *COMPLEXES)], _complex)
function("conj", [(t, t) for t in COMPLEXES], _conjugate)
function("neg", [(t, t) for t in COMPLEXES], _each_part("fneg"))
function("sum", [(t, t, t) for t in COMPLEXES], _each_part("fadd", flags=REASSOCIATED))
function("square", [(t, t) for t in COMPLEXES], lambda b, args, sig: _product(b, args * 2, sig))
function("select", [(t, BOOL, t, t) for t in COMPLEXES], _select)
