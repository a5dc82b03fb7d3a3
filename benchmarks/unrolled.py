"""What a Python loop costs that is unrolled into a program, beside a scan: `make bench-unrolled`.

Each step is tanh(W @ c). A Python loop of n steps is 2 n equations, which are traced and compiled; a scan is one. Each
row is a new process with nothing kept on disk; the longest Python loop is traced only.
"""

import os
import subprocess
import sys
import tempfile
import time

import numpy
from sides import libraries

STEPS = (10, 100, 1_000, 10_000)
COMPILED = 1_000  # steps of the longest Python loop that is compiled
LONGER = (100_000, 1_000_000)  # of scans
ROUNDS = 3


def python_loop(jax, n):
    def run(w, c):
        for _ in range(n):
            c = jax.numpy.tanh(w @ c)
        return c

    return run


def scan(jax, n):
    return lambda w, c: jax.lax.scan(lambda c, _: (jax.numpy.tanh(w @ c), None), c, None, length=n)[0]


MAKERS = {"Python loop": python_loop, "scan": scan}


def first_call(name, kind, n):
    """In this process: the equations, the milliseconds to trace, and those to lower and compile."""
    (jax,) = [library for library in libraries() if library.__name__ == name]
    jax.block_until_ready(jax.jit(lambda x: jax.numpy.cos(x @ x) - 3)(jax.numpy.ones((3, 3))))  # starts the engine
    w, c = numpy.eye(32, dtype="float32"), numpy.ones(32, "float32")
    start = time.perf_counter()
    traced = jax.jit(MAKERS[kind](jax, n)).trace(w, c)
    middle = time.perf_counter()
    if kind == "scan" or n <= COMPILED:
        traced.lower().compile()
    return len(traced.jaxpr.eqns), 1e3 * (middle - start), 1e3 * (time.perf_counter() - middle)


def in_a_new_process(name, kind, n):
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, name, kind, str(n)]
        env = {**os.environ, "XDG_CACHE_HOME": folder}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return [*map(float, done.stdout.split())]


def row(name, kind, n):
    """The best times of a few processes."""
    equations, trace, compile_ = map(min, zip(*(in_a_new_process(name, kind, n) for _ in range(ROUNDS)), strict=True))
    shown = f"{compile_:10.1f}" if kind == "scan" or n <= COMPILED else f"{'-':>10}"
    print(f"{name:10}{kind:14}{n:>10,}{equations:>10,.0f}{trace:10.1f}{shown}", flush=True)


def main():
    if len(sys.argv) > 1:
        print(*first_call(*sys.argv[1:3], int(sys.argv[3])))
        return
    print(f"{'':24}{'steps':>10}{'equations':>10}{'trace':>10}{'compile':>10}   (ms)")
    for kind, counts in (("Python loop", STEPS), ("scan", (*STEPS, *LONGER))):
        for library in libraries():
            for n in counts:
                row(library.__name__, kind, n)


if __name__ == "__main__":
    main()
