import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
i = jnp.array([0, 1])
both = (0, 1)
show("slice", lambda x: lax.slice(x, (0, 1), (2, 3)), x)
show("slice with strides", lambda x: lax.slice(x, (0, 0), (2, 3), (1, 2)), x)
show("x[1]", lambda x: x[1], x)
show("x[:, ::2]", lambda x: x[:, ::2], x)
show("x[::-1, -1]", lambda x: x[::-1, -1], x)
show("x[i]", lambda x: x[jnp.array([0, 1, 1])], x)
show("x[i] twice", lambda x: x[i] * x[i][:, i].sum(), x)
show("take", lambda x: jnp.take(x, jnp.array([0, 5]), axis=1), x)
show("take_along_axis", lambda x: jnp.take_along_axis(x, jnp.array([[0], [1]]), axis=1), x)
show("dynamic_slice", lambda x: lax.dynamic_slice(x, (0, 1), (2, 1)), x)
show("dynamic_update_slice", lambda x, u: lax.dynamic_update_slice(x, u, (0, 1)), x, x[:, :1], argnums=both)
show("dynamic_update_slice, by u", lambda u: lax.dynamic_update_slice(x, u, (0, 1)), x[:, :1])
show("dynamic_update_slice, by x", lambda x: lax.dynamic_update_slice(x, jnp.ones((2, 1)), (0, 1)), x)
show("x[argmax]", lambda x: x[0, jnp.argmax(x[1])], x)
