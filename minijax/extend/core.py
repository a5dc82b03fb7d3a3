"""`jax.extend.core`: the parts of a jaxpr, and Primitive."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)
from ..layer1_core.aval import is_jax_type as valid_jaxtype
from ..layer1_core.errors import JaxprTypeError
from ..layer1_core.jaxpr import (
    ClosedJaxpr,
    DebugInfo,
    DropVar,
    Jaxpr,
    JaxprEqn,
    Literal,
    Var,
    check_jaxpr,
    jaxprs_in_params,
    new_jaxpr_eqn,
    subjaxprs,
)
from ..layer1_core.primitive import Primitive, no_effects
from ..layer1_core.staging import jaxpr_as_fun
from ..layer1_core.trace import set_current_trace
