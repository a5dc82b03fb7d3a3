import jax, jax.numpy as jnp

def attempt(fun, *args):
    try:
        print(fun(*args))
    except Exception as e:
        print(type(e).__name__, "|", str(e).split(" at /")[0])

def f(x, flag):
    return jnp.sin(x) if flag else jnp.cos(x)

attempt(jax.grad(jax.checkpoint(f, static_argnums=(1,))), 1.0, True)
attempt(jax.grad(jax.checkpoint(f, static_argnums=1)), 1.0, False)
attempt(jax.grad(jax.checkpoint(f, static_argnums=-1)), 1.0, False)
attempt(jax.checkpoint(f, static_argnums=[1]), 1.0, True)
attempt(jax.checkpoint(f, static_argnums=5), 1.0, True)
attempt(lambda: jax.checkpoint(f, prevent_cse=1))
attempt(jax.grad(jax.remat(lambda t: (t["a"] * jnp.sin(t["b"])))), {"a": 1.0, "b": 2.0})
print(jax.checkpoint(f).__name__)
both = jax.checkpoint_policies.save_from_both_policies(lambda *a, **k: 1, lambda *a, **k: True)
attempt(jax.grad(jax.checkpoint(jnp.sin, policy=both)), 1.0)
