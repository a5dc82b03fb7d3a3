"""How fast compiled loops and branches run, beside JAX: `make bench-loops`."""

import numpy
from sides import Report, best_in_turns, libraries

STEPS = 1_000_000


def random(*shape):
    return numpy.random.default_rng(0).uniform(-0.2, 0.2, shape).astype("float32")


def rnn(jax):
    """5,000 steps of tanh(W @ c)."""
    return lambda w, c: jax.lax.scan(lambda c, _: (jax.numpy.tanh(w @ c), None), c, None, length=5_000)[0]


def counted(jax):
    """A number that each step changes."""
    return lambda c: jax.lax.scan(lambda c, _: (0.999 * c + 0.5, None), c, None, length=STEPS)[0]


def summed(jax):
    """The same, with a number that comes in and one that is stacked in each step."""
    return lambda c, xs: jax.lax.scan(lambda c, x: (0.999 * c + x, c * x), c, xs)


def relaxed(jax):
    """A square of temperatures whose upper edge is hot, until nothing changes by more than a ten-thousandth."""
    np = jax.numpy

    def step(state):
        u, _ = state
        new = u.at[1:-1, 1:-1].set((u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) / 4)
        return new, np.abs(new - u).max()

    return lambda u: jax.lax.while_loop(lambda state: state[1] > 1e-4, step, (u, np.float32(1)))[0]


def halved(jax):
    """Half of a number, as long as that is more than one; and all of that 100,000 times."""
    lax = jax.lax
    inner = lambda x: lax.while_loop(lambda x: x > 1, lambda x: x * 0.5, x)
    return lambda x: lax.scan(lambda c, _: (inner(c + 1000), None), x, None, length=100_000)[0]


def nested(jax):
    """A loop of 1,000 steps in each of 1,000 steps."""
    lax = jax.lax
    inner = lambda c: lax.scan(lambda c, _: (0.999 * c + 0.5, None), c, None, length=1_000)[0]
    return lambda c: lax.scan(lambda c, _: (inner(c), c), c, None, length=1_000)


def gru(jax):
    """200 steps of a gated recurrent unit, for 16 sequences at once."""
    np, sigmoid = jax.numpy, jax.nn.sigmoid

    def run(w, u, h, xs):
        def step(h, x):
            z, r, n = np.split(x @ w, 3, -1)
            hz, hr, hn = np.split(h @ u, 3, -1)
            z, r = sigmoid(z + hz), sigmoid(r + hr)
            h = (1 - z) * np.tanh(n + r * hn) + z * h
            return h, h

        return jax.lax.scan(step, h, xs)

    return run


def chosen(jax):
    """In each of 100,000 steps one of two branches."""
    lax = jax.lax
    branches = lambda c: lax.cond(c > 1, lambda c: c * 0.5, lambda c: 3 * c + 0.1, c)
    return lambda c: lax.scan(lambda c, _: (branches(c), c), c, None, length=100_000)


def mandelbrot(jax):
    """How many steps each point of a grid stays near 0, at most 100: as long as one of them does."""
    np = jax.numpy

    def run(re, im):
        def step(state):
            x, y, count, i = state
            x, y = x * x - y * y + re, 2 * x * y + im
            near = x * x + y * y < 4
            return np.where(near, x, 2), np.where(near, y, 2), count + near, i + 1

        going = lambda state: (state[3] < 100) & (state[2] == state[3]).any()
        return jax.lax.while_loop(going, step, (0 * re, 0 * im, np.zeros(re.shape, "int32"), 0))[2]

    return run


def programs(jax):
    """What is run, and with what: name -> (function, arguments)."""
    re, im = numpy.meshgrid(numpy.linspace(-2, 1, 256, dtype="float32"), numpy.linspace(-1.5, 1.5, 256, dtype="f4"))
    plate = numpy.zeros((64, 64), "float32")
    plate[0] = 1
    one = numpy.float32(1)
    return {
        "tanh(W @ c), 5,000 steps": (rnn(jax), [random(32, 32), random(32)]),
        "scalar scan, 1,000,000 steps": (counted(jax), [one]),
        "the same, with xs and ys": (summed(jax), [one, random(STEPS)]),
        "while to convergence, 64 x 64": (relaxed(jax), [plate]),
        "while in a scan, scalar": (halved(jax), [one]),
        "scan in a scan, scalar": (nested(jax), [one]),
        "GRU, 200 steps, 16 x 64": (gru(jax), [random(64, 192), random(64, 192), random(16, 64), random(200, 16, 64)]),
        "cond in a scan, scalar": (chosen(jax), [one]),
        "mandelbrot, 256 x 256": (mandelbrot(jax), [re, im]),
    }


def main():
    sides = libraries()
    report = Report("ms", 0.5)
    for name in programs(sides[0]):
        runs, found = [], []
        for jax in sides:
            fun, args = programs(jax)[name]
            jitted, args = jax.jit(fun), [*map(jax.numpy.asarray, args)]
            found.append(jax.tree.map(numpy.asarray, jitted(*args)))
            runs.append(lambda jax=jax, f=jitted, a=args: jax.block_until_ready(f(*a)))
        for other in found[1:]:  # before it is timed: both compute the same
            sides[0].tree.map(lambda x, y: numpy.testing.assert_allclose(x, y, 1e-3, 1e-3), found[0], other)
        report.line(name, best_in_turns(runs, rounds=9))
    report.end()


if __name__ == "__main__":
    main()
