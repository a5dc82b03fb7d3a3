# exact
import jax, jax.numpy as jnp

k = jax.random.key(6)
logits = jnp.log(jnp.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]]))
print(jax.random.categorical(k, logits), jax.random.categorical(k, logits, axis=0))
print(jax.random.categorical(k, logits, shape=(4, 2)))
print(jax.random.categorical(k, logits, shape=(2, 2), replace=False))
print(jax.random.categorical(k, logits[0], shape=(10,), mode="high"))
