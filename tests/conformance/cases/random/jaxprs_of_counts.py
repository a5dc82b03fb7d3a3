import jax

k = jax.random.key(42)
print(jax.make_jaxpr(lambda k: jax.random.geometric(k, 0.3, (3,)))(k))
print(jax.make_jaxpr(lambda k: jax.random.binomial(k, 10.0, 0.3))(k))
