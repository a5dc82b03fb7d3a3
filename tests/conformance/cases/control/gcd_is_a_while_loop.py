import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

print(jax.make_jaxpr(jnp.gcd)(12, 18))
print(jnp.gcd(jnp.array([12, 0, -9, 7]), 6), jnp.lcm(4, jnp.arange(5)))
