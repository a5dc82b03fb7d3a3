import jax
import jax.numpy as jnp
import numpy as np

count = 0
@jax.jit
def f(x, y=2.0):
    global count
    count += 1
    return x * y
print(f(1.0), f(2.0), f(3, 4), f(3, y=4), f(x=3, y=4), f(jnp.float32(3)), count)
print(f._cache_size())
f.clear_cache()
print(f._cache_size())
f(1.0); print(count)
jax.clear_caches()
f(1.0); print(count)
