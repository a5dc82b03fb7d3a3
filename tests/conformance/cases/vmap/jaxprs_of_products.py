import jax, jax.numpy as jnp

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))

show("dot_vv", lambda a,b: a@b, (0,0), x, x)
show("dot_mv", lambda a,b: a@b, (0,None), jnp.ones((4,2,3)), x[0])
show("dot_mv2", lambda a,b: a@b, (None,0), jnp.ones((2,3)), x)
show("dot_mm", lambda a,b: a@b, (0,0), jnp.ones((4,2,3)), jnp.ones((4,3,5)))
show("dot_mm1", lambda a,b: a@b, (1,2), jnp.ones((2,4,3)), jnp.ones((3,5,4)))
show("dot_mm2", lambda a,b: a@b, (1,None), jnp.ones((2,4,3)), jnp.ones((3,5)))
show("dot_mm3", lambda a,b: a@b, (None,1), jnp.ones((2,3)), jnp.ones((3,4,5)))
show("dot_bmm", lambda a,b: a@b, (2,1), jnp.ones((6,2,4,3)), jnp.ones((6,4,3,5)))
show("dot_bmm1", lambda a,b: a@b, (2,None), jnp.ones((6,2,4,3)), jnp.ones((6,3,5)))
show("einsum", lambda a,b: jnp.einsum('ij,kj->ik',a,b), (0,None), jnp.ones((4,2,3)), jnp.ones((5,3)))
show("vdot", lambda a,b: jnp.vdot(a,b), (None,0), x[0], x)
show("outer", lambda a,b: jnp.outer(a,b), (0,None), x, x[0])
