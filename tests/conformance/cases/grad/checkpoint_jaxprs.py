import jax, jax.numpy as jnp

def f(W, x):
    y = jnp.sin(W @ x)
    return (jnp.sin(jnp.cos(y)) * x * y).sum()

W, x = jnp.ones((3, 3)), jnp.arange(3.0)
print(jax.make_jaxpr(jax.checkpoint(f))(W, x))
print(jax.make_jaxpr(lambda *args: jax.jvp(jax.checkpoint(f), args, args))(W, x))
print(jax.make_jaxpr(jax.grad(jax.checkpoint(jax.checkpoint(f))))(W, x))
print(jax.make_jaxpr(jax.grad(lambda *args: jax.jit(jax.checkpoint(f))(*args)))(W, x))
print(jax.make_jaxpr(jax.grad(jax.checkpoint(lambda *args: jax.jit(f)(*args))))(W, x))
print(jax.make_jaxpr(jax.grad(jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x))))))(1.0))
print(jax.make_jaxpr(jax.grad(jax.checkpoint(f, prevent_cse=(True, False))))(W, x))
