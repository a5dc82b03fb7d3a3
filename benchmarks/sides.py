"""What the benchmarks share: the two libraries side by side, timed in turns in one process.

JAX is optional (the extra `bench`); without it only minijax is timed.
"""

import importlib
import importlib.util
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Library = Any  # the module `minijax`, or `jax`


def libraries() -> list[Library]:
    """minijax, and JAX where it is installed."""
    names = ["minijax", *(["jax"] if importlib.util.find_spec("jax") else [])]
    for name in names:
        importlib.import_module(f"{name}.numpy")
    return [importlib.import_module(name) for name in names]


def seconds(run: Callable[[], Any], calls: int = 1) -> float:
    """How long one call takes, from `calls` of them."""
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def best_in_turns(runs: Sequence[Callable[[], Any]], rounds: int = 15, calls: int = 1) -> list[float]:
    """The best time of each, in seconds. They take turns, so that a slow moment hits all of them.

    After half a minute no other round begins, from the third on.
    """
    found: list[list[float]] = []
    start = time.perf_counter()
    while len(found) < rounds and (len(found) < 3 or time.perf_counter() - start < 30):
        found.append([seconds(run, calls) for run in runs])
    return [min(times) for times in zip(*found, strict=True)]


def first_calls(name: str, programs: Callable[[Library], dict[str, Any]]) -> Iterator[float]:
    """The seconds of the first call of each program in this process, after one call that starts the engine.

    `name` is that of the library. It is alone: what another one has imported would be in the way of collections.
    """
    jax = importlib.import_module(name)
    jax.block_until_ready(jax.jit(lambda x: x - 3)(jax.numpy.ones(3)))
    for fun, args in programs(jax).values():
        yield seconds(lambda fun=fun, args=args: jax.block_until_ready(jax.jit(fun)(*args)))


def compile_times(script: str, programs: Sequence[str]) -> None:
    """Report the first calls that `script NAME` prints, each library in a new process: with nothing kept on disk; and
    minijax once more, which finds what it left, beside the time that JAX takes to compile.
    """
    sides = [library.__name__ for library in libraries()]
    with tempfile.TemporaryDirectory() as folder:
        cold = [_in_a_new_process(script, name, os.path.join(folder, name)) for name in sides]
        warm = [_in_a_new_process(script, sides[0], os.path.join(folder, sides[0])), *cold[1:]]
    for what, limit, times in (("cold", 1.5, cold), ("kept on disk", 0.2, warm)):
        report = Report("ms", limit)
        for name, both in zip(programs, zip(*times, strict=True), strict=True):
            report.line(f"{name}, {what}", both)
        report.end()


def _in_a_new_process(script: str, name: str, folder: str) -> list[float]:
    env = {**os.environ, "XDG_CACHE_HOME": folder}
    done = subprocess.run([sys.executable, script, name], env=env, capture_output=True, text=True, check=True)
    return [*map(float, done.stdout.split())]


class Report:
    """Prints a line for each program, and in the end how the two compare."""

    def __init__(self, unit: str, limit: float):
        self.factor = {"us": 1e6, "ms": 1e3}[unit]
        self.limit, self.ratios = limit, []
        print(f"{'':34}{'minijax':>10}{'JAX':>10}   ({unit})")

    def line(self, what: str, times: Sequence[float]) -> None:
        """One program: the times of minijax and, where there is one, of JAX."""
        shown = "".join(f"{t * self.factor:10.2f}" for t in times)
        if len(times) > 1:
            self.ratios.append(times[0] / times[1])
            shown += f"   minijax takes {self.ratios[-1]:.2f} of JAX's time"
        print(f"{what:34}{shown}")

    def end(self) -> None:
        if self.ratios:
            mean = math.exp(sum(map(math.log, self.ratios)) / len(self.ratios))
            print(f"geometric mean {mean:.2f}, worst {max(self.ratios):.2f} (target: at most {self.limit:.2f})")
