# A function with a rule of its own, of what all examples share, has a result that they share: recorded by jit, too.
import jax, jax.numpy as jnp

x, steps = jnp.array([1.0, 0.5, 2.0]), jnp.eye(3)


@jax.custom_vjp
def sine(x):
    return jnp.sin(x)


sine.defvjp(lambda x: (sine(x), x), lambda x, g: (2.0 * g * jnp.cos(x),))


@jax.custom_jvp
def pair(x, y):
    return x * 2.0, y


@pair.defjvp
def pair_jvp(primals, tangents):
    return pair(*primals), (3.0 * tangents[0], tangents[1])


for f in jax.nn.relu, jnp.logaddexp, jax.lax.cumlogsumexp, jax.scipy.special.xlogy, sine, pair:
    one = (lambda x: f(x, x[::-1])) if f in (jnp.logaddexp, jax.scipy.special.xlogy, pair) else f
    print(jax.jit(lambda x, ts: jax.vmap(lambda t: (one(x), one(t)), out_axes=(None, 1))(ts))(x, steps))
    if f is not sine:
        print(jax.jit(jax.jacfwd(one))(x))
        print(jax.jit(lambda x, ts: jax.vmap(lambda t: jax.jvp(one, (x,), (t,)), out_axes=(None, 0))(ts))(x, steps))
print(jax.jacfwd(jax.jit(jax.jacfwd(jax.nn.silu)))(x))
print(jax.make_jaxpr(lambda x, ts: jax.vmap(lambda t: sine(x) * t)(ts))(x, steps))
