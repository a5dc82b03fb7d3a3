import jax, jax.numpy as jnp
from jax import lax

jax.config.update("jax_debug_key_reuse", True)

def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, "|", str(e).splitlines()[0])

def draws_from_a_constant(key, n):
    return lax.scan(lambda c, _: (c + jax.random.normal(key), None), 0.0, None, length=n)[0]

def draws_from_a_carry(key, n):
    return lax.scan(lambda c, _: (c, jax.random.normal(c)), key, None, length=n)[1]

def draws_from_elements(key, n):
    return lax.scan(lambda c, x: (c, jax.random.normal(x)), 0.0, jax.random.split(key, n))[1]

def mapped(key, n):
    return lax.map(lambda i: i + jax.random.normal(key), jnp.arange(float(n)))

def counted(key, n):
    return lax.fori_loop(0, n, lambda i, c: c + jax.random.normal(key), 0.0)

def repeated(key, n):
    step = lambda c: (c[0] + 1, c[1] + jax.random.normal(key))
    return lax.while_loop(lambda c: c[0] < n, step, (0, 0.0))[1]

# How often a loop runs does not matter: its body must be one that could run again.
for f in (draws_from_a_constant, draws_from_a_carry, draws_from_elements, mapped, counted, repeated):
    for n in (1, 2):
        attempt(f"{f.__name__} {n}", lambda: f(jax.random.key(0), n))
        attempt(f"{f.__name__} {n} jitted", lambda: jax.jit(lambda k: f(k, n))(jax.random.key(0)))

# What was refused has used nothing.
key = jax.random.key(0)
attempt("refused", lambda: draws_from_a_constant(key, 1))
attempt("then", lambda: jax.random.normal(key))
attempt("and again", lambda: jax.random.normal(key))
