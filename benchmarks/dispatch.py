"""What a warm call of a jitted function costs, beside JAX: `make bench-dispatch`.

The functions do next to nothing, so it is the call that is timed: taking the arguments apart, finding the program,
making the results.
"""

from sides import Report, best_in_turns, libraries

CALLS = 3000


def functions(jax):
    """What is called, and with what: name -> (function, arguments)."""
    np = jax.numpy
    arrays = {f"k{i:02}": np.arange(8.0) + i for i in range(20)}
    return {
        "a scalar": (lambda x: x * 2 + 1, [np.arange(3.0)[1]]),
        "1,024 floats": (lambda x: x * 2 + 1, [np.arange(1024.0)]),
        "two arrays": (lambda x, y: x + y, [np.arange(8.0), np.arange(8.0)]),
        "a tuple of two arrays": (lambda x: x[0] + x[1], [(np.arange(8.0), np.arange(8.0))]),
        "a dict of 20 arrays": (lambda d: {k: v * 2 for k, v in d.items()}, [arrays]),
    }


def main():
    sides = libraries()
    report = Report("us", 0.5)
    for name in functions(sides[0]):
        runs = []
        for jax in sides:
            fun, args = functions(jax)[name]
            jitted = jax.jit(fun)
            jax.block_until_ready(jitted(*args))
            runs.append(lambda jitted=jitted, args=args: jitted(*args))
        report.line(name, best_in_turns(runs, calls=CALLS))
    report.end()


if __name__ == "__main__":
    main()
