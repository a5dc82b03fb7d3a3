import warnings

import jax
import jax.numpy as jnp
import jax.scipy.special
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


show(lambda: jnp.eye(-1))
show(lambda: jnp.eye(2, -1))
show(lambda: jnp.eye(2.5))
show(lambda: jnp.eye(2, 2.5))
show(lambda: jnp.eye(2, k=1.5))
show(lambda: jnp.identity("a"))
show(lambda: jax.make_jaxpr(lambda n: jnp.eye(n))(3))
show(lambda: jax.make_jaxpr(lambda k: jnp.eye(2, k=k))(1.0))
show(lambda: jnp.tri(-1))
show(lambda: jnp.tri(2, k=1.5))
show(lambda: (jnp.full((2,), 2**40), jnp.full((), 2**31), jnp.full((2,), 5 - 2**40)))
show(lambda: jax.lax.full((2,), 2**40 + 7))
show(lambda: jnp.full((2,), 2**70))
show(lambda: jax.make_jaxpr(lambda: jnp.full((2,), 2**40 + 3))())
show(lambda: jnp.array([1, 2], order="F"))
show(lambda: jnp.asarray(jnp.ones(2), order="C"))
show(lambda: jnp.asarray([jnp.ones(2), jnp.zeros(3)]))
show(lambda: jnp.asarray([jnp.ones(2), 1]))
show(lambda: jnp.from_dlpack([1]))
show(lambda: jnp.diag(jnp.full((2,), 3)).weak_type)
show(lambda: (jnp.promote_types(int, float), jnp.promote_types("int64", "int32"), jnp.promote_types(float, "float16"), jnp.promote_types("uint64", "int64")))
show(lambda: jnp.isdtype(jnp.int8, 5))
show(lambda: jnp.isdtype(jnp.int8, ("bool", 5.0)))
show(lambda: jnp.finfo(int))
show(lambda: jnp.finfo("bool"))
show(lambda: (jnp.ndim([1, 2]), jnp.shape([[1], [2]]), jnp.ndim(None)))
show(lambda: jnp.size([1, 2]))
show(lambda: jax.nn.one_hot(jnp.array([1.0]), 2))
show(lambda: jax.nn.one_hot(1, -3))
show(lambda: jax.scipy.special.ndtri(0.5).weak_type)
