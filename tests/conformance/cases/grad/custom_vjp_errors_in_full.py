import jax, jax.numpy as jnp

def attempt(fun, *args):
    try:
        print(fun(*args))
    except Exception as e:
        print(type(e).__name__, "|", e)

def made(fwd, bwd):
    @jax.custom_vjp
    def f(x, y):
        return {"a": x * y, "b": (x,)}
    f.defvjp(fwd or (lambda x, y: (f(x, y), (x, y))), bwd)
    return f

x, y = jnp.ones(2), jnp.ones(2) * 3
backs = [
    lambda r, g: (g["a"] * r[1] + g["b"][0], g["a"] * r[0]), lambda r, g: [g["a"], None], lambda r, g: {"a": 1},
    lambda r, g: (g["a"], (g["a"],)), lambda r, g: (jnp.ones((2, 3)), g["a"]), lambda r, g: (1.0, 2.0),
    lambda r, g: (jnp.ones(2, jnp.int32), g["a"]), lambda r, g: (g["a"], "s"), lambda r, g: None,
]
for bwd in backs:
    f = made(None, bwd)
    loss = lambda x, y: f(x, y)["a"].sum() + f(x, y)["b"][0].sum()
    attempt(jax.grad(loss, (0, 1)), x, y)
fronts = [lambda x, y: x, lambda x, y: (x * y, ()), lambda x, y: ({"a": x * y, "b": (x * 1j,)}, ()),
          lambda x, y: ({"a": x, "b": [x]}, None)]
for fwd in fronts:
    f = made(fwd, lambda r, g: (jnp.ones(2), jnp.ones(2)))
    loss = lambda x, y: jax.tree.leaves(f(x, y))[0].real.sum()
    attempt(jax.grad(loss, (0, 1)), x, y)
    attempt(jax.grad(jax.jit(loss), (0, 1)), x, y)
attempt(made(None, None), 1.0, 2.0)
attempt(made(None, backs[0]), "s", 1.0)
