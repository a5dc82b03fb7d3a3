import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
m = jnp.ones((3, 3))

show("cholesky", lambda a: jnp.linalg.cholesky(a), 0, jnp.ones((4,3,3)))
show("tri", lambda a,b: lax.linalg.triangular_solve(a,b,left_side=True), (None,0), m, jnp.ones((4,3,2)))
show("tri_r", lambda a,b: lax.linalg.triangular_solve(a,b), (None,1), m, jnp.ones((2,4,3)))
show("tri_b", lambda a,b: lax.linalg.triangular_solve(a,b), (0,None), jnp.ones((4,3,3)), jnp.ones((2,3)))
show("tridiag", lambda a,b: lax.linalg.tridiagonal_solve(a,a,a,b), (None,0), x[0], jnp.ones((4,3,2)))
show("tridiag_b", lambda a,b: lax.linalg.tridiagonal_solve(a,a,a,b), (0,None), x, jnp.ones((3,2)))
show("eigh", lambda a: jnp.linalg.eigh(a), 1, jnp.ones((3,4,3)))
show("qr", lambda a: jnp.linalg.qr(a), 0, jnp.ones((4,3,3)))
show("svd", lambda a: jnp.linalg.svd(a), 0, jnp.ones((4,3,2)))
show("lu", lambda a: lax.linalg.lu(a), 0, jnp.ones((4,3,3)))
show("det", lambda a: jnp.linalg.det(a), 0, jnp.ones((4,3,3)))
