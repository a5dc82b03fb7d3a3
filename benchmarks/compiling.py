"""How long the first call of a jitted function takes, beside JAX: `make bench-compiling`.

Once with nothing kept on disk, and once more in a new process of minijax that finds what the first one left, beside
the time that JAX takes to compile.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import time

from sides import Report, libraries


def mlp(np):
    def run(x, *layers):
        for w, b in layers:
            x = np.tanh(x @ w + b)
        return x.sum()

    return run


def long(np):
    def run(x):
        for k in range(100):
            x = np.sin(x) * (1.0 + k)
        return x

    return run


def functions(jax):
    np = jax.numpy
    x, w, b = np.ones((32, 64)), np.ones((64, 64)), np.ones(64)
    return {
        "elementwise": (lambda x: np.maximum(x * 2 + 1, 0), [x]),
        "softmax": (jax.nn.softmax, [x]),
        "layer norm": (lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5), [x]),
        "MLP of 3 layers": (mlp(np), [x, (w, b), (w, b), (w, b)]),
        "200 equations": (long(np), [x]),
    }


def first_calls(name):
    """The seconds of the first call of each function in this process, after one call that starts the engine."""
    jax = importlib.import_module(name)  # alone: what another library has imported would be in the way
    jax.block_until_ready(jax.jit(lambda x: x - 3)(jax.numpy.ones(3)))
    for fun, args in functions(jax).values():
        start = time.perf_counter()
        jax.block_until_ready(jax.jit(fun)(*args))
        yield time.perf_counter() - start


def in_a_new_process(name, folder):
    env = {**os.environ, "XDG_CACHE_HOME": folder}
    done = subprocess.run([sys.executable, __file__, name], env=env, capture_output=True, text=True, check=True)
    return list(map(float, done.stdout.split()))


def main():
    if len(sys.argv) > 1:
        print(*first_calls(sys.argv[1]))
        return
    sides = [library.__name__ for library in libraries()]
    names = [*functions(libraries()[0])]
    with tempfile.TemporaryDirectory() as folder:
        cold = [in_a_new_process(name, os.path.join(folder, name)) for name in sides]
        warm = [in_a_new_process(sides[0], os.path.join(folder, sides[0])), *cold[1:]]
        for what, limit, times in (("cold", 1.5, cold), ("kept on disk", 0.2, warm)):
            report = Report("ms", limit)
            for name, both in zip(names, zip(*times, strict=True), strict=True):
                report.line(f"{name}, {what}", both)
            report.end()


if __name__ == "__main__":
    main()
