import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

x, v = jnp.float32(2.5), jnp.ones(3) / 3
jax.debug.print("a {} {y} {z}", x, y="str", z=[1])
jax.debug.print("a {x:.2f} {y}", x=x, y=v)
jax.debug.print("{x!r} {y!r}", x=x, y=v)
jax.jit(lambda y: jax.debug.print("{x!r} {y!r} {z} {y}", x=2, y=y, z=2.5))(x)
jax.debug.print("{}", {"a": x, "b": None})
jax.debug.print("{a[b]} {x.dtype}", a={"b": 3}, x=x)
jax.debug.print("a {{}} {}", x)
jax.debug.print("{{}}")
jax.debug.print("a", x, skip_format_check=True)
jax.debug.print("mixed {}, then text", x, skip_format_check=True)
jax.debug.print(f"{x}")
for bad in (lambda: jax.debug.print("a {} {y}", x, 3), lambda: jax.debug.print("a {}", x, 3), lambda: jax.debug.print("a {}", x, y=3),
            lambda: jax.debug.print("a {}"), lambda: jax.debug.print(y=3), lambda: jax.debug.print("a", x)):
    attempt(bad)
jax.effects_barrier()
