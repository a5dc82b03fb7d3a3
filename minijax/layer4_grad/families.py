"""Families of rules: most primitives share the way their rule is made, and then take one line.

    defjvp(sin_p, lambda g, x, **kw: mul(g, cos(x, **kw)))         # d sin x = cos x dx
    deflinear(neg_p, lambda ct: [neg(ct)])
    defbilinear(mul_p, mul_transpose_lhs, mul_transpose_rhs)
    defjvp_zero(floor_p, sign_p)

A rule made here never sees a `Zero`.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..layer1_core.primitive import Primitive, RuleTable
from .jvp import all_zero, jvp_rules
from .tangents import Zero, add_tangents, instantiate, zero_of
from .transpose import is_undefined_primal, transpose_rules

Rule = Callable[..., Any]


def defjvp(primitive: Primitive, *rules: Rule | None) -> None:
    """A primitive with one rule for each operand: from its tangent, all operands and the parameters to a tangent.

    The tangents are added. None for an operand that has no part in them.
    """

    def rule(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        out = primitive.bind(*primals, **params)
        used = [(r, t) for r, t in zip(rules, tangents, strict=True) if r is not None and type(t) is not Zero]
        return out, _sum(out, [r(t, *primals, **params) for r, t in used])

    jvp_rules[primitive] = rule


def defjvp2(primitive: Primitive, *rules: Rule | None) -> None:
    """The same, for rules that use the result: they take the tangent, the result, all operands and the parameters."""

    def rule(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
        out = primitive.bind(*primals, **params)
        used = [(r, t) for r, t in zip(rules, tangents, strict=True) if r is not None and type(t) is not Zero]
        return out, _sum(out, [r(t, out, *primals, **params) for r, t in used])

    jvp_rules[primitive] = rule


def _sum(out: Any, tangents: Sequence[Any]) -> Any:
    return functools.reduce(add_tangents, tangents, zero_of(out)) if len(tangents) != 1 else tangents[0]


def defjvp_zero(*primitives: Primitive) -> None:
    """Primitives whose derivative is zero wherever they have one: steps, comparisons, operations on bits."""
    for primitive in primitives:
        jvp_rules[primitive] = functools.partial(_zero_jvp, primitive)


def _zero_jvp(primitive: Primitive, primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> Any:
    out = primitive.bind(*primals, **params)
    return out, [zero_of(x) for x in out] if primitive.multiple_results else zero_of(out)


def deflinear(primitive: Primitive, transpose: Rule) -> None:
    """A primitive that is linear in all its operands together: the tangent of the result is that of the tangents.

    `transpose` takes the cotangent of the result and the parameters: it gives those of the operands, a list.
    """
    deflinear2(primitive, lambda ct, *operands, **params: transpose(ct, **params))


def deflinear2(primitive: Primitive, transpose: Rule) -> None:
    """The same, for a transpose rule that uses the operands or their types (see transpose.py)."""
    jvp_rules[primitive] = functools.partial(linear_jvp, primitive)
    transpose_rules[primitive] = transpose


def linear_jvp(primitive: Primitive, primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> Any:
    """The jvp rule of a linear primitive: it is applied to the tangents too."""
    if all_zero(tangents):
        return _zero_jvp(primitive, primals, tangents, **params)
    return primitive.bind(*primals, **params), primitive.bind(*map(instantiate, tangents), **params)


def defbilinear(primitive: Primitive, lhs_transpose: Rule, rhs_transpose: Rule) -> None:
    """A primitive that is linear in each of its two operands by itself.

    The transpose rules take the cotangent of the result, both operands and the parameters, and give the cotangent of
    theirs, which is an `UndefinedPrimal`.
    """

    def transpose(ct: Any, x: Any, y: Any, **params: Any) -> list[Any]:
        by_lhs = is_undefined_primal(x)
        assert by_lhs is not is_undefined_primal(y), f"{primitive} is not linear in both operands together: {x}, {y}"
        return [lhs_transpose(ct, x, y, **params), None] if by_lhs else [None, rhs_transpose(ct, x, y, **params)]

    on_lhs = lambda g, x, y, **params: primitive.bind(g, y, **params)  # d(xy) = dx y + x dy, in two lines
    on_rhs = lambda g, x, y, **params: primitive.bind(x, g, **params)
    defjvp(primitive, on_lhs, on_rhs)
    transpose_rules[primitive] = transpose


# ---- no rule


def refusing(message: str) -> Rule:
    """A rule that raises ValueError with this message: JAX has no derivative by this operand, or of this primitive."""

    def rule(*args: Any, **params: Any) -> Any:
        raise ValueError(message)

    return rule


@dataclass(frozen=True)
class NoRule:
    """The entry of a primitive that has no rule, and why that is right. To apply it is the table's error."""

    message: str
    reason: str

    def __call__(self, *operands: Any, **params: Any) -> Any:
        raise NotImplementedError(self.message)


def no_rule(table: RuleTable, reason: str, *primitives: Primitive) -> None:
    """Declare that these primitives have no rule in `table`."""
    for primitive in primitives:
        table[primitive] = NoRule(table.missing.format(primitive), reason)
