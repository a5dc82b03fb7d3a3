import jax
import jax.numpy as jnp
import numpy as np

const = jnp.arange(3.); nconst = np.arange(3.); scal = jnp.float32(2); 
mj = jax.make_jaxpr
print(mj(lambda x: x + const + nconst * scal)(1.0)); print(mj(lambda x: x + np.float32(3) + np.array(2.0))(1.0))
f = jax.jit(lambda x: x * const)
print(mj(f)(1.0)); print(mj(lambda x: f(x) + f(x) + const)(1.0)); print(f.trace(1.0).jaxpr.consts)
c = mj(lambda x: (x + const, x * const, const, const + 1))(1.0); print(c, len(c.consts))
big = np.ones((100, 100)); c = mj(lambda x: x @ big)(jnp.ones(100)); print(c, c.consts[0].dtype)
cfg = {"lr": 0.1}; step = jax.jit(lambda w, g: w - cfg["lr"] * g); print(step(1.0, 1.0)); cfg["lr"] = 0.5; print(step(1.0, 1.0), step(jnp.ones(2), 1.0))
state = jnp.zeros(2); g = jax.jit(lambda: state + 1); print(g()); state = jnp.ones(2); print(g())
def make(n): return lambda x: x + n
fs = [jax.jit(make(i)) for i in range(3)]; print([h(1.0) for h in fs], [h._cache_size() for h in fs])
h = [jax.jit(lambda x: x * i) for i in range(3)]; print([k(1.0) for k in h])
def outer(x):
    def mid(y):
        def inner(z): return x + y + z
        return jax.jit(inner)(y * 2)
    return jax.jit(mid)(x * 3)
print(outer(1.0), jax.jit(outer)(1.0)); print(mj(outer)(1.0)); print(mj(jax.jit(outer))(1.0))
def unused(x):
    @jax.jit
    def inner(y): x * 2; return y
    return inner(3.0)
print(mj(unused)(1.0))
def two(x, w):
    @jax.jit
    def inner(y): return y @ w, x
    return inner(w)
print(mj(two)(1.0, jnp.ones((2, 2))))
def nested_const(x):
    k = jnp.arange(3)
    @jax.jit
    def inner(y): return y + k
    return inner(x) + inner(x + 1)
print(mj(nested_const)(1)); print(jax.jit(nested_const)(1))
print(mj(lambda x: [jax.jit(lambda y: y + i)(x) for i in range(3)])(1.0))
def loop(x):
    for i in range(3): x = jnp.where(x > i, x - i, x)
    return x
print(mj(loop)(1.0))
