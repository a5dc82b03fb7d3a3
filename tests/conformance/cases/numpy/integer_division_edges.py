import jax, jax.numpy as jnp
a = jnp.array([7, -7, 5, -2**31]); b = jnp.array([2, 2, 0, -1])
print(a // b, a % b, jnp.divmod(a, b), a / b, jnp.fmod(a, b), jnp.remainder(7.5, -2), jnp.floor_divide(-7.0, 2.0), 5.0 // jnp.float32(0), 5.0 % jnp.float32(0))
print(jnp.uint8(7) // 2, jnp.uint8(7) % 0, jnp.int8(-128) // jnp.int8(-1), jnp.array([True]) // True, divmod(jnp.int32(-7), 3), 7 // jnp.int32(-2), jnp.float32(jnp.inf) // 2, jnp.float32(5) % jnp.inf)
