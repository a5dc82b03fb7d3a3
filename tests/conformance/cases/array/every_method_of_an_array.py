import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(6.).reshape(2, 3)
names = ["T", "addressable_data", "addressable_shards", "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "at", "aval", "byteswap", "choose", "clip", "committed", "compress", "conj", "conjugate", "copy", "copy_to_host_async", "cumprod", "cumsum", "delete", "device", "devices", "diagonal", "dot", "dtype", "flat", "flatten", "global_shards", "imag", "is_deleted", "is_fully_addressable", "is_fully_replicated", "is_ready", "item", "itemsize", "mT", "max", "mean", "min", "nbytes", "ndim", "nonzero", "on_device_size_in_bytes", "prod", "ptp", "ravel", "real", "repeat", "reshape", "round", "searchsorted", "shape", "sharding", "size", "sort", "squeeze", "std", "sum", "swapaxes", "take", "to_device", "tobytes", "tolist", "trace", "transpose", "unsafe_buffer_pointer", "var", "view", "weak_type", "block_until_ready", "fill", "itemset", "partition", "put", "resize", "setfield", "setflags", "sort", "strides", "base", "data", "ctypes", "flags", "dump", "newbyteorder", "tofile"]

mine = set(dir(type(x)))
print([n for n in names if n not in mine])
for n in names:
    try:
        v = getattr(x, n)
    except Exception as e:
        print(n, type(e).__name__); continue
    if n in ("is_ready", "byteswap", "delete"): continue
    if n in ("unsafe_buffer_pointer", "at", "global_shards", "addressable_shards", "T", "mT", "real", "imag", "aval", "sharding", "device"):
        print(n, type(v).__name__ if n in ("at",) else "")
    elif callable(v):
        try: r = v()
        except Exception as e: print(n, "()", type(e).__name__, str(e)[:150].split("\n")[0] if type(e) is not TypeError else "")
        else: print(n, "()", r if n not in ("__reduce__",) else "")
    else: print(n, v)
