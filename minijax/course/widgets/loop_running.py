"""Run a program once, equation by equation, and keep what its loops and branches do in each step."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .figure import package_module

ALL, FIRST, LAST = 24, 5, 2  # so many steps are all kept; of more, these at both ends, and some between
LIMIT = 10_000  # steps of all loops together, after which the program is stopped
NAMES = ("scan", "while", "cond")
CALLBACKS = ("pure_callback", "io_callback", "debug_callback", "debug_print")
Values = Sequence[np.ndarray]
Work = list[tuple[int, Values]]  # number of an equation in its program, from 1 on; its results


@dataclass
class Round:
    """What happened in a step, as arrays."""

    number: int
    operands: Values  # of the program of the step
    work: Work
    results: Values
    test: Work = field(default_factory=list)
    goes_on: bool = True
    place: int | None = None
    branch: int | None = None


@dataclass
class Log:
    """What is kept of an equation while it runs."""

    eqn: Any
    runs: int = 0
    steps: int = 0
    first: list[Round] = field(default_factory=list)
    between: list[Round] = field(default_factory=list)
    last: deque[Round] = field(default_factory=lambda: deque(maxlen=LAST))
    branches: list[int] = field(default_factory=list)
    stopped: bool = False

    def add(self, step: Round) -> None:
        if step.number < ALL:
            self.first.append(step)
        if str(step.number).strip("0") in ("1", "2", "5"):
            self.between.append(step)
        self.last.append(step)

    def kept(self) -> list[Round]:
        """All steps, where they are few; else the first ones, 5, 10, 20, 50, 100 ... and the last ones."""
        if self.last and self.last[-1].number < ALL:
            return self.first
        chosen = {step.number: step for step in (*self.first[:FIRST], *self.between, *self.last)}
        return [chosen[n] for n in sorted(chosen)]


class Stopped(Exception):
    """The limit of steps was reached."""


class Runner:
    """Runs programs with the impl rules. `logs` has an entry for each loop and conditional that was met."""

    def __init__(self) -> None:
        self.logs: dict[str, Log] = {}
        self.steps = self.called = 0
        self.run_equation = package_module("layer1_core.evaluate").run_equation
        self.numpy_value = package_module("layer1_core.array").numpy_value
        self.call = package_module("layer2_jit.passes").called

    def program(self, jaxpr: Any, values: Values, path: str, work: Work | None = None) -> list[np.ndarray]:
        """The results of a program. `work` gets those of each equation; `path` stands before the equations' numbers."""
        env = dict(zip(map(id, jaxpr.constvars), map(self.numpy_value, jaxpr.consts), strict=True))
        env |= dict(zip(map(id, jaxpr.invars), values, strict=True))
        read = lambda v: self.numpy_value(v.val) if hasattr(v, "val") else env[id(v)]
        for number, eqn in enumerate(jaxpr.eqns, start=1):
            results = self.equation(eqn, [*map(read, eqn.invars)], f"{path}{number}")
            env.update(zip(map(id, eqn.outvars), results, strict=True))
            if work is not None:
                work.append((number, results))
        return [np.asarray(read(v)) for v in jaxpr.outvars]

    def equation(self, eqn: Any, operands: Values, number: str) -> Values:
        name = eqn.primitive.name
        if name in NAMES:
            return self.logged(eqn, operands, number)
        if eqn.primitive in self.call:
            return self.program(self.call[eqn.primitive](eqn), operands, f"{number}.")
        self.called += name in CALLBACKS
        out = self.run_equation(eqn.primitive, operands, eqn.params)
        return out if eqn.primitive.multiple_results else [out]

    def logged(self, eqn: Any, operands: Values, number: str) -> Values:
        """The results of a loop or a conditional. Of a loop that is run again and again, the first run is kept."""
        log = self.logs.setdefault(number, Log(eqn))
        log.runs += 1
        kind = eqn.primitive.name
        own = log if log.runs == 1 or kind == "cond" else Log(eqn)
        try:
            return getattr(self, f"{kind}_")(eqn.params, operands, number, own)
        except Stopped:
            own.stopped = True
            raise

    def tick(self) -> None:
        self.steps += 1
        if self.steps > LIMIT:
            raise Stopped

    def scan_(self, params: Any, operands: Values, number: str, log: Log) -> Values:
        consts, carry, xs = params["ft_in"].split(operands)
        jaxpr, length = params["jaxpr"], params["length"]
        rows: list[list[np.ndarray]] = []
        for step, place in enumerate(range(length)[:: -1 if params["reverse"] else 1]):
            self.tick()
            inputs, work = [*consts, *carry, *(x[place, ...] for x in xs)], []
            results = self.program(jaxpr, inputs, f"{number}.", work)
            carry, ys = params["ft_out"].split(results)
            rows.append(ys)
            log.add(Round(step, inputs, work, results, place=place))
            log.steps = step + 1
        ordered = rows[::-1] if params["reverse"] else rows
        made = params["ft_out"].split(jaxpr.out_avals)[1]
        stacked = [np.array([row[k] for row in ordered], y.dtype).reshape(length, *y.shape) for k, y in enumerate(made)]
        return [*carry, *stacked]

    def while_(self, params: Any, operands: Values, number: str, log: Log) -> Values:
        n, m = params["cond_nconsts"], params["body_nconsts"]
        asked, consts, carry = operands[:n], operands[n : n + m], operands[n + m :]
        while True:
            self.tick()
            test, work = [], []
            goes_on = bool(self.program(params["cond_jaxpr"], [*asked, *carry], f"{number}.condition.", test)[0])
            inputs = [*consts, *carry]
            results = self.program(params["body_jaxpr"], inputs, f"{number}.", work) if goes_on else carry
            log.add(Round(log.steps, [*asked, *inputs], work, results, test, goes_on))
            if not goes_on:
                return carry
            carry, log.steps = results, log.steps + 1

    def cond_(self, params: Any, operands: Values, number: str, log: Log) -> Values:
        self.tick()
        branch, work = int(operands[0]), []
        log.branches.append(branch)
        step, log.steps = log.steps, log.steps + 1
        results = self.program(params["branches"][branch], operands[1:], f"{number}[{branch}].", work)
        log.add(Round(step, operands, work, results, branch=branch))
        return results
