import jax, jax.numpy as jnp
from jax import lax


def cnn(p, x):
    for w in p[:2]:
        x = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(x)
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = x.reshape(x.shape[0], -1) @ p[2]
    return -jnp.take_along_axis(jax.nn.log_softmax(x), jnp.array([[1], [0]]), axis=1).mean()


p = [jnp.ones((3, 3, 1, 2)), jnp.ones((3, 3, 2, 3)), jnp.ones((12, 5))]
print(jax.make_jaxpr(jax.grad(cnn))(p, jnp.ones((2, 8, 8, 1))))


def attention(w, x):
    q, k, v = jnp.split(x @ w, 3, axis=-1)
    s = jnp.einsum("btd,bsd->bts", q, k) / jnp.sqrt(4.)
    s = jnp.where(jnp.tril(jnp.ones((3, 3), bool)), s, -jnp.inf)
    o = jax.nn.softmax(s) @ v
    o = (o - o.mean(-1, keepdims=True)) / jnp.sqrt(o.var(-1, keepdims=True) + 1e-5)
    return jax.nn.gelu(o).sum()


print(jax.make_jaxpr(jax.grad(attention))(jnp.ones((4, 12)), jnp.ones((2, 3, 4))))


def embed(e, ids):
    h = e[ids]
    h = jnp.concatenate([h[:, 1:], jnp.zeros_like(h[:, :1])], 1) + jnp.cumsum(h, 1)
    return jax.nn.logsumexp(jnp.tanh(h) @ e.T, -1).max(0).sum()


print(jax.make_jaxpr(jax.grad(embed))(jnp.ones((5, 4)), jnp.zeros((2, 3), int)))
print(jax.make_jaxpr(jax.value_and_grad(lambda x: jnp.sort(jnp.percentile(x, jnp.array([20., 50.]), axis=1).ravel())[0]))(jnp.ones((3, 4))))
print(jax.make_jaxpr(jax.grad(lambda x: jnp.median(x) + jnp.std(x) + jnp.prod(x) + jnp.max(x)))(jnp.ones((3, 4))))
