import jax
import jax.numpy as jnp
import numpy as np

mj = jax.make_jaxpr
xs = {"b": jnp.array([True]), "i8": jnp.ones(1, jnp.int8), "u8": jnp.ones(1, jnp.uint8), "i32": jnp.ones(1, jnp.int32), "u32": jnp.ones(1, jnp.uint32), "f16": jnp.ones(1, jnp.float16), "bf": jnp.ones(1, jnp.bfloat16), "f32": jnp.ones(1), "c": jnp.ones(1, jnp.complex64), "wi": jnp.asarray(1), "wf": jnp.asarray(1.0), "pi": 1, "pf": 1.0, "pb": True, "pc": 1j, "ni64": np.int64(1), "nf64": np.float64(1), "nf32": np.float32(1), "na64": np.ones(1), "nai": np.arange(1)}
for a in xs:
    row = []
    for b in xs:
        try:
            r = jnp.add(xs[a], xs[b]); row.append(f"{r.dtype.name}{'*' if r.weak_type else ''}")
        except Exception as e: row.append(type(e).__name__)
    print(a, *row)
for op in ["x / y", "x // y", "x ** y", "x % y", "x & y", "x << y", "x == y", "-x", "~x", "x @ y", "jnp.maximum(x, y)", "jnp.where(x.astype(bool) if hasattr(x, 'astype') else x, x, y)", "jnp.arctan2(x, y)", "divmod(x, y)[0]", "jnp.logical_and(x, y)", "jnp.hypot(x, y)"]:
    for a, b in [("b", "b"), ("b", "pi"), ("i8", "pi"), ("i8", "pf"), ("i8", "u8"), ("i32", "u32"), ("i32", "f16"), ("bf", "f16"), ("f16", "pc"), ("f32", "nf64"), ("i32", "ni64"), ("pi", "wf"), ("u8", "pb"), ("i8", "na64"), ("c", "f32")]:
        x, y = xs[a], xs[b]
        try: r = eval(op); s = f"{r.dtype.name}{'*' if r.weak_type else ''}"
        except Exception as e: s = type(e).__name__
        print(op, a, b, s)
for a, b in [("i8", "pi"), ("f16", "pf"), ("i32", "f32"), ("b", "i8"), ("i8", "u8"), ("wi", "f16"), ("f32", "na64"), ("f16", "nf32")]: print(mj(lambda x, y: x + y)(xs[a], xs[b])); print(mj(lambda x: x * xs[b])(xs[a]))
