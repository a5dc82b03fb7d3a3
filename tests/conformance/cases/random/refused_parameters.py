import warnings

import jax, jax.numpy as jnp

k = jax.random.key(5)


def tell(f):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            print(f())
        except Exception as error:
            print(type(error).__name__, str(error).splitlines()[0])
        for warning in caught:
            print(str(warning.message).split(",")[0])


# no shape
for shape in (None, 3.5, jnp.float32):
    tell(lambda: jax.random.normal(k, shape))
    tell(lambda: jax.random.rademacher(k, shape))
# dtypes that are not available
for dtype in ("float64", "S3", object):
    tell(lambda: jax.random.uniform(k, (2,), dtype))
    tell(lambda: jax.random.gamma(k, 2.0, dtype=dtype).dtype)
tell(lambda: jax.random.bits(k, dtype="uint64"))
tell(lambda: jax.random.randint(k, (), 0, 9, "int64"))
tell(lambda: jnp.zeros(2, "S3"))
# lists
tell(lambda: jax.random.multivariate_normal(k, [0.0, 0.0], jnp.eye(2)))
tell(lambda: jax.random.multivariate_normal(k, jnp.zeros(2), [[1.0, 0.0], [0.0, 1.0]]))
tell(lambda: jax.random.multivariate_normal(k, None, jnp.eye(2)))
tell(lambda: jax.random.beta(k, [1.0, 2.0], 1.0))
tell(lambda: jax.random.bernoulli(k, [0.1, 0.2]))
tell(lambda: jax.random.bernoulli(k, None))
tell(lambda: jax.random.poisson(k, [1.0, 2.0]))
# dimensions
tell(lambda: jax.random.ball(k, 2.0))
tell(lambda: jax.random.ball(k, "2"))
tell(lambda: jax.random.orthogonal(k, -1))
tell(lambda: jax.random.orthogonal(k, 2, m=-3))
