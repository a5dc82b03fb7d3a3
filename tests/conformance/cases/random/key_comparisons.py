import jax, jax.numpy as jnp

ks = jax.random.split(jax.random.key(0), 3)
print(ks == ks, ks != ks[0], ks[1] == ks[1])
print(jnp.array_equal(ks, ks), (ks == ks[::-1]).sum())
