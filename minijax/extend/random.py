"""`jax.extend.random`: implementations of keys."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 6: random numbers
from ..layer6_random.blocks import threefry2x32_p
from ..layer6_random.implementation import threefry_2x32, threefry_prng_impl
from ..layer6_random.key_types import define_prng_impl
from ..layer6_random.primitives import random_seed, seed_with_impl
