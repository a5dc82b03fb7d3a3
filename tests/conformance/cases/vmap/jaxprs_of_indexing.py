import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
xx = jnp.ones((2, 4, 3))
i4 = jnp.zeros(4, jnp.int32)

show("index", lambda a: a[1], 0, x)
show("index_neg", lambda a: a[-1], 0, x)
show("index_arr", lambda a: a[jnp.array([0,2])], 0, x)
show("index_b", lambda a,i: a[i], (None,0), x[0], i4)
show("index_bb", lambda a,i: a[i], (0,0), x, i4)
show("index_b0", lambda a,i: a[i], (0,None), x, 1)
show("index_b1", lambda a,i: a[i], (1,None), x.T, jnp.array([1,2]))
show("take", lambda a,i: jnp.take(a,i), (0,0), x, jnp.zeros((4,2),jnp.int32))
show("take_along", lambda a,i: jnp.take_along_axis(a,i,0), (0,0), x, jnp.zeros((4,2),jnp.int32))
show("take_along2", lambda a,i: jnp.take_along_axis(a,i,0), (None,0), x[0], jnp.zeros((4,2),jnp.int32))
show("slice", lambda a: a[1:], 0, x)
show("slice2", lambda a: a[::2,1:], 1, xx)
show("rev", lambda a: a[::-1], 1, x.T)
show("dslice", lambda a,i: lax.dynamic_slice(a,(i,),(2,)), (0,0), x, i4)
show("dslice_n", lambda a,i: lax.dynamic_slice(a,(i,),(2,)), (None,0), x[0], i4)
show("dslice_m", lambda a,i: lax.dynamic_slice(a,(i,),(2,)), (0,None), x, 1)
show("dslice2", lambda a,i: lax.dynamic_slice(a,(i,0),(1,2)), (1,0), xx, i4)
show("dslice2b", lambda a,i,j: lax.dynamic_slice(a,(i,j),(1,2)), (1,0,None), xx, i4, 0)
show("dis", lambda a,i: lax.dynamic_index_in_dim(a,i), (0,0), x, i4)
