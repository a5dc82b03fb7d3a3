import jax, jax.numpy as jnp, numpy as np
from jax import lax

def attempt(f):
    try:
        x = f()
        print(type(x).__name__, getattr(x, "dtype", ""), getattr(x, "shape", ""))
    except Exception as e:
        print(type(e).__name__, "|", str(e).splitlines()[0])

k = jax.random.key(0)
ks = jax.random.split(k, 3)
x = jnp.arange(3.)
b = jnp.array([True, False, True])

# joined
attempt(lambda: jnp.stack([k, 1]))
attempt(lambda: jnp.stack([ks, x]))
attempt(lambda: jnp.hstack([ks, x]))
attempt(lambda: jnp.concatenate([x, ks]))
attempt(lambda: jnp.concatenate([jax.random.key_data(ks).ravel(), ks]))
attempt(lambda: jnp.append(ks, 1))
attempt(lambda: jnp.array([k, 1]))
attempt(lambda: jnp.array([1, k]))
attempt(lambda: jax.jit(lambda k: jnp.stack([k, 1]))(k))
attempt(lambda: jnp.stack([ks, ks]))
attempt(lambda: jnp.concatenate([ks, ks]))
# chosen
attempt(lambda: jnp.where(True, k, 1))
attempt(lambda: jnp.where(b, x, ks))
attempt(lambda: jnp.where(b, ks, np.arange(3)))
attempt(lambda: jnp.where(b, ks, True))
attempt(lambda: jnp.where(ks, 1, 2))
attempt(lambda: jnp.select([b], [ks], 0))
attempt(lambda: jnp.where(b, ks, k))
attempt(lambda: lax.select(b, ks, ks))
attempt(lambda: lax.select(k, 1.0, 2.0))
attempt(lambda: lax.select_n(x, x, x))
attempt(lambda: lax.select_n(b, x, x, x))
print(lax.select_n(jnp.array([0, 1, 2], "int8"), x, x + 10, x + 20))
print(jax.jit(lax.select_n)(jnp.array([-3, 1, 5], "int8"), x, x + 10, x + 20))
print(jax.jit(lax.select_n)(jnp.array([0, 1, 200], "uint8"), x, x + 10, x + 20))
attempt(lambda: lax.clamp(ks, ks, ks))
attempt(lambda: jnp.clip(ks, 0, 1))
# compared
attempt(lambda: ks == x)
attempt(lambda: jnp.isclose(ks, 1))
print(jnp.isclose(ks, ks), jnp.allclose(ks, ks), jnp.allclose(ks, ks[::-1]), jnp.array_equal(ks, ks))
# converted
attempt(lambda: jnp.promote_types(k.dtype, jnp.float32))
attempt(lambda: jnp.result_type(k, 1))
attempt(lambda: lax.convert_element_type(k, jnp.float32))
attempt(lambda: lax.convert_element_type(3, k.dtype))
attempt(lambda: x.astype(k.dtype))
attempt(lambda: jnp.full((2,), k, jnp.float32))
attempt(lambda: jnp.full_like(x, k))
attempt(lambda: lax.bitcast_convert_type(ks, jnp.uint32))
attempt(lambda: jax.jit(lambda k: k.astype(jnp.float32))(k))
