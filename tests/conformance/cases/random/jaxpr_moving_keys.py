import jax, jax.numpy as jnp

ks = jax.random.split(jax.random.key(0), 4)
for f in (lambda k: k.reshape(2, 2), lambda k: jnp.concatenate([k, k]), lambda k: jnp.stack([k[0], k[1]]),
          lambda k: k == k, lambda k: jnp.broadcast_to(k, (2, 4)), lambda k: k[:, None], jax.random.clone,
          lambda k: k.at[0].set(k[1]), jnp.zeros_like):
    print(jax.make_jaxpr(f)(ks))
