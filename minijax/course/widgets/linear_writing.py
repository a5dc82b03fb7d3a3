"""A program, its linearization and its transpose, written with one set of names and tied together."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .figure import package_module
from .linear_recording import Equation, Listing, Parts, Recording, Residual, Sum
from .linear_running import Linearized, Linearizer, Transposed, Transposer
from .loop_view import reason_of
from .program import MOST, Printer, subprograms, type_text
from .recording import first_line

LONG = 14  # letters of the parameters of an equation, from which on they are left out in a pane


def recorded(jaxpr: Any, name: str, numbers: Sequence[bool] = ()) -> Recording:
    """The linearization of a program and its transpose. `numbers` says which inputs are Python numbers.

    Where a step of the course or a rule is missing, or the package refuses, it ends there, and says why.
    """
    writer = Writer(jaxpr)
    own = [Equation((), "") for _ in jaxpr.eqns]
    program = writer.listing(jaxpr, own)
    asked = asked_for("layer4_grad.linearize", "linearize_flat")
    if asked:
        return Recording(name, program, refusals=(f"There is no linearization yet: {asked}.",))
    runner = Linearizer(jaxpr)
    try:
        found = runner.run()
    except Exception as error:  # told, where a traceback would say less
        return Recording(name, program, refusals=(refusal("linearized", program, runner.at, error),))
    halves = writer.halves(name, own, found, numbers)
    return writer.whole(halves, found)


def asked_for(module: str, name: str) -> str:
    """Why the package does not have a definition yet: chapter 4 brings it, in step 4.14 (...); "" where it has it."""
    try:
        getattr(package_module(module), name)
    except (AttributeError, ImportError) as error:
        return reason_of(error) or str(error)
    return ""


def refusal(what: str, listing: Listing, at: int | None, error: Exception, noun: str = "Equation") -> str:
    """Equation 2, `c = while[...] b`, cannot be transposed. ValueError: ..."""
    told = reason_of(error) if isinstance(error, NameError | AttributeError | ImportError) else ""
    told = f"A step is missing: {told}" if told else f"{type(error).__name__}: {first_line(error)}"
    which = "The program" if at is None or at >= len(listing.eqns) else f"{noun} {at + 1}, `{listing.eqns[at].text}`,"
    return f"{which} cannot be {what}. {told.rstrip('.')}."


class Writer:
    """Writes programs with one set of names. Made for use at once: nothing of the package is kept in the result.

    A value has the same letter in all of them. The tangent of c is c_dot, and its cotangent is c_ct.
    """

    def __init__(self, jaxpr: Any):
        self.printer, self.jaxpr = Printer(jaxpr), jaxpr
        self.printer.program()  # gives every variable the letter that it has in print
        self.names, self.pretty = self.printer.names, self.printer.pretty
        self.residuals: set[str] = set()

    # ---- names

    def call(self, variable: Any, name: str) -> None:
        """Let a variable have this name, unless it has one."""
        if not name.startswith("_"):
            self.names.vars.setdefault(id(variable), name)

    def reads(self, *programs: Any) -> None:
        """Let what nobody reads in these be called _, and keep them while their variables have names."""
        for jaxpr in programs:
            self.names.unread |= self.pretty.Names(jaxpr).unread
            self.names.keep.append(jaxpr)

    def name_halves(self, found: Linearized) -> None:
        self.reads(found.primal, found.linear)
        for v, var in found.same:
            self.call(var, self.printer.name(v))
        for v, var in found.tangents:
            self.call(var, f"{self.printer.name(v)}_dot")
        consts = {id(c): v for v, c in zip(self.jaxpr.constvars, self.jaxpr.consts, strict=True)}
        for v, r in zip(found.linear.constvars, found.residuals, strict=True):
            var = r if isinstance(r, package_module("layer1_core.jaxpr").Var) else consts.get(id(r), v)
            self.call(v, self.names.var(var))

    def name_transposed(self, found: Linearized, back: Transposed) -> None:
        """The residuals by their names, and each cotangent by the tangent that it belongs to."""
        self.reads(back.jaxpr)
        linear, n = found.linear, len(found.residuals)
        for v, var in zip(linear.constvars, back.jaxpr.constvars[len(back.jaxpr.constvars) - n :], strict=True):
            self.call(var, self.names.var(v))
        for v, var in zip(linear.outvars, back.jaxpr.invars, strict=True):
            whole = back.senders.get(id(v)) == [None]  # else more cotangents come, and their sum has the name
            self.call(var, f"{self.stem(v)}_ct" if whole else self.names.fresh())
        variables = self.variables(linear)
        for key, var in back.complete:
            self.call(var, f"{self.stem(variables[key])}_ct")

    def variables(self, jaxpr: Any) -> dict[int, Any]:
        """The variables to which cotangents come, by id."""
        return {id(v): v for v in (*jaxpr.invars, *(v for eqn in jaxpr.eqns for v in eqn.outvars))}

    def stem(self, v: Any) -> str:
        """c of c_dot"""
        return self.names.var(v).removesuffix("_dot")

    # ---- listings

    def listing(self, jaxpr: Any, ties: Sequence[Equation]) -> Listing:
        """The program, its equations tied to others as `ties` are."""
        self.printer.hide(jaxpr)
        pairs = [*zip(jaxpr.eqns, ties, strict=True)][:MOST]
        eqns = tuple(
            replace(t, parts=self.parts(e), full=self.printer.flat(e), inner=bool(subprograms(e))) for e, t in pairs
        )
        results = ", ".join(self.pretty.atom_doc(v, self.names) for v in jaxpr.outvars)
        tail = f"in ({results}{',' * (len(jaxpr.outvars) == 1)}) }}"
        return Listing(self.head(jaxpr), eqns, len(jaxpr.eqns) - len(eqns), tail)

    def head(self, jaxpr: Any) -> Parts:
        parts = [("{ lambda", False)]
        for v in (*jaxpr.constvars, None, *jaxpr.invars):
            parts += [(" ;", False)] if v is None else [(" ", False), self.name(v), (f":{type_text(v)}", False)]
        return (*parts, (". let" if jaxpr.invars else " . let", False))

    def name(self, atom: Any) -> tuple[str, bool]:
        text = self.pretty.atom_doc(atom, self.names)
        return text, text in self.residuals

    def parts(self, eqn: Any) -> Parts:
        """c:f32[2] = dot_general[...] a b"""
        params = " ".join(f"{key}={value}" for key, value in self.printer.shown_params(eqn))
        shown = f"[{params if len(params) < LONG else '...'}]" if params else ""
        left = [part for v in eqn.outvars for part in (self.name(v), (f":{type_text(v)} ", False))]
        operands = [part for v in eqn.invars for part in ((" ", False), self.name(v))]
        return (*left, ("= " * bool(left) + eqn.primitive.name + shown, False), *operands)

    # ---- the two halves

    def halves(self, name: str, own: list[Equation], found: Linearized, numbers: Sequence[bool]) -> Recording:
        """What there is before the transpose."""
        self.name_halves(found)
        residuals = tuple(self.residual(k, found, numbers) for k in range(len(found.residuals)))
        self.residuals = {r.name for r in residuals}
        ties = [[self.tie(eqn, found) for eqn in jaxpr.eqns] for jaxpr in (found.primal, found.linear)]
        values, linear = self.listing(found.primal, ties[0]), self.listing(found.linear, ties[1])
        effects, facts = tuple(found.effects), tuple(self.facts(found))
        program = self.listing(self.jaxpr, own)  # again, with the residuals marked
        return Recording(name, program, values, linear, residuals=residuals, effects=effects, facts=facts)

    def tie(self, eqn: Any, found: Linearized) -> Equation:
        return Equation((), "", next((found.owner[id(x)] for x in (*eqn.outvars, eqn) if id(x) in found.owner), None))

    def residual(self, k: int, found: Linearized, numbers: Sequence[bool]) -> Residual:
        constvar, r = found.linear.constvars[k], found.residuals[k]
        inputs = [*map(id, found.primal.invars)]
        made = found.owner.get(id(r))
        kind = "equation" if made is not None else "input" if id(r) in inputs else "constant"
        line = next((i for i, e in enumerate(found.primal.eqns) if id(r) in map(id, e.outvars)), None)
        own = id(r) in {id(var) for _, var in found.same}
        number = kind == "input" and len(numbers) == len(inputs) and numbers[inputs.index(id(r))]
        readers = [j for j, e in enumerate(found.linear.eqns) if id(constvar) in map(id, e.invars)]
        aval = constvar.aval
        size = int(np.prod(aval.shape)) * aval.dtype.itemsize
        return Residual(
            self.names.var(constvar), type_text(constvar), size, kind, made, line, own, number, tuple(readers)
        )

    def facts(self, found: Linearized) -> Iterable[str]:
        """What is to be said of inputs that are integers, and of results without a tangent."""
        float0 = package_module("layer1_core.dtypes").float0
        for v, t in zip(self.jaxpr.invars, found.linear.invars, strict=True):
            if t.aval.dtype == float0:
                yield f"The input `{self.names.var(v)}` is no float: its tangent, of type float0, holds nothing."
        still = [v for v, mark in zip(self.jaxpr.outvars, found.nonzero, strict=True) if not mark]
        for v in still:
            yield f"No tangent reaches the result `{self.printer.name(v)}`."
        if not any(found.nonzero):
            yield "So the linear program is empty, and all cotangents are zero."

    # ---- the transpose

    def whole(self, halves: Recording, found: Linearized) -> Recording:
        """The halves with the transposed program, or with why there is none."""
        linear = halves.linear
        assert linear
        asked = asked_for("layer4_grad.transpose", "backward_pass")
        if asked:
            return replace(halves, refusals=(f"There is no transposed program yet: {asked}.",))
        runner = Transposer(found.linear)
        try:
            back = runner.run()
        except Exception as error:  # told, where a traceback would say less
            told = refusal("transposed", linear, runner.at, error, "Linear equation")
            return replace(halves, refusals=(told,))
        self.name_transposed(found, back)
        variables = self.variables(found.linear)
        adds = {k: self.names.var(variables[key]) for k, key in back.sums.items()}
        owners = [None if j is None else self.tie(found.linear.eqns[j], found).owner for j in back.sources]
        ties = [Equation((), "", owners[k], j, adds.get(k, "")) for k, j in enumerate(back.sources)]
        sums = [self.sum(variables[key], found, back) for key in dict.fromkeys(back.sums.values())]
        facts = [*halves.facts, *self.zero_facts(found, back)]
        listing = self.listing(back.jaxpr, ties)
        eqns = enumerate(found.linear.eqns)
        unreached = tuple(j for j, e in eqns if not {*map(id, e.outvars)} & {*back.senders})
        return replace(halves, transposed=listing, sums=tuple(sums), unreached=unreached, facts=tuple(facts))

    def sum(self, v: Any, found: Linearized, back: Transposed) -> Sum:
        lines = [k for k, key in back.sums.items() if key == id(v)]
        return Sum(self.stem(v), self.names.var(v), found.owner.get(id(v)), tuple(back.senders[id(v)]), tuple(lines))

    def zero_facts(self, found: Linearized, back: Transposed) -> Iterable[str]:
        float0 = package_module("layer1_core.dtypes").float0
        for v, t, zero in zip(self.jaxpr.invars, found.linear.invars, back.zero, strict=True):
            if zero and any(found.nonzero) and t.aval.dtype != float0:
                yield f"No tangent of the input `{self.names.var(v)}` reaches a result: its cotangent is zero."
