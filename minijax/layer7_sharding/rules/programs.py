"""Equations that carry programs, or are told a place: the shape rule gives the whole type."""

from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer1_core.custom_derivative import custom_jvp_call_p
from ...layer1_core.device_put import device_put_p
from ...layer1_core.jaxpr import Jaxpr
from ...layer1_core.jit_call import jit_p
from ...layer1_core.jit_shardings import typed_there
from ...layer3_control.callbacks import io_callback_p, pure_callback_p
from ...layer3_control.cond import cond_p
from ...layer3_control.debug import debug_callback_p, debug_print_p
from ...layer3_control.scan import scan_p
from ...layer3_control.while_loop import while_p
from ...layer4_grad.calls import closed_call_p
from ...layer4_grad.checkpoint import remat_p
from ...layer4_grad.custom_vjp import custom_lin_p, custom_vjp_call_p
from ...layer4_grad.solves import linear_solve_p
from ...layer5_vmap.custom_vmap import custom_vmap_p
from ..types import complete

complete.update(
    {
        custom_jvp_call_p, device_put_p, jit_p, io_callback_p, pure_callback_p, cond_p, debug_callback_p,
        debug_print_p, scan_p, while_p, closed_call_p, remat_p, custom_lin_p, custom_vjp_call_p, linear_solve_p,
        custom_vmap_p,
    }
)  # fmt: skip


@jit_p.def_abstract_eval
def _jit_rule(*avals: ShapedArray, jaxpr: Jaxpr, out_shardings: Any, **params: Any) -> list[ShapedArray]:
    """The types of the program's results, divided as `out_shardings` says."""
    return typed_there(jaxpr.out_avals, out_shardings)
