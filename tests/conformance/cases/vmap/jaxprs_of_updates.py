import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
xx = jnp.ones((2, 4, 3))
s = jnp.ones(4)
i4 = jnp.zeros(4, jnp.int32)

show("dus", lambda a,u,i: lax.dynamic_update_slice(a,u,(i,)), (0,0,0), x, x[:,:2], i4)
show("dus_n", lambda a,u,i: lax.dynamic_update_slice(a,u,(i,)), (None,0,None), x[0], x[:,:2], 0)
show("dus_i", lambda a,u,i: lax.dynamic_update_slice(a,u,(i,)), (None,None,0), x[0], x[0,:2], i4)
show("dus_x", lambda a,u,i: lax.dynamic_update_slice(a,u,(i,)), (0,None,None), x, x[0,:2], 0)
show("at_set", lambda a,i: a.at[i].set(1.), (0,0), x, i4)
show("at_set_n", lambda a,i: a.at[i].set(1.), (None,0), x[0], i4)
show("at_set_v", lambda a,v: a.at[1].set(v), (None,0), x[0], s)
show("at_add", lambda a,i,v: a.at[i].add(v), (0,None,0), x, jnp.array([0,1]), x[:,:2])
show("at_mul", lambda a,i,v: a.at[i].mul(v), (0,0,None), xx.transpose(1,0,2), jnp.zeros((4,1),jnp.int32), 2.)
show("at_max", lambda a,i,v: a.at[i].max(v), (0,0,0), x, i4, s)
show("gather_vv", lambda a,i: jax.vmap(lambda b,j: b[j])(a,i), (0,0), jnp.ones((4,2,3)), jnp.zeros((4,2),jnp.int32))
show("scatter_vv", lambda a,i: jax.vmap(lambda b,j: b.at[j].add(1.))(a,i), (0,0), jnp.ones((4,2,3)), jnp.zeros((4,2),jnp.int32))
show("gather_vn", lambda a,i: jax.vmap(lambda b,j: b[j], in_axes=(None,0))(a,i), (None,0), jnp.ones((3,)), jnp.zeros((4,2),jnp.int32))
show("gather_vn2", lambda a,i: jax.vmap(lambda b,j: b[j], in_axes=(0,None))(a,i), (0,None), jnp.ones((4,2,3)), 1)
