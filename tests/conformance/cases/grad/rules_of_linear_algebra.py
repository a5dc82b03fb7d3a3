import jax, jax.numpy as jnp
import numpy as np
from jax import lax
from jax.lax import linalg

rng = np.random.default_rng(0)
square = jnp.asarray(rng.normal(size=(3, 3)).round(2) + 4 * np.eye(3), jnp.float32)
stack = jnp.stack([square, square.T + 1])
tall = square[:, :2]
z = square + 1j * jnp.asarray(rng.normal(size=(3, 3)).round(2), jnp.float32)
jnp.set_printoptions(precision=3, suppress=True)


def show(name, f, *args, holomorphic=False):
    """Derivatives forward, and backward from cotangents that are all different."""
    out, tangents = jax.jvp(f, args, args)
    _, pull = jax.vjp(f, *args)
    weigh = lambda x: (jnp.arange(1.0, x.size + 1).reshape(x.shape) / x.size).astype(x.dtype)
    cts = jax.tree.map(lambda x: weigh(x) if x.dtype != jnp.int32 else np.zeros(x.shape, jax.dtypes.float0), out)
    print(name)
    for x in [*jax.tree.leaves(tangents), *pull(cts)]:
        if x.dtype != jax.dtypes.float0:
            print(np.asarray(x).round(3) + 0)


positive = lambda x: x @ jnp.matrix_transpose(x).conj()
show("cholesky", lambda x: linalg.cholesky(positive(x)), stack)
show("cholesky, complex", lambda x: linalg.cholesky(positive(x)), z)
show("lu", linalg.lu, stack)
show("lu, complex", linalg.lu, z)
show("qr", linalg.qr, stack)
show("qr, tall and full", linalg.qr, tall)
show("qr, wide", linalg.qr, tall.T)
show("qr, pivoting", lambda x: linalg.qr(x, pivoting=True), square)
show("qr, complex", linalg.qr, z)
show("eigenvalues of a symmetric matrix", lambda x: linalg.eigh(positive(x))[1], stack)
show("eigh, but for signs", lambda x: abs(linalg.eigh(positive(x))[0]), square)
show("eigenvalues", lambda x: abs(linalg.eig(x, compute_left_eigenvectors=False, compute_right_eigenvectors=False)[0]).sum(), square)
show("eig", lambda x: abs(linalg.eig(x, enable_eigvec_derivs=True)[2]).sum(), square)
show("singular values", lambda x: linalg.svd(x, compute_uv=False), stack)
show("svd, but for signs", lambda x: [abs(y) for y in linalg.svd(x, full_matrices=False)], tall)
show("triangular_solve", lambda a, b: linalg.triangular_solve(a, b, left_side=True, lower=True), stack, stack[:, :, :2])
show("tridiagonal_solve", linalg.tridiagonal_solve, square[0], square.diagonal() + 2, square[1], square)
show("solve", jnp.linalg.solve, stack, stack[:, :, :2])
show("inv", jnp.linalg.inv, square)
show("det", jnp.linalg.det, stack)
show("slogdet", lambda x: jnp.linalg.slogdet(x)[1], stack)
show("pinv", jnp.linalg.pinv, tall)
show("lstsq", lambda a, b: jnp.linalg.lstsq(a, b)[0], tall, square[:, 0])
show("norm", lambda x: jnp.linalg.norm(x, ord=2), square)
show("nuclear norm", lambda x: jnp.linalg.norm(x, ord="nuc"), square)
show("matrix_power", lambda x: jnp.linalg.matrix_power(x, 3), square)
show("expm", jax.scipy.linalg.expm, square / 4)
