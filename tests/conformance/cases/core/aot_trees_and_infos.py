import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def f(x, y, n=2): return {"s": x + y, "p": (x * n,)}
tr = f.trace(1.0, jnp.arange(3))
print(tr.jaxpr); print(tr.fun_name); print(tr.out_info); print(tr.in_avals); print(tr.out_tree); print(tr.in_tree)
lo = tr.lower()
print(type(lo).__name__, type(tr).__name__)
print(lo.in_tree, lo.out_tree); print(lo.out_info); print(lo.args_info); print(lo.in_avals); print(lo.donate_argnums)
co = lo.compile()
print(type(co).__name__)
print(co(1.0, jnp.arange(3)))
print(co.in_tree, co.out_tree); print(co.args_info); print(co.in_avals)
