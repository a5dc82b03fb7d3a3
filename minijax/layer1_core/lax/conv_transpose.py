"""Convolutions that make larger images: conv_transpose. And the patches that a convolution sees."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..aval import typeof
from .conv import ConvDimensionNumbers, conv_dimension_numbers, conv_general_dilated
from .converting import convert_element_type
from .dot import Precision
from .elementwise import add, eq
from .indexing import rev
from .shaping import broadcast_in_dim, broadcasted_iota, reshape, transpose
from .windows import dilate_shape

_DEFAULT_NUMBERS = {  # of conv_transpose, by the rank of the image
    2: ("NC", "IO", "NC"),
    3: ("NHC", "HIO", "NHC"),
    4: ("NHWC", "HWIO", "NHWC"),
    5: ("NHWDC", "HWDIO", "NHWDC"),
}


def conv_transpose(
    lhs: Any,
    rhs: Any,
    strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    transpose_kernel: bool = False,
    precision: Any = None,
    preferred_element_type: Any = None,
    use_consistent_padding: bool = False,
) -> Any:
    """A convolution whose image is first spread out by `strides`: it undoes the shape of a strided one.

    `padding` as a string is that of the convolution to undo, and so are pairs where `use_consistent_padding`.
    `transpose_kernel` turns the kernel round and swaps its features, as the gradient of a convolution does.
    """
    numbers = conv_dimension_numbers(
        typeof(lhs).shape, typeof(rhs).shape, dimension_numbers or _default_numbers(typeof(lhs).ndim)
    )
    spatial = [typeof(rhs).shape[d] for d in numbers.rhs_spec[2:]]
    dilation = (1,) * len(spatial) if rhs_dilation is None else rhs_dilation
    if use_consistent_padding or padding in ("SAME", "VALID"):
        each = [padding] * len(strides) if isinstance(padding, str) else padding
        kernel = dilate_shape(spatial, dilation)
        padding = [_transposed_pads(k, s, p) for k, s, p in zip(kernel, strides, each, strict=True)]
    return conv_general_dilated(
        lhs,
        _turned_round(rhs, numbers) if transpose_kernel else rhs,
        (1,) * len(spatial),
        padding,
        strides,
        dilation,
        numbers,
        precision=precision,
        preferred_element_type=preferred_element_type,
    )


def _default_numbers(rank: int) -> tuple[str, str, str]:
    if rank not in _DEFAULT_NUMBERS:
        raise ValueError("No 4+ dimensional dimension_number defaults.")
    return _DEFAULT_NUMBERS[rank]


def _transposed_pads(kernel: int, stride: int, padding: Any) -> tuple[int, int]:
    """The padding (before, after) that undoes `padding` of the forward convolution."""
    if padding == "SAME":
        total = kernel + stride - 2
        before = kernel - 1 if stride > kernel - 1 else -(-total // 2)
        return before, total - before
    if padding == "VALID":
        return kernel - 1, stride - 1 + max(kernel - stride, 0)
    if isinstance(padding, tuple):
        before, after = (kernel - p - 1 for p in padding)
        return before, after
    raise ValueError(f"Invalid padding mode: {padding}")


def _turned_round(kernel: Any, numbers: ConvDimensionNumbers) -> Any:
    """The kernel read backwards along its spatial axes, with the features in and out swapped."""
    outputs, inputs, *spatial = numbers.rhs_spec
    for axis in spatial:
        kernel = rev(kernel, (axis,))
    order = list(range(typeof(kernel).ndim))
    order[outputs], order[inputs] = inputs, outputs
    return transpose(kernel, order)


def conv_general_dilated_patches(
    lhs: Any,
    filter_shape: Sequence[int],
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:
    """What lies under a kernel of `filter_shape` at each place, along the feature axis: C features * K places of it.

    A convolution whose kernels have a single 1 each: kernel k of a feature picks place k of the window.
    """
    aval, filter_shape = typeof(lhs), tuple(filter_shape)
    numbers = conv_dimension_numbers(aval.shape, (1, 1, *filter_shape), dimension_numbers)
    size, features = math.prod(filter_shape), aval.shape[numbers.lhs_spec[1]]
    kernel = broadcast_in_dim(_identity(size, aval.dtype), (features, size, size), (1, 2))
    kernel = reshape(kernel, (features * size, 1, *filter_shape))  # [O, I, K]
    kernel = transpose(kernel, np.argsort(numbers.rhs_spec).tolist())
    return conv_general_dilated(
        lhs,
        kernel,
        window_strides,
        padding,
        lhs_dilation,
        rhs_dilation,
        numbers,
        feature_group_count=features,
        precision=None if precision is None else (precision, Precision.DEFAULT),
        preferred_element_type=preferred_element_type,
    )


def _identity(n: int, dtype: Any) -> Any:
    rows = add(broadcasted_iota(np.int32, (n, n), 0), np.int32(0))  # an offset of 0, as in the jaxpr of jnp.eye
    return convert_element_type(eq(rows, broadcasted_iota(np.int32, (n, n), 1)), dtype)
