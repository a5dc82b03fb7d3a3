"""What the loops and conditionals of a program did, step by step. As plain text and numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .loop_running import Log, Round, Runner, Stopped, Values, Work
from .program import Printer, Program, type_text

FEW = 3  # numbers of an array

# ---- what is kept, in words and numbers


@dataclass(frozen=True)
class Value:
    """A variable with its value in one step: ("c", "f32[3]", "[0 1 2]")."""

    name: str
    type: str
    text: str


@dataclass(frozen=True)
class Row:
    """A line of the table of one step: what it is, and where it comes from or goes to."""

    what: str  # "constant", "carry in", "equation 2", ...
    value: Value
    where: str = ""


@dataclass(frozen=True)
class Frame:
    """A step of a loop, or a run of a conditional."""

    number: int  # from 0 on
    place: int | None  # the row of the sequences that it takes
    branch: int | None  # of a conditional: which branch ran
    goes_on: bool  # of a while loop: whether its condition was true
    rows: tuple[Row, ...]

    def of(self, what: str) -> list[Value]:
        return [row.value for row in self.rows if row.what == what]


@dataclass(frozen=True)
class Loop:
    """An equation that carries programs, and how it ran."""

    kind: str  # "scan", "while" or "cond"
    number: str  # "2"; "2.3" is equation 3 of the program inside equation 2
    eqn: str  # without its programs
    programs: tuple[tuple[str, Program], ...]  # each with its title
    roles: dict[str, tuple[str, ...]]  # the names outside: "constants", "carried", "sequences", "results", "stacked"
    frames: tuple[Frame, ...]  # those that are shown
    steps: int  # that were taken
    length: int | None  # of a scan
    runs: int  # how often the equation was run; the frames of a loop are those of the first time
    branches: tuple[int, ...]  # of a conditional: how often each branch ran
    stopped: bool  # whether the limit came before the end


@dataclass(frozen=True)
class Recording:
    """What the loops of a function did."""

    name: str
    loops: tuple[Loop, ...]
    called: int  # how often Python was called from the program
    stopped: bool
    missing: str = ""  # where the package has no loops yet: which step brings them


# ---- in words


def recorded(jaxpr: Any, name: str, values: Values) -> Recording:
    """What the loops and conditionals of a program do at these values. It is run once, up to the limit of steps."""
    runner, stopped = Runner(), False
    try:
        with np.errstate(all="ignore"):
            runner.program(jaxpr, values, "")
    except Stopped:
        stopped = True
    printer = Printer(jaxpr)
    printer.program()  # gives every variable the letter that it has in print
    loops = tuple(Words(printer, number, log).loop() for number, log in runner.logs.items())
    return Recording(name, loops, runner.called, stopped)


class Words:
    """One equation's log in words. Made for use at once: nothing of the package is kept in the result."""

    def __init__(self, printer: Printer, number: str, log: Log):
        self.printer, self.number, self.log = printer, number, log
        self.eqn, self.kind, self.params = log.eqn, log.eqn.primitive.name, log.eqn.params

    def loop(self) -> Loop:
        programs = self.programs()
        printed = tuple((title, self.printer.inside(jaxpr)) for title, jaxpr in programs.items())
        counts = [self.log.branches.count(k) for k in range(len(programs))] if self.kind == "cond" else []
        frames = tuple(map(self.frame, self.log.kept()))
        return Loop(
            self.kind, self.number, self.printer.flat(self.eqn), printed, self.roles(), frames, self.log.steps,
            self.params.get("length"), self.log.runs, tuple(counts), self.log.stopped,
        )  # fmt: skip

    def programs(self) -> dict[str, Any]:
        """The programs inside of the equation, by title."""
        if self.kind == "scan":
            return {"The program of a step": self.params["jaxpr"]}
        if self.kind == "while":
            return {"The condition": self.params["cond_jaxpr"], "The body": self.params["body_jaxpr"]}
        return {f"Branch {k}": branch for k, branch in enumerate(self.params["branches"])}

    def roles(self) -> dict[str, tuple[str, ...]]:
        """What the operands and the results of the equation are, by their names outside of it."""
        operands, results = self.eqn.invars, self.eqn.outvars
        if self.kind == "scan":
            groups = [*self.params["ft_in"].split(operands), *self.params["ft_out"].split(results)]
            names = ("constants", "carried", "sequences", "results", "stacked")
        elif self.kind == "while":
            n = self.params["cond_nconsts"] + self.params["body_nconsts"]
            groups, names = [operands[:n], operands[n:], results], ("constants", "carried", "results")
        else:
            groups, names = [operands[:1], operands[1:], results], ("index", "operands", "results")
        return {name: tuple(map(self.printer.name, group)) for name, group in zip(names, groups, strict=True)}

    def frame(self, step: Round) -> Frame:
        rows = {"scan": self.scan_rows, "while": self.while_rows, "cond": self.cond_rows}[self.kind](step)
        return Frame(step.number, step.place, step.branch, step.goes_on, tuple(rows))

    def scan_rows(self, step: Round) -> Iterator[Row]:
        """Constants, carry, elements; the equations; the carry that comes out, and what is stacked."""
        jaxpr, roles = self.params["jaxpr"], self.roles()
        inputs = self.params["ft_in"].split([*zip(jaxpr.invars, step.operands, strict=True)])
        outputs = self.params["ft_out"].split([*zip(jaxpr.outvars, step.results, strict=True)])
        at = f"row {step.place} of "
        yield from self.rows("constant", inputs[0], roles["constants"])
        yield from self.rows("carry in", inputs[1], self.sources(step))
        yield from self.rows("x", inputs[2], [at + name for name in roles["sequences"]])
        yield from self.equations("equation", jaxpr, step.work)
        last = step.number == self.params["length"] - 1
        yield from self.rows("carry out", outputs[0], self.targets(step, last))
        yield from self.rows("y", outputs[1], [at + name for name in roles["stacked"]])

    def while_rows(self, step: Round) -> Iterator[Row]:
        """Constants and carry; the condition; the equations of the body, and the carry that comes out."""
        test, body = self.params["cond_jaxpr"], self.params["body_jaxpr"]
        n, m = self.params["cond_nconsts"], self.params["body_nconsts"]
        names = self.roles()["constants"]
        pairs = [*zip(test.invars[:n], step.operands[:n], strict=True)]
        pairs += zip(body.invars[:m], step.operands[n : n + m], strict=True)
        yield from self.rows("constant", pairs, names)
        carry = [*zip(body.invars[m:], step.operands[n + m :], strict=True)]
        yield from self.rows("carry in", carry, self.sources(step))
        yield from self.equations("condition", test, step.test)
        if step.goes_on:
            yield from self.equations("equation", body, step.work)
            yield from self.rows("carry out", zip(body.outvars, step.results, strict=True), self.targets(step, False))

    def cond_rows(self, step: Round) -> Iterator[Row]:
        """The index and the operands; the equations of the branch that ran, and the results."""
        branch, roles = self.params["branches"][step.branch], self.roles()
        yield from self.rows("index", [(self.eqn.invars[0], step.operands[0])], [""])
        yield from self.rows("operand", zip(branch.invars, step.operands[1:], strict=True), roles["operands"])
        yield from self.equations("equation", branch, step.work)
        yield from self.rows("result", zip(branch.outvars, step.results, strict=True), roles["results"])

    def sources(self, step: Round) -> list[str]:
        """Where each part of the carry comes from."""
        starts = self.roles()["carried"]
        return [f"the start, {name}" if not step.number else f"step {step.number - 1}" for name in starts]

    def targets(self, step: Round, last: bool) -> list[str]:
        return [f"the result {name}" if last else f"step {step.number + 1}" for name in self.roles()["results"]]

    def equations(self, what: str, jaxpr: Any, work: Work) -> Iterator[Row]:
        for (number, results), eqn in zip(work, jaxpr.eqns, strict=True):
            yield from self.rows(f"{what} {number}", zip(eqn.outvars, results, strict=True), [""] * len(eqn.outvars))

    def rows(self, what: str, pairs: Any, where: Sequence[str]) -> Iterator[Row]:
        for (v, x), place in zip(pairs, where, strict=True):
            yield Row(what, Value(self.printer.name(v), type_text(v), value_text(np.asarray(x))), place)


def value_text(x: np.ndarray) -> str:
    """A value in short: of an array its first numbers.

    >>> value_text(np.arange(20.0).reshape(4, 5) / 3)
    '[[0 0.333 0.667 ...] ...]'
    """
    if x.ndim == 0:
        return number_text(x, 4)
    if x.size == 0:
        return "[]"
    inner = value_text(x[0]) if x.ndim > 1 else " ".join(number_text(n, 3) for n in x[:FEW])
    more = " ..." if len(x) > (1 if x.ndim > 1 else FEW) else ""
    return f"[{inner}{more}]"


def number_text(x: np.ndarray, digits: int) -> str:
    """A number with so many digits, an integer or a truth value as it is."""
    if x.dtype.kind in "biu":
        return str(x)
    number = complex(x) if x.dtype.kind == "c" else float(x)
    return f"{number:.{digits}g}"
