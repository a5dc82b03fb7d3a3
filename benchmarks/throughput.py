"""How fast compiled programs run, beside JAX, at three sizes: `make bench-throughput`."""

import numpy
from sides import Report, best_in_turns, libraries

SIZES = (64, 512, 2000)


def layer_norm(np):
    def run(x):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)

    return run


def convolution(jax, x):
    """A 3 x 3 convolution of 4 channels into 8, over as many images of 32 x 32 as there are."""
    images = x.ravel()[: x.size // 4096 * 4096].reshape(-1, 4, 32, 32)
    return jax.lax.conv_general_dilated(images, x.ravel()[:288].reshape(8, 4, 3, 3), (1, 1), "SAME")


def places(np, x):
    """As many places in a flat array as it has elements, in no order."""
    return np.arange(x.size) * 7919 % x.size


def programs(jax):
    """The programs; each takes a square matrix of positive numbers."""
    np = jax.numpy
    return {
        "chain": lambda x: np.maximum(x * 2 + 1, 0) * x - x,
        "exp": np.exp, "log": np.log, "tanh": np.tanh, "sin": np.sin, "erf": jax.scipy.special.erf,
        "gelu": jax.nn.gelu, "softmax": jax.nn.softmax, "layer norm": layer_norm(np),
        "sum": np.sum, "sum, axis 0": lambda x: x.sum(0), "sum, axis 1": lambda x: x.sum(1),
        "max, axis 0": lambda x: x.max(0), "argmax, axis 1": lambda x: np.argmax(x, 1),
        "logsumexp": lambda x: jax.nn.logsumexp(x, -1), "cumsum": lambda x: np.cumsum(x, 1),
        "sort": lambda x: np.sort(x, 1), "transpose": lambda x: x.T + 0.0,
        "matmul": lambda x: x[:512, :512] @ x[:512, :512],
        "small matmul": lambda x: x[:32, :32] @ x[:32, :32],
        "batched matmul": lambda x: (lambda y: y @ y)(x.ravel()[: x.size // 1024 * 1024].reshape(-1, 32, 32)),
        "convolution": lambda x: convolution(jax, x),
        "gather": lambda x: x.ravel()[places(np, x)],
        "scatter-add": lambda x: np.zeros(x.size).at[places(np, x)].add(x.ravel()),
        "pairwise distances": lambda x: ((x[:64, None, :] - x[None, :64, :]) ** 2).sum(-1),
    }  # fmt: skip


def main():
    sides = libraries()
    report = Report("ms", 1 / 1.5)
    for size in SIZES:
        x = numpy.random.default_rng(0).uniform(0.1, 3, (size, size)).astype("float32")
        for name in programs(sides[0]):
            runs = []
            for jax in sides:
                array, jitted = jax.numpy.asarray(x), jax.jit(programs(jax)[name])
                jax.block_until_ready(jitted(array))
                runs.append(lambda jax=jax, f=jitted, a=array: jax.block_until_ready(f(a)))
            report.line(f"{name}, {size} x {size}", best_in_turns(runs, rounds=25))
    report.end()


if __name__ == "__main__":
    main()
