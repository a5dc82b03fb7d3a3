import jax, jax.numpy as jnp
from jax import lax
import numpy as np
def f(x, xs):
    def step(c, y):
        jax.debug.print("c {} y {}", c, y)
        c = jnp.sin(c * y)
        return c, c
    return lax.scan(step, x, xs)[0]
xs = jnp.arange(1., 4.)
print(jax.grad(f)(1., xs)); print(jax.jit(jax.grad(f))(1., xs)); print(jax.jvp(f, (1., xs), (1., xs)))
def g(x):
    return lax.cond(x > 0, lambda x: (jax.debug.print("pos {}", x), jnp.sin(x))[1], lambda x: x, x)
print(jax.grad(g)(1.), jax.grad(g)(-1.))
h = jax.checkpoint(lambda x: (jax.debug.print("ck {}", x), jnp.sin(jnp.sin(x)))[1])
print(jax.grad(h)(1.)); print(jax.jit(jax.grad(h))(1.))
w = lambda x: lax.while_loop(lambda c: c < 3., lambda c: (jax.debug.print("w {}", c), c + x)[1], x)
print(jax.jvp(w, (1.,), (1.,)))
