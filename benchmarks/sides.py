"""What the benchmarks share: the two libraries side by side, timed in turns in one process.

JAX is optional (the extra `bench`); without it only minijax is timed.
"""

import importlib
import importlib.util
import math
import time
from collections.abc import Callable, Sequence
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
    """The best time of each, in seconds. They take turns, so that a slow moment hits all of them."""
    return [min(times) for times in zip(*([seconds(run, calls) for run in runs] for _ in range(rounds)), strict=True)]


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
