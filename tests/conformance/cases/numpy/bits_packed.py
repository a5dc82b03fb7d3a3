import jax, jax.numpy as jnp

x = jnp.array([[1, 0, 1, 1, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1, 0]])
print(jnp.packbits(x), jnp.packbits(x, axis=1), jnp.packbits(x, axis=0, bitorder="little")[:, :3])
print(jnp.unpackbits(jnp.array([[2], [7]], jnp.uint8), axis=1), jnp.unpackbits(jnp.uint8([5]), count=4, bitorder="little"))
print(jax.make_jaxpr(lambda v: jnp.unpackbits(v))(jnp.uint8([1])))
for f in [lambda: jnp.packbits(jnp.ones(2)), lambda: jnp.unpackbits(jnp.arange(3)), lambda: jnp.packbits(x, bitorder="middle")]:
    try:
        f()
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
