"""`jax.interpreters`: the tables of rules, for people who write primitives of their own."""

# isort: off

# ---- chapter 4: derivatives
from . import ad

# ---- chapter 5: batch axes
from . import batching
