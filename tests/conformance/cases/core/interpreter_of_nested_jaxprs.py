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


import jax.extend.core as jc
from jax import core
def f(x, y):
    z = jnp.sin(x) * y
    return jax.jit(lambda a: a + z)(y), z.sum()
closed = jax.make_jaxpr(f)(1.0, jnp.ones(2))
def interp(jaxpr, consts, *args, depth=0):
    env = {}
    read = lambda v: v.val if isinstance(v, jc.Literal) else env[v]
    for v, a in zip(jaxpr.invars, args): env[v] = a
    for v, a in zip(jaxpr.constvars, consts): env[v] = a
    for eqn in jaxpr.eqns:
        vals = [read(v) for v in eqn.invars]
        print("  " * depth + eqn.primitive.name, [np.shape(v) for v in vals])
        if "jaxpr" in eqn.params:
            sub = eqn.params["jaxpr"]
            outs = interp(sub.jaxpr, sub.consts, *vals, depth=depth + 1)
        else:
            outs = eqn.primitive.bind(*vals, **eqn.params)
        if not eqn.primitive.multiple_results: outs = [outs]
        for v, o in zip(eqn.outvars, outs): env[v] = o
    return [read(v) for v in jaxpr.outvars]
print(interp(closed.jaxpr, closed.consts, 2.0, jnp.arange(2.)))
print(f(2.0, jnp.arange(2.)))
print(jax.make_jaxpr(lambda *a: interp(closed.jaxpr, closed.consts, *a))(1.0, jnp.ones(2)))
print(jax.jit(lambda *a: interp(closed.jaxpr, closed.consts, *a, depth=3))(1.0, jnp.ones(2)))
inverse = {"exp": jnp.log, "tanh": jnp.arctanh}
def inv(fun):
    def wrapped(y):
        j = jax.make_jaxpr(fun)(y); env = {j.jaxpr.outvars[0]: y}
        for eqn in j.jaxpr.eqns[::-1]:
            if eqn.primitive.name not in inverse: raise NotImplementedError(f"{eqn.primitive} has no inverse")
            env[eqn.invars[0]] = inverse[eqn.primitive.name](env[eqn.outvars[0]])
        return env[j.jaxpr.invars[0]]
    return wrapped
print(inv(lambda x: jnp.exp(jnp.tanh(x)))(1.5)); show(lambda: inv(jnp.sin)(1.0))
def count(j, c=None):
    c = {} if c is None else c
    for e in j.eqns:
        c[e.primitive.name] = c.get(e.primitive.name, 0) + 1
        for p in e.params.values():
            if isinstance(p, jc.ClosedJaxpr): count(p.jaxpr, c)
    return c
print(sorted(count(closed.jaxpr).items()))
e = closed.eqns[0]; print(e.primitive is jax.lax.sin_p, e.primitive == jax.lax.sin_p, {jax.lax.sin_p: 1}[e.primitive], jax.lax.add_p.bind(1.0, 2.0))
new = e.replace(primitive=jax.lax.cos_p); j2 = closed.jaxpr.replace(eqns=[new, *closed.eqns[1:]]); print(j2); print(core.eval_jaxpr(j2, closed.consts, 0.0, jnp.ones(2)))
v = closed.jaxpr.invars[0]; print(v.aval, isinstance(v, jc.Var), v == v, v in {v: 1}, type(v).__name__, len({*closed.jaxpr.invars, *closed.jaxpr.outvars}))
print(jax.make_jaxpr(jc.jaxpr_as_fun(closed))(1.0, jnp.ones(2)))
print(jax.core.ShapedArray((2,), jnp.float32), jax.core.get_aval(1.0) if hasattr(jax.core, "get_aval") else "")
