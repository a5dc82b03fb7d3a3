import jax.numpy as jnp
import numpy as np

print(jnp.isdtype(jnp.bfloat16, "real floating"), jnp.isdtype(jnp.int8, ("bool", "integral")), jnp.isdtype("uint8", "signed integer"), jnp.isdtype(jnp.float32, np.float32))
print(jnp.issubdtype(jnp.float32, float), jnp.can_cast("int8", "int16"), jnp.promote_types("int8", "uint16"), jnp.result_type(3, jnp.float16), jnp.result_type("int32", 2.0))
print(jnp.finfo(jnp.bfloat16).eps, jnp.iinfo("uint8").max, jnp.dtype(jnp.int16), jnp.float32 == "float32", jnp.int32 in (jnp.dtype("int32"),))
print(jnp.zeros(1, "bfloat16").dtype, jnp.zeros(1, jnp.bool).dtype, jnp.array([1], dtype="i2").dtype, jnp.ones(1, dtype=jnp.ones(1, "int8").dtype).dtype)
for bad in ["float31", "str", object, "S3", None]:
    try:
        print(jnp.zeros(1, bad).dtype)
    except TypeError as e:
        print(type(e).__name__)
