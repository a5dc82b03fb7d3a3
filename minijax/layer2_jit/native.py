# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportAttributeAccessIssue=false
# (Numba and llvmlite have no types, and what pyright makes out of their code is often wrong.)
"""Machine code for kernels: a small target of Numba's, for scalars and flat pointers only.

Numba's own target serves all of Python and NumPy; most of its compile time goes into what a kernel does not need. This
target keeps Numba's front end and its type inference, and gives the operators of scalars the types that lax gives them:
int32 + int32 is int32. There is no reference counting, no exception and no call back into Python.
"""

import gc
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import codegen, compiler, cpu, fastmathpass, lowering, types, typing
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.imputils import Registry as LowerRegistry
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)  # fmt: skip
from numba.core.typing import templates
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode

from . import maths
from .machine import ENTRY, IMMORTAL_NONE, Kernel, function_at, start
from .operations import DATA

_types, _lowerings = templates.Registry(), LowerRegistry("minijax")
_stubs: dict[str, Any] = {}  # the functions that kernels may call
_signatures: dict[Any, Any] = {}
_emitters: dict[Any, Any] = {}

FLOATS = types.float32, types.float64
INTS = types.int8, types.int16, types.int32, types.int64
UINTS = types.uint8, types.uint16, types.uint32, types.uint64
BOOL = types.boolean
Emit = Callable[[ir.IRBuilder, list[Any], Any], Any]


def function(name: str, cases: list[tuple[Any, ...]], emit: Emit) -> None:
    """A function of scalars that kernels may call: `cases` are (result, *operands), `emit` writes its instructions."""

    def stub(*args: Any) -> Any:
        raise NotImplementedError(name)

    stub.__name__ = name
    signatures = [templates.signature(*case) for case in cases]
    template = type(name, (templates.ConcreteTemplate,), {"key": stub, "cases": signatures})
    _types.register(template)
    _types.register_global(stub, types.Function(template))
    _stubs[name] = stub
    for case in cases:
        _lowerings.lower(stub, *case[1:])(lambda context, builder, sig, args: emit(builder, args, sig))


def _operator(op: Any, result: Any, operand: Any, emit: Emit) -> None:
    key = op, (operand, operand)
    _signatures[key], _emitters[key] = templates.signature(result, operand, operand), emit


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
            _operator(getattr(operator, name), t, t, lambda b, args, sig, m=method: getattr(b, m)(*args))
        for name, sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
            _operator(getattr(operator, name), BOOL, t, _comparison(t, sign))
    for t in FLOATS:
        _operator(operator.truediv, t, t, lambda b, args, sig: b.fdiv(*args))
    for t in (*INTS, *UINTS, BOOL):
        for op, method in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor")):
            _operator(op, t, t, lambda b, args, sig, m=method: getattr(b, m)(*args))
    for t in (*INTS, *UINTS):
        right = "ashr" if t in INTS else "lshr"
        for op, method in ((operator.lshift, "shl"), (operator.rshift, right)):
            _operator(op, t, t, lambda b, args, sig, m=method: getattr(b, m)(*args))
    for name, sign in (("eq", "=="), ("ne", "!=")):
        _operator(getattr(operator, name), BOOL, BOOL, _comparison(types.uint8, sign))


def _comparison(t: Any, sign: str) -> Emit:
    if t in FLOATS:
        kind = "fcmp_unordered" if sign == "!=" else "fcmp_ordered"
    else:
        kind = "icmp_signed" if t.signed else "icmp_unsigned"
    return lambda b, args, sig: getattr(b, kind)(sign, *args)


_enter_operators()

# ---- functions

_each = lambda kinds, n: [(t,) * (n + 1) for t in kinds]  # noqa: E731 - n operands and a result of one type


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
function("fma", _each(FLOATS, 3), intrinsic("fma"))


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


def _rsqrt(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    root = intrinsic("sqrt")(b, args, sig)
    return b.fdiv(ir.Constant(root.type, 1), root)


function("invert", _each((*INTS, *UINTS, BOOL), 1), _not)
function("sign", _each(NUMBERS, 1), _sign)
function("clamp", _each(NUMBERS, 3), _clamp)
function("is_finite", [(BOOL, t) for t in FLOATS], _is_finite)
function("rsqrt", _each(FLOATS, 1), _rsqrt)

# ---- floats as bits


def _power_of_two(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    biased = b.add(args[0], ir.Constant(ir.IntType(32), 127))
    return b.bitcast(b.shl(biased, ir.Constant(ir.IntType(32), 23)), ir.FloatType())


function("power_of_two", [(types.float32, types.int32)], _power_of_two)
function("bits", [(types.int32, types.float32)], lambda b, args, sig: b.bitcast(args[0], ir.IntType(32)))
function("from_bits", [(types.float32, types.int32)], lambda b, args, sig: b.bitcast(args[0], ir.FloatType()))

# ---- conversions


def _converted(b: ir.IRBuilder, args: list[Any], sig: Any) -> Any:
    (x,), (source,), target = args, sig.args, sig.return_type
    kind = {types.float32: ir.FloatType(), types.float64: ir.DoubleType(), BOOL: ir.IntType(1)}
    to = kind.get(target) or ir.IntType(target.bitwidth)
    if source is target:
        return x
    if target is BOOL:
        zero = ir.Constant(x.type, 0)
        return b.fcmp_unordered("!=", x, zero) if source in FLOATS else b.icmp_unsigned("!=", x, zero)
    if source in FLOATS and target in FLOATS:
        return b.fpext(x, to) if target is types.float64 else b.fptrunc(x, to)
    if source in FLOATS:
        return b.fptosi(x, to)
    if target in FLOATS:
        return b.sitofp(x, to) if source in INTS else b.uitofp(x, to)
    wide, have = to.width, x.type.width
    if wide <= have:
        return b.trunc(x, to) if wide < have else x
    return b.sext(x, to) if source in INTS else b.zext(x, to)


def _enter_conversions() -> None:
    for target in (*NUMBERS, BOOL):
        floats = FLOATS if target in (*FLOATS, BOOL, types.int32) else ()
        name = "bool" if target is BOOL else target.name
        function(f"to_{name}", [(target, source) for source in (*floats, *INTS, *UINTS, BOOL)], _converted)


_enter_conversions()


# ---- the target


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
        """Numba's templates without those that would import all of Numba and SciPy."""
        heavy = templates._OverloadAttributeTemplate, templates._OverloadFunctionTemplate, templates._IntrinsicTemplate
        source, found = templates.builtin_registry, templates.Registry()
        found.functions[:] = [f for f in source.functions if not issubclass(f, heavy)]
        found.attributes[:] = [f for f in source.attributes if not issubclass(f, heavy)]
        found.globals[:] = [(v, t) for v, t in source.globals if not _is_heavy(t, heavy)]
        self.keep = found
        self.install_registry(found)

    def load_additional_registries(self) -> None:
        self.install_registry(_types)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        key = getattr(func, "typing_key", func), tuple(args)
        own = key[0] in _stubs.values() or getattr(key[0], "__module__", "") == "_operator"
        if kws or not own:
            return super().resolve_function_type(func, args, kws)
        found = _signatures.get(key) or self.memo.get(key)
        if found is None:
            found = self.memo[key] = super().resolve_function_type(func, args, kws)
        return found


def _is_heavy(kind: Any, heavy: Any) -> bool:
    return isinstance(kind, types.Function) and any(issubclass(t, heavy) for t in kind.templates)


class _Library(codegen.JITCodeLibrary):
    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # no passes for each function

    def _optimize_final_module(self) -> None:
        builder = self._codegen._pass_builder()
        builder.getModulePassManager().run(self._final_module, builder)

    def finalize(self) -> None:
        self.enable_object_caching()
        super().finalize()


class _Codegen(codegen.JITCPUCodegen):
    _library_class = _Library


class _Target(cpu.CPUContext):
    def init(self) -> None:
        super().init()
        self._internal_codegen = _Codegen("minijax")

    def load_additional_registries(self) -> None:
        from numba.cpython import builtins, iterators, numbers, rangeobj, tupleobj  # noqa: F401, PLC0415

        self.install_registry(_lowerings)

    def post_lowering(self, module: Any, library: Any) -> None:
        _enter(module)
        if self.fastmath:
            fastmathpass.rewrite_module(module, self.fastmath)


class _Lower(lowering.Lower):
    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        key = op, (types.unliteral(self.typeof(expr.lhs.name)), types.unliteral(self.typeof(expr.rhs.name)))
        if key not in _emitters:
            return super().lower_binop(resty, expr, op)
        out = _emitters[key](self.builder, (self.loadvar(expr.lhs.name), self.loadvar(expr.rhs.name)), None)
        returned = _signatures[key].return_type
        return out if resty == returned else self.context.cast(self.builder, out, returned, resty)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Native(NativeLowering):
    _name = "minijax_lowering"
    lowering_class = property(lambda self: _Lower)


class _Pipeline(compiler.CompilerBase):
    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("minijax")
        for each in (
            TranslateByteCode, FixupArgs, IRProcessing, ReconstructSSA, NopythonTypeInference, PreLowerStripPhis,
            IRLegalization, _Native, NoPythonBackend,
        ):  # fmt: skip
            manager.add_pass(each, each._name)
        manager.finalize()
        return [manager]


_contexts: list[Any] = []


def _flags() -> Any:
    flags = compiler.Flags()
    flags.nrt, flags.error_model, flags.noalias = False, "numpy", True
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.fastmath = cpu.FastMathOptions({"contract"})
    return flags


def _enter_maths(name: str, fun: Any, kind: Any) -> None:
    """A function of maths.py: compiled when a kernel first names it, and put into each kernel that does."""
    made: list[Any] = []

    def emit(context: Any, builder: ir.IRBuilder, sig: Any, args: list[Any]) -> Any:
        if not made:
            flags = _flags()
            flags.forceinline = True
            scoped = FunctionType(fun.__code__, vars(maths) | _stubs, fun.__name__)
            made.append(compiler.compile_extra(*_contexts, scoped, (kind,), kind, flags, {}, pipeline_class=_Pipeline))
        context.active_code_library.add_linking_library(made[0].library)
        _, out = context.call_internal_no_propagate(builder, made[0].fndesc, sig, args)
        return out

    def stub(x: Any) -> Any:
        raise NotImplementedError(name)

    stub.__name__ = name
    template = type(name, (templates.ConcreteTemplate,), {"key": stub, "cases": [templates.signature(kind, kind)]})
    _types.register(template)
    _types.register_global(stub, types.Function(template))
    _stubs[name] = stub
    _lowerings.lower(stub, kind)(emit)


for _name, _fun in [*vars(maths).items()]:
    if _name.endswith("_float32") and isinstance(_fun, FunctionType) and _fun.__module__ == maths.__name__:
        _enter_maths(_name, _fun, types.float32)


def compiled(fun: Any, dtypes: list[np.dtype]) -> tuple[Kernel, bytes]:
    """The kernel of `fun`, a function of flat pointers to these dtypes; and its object file."""
    if not _contexts:
        start()
        target_typing = _Typing()
        _contexts.extend((target_typing, _Target(target_typing)))
    collecting = gc.isenabled()
    gc.disable()  # while compiling there are many new objects and little garbage: a tenth of the time
    try:
        return _compiled(fun, dtypes)
    finally:
        if collecting:
            gc.enable()


def _compiled(fun: Any, dtypes: list[np.dtype]) -> tuple[Kernel, bytes]:
    pointers = tuple(types.CPointer(types.uint8 if d.kind == "b" else getattr(types, d.name)) for d in dtypes)
    result = compiler.compile_extra(*_contexts, fun, pointers, types.none, _flags(), {}, pipeline_class=_Pipeline)
    address = result.library.get_pointer_to_function(ENTRY)
    return function_at(address, result.library), result.library._compiled_object


def scope() -> dict[str, Any]:
    """The names that a kernel's text may use."""
    return dict(_stubs)


# ---- the entry of a kernel: see machine.py


def _python(module: ir.Module, name: str, result: Any, operands: list[Any]) -> ir.Function:
    """A function of Python's C interface."""
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(result, operands), name)


def _enter(module: ir.Module) -> None:
    """Beside each kernel of a module, its entry: a C function of arrays, as Python calls its built-in functions.

    It takes the address of the elements from each array object, so a call costs no more than that.
    """
    for kernel in [f for f in module.functions if f.blocks and "kernel" in f.name]:
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(64)
        entry = ir.Function(module, ir.FunctionType(byte, [byte, byte.as_pointer(), word]), ENTRY)
        b = ir.IRBuilder(entry.append_basic_block())
        pointers = []
        for k, want in enumerate(kernel.args[2:]):
            array = b.load(b.gep(entry.args[1], [ir.Constant(word, k)]))
            place = b.bitcast(b.gep(array, [ir.Constant(word, DATA)]), want.type.as_pointer())
            pointers.append(b.load(place))
        state = b.call(_python(module, "PyEval_SaveThread", byte, []), [])  # other threads may run meanwhile
        b.call(kernel, [b.alloca(t.type.pointee) for t in kernel.args[:2]] + pointers)
        b.call(_python(module, "PyEval_RestoreThread", ir.VoidType(), [byte]), [state])
        none = ir.GlobalVariable(module, ir.IntType(64), "minijax_None")
        if not IMMORTAL_NONE:
            b.store(b.add(b.load(none), ir.Constant(word, 1)), none)
        b.ret(b.bitcast(none, byte))
