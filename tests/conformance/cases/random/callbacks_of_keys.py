import jax, jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback

key = jax.random.key(7)
number = jax.ShapeDtypeStruct((), jnp.float32)

def tell(k):
    print(type(k).__name__, k.shape, k.dtype)

def show(k):
    jax.debug.print("{}", k)

# jax.debug: outside of a program it gets keys, inside of one their words
show(key)
jax.debug.print("{k} {n}", k=jax.random.split(key), n=3)
jax.debug.print("{}", {"k": key, "x": 1})
jax.debug.callback(tell, key)
jax.jit(show)(key)
jax.jit(lambda k: jax.debug.callback(tell, k))(key)
jax.vmap(show)(jax.random.split(key))
lax.cond(True, show, lambda k: None, key)
print(lax.scan(lambda k, _: (show(k) or jax.random.split(k)[0], None), key, length=2)[0])
with jax.disable_jit():
    lax.scan(lambda k, _: (show(k) or k, None), key, length=1)
print(jax.jit(lambda k: show(k) or jax.random.uniform(k))(key))

# the other callbacks get words everywhere
words = lambda k: tell(k) or np.float32(np.asarray(k)[..., -1].sum())
print(jax.pure_callback(words, number, key))
print(jax.jit(lambda k: jax.pure_callback(words, number, k))(key))
print(io_callback(words, number, key, ordered=True))
one_by_one = lambda k: jax.pure_callback(words, number, k, vmap_method="sequential")
print(jax.vmap(one_by_one)(jax.random.split(key)))
at_once = lambda k: jax.pure_callback(lambda k: np.float32(k[:, 0] % 7), number, k, vmap_method="broadcast_all")
print(jax.vmap(at_once)(jax.random.split(key)))
