"""How long the first call of a jitted function takes, beside JAX: `make bench-compiling`.

Once with nothing kept on disk, and once more in a new process of minijax that finds what the first one left, beside
the time that JAX takes to compile.
"""

import sys

from sides import compile_times, first_calls, libraries


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


def main():
    if len(sys.argv) > 1:
        print(*first_calls(sys.argv[1], functions))
    else:
        compile_times(__file__, [*functions(libraries()[0])])


if __name__ == "__main__":
    main()
