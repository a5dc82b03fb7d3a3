"""`jax.dtypes`: dtypes beyond NumPy's."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)
from .layer1_core.dtypes import bfloat16, canonicalize_dtype, finfo, float0, iinfo, issubdtype
from .layer1_core.errors import TypePromotionError
from .layer1_core.jnp.asking import result_type
