import jax, jax.numpy as jnp
import numpy as np

def as_passed_in(x):
    return jax.vjp(lambda x: x, x)[0]

for x in (1, 2.0, 3j, True, np.float64(4), np.arange(3), np.ones((2, 2)), np.zeros((0, 3)), jnp.ones(2)):
    print(repr(as_passed_in(x)), "|", as_passed_in(x))

x = as_passed_in(2.0)
print(repr(x + 1), x.dtype, f"{x:.3f}", jnp.asarray(x).weak_type, x * jnp.ones(2), [10, 20, 30][as_passed_in(1)])
print(jax.make_jaxpr(lambda y: (y * x, as_passed_in(7), as_passed_in(np.float32(3))))(1.0))
a = as_passed_in(np.arange(3.0))
print(repr(a + 1), repr(a[1:]), type(a.sum()).__name__, repr(a * jnp.ones(3)))

print(jax.value_and_grad(lambda x: (x * 2, {"aux": x}), has_aux=True)(1.0))
print(jax.value_and_grad(lambda x, y: (x * y, [x, y]), has_aux=True)(1.0, np.float32(2)))
print(jax.grad(lambda t: t["a"] * 2, allow_int=True)({"a": 1.0, "b": np.arange(2)}))
print(jax.jvp(lambda x: (x, x > 0), (1.0,), (1.0,)))
print(repr(jax.linearize(lambda x: x, 1.0)[0]))
try:
    jax.grad(lambda x: (x, [x, 3]))(1.0)
except TypeError as e:
    print(e)

@jax.custom_jvp
def f(x, y):
    print("f", repr(x), repr(y))
    return x * y

@f.defjvp
def f_jvp(primals, tangents):
    print("rule", primals)
    return primals[0] * primals[1], tangents[0] * primals[1]

print(f(1.0, 2), jax.grad(f)(1.0, 2.0), f(jnp.ones(2), np.float32(2)))
jax.jvp(f, (1.0, 2.0), (1.0, 0.0))

@jax.custom_vjp
def g(x, y):
    return x * y

def g_fwd(x, y):
    print("fwd", repr(x), repr(y))
    return x * y, (x, y)

def g_bwd(residuals, ct):
    print("bwd", residuals, ct)
    return ct * residuals[1], ct * residuals[0]

g.defvjp(g_fwd, g_bwd)
print(g(1.0, 2), jax.grad(g)(1.0, 2.0), jax.grad(g)(np.float32(1), np.float32(2)))

for x in ("a", {"a": object}):
    for transformed in (lambda x: jax.vjp(lambda x: x, x), jax.grad(lambda x: x), lambda x: jax.jvp(lambda x: x, (x,), (x,))):
        try:
            transformed(x)
        except TypeError as e:
            print(type(e).__name__, "|", e)
