import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
x = jnp.arange(1.0, 4.0)
for name in ["erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i0e", "bessel_i1e"]:
    show(name, getattr(lax, name), x)
for name in ["igamma", "igammac", "igamma_grad_a", "zeta", "polygamma", "nextafter"]:
    for i in (0, 1):
        try:
            show(f"{name} {i}", getattr(lax, name), x, x + 1, argnums=i)
        except Exception as e:
            print(type(e).__name__, e)
for i in (0, 1, 2):
    try:
        show(f"betainc {i}", lax.betainc, x, x + 1, x / 10, argnums=i)
    except Exception as e:
        print(type(e).__name__, e)
