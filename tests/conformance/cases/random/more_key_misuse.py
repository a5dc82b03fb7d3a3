import jax, jax.numpy as jnp

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e).splitlines()[0])

k = jax.random.key(0)
ks = jax.random.split(k, 3)
attempt(lambda: bool(k))
attempt(lambda: len(k))
attempt(lambda: list(k))
attempt(lambda: hash(k))
attempt(lambda: float(k))
attempt(lambda: -k)
attempt(lambda: k * 2.0)
attempt(lambda: k & k)
attempt(lambda: k < k)
attempt(lambda: ks.sum())
attempt(lambda: k.item())
attempt(lambda: jnp.sort(ks))
attempt(lambda: ks == 0)
attempt(lambda: jax.jit(lambda k: k.astype(int))(k))
attempt(lambda: jax.jit(lambda k: k + 1)(k))
attempt(lambda: jax.jit(lambda k: jnp.sin(k))(k))
attempt(lambda: jnp.arange(3, dtype=k.dtype))
