"""The steps of a program: kernels, joined and with few buffers, and equations that are called."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal, Var
from .buffers import Overwrite, tidied
from .collapsing import collapsed
from .fusion import Group, Plan
from .hoisting import hoisted
from .joining import Step, joined
from .loops import Kernel, written as written_by
from .lowering import Looped
from .parts import divided
from .writing import written


def steps_of(
    plan: Plan, letters: Callable[[Var], str], may: Overwrite, look: Callable[[Kernel], None] = lambda kernel: None
) -> tuple[list[Step], dict[str, str]]:
    """Each step with its name; and for results that lie in the place of an operand, that operand's letter.

    `may` says of which arguments the place may be taken by which result. `look` sees each kernel as it
    was written, before it becomes another one (the course's pictures need that).
    """
    first = [_step(plan, letters, k, step) for k, step in enumerate(plan.steps)]
    for _, step in first:
        if isinstance(step, Kernel):
            look(step)
    results = {letters(v) for v in plan.jaxpr.outvars if isinstance(v, Var)}
    pieces = {letters(v) for eqn in plan.jaxpr.eqns for v in eqn.outvars if id(v) in plan.cut}
    together = [(name, collapsed(s) if isinstance(s, Kernel) else s) for name, s in joined(first)]
    steps, instead = tidied(together, lambda step: reads(step, letters), results, pieces, may)
    steps = [(name, s) for name, s in steps if not isinstance(s, Kernel) or s.body]  # what is in its place needs none
    return [(name, divided(in_order_of_use(hoisted(s))) if isinstance(s, Kernel) else s) for name, s in steps], instead


def in_order_of_use(kernel: Kernel) -> Kernel:
    """The kernel with its results in the order in which they are written: so equal loops have equal parameters."""
    order = {name: k for k, name in reversed([*enumerate(written_by(kernel.body))])}
    return replace(kernel, outputs=sorted(kernel.outputs, key=lambda out: order.get(out.name, len(order))))


def _step(plan: Plan, letters: Callable[[Var], str], number: int, step: Group | JaxprEqn) -> Step:
    if isinstance(step, Group):
        name = f"kernel_{number}"
        return name, written(plan, step, name, letters)
    rule, name = plan.rule_of(step), f"{step.primitive.name.replace('-', '_')}_{number}"
    return name, rule.kernel(step, name, letters) if isinstance(rule, Looped) else step


def reads(step: Kernel | JaxprEqn, letters: Callable[[Var], str]) -> set[str]:
    """The names of what a step reads."""
    if isinstance(step, Kernel):
        return {x.name for x in step.inputs}
    return {letters(v) for v in step.invars if isinstance(v, Var)}


def literals(jaxpr: Jaxpr, steps: Sequence[Step]) -> list[Literal]:
    """The literals that are operands of called steps, or results."""
    called = [v for _, step in steps if isinstance(step, JaxprEqn) for v in step.invars]
    return [v for v in (*called, *jaxpr.outvars) if isinstance(v, Literal)]
