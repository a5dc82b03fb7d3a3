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


print(repr(jnp.arange(2000)))
print(jnp.arange(2000.).reshape(40, 50))
print(repr(jnp.zeros((0,))), repr(jnp.zeros((2, 0))), repr(jnp.zeros((0, 3), int)), jnp.zeros((0,)))
print(repr(jnp.float32(3)), repr(jnp.array(True)), repr(jnp.array(1 + 2j)), repr(jnp.array(3)), repr(jnp.bfloat16(1.5)), repr(jnp.array([1.5, 2], jnp.bfloat16)), repr(jnp.float16(0.1)))
print(jnp.float32(3), jnp.array(True), jnp.array(1 + 2j), jnp.bfloat16(1.1), jnp.array([1.1, 2], jnp.bfloat16))
print(repr(jnp.array([[1 + 2j, 3], [0, 1j]])), jnp.array([1 + 2j]))
print(repr(jnp.array([True, False])), jnp.array([[True], [False]]))
print(repr(jnp.array([jnp.nan, jnp.inf, -jnp.inf, 0.])), repr(jnp.array([1e10, 1e-10])), repr(jnp.array([1e5, 1.5])))
print(repr(jnp.arange(24).reshape(2, 3, 4)))
print(repr(jnp.ones(20, jnp.int8)), repr(jnp.arange(15, dtype=jnp.uint8)), repr(jnp.arange(17)), repr(jnp.arange(18)))
for k in range(14, 24): print(repr(jnp.arange(k) * 100))
with np.printoptions(threshold=5, edgeitems=2, precision=2, linewidth=40, suppress=True):
    print(repr(jnp.arange(100.) / 3)); print(jnp.arange(100.) / 3); print(repr(jnp.float32(1/3))); print(repr(jnp.ones((3, 3))))
print(f"{jnp.float32(2.5)} {jnp.float32(2.5):.3f} {jnp.int32(7):05d} {jnp.arange(3)} {jnp.bfloat16(2.5)} {jnp.array(True)}")
show(lambda: f"{jnp.arange(3):.2f}"); show(lambda: format(jnp.float32(2), "d")); print("%.2f %d %s" % (jnp.float32(1.234), jnp.int32(3), jnp.arange(2)))
