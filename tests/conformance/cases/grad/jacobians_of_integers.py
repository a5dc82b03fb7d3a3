# The Jacobian of a result without derivatives is made of zeros.
import jax, jax.numpy as jnp, numpy as np

x = jnp.array([1.0, 2.0, 1.5])
print(jax.jacfwd(jnp.argsort)(x))
print(jax.jit(jax.jacfwd(lambda x: x.astype(int)))(x))
print(jax.jacfwd(lambda x: jax.lax.top_k(x, 2))(x))
print(jax.jit(jax.jacfwd(lambda x: jnp.arange(3)))(x))
nothing = np.zeros(3, jax.dtypes.float0)
for dtype in "int32", "uint8", "float32", "bfloat16", "complex64":
    convert = lambda z: jax.lax.convert_element_type(z, dtype)
    print(convert(nothing), jax.jit(convert)(nothing), jax.vmap(convert)(nothing))
