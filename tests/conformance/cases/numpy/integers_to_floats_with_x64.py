import jax
import jax.numpy as jnp
import jax.scipy.special
import jax.scipy.stats

jax.config.update("jax_enable_x64", True)

KINDS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "float32"]


def table(name, f):
    """Print the dtype that f gives for ones of each kind."""
    print(name, [str(jnp.dtype(f(jnp.ones(3, kind)).dtype)) for kind in KINDS])


table("mean", jnp.mean)
table("var", jnp.var)
table("average", jnp.average)
table("median", jnp.median)
table("quantile", lambda x: jnp.quantile(x + x, 0.5))
table("sin", jnp.sin)
table("divide", lambda x: x / x)
table("arctan2", lambda x: jnp.arctan2(x, x))
table("sqrt", jnp.sqrt)
table("norm", jnp.linalg.norm)
table("fft", lambda x: jnp.fft.fft(x + x))
table("rfft", lambda x: jnp.fft.rfft(x + x))
table("linspace", lambda x: jnp.linspace(x[0], 3, 4))
table("histogram", lambda x: jnp.histogram(x + x, 2)[0])
table("erf", jax.scipy.special.erf)
table("norm.pdf", jax.scipy.stats.norm.pdf)
table("square", jnp.square)
table("power", lambda x: jnp.power(x, x))
table("floor_divide", lambda x: x // x)
table("left_shift", lambda x: jnp.left_shift(x, x) if x.dtype != "float32" else x)
print(jax.make_jaxpr(jnp.mean)(jnp.ones(3, "int32")))
print(jax.make_jaxpr(jnp.mean)(jnp.ones(3, "int64")))
print(jnp.full((2,), 2**63 + 5), jnp.full((2,), -(2**63)))
