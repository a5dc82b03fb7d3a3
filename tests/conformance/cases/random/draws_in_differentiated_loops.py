import jax, jax.numpy as jnp
from jax import lax, random

keys = random.split(random.key(0), 3)

def show(f, *args):
    print(jax.make_jaxpr(jax.grad(f))(*args))
    print(jax.grad(f)(*args), jax.jit(jax.grad(f))(*args))

show(lambda s: lax.scan(lambda c, k: (c + s * random.normal(k), None), 0.0, keys)[0], 2.0)
show(lambda s: lax.scan(lambda c, k: (c + s * random.uniform(k, (2,), minval=s).sum(), None), 0.0, keys)[0], 0.5)
show(lambda s: lax.scan(lambda c, k: (jnp.where(random.bernoulli(k, 0.5), c * s, c), random.randint(k, (), 0, 5)), 1.0, keys)[0], 2.0)
show(lambda s: lax.fori_loop(0, 3, lambda i, c: c + s * random.exponential(random.fold_in(keys[0], i)), 0.0), 2.0)

def network(w, k):
    def layer(h, k):
        return jax.nn.relu(h @ w) * random.bernoulli(k, 0.9, h.shape) / 0.9, None
    return lax.scan(layer, jnp.ones(3), random.split(k, 2))[0].sum()

print(jax.make_jaxpr(jax.grad(network))(jnp.eye(3), random.key(1)))
print(jax.grad(network)(jnp.eye(3), random.key(1)))

def masked(w, k):
    return (jax.nn.gelu(jnp.ones(3) @ w) * random.bernoulli(k, 0.9, (3,))).sum()

print(jax.make_jaxpr(jax.grad(jax.checkpoint(masked)))(jnp.eye(3), random.key(1)))
