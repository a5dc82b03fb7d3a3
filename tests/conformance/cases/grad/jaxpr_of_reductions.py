import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
for name in ["reduce_sum", "reduce_prod", "reduce_max", "reduce_min"]:
    for axes in [(0,), (0, 1), (1,), ()]:
        show(f"{name} {axes}", lambda x: getattr(lax, name)(x, axes), x)
show("reduce", lambda x: lax.reduce(x, 0.0, lambda a, b: a + jnp.sin(b), (0,)), x)
show("logsumexp", lambda x: jax.nn.logsumexp(x, axis=1), x)
show("norm", lambda x: jnp.linalg.norm(x, axis=1), x)
