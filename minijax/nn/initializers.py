"""`jax.nn.initializers`: the first values of a network's weights."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 6: initializers
from ..layer6_random.initializers import (
    Initializer, constant, delta_orthogonal, glorot_normal, glorot_uniform, he_normal, he_uniform, kaiming_normal,
    kaiming_uniform, lecun_normal, lecun_uniform, normal, ones, orthogonal, truncated_normal, uniform,
    variance_scaling, xavier_normal, xavier_uniform, zeros,
)  # fmt: skip
