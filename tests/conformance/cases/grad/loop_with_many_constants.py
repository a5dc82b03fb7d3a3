import jax, jax.numpy as jnp
from jax import lax

W, U, b = jnp.eye(3) * 0.5 + 0.1, jnp.ones((3, 3)) * 0.2, jnp.ones(3) * 0.1
xs, start = jnp.linspace(-1, 1, 15).reshape(5, 3), jnp.ones(3)

def cell(W, U, b, c, x):
    h = jnp.tanh(W @ c + U @ x + b)
    z = jax.nn.sigmoid(U @ c + jnp.sin(b))
    return c * z + h * (1 - z)

def loss(W, U, b, start, xs):
    def step(c, x):
        c = cell(W, U, b, c, x)
        return c, (c * 2, x)
    c, (ys, same) = lax.scan(step, start, xs, reverse=True)
    return (c**2).sum() + (ys * same).sum()

args = W, U, b, start, xs
for g in jax.grad(loss, (0, 1, 2, 3, 4))(*args) + jax.jit(jax.grad(loss, (0, 1, 2, 3, 4)))(*args):
    print(g)
print(jax.make_jaxpr(jax.grad(loss, (0, 1, 2, 3)))(*args))
print(jax.jvp(loss, args, args))
print(jax.hessian(lambda c: loss(W, U, b, c, xs))(start))
