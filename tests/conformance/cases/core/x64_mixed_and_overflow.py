import re

import jax
import jax.numpy as jnp
import numpy as np


def show(f, n=200):
    """Print what f returns, or its error's class and the first line of its message."""
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", re.sub(r" at 0x[0-9a-f]+", "", str(e))[:n].split("\n")[0])


print(jax.config.jax_enable_x64, jnp.arange(3).dtype, jnp.ones(2).dtype)
with jax.enable_x64(True):
    print(jax.config.jax_enable_x64, jnp.arange(3).dtype, jnp.ones(2).dtype, jnp.array(1).dtype, jnp.array([1.5]).dtype)
    y = jnp.arange(3.)
    print(jax.make_jaxpr(lambda x: x * 2)(1.0))
    print(jnp.int64(2**40), jnp.asarray(2**40))
    big = jnp.arange(3) + 2**40
    print(big.dtype, big)
    with jax.enable_x64(False):
        print(jnp.ones(2).dtype)
print(y.dtype, (y + 1).dtype, jnp.sin(y).dtype, y * jnp.ones(3))
print(jnp.asarray(y).dtype, jax.jit(lambda x: x + 1)(y).dtype)
print(jax.make_jaxpr(lambda x: x * 2)(y))
show(lambda: jnp.asarray(2**40), 300)
show(lambda: jnp.array([2**40]), 300)
show(lambda: jnp.arange(3) + 2**40, 300)
show(lambda: jnp.int32(2**40), 300)
show(lambda: jnp.uint32(2**33), 300)
show(lambda: jnp.array(np.int64(2**40)), 300)
show(lambda: jax.jit(lambda x: x)(2**40), 300)
show(lambda: jnp.array(-2**31), 300)
show(lambda: jnp.array(2**31), 300)
show(lambda: jnp.array(2**63), 300)
show(lambda: jnp.array([2**63, 1]), 300)
show(lambda: jnp.add(2**31, 1), 300)
show(lambda: jnp.array(2**31, dtype=jnp.uint32), 300)
show(lambda: jnp.array(300, dtype=jnp.int8), 300)
show(lambda: jnp.array([300], dtype=jnp.int8), 300)
show(lambda: jnp.full((2,), 300, jnp.int8), 300)
show(lambda: jnp.arange(3, dtype=jnp.uint8) + 300, 300)
show(lambda: jnp.uint8(3) * -1, 300)
show(lambda: jnp.float32(1e60), 300)
show(lambda: jnp.float16(1e10), 300)
f = jax.jit(lambda x: x * 1.5)
print(f(2).dtype)
with jax.enable_x64(True): print(f(2).dtype, f._cache_size())
print(f(2).dtype, f._cache_size())
