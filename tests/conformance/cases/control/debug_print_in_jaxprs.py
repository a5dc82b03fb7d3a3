import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

def fun(x):
    jax.debug.print("hi {} {y} {s}", x, y=x + 1, s="str")
    jax.debug.print(ordered=True)("ho {}", x)
    return x

def shown(jaxpr):
    print("\n".join(line for line in str(jaxpr).splitlines() if "np_printoptions" not in line))

shown(jax.make_jaxpr(fun)(1.0))
shown(jax.make_jaxpr(lambda xs: lax.scan(lambda c, x: (c, fun(x)), 0, xs))(jnp.ones(2)))
print(sorted(jax.make_jaxpr(fun)(1.0).eqns[-1].params))
for eqn in jax.make_jaxpr(fun)(1.0).eqns:
    print(eqn.primitive, [str(e) for e in eqn.effects])
print(jax.make_jaxpr(lambda x: lax.cond(x > 0, fun, lambda x: x, x))(1.0).pretty_print(print_shapes=False).splitlines()[0])
