"""How fast functions of batches run, beside JAX: `make bench-vmap`."""

import itertools

import numpy
from sides import Report, best_in_turns, libraries


def random(*shape):
    return numpy.random.default_rng(0).uniform(-1, 1, shape).astype("float32")


def layers(*sizes):
    return [(random(m, n) / 8, random(n) / 8) for m, n in itertools.pairwise(sizes)]


def products(jax):
    """A product of small matrices, for each of a batch."""
    return jax.vmap(lambda a, b: a @ b)


def gradients(jax):
    """The gradient of the error of a network of 3 layers, for each example by itself."""

    def loss(params, x, y):
        for w, b in params:
            x = jax.numpy.tanh(x @ w + b)
        return ((x - y) ** 2).mean()

    return jax.vmap(jax.grad(loss), (None, 0, 0))


def pendulums(jax):
    """1,000 steps of Runge and Kutta's method, of order 4, for pendulums that begin at other places."""
    np = jax.numpy

    def swing(state):
        angle, speed = state
        return np.array([speed, -np.sin(angle) - 0.1 * speed])

    def step(state, _):
        h = 0.01
        a = swing(state)
        b = swing(state + h / 2 * a)
        c = swing(state + h / 2 * b)
        d = swing(state + h * c)
        return state + h / 6 * (a + 2 * b + 2 * c + d), None

    return jax.vmap(lambda state: jax.lax.scan(step, state, None, length=1_000)[0])


def newton(jax):
    """The cube root of each number, by Newton's method, until a step changes it by less than a millionth part."""
    np, lax = jax.numpy, jax.lax

    def root(a):
        def step(state):
            x, _ = state
            new = x - (x * x * x - a) / (3 * x * x)
            return new, np.abs(new - x)

        return lax.while_loop(lambda state: state[1] > 1e-6 * state[0], step, (a, a))[0]

    return jax.vmap(root)


def rows(jax):
    """Rows of a table, at places of each example's own."""
    return jax.vmap(lambda table, places: table[places], (None, 0))


def elements(jax):
    """Elements of each example, at places of its own."""
    return jax.vmap(lambda x, places: x[places])


def kernels(jax):
    """exp(-|x - y|^2) of every pair of points."""
    rbf = lambda x, y: jax.numpy.exp(-((x - y) ** 2).sum())
    return jax.vmap(jax.vmap(rbf, (None, 0)), (0, None))


def programs(jax):
    """What is run, and with what: name -> (function, arguments)."""
    net, x, y = layers(64, 128, 128, 10), random(256, 64), random(256, 10)
    places = numpy.random.default_rng(1).integers(0, 1_000, (256, 64)).astype("int32")
    return {
        "products, 1,000 of 16 x 16": (products(jax), [random(1_000, 16, 16), random(1_000, 16, 16)]),
        "gradients of an MLP, 256 examples": (gradients(jax), [net, x, y]),
        "RK4 under scan, 1,000 pendulums": (pendulums(jax), [random(1_000, 2)]),
        "Newton in a while, 10,000 numbers": (newton(jax), [numpy.abs(random(10_000)) * 1_000 + 1]),
        "rows of a table, 256 x 64": (rows(jax), [random(1_000, 32), places]),
        "elements, 256 x 64 of 1,000": (elements(jax), [random(256, 1_000), places]),
        "RBF kernel, 512 x 512 points": (kernels(jax), [random(512, 8), random(512, 8)]),
    }


def main():
    sides = libraries()
    report = Report("ms", 1 / 1.5)
    for name in programs(sides[0]):
        runs, found = [], []
        for jax in sides:
            fun, args = programs(jax)[name]
            jitted, args = jax.jit(fun), jax.tree.map(jax.numpy.asarray, args)
            found.append(jax.tree.map(numpy.asarray, jitted(*args)))
            runs.append(lambda jax=jax, f=jitted, args=args: jax.block_until_ready(f(*args)))
        for other in found[1:]:  # before it is timed: both compute the same
            sides[0].tree.map(lambda x, y: numpy.testing.assert_allclose(x, y, 1e-3, 1e-4), found[0], other)
        report.line(name, best_in_turns(runs))
    report.end()


if __name__ == "__main__":
    main()
