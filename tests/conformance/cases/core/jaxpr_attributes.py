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


mj = jax.make_jaxpr
j = mj(lambda x, y: (jnp.sin(x) * y, jax.jit(lambda z: z + 1)(y)))(1.0, jnp.ones(3))
print(type(j).__name__, j.in_avals, j.out_avals, j.consts, j.effects)
print(len(j.jaxpr.invars), len(j.jaxpr.outvars), j.jaxpr.constvars)
for e in j.eqns:
    print(e.primitive, e.primitive.name, [str(v.aval) for v in e.invars], [v.aval.str_short() for v in e.outvars], sorted(e.params), e.effects)
print(j.eqns[0]); print(str(j.eqns[-1]))
print(repr(j.eqns[0].params))
print(j.pretty_print(use_color=False))
print(j.jaxpr.pretty_print(use_color=False))
e = j.eqns[0].replace(params={"accuracy": None})
print(e.primitive)
r = j.jaxpr.replace(eqns=[])
print(len(r.eqns), len(j.jaxpr.eqns))
print(str(j) == str(j.jaxpr), repr(j) == str(j), f"{j}" == str(j))
print(j.jaxpr.debug_info.func_name if hasattr(j.jaxpr.debug_info, "func_name") else None)
print(j.jaxpr.debug_info.arg_names, j.jaxpr.debug_info.traced_for)
import jax.extend.core as jc
print(jc.jaxpr_as_fun(j)(1.0, jnp.ones(3)))
print(isinstance(j, jc.ClosedJaxpr), isinstance(j.jaxpr, jc.Jaxpr), isinstance(j.eqns[0], jc.JaxprEqn), isinstance(j.jaxpr.invars[0], jc.Var))
print(jax.core.eval_jaxpr(j.jaxpr, j.consts, 1.0, jnp.ones(3)) if hasattr(jax.core, "eval_jaxpr") else None)
lit = mj(lambda x: x + 2.0)(1.0).eqns[0].invars[1]
print(type(lit).__name__, lit.val, lit.aval, isinstance(lit, jc.Literal), repr(lit))
show(lambda: hash(lit))
c = jnp.arange(3)
k = mj(lambda x: x + c)(1)
print(k.consts, k.jaxpr.constvars[0].aval, k.literals if hasattr(k, "literals") else None)
print(j.eqns[-1].params["jaxpr"]); print(j.eqns[-1].params["name"])
