"""`jax.experimental`: what may still change in JAX."""

# ---- chapter 3: control flow
from ..layer1_core.later import later as _later
from ..layer3_control.callbacks import io_callback

__getattr__ = _later("minijax.experimental", {})
