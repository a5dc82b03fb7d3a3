import jax
import jax.numpy as jnp
import numpy as np

mj = jax.make_jaxpr
print(mj(lambda: ())())
print(mj(lambda: 1)())
print(mj(lambda x: None)(1))
print(mj(lambda x: [])(1))
print(mj(lambda: (1, 2.0, True, 1j, np.int8(3), np.float32(1.5), jnp.bfloat16(2)))())
for v in [float("inf"), float("-inf"), float("nan"), 1 + 2j, complex("nan"), True, np.int8(3), np.uint8(200), jnp.bfloat16(1.1), np.float16(0.1), 1e30, 1e-30, -0.0, 123456789, np.float64(0.1), np.bool_(True)]:
    print(mj(lambda x: x + v if not isinstance(v, (bool, np.bool_)) else x & v)(1.0 if not isinstance(v, (bool, np.bool_)) else True))
