"""How fast random numbers are drawn, beside JAX: `make bench-random_numbers`."""

from sides import Report, best_in_turns, libraries

MANY = 10_000_000


def programs(jax):
    """What is run, on a key: name -> function."""
    np, random = jax.numpy, jax.random
    logits = np.linspace(-1, 1, 10)
    return {
        "bits": lambda key: random.bits(key, (MANY,)),
        "uniform": lambda key: random.uniform(key, (MANY,)),
        "normal": lambda key: random.normal(key, (MANY,)),
        "split, 1,000,000 keys": lambda key: random.key_data(random.split(key, 1_000_000)),
        "permutation": lambda key: random.permutation(key, MANY),
        "categorical, 1,000,000 of 10": lambda key: random.categorical(key, logits, shape=(1_000_000,)),
        "mean of normal numbers": lambda key: random.normal(key, (MANY,)).mean(),
    }


def main():
    sides = libraries()
    report = Report("ms", 1 / 3)
    for name in programs(sides[0]):
        runs = []
        for jax in sides:
            drawn, key = jax.jit(programs(jax)[name]), jax.random.key(0)
            jax.block_until_ready(drawn(key))
            runs.append(lambda jax=jax, drawn=drawn, key=key: jax.block_until_ready(drawn(key)))
        report.line(name, best_in_turns(runs))
    report.end()


if __name__ == "__main__":
    main()
