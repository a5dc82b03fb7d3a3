import jax, jax.numpy as jnp
from jax import lax

W, start, xs = jnp.ones((3, 3)), jnp.ones(3), jnp.ones((5, 3))

def network(W, start, xs):
    def step(c, x):
        c = jnp.tanh(W @ c + x)
        return c, c * 2
    return lax.scan(step, start, xs)

def loss(W, start, xs):
    return network(W, start, xs)[1].sum()

print(jax.make_jaxpr(lambda *args: jax.jvp(network, args, args))(W, start, xs))
print(jax.make_jaxpr(jax.grad(loss, (0, 1, 2)))(W, start, xs))
print(jax.make_jaxpr(jax.grad(jax.jit(loss)))(W, start, xs))
print(jax.make_jaxpr(lambda W: jax.linearize(lambda W: network(W, start, xs), W)[1](W))(W))
