import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
import numpy as np

x = jnp.arange(12.0).reshape(3, 4) + 1
for name, start in [("add", 0.0), ("max", -np.inf), ("min", np.inf)]:
    for options in [{}, dict(base_dilation=(2, 1)), dict(window_dilation=(1, 2))]:
        if name == "add" or "window_dilation" not in options:
            window = lambda x: lax.reduce_window(x, start, getattr(lax, name), (2, 2), (1, 2), "SAME", **options)
            show(f"{name} {options}", window, x)
pool = lambda x: lax.reduce_window(x, -np.inf, lax.max, (2, 2), (1, 2), "SAME")
show("twice", lambda x: jax.grad(lambda x: (pool(x) ** 3).sum())(x), x)
any_function = lambda x: lax.reduce_window(x, np.float32(0), lambda a, b: a + b * jnp.sin(b), (2, 2))
print(jax.make_jaxpr(lambda x: jax.jvp(any_function, (x,), (x,)))(x))
try:
    jax.grad(lambda x: lax.reduce_window(x, -np.inf, lax.max, (2, 2), window_dilation=(1, 2)).sum())(x)
except NotImplementedError as e:
    print(e)
