import jax, jax.numpy as jnp
from jax import lax

def grow(x, n):
    return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * jnp.sin(x), c[2] + 1.0), (0, x, 1.0))

print(jax.make_jaxpr(lambda x: jax.jvp(lambda x: grow(x, 3)[1:], (x,), (x,)))(2.0))
out, push = jax.linearize(lambda x: grow(x, 3)[1:], 2.0)
print(out, push(1.0))
print(jax.make_jaxpr(lambda x: jax.linearize(lambda x: grow(x, 3)[1:], x)[1](1.0))(2.0))
for f in (lambda x: grow(x, 3)[1], lambda x: grow(x, 3)[2], lambda x: lax.fori_loop(0, jnp.int32(x), lambda i, c: c * x, 1.0)):
    try:
        print(jax.grad(f)(2.0))
    except Exception as e:
        print(type(e).__name__, e)
print(jax.jacfwd(lambda x: lax.fori_loop(0, jnp.int32(3), lambda i, c: c * x, 1.0))(2.0))
