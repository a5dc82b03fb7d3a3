import jax, jax.numpy as jnp

a, b = jax.random.split(jax.random.key(0))
print(a, b)
for k in jax.random.split(a, 3):
    print(jax.random.key_data(k), k.shape)
print(jax.make_jaxpr(lambda k: [jax.random.bits(x) for x in jax.random.split(k, 2)])(a))
