import jax, jax.numpy as jnp

ks = jax.random.split(jax.random.key(0), 4)
print(jax.make_jaxpr(jax.vmap(lambda k: jax.random.bits(k, (2,))))(ks))
print(jax.make_jaxpr(jax.vmap(jax.random.split))(ks))
print(jax.make_jaxpr(jax.vmap(jax.random.fold_in))(ks, jnp.arange(4)))
print(jax.make_jaxpr(jax.vmap(jax.random.key_data))(ks))
print(jax.make_jaxpr(jax.vmap(jax.random.key))(jnp.arange(3)))
print(jax.make_jaxpr(jax.vmap(lambda i: jax.random.fold_in(ks[0], i)))(jnp.arange(3)))
