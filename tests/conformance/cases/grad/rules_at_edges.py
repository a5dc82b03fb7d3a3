import jax, jax.numpy as jnp
import numpy as np
from jax import lax

inf, nan = np.inf, np.nan
w = jnp.array([1.0, 10.0, 100.0])


def show(name, f, *args):
    out = jax.grad(lambda *xs: f(*xs).sum(), argnums=tuple(range(len(args))))(*args)
    print(name, *out)


points = jnp.array([0.0, -0.0, 1.0, inf, -inf, nan])
for name in [
    "abs", "sqrt", "rsqrt", "cbrt", "square", "reciprocal", "sign", "exp", "log", "log1p", "tanh", "logistic", "sin",
    "atan", "asinh", "erf", "lgamma", "bessel_i0e", "bessel_i1e", "floor", "integer_pow",
]:
    f = getattr(lax, name)
    show(name, f if name != "integer_pow" else lambda x: lax.integer_pow(x, 3), points)
show("digamma", lax.digamma, jnp.array([0.0, -0.0, 1.0, -inf, nan]))
show("erf_inv", lax.erf_inv, jnp.array([-1.0, 0.0, 1.0]))
show("asin", lax.asin, jnp.array([-1.0, 0.0, 1.0]))
show("acosh", lax.acosh, jnp.array([1.0, 2.0]))
base, power = (jnp.array(v) for v in zip(*[(0.0, 0.0), (0.0, 1.0), (0.0, 2.0), (1.0, 0.0), (-2.0, 2.0), (inf, 1.0)]))
show("pow", lax.pow, base, power)
show("pow of integers", lambda x: lax.pow(x, jnp.array([0, 1, 2])), jnp.zeros(3))
show("atan2", lax.atan2, jnp.array([0.0, 0.0, 1.0]), jnp.array([0.0, 1.0, 0.0]))
show("rem", lax.rem, jnp.array([5.0, -5.0, 4.0]), jnp.array([3.0, 3.0, 2.0]))
show("max", lax.max, jnp.array([1.0, 2.0, nan]), jnp.array([1.0, 1.0, 1.0]))
show("clamp", lax.clamp, w * 0 + 10, w, w * 0 + 100)
show("clip", lambda x: jnp.clip(x, 1, 10), w)
show("logaddexp", jnp.logaddexp, jnp.array([-inf, inf, 0.0]), jnp.array([-inf, 0.0, 0.0]))
tied = jnp.array([2.0, 3.0, 3.0, 1.0])
show("reduce_max", lambda x: lax.reduce_max(x, (0,)), tied)
show("reduce_min", lambda x: lax.reduce_min(x, (0,)), jnp.ones((2, 3)))
show("reduce_max of nan", lambda x: lax.reduce_max(x, (0,)), jnp.array([1.0, nan]))
show("reduce_prod of zeros", lambda x: lax.reduce_prod(x, (0,)), jnp.array([0.0, 2.0, 3.0]))
show("reduce_prod of two zeros", lambda x: lax.reduce_prod(x, (0,)), jnp.array([0.0, 0.0, 3.0]))
show("reduce_prod of nothing", lambda x: lax.reduce_prod(x, (0,)), jnp.ones((0, 2)))
show("reduce_sum of nothing", lambda x: lax.reduce_sum(x, (0,)), jnp.ones((0, 2)))
show("cumprod of zeros", lambda x: lax.cumprod(x) * w, jnp.array([2.0, 0.0, 3.0]))
show("cummax of ties", lambda x: lax.cummax(x) * w, jnp.array([1.0, 1.0, 1.0]))
show("cummin", lambda x: lax.cummin(x) * w, jnp.array([3.0, 1.0, 1.0]))
show("cumlogsumexp", lambda x: lax.cumlogsumexp(x) * w, jnp.array([-inf, 0.0, inf]))
show("sort of ties", lambda x: lax.sort(x) * w, jnp.array([1.0, 0.0, 1.0]))
show("sort of nan", lambda x: lax.sort(x) * w, jnp.array([nan, 0.0, -0.0]))
show("top_k of ties", lambda x: lax.top_k(x, 2)[0] * w[:2], tied)
show("norm", jnp.linalg.norm, jnp.zeros(3))
show("std", jnp.std, jnp.ones(3))
show("pooling of ties", lambda x: lax.reduce_window(x, -inf, lax.max, (2,), (1,), "VALID") * w, jnp.array([1.0, 1, 0, 0]))
show("pooling of nan", lambda x: lax.reduce_window(x, -inf, lax.max, (2,), (1,), "SAME"), jnp.array([1.0, nan, 0.0]))
i = jnp.array([0, 0, 2])
show("x[i]", lambda x: x[i] * w, jnp.ones(3))
show("x.at[i].add", lambda x, u: x.at[i].add(u) * w, jnp.ones(3), w)
show("x.at[i].max of ties", lambda x, u: x.at[i].max(u) * w, jnp.ones(3), jnp.ones(3))
show("x.at[i].min", lambda x, u: x.at[i].min(u) * w, jnp.ones(3), jnp.array([0.0, 0.0, 5.0]))
show("x.at[9].set", lambda x, u: x.at[9].set(u, mode="drop") * w, jnp.ones(3), 1.0)
show("take outside", lambda x: jnp.take(x, jnp.array([1, 7])), w)
show("clip outside", lambda x: jnp.take(x, jnp.array([1, 7]), mode="clip"), w)
show("dynamic_slice outside", lambda x: lax.dynamic_slice(x, (2,), (2,)), w)
show("abs of complex zero", abs, jnp.array([0j, 1j, 3 + 4j]))
