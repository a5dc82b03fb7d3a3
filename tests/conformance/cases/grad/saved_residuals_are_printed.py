import contextlib, io, re
import jax, jax.numpy as jnp
from jax.ad_checkpoint import print_saved_residuals

def f(W, x, *, scale):
    y = jnp.sin(W @ x) * scale
    return (jax.nn.sigmoid(y) * jnp.exp(y)).sum()

def shown(f, *args, **kwargs):
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        print_saved_residuals(f, *args, **kwargs)
    print(re.sub(r" from \S*\.py", " from it", told.getvalue()))

shown(f, jnp.ones((3, 3)), jnp.ones(3), scale=2.0)
shown(lambda x: x * 3.0, 1.0)
shown(lambda x: jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)))(x), 1.0)

# what no line of the function has made comes from nowhere
shown(jnp.sin, 1.0)
shown(jax.nn.relu, 1.0)
shown(jax.jit(f), jnp.ones((3, 3)), jnp.ones(3), scale=2.0)
shown(jax.jit(lambda x: jnp.cos(jax.jit(jnp.sin)(x))), 1.0)
shown(lambda x: jax.jit(jnp.sin)(x), 1.0)
