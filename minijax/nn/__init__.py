"""`jax.nn`: activation functions, softmax and its family, attention."""

# isort: off

# ---- chapter 1: activations
from ..layer1_core.nn.activations import (
    celu, elu, gelu, glu, hard_sigmoid, hard_silu, hard_swish, hard_tanh, identity, leaky_relu, log1mexp, log_sigmoid,
    mish, relu, relu6, selu, sigmoid, silu, soft_sign, softplus, sparse_plus, sparse_sigmoid, squareplus, swish,
)  # fmt: skip
from ..layer1_core.jnp.mathematics import tanh

# ---- chapter 1: softmax
from ..layer1_core.nn.softmax import log_softmax, logmeanexp, logsumexp, one_hot, softmax, standardize

# ---- chapter 1: attention and products
from ..layer1_core.nn.attention import dot_product_attention
from ..layer1_core.nn.scaled import scaled_dot_general, scaled_matmul

# ---- chapter 6: initializers
from . import initializers

# ---- names that are not there
from ..layer1_core.later import later as _later

__getattr__ = _later("minijax.nn", {})
