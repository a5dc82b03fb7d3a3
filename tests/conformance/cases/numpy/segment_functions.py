import jax, jax.numpy as jnp
def attempt(f):
    try: return f()
    except Exception as e: return f"{type(e).__name__}: {e}"
d=jnp.array([1.,2.,3.,4.,5.]); i=jnp.array([0,0,1,3,-1])
for n in ("sum","prod","max","min"):
    f=getattr(jax.ops,"segment_"+n)
    print(n, f(d,i), f(d,i,num_segments=3), f(d.astype(int),i,4), f(d,i,5,bucket_size=2), f(jnp.ones((5,2)),i,3))
print(jax.make_jaxpr(lambda d,i: jax.ops.segment_sum(d,i,3))(d,i))
print(attempt(lambda: jax.ops.segment_sum(d,i,-1)))
print(attempt(lambda: jax.ops.segment_sum([1,2],i,2)))
print(jax.ops.segment_max(jnp.array([True,False]), jnp.array([0,2]), 3))
print(jax.ops.segment_min(jnp.array([3,4],dtype="uint8"), jnp.array([0,2]), 3))
