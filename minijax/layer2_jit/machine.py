"""Machine code: loaded with llvmlite, and called from Python. Numba is not needed for this.

The entry of a kernel is a C function such as Python calls for its built-in functions: it gets the array objects, and
takes the addresses of their elements itself. A call costs 30 ns and an array 1 ns; ctypes would take ten times that.
"""

import ctypes
import gc
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import binding

ENTRY = "minijax_entry"  # the symbol of a kernel's entry
IMMORTAL_NONE = sys.version_info >= (3, 12)  # from then on None has no count of references
_METH_FASTCALL = 0x80
_SYMBOLS = (  # what machine code calls of Python
    "PyEval_SaveThread", "PyEval_RestoreThread", "PyGILState_Ensure", "PyGILState_Release", "PyErr_CheckSignals",
    "PyErr_Occurred",
)  # fmt: skip

Entry = Callable[..., None]  # a kernel as Python calls it


class _MethodDef(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("call", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


_new_function = ctypes.pythonapi.PyCFunction_NewEx
_new_function.restype = ctypes.py_object
_new_function.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]


def function_at(address: int, alive: Any) -> Entry:
    """A Python function whose code is at `address`; `alive` is kept as long as the function is."""
    definition = _MethodDef(b"kernel", address, _METH_FASTCALL, None)
    return _new_function(ctypes.addressof(definition), (definition, alive), None)


def start() -> None:
    """Make known to LLVM what machine code refers to by name."""
    binding.add_symbol("minijax_None", id(None))
    # A loop of 9 rounds would become 8 lanes and a masked rest. Where a mask has one lane, and a
    # narrower type is stored, LLVM 22 writes two elements (AVX-512).
    binding.set_option("minijax", "--vectorizer-min-trip-count=0")
    for name in _SYMBOLS:
        add_symbol(name, getattr(ctypes.pythonapi, name))


def add_symbol(name: str, function: Any) -> None:
    """Make a function of a C library known to LLVM."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address
    binding.add_symbol(name, address)


def assembled(text: str) -> binding.ExecutionEngine:
    """The machine code of a module in LLVM's own language."""
    engine = binding.create_mcjit_compiler(binding.parse_assembly(text), _target_machine())
    engine.finalize_object()
    return engine


def loaded(code: bytes) -> Entry:
    """The kernel in an object file. Raises RuntimeError for what is none."""
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _target_machine())
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(ENTRY)
    if not address:
        raise RuntimeError("an object file without a kernel")
    return function_at(address, engine)


@cache
def _prepare() -> None:
    """Make LLVM ready, once, to make and to load machine code for this processor."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    start()


def _target_machine() -> Any:
    """A new one, for it belongs to the engine that is made with it."""
    _prepare()
    return binding.Target.from_triple(binding.get_process_triple()).create_target_machine()


def description() -> str:
    """What machine code depends on, besides its text: the processor, and its features."""
    features = binding.get_host_cpu_features()
    named = ",".join(sorted(name for name, there in features.items() if there))
    return f"{binding.get_process_triple()} {binding.get_host_cpu_name()} {named}"


# What has been imported by now is old from here on. Else the next collection of garbage would go through it, in the
# middle of somebody's first calls.
gc.collect(1)
