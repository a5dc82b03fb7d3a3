import jax, jax.numpy as jnp

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e).splitlines()[0])

k = jax.random.key(0)
attempt(lambda: jax.random.bits(k, (2,), jnp.int32))
attempt(lambda: jax.random.uniform(k, (2,), jnp.int32))
attempt(lambda: jax.random.normal(k, (2,), jnp.int32))
attempt(lambda: jax.random.randint(k, (2,), 0, 5, jnp.float32))
attempt(lambda: jax.random.bernoulli(k, 2))
attempt(lambda: jax.random.bernoulli(k, 0.5, mode="x"))
attempt(lambda: jax.random.gumbel(k, mode="x"))
attempt(lambda: jax.random.gamma(k, jnp.ones(3), (2,)))
attempt(lambda: jax.random.beta(k, jnp.ones(3), jnp.ones(2)))
attempt(lambda: jax.random.permutation(k, 2.5))
attempt(lambda: jax.random.choice(k, 5, (7,), replace=False))
attempt(lambda: jax.random.choice(k, 0, (7,)))
attempt(lambda: jax.random.choice(k, 5, 3))
attempt(lambda: jax.random.choice(k, 5, (3,), p=jnp.ones(4)))
attempt(lambda: jax.random.multivariate_normal(k, jnp.zeros(2), jnp.eye(3)))
attempt(lambda: jax.random.multivariate_normal(k, jnp.zeros(2), jnp.eye(2), method="lu"))
attempt(lambda: jax.random.dirichlet(k, 1.0))
attempt(lambda: jax.random.categorical(k, jnp.zeros((2, 3)), shape=(5, 2), replace=False))
attempt(lambda: jax.random.split(k, 2.0))
attempt(lambda: jax.random.key(0, impl="foo", dtype="bar"))
