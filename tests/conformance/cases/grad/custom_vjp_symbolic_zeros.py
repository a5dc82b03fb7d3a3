import jax, jax.numpy as jnp

@jax.custom_vjp
def f(x, y):
    return x * y, x + y

def fwd(x, y):
    print("perturbed", x.perturbed, y.perturbed)
    return f(x.value, y.value), (x.value, y.value)

def bwd(res, g):
    print([type(ct).__name__ == "SymbolicZero" for ct in g])
    return g[0] * res[1], None

f.defvjp(fwd, bwd, symbolic_zeros=True)
print(jax.grad(lambda x: f(x, 3.0)[0])(2.0))
print(jax.grad(jax.jit(lambda x: f(x, 3.0)[0]))(2.0))

@jax.custom_vjp
def g(x, i):
    return x * i, i

g.defvjp(lambda x, i: (g(x, i), i), lambda i, ct: (print(ct[1].dtype, jnp.shape(ct[0])), (ct[0] * i, None))[1])
print(jax.grad(lambda x: g(x, 3)[0])(2.0))
