import jax, jax.numpy as jnp

import numpy as np

k = jax.random.key(0)
f = lambda x, k: x * jax.random.uniform(k)
print(jax.grad(f)(2.0, k))
print(jax.jvp(lambda k: jax.random.uniform(k), (k,), (np.zeros((), jax.dtypes.float0),)))
print(jax.vjp(f, 2.0, k)[1](1.0)[0])
try:
    jax.grad(lambda k: jax.random.uniform(k))(k)
except TypeError as e:
    print(str(e).splitlines()[0])
