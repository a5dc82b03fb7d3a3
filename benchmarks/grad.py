"""How fast derivatives are traced, compiled and run, beside JAX: `make bench-grad`."""

import itertools
import sys

import numpy
from sides import Report, best_in_turns, compile_times, first_calls, libraries


def random(*shape):
    return numpy.random.default_rng(0).uniform(-0.2, 0.2, shape).astype("float32")


def layers(*sizes):
    return [(random(m, n), random(n)) for m, n in itertools.pairwise(sizes)]


def mlp(jax):
    """The mean square error of a network of 3 layers."""

    def loss(params, x, y):
        for w, b in params:
            x = jax.numpy.tanh(x @ w + b)
        return ((x - y) ** 2).mean()

    return loss


def rnn(jax):
    """The squares of the last state of a recurrent network, after a scan."""
    np = jax.numpy

    def loss(params, xs):
        w, u = params
        h, _ = jax.lax.scan(lambda h, x: (np.tanh(h @ w + x @ u), None), np.zeros((16, 64)), xs)
        return (h**2).sum()

    return loss


def hvp(jax):
    """The Hessian of the network's error, times a vector."""
    loss = mlp(jax)
    return lambda p, x, y, v: jax.jvp(jax.grad(lambda p: loss(p, x, y)), (p,), (v,))[1]


def descent(jax):
    """1,000 steps down the gradient, under scan."""

    def run(params, x, y):
        def step(p, _):
            loss, g = jax.value_and_grad(mlp(jax))(p, x, y)
            return jax.tree.map(lambda p, g: p - 0.1 * g, p, g), loss

        return jax.lax.scan(step, params, None, length=1_000)

    return run


def programs(jax):
    """What is run, and with what: name -> (function, arguments)."""
    net, x, y = layers(64, 128, 128, 10), random(64, 64), random(64, 10)
    small = layers(8, 16, 16, 1)
    return {
        "gradient of an MLP": (jax.grad(mlp(jax)), [net, x, y]),
        "gradient of an RNN over scan": (jax.grad(rnn(jax)), [(random(64, 64), random(32, 64)), random(100, 16, 32)]),
        "Hessian-vector product": (hvp(jax), [net, x, y, net]),
        "1,000 steps of descent": (descent(jax), [small, random(32, 8), random(32, 1)]),
    }


def run_times(sides):
    report = Report("ms", 1 / 1.5)
    for name in programs(sides[0]):
        runs = []
        for jax in sides:
            fun, args = programs(jax)[name]
            jitted, args = jax.jit(fun), jax.tree.map(jax.numpy.asarray, args)
            jax.block_until_ready(jitted(*args))
            runs.append(lambda jax=jax, f=jitted, args=args: jax.block_until_ready(f(*args)))
        report.line(name, best_in_turns(runs))
    report.end()


def tracing(jax, fun, args):
    """What traces a function anew, each time: what was traced once is remembered."""
    return lambda: jax.make_jaxpr(lambda *args: fun(*args))(*args)


def trace_times(sides):
    report = Report("ms", 1)
    for name in programs(sides[0]):
        report.line(f"{name}, traced", best_in_turns([tracing(jax, *programs(jax)[name]) for jax in sides]))
    report.end()


def main():
    if len(sys.argv) > 1:
        print(*first_calls(sys.argv[1], programs))
        return
    sides = libraries()
    run_times(sides)
    trace_times(sides)
    compile_times(__file__, [*programs(sides[0])])


if __name__ == "__main__":
    main()
