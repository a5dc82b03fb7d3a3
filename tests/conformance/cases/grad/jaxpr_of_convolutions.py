import jax, jax.numpy as jnp
from jax import lax


def show(name, f, *args, **options):
    print(name)
    print(jax.make_jaxpr(jax.grad(lambda *xs: (f(*xs) ** 2).sum(), **options))(*args))


x = jnp.arange(6.0).reshape(2, 3) + 1
both = (0, 1)
image, kernel = jnp.ones((2, 4, 5, 6)), jnp.ones((4, 2, 2, 3))
show("conv", lambda x, k: lax.conv(x, k, (1, 2), "SAME"), jnp.ones((2, 3, 5, 6)), jnp.ones((4, 3, 2, 3)), argnums=both)
grouped = lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "VALID", feature_group_count=2)
show("feature groups", grouped, image, kernel, argnums=both)
grouped = lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "VALID", batch_group_count=2)
show("batch groups", grouped, image, jnp.ones((4, 4, 2, 3)), argnums=both)
dilated = lambda x, k: lax.conv_general_dilated(x, k, (1,), [(2, 1)], (2,), (2,), ("NWC", "WIO", "NWC"), 2)
show("dilated", dilated, jnp.ones((1, 6, 4)), jnp.ones((2, 2, 6)), argnums=both)
wider = lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "VALID", preferred_element_type=jnp.float32)
show("wider", wider, image.astype("bfloat16"), jnp.ones((4, 4, 2, 3), "bfloat16"), argnums=both)
show("nothing", lambda x, k: lax.conv(x, k, (1, 1), "VALID"), image[:, :3, :1], jnp.ones((4, 3, 2, 3)), argnums=both)
