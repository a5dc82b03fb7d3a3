import jax, jax.numpy as jnp
import numpy as np

x = jnp.arange(6).reshape(2, 3)
print(len(x), [r.tolist() for r in x], 4 in x[1], 9 in x[0], x.T.shape, x.mT.shape, -x[0], +x[1], ~x[0], abs(-x[1]))
print(x.item(4) if hasattr(x, "item") else None, x.sum().item(), x[1].tolist(), x.nbytes, x.itemsize, bool(x[0, 1]))
print(np.add(x, 1).__class__.__name__, (np.float32(2) * x).dtype, (x @ x.T).tolist(), (2 ** x)[1], divmod(x[1], 2))
print(x.view(jnp.float32).dtype, x.astype(jnp.float16).sum().dtype, x.at[0].set(9)[0], x.real is x, x.conj().shape)
for bad in [lambda: x.flat, lambda: iter(x[0, 0]), lambda: len(x[0, 0]), lambda: x + [1, 2, 3], lambda: x == "a"]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).splitlines()[0][:80])
