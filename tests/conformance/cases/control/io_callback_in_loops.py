import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.experimental import io_callback

log = []
F = jax.ShapeDtypeStruct((), jnp.float32)

def take(x):
    log.append(float(x))
    return np.float32(len(log))

@jax.jit
def run(xs):
    def step(c, x):
        number = io_callback(take, F, x, ordered=True)
        return c + x, number
    return lax.scan(step, 0.0, xs)

print(run(jnp.arange(4.0)), log)
io_callback(lambda: log.clear(), None)
print(lax.while_loop(lambda n: n < 3, lambda n: n + io_callback(take, F, n, ordered=True), 0.5), log)
print(jax.make_jaxpr(lambda x: io_callback(take, F, x, ordered=True))(1.0).eqns[0].params["ordered"])
print([str(e) for e in jax.make_jaxpr(run)(jnp.arange(4.0)).effects])
