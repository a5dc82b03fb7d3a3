# exact
# Draws of each sampler, bit for bit, where JAX's arithmetic is the same on every processor.
import numpy as np
import jax
import jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
R, key = jax.random, jax.random.key(11)
SAMPLERS = {
    "uniform": lambda d: R.uniform(key, (5,), d, -2, 3),
    "normal": lambda d: R.normal(key, (200,), d)[::40],
    "normal, far": lambda d: jnp.sort(R.normal(key, (3000,), d))[:4],
    "truncated_normal": lambda d: R.truncated_normal(key, -1, 2, (5,), d),
    "exponential": lambda d: R.exponential(key, (5,), d),
    "laplace": lambda d: R.laplace(key, (5,), d),
    "logistic": lambda d: R.logistic(key, (5,), d),
    "gumbel": lambda d: R.gumbel(key, (5,), d),
    "gumbel, high": lambda d: R.gumbel(key, (5,), d, mode="high"),
    "lognormal": lambda d: R.lognormal(key, jnp.asarray(0.7, d), (200,), d)[::40],
    "pareto": lambda d: R.pareto(key, 3.0, (5,), d),
    "rayleigh": lambda d: R.rayleigh(key, jnp.asarray(2, d), (5,), d),
    "triangular": lambda d: R.triangular(key, 0.0, 1.0, 4.0, (5,), d),
    "maxwell": lambda d: R.maxwell(key, (5,), d),
    "maxwell, many": lambda d: R.maxwell(key, (1500,), d)[::300],
    "double_sided_maxwell": lambda d: R.double_sided_maxwell(key, 1.0, 2.0, (5,), d),
    "wald": lambda d: R.wald(key, jnp.asarray(3, d), (5,), d),
    "f": lambda d: R.f(key, jnp.asarray(5, d), jnp.asarray(7, d), (300,), d)[::60],
}
for name, draw in SAMPLERS.items():
    for dtype in ("float32", "float64"):
        print(name, dtype, *(float(x).hex() for x in np.asarray(draw(jnp.dtype(dtype)))))
for name, draw in {
    "gamma": lambda: R.gamma(key, 2.5, (4,), jnp.float64),
    "small gamma": lambda: R.gamma(key, 0.3, (4,), jnp.float64),
    "loggamma": lambda: R.loggamma(key, 0.3, (4,), jnp.float64),
    "t": lambda: R.t(key, 4.0, (4,), jnp.float64),
}.items():
    print(name, *(float(x).hex() for x in np.asarray(draw())))
