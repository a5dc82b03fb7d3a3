# What has no tangent gets an array that holds nothing, wherever it comes out: of jit, vmap and loops too.
import jax, jax.numpy as jnp, numpy as np
import jax.custom_derivatives
from jax.custom_derivatives import zero_from_primal

float0 = jax.dtypes.float0
slope = jax.grad(lambda n: (n * 1.0).sum(), allow_int=True)


def show(tree):
    print([(isinstance(x, np.ndarray), isinstance(x, jax.Array), x.dtype == float0, x.shape) for x in jax.tree.leaves(tree)])


n = jnp.arange(3)
show(slope(n))
show(jax.jit(slope)(n))
show(jax.jit(slope)(n))
show(jax.vmap(slope)(n))
show(jax.lax.scan(lambda c, i: (c, slope(i)), n, n)[1])
show(jax.lax.cond(True, slope, slope, n))
show(jnp.zeros((2, 3), float0))
show(jax.jit(lambda x: x)(np.zeros(3, float0)))
show(jax.jit(slope).lower(n).compile()(n))
show(jax.jit(lambda n: jax.jvp(lambda x, n: (x * n, n), (2.0, n), (1.0, np.zeros((), float0)))[1])(3)[1])

# the zero tangents that rules give

print(zero_from_primal(jnp.ones(2)), zero_from_primal(jnp.ones(2), symbolic_zeros=True))
show(zero_from_primal(n))


@jax.custom_jvp
def flat(x, n):
    return x * n


flat.defjvp(lambda primals, tangents: (flat(*primals), zero_from_primal(primals[0])))
print(jax.grad(flat)(1.0, 2), jax.jit(jax.grad(flat))(1.0, 2))
flat.defjvp(lambda p, t: (flat(*p), zero_from_primal(p[0], symbolic_zeros=True)), symbolic_zeros=True)
print(jax.jvp(lambda x: flat(x, 2), (1.0,), (1.0,)), jax.grad(flat)(1.0, 2))

# integers among the arguments of a special function

print(jax.grad(jax.scipy.special.zeta, 1)(2, 1.5))
