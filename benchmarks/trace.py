"""How long tracing and importing take, beside JAX: `make bench-trace`.

Traces 5,000 steps of tanh(W @ c), which is 10,000 equations, and shorter loops of the same kind.
"""

import subprocess
import sys

import numpy
from sides import Report, best_in_turns, libraries

STEPS = (50, 500, 5000)


def loop(jax, steps):
    """A Python loop: each step is one matrix product and one tanh."""

    def run(w, c):
        for _ in range(steps):
            c = jax.numpy.tanh(w @ c)
        return c

    return run


def tracing(jax, steps):
    """What traces the loop. Refuses a library that records other equations."""
    w, c = numpy.eye(32, dtype="float32"), numpy.ones(32, "float32")
    assert len(jax.make_jaxpr(loop(jax, steps))(w, c).eqns) == 2 * steps
    return lambda: jax.make_jaxpr(loop(jax, steps))(w, c)


def seconds_to_import(name):
    """The time of `import NAME` in a new process, without that of starting Python."""
    code = f"import time; t = time.perf_counter(); import {name}; print(time.perf_counter() - t)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def main():
    sides = libraries()
    report = Report("us", 0.5)
    for steps in STEPS:
        times = best_in_turns([tracing(jax, steps) for jax in sides], rounds=7)
        report.line(f"an equation, of {2 * steps}", [t / (2 * steps) for t in times])
    report.end()
    report = Report("ms", 1 / 3)
    rounds = [[seconds_to_import(jax.__name__) for jax in sides] for _ in range(7)]
    report.line("import", [min(times) for times in zip(*rounds, strict=True)])
    report.end()


if __name__ == "__main__":
    main()
