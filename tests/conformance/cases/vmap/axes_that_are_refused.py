import jax, jax.numpy as jnp

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

y=jnp.ones((2,3))
for n,kw,args in [("ax1",dict(in_axes=5),(y,)),("ax2",dict(in_axes=-3),(y,)),("ax3",dict(in_axes=(0,0)),(y,)),("ax4",dict(in_axes='a'),(y,)),("ax5",dict(in_axes=(0.5,)),(y,)),("ax6",dict(out_axes=0.5),(y,)),
   ("ax7",dict(in_axes=None),(y,)),("ax8",dict(in_axes=({'a':0},)),(y,)),("ax9",dict(in_axes=({'a':0},)),({'b':y},)),("ax10",dict(out_axes=(0,1)),(y,)),("ax11",dict(out_axes=4),(y,)),("ax12",dict(out_axes=-4),(y,)),
   ("ax13",dict(axis_size=3),(y,)),("ax14",dict(axis_size=3,in_axes=None),(y,)),("ax15",dict(in_axes=[0]),(y,)),("ax16",dict(in_axes=((0,),)),(y,)),("ax17",dict(out_axes=None),(y,)),("ax18",dict(out_axes={'a':None}),(y,)),("ax19",dict(in_axes=(None,)),(y,)),
   ("ax20",dict(in_axes=({'a':0,'b':None},)),({'a':y,'b':y},)),("ax21",dict(in_axes=True),(y,)),("ax22",dict(in_axes=(True,)),(y,))]:
    show(n, lambda: jax.vmap(lambda t: t, **kw)(*args))
