# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The instructions of a kernel that read and write many elements: products of matrices, and squares that are turned."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types

from .blas import AS_IT_IS, ROUTINES, ROW_MAJOR, TURNED
from .instructions import BOOL, FLOATS, external, function, llvm_type

# ---- products of matrices


def _matmul(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """A call of the library's routine: see blas.py."""
    out, c, lhs, first, rhs, second, rows, summed, columns, left, right, *wide = args
    number, word, byte = out.type.pointee, ir.IntType(64), ir.IntType(32)
    kinds = [byte] * 3 + [word] * 3 + [number, lhs.type, word, rhs.type, word, number, out.type, word]
    routine = external(b.module, ROUTINES[np.dtype(sig.args[0].dtype.name)], ir.VoidType(), kinds)
    ways = [b.select(turned, ir.Constant(byte, TURNED), ir.Constant(byte, AS_IT_IS)) for turned in (left, right)]
    factors = b.gep(lhs, [first]), b.select(left, rows, summed), b.gep(rhs, [second]), b.select(right, summed, columns)
    result = b.gep(out, [c]), wide[0] if wide else columns
    one, zero = ir.Constant(number, 1), ir.Constant(number, 0)  # out = 1 lhs @ rhs + 0 out
    b.call(routine, [ir.Constant(byte, ROW_MAJOR), *ways, rows, columns, summed, one, *factors, zero, *result])
    return ir.Constant(llvm_type(types.int64), 0)


for _t in FLOATS:
    _pointers = (types.CPointer(_t), types.int64)
    _operands = (*_pointers * 3, *(types.int64,) * 3, BOOL, BOOL)
    function(f"matmul_{_t.name}", [(types.int64, *_operands, *wide) for wide in ((), (types.int64,))], _matmul)

# ---- squares that are turned: the numbers in vectors of 32 bytes, which have two lanes


def _transpose(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    """Each row is read into a vector, elements are exchanged, and each vector written as a row of the result."""
    out, there, wide, source, here, step = args
    width = sig.args[0].dtype.bitwidth // 8
    side, lane = 32 // width, 16 // width
    vector = ir.PointerType(ir.VectorType(out.type.pointee, side))

    def row(buffer: Any, start: Any, step: Any, k: int) -> Any:
        place = b.add(start, b.mul(step, ir.Constant(step.type, k)))
        return b.bitcast(b.gep(buffer, [place]), vector)

    rows = [b.load(row(source, here, step, k), align=width) for k in range(side)]
    for k, column in enumerate(_columns(b, rows, lane)):
        b.store(column, row(out, there, wide, k), align=width)
    return ir.Constant(llvm_type(types.int64), 0)


def _columns(b: ir.IRBuilder, rows: list[Any], lane: int) -> list[Any]:
    """The columns of a square of two lanes. In each lane elements of two rows are put one beside the other's, again
    until columns are together; then lanes are exchanged.
    """
    side, half = 2 * lane, lane // 2
    mixed = lambda x, y, places: b.shuffle_vector(x, y, ir.Constant(ir.VectorType(ir.IntType(32), side), places))
    lanes, both = (0, lane), (0, side)  # where they begin: the lanes of a vector, and two vectors
    beside = [[start + k + y for start in lanes for k in range(h, h + half) for y in both] for h in (0, half)]
    for _ in range(half):  # 1 or 2 rounds: half is the logarithm of a lane of 2 or of 4
        pairs = [(rows[k], rows[k + half]) for start in lanes for k in range(start, start + half)]
        rows = [mixed(*pair, places) for pair in pairs for places in beside]
    whole = [[k + y for y in both for k in range(start, start + lane)] for start in lanes]
    return [mixed(x, y, places) for places in whole for x, y in zip(rows[:lane], rows[lane:], strict=True)]


for _t in (*FLOATS, types.int32, types.int64, types.uint32, types.uint64):
    function(f"transpose_{_t.name}", [(types.int64, *(types.CPointer(_t), types.int64, types.int64) * 2)], _transpose)
