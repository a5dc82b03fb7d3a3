# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The instructions that take floats as bits: powers of two, the same bits as another type, keys that are compared."""

from typing import Any

from llvmlite import ir
from numba.core import types

from .instructions import NUMBERS, Emit, function, llvm_type

# Of each float: the integer that is as wide, and the place and the bias of its exponent.
WORDS = {types.float32: (types.int32, 23, 127), types.float64: (types.int64, 52, 1023)}


def _power_of_two(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    _, place, bias = WORDS[sig.return_type]
    word = args[0].type
    biased = b.add(args[0], ir.Constant(word, bias))
    return b.bitcast(b.shl(biased, ir.Constant(word, place)), llvm_type(sig.return_type))


def _bits(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    return b.bitcast(args[0], llvm_type(sig.return_type))


function("power_of_two", [(t, word) for t, (word, _, _) in WORDS.items()], _power_of_two)
function("bits", [(word, t) for t, (word, _, _) in WORDS.items()], _bits)
function("from_bits", [(t, word) for t, (word, _, _) in WORDS.items()], _bits)

for _width in (8, 16, 32, 64):
    _kinds = [t for t in NUMBERS if t.bitwidth == _width]
    for _kind in _kinds:
        function(f"as_{_kind.name}", [(_kind, t) for t in _kinds], _bits)

# ---- keys: see extremes.py


def _turned(b: ir.IRBuilder, word: Any) -> Any:
    """A word in which all bits but the sign are turned over where it is negative."""
    negative = b.ashr(word, ir.Constant(word.type, word.type.width - 1))
    return b.xor(word, b.and_(negative, ir.Constant(word.type, (1 << word.type.width - 1) - 1)))


def _key(method: str) -> Emit:
    """The key of a float: its bits, turned, are a whole number in its order. NaNs are at both ends; the numbers are
    moved by as many as there are at one, and those that wrap around join the others.
    """

    def emit(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        _, place, _ = WORDS[sig.args[0]]
        word = _turned(b, b.bitcast(args[0], llvm_type(sig.return_type)))
        return getattr(b, method)(word, ir.Constant(word.type, (1 << place) - 1))

    return emit


def _from_key(method: str) -> Emit:
    """The float that a key is of: the same steps back."""

    def emit(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
        _, place, _ = WORDS[sig.return_type]
        moved = getattr(b, method)(args[0], ir.Constant(args[0].type, (1 << place) - 1))
        return b.bitcast(_turned(b, moved), llvm_type(sig.return_type))

    return emit


for _name, _there, _back in (("max", "sub", "add"), ("min", "add", "sub")):
    function(f"key_of_{_name}", [(word, t) for t, (word, _, _) in WORDS.items()], _key(_there))
    function(f"from_key_of_{_name}", [(t, word) for t, (word, _, _) in WORDS.items()], _from_key(_back))
