import jax, jax.numpy as jnp

k = jax.random.key(0)

def step(key, _):
    key, sub = jax.random.split(key)
    return key, jax.random.bits(sub)

print(jax.make_jaxpr(lambda k: jax.lax.scan(step, k, None, length=3))(k))
print(jax.make_jaxpr(lambda p, k: jax.lax.cond(p, lambda: k, lambda: jax.random.split(k)[0]))(True, k))
