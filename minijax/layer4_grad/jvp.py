"""Forward mode: each value goes together with its tangent.

    x, t  ->  f(x), f'(x) t        for each primitive, by its rule; so for the function

A rule of `jvp_rules` takes the operands, their tangents and the parameters; it computes, with the functions of lax, the
result and its tangent. A tangent may be a `Zero`, but not all of them: the helpers in families.py see to that.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..layer1_core.aval import typeof
from ..layer1_core.config import abstract_mesh
from ..layer1_core.dtypes import float0
from ..layer1_core.primitive import Primitive, Rule, RuleTable
from ..layer1_core.staging import escaped, recorders
from ..layer1_core.trace import Trace, Tracer, aval_property, current_trace, set_current_trace
from ..layer1_core.tree import tree_leaves
from .tangents import Zero, zero_of

jvp_rules = RuleTable("jvp", "Differentiation rule for '{0}' not implemented")

# ---- a value with its tangent


class DualTracer(Tracer):
    """A value and its tangent. Where the value is known, Python may branch on it and index with it."""

    __slots__ = ("primal", "tangent")

    def __init__(self, trace: "DualTrace", primal: Any, tangent: Any):
        self._trace, self.aval, self.primal, self.tangent = trace, typeof(primal), primal, tangent

    def known_value(self) -> Any:
        """The value, where there is one: then it is no tracer, at the end of tracers in tracers."""
        primal = self.primal
        while isinstance(primal, DualTracer):
            primal = primal.primal
        return None if isinstance(primal, Tracer) else primal

    def __bool__(self) -> bool:
        known = self.known_value()
        return super().__bool__() if known is None else bool(known)

    def __int__(self) -> int:
        known = self.known_value()
        return super().__int__() if known is None else int(known)

    def __index__(self) -> int:
        known = self.known_value()
        return super().__index__() if known is None else operator.index(known)


def as_recorded(primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
    """The operation as it will be recorded. Where a mesh is set, operands are made to vary alike: that is an operation
    of its own, before this one, and no part of its derivative.
    """
    return (primitive, args, params) if abstract_mesh.value is None else recorders[-1](primitive, args, params)


class DualTrace(Trace):
    """A trace of values with tangents. The values themselves are computed by `parent`."""

    tracer: type[DualTracer]

    def __init__(self, parent: Trace):
        super().__init__()
        self.parent = parent

    def pair(self, x: Any) -> tuple[Any, Any]:
        """The value and the tangent that `x` stands for: a value from outside does not change."""
        if isinstance(x, DualTracer) and x._trace is self:
            return x.primal, x.tangent
        return x, zero_of(x)

    def split(self, args: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The values and the tangents of `args`."""
        pairs = [self.pair(x) for x in args]
        return [p for p, _ in pairs], [t for _, t in pairs]

    def dual(self, primal: Any, tangent: Any) -> Any:
        """The value with its tangent; the value alone where the tangent is zero."""
        return primal if type(tangent) is Zero else self.tracer(self, primal, tangent)

    def duals(self, primals: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
        return [self.dual(x, t) for x, t in zip(primals, tangents, strict=True)]

    def by_jvp(self, rule: Rule, primals: Sequence[Any], tangents: Sequence[Any], params: dict[str, Any]) -> Any:
        """What a jvp rule gives: the result and its tangent (lists of them for several results)."""
        raise NotImplementedError

    def outside(self, results: Any) -> Any:
        """`results`, a tree of what was computed by the parent trace. Raises UnexpectedTracerError where a value of
        this trace has come in: a user's function may close over one, which its rule knows nothing of.
        """
        for x in tree_leaves(results):
            if isinstance(x, DualTracer) and x._trace is self:
                raise escaped(x)
        return results

    def primal(self, x: Any) -> Any:
        """The value alone."""
        return x.primal if isinstance(x, DualTracer) and x._trace is self else x

    def pure(self, x: Any) -> Any:
        return x if isinstance(x, DualTracer) and x._trace is self else self.parent.pure(x)


def all_zero(tangents: Sequence[Any]) -> bool:
    """Whether all tangents are `Zero`."""
    return all(type(t) is Zero for t in tangents)


# ---- the trace


class JVPTracer(DualTracer):
    """A value and its tangent, both computed at once."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"JVPTracer(primal={self.primal}, tangent={self.tangent})"


aval_property(JVPTracer)


class JVPTrace(DualTrace):
    """The trace of forward mode: to each operation it adds that of the tangents."""

    tracer = JVPTracer

    def process_primitive(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        primitive, args, params = as_recorded(primitive, args, params)
        primals, tangents = self.split(args)
        if all_zero(tangents):
            with set_current_trace(self.parent):
                return primitive.bind(*primals, **params)
        out, out_dot = self.by_jvp(jvp_rules[primitive], primals, tangents, params)
        return self.duals(out, out_dot) if primitive.multiple_results else self.dual(out, out_dot)

    def by_jvp(self, rule: Rule, primals: Sequence[Any], tangents: Sequence[Any], params: dict[str, Any]) -> Any:
        with set_current_trace(self.parent):  # the rule's own operations must not come back to us
            return rule(primals, tangents, **params)


def jvp_flat(
    fun: Callable[..., Sequence[Any]], primals: Sequence[Any], tangents: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    """The results of a function of flat arguments, and their tangents. A tangent may be a `Zero`, here and there."""
    trace = JVPTrace(current_trace.get())
    try:
        with set_current_trace(trace):
            out = fun(*(trace.dual(x, without_float0(t)) for x, t in zip(primals, tangents, strict=True)))
        return trace.split(out)
    finally:
        trace.alive = False


def without_float0(tangent: Any) -> Any:
    """The tangent; `Zero` for one that holds nothing."""
    if type(tangent) is Zero:
        return tangent
    aval = typeof(tangent)
    return Zero(aval) if aval.dtype == float0 else tangent
