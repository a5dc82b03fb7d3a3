import functools

import jax, jax.numpy as jnp, numpy as np
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e).splitlines()[0])

k = jax.random.key(0)
x = jnp.arange(6.)

# a traced number is not a shape
attempt(lambda: jax.jit(lambda n: jax.random.split(k, n))(3))
attempt(lambda: jax.jit(lambda n: jax.random.split(k, (2, n)))(3))
attempt(lambda: jax.jit(lambda n: jax.random.normal(k, (n,)))(3))
attempt(lambda: jax.jit(lambda k: jax.random.split(k, jnp.array(3)))(k))
# a static one is
split = functools.partial(jax.jit, static_argnums=1)(lambda k, n: jax.random.key_data(jax.random.split(k, n)))
print(split(k, 3), split(k, (2, 1)))
# outside of jit an array has a value
attempt(lambda: jax.random.split(k, jnp.array(3)).shape)
attempt(lambda: jax.random.split(k, np.array(3)).shape)
attempt(lambda: jax.random.split(k, [2, np.int64(2)]).shape)
print(jax.make_jaxpr(lambda k: jax.random.split(k, np.int64(3)))(k))
attempt(lambda: jax.make_jaxpr(lambda k: jax.random.split(k, 2.5))(k))
attempt(lambda: jax.make_jaxpr(lambda k: jax.random.split(k, "ab"))(k))

# the same of any operation
attempt(lambda: jax.jit(lambda n: lax.slice(x, (n,), (3,)))(1))
attempt(lambda: jax.jit(lambda n: lax.pad(x, 0.0, [(n, 0, 0)]))(1))
attempt(lambda: jax.jit(lambda n: lax.tile(x, (n,)))(1))
attempt(lambda: jax.jit(lambda n: lax.split(x, [n, 3]))(3))
attempt(lambda: jax.jit(lambda n: lax.concatenate([x, x], n))(0))
attempt(lambda: jax.jit(lambda n: lax.rev(x, (n,)))(0))
attempt(lambda: jax.jit(lambda n: lax.integer_pow(x, n))(2))
attempt(lambda: jax.jit(lambda n: lax.argmax(x, n, jnp.int32))(0))
# and an array is no dtype
attempt(lambda: jax.jit(lambda n: lax.convert_element_type(x, n))(3))
attempt(lambda: jax.random.bits(k, 3, jnp.uint32(3)))
attempt(lambda: jnp.zeros(3, dtype=x))
