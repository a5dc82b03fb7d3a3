import jax, jax.numpy as jnp

@jax.custom_jvp
def f(x, y):
    print("f", repr(x), repr(y))
    return x * y

f.defjvp(lambda primals, tangents: (f(*primals), tangents[0] * primals[1]))

@jax.custom_vjp
def g(x, y):
    return x * y

def g_fwd(x, y):
    print("fwd", repr(x), repr(y))
    return x * y, (x, y)

g.defvjp(g_fwd, lambda residuals, ct: (ct * residuals[1], ct * residuals[0]))
print(jax.vmap(f, (0, None))(jnp.ones(2), 2.0))
print(jax.vmap(jax.grad(g), (0, None))(jnp.ones(2), 2.0))

@jax.custom_batching.custom_vmap
def h(x, y):
    return x * y

@h.def_vmap
def h_rule(axis_size, in_batched, x, y):
    print("on a batch", repr(x), repr(y), y.dtype)
    return x * y, True

print(jax.vmap(h, (0, None))(jnp.ones(2), 3.0))
