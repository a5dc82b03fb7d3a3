import warnings

import jax
import jax.numpy as jnp
import numpy as np


def told(f):
    """Print the first line of each warning of a call."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        f()
    print([str(w.message).split("\n")[0] for w in seen])


def show(f, *args, calls=1, **options):
    """Print which arguments are deleted, and what is warned of, when all of them are donated."""
    jitted = jax.jit(f, donate_argnums=tuple(range(len(args))), **options)
    told(lambda: [jitted(*args) for _ in range(calls)])
    print([x.is_deleted() if isinstance(x, jax.Array) else "-" for x in args])


def ones(*shape, dtype=jnp.float32):
    return jnp.ones(shape, dtype)


# a result of another shape or dtype, with as many bytes
show(lambda x: x.T * 2, ones(2, 3))
show(lambda x: x.reshape(-1) + 1, ones(2, 3))
show(lambda x: x.astype(jnp.int32), ones(3))
show(lambda x: x > 0, ones(4, dtype=jnp.int8))
show(lambda x: x.sum(), ones(1))
# with as many elements, but other bytes: no warning, and nothing is deleted
show(lambda x: x.astype(jnp.float16), ones(3))
show(lambda x: (x.astype(jnp.float16), x.reshape(3, 2)), ones(2, 3))
# who gets which
show(lambda x, y: x.reshape(6) + y.reshape(6), ones(2, 3), ones(3, 2))
show(lambda x, y: (x.reshape(6), y), ones(2, 3), ones(2, 3))
show(lambda x, y: (x.astype(jnp.float16), y.reshape(3, 2)), ones(2, 3), ones(2, 3))
show(lambda x, y: x + y, np.ones(3, np.float32), ones(3))
show(lambda x, y: x + y, ones(3), 2.0)
show(lambda x, y: x.reshape(2, 3), ones(6), ones(6), keep_unused=True)
show(lambda x, y: x.reshape(2, 3), ones(6), ones(6))
# a warning once for each program, when it is lowered
show(lambda x: x.sum(), ones(3), calls=3)
total = jax.jit(lambda x: x.sum(), donate_argnums=0)
told(lambda: total.lower(jnp.ones(3)))
told(lambda: total(jnp.ones(3)))
told(lambda: total(jnp.ones(4)))
told(lambda: jax.make_jaxpr(total)(jnp.ones(5)))
