import jax, jax.numpy as jnp

square = jax.custom_gradient(lambda x: (x**2, lambda g: (g * x * 7,)))
print(square(3.0), jax.grad(square)(3.0), jax.jit(jax.grad(square))(3.0))
product = jax.custom_gradient(lambda x, y: (x * y, lambda g: (g * y, g * x * 5)))
print(jax.grad(product, (0, 1))(3.0, 4.0))
print(jax.make_jaxpr(product)(1.0, 2.0))
print(jax.make_jaxpr(jax.grad(product, (0, 1)))(1.0, 2.0))
print(jax.grad(jax.custom_gradient(lambda x: (x * 2, lambda g: g)))(3.0))

def outer(a, x):
    f, hoisted = jax.closure_convert(lambda x: jnp.sin(x) * a + jnp.arange(3.0).sum(), x)
    print(len(hoisted))
    return f(x, *hoisted)

print(outer(1.0, 2.0), jax.grad(outer)(1.0, 2.0), jax.jit(jax.grad(outer))(1.0, 2.0))
try:
    f, hoisted = jax.closure_convert(lambda x: x, 1.0)
    f((1.0, 2.0))
except TypeError as e:
    print(e)
