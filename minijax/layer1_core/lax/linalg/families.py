"""What the linalg primitives share: shapes with batch axes in front, and a few operations on matrices."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...aval import Shape, ShapedArray, shaped, typeof
from ...primitive import Primitive
from ..elementwise import add, conj, ge, select_n
from ..families import Dtypes, all_weak, check_dtype_at, check_same_dtypes, inexact, primitive
from ..shaping import broadcast, broadcasted_iota, full_like, transpose


def linalg_primitive(
    name: str,
    ranks: Sequence[int],
    shape_rule: Callable[..., Any],
    result_dtypes: Callable[..., Any] | None = None,
    accepted: Dtypes = inexact,
    multiple_results: bool = False,
    batched: bool = True,
) -> Primitive:
    """A primitive on matrices and vectors: operand i has `ranks[i]` axes, after batch axes that all have alike.

    `shape_rule` sees the shapes without batch axes. `result_dtypes` goes from the operands' dtype to those of the
    results; where it is None the one result has the operands' dtype.
    """

    def rule(*avals: ShapedArray, **params: Any) -> Any:
        check_dtype_at(name, avals, [accepted] * len(avals))
        check_same_dtypes(name, avals)
        batch, cores = _split_batch(name, avals, ranks, batched)
        shapes = shape_rule(*cores, **params)
        dtype, weak = avals[0].dtype, all_weak(avals)
        if not multiple_results:
            return shaped((*batch, *shapes), dtype, weak)
        kinds = result_dtypes(dtype, **params) if result_dtypes else [dtype] * len(shapes)
        return [shaped((*batch, *s), np.dtype(d), weak) for s, d in zip(shapes, kinds, strict=True)]

    return primitive(name, rule, multiple_results)


def _split_batch(
    name: str, avals: Sequence[ShapedArray], ranks: Sequence[int], batched: bool
) -> tuple[Shape, list[Shape]]:
    """The batch axes and each operand's shape without them. Raises TypeError where the ranks do not fit."""
    batches, cores = [], []
    for i, (aval, rank) in enumerate(zip(avals, ranks, strict=True)):
        shape = aval.shape
        if len(shape) < rank:
            raise TypeError(f"Input {i} to {name} must have rank at least {rank}, but got shape={shape}")
        if not batched and len(shape) != rank:
            raise TypeError(f"Input {i} to {name} must have a rank of exactly {rank}, but got shape={shape}")
        batches.append(shape[: len(shape) - rank])
        cores.append(shape[len(shape) - rank :])
    counts = [len(batch) for batch in batches]
    if len(set(counts)) > 1:
        raise TypeError(
            f"All inputs to {name} must have the same number of batch dimensions, "
            f"but got {counts} batch dimensions for the inputs."
        )
    return batches[0], cores


def square_shape(name: str) -> Callable[..., Any]:
    """The shape rule of a square matrix that gives one of its own shape."""

    def rule(shape: Shape, **params: Any) -> Shape:
        if shape[0] != shape[1]:
            raise ValueError(f"The input to {name} must be a square matrix. Got shape {shape}.")
        return shape

    return rule


def adjoint(x: Any) -> Any:
    n = typeof(x).ndim
    x = transpose(x, (*range(n - 2), n - 1, n - 2))
    return conj(x) if typeof(x).dtype.kind == "c" else x


def symmetrize(x: Any) -> Any:
    """The Hermitian part of `x`: (x + x^H) / 2."""
    return (x + adjoint(x)) / 2


def lower_triangle(x: Any, k: int = 0) -> Any:
    """`x` with zeros above its diagonal number k."""
    shape = typeof(x).shape
    rows = add(broadcasted_iota(np.int32, shape[-2:], 0), np.int32(k))
    mask = ge(rows, broadcasted_iota(np.int32, shape[-2:], 1))
    return select_n(broadcast(mask, shape[:-2]), full_like(x, 0), x)
