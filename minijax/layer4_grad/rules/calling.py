"""Copies, and calls to Python: what a placement or a callback of layer 3 means to tangents."""

import functools
from collections.abc import Sequence
from typing import Any

from ...layer1_core.device_put import device_put_p
from ...layer3_control.bodies import united
from ...layer3_control.callbacks import io_callback_p, pure_callback_p
from ...layer3_control.debug import debug_callback_p, debug_print_p
from ..families import linear_jvp, refusing
from ..jvp import jvp_rules
from ..programs import only
from ..tangents import Zero
from ..transpose import is_undefined_primal, transpose_rules

# ---- device_put


jvp_rules[device_put_p] = functools.partial(linear_jvp, device_put_p)


@transpose_rules.rule(device_put_p)
def _device_put_transpose(
    cts: Sequence[Any], *operands: Any, devices: Sequence[Any], srcs: Sequence[Any], copy_semantics: Sequence[Any]
) -> list[Any]:
    """Each cotangent goes back to the place that its operand came from."""
    moved = [is_undefined_primal(x) and type(ct) is not Zero for ct, x in zip(cts, operands, strict=True)]
    if not any(moved):
        return [None] * len(cts)
    pick = lambda values: tuple(only(moved, values))
    params = dict(devices=pick(srcs), srcs=pick(devices), copy_semantics=pick(copy_semantics))
    return united(moved, device_put_p.bind(*pick(cts), **params), [None] * moved.count(False))


# ---- callbacks


_ADVICE = "Please use `jax.custom_{0}` to use callbacks while taking gradients."
jvp_rules[pure_callback_p] = refusing(f"Pure callbacks do not support JVP. {_ADVICE.format('jvp')}")
transpose_rules[pure_callback_p] = refusing(f"Pure callbacks do not support transpose. {_ADVICE.format('vjp')}")
jvp_rules[io_callback_p] = refusing("IO callbacks do not support JVP.")
transpose_rules[io_callback_p] = refusing("IO callbacks do not support transpose.")

for _p in (debug_callback_p, debug_print_p):  # they show the values, and have no results
    jvp_rules[_p] = lambda primals, tangents, p=_p, **params: (p.bind(*primals, **params), [])
    transpose_rules[_p] = lambda cts, *operands, **params: [None] * len(operands)
