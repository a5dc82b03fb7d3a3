import jax, jax.numpy as jnp

ks = jax.random.split(jax.random.key(4), 3)
print(jax.vmap(lambda k: jax.random.normal(k, (2,)))(ks))
print(jax.vmap(lambda k: jax.random.permutation(k, 5))(ks))
print(jax.vmap(lambda k, a: jax.random.gamma(k, a))(ks, jnp.array([0.5, 1.0, 3.0])))
print(jax.vmap(lambda k: jax.random.choice(k, 10, (3,), replace=False))(ks))
grid = jax.random.split(ks[0], (2, 3))
print(jax.vmap(jax.vmap(lambda k: jax.random.bits(k, (2,))), in_axes=1, out_axes=1)(grid))
