import jax
import jax.numpy as jnp
import numpy as np

def wk(x): return f"{x.dtype}{'*' if x.aval.weak_type else ''}{x.shape}"
a = jnp.arange(3, dtype=jnp.int8); w = jnp.asarray(3); wf = jnp.asarray(2.5)
for n, f in dict(add=lambda x: x + 1, mul=lambda x: x * 2.0, neg=lambda x: -x, sin=jnp.sin, idx=lambda x: x.reshape(-1)[0], resh=lambda x: x.reshape(1, -1), sum=jnp.sum, mean=jnp.mean, where=lambda x: jnp.where(x > 0, x, 0), where2=lambda x: jnp.where(True, 1, x), cmp=lambda x: x > 0, astype=lambda x: x.astype(x.dtype), stack=lambda x: jnp.stack([x, x]), conc=lambda x: jnp.concatenate([x.reshape(-1), x.reshape(-1)]), full=lambda x: jnp.full((2,), x), zl=jnp.zeros_like, ol=jnp.ones_like, fl=lambda x: jnp.full_like(x, 2), arr=jnp.array, asarr=jnp.asarray, clip=lambda x: jnp.clip(x, 0, 1), mx=lambda x: jnp.maximum(x, 1), pw=lambda x: x ** 2, pwf=lambda x: x ** 2.0, div=lambda x: x / 2, fdiv=lambda x: x // 2, mod=lambda x: x % 2, bcast=lambda x: jnp.broadcast_to(x, (2, 3)), T=lambda x: x.T, sq=jnp.square, ab=abs, rnd=round, sel=lambda x: jax.lax.select(x > 0, x, x), cv=lambda x: jax.lax.convert_element_type(x, float), cs=lambda x: jnp.cumsum(x.reshape(-1)), mm=lambda x: jnp.dot(x, x), exp=jnp.expand_dims if False else (lambda x: jnp.expand_dims(x, 0)), iinv=lambda x: ~x if x.dtype.kind in "iu" else x, tak=lambda x: jnp.take(x.reshape(-1), 0), at=lambda x: x.reshape(-1).at[0].set(1), at2=lambda x: x.reshape(-1).at[0].add(1.5), copy=jnp.copy, rav=jnp.ravel, srt=lambda x: jnp.sort(x.reshape(-1)), real=jnp.real, cplx=lambda x: x + 1j, mxm=jnp.max, prod=jnp.prod, atan2=lambda x: jnp.arctan2(x, 1), lst=lambda x: jnp.array([x.reshape(-1)[0], 1]), lst2=lambda x: jnp.array([1, 2.0])).items():
    r = []
    for x in (a, w, wf):
        try: r.append(wk(f(x)))
        except Exception as e: r.append(type(e).__name__)
    print(n, *r)
    if n not in ("rnd",):
        r2 = []
        for x in (a, w, wf):
            try: r2.append(wk(jax.jit(f)(x)))
            except Exception as e: r2.append(type(e).__name__)
        if r2 != r: print("   jit", r2)
