import jax, jax.numpy as jnp
from jax import lax
from jax.test_util import check_grads, check_jvp, check_vjp
from functools import partial

f = lambda x: jnp.sin(x) * x["a"] if isinstance(x, dict) else jnp.sin(x) * x
check_grads(f, (jnp.arange(3.0),), order=2)
check_grads(lambda x, y: lax.scan(lambda c, z: (jnp.sin(c * z), c), x, y), (jnp.array(0.5), jnp.arange(3.0) / 3), order=2, modes=["fwd", "rev"], atol=1e-2, rtol=1e-2)
check_jvp(f, partial(jax.jvp, f), (jnp.array(0.3),))
check_vjp(f, partial(jax.vjp, f), (jnp.array(0.3),))

@jax.custom_vjp
def wrong(x):
    return x * x

wrong.defvjp(lambda x: (wrong(x), x), lambda x, g: (3 * g * x,))
try:
    check_grads(wrong, (jnp.array(2.0),), order=1, modes=["rev"])
except AssertionError as e:
    print(str(e).strip().splitlines()[:2])
check_grads(lambda x: wrong(x) - wrong(x), (jnp.array(2.0),), order=1, modes=["rev"])
