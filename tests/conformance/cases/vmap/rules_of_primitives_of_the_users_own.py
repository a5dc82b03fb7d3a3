"""A batching rule of the user's is given tuples; what computes is given NumPy arrays of 32 bits."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import batching

multiply_add_p = Primitive("multiply_add")
multiply_add_p.def_abstract_eval(lambda x, y, z: jax.core.ShapedArray(x.shape, x.dtype))


@multiply_add_p.def_impl
def multiply_add_impl(x, y, z):
    print("computed:", *(a.dtype for a in (x, y, z)))
    return np.add(np.multiply(x, y), z)


def square_add(a, b):
    return multiply_add_p.bind(a, a, b)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e))


a, b = np.array([2.0, 3.0]), np.array([10.0, 20.0])
attempt(lambda: jax.vmap(square_add)(a, b))


def multiply_add_batching(args, dims):
    print("batched:", type(args).__name__, dims, dims == (0, 0, 0))
    assert dims == (0, 0, 0)
    return multiply_add_p.bind(*args), 0


batching.primitive_batchers[multiply_add_p] = multiply_add_batching
attempt(lambda: jax.vmap(square_add)(a, b))
attempt(lambda: jax.vmap(square_add)(jnp.asarray(a), np.arange(2)))
attempt(lambda: jax.vmap(square_add, in_axes=(0, None))(a, b))
attempt(lambda: square_add(a, b))
attempt(lambda: jax.make_jaxpr(jax.vmap(square_add))(a, b))
