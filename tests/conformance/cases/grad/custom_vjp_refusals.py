import jax, jax.numpy as jnp
from jax import lax

@jax.custom_vjp
def f(x, y):
    return x * y

f.defvjp(lambda x, y: (f(x, y), y), lambda y, g: (g * y, None))

def attempt(fun, *args):
    try:
        print(fun(*args))
    except Exception as e:
        print(type(e).__name__, "|", str(e).splitlines()[0])

looped = lambda x, y: lax.while_loop(lambda c: c < 3, lambda c: f(c, y) + 1, x)
for g in (f, jax.jit(f), lambda x, y: lax.scan(lambda c, y: (f(c, y), c), x, y * jnp.ones(2))[0], looped):
    attempt(lambda: jax.jvp(g, (1.0, 2.0), (1.0, 1.0)))
attempt(jax.linearize(f, 1.0, 2.0)[1], 1.0, 1.0)
attempt(jax.hessian(f), 1.0, 2.0)

def outer(a, x):  # the rule does not know of a
    g = jax.custom_vjp(lambda x: a * x)
    g.defvjp(lambda x: (g(x), x), lambda x, ct: (ct * 3,))
    return g(x)

print(jax.make_jaxpr(outer)(1.0, 2.0))
attempt(jax.grad(outer, 1), 1.0, 2.0)
attempt(jax.grad(outer), 1.0, 2.0)
attempt(jax.grad(jax.jit(outer)), 1.0, 2.0)
