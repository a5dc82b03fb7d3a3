# exact
import jax, jax.numpy as jnp

@jax.jit
def walk(key):
    def step(state):
        key, x, n = state
        key, sub = jax.random.split(key)
        return key, x + jax.random.randint(sub, (), -1, 2), n + 1

    return jax.lax.while_loop(lambda s: jnp.abs(s[1]) < 4, step, (key, 0, 0))

key, x, n = walk(jax.random.key(0))
print(x, n, key)
