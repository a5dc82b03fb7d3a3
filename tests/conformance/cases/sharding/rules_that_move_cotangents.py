import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P, reshard

jax.set_mesh(jax.make_mesh((4, 2), ("x", "y")))
x = jax.device_put(jnp.arange(32.0).reshape(8, 4), P("x"))

def attempt(f):
    try:
        print(jax.typeof(f()))
    except Exception as e:
        print(type(e).__name__, "|", e)

def backwards(bwd):
    f = jax.custom_vjp(jnp.sin)
    f.defvjp(lambda a: (f(a), None), lambda residuals, ct: (bwd(ct),))
    attempt(lambda: jax.grad(lambda a: f(a).sum())(x))

def forwards(rule):
    f = jax.custom_jvp(jnp.sin)
    f.defjvp(lambda primals, tangents: (f(primals[0]), rule(tangents[0])))
    attempt(lambda: jax.grad(lambda a: f(a).sum())(x))

for rule in (
    lambda t: reshard(t, P()),
    lambda t: reshard(t, P("y")),
    lambda t: reshard(t, P("x", None)),
    lambda t: jnp.zeros_like(t),
    lambda t: np.ones((8, 4), np.float32),
):
    backwards(rule)
for rule in (lambda t: reshard(t, P()), lambda t: reshard(t, P("x", None)) * 2):
    forwards(rule)
