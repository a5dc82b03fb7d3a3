import jax, jax.numpy as jnp

@jax.jit
def choose(params, x, *rest, scale=1.0):
    total = params["w"] * x + scale
    if total > 0:
        return total
    return x

@jax.jit
def loop(n, x):
    for _ in range(n):
        x = x * 2
    return x

@jax.jit
def unrelated(x):
    flag = jnp.ones(()) > 0
    return x if flag else -x

for f, args in [(choose, ({"w": 2.0}, 3.0)), (loop, (3, 1.0)), (unrelated, (1.0,))]:
    try:
        f(*args)
    except Exception as e:
        text = str(e)
        print(type(e).__name__, "|", text.splitlines()[0])
        print("depends on" in text, text.split("depends on ")[-1].splitlines()[0][:70] if "depends on" in text else "became a tracer" in text)
