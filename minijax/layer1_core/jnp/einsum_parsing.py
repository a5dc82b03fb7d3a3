"""Einstein notation: from "ij,jk->ik" (or operands and axis lists by turns) to one string of axis names an operand."""

import string
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..aval import Shape

_LETTERS = string.ascii_lowercase + string.ascii_uppercase


class Subscripts(NamedTuple):
    """The axis names of the operands and of the result, and the size of each axis."""

    inputs: tuple[str, ...]
    output: str
    sizes: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"{','.join(self.inputs)}->{self.output}"


def symbol(i: int) -> str:
    """The i-th axis name: letters, then characters far from those that people write."""
    return _LETTERS[i] if i < len(_LETTERS) else chr(i + (2048 if i >= 55296 else 140))


def split_arguments(arguments: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """The subscripts as one string, and the operands, of a call in either form."""
    if not arguments:
        raise ValueError("No input operands")
    if isinstance(arguments[0], str):
        return arguments[0].replace(" ", ""), tuple(arguments[1:])
    count = len(arguments) // 2
    operands, lists = arguments[0 : 2 * count : 2], arguments[1 : 2 * count : 2]
    try:
        names = sorted({axis for axes in lists for axis in axes if axis is not Ellipsis})
    except TypeError as error:
        if "unhashable" in str(error):
            raise
        raise TypeError(
            "For this input type lists must contain either Ellipsis or hashable and comparable object (e.g. int, str)."
        ) from None
    name_of = {axis: symbol(i) for i, axis in enumerate(names)} | {Ellipsis: "..."}

    def spell(axes: Sequence[Any]) -> str:
        return "".join(name_of[axis] for axis in axes)

    text = ",".join(map(spell, lists))
    return (text + "->" + spell(arguments[-1]) if len(arguments) % 2 else text), tuple(operands)


def parse(text: str, shapes: Sequence[Shape]) -> Subscripts:
    """The subscripts spelled out: dots become letters, a missing result becomes the letters that occur once.

    Raises ValueError where the text is not well formed or does not fit the operands' shapes.
    """
    if ("-" in text or ">" in text) and (text.count("-") > 1 or text.count(">") > 1 or text.count("->") != 1):
        raise ValueError("Subscripts can only contain one '->'.")
    left, arrow, output = text.partition("->")
    inputs = left.split(",")
    dots = ""
    if "." in text:
        inputs, dots = _spell_dots(inputs, text, shapes)
        output = output.replace("...", dots)
    if not arrow:
        output = dots + "".join(c for c in _occurring_once("".join(inputs)) if c not in dots)
    _check(inputs, output, shapes)
    return Subscripts(tuple(inputs), output, tuple(_sizes(inputs, shapes).items()))


def _occurring_once(letters: str) -> list[str]:
    return [c for c in sorted(set(letters)) if letters.count(c) == 1]


def _spell_dots(inputs: list[str], text: str, shapes: Sequence[Shape]) -> tuple[list[str], str]:
    """The inputs with letters that are not used elsewhere for the dots, and those letters for the most dots."""
    unused = [c for c in map(symbol, range(len(text) + 64)) if c not in text]
    letters = "".join(unused[: max(map(len, shapes), default=0)])
    out, most = [], 0
    for names, shape in zip(inputs, shapes, strict=False):
        if "." in names:
            if names.count(".") != 3 or "..." not in names:
                raise ValueError("Invalid Ellipses.")
            count = len(shape) and len(shape) - (len(names) - 3)
            if count < 0:
                raise ValueError("Ellipses lengths do not match.")
            most = max(most, count)
            names = names.replace("...", letters[len(letters) - count :])
        out.append(names)
    return [*out, *inputs[len(out) :]], letters[len(letters) - most :]


def _check(inputs: list[str], output: str, shapes: Sequence[Shape]) -> None:
    for c in output:
        if output.count(c) != 1:
            raise ValueError(f"Output character '{c}' appeared more than once in the output.")
        if c not in ",".join(inputs):
            raise ValueError(f"Output character '{c}' did not appear in the input")
    if len(inputs) != len(shapes):
        raise ValueError(
            f"Number of einsum subscripts, {len(inputs)}, must be equal to the number of operands, {len(shapes)}."
        )
    for i, (names, shape) in enumerate(zip(inputs, shapes, strict=True)):
        if len(names) != len(shape):
            raise ValueError(
                f"Einstein sum subscript '{names}' does not contain the correct number of indices for operand {i}."
            )


def _sizes(inputs: list[str], shapes: Sequence[Shape]) -> dict[str, int]:
    """The size of each name; an axis of size 1 goes with any. Raises ValueError where two sizes differ."""
    sizes: dict[str, int] = {}
    for i, (names, shape) in enumerate(zip(inputs, shapes, strict=True)):
        for c, n in zip(names, shape, strict=True):
            if sizes.get(c, 1) == 1:
                sizes[c] = n
            elif n not in (1, sizes[c]):
                raise ValueError(
                    f"Size of label '{c}' for operand {i} ({sizes[c]}) does not match previous terms ({n})."
                )
    return sizes


def shape_of(x: Any) -> Shape:
    """The shape of an operand, before it is known whether it is an array."""
    return x.shape if hasattr(x, "shape") else np.shape(x)
