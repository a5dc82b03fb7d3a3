# The derivative of a x = b by a is that of the equation, though the solution reads one triangle of a.
import jax, jax.numpy as jnp
from jax.scipy.linalg import solve

a = jnp.array([[3.0, 1.0], [0.5, 2.0]])
b = jnp.array([1.0, 2.0])
for lower in (False, True):
    f = lambda a, b: solve(a, b, lower=lower, assume_a="pos")
    print(f(a, b))
    print(jax.jacrev(f, (0, 1))(a, b))
    print(jax.jacfwd(f, (0, 1))(a, b))
    print(jax.grad(lambda a: f(a, jnp.eye(2))[0, 1])(a))
    print(jax.jit(jax.vmap(jax.grad(lambda a, b: f(a, b)[0])))(jnp.stack([a, 2 * a]), jnp.stack([b, b])))
