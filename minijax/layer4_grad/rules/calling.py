"""Copies, and calls to Python: what a placement or a callback of layer 3 means to tangents."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.device_put import device_put_p
from ...layer1_core.primitive import Primitive
from ...layer3_control.callbacks import io_callback_p, pure_callback_p
from ...layer3_control.debug import debug_callback_p, debug_print_p
from ..families import linear_jvp
from ..jvp import jvp_rules
from ..tangents import Zero
from ..transpose import is_undefined_primal, transpose_rules

# ---- device_put


@jvp_rules.rule(device_put_p)
def _device_put_jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> Any:
    return linear_jvp(device_put_p, primals, tangents, **params)


@transpose_rules.rule(device_put_p)
def _device_put_transpose(
    cts: Sequence[Any], *operands: Any, devices: Sequence[Any], srcs: Sequence[Any], copy_semantics: Sequence[Any]
) -> list[Any]:
    """Each cotangent goes back to the place that its operand came from."""
    out: list[Any] = [None] * len(cts)
    chosen = [
        i
        for i, (ct, x) in enumerate(zip(cts, operands, strict=True))
        if is_undefined_primal(x) and type(ct) is not Zero
    ]
    pick = lambda values: tuple(values[i] for i in chosen)  # noqa: E731
    if chosen:
        params = dict(devices=pick(srcs), srcs=pick(devices), copy_semantics=pick(copy_semantics))
        for i, ct in zip(chosen, device_put_p.bind(*pick(cts), **params), strict=True):
            out[i] = ct
    return out


# ---- callbacks


def _refuse(table: Any, primitive: Primitive, message: str) -> None:
    """Enter a rule that raises, in JAX's words: Python cannot be differentiated."""

    def rule(*args: Any, **params: Any) -> Any:
        raise ValueError(message)

    table[primitive] = rule


_advice = "Please use `jax.custom_{0}` to use callbacks while taking gradients."
_refuse(jvp_rules, pure_callback_p, f"Pure callbacks do not support JVP. {_advice.format('jvp')}")
_refuse(transpose_rules, pure_callback_p, f"Pure callbacks do not support transpose. {_advice.format('vjp')}")
_refuse(jvp_rules, io_callback_p, "IO callbacks do not support JVP.")
_refuse(transpose_rules, io_callback_p, "IO callbacks do not support transpose.")

for _p in (debug_callback_p, debug_print_p):  # they show the values, and have no results
    jvp_rules[_p] = lambda primals, tangents, p=_p, **params: (p.bind(*primals, **params), [])
    transpose_rules[_p] = lambda cts, *operands, **params: [None] * len(operands)
