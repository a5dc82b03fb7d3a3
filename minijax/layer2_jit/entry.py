# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""The entry of a kernel, as instructions: what machine.py makes a function of Python of."""

from typing import Any

from llvmlite import ir

from .instructions import external
from .machine import ENTRY, IMMORTAL_NONE
from .operations import DATA, SPLIT

BYTE, WORD, NOTHING = ir.IntType(8).as_pointer(), ir.IntType(64), ir.VoidType()


def add_entries(module: ir.Module, extent: int) -> None:
    """Give each kernel of a module its entry: a C function of arrays, as Python calls its built-in functions.

    It takes the address of the elements from each array object, so a call costs no more than that.
    """
    for kernel in [f for f in module.functions if f.blocks and "kernel" in f.name]:
        kernel.linkage = "internal"  # so it becomes a part of its entry, and is optimised once
        entry = ir.Function(module, ir.FunctionType(BYTE, [BYTE, BYTE.as_pointer(), WORD]), ENTRY)
        b = ir.IRBuilder(entry.append_basic_block())
        pointers = [_elements(b, entry.args[1], k) for k in range(len(kernel.args) - 2 - 2 * bool(extent))]
        state = b.call(external(module, "PyEval_SaveThread", BYTE, []), [])  # other threads may run meanwhile
        if extent:
            _run_in_parts(module, b, kernel, pointers, extent)
        else:
            _run(b, kernel, pointers)
        b.call(external(module, "PyEval_RestoreThread", NOTHING, [BYTE]), [state])
        if "PyErr_CheckSignals" in module.globals:
            _raise(module, b)
        none = ir.GlobalVariable(module, WORD, "minijax_None")
        if not IMMORTAL_NONE:
            b.store(b.add(b.load(none), ir.Constant(WORD, 1)), none)
        b.ret(b.bitcast(none, BYTE))


def _raise(module: ir.Module, b: ir.IRBuilder) -> None:
    """Where an exception is set, return as a function of Python's does that raises it."""
    error = b.call(external(module, "PyErr_Occurred", BYTE, []), [])
    with b.if_then(b.icmp_unsigned("!=", error, ir.Constant(BYTE, None)), likely=False):
        b.ret(ir.Constant(BYTE, None))


def _elements(b: ir.IRBuilder, arrays: Any, k: int) -> Any:
    """The address of the elements of the k-th array object."""
    array = b.load(b.gep(arrays, [ir.Constant(WORD, k)]))
    return b.load(b.bitcast(b.gep(array, [ir.Constant(WORD, DATA)]), BYTE.as_pointer()))


def _run(b: ir.IRBuilder, kernel: ir.Function, operands: list[Any]) -> None:
    """Call a kernel; Numba's functions have a place for a result and one for an error in front."""
    places = [b.alloca(t.type.pointee) for t in kernel.args[:2]]
    wanted = kernel.args[2:]
    b.call(kernel, [*places, *(b.bitcast(x, t.type) for x, t in zip(operands, wanted, strict=True))])


def _run_in_parts(module: ir.Module, b: ir.IRBuilder, kernel: ir.Function, pointers: list[Any], extent: int) -> None:
    """Have threads.py call a function of (addresses, start, stop), which calls the kernel."""
    part = ir.Function(module, ir.FunctionType(NOTHING, [BYTE.as_pointer(), WORD, WORD]), "minijax_part")
    inner = ir.IRBuilder(part.append_basic_block())
    addresses, start, stop = part.args
    loaded = [inner.load(inner.gep(addresses, [ir.Constant(WORD, k)])) for k in range(len(pointers))]
    _run(inner, kernel, [*loaded, start, stop])
    inner.ret_void()
    table = b.alloca(BYTE, size=ir.Constant(WORD, len(pointers)))
    for k, pointer in enumerate(pointers):
        b.store(pointer, b.gep(table, [ir.Constant(WORD, k)]))
    split = external(module, SPLIT, NOTHING, [part.type, table.type, WORD])
    b.call(split, [part, table, ir.Constant(WORD, extent)])
