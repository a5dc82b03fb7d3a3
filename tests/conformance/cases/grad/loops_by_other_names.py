import jax, jax.numpy as jnp
from jax import lax

xs = jnp.linspace(-1, 1, 15).reshape(5, 3)
power = lambda x: lax.fori_loop(0, 4, lambda i, c: c * x + i, 1.0)
print(jax.grad(power)(2.0), jax.grad(jax.grad(power))(2.0))
print(jax.make_jaxpr(jax.grad(power))(2.0))
print(jax.grad(lambda x: lax.map(jnp.sin, x).sum())(xs))
print(jax.grad(lambda x: lax.associative_scan(jnp.multiply, x)[-1].sum())(xs))
