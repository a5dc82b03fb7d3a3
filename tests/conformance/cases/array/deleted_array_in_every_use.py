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


import copy, pickle
x = jnp.asarray(2.5)
x.delete(); show(lambda: repr(x)); show(lambda: str(x)); show(lambda: x + 1); show(lambda: copy.copy(x)); show(lambda: copy.deepcopy(x)); show(lambda: pickle.dumps(x)); show(lambda: np.asarray(x)); show(lambda: x.is_deleted()); show(lambda: x.delete()); show(lambda: x.shape); show(lambda: x.sharding); show(lambda: x.addressable_data(0)); show(lambda: x.nbytes); show(lambda: bool(x)); show(lambda: float(x)); show(lambda: len(x)); show(lambda: x.block_until_ready()); show(lambda: x.item()); show(lambda: x.tolist()); show(lambda: jax.jit(lambda v: v)(x)); show(lambda: jnp.asarray(x)); show(lambda: jax.device_get(x)); show(lambda: x.copy_to_host_async()); show(lambda: jnp.zeros_like(x)); show(lambda: x.astype(int)); show(lambda: x.reshape(1)); show(lambda: x.at[...].set(1)); show(lambda: x == 1); show(lambda: x.on_device_size_in_bytes()); show(lambda: f"{x}"); show(lambda: [x].index(x)); show(lambda: jax.make_jaxpr(lambda v: v)(x)); show(lambda: jax.block_until_ready(x)); show(lambda: jax.eval_shape(lambda v: v, x))
