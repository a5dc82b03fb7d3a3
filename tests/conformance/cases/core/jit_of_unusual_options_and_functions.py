import dataclasses
import functools
import warnings

import jax
import jax.numpy as jnp
import numpy as np


def show(f):
    """Print what f returns, or its error's class and the first two lines of its message."""
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", *str(e).split("\n")[:2])


@dataclasses.dataclass(frozen=True)
class Settings:
    weights: np.ndarray

    def __hash__(self):
        return 7


scaled = jax.jit(lambda x, settings: x * settings.weights.sum(), static_argnums=1)
named = jax.jit(lambda x, settings: x * settings.weights.sum(), static_argnames="settings")
for _ in range(2):
    show(lambda: scaled(1.0, Settings(np.ones(3))))
    show(lambda: named(1.0, settings=Settings(np.ones(3))))


def times(x, /, n):
    return x * n


show(lambda: jax.jit(times, static_argnames="x"))
show(lambda: jax.jit(times, donate_argnames="x"))
show(lambda: jax.jit(lambda *xs, n: xs, static_argnames=("xs", "n")))
show(lambda: jax.jit(lambda x, /, **kw: x, static_argnames="x"))
show(lambda: jax.jit(times, static_argnames="q"))


class Doubler:
    def __call__(self, x):
        return x * 2

    def method(self, x):
        """Return x."""
        return x


for fun in (functools.partial(times, n=2), Doubler(), Doubler().method, functools.partial(Doubler()), jax.jit(Doubler.method)):
    jitted = jax.jit(fun)
    print(jitted.__name__, jitted.__qualname__, jitted.__module__)
print(repr(jax.jit(Doubler()).__doc__), jax.jit(Doubler().method).__doc__)

with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    there = jax.jit(lambda x: x * 2, backend="cpu")
    print(there(jnp.ones(2)), there(jnp.ones(2)).devices())
    show(lambda: jax.jit(lambda x: x, backend="gpu")(2))
    show(lambda: jax.jit(lambda x: x, backend="cpu", device=jax.devices()[0]))
print(seen[0].category.__name__)
