"""Transposition: a linear program, run backwards, from cotangents of its results to cotangents of its inputs.

    y = A x   ->   x_ct = A^T y_ct

A rule of `transpose_rules` takes the cotangent of the result (a list of them for several results, of which some may be
`Zero`), the operands and the parameters. An operand in which the equation is linear comes as an `UndefinedPrimal`: it
has a type and no value. The rule gives a list with the cotangent of each operand, None for the others.
"""

from collections.abc import Sequence
from typing import Any

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.jaxpr import Atom, Jaxpr, JaxprEqn, Literal
from ..layer1_core.primitive import RuleTable
from ..layer1_core.staging import in_mesh_of
from ..layer1_core.trace import running
from .tangents import Zero, add_tangents, tangent_aval

transpose_rules = RuleTable("transpose", "Transpose rule (for reverse-mode differentiation) for '{0}' not implemented")


class UndefinedPrimal:
    """An operand in which an equation is linear. Its value is not known, and not needed."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape

    @property
    def ndim(self) -> int:
        return len(self.aval.shape)

    @property
    def dtype(self) -> Any:
        return self.aval.dtype

    def __repr__(self) -> str:
        return f"UndefinedPrimal({self.aval})"


def is_undefined_primal(x: Any) -> bool:
    """Whether the operand is one in which the equation is linear."""
    return type(x) is UndefinedPrimal


# ---- the backward pass


def backward_pass(
    jaxpr: Jaxpr, consts: Sequence[Any], args: Sequence[Any], cts: Sequence[Any], so_far: Sequence[Any] = ()
) -> list[Any]:
    """The cotangents of the linear inputs of `jaxpr`, None for the others.

    `args` are the inputs, an `UndefinedPrimal` for each linear one; `cts` the cotangents of the results. Equations that
    no linear input reaches are computed first, in order; then the others are transposed, from the last to the first.
    `so_far` are cotangents of the inputs that come from elsewhere, None for none: to them the others are added.
    """
    # by the id of the variable: the sum of the cotangents that have come so far
    collected = {id(v): ct for v, ct in zip(jaxpr.invars, so_far, strict=False) if ct is not None}
    if any(type(ct) is not Zero for ct in cts):
        linear = _linear_equations(jaxpr, consts, args)
        known = {id(v) for v, x in zip(jaxpr.invars, args, strict=True) if not is_undefined_primal(x)}
        for v, ct in zip(jaxpr.outvars, cts, strict=True):
            if type(v) is not Literal and id(v) not in known:
                _collect(collected, v, ct)
        for eqn, operands in reversed(linear):
            _transpose(eqn, operands, collected)
    zeros = [Zero(tangent_aval(v.aval)) for v in jaxpr.invars]
    return [
        collected.get(id(v), zero) if is_undefined_primal(x) else None
        for v, x, zero in zip(jaxpr.invars, args, zeros, strict=True)
    ]


def _linear_equations(jaxpr: Jaxpr, consts: Sequence[Any], args: Sequence[Any]) -> list[tuple[JaxprEqn, list[Any]]]:
    """The equations that a linear input reaches, each with its operands. The others are computed."""
    env = {id(v): x for v, x in zip((*jaxpr.constvars, *jaxpr.invars), (*consts, *args), strict=True)}
    linear = []
    for eqn in jaxpr.eqns:
        operands = [v.val if type(v) is Literal else env[id(v)] for v in eqn.invars]
        if any(map(is_undefined_primal, operands)):
            linear.append((eqn, operands))
            env.update((id(v), UndefinedPrimal(tangent_aval(v.aval))) for v in eqn.outvars)
        else:
            with in_mesh_of(eqn.outvars):
                out = eqn.primitive.bind(*operands, **eqn.params)
            env.update(zip(map(id, eqn.outvars), out if eqn.primitive.multiple_results else (out,), strict=True))
    return linear


def _transpose(eqn: JaxprEqn, operands: list[Any], collected: dict[int, Any]) -> None:
    """Hand the cotangents of an equation's results on to its operands."""
    cts = [collected.pop(id(v), None) for v in eqn.outvars]
    if all(ct is None for ct in cts):
        return
    cts = [Zero(tangent_aval(v.aval)) if ct is None else ct for v, ct in zip(eqn.outvars, cts, strict=True)]
    rule = transpose_rules[eqn.primitive]
    with in_mesh_of(eqn.outvars):
        for_operands = rule(cts if eqn.primitive.multiple_results else cts[0], *operands, **eqn.params)
    for v, x, ct in zip(eqn.invars, operands, for_operands, strict=True):
        if is_undefined_primal(x) and ct is not None:
            _collect(collected, v, ct)


# what these two bind is said to come from the line that the equation came from: `user_line` asks here
for _f in (_linear_equations, _transpose):
    running[id(_f.__code__)] = lambda frame: frame.f_locals["eqn"].source_info


def _collect(collected: dict[int, Any], v: Atom, ct: Any) -> None:
    """Add a cotangent of `v` to those that have come. Raises ValueError for one of another shape."""
    if type(ct) is Zero:
        return
    expected, aval = tangent_aval(v.aval), typeof(ct)
    if expected.shape != aval.shape:
        raise ValueError(f"Expected cotangent type {expected.str_short()} but got {aval.str_short()}")
    found = collected.get(id(v))
    with in_mesh_of([v]):
        collected[id(v)] = ct if found is None else add_tangents(found, ct)
