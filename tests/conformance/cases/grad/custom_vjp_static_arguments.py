import jax, jax.numpy as jnp
from functools import partial

def attempt(fun, *args):
    try:
        print(fun(*args))
    except Exception as e:
        print(type(e).__name__, "|", e)

@partial(jax.custom_vjp, nondiff_argnums=(0, 2))
def apply(f, x, n):
    return f(x) * n

def back(f, n, r, g):
    print("back with", n)
    return (g * n * 10,)

apply.defvjp(lambda f, x, n: (apply(f, x, n), x), back)
attempt(jax.grad(lambda x: apply(jnp.sin, x, 3)), 1.0)
attempt(jax.grad(jax.jit(lambda x: apply(jnp.sin, x, 3))), 1.0)
attempt(jax.grad(lambda x: apply(jnp.sin, 1.0, x)), 1.0)

@partial(jax.custom_vjp, nondiff_argnames=("mode",))
def scaled(x, mode="a"):
    return x * (2 if mode == "a" else 3)

scaled.defvjp(lambda x, mode: (scaled(x, mode), None), lambda mode, r, g: (g * (20 if mode == "a" else 30),))
attempt(jax.grad(lambda x: scaled(x, mode="b")), 1.0)
attempt(jax.grad(scaled), 1.0)
attempt(scaled, 1.0, 2.0, 3.0)
attempt(lambda: scaled(1.0, q=3))
