import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
x = jnp.arange(12.0).reshape(3, 4)
z = x + 1j * x
for kind, lengths, value in [
    ("FFT", (4,), z), ("IFFT", (3, 4), z), ("RFFT", (4,), x), ("RFFT", (3,), x.T), ("RFFT", (3, 4), x),
    ("IRFFT", (4,), z[:, :3]), ("IRFFT", (5,), z[:, :3]),
]:
    show(f"{kind} {lengths}", lambda x: abs(lax.fft(x, kind, lengths)), value)
