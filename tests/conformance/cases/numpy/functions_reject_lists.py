import jax.numpy as jnp
for name, args in [("sum", ([1, 2],)), ("sin", ([1.0],)), ("add", ([1], 2)), ("max", ((1, 2),)), ("reshape", ([1, 2], (2, 1))), ("stack", ([1, 2],)), ("concatenate", ([[1], [2]],)), ("array", ([1, 2],)), ("mean", ([1.0],)), ("dot", ([1], [2])), ("where", ([True], 1, 0)), ("argsort", ([2, 1],)), ("transpose", ([[1]],)), ("linalg.norm", ([3.0, 4.0],)), ("cumsum", ([1],)), ("sort", ([1],)), ("expand_dims", ([1], 0)), ("broadcast_to", ([1], (2, 1))), ("clip", ([1], 0, 1)), ("zeros_like", ([1],)), ("matmul", ([[1]], [[1]])), ("isnan", ([1.0],)), ("unique", ([1, 1],)), ("einsum", ("i->", [1, 2])), ("tile", ([1], 2)), ("full_like", ([1], 2))]:
    f = jnp
    for part in name.split("."): f = getattr(f, part)
    try: print(name, f(*args))
    except Exception as e: print(name, type(e).__name__, str(e).splitlines()[0])
