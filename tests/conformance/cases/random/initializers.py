import jax
import jax.numpy as jnp
from jax.nn import initializers

key = jax.random.key(0)


def show(make, *args, **kwargs):
    try:
        print(make(*args, **kwargs))
    except Exception as e:
        print(type(e).__name__, e)


for name in ["glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform", "kaiming_normal", "xavier_uniform"]:
    make = getattr(initializers, name)
    print(name, make.__name__)
    show(make(), key, (2, 3))
    show(make(in_axis=0, out_axis=(1, 2), dtype="bfloat16"), key, (2, 1, 3))
for init in [initializers.normal(), initializers.uniform(2), initializers.truncated_normal(0.5, lower=-1, upper=1), initializers.constant(jnp.arange(3)), initializers.zeros, initializers.ones]:
    show(init, key, (2, 3))
    show(init, key, (3,), "float16")
    print(isinstance(init, initializers.Initializer))
for mode in ["fan_in", "fan_out", "fan_avg", "fan_geo_avg", "fan"]:
    for distribution in ["truncated_normal", "normal", "uniform", "other"]:
        show(initializers.variance_scaling(2.0, mode, distribution, batch_axis=0), key, (2, 2, 3))
        show(initializers.variance_scaling(2.0, mode, distribution), key, (2, 3), jnp.complex64)
show(initializers.orthogonal(2.0), key, (2, 3))
show(initializers.orthogonal(column_axis=0), key, (3, 2, 2))
show(initializers.orthogonal(), key, (3,))
show(initializers.delta_orthogonal(), key, (3, 2, 3))
show(initializers.delta_orthogonal(column_axis=0), key, (1, 1, 2, 2))
show(initializers.delta_orthogonal(), key, (3, 3))
show(initializers.delta_orthogonal(), key, (2, 5, 3))
show(initializers.glorot_normal(), key, (3,))
show(initializers.glorot_normal(), key, 3)
show(initializers.glorot_normal(in_axis=0), key, (3,))
show(initializers.glorot_normal(in_axis=-3), key, (3, 2))
show(initializers.glorot_normal(), key, (0, 3))
show(initializers.he_normal(), key, (2, 3), jnp.int32)
print(jax.make_jaxpr(lambda k: initializers.glorot_uniform()(k, (2, 3)))(key))
print(jax.make_jaxpr(lambda k: initializers.he_normal()(k, (2, 3)))(key))
print(jax.make_jaxpr(lambda k: initializers.variance_scaling(2.0, "fan_avg", "uniform")(k, (2, 3), jnp.complex64))(key))
