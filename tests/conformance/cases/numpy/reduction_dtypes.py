import jax, jax.numpy as jnp
for dt in ["bool", "int8", "uint8", "int16", "uint32", "int32", "float16", "bfloat16", "float32", "complex64"]:
    x = jnp.ones((2, 2), dt)
    print(dt, *[f(x).dtype for f in [jnp.sum, jnp.prod, jnp.mean, jnp.cumsum, jnp.max if dt != "complex64" else jnp.sum, jnp.var, jnp.std, jnp.any, jnp.argmax if dt != "complex64" else jnp.sum, jnp.median if dt != "complex64" else jnp.sum, jnp.linalg.norm]])
print(jnp.sum(jnp.ones(300, jnp.int8)), jnp.sum(jnp.ones(3), dtype=jnp.int8).dtype, jnp.mean(jnp.ones(3, int), dtype=jnp.float16).dtype, jnp.sum(jnp.full(300, 1, jnp.bfloat16)), jnp.prod(jnp.full(3, 100, jnp.uint8)))
