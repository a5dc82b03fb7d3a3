"""Convolutions: a kernel moved over an image, each placement multiplied and summed."""

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from ..aval import Shape, ShapedArray, shaped, typeof
from ..placement import named
from .dot import canonicalize_precision
from .families import all_weak, any_, check_dtype_at, check_same_dtypes, primitive
from .indexing import strided
from .windows import dilate_shape, padtype_to_pads

Pads = tuple[tuple[int, int], ...]


class ConvDimensionNumbers(NamedTuple):
    """Which axes of the operands and the result mean what.

    Images: (batch, feature, spatial axes ...). Kernels: (features out, features in, spatial axes ...).
    """

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


# ---- dimension numbers


def conv_dimension_numbers(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], dimension_numbers: Any
) -> ConvDimensionNumbers:
    """The axes that three strings such as ("NHWC", "HWIO", "NHWC") name; None is batch, feature, spatial axes.

    Raises TypeError where the strings do not fit the ranks or each other.
    """
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    if len(lhs_shape) != len(rhs_shape):
        raise TypeError(
            f"convolution requires lhs and rhs ndim to be equal, got {len(lhs_shape)} and {len(rhs_shape)}."
        )
    if dimension_numbers is None:
        axes = tuple(range(len(lhs_shape)))
        return ConvDimensionNumbers(axes, axes, axes)
    if not isinstance(dimension_numbers, (list, tuple)):
        raise TypeError(f"convolution dimension_numbers must be tuple/list or None, got {type(dimension_numbers)}.")
    if len(dimension_numbers) != 3:
        raise TypeError(f"convolution dimension_numbers list/tuple must be length 3, got {len(dimension_numbers)}.")
    if not all(isinstance(spec, str) for spec in dimension_numbers):
        raise TypeError(
            f"convolution dimension_numbers elements must be strings, got {tuple(map(type, dimension_numbers))}."
        )
    for i, spec in enumerate(dimension_numbers):
        if len(spec) != len(lhs_shape):
            raise TypeError(
                f"convolution dimension_numbers[{i}] must have len equal to the ndim of lhs and rhs, "
                f"got {len(spec)} for lhs and rhs shapes {lhs_shape} and {rhs_shape}."
            )
    return ConvDimensionNumbers(*conv_general_permutations(dimension_numbers))


_LETTERS = ("NC", "OI", "NC")  # the two axes of lhs, rhs and the result that are not spatial


def conv_general_permutations(dimension_numbers: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """For each string the positions of its two special letters, then of the spatial ones in the kernel's order."""
    for i, (spec, (first, second)) in enumerate(zip(dimension_numbers, _LETTERS, strict=True)):
        if not spec.count(first) == spec.count(second) == 1:
            raise TypeError(
                f"convolution dimension_numbers[{i}] must contain the characters '{first}' and '{second}' "
                f"exactly once, got {spec}."
            )
        if len(spec) != len(set(spec)):
            raise TypeError(f"convolution dimension_numbers[{i}] cannot have duplicate characters, got {spec}.")
    spatial = [set(spec) - set(letters) for spec, letters in zip(dimension_numbers, _LETTERS, strict=True)]
    if not spatial[0] == spatial[1] == spatial[2]:
        raise TypeError(
            "convolution dimension_numbers elements must each have the same set of spatial characters, "
            f"got {dimension_numbers}."
        )
    order = [c for c in dimension_numbers[1] if c in spatial[1]]
    pairs = zip(dimension_numbers, _LETTERS, strict=True)
    return tuple(tuple(spec.index(c) for c in (*letters, *order)) for spec, letters in pairs)


# ---- conv_general_dilated


def _check_groups(features: int, inputs: int, outputs: int, batch: int, feature_groups: int, batch_groups: int) -> None:
    """Groups divide what they split. `inputs` and `outputs` are the kernel's feature sizes."""
    name = "conv_general_dilated"
    if feature_groups <= 0:
        raise ValueError(f"{name} feature_group_count must be a positive integer, got {feature_groups}.")
    if features % feature_groups:
        raise ValueError(
            f"{name} feature_group_count must divide lhs feature dimension size, "
            f"but {feature_groups} does not divide {features}."
        )
    if features // feature_groups != inputs:
        raise ValueError(
            f"{name} lhs feature dimension size divided by feature_group_count must equal the rhs input feature "
            f"dimension size, but {features} // {feature_groups} != {inputs}."
        )
    if outputs % feature_groups:
        raise ValueError(
            f"{name} rhs output feature dimension size must be a multiple of feature_group_count, "
            f"but {outputs} is not a multiple of {feature_groups}."
        )
    if batch_groups <= 0:
        raise ValueError(f"{name} batch_group_count must be a positive integer, got {batch_groups}.")
    if batch % batch_groups:
        raise ValueError(
            f"{name} batch_group_count must divide lhs batch dimension size, "
            f"but {batch_groups} does not divide {batch}."
        )
    if outputs % batch_groups:
        raise ValueError(
            f"{name} rhs output feature dimension size must be a multiple of batch_group_count, "
            f"but {outputs} is not a multiple of {batch_groups}."
        )
    if batch_groups > 1 and feature_groups > 1:
        raise ValueError(
            "At most one of batch_group_count and feature_group_count may be > 1, "
            f"got batch_group_count={batch_groups} and feature_group_count={feature_groups}"
        )


def _spatial_shape(image: Shape, kernel: Shape, window_strides: Shape, padding: Pads) -> Shape:
    """How many places the kernel has along each axis; the shapes are dilated already."""
    if len(padding) != len(image):
        raise TypeError(f"Wrong number of explicit pads for convolution: expected {len(image)}, got {len(padding)}.")
    padded = [n + before + after for n, (before, after) in zip(image, padding, strict=True)]
    if any(n < 0 for n in padded):
        raise ValueError(
            "Negative padding is larger than the size of the corresponding dimension: "
            f"got padding={padding} for lhs_shape[2:]={tuple(map(np.int64, image))}"
        )
    return tuple(strided(n, k, stride) for n, k, stride in zip(padded, kernel, window_strides, strict=True))


def _result_dtype(lhs: ShapedArray, rhs: ShapedArray, preferred: Any) -> np.dtype:
    check_dtype_at("conv_general_dilated", (lhs, rhs), (any_, any_))
    check_same_dtypes("conv_general_dilated", (lhs, rhs))
    if preferred is not None:
        _check_preferred(lhs.dtype, preferred)
    return lhs.dtype if preferred is None else preferred


def _check_preferred(dtype: np.dtype, preferred: np.dtype) -> None:
    """An integer may become a float; otherwise the preferred dtype is of the same family, and not narrower."""
    families = (np.integer, np.floating, np.complexfloating)
    to_float = dtypes.issubdtype(dtype, np.integer) and dtypes.issubdtype(preferred, np.floating)
    if not to_float and any(dtypes.issubdtype(dtype, f) and not dtypes.issubdtype(preferred, f) for f in families):
        raise TypeError(
            "Input type is incompatible with `preferred_element_type`. The compatible combinations of (input_type, "
            "preferred_element_type) are (integral, integral), (integral, floating), (floating, floating), "
            "(complex, complex."
        )
    signed = dtypes.issubdtype(dtype, np.signedinteger)
    if not to_float and signed and not dtypes.issubdtype(preferred, np.signedinteger):
        raise TypeError("`preferred_element_type` must have the same signedness as the original type.")
    if preferred.itemsize < dtype.itemsize:
        raise TypeError("`preferred_element_type` must not be narrower than the original type.")


def _conv_rule(
    lhs: ShapedArray,
    rhs: ShapedArray,
    *,
    window_strides: Shape,
    padding: Pads,
    lhs_dilation: Shape,
    rhs_dilation: Shape,
    dimension_numbers: ConvDimensionNumbers,
    feature_group_count: int,
    batch_group_count: int,
    preferred_element_type: Any,
    **_: Any,
) -> ShapedArray:
    if lhs.ndim != rhs.ndim:
        raise ValueError(
            "conv_general_dilated lhs and rhs must have the same number of dimensions, "
            f"but got {lhs.shape} and {rhs.shape}."
        )
    batch, features, *image = (lhs.shape[d] for d in dimension_numbers.lhs_spec)
    outputs, inputs, *kernel = (rhs.shape[d] for d in dimension_numbers.rhs_spec)
    _check_groups(features, inputs, outputs, batch, feature_group_count, batch_group_count)
    _check_strides(len(kernel), window_strides)
    image, kernel = dilate_shape(image, lhs_dilation), dilate_shape(kernel, rhs_dilation)
    shape = (batch // batch_group_count, outputs, *_spatial_shape(image, kernel, window_strides, padding))
    placed = tuple(shape[i] for i in np.argsort(dimension_numbers.out_spec))
    return shaped(placed, _result_dtype(lhs, rhs, preferred_element_type), all_weak((lhs, rhs)))


conv_general_dilated_p = primitive("conv_general_dilated", _conv_rule)


def _check_strides(rank: int, window_strides: Sequence[int]) -> None:
    if len(window_strides) != rank:
        raise ValueError(
            "conv_general_dilated window and window_strides must have the same number of dimensions, "
            f"but got {rank} and {len(window_strides)}"
        )


def conv_general_dilated(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:
    """The kernel `rhs` moved over the image `lhs` in steps of `window_strides`, without turning it round.

    `padding` is a string or (before, after) for each spatial axis. Dilation puts zeros between the elements.
    With feature groups each group of input features has its own kernels; with batch groups, each group of images.
    """
    numbers = conv_dimension_numbers(typeof(lhs).shape, typeof(rhs).shape, dimension_numbers)
    rank = typeof(lhs).ndim - 2
    _check_strides(rank, window_strides)
    lhs_dilation, rhs_dilation = (tuple(d) if d is not None else (1,) * rank for d in (lhs_dilation, rhs_dilation))
    if preferred_element_type is not None:
        preferred_element_type = dtypes.check_user_dtype_supported(preferred_element_type, "conv_general_dilated")
    return conv_general_dilated_p.bind(
        lhs,
        rhs,
        window_strides=tuple(window_strides),
        padding=_pads(lhs, rhs, numbers, window_strides, padding, lhs_dilation, rhs_dilation),
        lhs_dilation=lhs_dilation,
        rhs_dilation=rhs_dilation,
        dimension_numbers=numbers,
        feature_group_count=feature_group_count,
        batch_group_count=batch_group_count,
        precision=canonicalize_precision(precision),
        preferred_element_type=preferred_element_type,
        out_sharding=named(out_sharding, "conv_general_dilated"),
    )


def _pads(
    lhs: Any,
    rhs: Any,
    numbers: ConvDimensionNumbers,
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Shape,
    rhs_dilation: Shape,
) -> Pads:
    """The padding of each spatial axis that the argument `padding` means."""
    if isinstance(padding, str):
        if any(d != 1 for d in lhs_dilation):
            raise ValueError(
                "String padding is not implemented for transposed convolution using this op. Please either exactly "
                "specify the required padding or use conv_transpose."
            )
        image = [typeof(lhs).shape[d] for d in numbers.lhs_spec[2:]]
        kernel = dilate_shape([typeof(rhs).shape[d] for d in numbers.rhs_spec[2:]], rhs_dilation)
        return tuple(padtype_to_pads(image, kernel, window_strides, padding))
    try:
        return tuple((operator.index(before), operator.index(after)) for before, after in padding)
    except (ValueError, TypeError) as error:
        raise ValueError(
            "padding argument to conv_general_dilated should be a string or a sequence of (low, high) pairs, "
            f"got {padding}"
        ) from error


# ---- shorthands


def conv(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: str,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:
    """conv_general_dilated on images [batch, feature, ...] and kernels [out, in, ...], without dilation."""
    return conv_general_dilated(
        lhs, rhs, window_strides, padding, precision=precision, preferred_element_type=preferred_element_type
    )


def conv_with_general_padding(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:
    """conv_general_dilated on images [batch, feature, ...] and kernels [out, in, ...]."""
    return conv_general_dilated(
        lhs,
        rhs,
        window_strides,
        padding,
        lhs_dilation=lhs_dilation,
        rhs_dilation=rhs_dilation,
        precision=precision,
        preferred_element_type=preferred_element_type,
    )
