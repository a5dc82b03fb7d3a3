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


struct = jax.ShapeDtypeStruct((2,), "int8")
show(lambda: struct.update(foo=1, shape=(3,)))
show(lambda: jax.ShapeDtypeStruct)
show(lambda: jnp.sin(struct))
show(lambda: jnp.sum(struct))
show(lambda: jax.nn.relu(struct))
show(lambda: jnp.reshape(struct, (2,)))
show(lambda: jax.make_jaxpr(lambda n: n)(2**40))
show(lambda: jax.eval_shape(lambda n: n["a"], {"a": -(2**31) - 1}))
show(lambda: jax.eval_shape(lambda n: n, 2**31 - 1))
show(lambda: jax.dtypes.result_type(1, 2.0, return_weak_type_flag=True))
show(lambda: jax.dtypes.result_type(jnp.int8, jnp.ones(2), return_weak_type_flag=True))
show(lambda: [jax.dtypes.scalar_type_of(x) for x in (True, 1, 1.5, 1j, jnp.ones(2, bool), jnp.bfloat16(1))])
show(lambda: (jax.dtypes.itemsize_bits("int8"), jax.dtypes.itemsize_bits(jnp.float32)))
show(lambda: (jax.config.values["jax_enable_x64"], jax.config.x64_enabled))
show(lambda: jax.numpy_dtype_promotion("foo"))
show(lambda: jax.default_matmul_precision("foo"))
show(lambda: jax.jit(lambda a: a).lower(1).compile().foo)
show(lambda: jax.tree.unflatten(jax.tree.structure([1, 2]), 5))
with jax.default_matmul_precision("highest"):
    print(jax.config.jax_default_matmul_precision)
