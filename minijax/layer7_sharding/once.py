"""`once`: a program that is run once for all devices, which have the same operands: what is printed is printed once."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.evaluate import run
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.staging import stage
from ..layer2_jit.lowering import CALLED
from ..layer2_jit.rules import lowering_rules
from ..layer3_control.bodies import Carrier
from ..layer4_grad.families import no_rule
from ..layer4_grad.jvp import jvp_rules
from ..layer4_grad.transpose import transpose_rules
from ..layer5_vmap.batching import batching_rules
from .erasing import plain
from .types import complete

once_p = Carrier("once")
once_p.def_abstract_eval(lambda *avals, jaxpr: jaxpr.out_avals)
lowering_rules[once_p] = CALLED
complete.add(once_p)
for _table in (jvp_rules, transpose_rules, batching_rules):
    no_rule(_table, "it is in programs of one device only, which are made after all transformations", once_p)


@impl_rules.rule(once_p)
def _run(*values: np.ndarray, jaxpr: Jaxpr) -> list[np.ndarray]:
    return run(jaxpr, values)


def done_once(primitive: Primitive, params: dict[str, Any]) -> Callable[..., list[Any]]:
    """The operation, as a function of operands that all devices have whole."""

    def call(*values: Any) -> list[Any]:
        avals: list[ShapedArray] = [plain(typeof(x)) for x in values]
        jaxpr, _ = stage(lambda *args: primitive.bind(*args, **params), avals, {}, "once")
        return once_p.bind(*values, jaxpr=jaxpr)

    return call
