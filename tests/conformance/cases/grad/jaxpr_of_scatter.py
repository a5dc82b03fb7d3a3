import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
i = jnp.array([0, 1])


def at(x, name, unique):
    return lambda x, u: getattr(x.at[i], name)(u, unique_indices=unique)


for name, unique in [("set", False), ("set", True), ("add", False), ("subtract", False), ("multiply", True), ("min", False), ("max", True)]:
    show(f"{name} {unique}", at(x, name, unique), x, x[::-1], argnums=(0, 1))
show("set one", lambda x: x.at[1, 2].set(3.0), x)
show("set by u", lambda u: x.at[1].set(u), x[0])
show("add and read", lambda x: x.at[i].add(2.0)[i], x)
show("add twice", lambda x: x.at[i].add(2.0).at[i].add(x), x)
show("set what was read", lambda x: x.at[i, i].set(x[i, i] * 2), x)
show("twice", lambda x: jax.grad(lambda x: (x.at[i].add(2.0)[i] ** 2).sum())(x), x)
