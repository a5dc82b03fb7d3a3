import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback

F = jax.ShapeDtypeStruct((), jnp.float32)
x = jnp.float32(2.5)

def attempt(f):
    try:
        print(f())
    except Exception as e:
        lines = str(e).splitlines()
        print(type(e).__name__, "|", lines[0], "...", lines[-1])

for call in (jax.pure_callback, io_callback):
    attempt(lambda: call(lambda a: a + 1, F, x))
    attempt(lambda: jax.jit(lambda v: call(lambda a: np.float64(3.0), F, v))(x))
    attempt(lambda: call(lambda a: {"a": a, "b": (np.int32(2),)}, {"a": F, "b": (jax.ShapeDtypeStruct((), jnp.int32),)}, x))
    attempt(lambda: call(lambda a, b: a * b, F, x, b=2.0))
    attempt(lambda: call(lambda a: np.ones(3), F, x))
    attempt(lambda: call(lambda a: np.int32(3), F, x))
    attempt(lambda: call(lambda a: (1.0, 2.0), F, x))
    attempt(lambda: call(lambda a: None, F, x))
    attempt(lambda: call(lambda a: "s", F, x))
    attempt(lambda: call(lambda a: 1 / 0, F, x))
    attempt(lambda: jax.jit(lambda x: call(lambda a: 1 / 0, F, x))(x))
    attempt(lambda: call(lambda a: a, np.zeros(2), x))
    attempt(lambda: call(lambda a: a, F, "s"))
attempt(lambda: jax.pure_callback(lambda a: a, F, x, vmap_method="fast"))
