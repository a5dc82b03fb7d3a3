# What asks a tracer for a place or for buffers is refused; what it does not have is an AttributeError, so hasattr works.
import jax, jax.numpy as jnp


def told(x):
    for name in ("sharding", "committed", "device", "addressable_shards", "global_shards", "is_fully_replicated",
                 "is_fully_addressable", "block_until_ready", "copy_to_host_async", "nonsense"):
        try:
            getattr(x, name)
        except Exception as error:
            print(type(error).__name__, "|", *str(error).split("The error occurred")[0].split("\n"))
    for name in ("devices", "delete", "is_deleted", "unsafe_buffer_pointer", "on_device_size_in_bytes"):
        try:
            getattr(x, name)()
        except Exception as error:
            print(type(error).__name__, "|", *str(error).split("The error occurred")[0].split("\n"))
    print(hasattr(x, "device"), hasattr(x, "sharding"), hasattr(x, "devices"))
    return x


jax.jit(told)(jnp.ones(3))
