"""A jaxpr as the package prints it, cut into pieces: its head, a text for each equation, and its tail."""

from copy import copy
from dataclasses import dataclass
from typing import Any

from .figure import package_module

MOST = 200  # equations that a picture shows
FLAT = 10_000  # columns: everything on one line


@dataclass(frozen=True)
class Program:
    """Plain text: nothing of the package is kept."""

    head: str  # the sub-programs that are printed first, and "{ lambda a:f32[]; b:f32[]. let"
    eqns: tuple[str, ...]  # each of one line or more, indented
    short: tuple[str, ...]  # each on one line, without the programs inside of it
    tail: str  # "  in (c,) }"
    inputs: tuple[str, ...]  # "b:f32[]"
    result: str  # "(c,)"


class Printer:
    """The names of the variables of one jaxpr, and the texts of its parts. For use at once, not to be kept."""

    def __init__(self, jaxpr: Any):
        self.pretty = package_module("layer1_core.pretty")
        self.jaxpr, self.names = jaxpr, self.pretty.Names(jaxpr)

    def program(self) -> Program:
        """The whole program in pieces, its first equations where it is very long."""
        return self._pieces([*self._hoisted(), self._head()])

    def inside(self, jaxpr: Any) -> Program:
        """A program inside an equation, in the letters that it has in the whole one; those inside of it as {...}."""
        printer = copy(self)
        printer.jaxpr = jaxpr
        printer.hide(jaxpr)
        return printer._pieces([printer._head()])

    def _pieces(self, head: list[str]) -> Program:
        eqns = [self.pretty.layout(["    ", self.pretty.Nest(4, self._eqn(e))]) for e in self.jaxpr.eqns[:MOST]]
        # A line that says how much is left out must not take names from what follows.
        left_out = len(self.jaxpr.eqns) - MOST
        inputs = tuple(f"{self.names.var(v)}:{type_text(v)}" for v in self.jaxpr.invars)
        result = "(...)" if left_out > 0 else self._result()
        return Program("\n".join(head), tuple(eqns), self._short(), f"  in {result} }}", inputs, result)

    def name(self, atom: Any) -> str:
        """A variable's letter, or a literal's value."""
        return self.pretty.value_text(atom.val) if hasattr(atom, "val") else self.names.var(atom)

    def hide(self, jaxpr: Any) -> None:
        """Print the programs inside equations as {...}, those inside them too. Those printed first have a name."""
        for eqn in jaxpr.eqns[:MOST]:
            for sub in subprograms(eqn):
                self.names.jaxprs.setdefault(id(sub), "{...}")
                self.hide(sub)

    def flat(self, eqn: Any) -> str:
        return self.pretty.layout(self._eqn(eqn), FLAT)

    def shown_params(self, eqn: Any) -> list[tuple[str, str]]:
        """The parameters that are printed, without programs and without those that say nothing."""
        special = eqn.primitive.pretty
        params = special(eqn, self.names) if special else sorted(eqn.params.items())
        subs = [id(sub) for sub in subprograms(eqn)]
        kept = [(k, v) for k, v in params if v is not None and v is not False and id(v) not in subs]
        return [(key, self.pretty.param_text(value)) for key, value in kept]

    def _hoisted(self) -> list[str]:
        """The sub-programs that stand before the program, by name."""
        first = self.pretty.hoisted(self.jaxpr)
        for sub, name in first:
            self.names.hoist(sub, name)
        return [self._let(sub) for sub, _ in first]

    def _let(self, sub: Any) -> str:
        name, program = self.names.jaxprs[id(sub)], self.pretty.jaxpr_doc(sub, self.names)
        return self.pretty.layout([f"let {name} = ", program, " in"])

    def _head(self) -> str:
        consts, inputs = (self.pretty.binders(vs, self.names) for vs in (self.jaxpr.constvars, self.jaxpr.invars))
        return self.pretty.layout(self.pretty.Nest(2, ["{ lambda ", consts, "; ", inputs, ". let"]))

    def _eqn(self, eqn: Any) -> Any:
        return self.pretty.eqn_doc(eqn, self.names)

    def _short(self) -> tuple[str, ...]:
        self.hide(self.jaxpr)
        return tuple(self.flat(eqn) for eqn in self.jaxpr.eqns[:MOST])

    def _result(self) -> str:
        outs = self.jaxpr.outvars
        words = self.pretty.words([self.pretty.atom_doc(v, self.names) for v in outs], ",")
        return self.pretty.layout(["(", words, ",)" if len(outs) == 1 else ")"])


def type_text(atom: Any) -> str:
    """f32[3,4]"""
    return atom.aval.str_short(short_dtypes=True)


def subprograms(eqn: Any) -> list[Any]:
    """The programs that an equation carries in its parameters."""
    return list(package_module("layer1_core.jaxpr").jaxprs_in_params(eqn.params))
