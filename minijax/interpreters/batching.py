"""`jax.interpreters.batching`: rules for batch axes, for primitives of the user's own."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 5: batch axes
from ..layer5_vmap.batching import (
    BatchTrace, BatchTracer, axis_batching_rules as fancy_primitive_batchers, batching_rules as primitive_batchers,
    bdim_at_front, broadcast, moveaxis, not_mapped,
)  # fmt: skip
from ..layer5_vmap.families import defbroadcasting, defreducer, defvectorized
