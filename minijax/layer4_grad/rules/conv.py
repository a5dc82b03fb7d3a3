"""Convolutions: linear in the image and in the kernel; each transpose is a convolution again."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import Shape, typeof
from ...layer1_core.lax.conv import ConvDimensionNumbers, Pads, conv_general_dilated, conv_general_dilated_p
from ...layer1_core.lax.converting import convert_element_type
from ...layer1_core.lax.indexing import rev
from ...layer1_core.lax.shaping import reshape
from ...layer1_core.lax.windows import dilate_shape
from ..families import defbilinear
from ..tangents import Zero
from .windows import pads_of_transpose

# ---- the image


def _conv_transpose_lhs(
    ct: Any, lhs: Any, rhs: Any, *, window_strides: Shape, padding: Pads, lhs_dilation: Shape, rhs_dilation: Shape,
    dimension_numbers: ConvDimensionNumbers, feature_group_count: int, batch_group_count: int, **params: Any,
) -> Any:  # fmt: skip
    """The kernel, turned round, over the cotangent, which is dilated as the image was strided and the other way."""
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    image, kernel, out = _spatial_sizes(lhs, rhs, ct, dimension_numbers)
    pads = pads_of_transpose(image, kernel, window_strides, out, padding, lhs_dilation, rhs_dilation)
    groups = max(feature_group_count, batch_group_count)
    if groups > 1:  # the groups go from the kernel's output features to its input features
        rhs = axis_into(rhs_spec[0], rhs_spec[1], axis_out_of(rhs_spec[0], groups, rhs))
    x = conv_general_dilated(
        ct, _as(rev(rhs, rhs_spec[2:]), ct), lhs_dilation, pads, window_strides, rhs_dilation,
        ConvDimensionNumbers(out_spec, _swapped(rhs_spec), lhs_spec), groups, 1, **params,
    )  # fmt: skip
    x = _as(x, lhs)
    if batch_group_count > 1:
        return axis_into(lhs_spec[1], lhs_spec[0], axis_out_of(lhs_spec[1], batch_group_count, x))
    return x


# ---- the kernel


def _conv_transpose_rhs(
    ct: Any, lhs: Any, rhs: Any, *, window_strides: Shape, padding: Pads, lhs_dilation: Shape, rhs_dilation: Shape,
    dimension_numbers: ConvDimensionNumbers, feature_group_count: int, batch_group_count: int, **params: Any,
) -> Any:  # fmt: skip
    """The cotangent, as a kernel, over the image: batch axes take the part of features, and features that of batch."""
    if not typeof(ct).size:
        return Zero(rhs.aval)
    image, kernel, out = _spatial_sizes(lhs, rhs, ct, dimension_numbers)
    base, spans, spread = (
        dilate_shape(image, lhs_dilation),
        dilate_shape(kernel, rhs_dilation),
        dilate_shape(out, window_strides),
    )
    low = [before for before, _ in padding]
    high = [o - n + k - before - 1 for o, n, k, before in zip(spread, base, spans, low, strict=True)]
    lhs_spec, rhs_spec, out_spec = map(_swapped, dimension_numbers)
    x = conv_general_dilated(
        _as(lhs, ct), ct, rhs_dilation, list(zip(low, high, strict=True)), lhs_dilation, window_strides,
        ConvDimensionNumbers(lhs_spec, out_spec, rhs_spec), batch_group_count, feature_group_count, **params,
    )  # fmt: skip
    return _as(x, rhs)


defbilinear(conv_general_dilated_p, _conv_transpose_lhs, _conv_transpose_rhs)

# ---- axes


def _spatial_sizes(lhs: Any, rhs: Any, out: Any, numbers: ConvDimensionNumbers) -> list[list[int]]:
    """The sizes of the spatial axes of image, kernel and result."""
    operands = zip((lhs, rhs, out), numbers, strict=True)
    return [[x.shape[d] for d in spec[2:]] for x, spec in operands]


def _swapped(spec: Sequence[int]) -> tuple[int, ...]:
    """The axes where the first two have changed their parts."""
    return spec[1], spec[0], *spec[2:]


def _as(x: Any, like: Any) -> Any:
    return convert_element_type(x, like.dtype) if x.dtype != like.dtype else x


def axis_out_of(axis: int, count: int, x: Any) -> Any:
    """`x` with the outer part, of this size, of an axis as an axis of its own, ahead of it."""
    shape = typeof(x).shape
    return reshape(x, (*shape[:axis], count, shape[axis] // count, *shape[axis + 1 :]))


def axis_into(source: int, target: int, x: Any) -> Any:
    """`x` with axis `source` made the outer part of axis `target`, which is counted without it."""
    shape = list(typeof(x).shape)
    order = [d for d in range(len(shape)) if d != source]
    order.insert(target, source)
    count = shape.pop(source)
    shape[target] *= count
    return reshape(x, shape, order)
