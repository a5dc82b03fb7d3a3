"""Reductions over windows that move along an array, and the cumulative ones, whose windows begin at the edge."""

import enum
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import Shape, ShapedArray, shaped, typeof
from ..jaxpr import Jaxpr
from ..primitive import Primitive
from ..staging import stage, struct_of
from ..trace import Tracer
from ..tree import tree_flatten, tree_unflatten
from . import elementwise
from .families import Dtypes, all_weak, check_dtype, check_shapelike, described, inexact, primitive
from .indexing import strided
from .reducing import extreme

Pads = tuple[tuple[int, int], ...]  # (before, after) of each axis; a negative one cuts off

# ---- where the windows lie


class PaddingType(enum.Enum):
    """What a padding string means: no padding, or enough to keep the size, the odd one at the end or the start."""

    VALID = 1
    SAME = 2
    SAME_LOWER = 3


def padtype_to_pads(
    in_shape: Sequence[int], window_shape: Sequence[int], window_strides: Sequence[int], padding: str | PaddingType
) -> list[tuple[int, int]]:
    """The padding (before, after) of each axis that a padding string means.

    >>> padtype_to_pads((10, 7), (3, 2), (2, 2), "SAME")
    [(0, 1), (0, 1)]

    Raises RuntimeError for an unknown string.
    """
    if isinstance(padding, str):
        if padding.upper() not in PaddingType.__members__:
            raise RuntimeError(f"Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got {padding}.")
        padding = PaddingType[padding.upper()]
    if not isinstance(padding, PaddingType):
        raise TypeError(f"Unknown padding type: {padding}.")
    if padding is PaddingType.VALID:
        return [(0, 0)] * len(in_shape)
    strides = np.broadcast_to(window_strides, len(in_shape)).tolist()
    axes = zip(in_shape, window_shape, strides, strict=True)
    totals = [max(0, (-(-n // stride) - 1) * stride + window - n) for n, window, stride in axes]
    lower = padding is PaddingType.SAME_LOWER
    return [(n - n // 2, n // 2) if lower else (n // 2, n - n // 2) for n in totals]


def dilate_shape(shape: Sequence[int], dilation: Sequence[int]) -> Shape:
    """The shape after the elements of each axis (the last ones, where `dilation` is short) were moved apart."""
    if not all(d > 0 for d in dilation):
        raise TypeError(f"All dilations must be positive, got {dilation}.")
    dilation = (1,) * (len(shape) - len(dilation)) + tuple(dilation)
    return tuple(max(0, 1 + d * (n - 1)) for n, d in zip(shape, dilation, strict=True))


def _window_shape(
    x: ShapedArray,
    *,
    window_dimensions: Shape,
    window_strides: Shape,
    padding: Pads,
    base_dilation: Shape,
    window_dilation: Shape,
) -> Shape:
    """How many windows there are along each axis."""
    window = window_dimensions
    check_shapelike("reduce_window", "window_dimensions", window, least=1)
    check_shapelike("reduce_window", "window_strides", window_strides, least=1)
    check_shapelike("reduce_window", "base_dilation", base_dilation)
    check_shapelike("reduce_window", "window_dilation", window_dilation)
    if x.ndim != len(window):
        raise TypeError(
            "reduce_window got the wrong number of window_dimensions for operand: "
            f"got operand shape {x.shape} with window_dimensions {window}."
        )
    others = {"window_strides": window_strides, "base_dilation": base_dilation, "window_dilation": window_dilation}
    for name, sizes in others.items():
        if len(sizes) != len(window):
            raise TypeError(
                f"reduce_window got inconsistent {name} and window_dimensions: "
                f"got {name} {sizes} and window_dimensions {window}."
            )
    grown, spans = dilate_shape(x.shape, base_dilation), dilate_shape(window, window_dilation)
    axes = zip(grown, padding, spans, window_strides, strict=True)
    return tuple(strided(n + before + after, span, stride) for n, (before, after), span, stride in axes)


# ---- reductions over windows


def _reduce_window_rule(x: ShapedArray, **window: Any) -> ShapedArray:
    return shaped(_window_shape(x, **window), x.dtype, x.weak_type)


def _reduce_window_sum_rule(x: ShapedArray, **window: Any) -> ShapedArray:
    if not dtypes.issubdtype(x.dtype, np.number):
        raise TypeError(f"operand to reduce_window_sum must have a number dtype, got {x.dtype.name}")
    return _reduce_window_rule(x, **window)


reduce_window_sum_p = primitive("reduce_window_sum", _reduce_window_sum_rule)
reduce_window_max_p = primitive("reduce_window_max", _reduce_window_rule)
reduce_window_min_p = primitive("reduce_window_min", _reduce_window_rule)


def _generic_rule(*avals: ShapedArray, jaxpr: Jaxpr, consts: Sequence[Any], **window: Any) -> list[ShapedArray]:
    operands, inits = avals[: len(avals) // 2], avals[len(avals) // 2 :]
    if [a.dtype for a in operands] != [a.dtype for a in inits]:
        raise TypeError(
            "reduce_window got inconsistent dtypes for operands and init_values: "
            f"got operand dtypes {[a.dtype for a in operands]} and init_value dtypes {[a.dtype for a in inits]}."
        )
    if any(a.shape for a in inits):
        raise TypeError(
            f"reduce_window expected init_values to be scalars but init_values have shapes {[a.shape for a in inits]}."
        )
    shape = _window_shape(operands[0], **window)
    return [shaped(shape, a.dtype) for a in operands]


reduce_window_p = primitive("reduce_window", _generic_rule, multiple_results=True)


def reduce_window(
    operand: Any,
    init_value: Any,
    computation: Callable[..., Any],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    padding: str | Sequence[tuple[int, int]] = "VALID",
    base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> Any:
    """Every window of `operand` (a tree of arrays) folded by `computation`, starting from `init_value`.

    A sum, max or min of one array from its neutral element becomes a primitive of its own.

    >>> reduce_window(np.arange(5.0, dtype=np.float32), 0.0, elementwise.add, (2,))
    Array([1., 3., 5., 7.], dtype=float32)
    """
    flat, tree = tree_flatten(operand)
    inits, init_tree = tree_flatten(init_value)
    if tree != init_tree:
        raise ValueError(f"Operands must have the same tree structure as init_values: {tree} vs. {init_tree}")
    if not flat:
        raise ValueError("reduce_window must have at least one operand.")
    shape = typeof(flat[0]).shape
    window = _window_params(shape, window_dimensions, window_strides, padding, base_dilation, window_dilation)
    known = _known_reducer(computation, inits)
    if known is not None:
        return tree_unflatten(tree, [known.bind(flat[0], **window)])
    jaxpr = _computation_jaxpr(computation, inits, tree)
    out = reduce_window_p.bind(*flat, *inits, jaxpr=jaxpr, consts=tuple(jaxpr.consts), **window)
    return tree_unflatten(tree, out)


def _window_params(
    shape: Shape,
    dimensions: Sequence[int],
    strides: Sequence[int] | None,
    padding: str | Sequence[tuple[int, int]],
    base_dilation: Sequence[int] | None,
    window_dilation: Sequence[int] | None,
) -> dict[str, Any]:
    """The params of an equation from the arguments of reduce_window."""
    ones = (1,) * len(dimensions)
    strides, base, dilation = (tuple(sizes or ones) for sizes in (strides, base_dilation, window_dilation))
    if isinstance(padding, str):
        padding = padtype_to_pads(shape, dilate_shape(dimensions, dilation), strides, padding)
    return {
        "window_dimensions": tuple(dimensions),
        "window_strides": strides,
        "padding": tuple((before, after) for before, after in padding),
        "base_dilation": base,
        "window_dilation": dilation,
    }


def _known_reducer(computation: Callable[..., Any], inits: Sequence[Any]) -> Primitive | None:
    """The primitive for lax.add, max or min on one array, started from the operation's neutral element."""
    if len(inits) != 1 or isinstance(inits[0], Tracer) or typeof(inits[0]).shape:
        return None
    dtype, start = typeof(inits[0]).dtype, np.asarray(inits[0])
    if computation is elementwise.add:
        return reduce_window_sum_p if start == 0 else None
    if computation is elementwise.max:
        return reduce_window_max_p if start == extreme(dtype, largest=False) else None
    if computation is elementwise.min:
        return reduce_window_min_p if start == extreme(dtype, largest=True) else None
    return None


def _computation_jaxpr(computation: Callable[..., Any], inits: Sequence[Any], tree: Any) -> Jaxpr:
    scalars = tree_unflatten(tree, [struct_of(typeof(x).strip_weak_type()) for x in inits])
    jaxpr, out_tree = stage(computation, (scalars, scalars), {}, "reduce_window")
    if out_tree != tree:
        raise ValueError(
            f"reduce_window output must have the same tree structure as the operands {tree} vs. {out_tree}"
        )
    return jaxpr


# ---- the element that a window selects


def _select_and_scatter_add_rule(source: ShapedArray, operand: ShapedArray, **_: Any) -> ShapedArray:
    return shaped(operand.shape, source.dtype, all_weak((source, operand)))


def _select_and_gather_add_rule(
    tangents: ShapedArray, operand: ShapedArray, *, select_prim: Primitive, **window: Any
) -> ShapedArray:
    if tangents.shape != operand.shape:
        raise TypeError(
            f"select_and_gather_add tangents and operand shapes must match, got {tangents.shape} and {operand.shape}."
        )
    return shaped(_window_shape(operand, **window), tangents.dtype, all_weak((tangents, operand)))


# In the derivatives of a maximum over windows: `select_prim` is ge_p (or le_p, for a minimum).
select_and_scatter_add_p = primitive("select_and_scatter_add", _select_and_scatter_add_rule)
select_and_gather_add_p = primitive("select_and_gather_add", _select_and_gather_add_rule)


# ---- cumulative reductions


def _cumulative(name: str, accepted: Dtypes = (np.number,)) -> Primitive:
    def rule(x: ShapedArray, *, axis: int, reverse: bool) -> ShapedArray:
        if axis < 0:
            raise ValueError("XLA operations do not allow negative axes")
        if axis >= x.ndim:
            raise ValueError(f"axis {axis} is out of bounds for array of shape {x.shape}")
        check_dtype(name, x, accepted)
        return x

    return primitive(name, rule)


cumsum_p, cumprod_p, cummax_p, cummin_p = map(_cumulative, ["cumsum", "cumprod", "cummax", "cummin"])
cumlogsumexp_p = _cumulative("cumlogsumexp", inexact)


def _accumulator(p: Primitive, what: str) -> Callable[..., Any]:
    """The function of a cumulative primitive."""

    @described(p.name, f"{what} of all elements up to each one along `axis`; from each one on where `reverse`.")
    def apply(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
        return p.bind(operand, axis=int(axis), reverse=bool(reverse))

    return apply


cumsum = _accumulator(cumsum_p, "The sum")
cumprod = _accumulator(cumprod_p, "The product")
cummax = _accumulator(cummax_p, "The largest")
cummin = _accumulator(cummin_p, "The smallest")
cumlogsumexp = _accumulator(cumlogsumexp_p, "The log of the sum of exp")
