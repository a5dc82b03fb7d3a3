"""Linearize and transpose a program, equation by equation, and note which equation gave what."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .figure import package_module

# What an equation does to tangents: it gets none; it drops them; it hands one on as it is; it records equations. One
# without results has none to give.
STILL, FLAT, HANDS, MOVES, BARE = "still", "flat", "hands", "moves", "bare"


@dataclass
class Linearized:
    """A program in two, with whose work each variable is. It holds objects of the package, and is not to be kept."""

    primal: Any  # the program of the values, with the residuals among its results
    linear: Any  # the program of the tangents; its constants are the residuals
    residuals: list[Any]  # these constants, as the trace of the values knows them: variables, literals and arrays
    owner: dict[int, int]  # by the id of a variable or an equation of these: the equation of the original, from 0 on
    same: list[tuple[Any, Any]]  # a variable of the original, with the one of `primal` that is its value
    tangents: list[tuple[Any, Any]]  # a variable of the original, with the one of `linear` that is its tangent
    effects: list[str]  # of each equation: STILL, FLAT, HANDS, MOVES or BARE
    nonzero: list[bool]  # which results have tangents


class Linearizer:
    """Runs a program under the trace of linearization. `at` is the equation that it has come to."""

    def __init__(self, jaxpr: Any):
        staging, linearize = package_module("layer1_core.staging"), package_module("layer4_grad.linearize")
        self.set_trace = package_module("layer1_core.trace").set_current_trace
        info = jaxpr.debug_info or package_module("layer1_core.jaxpr").DebugInfo("linearize", "the program")
        self.jaxpr, self.at, self.seen = jaxpr, 0, (0, 0)
        self.found = Linearized(None, None, [], {}, [], [], [], [])
        self.values, self.tangents = staging.DynamicJaxprTrace(info), staging.DynamicJaxprTrace(info)
        self.trace = linearize.LinearizeTrace(self.values, self.tangents)

    def run(self) -> Linearized:
        try:
            with self.set_trace(self.trace):
                out = self.results()
            self.finish(out)
        finally:
            self.trace.close()
            self.values.close()
        return self.found

    def results(self) -> list[Any]:
        """The results, as the trace has them."""
        jaxpr = self.jaxpr
        inputs = [self.trace.start(self.values.new_arg(aval)) for aval in jaxpr.in_avals]
        env = dict(zip(map(id, (*jaxpr.constvars, *jaxpr.invars)), (*jaxpr.consts, *inputs), strict=True))
        read = lambda v: v.val if hasattr(v, "val") else env[id(v)]
        self.name(jaxpr.invars, inputs)
        for self.at, eqn in enumerate(jaxpr.eqns):
            operands = [*map(read, eqn.invars)]
            out = eqn.primitive.bind(*operands, **eqn.params)
            out = out if eqn.primitive.multiple_results else [out]
            env.update(zip(map(id, eqn.outvars), out, strict=True))
            self.note(operands, out)
            self.name(eqn.outvars, out)
        self.name(jaxpr.constvars, jaxpr.consts)  # the traces have met them
        return [*map(read, jaxpr.outvars)]

    def moves(self, values: Sequence[Any]) -> bool:
        """Whether one of the values has a tangent."""
        return any(self.trace.pair(x)[0] is not x for x in values)

    def note(self, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """What was recorded since the last time is this equation's work."""
        recorded = MOVES if len(self.tangents.eqns) > self.seen[1] else HANDS
        effect = recorded if self.moves(results) else FLAT if self.moves(operands) else STILL
        self.found.effects.append(effect if results else BARE)
        for trace, seen in ((self.values, self.seen[0]), (self.tangents, self.seen[1])):
            self.found.owner.update((id(x), self.at) for eqn in trace.eqns[seen:] for x in (eqn, *eqn.outvars))
        self.seen = len(self.values.eqns), len(self.tangents.eqns)

    def name(self, variables: Sequence[Any], values: Sequence[Any]) -> None:
        """Note which variables stand for the values and the tangents of those of the program."""
        for v, x in zip(variables, values, strict=True):
            primal, tangent = self.trace.pair(x)
            self.found.same += [(v, var) for var in variables_of(primal, self.values)]
            self.found.tangents += [(v, var) for var in variables_of(tangent, self.tangents)]

    def finish(self, out: Sequence[Any]) -> None:
        """The two programs. Their dead equations are left out, as `linearize` does it."""
        dce_whole, found = package_module("layer4_grad.dce").dce_whole, self.found
        primals, tangents = self.trace.split(out)
        found.nonzero = [self.moves([x]) for x in out]
        moving = [t for t, mark in zip(tangents, found.nonzero, strict=True) if mark]
        found.linear = dce_whole(self.tangents.finish(moving))
        found.tangents += zip(self.jaxpr.invars, found.linear.invars, strict=True)
        met = {id(var): x for var, x in self.tangents.consts.values()}  # not the program's: it has copies of arrays
        consts = [met[id(v)] for v in found.linear.constvars]
        found.residuals = [next(variables_of(c, self.values), c) for c in consts]
        own = [c for c, v in zip(consts, found.residuals, strict=True) if v is not c]
        found.primal = dce_whole(self.values.finish([*primals, *own]))


def variables_of(x: Any, trace: Any) -> Any:
    """The variable of the trace that stands for a value, if there is one."""
    if getattr(x, "_trace", None) is trace:
        return iter(() if hasattr(x.val, "val") else (x.val,))
    return iter([var for var, _ in [trace.consts[id(x)]]] if id(x) in trace.consts else ())


# ---- backwards


class Collected(dict[int, Any]):
    """The cotangents that have come, by the id of the variable, and who has sent them."""

    def __init__(self, eqns: list[Any]):
        super().__init__()
        self.eqns = eqns
        self.now: int | None = None  # the linear equation that is being transposed
        self.senders: dict[int, list[int | None]] = {}  # the linear equations that read the variable; None for a result
        self.sums: dict[int, int] = {}  # the place of an equation that adds up -> the variable
        self.complete: list[tuple[int, Any]] = []  # variables, each with the whole of its cotangent

    def __setitem__(self, variable: int, ct: Any) -> None:
        if variable in self:
            self.sums[len(self.eqns) - 1] = variable
        self.senders.setdefault(variable, []).append(self.now)
        super().__setitem__(variable, ct)

    def pop(self, variable: int, *default: Any) -> Any:
        ct = super().pop(variable, *default)
        self.complete.append((variable, ct))
        return ct


@dataclass
class Transposed:
    """A linear program backwards. It takes the residuals and the cotangents of the results."""

    jaxpr: Any = None
    sources: list[int | None] = field(default_factory=list)  # of each equation: the linear one that is transposed
    sums: dict[int, int] = field(default_factory=dict)
    senders: dict[int, list[int | None]] = field(default_factory=dict)
    complete: list[tuple[int, Any]] = field(default_factory=list)  # (variable of `linear`, that of its cotangent)
    zero: list[bool] = field(default_factory=list)  # which inputs of the linear program have no cotangent


class Transposer:
    """Runs a linear program backwards. `at` is the equation that it has come to; None before the first."""

    def __init__(self, linear: Any):
        self.linear, self.at, self.found = linear, None, Transposed()
        self.rules, staging = package_module("layer4_grad.transpose"), package_module("layer1_core.staging")
        self.trace = staging.DynamicJaxprTrace(linear.debug_info)

    def run(self) -> Transposed:
        try:
            with package_module("layer1_core.trace").set_current_trace(self.trace):
                self.backwards()
        finally:
            self.trace.close()
        return self.found

    def backwards(self) -> None:
        linear, tangent_aval = self.linear, package_module("layer4_grad.tangents").tangent_aval
        residuals = [self.trace.new_arg(v.aval) for v in linear.constvars]
        cts = [self.trace.new_arg(tangent_aval(v.aval)) for v in linear.outvars]
        unknown = [self.rules.UndefinedPrimal(tangent_aval(v.aval)) for v in linear.invars]
        collected = Collected(self.trace.eqns)
        steps = self.rules._linear_equations(linear, residuals, unknown)
        self.note_known([eqn for eqn, _ in steps])
        for v, ct in zip(linear.outvars, cts, strict=True):
            if not hasattr(v, "val"):
                self.rules._collect(collected, v, ct)
        self.note()
        place = {id(eqn): k for k, eqn in enumerate(linear.eqns)}
        for eqn, operands in reversed(steps):
            self.at = collected.now = place[id(eqn)]
            self.rules._transpose(eqn, operands, collected)
            self.note()
        self.finish(collected)

    def note_known(self, steps: Sequence[Any]) -> None:
        """What was computed before: the equations that no tangent reaches, each by itself."""
        later = {*map(id, steps)}
        known = [k for k, eqn in enumerate(self.linear.eqns) if id(eqn) not in later]
        self.found.sources += [known[min(k, len(known) - 1)] for k in range(len(self.trace.eqns))]

    def note(self) -> None:
        """What was recorded since the last time is this equation transposed."""
        self.found.sources += [self.at] * (len(self.trace.eqns) - len(self.found.sources))

    def finish(self, collected: Collected) -> None:
        found, results = self.found, [collected.pop(id(v), None) for v in self.linear.invars]
        found.zero = [ct is None for ct in results]
        found.complete = [(v, var) for v, ct in collected.complete for var in variables_of(ct, self.trace)]
        found.sums, found.senders = collected.sums, collected.senders
        jaxpr, n = self.trace.finish([ct for ct in results if ct is not None]), len(self.linear.constvars)
        consts = [*jaxpr.constvars, *jaxpr.invars[:n]]  # the residuals are constants here too
        found.jaxpr = jaxpr.replace(constvars=consts, invars=jaxpr.invars[n:], consts=[*jaxpr.consts, *[None] * n])
