import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

def told(f):
    try:
        print(f())
    except TypeError as e:
        print("\n".join(line.split(" at /")[0].split(" at branch")[0] for line in str(e).split("\n") if " is <lambda>" not in line))
    print("--")

x = jnp.ones(3)
told(lambda: lax.cond(True, lambda: 1, lambda: (1, 2)))
told(lambda: lax.cond(True, lambda: (1, {"a": 2.0}), lambda: (1, {"a": 3, "c": 3})))
told(lambda: lax.cond(True, lambda: (1, [1.0]), lambda: ([3], {"b": 3})))
told(lambda: lax.cond(True, lambda: (1.0, 2.0, x), lambda: ([], (), {})))
told(lambda: lax.cond(True, lambda: (1.0, 2.0, x), lambda: (1, 2, x[:2].astype(int))))
told(lambda: lax.switch(1, [lambda: 1, lambda: (1, 1), lambda: 3.0]))
told(lambda: lax.switch(1, [lambda: 1, lambda: 2, lambda: 3.0]))
