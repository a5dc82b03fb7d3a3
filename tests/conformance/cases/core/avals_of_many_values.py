import jax, jax.numpy as jnp
import numpy as np

for v in [True, 3, 2.5, 1j, np.float64(1), np.int8(2), np.bool_(True), np.zeros((2, 0), np.uint64), jnp.ones(2, jnp.bfloat16), jnp.asarray(1), jnp.float16(1)]:
    print(jax.typeof(v), repr(jax.typeof(v)))
for bad in ["x", None, object, [1]]:
    try:
        jax.typeof(bad)
    except TypeError as e:
        print(type(e).__name__)
with jax.enable_x64(True):
    print(jax.typeof(3), jax.typeof(2.5), jax.typeof(np.float64(1)))
