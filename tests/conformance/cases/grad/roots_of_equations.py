import jax, jax.numpy as jnp
from jax import lax

def cube_root(a, guess):
    newton = lambda f, x: lax.fori_loop(0, 30, lambda i, x: x - f(x) / (3 * x * x), x)
    return lax.custom_root(lambda x: x**3 - a, guess, newton, lambda g, y: y / g(1.0))

print(cube_root(8.0, 1.0), jax.grad(cube_root)(8.0, 1.0), jax.jit(jax.grad(cube_root))(8.0, 1.0))
print(jax.jvp(cube_root, (8.0, 1.0), (1.0, 1.0)))
print(jax.make_jaxpr(jax.grad(cube_root))(8.0, 1.0))

def attempt(*args, **kwargs):
    try:
        print(lax.custom_root(*args, **kwargs))
    except Exception as e:
        print(type(e).__name__, "|", e)

same = lambda f, x: x
attempt(lambda x: (x, x), 1.0, same, same)
attempt(lambda x: x, 1.0, lambda f, x: (x, x), same)
attempt(lambda x: x, 1.0, same, lambda g, y: (y, y))
attempt(lambda x: x, 1.0, lambda f, x: (x, x, x), same, has_aux=True)
