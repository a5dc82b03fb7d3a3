"""Bessel functions and spherical harmonics."""

from functools import partial
from typing import Any

import numpy as np

from ... import dtypes
from ...aval import typeof
from ...custom_derivative import custom_jvp
from ...jit import jit
from ...jnp.arguments import concrete, concrete_index
from ...jnp.array_creation import asarray
from ...jnp.joining import stack
from ...jnp.promotion import promote_dtypes_inexact
from ...jnp.shaping import atleast_1d
from ...lax import special as lax
from ...lax.elementwise import abs, exp, mul
from ..arguments import inexact


def i0(x: Any) -> Any:
    """The modified Bessel function of order 0."""
    (x,) = inexact("i0", x)
    return mul(exp(abs(x)), lax.bessel_i0e(x))


def i0e(x: Any) -> Any:
    """exp(-|x|) i0(x)."""
    return lax.bessel_i0e(*inexact("i0e", x))


def i1(x: Any) -> Any:
    """The modified Bessel function of order 1."""
    (x,) = inexact("i1", x)
    return mul(exp(abs(x)), lax.bessel_i1e(x))


def i1e(x: Any) -> Any:
    """exp(-|x|) i1(x)."""
    return lax.bessel_i1e(*inexact("i1e", x))


@partial(jit, static_argnames=("v", "n_iter"))
def bessel_jn(z: Any, *, v: int, n_iter: int = 50) -> Any:
    """The Bessel functions of the first kind of the orders 0 to `v`, along a new first axis."""
    (z,) = promote_dtypes_inexact(asarray(z))
    if z.dtype.kind == "c":
        raise ValueError("complex input not supported.")
    v = concrete_index(v, "Argument v of bessel_jn.")
    return stack([_bessel_j(k, z) for k in range(v + 1)])


@partial(custom_jvp, nondiff_argnums=(0,))
def _bessel_j(order: int, z: Any) -> Any:
    return lax.special_function("jv", np.asarray(order, z.dtype), z)


@_bessel_j.defjvp
def _bessel_j_jvp(order: int, primals: Any, tangents: Any) -> tuple[Any, Any]:
    """d J_k = (J_(k-1) - J_(k+1)) / 2."""
    (z,), (t,) = primals, tangents
    return _bessel_j(order, z), t * (_bessel_j(order - 1, z) - _bessel_j(order + 1, z)) / 2


def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, diff_n: int | None = None, n_max: int | None = None) -> Any:
    """The spherical harmonic of degree n and order m at the polar angle theta and the azimuth phi; complex.

    All four are vectors of one length. `n_max`, JAX's bound for n, is not needed here.
    """
    if diff_n is not None:
        raise NotImplementedError("The 'diff_n' argument to jax.scipy.special.sph_harm_y is not supported.")
    concrete(n if n_max is None else n_max, _N_MAX)
    theta = atleast_1d(theta)
    dtype = dtypes.complex_dtype(typeof(theta).dtype)
    return lax.special_function("sph_harm_y", *(atleast_1d(x) for x in (n, m)), theta, atleast_1d(phi), dtype=dtype)


_N_MAX = (
    "The `n_max` argument of `jnp.scipy.special.sph_harm` must be statically specified to use `sph_harm` within JAX "
    "transformations."
)
