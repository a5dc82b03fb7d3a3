"""An argument with axis None may be anything: it is handed on as it is. A mapped one must be an array."""
import functools

import jax
import jax.numpy as jnp
import numpy as np


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e))


xs = jnp.arange(3.0)


def by_mode(x, mode, function, options):
    return function(x) if mode == "with" else x * options["by"]


print(jax.vmap(by_mode, in_axes=(0, None, None, None))(xs, "with", jnp.square, {"by": 2, "of": object()}))
print(jax.vmap(by_mode, in_axes=(0, None, None, None))(xs, "without", jnp.square, {"by": 2, "of": object()}))
print(jax.vmap(jax.vmap(lambda x, s: x, (0, None)), (0, None))(xs[None], "a"))
attempt(lambda: jax.vmap(lambda x, s: s, in_axes=(0, None))(xs, "a"))

for value in ("abc", b"ab", {1}, range(3), int, np.array(["a"]), np.array([b"a"]), np.array([None])):
    attempt(lambda: jax.vmap(lambda x: x)(value))


def scale(x, by):
    """Scaled."""
    return x * by


print(jax.vmap(functools.partial(scale, by=2.0)).__doc__.splitlines()[0])
print(jax.vmap(scale).__doc__)
attempt(lambda: jnp.vectorize(lambda a: [a, a], signature="(n)->(n),(n)")(jnp.ones(3)))
