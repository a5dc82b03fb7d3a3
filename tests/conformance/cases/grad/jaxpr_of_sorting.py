import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
show("sort", lambda x: lax.sort(x, dimension=1), x)
show("sort pairs", lambda x, y: lax.sort((x, y), dimension=1)[1], x, x, argnums=(0, 1))
show("sort by integers", lambda x: lax.sort((jnp.array([3, 1, 2]), x), dimension=0)[1], x[0])
show("top_k", lambda x: lax.top_k(x, 2)[0], x)
show("top_k of columns", lambda x: lax.top_k(x, 2, axis=0)[0], x)
show("approx_max_k", lambda x: lax.approx_max_k(x, 2)[0], x)
