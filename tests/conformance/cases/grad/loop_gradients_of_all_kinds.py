import jax, jax.numpy as jnp
from jax import lax
import numpy as np

def f(x, xs):
    step = lambda c, y: (jnp.sin(c * y), None)
    return lax.scan(step, x, xs)[0]

xs = jnp.arange(1.0, 4.0)
# unroll, length 0, ints, bool carries, no carry
print(jax.grad(lambda x: lax.scan(lambda c, y: (c * x, None), x, None, length=5, unroll=2)[0])(2.))
print(jax.grad(lambda x: lax.scan(lambda c, y: (c * x, c), x, xs[:0])[0])(2.))
print(jax.grad(lambda x: lax.scan(lambda c, y: ((c[0] + 1, ~c[1], c[2] * jnp.where(c[1], x, 2.)), c[0]), (0, True, x), None, length=5)[0][2])(2.))
print(jax.grad(lambda xs: lax.scan(lambda c, y: ((), jnp.sin(y)), (), xs)[1].sum())(xs))
print(jax.vjp(lambda x, i: lax.scan(lambda c, y: (c * x + y, y), x, i), 2., jnp.arange(3))[1]((1., np.zeros(3, jax.dtypes.float0)))[0])
# dicts in carry, nested grads inside scan
print(jax.grad(lambda p: lax.scan(lambda c, y: ({"a": c["a"] * y + p["w"], "b": c["b"]}, c["b"]), {"a": p["w"], "b": p["b"]}, xs)[1].sum() )({"w": 1., "b": 2.}))
print(jax.grad(lambda w: lax.scan(lambda w, y: (w - 0.1 * jax.grad(lambda w: jnp.sin(w * y))(w), None), w, xs)[0])(1.))
# complex
print(jax.grad(lambda z: jnp.real(lax.scan(lambda c, y: (c * z * y, None), z, xs)[0]))(1. + 2j))
# linear_transpose of a scan, linearize of jit scan
print(jax.linear_transpose(lambda x: lax.scan(lambda c, y: (c + y * 2, c), x, xs * 0)[1], 1.)(jnp.ones(3)))
lin = lambda x, y: lax.scan(lambda c, a: (c * 2. + a, c), x, y)
print(jax.linear_transpose(lin, 1., xs)((1., xs)))
print(jax.linear_transpose(lambda x: lax.cond(True, lambda x: x * 2, lambda x: x, x), 1.)(3.))
out, l = jax.linearize(jax.jit(f), 1., xs); print(out, l(1., xs))
# x64, bf16
print(jax.grad(lambda x: lax.scan(lambda c, y: (c * x, None), x, None, length=3)[0])(jnp.bfloat16(2.)))
# dynamic index in scan
print(jax.grad(lambda x: lax.fori_loop(0, 3, lambda i, c: c + x[i] ** 2, 0.))(xs))
print(jax.grad(lambda x: lax.fori_loop(0, 3, lambda i, c: c.at[i].set(c[i] * x[i]), x).sum())(xs))
print(jax.jit(jax.grad(lambda x: lax.fori_loop(0, 3, lambda i, c: c.at[i].set(c[i] * x[i]), x).sum()))(xs))
print(jax.jacrev(lambda x: lax.scan(lambda c, y: (c * y, c), x[0], x)[1])(xs))
print(jax.jacfwd(jax.jacrev(lambda x: lax.scan(lambda c, y: (c * y, c), x[0], x)[0]))(xs))
with jax.disable_jit():
    print(jax.grad(f)(1.0, xs))
