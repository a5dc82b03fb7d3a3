import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args):
    mapped = jax.vmap(f, in_axes=in_axes)
    print(name, jax.make_jaxpr(mapped)(*args))
    print(mapped(*args), jax.jit(mapped)(*args))

x = jnp.arange(12.0).reshape(4, 3)

show("assoc", lambda v: lax.associative_scan(jnp.add, v), 0, x)
show("map", lambda v: lax.map(lambda t:t*2, v), 0, x)
show("jit", jax.jit(lambda a,b: (a+b, b)), (0,None), x, 1.)
show("jit1", jax.jit(lambda a,b: (a+b, a*2)), (1,None), x, 1.)
show("jitjit", lambda a: jax.jit(lambda a: jax.jit(lambda t: jnp.sin(t))(a).sum())(a), 1, x)
show("cjvp", lambda a: jax.nn.relu(a) + jax.nn.silu(a), 1, x)
show("cjvp_jit", jax.jit(lambda a: jax.nn.relu6(a)), 1, x)
show("grad", jax.grad(lambda a: jnp.sin(a).sum()), 0, x)
show("grad3", jax.grad(lambda a: jax.nn.relu(a).sum()), 0, x)
