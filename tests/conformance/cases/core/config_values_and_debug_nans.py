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


show(lambda: jax.config.update("jax_nope", 1))
show(lambda: jax.config.update("jax_numpy_rank_promotion", "bad"), 300)
show(lambda: jax.config.update("jax_numpy_rank_promotion", 3), 300)
show(lambda: jax.config.nope)
show(lambda: jax.config.jax_numpy_rank_promotion)
show(lambda: jax.config.read("jax_enable_x64"))
show(lambda: jax.config.read("nope"))
show(lambda: jax.config.update("jax_default_device", "nope"), 300)
show(lambda: jax.config.update("jax_debug_nans", True))
show(lambda: jnp.zeros(2) / 0, 300)
show(lambda: jax.jit(lambda x: jnp.log(x))(-1.0), 300)
show(lambda: jnp.log(-1.0), 300)
jax.config.update("jax_debug_nans", False)
print(jnp.log(-1.0))
with jax.debug_nans(True): show(lambda: jnp.sqrt(-1.0), 300)
with jax.debug_infs(True): show(lambda: jnp.ones(1) / 0, 300)
