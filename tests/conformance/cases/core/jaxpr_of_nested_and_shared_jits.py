import jax
import jax.numpy as jnp
import numpy as np

mj = jax.make_jaxpr
@jax.jit
def big(x):
    for i in range(12): x = jnp.sin(x)
    return x
@jax.jit
def small(x): return x + 1
print(mj(lambda x: big(x))(1.0))
print(mj(lambda x: small(x) + small(x))(1.0))
print(mj(lambda x: small(x) + small(x.astype(int)))(1.0))
@jax.jit
def wraps(x): return big(x) * small(small(x))
print(mj(lambda x: wraps(wraps(x)))(1.0))
@jax.jit
def multi(x, y): return x, y, x + y, 3
print(mj(lambda x: multi(x, x))(1.0))
print(mj(lambda x: multi(x, 2.0)[2])(1.0))
print(mj(lambda x: multi(x, jnp.arange(3))[:2])(1.0))
@jax.jit
def ident(x): return x
print(mj(lambda x: ident(x))(1.0))
print(mj(lambda x: (ident(x), x))(1.0))
@jax.jit
def noargs(): return jnp.zeros(3)
print(mj(lambda: noargs())())
@jax.jit
def noout(x): return None
print(mj(lambda x: noout(x))(1.))
c = jnp.arange(4.)
@jax.jit
def withc(x): return x * c
print(mj(lambda x: withc(x) + withc(x))(1.))
print(mj(withc)(1.))
print(withc.trace(1.0).jaxpr)
print(mj(jax.jit(lambda x: x * 2, inline=True))(1.0))
print(mj(lambda x: jax.jit(lambda x: x * 2, keep_unused=True, donate_argnums=0)(x))(1.0))
print(mj(jax.jit(lambda x, y: x))(1.0, 2.0))
def a(x):
    def b(y):
        return jax.jit(lambda z: z * x + y)(y)
    return jax.jit(b)(x)
print(mj(a)(2.0))
print(mj(jax.named_call(lambda x: x + 1, name="hi"))(1.0))
print(mj(lambda x: (x, x, x))(1.))
print(mj(lambda x: (jnp.sin(x), 3)[1])(1.))
