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


from jax.extend.core import Primitive
import jax.extend.core as jc
from jax.core import ShapedArray
p = Primitive("mul_add")
print(p, repr(p), p.name, p.multiple_results)
show(lambda: p.bind(1.0, 2.0))
show(lambda: jax.jit(lambda x: p.bind(x, 2.0))(1.0))
p.def_impl(lambda x, y: x * y + 1)
print(p.bind(2.0, 3.0))
show(lambda: jax.jit(lambda x: p.bind(x, 2.0))(1.0))
p.def_abstract_eval(lambda x, y: ShapedArray(x.shape, x.dtype))
print(jax.make_jaxpr(lambda x: p.bind(x, 2.0))(1.0))
print(jax.eval_shape(lambda x: p.bind(x, 2.0), 1.0))
q = Primitive("two"); q.multiple_results = True
q.def_impl(lambda x, *, k: [x + k, x - k])
q.def_abstract_eval(lambda x, *, k: [x, x])
print(q.bind(jnp.arange(3), k=2))
print(jax.make_jaxpr(lambda x: q.bind(x, k=2)[0])(1.0))
print(jax.make_jaxpr(lambda x: p.bind(*q.bind(x, k=(1, "a"))))(1.0))
r = Primitive("raises")
@r.def_abstract_eval
def _(x): raise ValueError("no such type")
show(lambda: jax.make_jaxpr(r.bind)(1.0))
@r.def_impl
def _(x): raise KeyError("impl")
show(lambda: r.bind(1.0))
print(jnp.sin(0.0))
show(lambda: p.bind("a", 2))
show(lambda: jax.make_jaxpr(lambda x: p.bind(x, "a"))(1.0), 400)
show(lambda: jax.make_jaxpr(lambda x: p.bind(x, [1, 2]))(1.0), 400)
show(lambda: jax.make_jaxpr(lambda x: p.bind(x))(1.0), 400)
n = Primitive("noparam")
n.def_abstract_eval(lambda x, **kw: x)
print(jax.make_jaxpr(lambda x: n.bind(x, d=jnp.dtype("float32"), s="str", t=(1, None), di={"a": 1}, np_=np.int32(3), fl=0.5))(1.0))
print(p == Primitive("mul_add"), len({p, q}))
