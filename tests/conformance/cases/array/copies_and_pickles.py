import jax
import jax.numpy as jnp
import numpy as np

import copy, pickle
x = jnp.asarray(2.5)
y = pickle.loads(pickle.dumps(x)); print(repr(y), y.weak_type)
z = pickle.loads(pickle.dumps({"a": jnp.arange(3, dtype=jnp.int8), "b": jnp.ones((2,), jnp.bfloat16)})); print(z)
c = copy.copy(x); d = copy.deepcopy([x, x]); print(repr(c), c is x, d[0] is d[1], d[0] is x, repr(d))
d0 = jax.device_put(x, jax.devices()[0]); print(copy.copy(d0).committed, copy.deepcopy(d0).committed, pickle.loads(pickle.dumps(d0)).committed)
