# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""Machine code for kernels: a small target of Numba's, for scalars and flat pointers only.

Numba's own target serves all of Python and NumPy; most of its compile time goes into what a kernel does not need. This
target keeps Numba's front end and its type inference, and has the operators of instructions.py. There is no reference
counting, no exception and no call back into Python.
"""

import builtins as python
import gc
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba.core import codegen, compiler, config, cpu, fastmathpass, lowering, types, typing
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import (
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
)  # fmt: skip
from numba.core.typing import templates
from numba.core.untyped_passes import FixupArgs, IRProcessing, TranslateByteCode

# these enter Numba's own rules for iterators, numbers and tuples
from numba.cpython import builtins, iterators, numbers, tupleobj  # noqa: F401

from . import bits, blocks, complexes, integers, rounds, tables  # noqa: F401 - these enter their instructions
from .emitting import emitted
from .entry import add_entries
from .functions import code_of, lookup, named
from .instructions import CASES, EMITTERS, LOWERINGS, SIGNATURES, STUBS, TYPES, enter
from .machine import start


class _Typing(typing.Context):
    def __init__(self) -> None:
        super().__init__()
        self.memo: dict[Any, Any] = {}
        self.ready = False

    def refresh(self) -> None:
        if not self.ready:
            self.ready = True
            super().refresh()

    def _load_builtins(self) -> None:
        """Numba's templates without those that would import all of Numba and SciPy, and without those of `range`."""
        heavy = templates._OverloadAttributeTemplate, templates._OverloadFunctionTemplate, templates._IntrinsicTemplate
        source, found = templates.builtin_registry, templates.Registry()
        found.functions[:] = [f for f in source.functions if not issubclass(f, heavy)]
        found.attributes[:] = [f for f in source.attributes if not issubclass(f, heavy)]
        found.globals[:] = [(v, t) for v, t in source.globals if v is not range and not _is_heavy(t, heavy)]
        self.install_registry(found)

    def load_additional_registries(self) -> None:
        self.install_registry(TYPES)

    def resolve_value_type(self, val: Any) -> Any:
        """The type of a value that the text names. (Numba would look at `range` as a class first, and import for that
        its lists and dicts, which takes 50 ms.)
        """
        return self._lookup_global(val) or super().resolve_value_type(val)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        key = getattr(func, "typing_key", func), tuple(args)
        own = key[0] in STUBS.values() or getattr(key[0], "__module__", "") == "_operator"
        if kws or not own:
            return super().resolve_function_type(func, args, kws)
        found = SIGNATURES.get(key) or self.memo.get(key)
        if found is None:
            found = self.memo[key] = super().resolve_function_type(func, args, kws)
        return found


def _is_heavy(kind: Any, heavy: Any) -> bool:
    return isinstance(kind, types.Function) and any(issubclass(t, heavy) for t in kind.templates)


class _Library(codegen.JITCodeLibrary):
    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # no passes for each function

    def _optimize_final_module(self) -> None:
        """Nothing: a function is optimised where it stands in a kernel, which takes no longer than once for itself."""

    def _finalize_final_module(self) -> None:
        self._finalized = True  # and that is all: what is linked is not loaded, and a kernel is by machine.py


class _Codegen(codegen.JITCPUCodegen):
    _library_class = _Library

    def another_machine(self) -> Any:
        """A target machine like the one of Numba's own."""
        options = {"opt": config.OPT}
        self._customize_tm_options(options)
        return binding.Target.from_triple(binding.get_process_triple()).create_target_machine(**options)


class _Target(cpu.CPUContext):
    extent = 0  # of the loop of the kernel that is compiled, where it runs in parts

    def init(self) -> None:
        super().init()
        self._internal_codegen = _Codegen("minijax")

    def load_additional_registries(self) -> None:
        self.install_registry(LOWERINGS)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> None:
        """Link and optimise; there is nothing that Python could call as Numba would have it."""
        library.finalize()

    def insert_user_function(self, *args: Any) -> None:
        """Nothing: no kernel calls another one."""

    # what `iternext` gives is taken apart as it is: Numba's own would write it to memory and read it

    def pair_first(self, builder: ir.IRBuilder, val: Any, ty: Any) -> Any:
        return builder.extract_value(val, 0)

    def pair_second(self, builder: ir.IRBuilder, val: Any, ty: Any) -> Any:
        return builder.extract_value(val, 1)

    def post_lowering(self, module: Any, library: Any) -> None:
        add_entries(module, self.extent)
        if self.fastmath:
            fastmathpass.rewrite_module(module, self.fastmath)


class _Lower(lowering.Lower):
    """Numba's, without what kernels do not need: objects that are counted, and notes for a debugger."""

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        with self.builder.goto_entry_block():
            return self.builder.alloca(lltype, name=name)

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        """Write a variable. (What it was before is no object, which would have to be given up.)"""
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Nothing, for the same reason."""

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        key = op, (types.unliteral(self.typeof(expr.lhs.name)), types.unliteral(self.typeof(expr.rhs.name)))
        if key not in EMITTERS:
            return super().lower_binop(resty, expr, op)
        out = EMITTERS[key](self.builder, (self.loadvar(expr.lhs.name), self.loadvar(expr.rhs.name)), None)
        returned = SIGNATURES[key].return_type
        return out if resty == returned else self.context.cast(self.builder, out, returned, resty)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Native(NativeLowering):
    _name = "minijax_lowering"
    lowering_class = property(lambda self: _Lower)


class _Passes(PassManager):
    _ENFORCING = False


class _Pipeline(compiler.CompilerBase):
    def define_pipelines(self) -> list[PassManager]:
        manager = _Passes("minijax")
        for each in (
            TranslateByteCode, FixupArgs, IRProcessing, NopythonTypeInference, _Native, NoPythonBackend,
        ):  # fmt: skip
            manager.add_pass(each, each._name)
        manager.finalize()
        return [manager]


# All that has been imported is old from here on: else the next collections of garbage would go through it, in the
# middle of somebody's first calls.
gc.collect()

_contexts: list[Any] = []
_machines: list[Any] = []  # one, of those who call the results of `compiled`, one at a time


def _flags() -> Any:
    flags = compiler.Flags()
    flags.nrt, flags.error_model, flags.noalias = False, "numpy", True
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.fastmath = cpu.FastMathOptions({"contract"})
    return flags


def _enter_maths(name: str, kind: Any) -> None:
    """A function of floats of one kind: compiled when a kernel first names it, and put into each kernel that does.

    Nothing in it is contracted: its text says where a product is not rounded, and it computes what Python would.
    """
    made: dict[str, Any] = {}  # by its code
    known = lookup(name)
    assert known
    kinds = (kind,) * known.__code__.co_argcount

    def emit(context: Any, builder: ir.IRBuilder, sig: Any, args: list[Any]) -> Any:
        code = repr(code_of(name))
        if code not in made:
            made[code] = _compiled_function(name, kinds, kind)
        context.active_code_library.add_linking_library(made[code].library)
        _, out = context.call_internal_no_propagate(builder, made[code].fndesc, sig, args)
        return out

    enter(name)
    CASES[name].append(templates.signature(kind, *kinds))
    LOWERINGS.lower(STUBS[name], *kinds)(emit)


def _compiled_function(name: str, kinds: tuple[Any, ...], kind: Any) -> Any:
    fun, flags = lookup(name), _flags()
    assert fun
    flags.forceinline, flags.fastmath = True, cpu.FastMathOptions(set())
    scope = fun.__globals__ | STUBS
    missing = [read for read in fun.__code__.co_names if read not in scope and not hasattr(python, read)]
    if missing:
        raise NameError(f"name {missing[0]!r} is not defined, which {name} reads")
    scoped = FunctionType(fun.__code__, scope, name)
    return compiler.compile_extra(*_contexts, scoped, kinds, kind, flags, {}, pipeline_class=_Pipeline)


def _enter_all_maths() -> None:
    """Those that are not there yet: a later chapter may bring some."""
    for name in {*named(STUBS)}:
        _enter_maths(name, getattr(types, name.rpartition("_")[2]))


def compiled(fun: Any, dtypes: list[np.dtype], extent: int = 0, unrolled: bool = False) -> Callable[[], bytes]:
    """What makes the object file of a kernel: of `fun`, a function of flat pointers to these dtypes.

    Numba's work is done here, and LLVM's, about half of all, when the result is called: maybe in another thread.
    With an `extent`, its last parameters are `start` and `stop`, and it is run for parts of range(extent). Where it is
    `unrolled`, short loops inside are written out, so that the loop around them becomes vector instructions.
    """
    if not _contexts:
        start()
        target_typing = _Typing()
        _contexts.extend((target_typing, _Target(target_typing)))
        _machines.append(_contexts[1].codegen().another_machine())
    pointers = tuple(types.CPointer(types.uint8 if d.kind == "b" else getattr(types, d.name)) for d in dtypes)
    operands = (*pointers, types.int64, types.int64) if extent else pointers
    _contexts[1].extent = extent
    result = compiler.compile_extra(*_contexts, fun, operands, types.none, _flags(), {}, pipeline_class=_Pipeline)
    bitcode = result.library._final_module.as_bitcode()
    return partial(emitted, bitcode, _machines[0], 3 if unrolled else 2)


def scope() -> dict[str, Any]:
    """The names that a kernel's text may use."""
    _enter_all_maths()
    return dict(STUBS)
