import jax, jax.numpy as jnp
from jax import lax
from jax.lax import linalg

square = jnp.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 5.0]])
wide = square[:2]


def show(name, f, *args, **options):
    print(name)
    loss = lambda *xs: sum((abs(y) ** 2).sum() for y in jax.tree.leaves(f(*xs)) if y.dtype != jnp.int32)
    try:
        print(jax.make_jaxpr(lambda *xs: jax.jvp(f, xs, xs)[1])(*args))
        print(jax.make_jaxpr(jax.grad(loss, **options))(*args))
    except NotImplementedError as e:
        print(e)


show("cholesky", linalg.cholesky, square)
for kind, x in [("square", square), ("wide", wide), ("tall", wide.T)]:
    show(f"lu {kind}", lambda x: linalg.lu(x)[0], x)
    show(f"qr {kind}", lambda x: linalg.qr(x, full_matrices=False), x)
    show(f"svd {kind}", lambda x: linalg.svd(x, full_matrices=False), x)
show("eigh", linalg.eigh, square)
show("singular values", lambda x: linalg.svd(x, compute_uv=False), square)
show("full svd", linalg.svd, wide)
show("eigenvectors", linalg.eig, square)
for left in (False, True):
    for lower in (False, True):
        options = dict(left_side=left, lower=lower, transpose_a=left == lower, unit_diagonal=lower)
        solve = lambda a, b: linalg.triangular_solve(a, b, **options)
        show(f"triangular_solve {left} {lower}", solve, square, wide.T if left else wide, argnums=(0, 1))
low, middle, up = square
show("tridiagonal_solve", linalg.tridiagonal_solve, low, middle + 3, up, square, argnums=(0, 1, 2, 3))
show("tridiagonal_solve, by b", lambda b: linalg.tridiagonal_solve(low, middle + 3, up, b), square)
for name in ["schur", "hessenberg", "tridiagonal"]:
    show(name, lambda x: getattr(linalg, name)(x)[0], square)
