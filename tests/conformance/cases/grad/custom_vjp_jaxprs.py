import jax, jax.numpy as jnp
from jax import lax

@jax.custom_vjp
def f(x, y):
    return jnp.sin(x) * y

def f_fwd(x, y):
    return f(x, y), (jnp.cos(x), jnp.sin(x), y)

def f_bwd(res, g):
    c, s, y = res
    return c * g * y, s * g

f.defvjp(f_fwd, f_bwd)
both = jax.grad(f, (0, 1))
for g in (f, jax.grad(f), both, jax.grad(jax.jit(f), (0, 1)), jax.grad(jax.grad(f))):
    print(jax.make_jaxpr(g)(1.0, 2.0))
print(both(1.0, 2.0), jax.jit(both)(1.0, 2.0), jax.grad(jax.jit(f), (0, 1))(1.0, 2.0), jax.grad(jax.grad(f))(1.0, 2.0))
print(jax.make_jaxpr(lambda x, y: jax.jvp(f, (x, y), (x, y)))(1.0, 2.0))
chosen = lambda x, y: lax.cond(x > 0, f, lambda x, y: x * y, x, y)
print(jax.make_jaxpr(jax.grad(chosen, (0, 1)))(1.0, 2.0))
looped = lambda x, ys: lax.scan(lambda c, y: (f(c, y), c), x, ys)[0]
print(jax.grad(looped, (0, 1))(1.0, jnp.arange(3.0) + 1), jax.jit(jax.grad(looped, (0, 1)))(1.0, jnp.arange(3.0) + 1))
