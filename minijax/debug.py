"""`jax.debug`: printing from inside of programs, and calling Python there."""

# ---- chapter 3: control flow
# ruff: noqa: F401 (this module is an index: it imports to re-export)
from .layer1_core.later import later as _later
from .layer3_control.debug import debug_callback as callback, debug_print as print
from .layer3_control.effects import DebugEffect, OrderedDebugEffect

__getattr__ = _later(
    "minijax.debug",
    {7: ["inspect_array_sharding", "visualize_array_sharding", "visualize_sharding"]},
    {
        "breakpoint": "pass `breakpoint` to jax.debug.callback, or run with jax.disable_jit() under Python's debugger",
        "log": "jax.debug.callback(logging.info, ...) calls Python's logging",
    },
)

# ---- chapter 7: shardings
from .layer7_sharding.showing import inspect_array_sharding, visualize_array_sharding, visualize_sharding
