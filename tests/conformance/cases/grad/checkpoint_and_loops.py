import jax, jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name

P = jax.checkpoint_policies
W, xs = jnp.eye(3) * 0.5, jnp.arange(6.0).reshape(2, 3)

def network(W, xs):
    def step(c, x):
        c = jnp.tanh(W @ c + x)
        return c, checkpoint_name(jnp.sin(c), "y")
    c, ys = lax.scan(step, jnp.ones(3), xs)
    return (c**2).sum() + ys.sum()

for policy in (None, P.dots_saveable, P.save_only_these_names("y")):
    g = jax.grad(jax.checkpoint(network, policy=policy))
    print(jax.make_jaxpr(g)(W, xs))
    print(g(W, xs))

def step_by_step(W, xs):
    @jax.checkpoint
    def step(c, x):
        c = jnp.tanh(W @ c + x)
        return c, jnp.sin(c)
    c, ys = lax.scan(step, jnp.ones(3), xs)
    return (c**2).sum() + ys.sum()

print(jax.make_jaxpr(jax.grad(step_by_step))(W, xs))
print(jax.grad(step_by_step)(W, xs), jax.jit(jax.grad(step_by_step))(W, xs))
