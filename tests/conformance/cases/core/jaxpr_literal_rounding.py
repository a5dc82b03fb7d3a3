import jax
import jax.numpy as jnp
import numpy as np

for v in [1e-3, 1e-7, 1e-8, 0.1, 3.3, 123456789.0, 123456789, 16777217, 1e10, 1e22, 1/3, 2.5e-5, 7e-5, 1e-4, 1.1e-10, 1e38, 1e39, 1e-46, 3.14159265358979, np.float32(0.1), np.float64(0.1), np.float64(1e-7), np.float32(1e-7), np.int64(7), np.array(0.1)]:
    print(repr(v), jax.make_jaxpr(lambda x: x - v)(1.0), jax.make_jaxpr(lambda x: jax.lax.sub(x, v))(1.0) if not isinstance(v, (int, np.integer)) and np.result_type(v) == np.float32 or type(v) is float else "", jax.make_jaxpr(lambda: v)())
for v in [1e-3, 1e-7, 0.1, 3]:
  for dt in ["float16", "bfloat16", "float32", "complex64", "int8"]:
    print(v, dt, jax.make_jaxpr(lambda x: x * v)(jnp.ones(2, dt)))
    print(v, dt, jax.make_jaxpr(lambda x: jnp.where(x > v, x, v))(jnp.ones(2, dt)))
    print(v, dt, jax.make_jaxpr(lambda x: jnp.full_like(x, v))(jnp.ones(2, dt)))
    print(v, dt, jax.make_jaxpr(lambda x: jnp.asarray(v, dt))(jnp.ones(2, dt)))
