"""The axes of a dot_general: what each is for, and where the batch axis goes."""

from collections.abc import Sequence
from typing import Any

from .batch_recording import BATCH, FREE, LEFT, RIGHT, SUMMED, Axis, Product

Sizes = Sequence[tuple[str, bool]]  # of each axis, and whether it is the batch axis


def product_of(eqn: Any, names: Sequence[str], sizes: Sequence[Sizes]) -> Product:
    """The axes of a dot_general. The result has the batch axes, then the free axes of the left and the right operand.

    `names` are those of the operands and of the result, `sizes` those of the operands' axes.
    """
    contracted, batch = eqn.params["dimension_numbers"]
    lhs, rhs = (
        tuple(Axis(text, role_of(d, summed, both), mark) for d, (text, mark) in enumerate(axes))
        for axes, summed, both in zip(sizes, contracted, batch, strict=True)
    )
    operands = lhs, rhs
    shared = [((LEFT, i), (RIGHT, j)) for i, j in zip(*map(ints, batch), strict=True)]
    free = [((k, d),) for k in (LEFT, RIGHT) for d, axis in enumerate(operands[k]) if axis.role == FREE]
    result = tuple(of_result(operands, sources) for sources in (*shared, *free))
    left, right, out = names
    return Product((left, right, out), operands, result, tuple(zip(*map(ints, contracted), strict=True)))


def ints(axes: Sequence[Any]) -> list[int]:
    return [int(d) for d in axes]


def role_of(d: int, summed: Sequence[Any], batch: Sequence[Any]) -> str:
    return SUMMED if d in summed else BATCH if d in batch else FREE


def of_result(operands: Any, sources: tuple[tuple[int, int], ...]) -> Axis:
    k, d = sources[0]
    axis = operands[k][d]
    return Axis(axis.size, axis.role, any(operands[k][d].mapped for k, d in sources), sources)


def about_axis(product: Product) -> str:
    """What vmap's axis is in a product of batches, and where it is in the result."""
    (place,) = [d for d, axis in enumerate(product.result) if axis.mapped] or [None]
    having = [k for k in (LEFT, RIGHT) if any(axis.mapped for axis in product.operands[k])]
    if place is None:
        return "The batch axis is not in it."
    where = f"in the result it is axis {place}"
    if len(having) == 2:
        return f"Both operands have the batch axis: it is one more batch axis of the product, and {where}."
    own, other = ("left", "right") if having == [LEFT] else ("right", "left")
    return (
        f"Only the {own} operand has the batch axis: it is one more free axis of that, and {where}. "
        f"The {other} operand is not copied."
    )


def in_words(product: Product) -> str:
    """The left operand a:f32[3,4] has the axes 0 (3, free) and 1 (4, summed). ..."""
    sides = zip(("left operand", "right operand"), product.names, product.operands, strict=False)
    told = [f"The {side} {name} has {axes_in_words(axes)}." for side, name, axes in sides]
    return " ".join([*told, f"The result {product.names[2]} has {axes_in_words(product.result)}."])


def axes_in_words(axes: Sequence[Axis]) -> str:
    each = [f"{d} ({axis.size}, {axis.role})" for d, axis in enumerate(axes)]
    return f"the axes {', '.join(each)}" if len(each) > 1 else f"the axis {each[0]}" if each else "no axes"
