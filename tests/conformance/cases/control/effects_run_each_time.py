import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

def body(c, x):
    jax.debug.print("{} {}", c, x)
    return c + x, None

for run in (lambda f: f, jax.jit):
    run(lambda x: lax.scan(body, 0.0, x, reverse=True))(jnp.arange(3.0))
    jax.effects_barrier()
    run(lambda n: lax.while_loop(lambda c: jax.debug.print("cond {}", c) or c < n, lambda c: jax.debug.print("body {}", c) or c + 1, 0))(2)
    jax.effects_barrier()
    for p in (True, False):
        run(lambda p: lax.cond(p, lambda: jax.debug.print("yes"), lambda: jax.debug.print("no")))(p)
        jax.effects_barrier()
f = jax.jit(lambda x: jax.debug.print("A {}", x) or jax.debug.print("B {}", x) or x + 1)
for i in range(2):
    f(i)
    jax.effects_barrier()
