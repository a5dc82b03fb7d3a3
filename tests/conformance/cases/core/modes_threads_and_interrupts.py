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


log = []
@jax.jit
def f(x):
    log.append(type(x).__name__)
    if jax.config.jax_disable_jit: log.append(float(x))
    return x + 1
print(f(1.0)); 
with jax.disable_jit():
    print(f(2.0), f(2), repr(f(3.0)))
print(log)
with jax.disable_jit():
    print(jax.make_jaxpr(f)(1.0) if False else "", jax.eval_shape(lambda x: x * 2, 1.0))
    print(jax.make_jaxpr(lambda x: jax.jit(lambda y: y * 2)(x))(1.0))
@jax.jit
def g(x):
    with jax.ensure_compile_time_eval():
        a = jnp.arange(3); n = int(a.sum()); 
        print(type(a).__name__, n)
    return x * n + jnp.zeros(n)
print(g(2.0)); print(jax.make_jaxpr(g)(2.0))
def bad(x):
    with jax.ensure_compile_time_eval(): return x + 1
show(lambda: jax.jit(bad)(1.0), 300)
@jax.jit
def h(x):
    with jax.named_scope("a"):
        with jax.named_scope("b"): return jnp.sin(x)
print(h(0.0), jax.make_jaxpr(h)(1.0)); show(lambda: jax.named_scope(3).__enter__())
@jax.named_scope("dec")
def k(x): return x + 1
show(lambda: jax.jit(k)(1.0))
nc = jax.named_call(k, name="foo"); print(nc(1.0), nc.__name__)
def boom(x): raise ValueError("boom")
show(lambda: jax.jit(boom)(1.0)); print(jnp.ones(2) + 1); show(lambda: jax.make_jaxpr(lambda x: jax.jit(boom)(x))(1.0)); print(type(jnp.ones(2)).__name__)
class Interrupt(BaseException): pass
def kb(x): raise KeyboardInterrupt
for fn in (jax.jit(kb), jax.make_jaxpr(kb), jax.jit(jax.jit(kb)), lambda x: jax.eval_shape(kb, x)):
    try: fn(1.0)
    except KeyboardInterrupt: print("interrupted", type(jnp.ones(2)).__name__)
@jax.jit
def cond_raise(x, flag=[True]):
    if flag[0]: flag[0] = False; raise RuntimeError("first")
    return x
show(lambda: cond_raise(1.0)); show(lambda: cond_raise(1.0))
import threading
out = []
def work(i):
    fn = jax.jit(lambda x: jnp.sin(x) * i + jax.jit(lambda y: y * 2)(x))
    for _ in range(5): out.append((i, float(fn(1.0 * i)) == float(fn(1.0 * i)), type(jnp.ones(1)).__name__))
ths = [threading.Thread(target=work, args=(i,)) for i in range(8)]
[th.start() for th in ths]; [th.join() for th in ths]
print(len(out), all(b for _, b, _ in out), {c for _, _, c in out})
@jax.jit
def spawn(x):
    r = []
    th = threading.Thread(target=lambda: r.append(type(jnp.ones(2) + 1).__name__)); th.start(); th.join()
    return x + len(r), 
print(spawn(1.0))
with jax.enable_x64(True):
    r = []; th = threading.Thread(target=lambda: r.append(jnp.ones(1).dtype.name)); th.start(); th.join(); print(r)
print(jax.jit(f).__wrapped__ is f, f.__name__, f.__wrapped__.__name__, jax.jit(jax.jit(lambda x: x))(1))
def doc(x: int, y=2) -> int:
    "docs"
    return x
j = jax.jit(doc); import inspect; print(j.__doc__, inspect.signature(j), j.__module__, j.__qualname__, j.__annotations__, callable(j), inspect.isfunction(j))
