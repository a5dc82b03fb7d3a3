"""Staging: run a Python function once on stand-in values, and keep what it did as a jaxpr."""

import functools
import gc
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from .aval import ShapedArray, ShapeDtypeStruct, abstractify, describes_array, fits, is_jax_type, place_in_mesh, typeof
from .config import abstract_mesh, checking_leaks
from .errors import UnexpectedTracerError
from .fun_names import arg_names, fun_signature, fun_source_info, too_large
from .jaxpr import Atom, DebugInfo, DropVar, Jaxpr, JaxprEqn, Literal, Var, literal
from .primitive import Primitive
from .static import bind_static, split_static
from .trace import (
    SourceLine,
    Trace,
    Tracer,
    aval_property,
    current_trace,
    place_of,
    running,
    set_current_trace,
    user_line,
)
from .tree import PyTreeDef, keystr, tree_flatten, tree_flatten_with_path, tree_unflatten

# Operations that need no equation where their result is an operand or a constant: primitive -> rule.
# A rule takes the operands (atoms) and params, and gives the atom that is the result, or None.
forwarding_rules: dict[Primitive, Callable[[list[Atom], dict[str, Any]], Atom | None]] = {}


# Where a mesh is set: the equation to record, from primitive, operands and parameters. Chapter 7 enters it.
recorders: list[Callable[[Primitive, Sequence[Any], dict[str, Any]], Any]] = [lambda *equation: equation]

# And the type that a value from outside of the program has in it.
capturers: list[Callable[[ShapedArray], ShapedArray]] = [lambda aval: aval]


class DynamicJaxprTracer(Tracer):
    """A variable of the jaxpr that is being recorded."""

    __slots__ = ("val", "source")

    def __init__(self, trace: "DynamicJaxprTrace", aval: ShapedArray, val: Atom, source: SourceLine | None):
        self._trace, self.aval, self.val, self.source = trace, aval, val, source

    def __repr__(self) -> str:
        return f"JitTracer({self.aval})"

    def _origin_msg(self) -> str:
        return self._trace.origin_of(self.val)


aval_property(DynamicJaxprTracer)  # its own row in the table of avals: the search among base classes takes 2 us


class DynamicJaxprTrace(Trace):
    """The trace that records: each primitive becomes an equation, each result a variable."""

    def __init__(self, debug_info: DebugInfo):
        super().__init__()
        self.debug_info = debug_info
        self.parent = current_trace.get()
        self.eqns: list[JaxprEqn] = []
        self.invars: list[Var] = []
        self.consts: dict[int, tuple[Var, Any]] = {}  # by the id of the value, which is kept alive here

    def new_arg(self, aval: ShapedArray) -> DynamicJaxprTracer:
        var = Var(aval)
        self.invars.append(var)
        return DynamicJaxprTracer(self, aval, var, user_line())

    def atom(self, x: Any) -> Atom:
        """The variable or literal that stands for `x` in this program."""
        if type(x) is DynamicJaxprTracer and x._trace is self:
            return x.val
        return literal(x) or self._constvar(x)

    def _constvar(self, x: Any) -> Var:
        if isinstance(x, Tracer):
            check_alive(x)
        found = self.consts.get(id(x))
        if found is None:
            aval = typeof(x) if abstract_mesh.value is None else capturers[-1](typeof(x))
            found = self.consts[id(x)] = Var(aval), x
        return found[0]

    def process_primitive(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        if not self.alive:
            raise UnexpectedTracerError(_leaked(self.debug_info, None, None))
        if abstract_mesh.value is not None:
            primitive, args, params = recorders[-1](primitive, args, params)
        try:
            invars = [x.val if type(x) is DynamicJaxprTracer and x._trace is self else self.atom(x) for x in args]
        except TypeError:
            operand_avals(primitive, args)  # says which operand is none
            raise
        avals = primitive.out_avals(tuple([v.aval for v in invars]), params)
        source = user_line()
        known = forwarding_rules[primitive](invars, params) if primitive in forwarding_rules else None
        if known is not None:
            return DynamicJaxprTracer(self, known.aval, known, source)
        if not primitive.multiple_results:
            var = Var(avals)
            self.eqns.append(JaxprEqn(invars, [var], primitive, params, source))
            return DynamicJaxprTracer(self, avals, var, source)
        outvars = [Var(aval) for aval in avals]
        self.eqns.append(JaxprEqn(invars, outvars, primitive, params, source))
        return [DynamicJaxprTracer(self, v.aval, v, source) for v in outvars]

    def pure(self, x: Any) -> Any:
        if type(x) is DynamicJaxprTracer and x._trace is self:
            return x
        atom = self.atom(x)
        return DynamicJaxprTracer(self, atom.aval, atom, user_line())

    def finish(self, outs: Sequence[Any]) -> Jaxpr:
        """The recorded program with these results. The trace is over: its tracers must not be used any more."""
        outvars = [self.atom(x) for x in outs]
        constvars = [var for var, _ in self.consts.values()]
        consts = [_own_constant(var.aval, const) for var, const in self.consts.values()]
        return Jaxpr(constvars, self.invars, outvars, self.eqns, debug_info=self.debug_info, consts=consts)

    def close(self) -> None:
        self.alive = False
        self.eqns, self.invars, self.consts, self.closures = [], [], {}, {}

    def origin_of(self, var: Atom) -> str:
        """Which function was traced, and which of its arguments the value depends on."""
        info = self.debug_info
        start = f"\nThe error occurred while tracing the function {info.func_src_info} for {info.traced_for}. "
        if not self.alive:
            return start
        inputs, eqns = self._progenitors(var)
        names = [info.arg_names[i] for i in inputs if i < len(info.arg_names)]
        if not names:
            return start + _became_a_tracer(eqns)
        if len(names) == 1:
            return start + _DEPENDS.format(f"value of the argument {names[0]}")
        comma = "," * (len(names) > 2)
        return start + _DEPENDS.format(f"values of the arguments {', '.join(names[:-1])}{comma} and {names[-1]}")

    def _progenitors(self, var: Atom) -> tuple[list[int], list[JaxprEqn]]:
        """What `var` was computed from: the positions of inputs, and the equations that read a constant."""
        needed = {id(var)}
        for eqn in reversed(self.eqns):
            if any(id(v) in needed for v in eqn.outvars):
                needed.update(id(v) for v in eqn.invars if isinstance(v, Var))
        consts = {id(v) for v, _ in self.consts.values() if id(v) in needed}
        sources = [e for e in self.eqns if any(type(v) is Literal or id(v) in consts for v in e.invars)]
        return [i for i, v in enumerate(self.invars) if id(v) in needed], sources


def _own_constant(aval: ShapedArray, const: Any) -> Any:
    """`const`, or a copy of a NumPy array, of the dtype that it has here: its owner may write to it."""
    return np.array(const, aval.dtype) if isinstance(const, np.ndarray) else const


def _became_a_tracer(eqns: Sequence[JaxprEqn]) -> str:
    """For a value that depends on no argument: the operations that made it part of the program."""
    if not eqns:
        return ""
    told = [f"  operation {eqn}\n    from line {place_of(eqn.source_info)}" for eqn in eqns[:5]]
    more = ["\n(Additional originating lines are not shown.)"] if len(eqns) > 5 else []
    return "This value became a tracer due to JAX operations on these lines:\n\n" + "\n\n".join(told + more)


_DEPENDS = "This concrete value was not available in Python because it depends on the {}."


def operand_avals(primitive: Primitive, args: Sequence[Any]) -> tuple[ShapedArray, ...]:
    """The types of operands. Raises JAX's TypeError for one that is not an array, naming its position."""
    try:
        return tuple(map(typeof, args))
    except TypeError:
        i, bad = next((i, x) for i, x in enumerate(args) if not is_jax_type(x))
        if type(bad) is ShapeDtypeStruct:
            raise TypeError(not_an_array(primitive, bad, f"args[{i}]")) from None
        raise TypeError(
            f"Error interpreting argument to {primitive} as a JAX value. The problematic value is of type {type(bad)} "
            f"and was passed to {primitive} at position {i}.\n"
        ) from None


# ---- tracers that got away


def check_alive(tracer: Tracer) -> None:
    """Raises UnexpectedTracerError where the function that `tracer` stood in for has already returned."""
    if not tracer._trace.alive:
        raise escaped(tracer)


def escaped(tracer: Tracer) -> UnexpectedTracerError:
    """The error for a tracer that was used outside of its function, saying where it came from."""
    info = getattr(tracer._trace, "debug_info", None)
    return UnexpectedTracerError(_leaked(info, tracer, getattr(tracer, "source", None)))


def _leaked(info: DebugInfo | None, tracer: Tracer | None, source: SourceLine | None) -> str:
    what = f"with type {tracer.aval.str_short()} wrapped in a {type(tracer).__name__}" if tracer is not None else ""
    message = (
        "Encountered an unexpected tracer. A function transformed by JAX had a side effect, allowing for a reference "
        f"to an intermediate value {what} to escape the scope of the transformation.\n"
        "JAX transformations require that functions explicitly return their outputs, and disallow saving intermediate "
        "values to global state."
    )
    if info is not None:
        message += (
            f"\nThe function being traced when the value leaked was {info.func_src_info} traced for {info.traced_for}."
        )
    if source is not None:
        message += f"\n{'-' * 30}\nThe leaked intermediate value was created on line {place_of(source)}. "
    return message + (
        "\nTo catch the leak earlier, try setting the environment variable JAX_CHECK_TRACER_LEAKS or using the "
        "`jax.checking_leaks` context manager."
    )


def _check_leaks(trace: DynamicJaxprTrace) -> None:
    """With jax.checking_leaks(): raise where something still holds a tracer of a trace that is over."""
    gc.collect()
    held = [x for x in gc.get_referrers(trace) if isinstance(x, Tracer)]
    if held:
        names = "\n".join(map(repr, held))
        raise Exception(f"Leaked trace {type(trace).__name__}. Leaked tracer(s): {names}.")


# ---- from a function to a jaxpr


def trace_to_jaxpr(
    fun: Callable[..., Any], in_tree: PyTreeDef, in_avals: Sequence[ShapedArray], debug_info: DebugInfo
) -> tuple[Jaxpr, PyTreeDef]:
    """The jaxpr of `fun` at these avals, closed over its constants, and the tree of its results.

    `in_tree` is the tree of (args, kwargs). Constants may be tracers of the enclosing trace.
    Raises TypeError where the function returns something that is not an array.
    """
    trace = DynamicJaxprTrace(debug_info)
    try:
        with set_current_trace(trace):
            args, kwargs = tree_unflatten(in_tree, [trace.new_arg(aval) for aval in in_avals])
            out = fun(*args, **kwargs)
            leaves, out_tree = _flatten_results(out, debug_info)
            jaxpr = trace.finish(leaves)
            del args, kwargs, out, leaves
    finally:
        trace.close()
    if checking_leaks.value:
        _check_leaks(trace)
    return jaxpr, out_tree


def _flatten_results(out: Any, info: DebugInfo) -> tuple[list[Any], PyTreeDef]:
    leaves, tree = tree_flatten(out)
    if not all(map(is_jax_type, leaves)):
        path, bad = next((p, x) for p, x in tree_flatten_with_path(out)[0] if not is_jax_type(x))
        where = f" at output component {keystr(path)}" if path else ""
        raise TypeError(
            f"function {info.func_src_info} traced for {info.traced_for} returned a value of type {type(bad)}{where}, "
            "which is not a valid JAX type"
        )
    return leaves, tree


def hoist_tracers(jaxpr: Jaxpr) -> tuple[Jaxpr, list[Any]]:
    """`jaxpr` with its constants as leading inputs, and those constants, where some of them are tracers.

    An inner function that uses a value of the outer one takes it as one more argument, and its other constants too.
    """
    if not any(isinstance(c, Tracer) for c in jaxpr.consts):
        return jaxpr, []
    return jaxpr.replace(constvars=[], consts=[], invars=[*jaxpr.constvars, *jaxpr.invars]), list(jaxpr.consts)


def drop_unread(jaxpr: Jaxpr) -> Jaxpr:
    """`jaxpr` with the results that nothing reads as `_`. Equations stay: what was done is what is shown."""
    read = {id(v) for eqn in jaxpr.eqns for v in eqn.invars} | {id(v) for v in jaxpr.outvars}
    for eqn in jaxpr.eqns:
        eqn.outvars = [v if id(v) in read else DropVar(v.aval) for v in eqn.outvars]
    return jaxpr


def check_args(leaves: Sequence[Any], names: Sequence[str], fun: Callable[..., Any]) -> None:
    """Raises JAX's TypeError for the first argument that is not an array, naming its path.

    Raises OverflowError for an integer that does not fit.
    """
    for leaf, name in zip(leaves, names, strict=False):
        if type(leaf) is int and not fits(leaf):
            raise too_large(leaf, name)
        if not describes_array(leaf):
            raise TypeError(not_an_array(fun, leaf, name))


def not_an_array(fun: Any, value: Any, path: str) -> str:
    """What is said of an argument of `fun` that has no value, or none that an array could have."""
    if type(value) is ShapeDtypeStruct:
        shape = abstractify(value).str_short()
        return f"Argument '{path}' of shape {shape} of type {type(value)} is not a valid JAX type."
    return (
        f"Error interpreting argument to {fun} as an abstract array. The problematic value is of type {type(value)} "
        f"and was passed to the function at path {path}.\nThis typically means that a jit-wrapped function was called "
        "with a non-array argument, and this argument was not marked as static using the static_argnums or "
        "static_argnames parameters of jax.jit."
    )


def stage(
    fun: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], traced_for: str
) -> tuple[Jaxpr, PyTreeDef]:
    """The jaxpr of `fun` at the types of these arguments, and the tree of its results."""
    leaves, in_tree = tree_flatten((tuple(args), kwargs))
    names = arg_names(fun_signature(fun), args, kwargs)
    check_args(leaves, names, fun)
    info = DebugInfo(traced_for, fun_source_info(fun), names)
    return trace_to_jaxpr(fun, in_tree, [abstractify(x) for x in leaves], info)


def make_jaxpr(
    fun: Callable[..., Any], static_argnums: int | Sequence[int] = (), return_shape: bool = False
) -> Callable[..., Any]:
    """A function that takes `fun`'s arguments (or ShapeDtypeStructs) and returns its jaxpr there.

    >>> make_jaxpr(lambda x: 2 * x)(1.0)
    { lambda ; a:f32[]. let b:f32[] = mul 2.0:f32[] a in (b,) }

    With `return_shape` it returns the jaxpr and the results' tree of ShapeDtypeStructs.
    """
    if not callable(fun):
        raise TypeError("the first argument must be callable")
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)

    @functools.wraps(fun)
    def jaxpr_of(*args: Any, **kwargs: Any) -> Any:
        fixed, dynamic = split_static(args, static)
        jaxpr, out_tree = stage(bind_static(fun, fixed), dynamic, kwargs, "jit")  # said so in messages, as JAX does
        jaxpr = drop_unread(jaxpr)
        return (jaxpr, tree_unflatten(out_tree, map(struct_of, jaxpr.out_avals))) if return_shape else jaxpr

    return jaxpr_of


def struct_of(aval: ShapedArray) -> ShapeDtypeStruct:
    """The description of a value of this type."""
    return ShapeDtypeStruct(aval.shape, aval.dtype, sharding=place_in_mesh(aval), weak_type=aval.weak_type)


def eval_shape(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The results of `fun(*args, **kwargs)` as ShapeDtypeStructs: traced, not computed."""
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun}")
    jaxpr, out_tree = stage(fun, args, kwargs, "jit")
    return tree_unflatten(out_tree, map(struct_of, jaxpr.out_avals))


# ---- and back: running a jaxpr one equation at a time


def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence[Any], *args: Any) -> list[Any]:
    """The results of `jaxpr` on `args`, by binding its equations in order (so it can be traced itself)."""
    env: dict[int, Any] = {}
    env.update((id(v), x) for v, x in zip(jaxpr.constvars, consts, strict=True))
    env.update((id(v), x) for v, x in zip(jaxpr.invars, args, strict=True))
    read = lambda v: v.val if type(v) is Literal else env[id(v)]  # the interpreter's two verbs
    for eqn in jaxpr.eqns:
        with in_mesh_of(eqn.outvars):
            out = eqn.primitive.bind(*map(read, eqn.invars), **eqn.params)
        env.update(zip(map(id, eqn.outvars), out if eqn.primitive.multiple_results else (out,), strict=True))
    return [read(v) for v in jaxpr.outvars]


def in_mesh_of(outvars: Sequence[Atom]) -> AbstractContextManager[None]:
    """Where an equation with these results was recorded: the mesh that its types speak of is the one that is set."""
    here = abstract_mesh.value
    if here is None or not outvars or (aval := outvars[0].aval).is_undivided or aval.sharding.mesh == here:
        return _HERE
    return abstract_mesh(aval.sharding.mesh)


_HERE = nullcontext()


running[id(eval_jaxpr.__code__)] = lambda frame: frame.f_locals["eqn"].source_info


def jaxpr_as_fun(jaxpr: Jaxpr) -> Callable[..., list[Any]]:
    """A Python function of flat arguments that runs `jaxpr`."""
    return functools.partial(eval_jaxpr, jaxpr, jaxpr.consts)
