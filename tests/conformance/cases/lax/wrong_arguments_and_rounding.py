import warnings

import jax
import jax.numpy as jnp
import numpy as np


def show(f):
    """Print what f returns, its warnings, or its error's class and the first line of its message."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            print(f())
        except Exception as e:
            print(type(e).__name__, "|", str(e).split("\n")[0])
    for warning in caught:
        print(warning.category.__name__, "|", warning.message)


lax = jax.lax
x, v = jnp.arange(6.0).reshape(2, 3), jnp.array([3.0, 1.0, 2.0])
show(lambda: lax.round(v, rounding_method=5))
show(lambda: (lax.round(v, 1), repr(lax.RoundingMethod.AWAY_FROM_ZERO), lax.RoundingMethod(1).name))
show(lambda: jax.make_jaxpr(lambda a: lax.round(a, lax.RoundingMethod.TO_NEAREST_EVEN))(v))
show(lambda: lax.convert_element_type(v, None))
show(lambda: lax.convert_element_type([1], jnp.int8))
show(lambda: lax.bitcast_convert_type(v > 1, jnp.int8))
show(lambda: lax.bitcast_convert_type(v > 1, jnp.int16))
show(lambda: lax.bitcast_convert_type(v + 1j, jnp.float32))
show(lambda: lax.bitcast_convert_type(v > 1, bool))
show(lambda: ((v > 1).view(jnp.int8), (v + 1j).view(jnp.float32)))
show(lambda: lax.reduce_precision(v, 0, 2))
show(lambda: lax.reduce_precision(v, 5, -1))
show(lambda: lax.slice(x, (0,), (2,)))
show(lambda: lax.dynamic_slice(x, (0, 0), (1,)))
show(lambda: lax.dynamic_slice(x, (0, 0), (1, 1, 1)))
show(lambda: lax.iota(jnp.int32, -1))
show(lambda: lax.broadcasted_iota(jnp.int32, (2,), 1))
show(lambda: lax.reduce(x, v, lax.add, (0,)))
show(lambda: lax.conv_general_dilated(jnp.ones((1, 1, 4)), jnp.ones((1, 1, 2)), (1, 1), "SAME"))
show(lambda: lax.sin(jax.ShapeDtypeStruct((3,), "float32")))
show(lambda: lax.add(v, jax.ShapeDtypeStruct((3,), "float32")))
