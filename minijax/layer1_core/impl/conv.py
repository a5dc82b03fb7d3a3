"""What a convolution computes: the patches of the image under the kernel, times the kernel, as one dot_general.

N: batch. C: features in. O: features out. S: the spatial axes. K: the axes of the kernel's window. G: groups.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..aval import Shape
from ..lax.conv import ConvDimensionNumbers
from .dot import dot_general
from .windows import padded, window_counts


def conv_general_dilated(
    lhs: np.ndarray,
    rhs: np.ndarray,
    *,
    window_strides: Shape,
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Shape,
    rhs_dilation: Shape,
    dimension_numbers: ConvDimensionNumbers,
    feature_group_count: int,
    batch_group_count: int,
    preferred_element_type: Any = None,
    **_: Any,
) -> np.ndarray:
    """The kernel rhs moved over the image lhs, each placement multiplied and summed."""
    image = lhs.transpose(dimension_numbers.lhs_spec)  # [N, C, S]
    kernel = rhs.transpose(dimension_numbers.rhs_spec)  # [O, C, K]
    image = padded(image, image.dtype.type(0), [(0, 0), (0, 0), *padding], (1, 1, *lhs_dilation))
    groups = feature_group_count * batch_group_count  # one of them is 1
    image = split_groups(image, 1 if feature_group_count > 1 else 0, groups)  # [G, N, C, S]
    kernel = split_groups(kernel, 0, groups)  # [G, O, C, K]
    patches = all_patches(image, kernel.shape[3:], window_strides, rhs_dilation)  # [G, N, C, S, K]
    summed = (2, *range(image.ndim, patches.ndim)), (2, *range(3, kernel.ndim))
    dims = summed, ((0,), (0,))
    out = dot_general(patches, kernel, dimension_numbers=dims, preferred_element_type=preferred_element_type)
    out = np.moveaxis(out, (0, -1), (1, 2))  # [G, N, S, O] -> [N, G, O, S]
    n, g, o, *spatial = out.shape
    return out.reshape(n, g * o, *spatial).transpose(np.argsort(dimension_numbers.out_spec))


def split_groups(x: np.ndarray, axis: int, groups: int) -> np.ndarray:
    """x with `axis` split into (groups, the rest) and the groups moved to the front."""
    split = x.reshape(*x.shape[:axis], groups, x.shape[axis] // groups, *x.shape[axis + 1 :])
    return np.moveaxis(split, axis, 0)


def all_patches(image: np.ndarray, window: Shape, strides: Shape, dilation: Shape) -> np.ndarray:
    """What lies under the kernel at each place, [..., S] -> [..., S, K]: a view in which the patches overlap."""
    rest = image.ndim - len(window)
    places = window_counts(image.shape[rest:], window, strides, dilation)
    steps = image.strides[rest:]
    place_steps = [step * stride for step, stride in zip(steps, strides, strict=True)]
    window_steps = [step * d for step, d in zip(steps, dilation, strict=True)]
    shape = image.shape[:rest] + places + window
    return np.lib.stride_tricks.as_strided(image, shape, [*image.strides[:rest], *place_steps, *window_steps])
