# pyright: reportPrivateImportUsage=false, reportAttributeAccessIssue=false
"""LLVM's part in compiling a kernel: what Numba wrote is optimised, and becomes an object file.

It takes about half of the time, and no Python: so Numba may write the next kernel meanwhile, in another thread. But
llvmlite lets one thread at a time into LLVM. The two calls that take long go around its lock. LLVM allows that where
threads share nothing: the module lies in a context of its own, and belongs to a target machine of this thread.
"""

import ctypes
from typing import Any

from llvmlite import binding
from llvmlite.binding import ffi

LONG = 50_000  # bytes: to look for single operations that may be done together takes too long in such a kernel
_llvm = ctypes.CDLL(ffi.lib._name)  # it is loaded: this is another way to its functions
_optimize, _emit = _llvm.LLVMPY_RunNewModulePassManager, _llvm.LLVMPY_TargetMachineEmitToMemory
_optimize.restype, _emit.restype = None, ffi.lib.LLVMPY_TargetMachineEmitToMemory.restype


def emitted(bitcode: bytes, machine: Any, level: int) -> bytes:
    """The object file of a module. At level 3, LLVM writes out loops of up to 64 rounds."""
    module = binding.parse_bitcode(bitcode, binding.create_context())
    options = binding.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization, options.slp_vectorization = True, len(bitcode) < LONG
    builder = binding.create_pass_builder(machine, options)
    _optimize(builder.getModulePassManager(), module, builder)
    with ffi.OutputString() as error:
        buffer = _emit(machine, module, 1, error)
        if not buffer:
            raise RuntimeError(str(error))
    try:
        size = ffi.lib.LLVMPY_GetBufferSize(buffer)
        return ctypes.string_at(ffi.lib.LLVMPY_GetBufferStart(buffer), size)
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)
