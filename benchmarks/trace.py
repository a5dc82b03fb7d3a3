"""How long tracing takes, beside JAX where it is installed (the extra `bench`).

    make bench-trace

Traces 5,000 steps of tanh(W @ c), which is 10,000 equations, and shorter loops of the same kind. The time of each
is the best of several runs; the two libraries take turns, so that a slow moment hits both.
"""

import argparse
import functools
import importlib
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

STEPS = (50, 500, 5000)


def loop(jax: Any, steps: int) -> Callable[[Any, Any], Any]:
    """A Python loop: each step is one matrix product and one tanh."""

    def run(w: Any, c: Any) -> Any:
        for _ in range(steps):
            c = jax.numpy.tanh(w @ c)
        return c

    return run


def seconds_to_trace(jax: Any, steps: int) -> float:
    w, c = np.eye(32, dtype=np.float32), np.ones(32, np.float32)
    start = time.perf_counter()
    jaxpr = jax.make_jaxpr(loop(jax, steps))(w, c)
    took = time.perf_counter() - start
    assert len(jaxpr.eqns) == 2 * steps
    return took


def seconds_to_import(name: str) -> float:
    """The time of `import NAME` in a fresh process, without that of starting Python."""
    code = f"import time; t = time.perf_counter(); import {name}; print(time.perf_counter() - t)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def best_in_turns(functions: list[Callable[[], float]], rounds: int) -> list[float]:
    return [min(times) for times in zip(*([f() for f in functions] for _ in range(rounds)), strict=True)]


def report(what: str, times: list[float], unit: float, limit: float) -> None:
    ours = f"{times[0] * unit:10.1f}"
    if len(times) == 1:
        print(f"{what:34}{ours}")
        return
    print(f"{what:34}{ours}{times[1] * unit:10.1f}   ratio {times[0] / times[1]:.2f} (target: at most {limit:.2f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    names = ["minijax", *(["jax"] if importlib.util.find_spec("jax") else [])]
    libraries = [importlib.import_module(name) for name in names]
    [importlib.import_module(name + ".numpy") for name in names]
    print(f"{'':34}" + "".join(f"{name:>10}" for name in names))
    for steps in STEPS:
        times = best_in_turns([functools.partial(seconds_to_trace, jax, steps) for jax in libraries], rounds)
        report(f"us an equation, {2 * steps} equations", times, 1e6 / (2 * steps), 0.5)
    times = best_in_turns([functools.partial(seconds_to_import, name) for name in names], rounds)
    report("ms to import", times, 1e3, 1 / 3)


if __name__ == "__main__":
    main()
