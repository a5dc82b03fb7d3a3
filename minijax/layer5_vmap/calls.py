"""Calls on batches: jit, what is computed again by a checkpoint, and values that have a name."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.jit_call import jit_p
from ..layer1_core.primitive import Primitive
from ..layer4_grad.calls import closed_call_p
from ..layer4_grad.checkpoint import remat_p
from ..layer4_grad.naming import name_p
from ..layer4_grad.programs import closed_over_nothing
from .axes import AxisData
from .batching import Dims, axis_batching_rules, dims_of, marks_of
from .families import defvectorized
from .programs import batch_jaxpr, batch_jaxpr_axes

Result = tuple[list[Any], Dims]


def _call_rule(
    primitive: Primitive, program: str, axis: AxisData, args: Sequence[Any], dims: Dims, **params: Any
) -> Result:
    """A call of the program of batches. The results have their batch axes where they come to stand."""
    made, out_dims = batch_jaxpr(params[program], axis, tuple(dims))
    return primitive.bind(*args, **(params | {program: made})), out_dims


axis_batching_rules[jit_p] = partial(_call_rule, jit_p, "jaxpr")
axis_batching_rules[closed_call_p] = partial(_call_rule, closed_call_p, "call_jaxpr")


def _remat_rule(axis: AxisData, args: Sequence[Any], dims: Dims, *, jaxpr: Jaxpr, **params: Any) -> Result:
    """The results have their batch axes in front."""
    places = tuple(dims_of(marks_of(batch_jaxpr(jaxpr, axis, tuple(dims))[1])))
    made, consts = closed_over_nothing(batch_jaxpr_axes(jaxpr, axis, tuple(dims), places))
    return remat_p.bind(*consts, *args, jaxpr=made, **params), places


axis_batching_rules[remat_p] = _remat_rule
defvectorized(name_p)
