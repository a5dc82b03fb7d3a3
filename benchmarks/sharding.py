"""Two devices against one, and against JAX on two CPU devices: `make bench-sharding`.

Devices are simulated: they share the cores of one machine. What is one device, then? In both libraries it uses all
cores by itself, for large products and loops. So there are two answers to how much faster two devices are: than one
device with all cores, and than one device that has one core, as it is where each device is a machine of its own.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from sides import Library, Report, best_in_turns, libraries

F32 = np.float32
ONE_CORE = "--one-core"
Run = Callable[[], Any]


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(F32) / F32(shape[0] ** 0.5)


def training(jax: Library, rows: int, width: int) -> Any:
    """A step of gradient descent: three layers, the examples divided, the weights on all devices."""
    tanh = jax.numpy.tanh

    def loss(weights: Any, x: Any, y: Any) -> Any:
        for w in weights:
            x = tanh(x @ w)
        return ((x - y) ** 2).mean()

    step = lambda weights, x, y: [w - 0.1 * d for w, d in zip(weights, jax.grad(loss)(weights, x, y), strict=True)]
    weights = [numbers(width, width) for _ in range(3)]
    return step, (weights, numbers(rows, width), numbers(rows, width)), ((), ("x",), ("x",))


def product(jax: Library, size: int) -> Any:
    """A product of matrices: the rows of the first are divided."""
    return jax.numpy.matmul, (numbers(size, size), numbers(size, size)), (("x",), ())


def two_layers(jax: Library, rows: int, width: int) -> Any:
    """Two layers, the weights divided: columns of the first, rows of the second, and then a sum over the devices."""
    forward = lambda x, a, b: jax.numpy.tanh(x @ a) @ b
    args = numbers(rows, width), numbers(width, 4 * width), numbers(4 * width, width)
    return forward, args, ((), (None, "x"), ("x",))


def recurrent(jax: Library, rows: int, width: int, steps: int) -> Any:
    """A recurrent network: many small products, one after the other; the examples divided."""
    tanh = jax.numpy.tanh
    run = lambda x, w: jax.lax.scan(lambda c, _: (tanh(c @ w), None), x, None, length=steps)[0]
    return run, (numbers(rows, width), numbers(width, width)), (("x",), ())


def elementwise(jax: Library, size: int) -> Any:
    np_ = jax.numpy
    return lambda x: np_.sin(x) * np_.exp(-x * x), (numbers(size),), (("x",),)


PROGRAMS: dict[str, Callable[[Library], Any]] = {
    "training step, 256 x 256": lambda jax: training(jax, 256, 256),
    "training step, 2048 x 512": lambda jax: training(jax, 2048, 512),
    "matmul, rows divided, 1024": lambda jax: product(jax, 1024),
    "matmul, rows divided, 2048": lambda jax: product(jax, 2048),
    "two layers, weights divided, 512": lambda jax: two_layers(jax, 512, 512),
    "recurrent, 128 x 128, 200 steps": lambda jax: recurrent(jax, 128, 128, 200),
    "elementwise, 4M": lambda jax: elementwise(jax, 4_000_000),
    "x + 1, 8 elements": lambda jax: (lambda x: x + 1, (numbers(8),), (("x",),)),
}


def on_devices(jax: Library, name: str, count: int) -> Run:
    """The program on one device, or on two."""
    fun, args, specs = PROGRAMS[name](jax)
    if count == 1:
        args = jax.tree.map(jax.numpy.asarray, args)
    else:
        sharding = jax.sharding
        mesh = jax.make_mesh((2,), ("x",), axis_types=(sharding.AxisType.Auto,))
        places = [sharding.NamedSharding(mesh, sharding.PartitionSpec(*spec)) for spec in specs]
        args = [jax.device_put(x, place) for x, place in zip(args, places, strict=True)]
    jitted = jax.jit(fun)
    run = lambda: jax.block_until_ready(jitted(*args))
    run(), run()
    return run


def measured(counts: tuple[int, ...]) -> dict[str, list[float]]:
    """For each program the best times: of each library on so many devices, one after the other.

    The libraries take turns, the numbers of devices do not: threads of BLAS wait for more, and busily, some 20 ms long.
    """
    sides = libraries()
    for jax in sides:
        jax.config.update("jax_num_cpu_devices", max(counts))
    found = {}
    for name in PROGRAMS:
        sets = [[on_devices(jax, name, count) for jax in sides] for count in counts]
        found[name] = [best for runs in sets for best in best_in_turns(runs, rounds=20)]
    return found


def on_one_core() -> dict[str, list[float]]:
    """The times on one device, in a process that has one core."""
    first = min(os.sched_getaffinity(0))
    done = subprocess.run(
        [sys.executable, __file__, ONE_CORE], capture_output=True, text=True, check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, preexec_fn=lambda: os.sched_setaffinity(0, {first}),
    )  # fmt: skip
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {name: [*map(float, times)] for name, *times in rows}


def main() -> None:
    alone = on_one_core()  # first: before JAX is here, which does not bear forks
    found = measured((2, 1))
    report = Report("ms", 1.0)
    for name, times in found.items():
        report.line(name, times[: len(times) // 2])
    report.end()
    print(f"\n{'':34}so many times faster are two devices than one with all cores, and than one with one core")
    for name, times in found.items():
        n = len(times) // 2
        gains = [f"{times[n + k] / times[k]:9.2f}{alone[name][k] / times[k]:7.2f}" for k in range(n)]
        print(
            f"{name:34}" + "".join(f"   {side} {gain}" for side, gain in zip(("minijax", "JAX"), gains, strict=False))
        )


if __name__ == "__main__":
    if ONE_CORE in sys.argv:
        for name, times in measured((1,)).items():
            print(name, *times, sep="\t")
    else:
        main()
