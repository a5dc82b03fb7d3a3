import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
both = (0, 1)
show("pad", lambda x: lax.pad(x, 1.0, [(1, 2, 1), (-1, 0, 0)]), x)
show("pad, by both", lambda x, v: lax.pad(x, v, [(1, 2, 1), (0, 0, 0)]), x, 2.0, argnums=both)
show("concatenate", lambda x, y: lax.concatenate([x, y, x], 1), x, x, argnums=both)
show("concatenate, by one", lambda y: lax.concatenate([x, y, x], 1), x)
show("stack", lambda x, y: lax.stack([x, y], 1), x, x, argnums=both)
show("unstack", lambda x: lax.unstack(x, 1)[1], x)
show("split", lambda x: lax.split(x, (1, 2), 1)[1], x)
show("tile", lambda x: lax.tile(x, (2, 3)), x)
show("rev", lambda x: lax.rev(x, (0, 1)), x)
show("reshape", lambda x: lax.reshape(x, (6,), (1, 0)), x)
show("expand_dims", lambda x: lax.expand_dims(x, (0, 2)), x)
show("broadcast", lambda x: lax.broadcast_in_dim(x[:1], (2, 4, 3), (0, 2)), x)
show("select_n", lambda x: lax.select_n(jnp.array([[0, 1, 2]] * 2), x, x * 2, 3 * x), x)
show("clip", lambda x: jnp.clip(x, 2, 3), x)
show("reduce_precision", lambda x: lax.reduce_precision(x, 5, 4), x)
show("copy", lambda x: jnp.copy(x), x)
show("barrier", lambda x: lax.optimization_barrier((x, x * 2))[0], x)
