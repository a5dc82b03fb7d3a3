"""`jax.dtypes`: dtypes beyond NumPy's."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# isort: off
# ---- chapter 1: numbers
from .layer1_core.dtypes import bfloat16, canonicalize_dtype, extended, finfo, float0, iinfo, issubdtype
from .layer1_core.errors import TypePromotionError
from .layer1_core.jnp.asking import itemsize_bits, result_type_of as result_type, scalar_type_of

# ---- chapter 6: dtypes of keys
from .layer6_random.key_types import prng_key
