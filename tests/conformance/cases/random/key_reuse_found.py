import jax, jax.numpy as jnp

R = jax.random

def attempt(f):
    try:
        f()
        print("fine")
    except Exception as e:
        print(type(e).__name__, "|", str(e).splitlines()[0])

def twice(): k = R.key(0); R.bits(k); R.bits(k)
def after_split(): k = R.key(0); R.split(k); R.normal(k)
def split_after(): k = R.key(0); R.normal(k); R.split(k)
def of_array(): ks = R.split(R.key(0), 3); R.bits(ks[0]); R.bits(ks[1]); R.bits(ks[0])
def mapped(): ks = R.split(R.key(0), 3); jax.vmap(R.bits)(ks); R.bits(ks[1])
def jitted(): jax.jit(lambda k: R.bits(k) + R.bits(k))(R.key(0))
def jitted_calls(): jax.jit(lambda k: R.normal(k) + R.uniform(k))(R.key(0))
def branch(): k = R.key(0); jax.lax.cond(True, lambda k: R.bits(k), lambda k: jnp.uint32(1), k); R.bits(k)
def in_grad(): k = R.key(0); jax.grad(lambda x: x * R.uniform(k))(1.0); R.bits(k)
def in_vmap(): k = R.key(0); jax.vmap(lambda x: x * R.uniform(k))(jnp.arange(3.0)); R.bits(k)
def scan(): k = R.key(0); jax.lax.scan(lambda c, x: (c, R.bits(k)), 0, None, length=2)

with jax.debug_key_reuse(True):
    for f in (twice, after_split, split_after, of_array, mapped, jitted, jitted_calls, branch, in_grad, in_vmap, scan):
        attempt(f)
twice()
