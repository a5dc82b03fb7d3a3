"""Linearization: the values are computed at once, what happens to the tangents is recorded as a linear program.

    x        ->  f(x)                                 by the parent trace
    t        ->  { lambda residuals ; t . let ... }   f'(x) t, for each t that may come

A primitive without a rule of its own (`linearize_rules`) is linearized by its jvp rule: of the operations in that,
those on known values are computed and those that a tangent reaches are recorded (`PartialTrace`). So a rule that is
given for forward mode serves reverse mode too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.dtypes import float0
from ..layer1_core.jaxpr import DebugInfo, Jaxpr
from ..layer1_core.primitive import Primitive, Rule
from ..layer1_core.staging import DynamicJaxprTrace, DynamicJaxprTracer
from ..layer1_core.trace import Trace, aval_property, current_trace, set_current_trace, user_line
from .dce import dce_whole
from .jvp import DualTrace, DualTracer, all_zero, as_recorded, jvp_rules
from .tangents import Zero, tangent_aval

# primitive -> rule. A rule takes which operands have tangents, the operands and the parameters; it computes the result
# and gives with it a function from the tangents of the operands to that of the result, which is recorded.
linearize_rules: dict[Primitive, Rule] = {}
# primitive -> rule, for equations that carry programs and of whose operands some are known: see `PartialTrace`.
partial_eval_rules: dict[Primitive, Rule] = {}


class PartialTrace(Trace):
    """A trace of values that are known and values that are not: operations on the first are computed by `parent`,
    the others are recorded by `unknown`, whose tracers the unknown values are.

    A rule of `partial_eval_rules` takes this trace, the operands and the parameters. It is asked where an operand is
    unknown, and gives the results, known and unknown ones.
    """

    def __init__(self, parent: Trace, unknown: DynamicJaxprTrace):
        super().__init__()
        self.parent, self.unknown = parent, unknown

    def is_unknown(self, x: Any) -> bool:
        return type(x) is DynamicJaxprTracer and x._trace is self.unknown

    def process_primitive(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        if not any(map(self.is_unknown, args)):
            with set_current_trace(self.parent):
                return primitive.bind(*args, **params)
        if primitive in partial_eval_rules:
            return partial_eval_rules[primitive](self, *args, **params)
        return self.unknown.process_primitive(primitive, args, params)

    def pure(self, x: Any) -> Any:
        return x if self.is_unknown(x) else self.parent.pure(x)

    def captured(self, x: Any) -> DynamicJaxprTracer:
        """A known value as a constant of the recorded program; a number too, which would be a literal of it."""
        if self.is_unknown(x):
            return x
        var = self.unknown._constvar(x)
        return DynamicJaxprTracer(self.unknown, var.aval, var, user_line())


# ---- the trace


class LinearizeTracer(DualTracer):
    """A value, and the variable of the linear program that stands for its tangent."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"GradTracer(primal={self.primal}, typeof(tangent)={typeof(self.tangent).str_short(True)})"


aval_property(LinearizeTracer)

_UNKNOWN = (
    "Linearization failed to produce known values for all output primals. This is typically caused by "
    "attempting to differentiate a function uses an operation that does not support reverse-mode autodiff."
)


class LinearizeTrace(DualTrace):
    """The trace of linearization: it computes values, and records tangents in `tangents`. Rules run under `rules`."""

    tracer = LinearizeTracer

    def __init__(self, parent: Trace, tangents: DynamicJaxprTrace):
        super().__init__(parent)
        self.tangents, self.rules = tangents, PartialTrace(parent, tangents)

    def process_primitive(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        primitive, args, params = as_recorded(primitive, args, params)
        primals, tangents = self.split(args)
        if all_zero(tangents):
            with set_current_trace(self.parent):
                return primitive.bind(*primals, **params)
        if primitive in linearize_rules:
            out, out_dot = self._by_its_rule(linearize_rules[primitive], primals, tangents, params)
        else:
            out, out_dot = self.by_jvp(jvp_rules[primitive], primals, tangents, params)
        return self.duals(out, out_dot) if primitive.multiple_results else self.dual(out, out_dot)

    def _by_its_rule(self, rule: Rule, primals: list[Any], tangents: list[Any], params: dict[str, Any]) -> Any:
        with set_current_trace(self.parent):
            out, push = rule([type(t) is not Zero for t in tangents], *primals, **params)
        with set_current_trace(self.tangents):
            return out, push(*tangents)

    def by_jvp(self, rule: Rule, primals: Sequence[Any], tangents: Sequence[Any], params: dict[str, Any]) -> Any:
        """The rule runs once: part of it is computed, part of it recorded."""
        with set_current_trace(self.rules):
            return rule(primals, tangents, **params)

    def dual(self, primal: Any, tangent: Any) -> Any:
        """The value with its tangent. A tangent that does not depend on those of the operands is zero."""
        if self.rules.is_unknown(primal):
            raise ValueError(_UNKNOWN)
        return self.tracer(self, primal, tangent) if self.rules.is_unknown(tangent) else primal

    def close(self) -> None:
        self.alive = False
        self.tangents.close()

    def start(self, primal: Any) -> Any:
        """An input with its tangent, a new input of the linear program. An integer has none that matters."""
        t = self.tangents.new_arg(tangent_aval(typeof(primal)))
        return primal if t.aval.dtype == float0 else self.tracer(self, primal, t)


# ---- a function linearized


@dataclass(frozen=True, eq=False)
class Linearization:
    """What a function is at a point: its results, and the linear program of its tangents, closed over residuals.

    The program has an input for each input of the function, and a result for each that has a tangent (`nonzero`).
    """

    primals: list[Any]
    out_avals: list[ShapedArray]
    nonzero: list[bool]
    jaxpr: Jaxpr


def linearize_flat(fun: Callable[..., Sequence[Any]], primals: Sequence[Any], info: DebugInfo) -> Linearization:
    """The linearization, at `primals`, of a function of flat arguments and flat results."""
    trace = LinearizeTrace(current_trace.get(), DynamicJaxprTrace(info))
    try:
        with set_current_trace(trace):
            out = fun(*map(trace.start, primals))
        out_primals, out_tangents = trace.split(out)
        nonzero = [type(t) is not Zero for t in out_tangents]
        jaxpr = trace.tangents.finish([t for t in out_tangents if type(t) is not Zero])
        return Linearization(out_primals, [*map(typeof, out_primals)], nonzero, dce_whole(jaxpr))
    finally:
        trace.close()
