import warnings

import jax, jax.numpy as jnp
from jax import lax

z = jnp.array([1j, 2 + 3j])


def tell(f):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(f())
        for warning in caught:
            print(warning.category.__name__, warning.message)


tell(lambda: lax.convert_element_type(z, "float32"))
tell(lambda: lax.convert_element_type(z, "int32"))
tell(lambda: lax.convert_element_type(z, "bool"))
tell(lambda: jax.make_jaxpr(lambda z: lax.convert_element_type(z, "float32"))(z))
tell(lambda: z.astype("float32"))
tell(lambda: z.astype("bool"))
tell(lambda: jnp.astype(z, "int32"))
tell(lambda: z.astype("complex64"))
