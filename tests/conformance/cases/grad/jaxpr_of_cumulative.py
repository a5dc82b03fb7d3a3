import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
for name in ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]:
    for reverse in (False, True):
        show(f"{name} {reverse}", lambda x: getattr(lax, name)(x, 1, reverse=reverse), x)
