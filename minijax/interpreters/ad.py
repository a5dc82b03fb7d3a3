"""`jax.interpreters.ad`: rules of differentiation, for primitives of the user's own."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 4: derivatives
from ..layer1_core.lax.shaping import zeros_like_aval
from ..layer4_grad.families import defbilinear, defjvp, defjvp2, defjvp_zero, deflinear, deflinear2
from ..layer4_grad.jvp import JVPTrace, JVPTracer, jvp_rules as primitive_jvps
from ..layer4_grad.tangents import Zero, add_any_p as add_jaxvals_p, add_tangents, instantiate as instantiate_zeros
from ..layer4_grad.transpose import UndefinedPrimal, is_undefined_primal, transpose_rules as primitive_transposes

add_jaxvals = add_jaxvals_p.bind
get_primitive_transpose = primitive_transposes.__getitem__
