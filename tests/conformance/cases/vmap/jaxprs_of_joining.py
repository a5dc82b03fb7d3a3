import jax, jax.numpy as jnp

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))

show("concat", lambda a,b: jnp.concatenate([a,b]), (0,None), x, x[0])
show("concat1", lambda a,b: jnp.concatenate([a,b]), (0,1), x, x.T)
show("stack", lambda a,b: jnp.stack([a,b]), (0,0), x, x)
show("stack1", lambda a,b: jnp.stack([a,b],-1), (0,0), x, x)
show("stack2", lambda a,b: jnp.stack([a,b]), (0,None), x, x[0])
show("stack3", lambda a,b: jnp.stack([a,b],1), (1,1), jnp.ones((2,4)), jnp.ones((2,4)))
show("unstack", lambda a: jnp.unstack(a)[0], 0, x)
show("unstack1", lambda a: jnp.unstack(a,axis=1)[0], 2, jnp.ones((2,2,4)))
show("split", lambda a: jnp.split(a,3)[1], 0, x)
show("tile", lambda a: jnp.tile(a,2), 0, x)
show("repeat", lambda a: jnp.repeat(a,2), 0, x)
