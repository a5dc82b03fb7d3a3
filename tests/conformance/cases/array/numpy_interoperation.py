import re

import jax
import jax.numpy as jnp
import numpy as np


def show(f, n=200):
    """Print what f returns, or its error's class and the first line of its message."""
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", re.sub(r" at 0x[0-9a-f]+", "", str(e))[:n].split("\n")[0])


x = jnp.arange(6, dtype=jnp.int32)
n = np.arange(6)
print(type(x + n).__name__, type(n + x).__name__, (n + x).dtype)
n2 = np.ones(6, np.float32); n2 += x; print(type(n2).__name__, n2)
n3 = np.arange(6); 
def ip():
    global n3
    n3 += x
    return n3
show(ip)
y = x; y += n; print(type(y).__name__, y, x)
print(type(np.sin(x)).__name__, np.sin(x).dtype, type(np.add(x, x)).__name__, type(np.add(n, x)).__name__)
print(np.asarray(x, dtype=np.float64).dtype, np.array(x, dtype="int8").dtype, np.asarray(x).flags.writeable, np.array(x).flags.writeable)
print(type(x == n).__name__, (x == n).all(), type(n == x).__name__, (n < x).any())
show(lambda: x == np.arange(5)); show(lambda: np.arange(5) == x); show(lambda: x + np.arange(5))
print(np.sum(x), type(np.sum(x)).__name__, np.mean(x), np.max(x), type(np.max(x)).__name__, np.dot(x, x), np.concatenate([x, x]).dtype, type(np.concatenate([x, x])).__name__)
print(np.shape(x), np.ndim(x), np.size(x), np.stack([x, x]).shape, type(np.where(x > 2, x, 0)).__name__, np.reshape(x, (2, 3)).shape, type(np.reshape(x, (2, 3))).__name__)
print(type(np.transpose(x)).__name__, type(np.squeeze(x)).__name__, type(np.cumsum(x)).__name__, type(np.round(x)).__name__, type(np.clip(x, 0, 1)).__name__, type(np.sort(x)).__name__, type(np.argmax(x)).__name__)
print(np.float32(2) * x, type(np.float32(2) * x).__name__, type(x * np.float32(2)).__name__, (x * np.float64(2)).dtype, (np.int64(2) * x).dtype, (np.float64(2.5) * x))
a = np.asarray(x)
show(lambda: a.__setitem__(0, 5))
b = np.array(x); b[0] = 100; print(x[0])
src = np.arange(3.); j = jnp.asarray(src); k = jnp.array(src); src[0] = 99; print(j, k)
f = jax.jit(lambda v: v * 1); src = np.arange(3.); o = f(src); src[:] = -1; print(o)
print(memoryview(x).shape if False else memoryview(np.asarray(x)).shape)
print(list(x)[:2], [type(v).__name__ for v in x][:1], x.tolist(), tuple(jnp.arange(2)))
print(np.array([x[0], x[1]]), np.array([x, x]).shape, np.array(jnp.float32(3)))
print(np.testing.assert_allclose(x, n), np.array_equal(x, n), np.allclose(x, n))
print(np.issubdtype(x.dtype, np.integer), x.dtype == np.int32, x.dtype is jnp.int32, x.dtype == jnp.int32, x.dtype.type is np.int32, x.dtype.name)
print(n[x], n[jnp.array(2)], [1, 2, 3][jnp.array(1)], range(5)[jnp.array(2)], n[jnp.array([True, False] * 3)])
print(5 in x, jnp.array(5) in x, "a" in [1], divmod(x, 4), pow(x, 2), pow(2, x), round(jnp.float32(2.567), 2), abs(-x))
import math, operator; print(math.sqrt(jnp.float32(4)), operator.index(jnp.int32(3)), math.floor(jnp.float32(2.5)), complex(jnp.float32(2)), float(jnp.array([2.])) if False else "")
