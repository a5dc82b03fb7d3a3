import jax
jax.config.update("jax_num_cpu_devices", 3)
import jax.numpy as jnp

d = jax.devices()
a = jax.device_put(jnp.ones(2), d[1])
b = jnp.zeros(2, device=d[2])
free = jnp.arange(2.0)
for v in [a, b, free, a + free, jnp.sin(b), a[0], jnp.stack([free, a]), a.astype(int), jnp.where(free > 0, a, 1.0)]:
    print(v.committed, v.device.id)
try:
    a + b
except ValueError as e:
    print(type(e).__name__, e)
print(jax.device_put([a, free], d[0])[1].committed, jax.device_put(free).committed)
