import jax, jax.numpy as jnp

R = jax.random
with jax.debug_key_reuse(True):
    k = R.key(0)
    k1, k2 = R.split(k)
    print(R.normal(k1), R.normal(k2))
    parent = R.key(1)
    print(R.bits(R.fold_in(parent, 1)), R.bits(R.fold_in(parent, 2)), R.bits(parent))
    print(R.bits(R.clone(parent)))
    print(jax.lax.scan(lambda k, _: (R.split(k)[0], 1), R.key(2), None, length=3)[1])
    words = R.PRNGKey(0)
    print(R.bits(words), R.bits(words))
print(R.uniform(k1) == R.uniform(k1))
