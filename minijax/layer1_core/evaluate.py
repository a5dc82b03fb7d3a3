"""The base trace: it computes, at once, with the `impl` rules, which are NumPy functions."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from . import config
from .array import ArrayImpl, array_on, numpy_value, read_only
from .aval import ShapedArray, typeof
from .basearray import Array
from .collecting import rarely
from .devices import Sharding, SingleDeviceSharding
from .dtypes import float0, is_extended
from .jaxpr import Jaxpr, Literal, jaxprs_in_params
from .placement import device_conflict, placement
from .primitive import Primitive, impl_rules
from .staging import escaped, eval_jaxpr, operand_avals
from .trace import EVAL, EvalTrace, Trace, Tracer, set_current_trace


def process_primitive(self: EvalTrace, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """The value of `primitive` on values. The shape rule is asked first: so errors are the same as when tracing."""
    holder = None  # of an array: such as a key, from chapter 6 on
    for x in args:
        if isinstance(x, Tracer):
            return _on_tracer(x._trace, x, primitive, args, params)
        holder = holders.get(type(x), holder)
    if primitive.multiple_results and holder is None:
        holder = holder_of_constants(params.get("jaxpr"))
    if holder is not None:
        return holder(primitive, args, params)
    if primitive.impl is not None:
        return primitive.impl(*map(_of_its_dtype, args, operand_avals(primitive, args)), **params)
    if primitive not in impl_rules:
        return impl_rules[primitive]  # raises: that is missing first, a shape rule second
    avals = primitive.out_avals(operand_avals(primitive, args), params)
    sharding, committed = placement(args, primitive.name)
    if type(sharding) is SingleDeviceSharding and primitive in naming:
        sharding = _on_named_mesh(naming[primitive](params), sharding, committed, args, primitive)
    if type(sharding) is not SingleDeviceSharding:
        return on_devices[-1](primitive, args, params, avals, sharding)
    out = apply_impl(primitive, [numpy_value(x) for x in args], params)
    theirs = [x for x in args if type(x) is np.ndarray]
    if not primitive.multiple_results:
        return wrap(_own(out, theirs), avals, sharding, committed)
    return [wrap(_own(x, theirs), aval, sharding, committed) for x, aval in zip(out, avals, strict=True)]


def _of_its_dtype(x: Any, aval: ShapedArray) -> Any:
    """A NumPy array with the dtype that its type has: of 32 bits, unless x64 is on. Any other value is as it is."""
    return x.astype(aval.dtype, copy=False) if type(x) is np.ndarray else x


# Values that are no arrays, but hold one: by type, how an operation with such an operand is computed (chapter 6: keys).
holders: dict[type, Callable[[Primitive, tuple[Any, ...], dict[str, Any]], Any]] = {}


def holder_of_constants(jaxpr: Jaxpr | None) -> Any:
    """What computes with the constants of a program, where such a value is among them; else None."""
    if jaxpr is None or not jaxpr.consts:
        return None
    return next((holders[type(x)] for x in jaxpr.consts if type(x) in holders), None)


def _refuse(primitive: Primitive, *equation: Any) -> Any:
    raise NotImplementedError(f"to compute {primitive} on several devices: chapter 7 brings it")


# What computes on several devices, from primitive, operands, parameters, types of results, and the sharding that
# `placement` found. Chapter 7 enters it.
on_devices: list[Callable[[Primitive, Sequence[Any], dict[str, Any], Any, Sharding], Any]] = [_refuse]


def _on_named_mesh(
    named: Sharding | None, found: Sharding, committed: bool, args: Any, primitive: Primitive
) -> Sharding:
    """The mesh that an equation names, else where operands are. Raises ValueError for operands that are elsewhere."""
    if named is None or not committed or found.device_list == named.device_list:
        return named or found
    at = next(i for i, x in enumerate(args) if type(x) is ArrayImpl and x.committed)
    raise device_conflict(primitive.name, {at: args[at]}, of_mesh=named.device_list)


# Where the results are of an equation that names a mesh in its parameters, though no operand is there: by primitive,
# from these a sharding or None. Entered by chapter 7.
naming: dict[Primitive, Callable[[dict[str, Any]], Sharding | None]] = {}


def _on_tracer(trace: Trace, x: Tracer, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """An operation on a tracer, asked for where values are computed: its trace records it, unless that is over."""
    if not trace.alive:
        raise escaped(x)
    with set_current_trace(trace):
        return trace.process_primitive(primitive, args, params)


def _own(value: Any, theirs: Sequence[np.ndarray]) -> Any:
    """`value`, or a copy where it may be a view of a NumPy array of the caller's, who may write to that."""
    return value.copy() if any(np.may_share_memory(value, x) for x in theirs) else value


def pure(self: EvalTrace, x: Any) -> Any:
    """`x` as an array: a copy, since an array never changes and a NumPy array may."""
    if isinstance(x, (ArrayImpl, Array)):
        return x
    aval = typeof(x)
    return wrap(np.array(numpy_value(x), aval.dtype), aval, *placement((), "array"))


EvalTrace.process_primitive = process_primitive  # type: ignore[method-assign]
EvalTrace.pure = pure  # type: ignore[method-assign]


def apply_impl(primitive: Primitive, values: Sequence[np.ndarray], params: dict[str, Any]) -> Any:
    """The result of an impl rule on NumPy arrays, without NumPy's warnings."""
    rule = impl_rules[primitive]
    with np.errstate(all="ignore"):
        out = rule(*values, **params)
    if config.debug_nans.value or config.debug_infs.value:
        _check_special(primitive, out, values, params)
    return out


def wrap(value: Any, aval: ShapedArray, sharding: Sharding, committed: bool) -> Any:
    """The value of this type that lies in the memory of `value`. What holds nothing (float0) stays a NumPy array."""
    if type(value) is not np.ndarray:  # NumPy gives scalars for 0-d results
        value = np.asarray(value)
    if aval.dtype == float0:
        return value
    if value.flags.writeable:
        value = read_only(value)
    dtype: Any = aval.dtype
    if is_extended(dtype):
        return dtype.held(value, sharding, committed)
    return array_on(value, aval, sharding, committed)


def _check_special(primitive: Primitive, out: Any, values: Sequence[np.ndarray], params: dict[str, Any]) -> None:
    """Raises FloatingPointError where a result is not a number (or infinite), naming the operation that made it."""
    for x in out if primitive.multiple_results else [out]:
        found = _special(np.asarray(x))
        if found:
            holds_programs = any(True for _ in jaxprs_in_params(params))
            if primitive.name == "jit" or not holds_programs:  # a loop that stands alone is not jitted in JAX
                print(
                    "Invalid nan value encountered in the output of a jax.jit function. "
                    "Calling the de-optimized version."
                )
            if primitive.name == "jit":  # one operation at a time, so that the one that did it is found
                eval_jaxpr(params["jaxpr"], params["jaxpr"].consts, *values)
            raise FloatingPointError(f"invalid value ({found}) encountered in {primitive}")


def _special(x: np.ndarray) -> str | None:
    """'nan' or 'inf' where `x` has one and the flags ask about it."""
    if x.dtype.kind not in "fcV" or x.dtype.names:
        return None
    if config.debug_nans.value and np.isnan(x).any():
        return "nan"
    return "inf" if config.debug_infs.value and np.isinf(x).any() else None


def ensure_compile_time_eval() -> AbstractContextManager[Trace]:
    """Inside this `with`, operations on values are computed now even while a function is being traced."""
    return set_current_trace(EVAL)


# ---- running a jaxpr

Program = Callable[[Sequence[np.ndarray]], list[np.ndarray]]


def interpret(jaxpr: Jaxpr, donated: Sequence[bool] = ()) -> Program:
    """A program that runs `jaxpr` on NumPy arrays, one equation at a time, with the impl rules."""
    jaxpr = stored[-1](jaxpr)
    known = dict(zip(map(id, jaxpr.constvars), map(numpy_value, jaxpr.consts), strict=True))
    atoms = [*jaxpr.outvars, *(v for eqn in jaxpr.eqns for v in eqn.invars)]
    known.update((id(v), numpy_value(v.val)) for v in atoms if type(v) is Literal)

    def run(args: Sequence[np.ndarray]) -> list[np.ndarray]:
        env = known | dict(zip(map(id, jaxpr.invars), args, strict=True))
        for eqn in jaxpr.eqns:
            out = run_equation(eqn.primitive, [env[id(v)] for v in eqn.invars], eqn.params)
            out = out if eqn.primitive.multiple_results else (out,)
            env.update(zip(map(id, eqn.outvars), out, strict=True))
        return [np.asarray(env[id(v)]) for v in jaxpr.outvars]

    return run


def run_equation(primitive: Primitive, values: Sequence[np.ndarray], params: dict[str, Any]) -> Any:
    if primitive.impl is None or primitive in impl_rules:
        return impl_rules[primitive](*values, **params)
    with set_current_trace(EVAL):
        out = primitive.impl(*values, **params)
    return [numpy_value(x) for x in out] if primitive.multiple_results else numpy_value(out)


# How jaxprs are run: by `interpret`, until layer 2 enters its compiler (and always, when the flag
# minijax_interpret_jaxprs asks for it).
runners: list[Callable[[Jaxpr, Sequence[bool]], Program]] = [interpret]


# What a program is as one of arrays in memory: the same, until chapter 6, which has values that hold arrays.
stored: list[Callable[[Jaxpr], Jaxpr]] = [lambda jaxpr: jaxpr]


def keep_interpreted(jaxpr: Jaxpr) -> None:
    """Let `jaxpr` be interpreted, whatever the runners: the package's own functions wait for no compiler."""
    jaxpr._program = keep_interpreted, (), None  # `stored` asks for it
    jaxpr._program = keep_interpreted, (), interpret(jaxpr)


def is_interpreted(jaxpr: Jaxpr) -> bool:
    """Whether `jaxpr` is run one equation at a time."""
    made = jaxpr._program
    return config.interpret_jaxprs.value or runners[-1] is interpret or (made and made[0]) is keep_interpreted


def program_of(jaxpr: Jaxpr, donated: tuple[bool, ...] = ()) -> Program:
    """The runnable form of `jaxpr`, made once. It may overwrite arguments that are `donated`."""
    make = runners[0] if config.interpret_jaxprs.value else runners[-1]
    made = jaxpr._program
    if made is None or (made[0] is not keep_interpreted and made[:2] != (make, donated)):
        with rarely():
            made = jaxpr._program = make, donated, make(stored[-1](jaxpr), donated)
    return made[2]


def run(jaxpr: Jaxpr, values: Sequence[Any]) -> list[np.ndarray]:
    """The results of `jaxpr` on these values.

    A program reads memory as the types of the jaxpr say. A function of scalars may be applied to arrays (`reduce` does
    so): then it is interpreted.
    """
    if any(np.shape(x) != v.aval.shape for x, v in zip(values, jaxpr.invars, strict=True)):
        return interpret(jaxpr)(values)
    return program_of(jaxpr)([_of_dtype(x, v.aval.dtype) for x, v in zip(values, jaxpr.invars, strict=True)])


def _of_dtype(x: Any, dtype: np.dtype) -> np.ndarray:
    return x if type(x) is np.ndarray and x.dtype == dtype else np.asarray(x, dtype)
