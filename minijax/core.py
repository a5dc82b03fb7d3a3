"""`jax.core`: avals, tracers and the evaluator of jaxprs."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)
from .layer1_core.aval import AbstractValue, ShapedArray
from .layer1_core.evaluate import ensure_compile_time_eval
from .layer1_core.jaxpr import Atom
from .layer1_core.staging import eval_jaxpr
from .layer1_core.trace import Trace, Tracer
