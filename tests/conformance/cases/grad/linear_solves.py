import jax, jax.numpy as jnp
from jax import lax

A, b = jnp.array([[3.0, 1.0, 0.0], [1.0, 4.0, 1.0], [0.0, 2.0, 5.0]]), jnp.array([1.0, 2.0, 3.0])

def steps(matvec, b):
    return lax.fori_loop(0, 200, lambda i, x: x + 0.2 * (b - matvec(x)), jnp.zeros_like(b))

def solved(A, b, **how):
    return lax.custom_linear_solve(lambda x: A @ x, b, steps, **how)

print(solved(A, b), jax.jvp(solved, (A, b), (A, b)))
backward = jax.grad(lambda A, b: solved(A, b, transpose_solve=steps).sum(), (0, 1))
print(backward(A, b), jax.jit(backward)(A, b))
print(jax.make_jaxpr(lambda A, b: solved(A, b, transpose_solve=steps))(A, b))
print(jax.make_jaxpr(backward)(A, b))
print(jax.hessian(lambda b: (solved(A, b, transpose_solve=steps) ** 2).sum())(b))

def attempt(fun):
    try:
        print(fun())
    except Exception as e:
        print(type(e).__name__, "|", e)

attempt(lambda: jax.grad(lambda b: solved(A, b).sum())(b))
attempt(lambda: lax.custom_linear_solve(lambda x: x[:2], b, steps))
attempt(lambda: lax.custom_linear_solve(lambda x: (x, x), b, steps))
attempt(lambda: lax.custom_linear_solve(lambda x: x, b, lambda matvec, b: b[:2]))
