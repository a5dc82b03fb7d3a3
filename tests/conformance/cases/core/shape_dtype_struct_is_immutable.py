import re

import jax
import jax.numpy as jnp
import numpy as np


def show(f, n=200):
    """Print what f returns, or its error's class and the first line of its message."""
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", re.sub(r" at 0x[0-9a-f]+", "", str(e))[:n].split("\n")[0])


S = jax.ShapeDtypeStruct
s = S((2, 3), jnp.float32)
print(s, repr(s), s.shape, s.dtype, s.ndim, s.size, len(s), s == S((2, 3), "float32"), hash(s) == hash(S((2, 3), "float32")))
show(lambda: S((2,), None)); show(lambda: S(3, "float32")); show(lambda: S((2.5,), "float32")); show(lambda: S("ab", "float32")); show(lambda: S((2,), "nope"))
show(lambda: len(S((), jnp.int32)))
print(S([2, 3], np.float64), S((), bool), S((2,), int), S((2,), jnp.bfloat16))
print(s.update(shape=(4,)), s.update(dtype=jnp.int8), s.update(weak_type=True))
print(S((1,), "int32", weak_type=True), S((1,), "int32") == S((1,), "int32", weak_type=True))
print(s.sharding, s.weak_type)
print(jax.typeof(1), jax.typeof(1.0), jax.typeof(True), jax.typeof(1j), jax.typeof(np.ones(3)), jax.typeof(jnp.ones((2, 3), jnp.int8)), jax.typeof(np.float64(3)))
a = jax.typeof(jnp.ones((2, 3)))
print(repr(a), a.shape, a.dtype, a.ndim, a.size, a.weak_type, a.str_short(), a.str_short(short_dtypes=True), a == jax.typeof(np.ones((2, 3), np.float32)))
print(a.update(shape=(4,)), a.strip_weak_type())
print(jax.eval_shape(lambda x: {"a": x, "b": (x.sum(), 1)}, s))
print(jax.eval_shape(jnp.dot, S((2, 3), "float32"), S((3, 4), "float32")))
show(lambda: jax.eval_shape(jnp.dot, S((2, 3), "float32"), S((2, 4), "float32")), 300)
show(lambda: jax.eval_shape(3, s)); show(lambda: jax.eval_shape(lambda x: x, "a"), 300); show(lambda: jax.eval_shape(lambda x: "a", 1), 300)
print(jax.eval_shape(lambda x: jnp.zeros_like(x), s), jnp.zeros_like(s), jax.tree.map(lambda x: x.shape, {"a": s}))
import pickle; print(pickle.loads(pickle.dumps(s)) == s)
import copy; print(copy.deepcopy(s) == s, copy.copy(s))
print(isinstance(s, jax.Array), jax.tree.leaves(s))
def f(x: S): return x
show(lambda: setattr(s, "shape", (1,)))
class Duck:
    shape = (2,); dtype = np.dtype("float32")
show(lambda: jax.eval_shape(lambda x: x * 2, Duck()), 400)
show(lambda: jax.make_jaxpr(lambda x: x * 2)(Duck()), 400)
