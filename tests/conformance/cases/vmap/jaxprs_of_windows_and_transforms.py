import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
xx = jnp.ones((2, 4, 3))

show("rws", lambda a: lax.reduce_window(a,0.,lax.add,(2,),(1,),'SAME'), 0, x)
show("rwm", lambda a: lax.reduce_window(a,-jnp.inf,lax.max,(2,2),(1,1),'VALID'), 1, xx)
show("rwg", lambda a: lax.reduce_window(a,1.,lambda p,q:p*q,(2,),(1,),'SAME'), 1, x.T)
show("fft", lambda a: jnp.fft.fft(a), 1, x.T)
show("rfft", lambda a: jnp.fft.rfft(a), 0, x)
show("ifft2", lambda a: jnp.fft.ifft2(a), 1, jnp.ones((3,4,3)))
