"""Rules and arguments that do not fit, and what is said of them."""
import jax
import jax.numpy as jnp
import numpy as np


def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


product = jax.custom_jvp(lambda x, y: x * y)
for rules in ([], [lambda t, out, x, y: t * y], [None, None, None]):
    product.defjvps(*rules)
    show(f"{len(rules)} rules forward", jax.jvp, product, (2.0, 3.0), (1.0, 1.0))
    show(f"{len(rules)} rules in reverse", jax.grad(product), 2.0, 3.0)
    show(f"{len(rules)} rules, not needed", product, 2.0, 3.0)

same = jax.custom_vjp(lambda x: x)
for residuals in ("text", {"a": "text"}, np.array(["text"])):
    same.defvjp(lambda x, residuals=residuals: (x, residuals), lambda residuals, ct: (ct,))
    show("no residuals", jax.grad(same), 1.0)
    show("no residuals", jax.jvp, same, (1.0,), (1.0,))
    show("not differentiated", same, 1.0)

show("None for the one argument", jax.grad(jax.custom_gradient(lambda x: (x, lambda ct: None))), 2.0)
show("None for both", jax.grad(jax.custom_gradient(lambda x, y: (x, lambda ct: (None, ct))), (0, 1)), 2.0, 3.0)
show("two for one argument", jax.grad(jax.custom_gradient(lambda x: (x, lambda ct: (ct, ct)))), 2.0)

show("no results", jax.jacrev(lambda x: None), jnp.ones(2))
show("no results", jax.jacrev(lambda x: {}), jnp.ones(2))
show("no numbers", jax.jacfwd(lambda tree: 1.0), {})
show("no numbers", jax.hessian(lambda tree: 1.0), {})
show("no numbers", jax.jacrev(lambda tree: 1.0), {})
show("of an integer", lambda: repr(jax.jacrev(lambda n: n * 2.0, allow_int=True)(3)))
show("of integers", lambda: repr(jax.jacrev(lambda n: n * 2.0, allow_int=True)(jnp.array([3, 4]))))


class Boxed:
    def __jax_array__(self):
        return jnp.float32(3.0)


for derivative in (jax.grad, jax.value_and_grad, jax.jacfwd, jax.jacrev, jax.hessian):
    show(derivative.__name__, derivative(lambda x: x), Boxed())
show("vjp", jax.vjp, lambda x: x, Boxed())
