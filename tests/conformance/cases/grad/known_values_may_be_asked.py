"""What Python may ask of a value while it is differentiated: the value is known."""
import jax
import jax.numpy as jnp

x = jnp.array([3.0, 1.0, 2.0])


def asked(name, ask, at=x):
    """What `ask` answers inside of grad, and the gradient of a function that multiplies by the sum of the answer."""

    def f(x):
        answer = ask(x)
        print(name, answer)
        return jnp.sum(x) * jnp.sum(jnp.asarray(answer))

    print(name, jax.grad(f)(at))


def refused(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


asked("item", lambda x: x.item(), 2.0)
asked("item of a place", lambda x: x.item(1))
asked("item of a sum", lambda x: jnp.sum(x).item())
asked("item in item", lambda x: jax.grad(lambda y: y * y.item() * jnp.sum(x).item())(5.0))
asked("arange", lambda x: jnp.arange(x), 3.0)
asked("arange by steps", lambda x: jnp.arange(x, 9.0, x), 2.0)
asked("unique", lambda x: jnp.unique(x))
asked("unique and counts", lambda x: jnp.unique(x, return_counts=True)[1])
asked("union1d", lambda x: jnp.union1d(x, jnp.array([1.0, 7.0])))
asked("setdiff1d", lambda x: jnp.setdiff1d(x, jnp.array([1.0])))
asked("intersect1d", lambda x: jnp.intersect1d(x, jnp.array([1.0])))
asked("one_hot", lambda x: jax.nn.one_hot(1, x.astype(int)), 2.0)
trimmed = lambda x: jnp.trim_zeros(x).shape[0]
asked("trim_zeros", trimmed, jnp.array([0.0, 1.0, 2.0, 0.0]))

refused("item of many", jax.grad(lambda x: x.item()), x)
refused("item in jit", jax.jit(jax.grad(lambda x: x * x.item())), 2.0)
refused("item of jit", jax.grad(jax.jit(lambda x: x * x.item())), 2.0)
refused("a shape", jax.grad(lambda x: jnp.zeros(x).sum()), 2.0)
try:
    jax.grad(lambda x: jnp.zeros(x).sum())(2.0)
except TypeError as error:
    print("using `jit`" in str(error))
refused("tolist", jax.grad(lambda x: x * x.tolist()), 2.0)
refused("float", jax.grad(lambda x: x * float(x)), 2.0)
