import jax, jax.numpy as jnp

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
i4 = jnp.zeros(4, jnp.int32)

show("convert", lambda a: a.astype(jnp.int32), 1, x)
show("iota", lambda a: a+jnp.arange(3), 0, x)
show("const", lambda a: jnp.zeros(3), 0, x)
show("rounding", lambda a: jnp.round(a,2), 0, x)
show("integer_pow", lambda a: a**3, 0, x)
show("log_softmax", lambda a: jax.nn.log_softmax(a), 0, x)
show("logsumexp", lambda a: jax.nn.logsumexp(a), 0, x)
show("gelu", lambda a: jax.nn.gelu(a), 0, x)
show("one_hot", lambda a: jax.nn.one_hot(a,3), 0, i4)
show("out1", lambda a: a*2, 0, x, out_axes=1)
show("outneg", lambda a: a*2, 0, x, out_axes=-1)
show("out_none", lambda a: jnp.ones(3), 0, x, out_axes=None)
show("out_b", lambda a: (a, x[0]), 0, x, out_axes=(1,1))
