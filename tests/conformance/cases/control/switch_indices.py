import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

def three(i, x=1):
    return lax.switch(i, [lambda a: a + 1, lambda a: a * 2, lambda a: a * 30], x)

for i in (-5, 0, 1, 2, 5):
    print(three(i), jax.jit(three)(i))
print(three(jnp.uint8(200)), three(jnp.int8(-100)))
for bad in (1.0, True, jnp.arange(2), [1]):
    attempt(lambda: three(bad))
attempt(lambda: lax.switch(1, [lambda: 1, 3]))
attempt(lambda: lax.switch(1, [lambda a: a, lambda a: 2 * a], operand=1))
print(jax.make_jaxpr(three)(jnp.uint8(3)))
print(jax.make_jaxpr(lambda x: three(2, x))(1.0))
