"""What is right in the exercises of chapter 5: found example by example, in Python, without a rule of batching."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .chapter3_given import numbers, package

Axes = int | None | tuple[int | None, ...]

# ---- the law of vmap


def by_examples(fun: Callable[..., Any], in_axes: Axes, *args: Any) -> Any:
    """What `fun` gives for each example by itself, as numbers: lists of them in the place of arrays.

    `in_axes` is an axis, or one for each argument; None for an argument that is the same for all.
    """
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
    array = package("numpy").asarray
    one = lambda i: [x if a is None else array(np.take(np.asarray(x), i, a)) for x, a in zip(args, axes, strict=True)]
    with package("layer1_core.config").interpret_jaxprs(True):
        structure = package().tree.structure(fun(*one(0)))
    return _joined(structure, [numbers(fun, *one(i)) for i in range(_size(axes, args))])


def _joined(structure: Any, results: Sequence[Any]) -> Any:
    """One tree of lists from trees of this structure, in which a number or a list is a leaf."""
    leaves = zip(*(structure.flatten_up_to(result) for result in results), strict=True)
    return structure.unflatten([*leaf] for leaf in leaves)


def _size(axes: Sequence[int | None], args: Sequence[Any]) -> int:
    return next(np.shape(x)[a] for x, a in zip(args, axes, strict=True) if a is not None)


# ---- rows of different lengths


def softmaxes_of_first(rows: Any, counts: Any) -> list[list[float]]:
    """The softmax of the first elements of each row, so many as `counts` says; 0 for all others."""
    return [np.round(_softmax(row, n), 4).tolist() for row, n in zip(rows, counts, strict=True)]


def slopes_of_first(rows: Any, counts: Any) -> list[list[float]]:
    """The derivatives of these weights, the first times 1, the second times 2, and so on, added up."""
    weights = [_softmax(row, n) for row, n in zip(rows, counts, strict=True)]
    factors = np.arange(1.0, np.shape(rows)[1] + 1)
    return [(np.round(w * (factors - w @ factors), 4) + 0.0).tolist() for w in weights]  # + 0.0 makes 0 of -0


def _softmax(row: Any, n: Any) -> Any:
    weights = np.zeros(len(row))
    exps = [math.exp(float(x) - max(map(float, row[:n]))) for x in row[:n]]
    weights[:n] = np.divide(exps, sum(exps))
    return weights


# ---- sizes that differ


def inconsistent(*found: tuple[int, str, int]) -> str:
    """The error for axes of different sizes: (axis, argument, size) for each array that is mapped."""
    lines = [f"  * axis {axis} of {path} has size {size}" for axis, path, size in found]
    return "ValueError: " + "\n".join(["vmap got inconsistent sizes for array axes to be mapped:", *lines])


# ---- loops


def while_by_example(cond: Callable[[Any], Any], body: Callable[[Any], Any], init: Any) -> Any:
    """What each example is after its own loop of Python's."""

    def run(x: Any) -> Any:
        while cond(x):
            x = body(x)
        return x

    tree = package().tree
    one = lambda i: tree.map(lambda x: x[i], init)
    size = len(tree.leaves(init)[0])
    return _joined(tree.structure(init), [numbers(run, one(i)) for i in range(size)])


# ---- programs as text


def by_lanes(text: str, own: str, **variables: Any) -> dict[str, Any]:
    """The variables after Python has run the text for each lane: a list for those in `own`, and else one number."""
    size = max(np.size(x) for x in variables.values())
    lanes = [{name: float(np.broadcast_to(x, (size,))[i]) for name, x in variables.items()} for i in range(size)]
    for lane in lanes:
        exec(text, {"jnp": np}, lane)
    found = {name: [round(float(lane[name]), 4) for lane in lanes] for name in lanes[0]}
    return {name: xs if name in own.split() else xs[0] for name, xs in found.items()}
