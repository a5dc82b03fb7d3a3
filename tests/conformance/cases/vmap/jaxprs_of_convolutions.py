import jax, jax.numpy as jnp
from jax import lax
from functools import partial

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

im = jnp.ones((4, 1, 2, 5, 5))
k = jnp.ones((3, 2, 2, 2))
x = jnp.ones((4, 3))


def cv(image, kernel, **options):
    return lax.conv_general_dilated(image, kernel, (1, 1), "SAME", **options)

show("conv", cv, (0,None), im, k)
show("conv_k", cv, (None,0), im[0], jnp.ones((4,3,2,2,2)))
show("conv_b", cv, (0,0), im, jnp.ones((4,3,2,2,2)))
show("conv_fg", partial(cv, feature_group_count=2), (0,None), im, jnp.ones((4,1,2,2)))
show("conv_fgk", partial(cv, feature_group_count=2), (None,0), im[0], jnp.ones((4,4,1,2,2)))
show("conv_fgb", partial(cv, feature_group_count=2), (0,0), im, jnp.ones((4,4,1,2,2)))
show("conv_bg", partial(cv, batch_group_count=2), (0,None), jnp.ones((4,2,2,5,5)), jnp.ones((4,2,2,2)))
show("conv_bgk", partial(cv, batch_group_count=2), (None,1), jnp.ones((2,2,5,5)), jnp.ones((4,3,2,2,2)))
show("conv_bgb", partial(cv, batch_group_count=2), (2,0), jnp.ones((2,2,3,5,5)), jnp.ones((3,4,2,2,2)))
show("convolve", lambda a,b: jnp.convolve(a,b), (0,None), x, x[0])
