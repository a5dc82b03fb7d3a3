"""Convolution: a batch of images is a larger batch, a batch of kernels more output features; a batch of both is one
group of features for each example.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import typeof
from ...layer1_core.lax.conv import ConvDimensionNumbers, conv_general_dilated, conv_general_dilated_p
from ...layer1_core.lax.shaping import full, reshape
from ..batching import batching_rules, mapped_aval
from ..families import Dims, Result

Params = dict[str, Any]


@batching_rules.rule(conv_general_dilated_p)
def _conv_rule(args: Sequence[Any], dims: Dims, **params: Any) -> Result:
    (lhs, rhs), (lhs_dim, rhs_dim) = args, dims
    if any(d is not None and x.shape[d] == 0 for x, d in zip(args, dims, strict=True)):
        return _of_nothing(args, dims, params)
    if lhs_dim is None:
        return _batch_of_kernels(lhs, rhs, rhs_dim, **params)
    if rhs_dim is None:
        return _batch_of_images(lhs, rhs, lhs_dim, **params)
    return _batch_of_both(lhs, rhs, lhs_dim, rhs_dim, **params)


def _of_nothing(args: Sequence[Any], dims: Dims, params: Params) -> Result:
    """No examples: an axis of size 0 cannot be put into another one and taken out again."""
    avals = [typeof(x) if d is None else mapped_aval(typeof(x), d) for x, d in zip(args, dims, strict=True)]
    out = conv_general_dilated_p.out_avals(tuple(avals), params)
    return full((0, *out.shape), 0, out.dtype), 0


def _batch_of_both(
    lhs: Any, rhs: Any, lhs_dim: int, rhs_dim: int, *, dimension_numbers: ConvDimensionNumbers, **params: Any
) -> Result:
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    size = lhs.shape[lhs_dim]
    by_batch = params["batch_group_count"] > 1
    params["batch_group_count" if by_batch else "feature_group_count"] *= size
    lhs = into_axis(lhs_dim, lhs_spec[0 if by_batch else 1], lhs)
    rhs = into_axis(rhs_dim, rhs_spec[0], rhs)
    out = conv_general_dilated(lhs, rhs, dimension_numbers=dimension_numbers, **params)
    return out_of_axis(out_spec[1], size, out), out_spec[1]


def _batch_of_images(
    lhs: Any, rhs: Any, dim: int, *, dimension_numbers: ConvDimensionNumbers, batch_group_count: int, **params: Any
) -> Result:
    """A group of images stays the outer part of the axis of images."""
    image, out_spec = dimension_numbers.lhs_spec[0], dimension_numbers.out_spec
    size = lhs.shape[dim]
    if batch_group_count == 1:
        lhs = into_axis(dim, image, lhs)
    else:
        lhs = out_of_axis(image + (dim <= image), batch_group_count, lhs)
        lhs = into_axis(dim + (image < dim), image + 1, lhs)
        lhs = into_axis(image, image, lhs)
    params["batch_group_count"] = batch_group_count
    out = conv_general_dilated(lhs, rhs, dimension_numbers=dimension_numbers, **params)
    return out_of_axis(out_spec[0], size, out), out_spec[0]


def _batch_of_kernels(
    lhs: Any, rhs: Any, dim: Any, *, dimension_numbers: ConvDimensionNumbers, **params: Any
) -> Result:
    """A group of output features stays the outer part of their axis, of the kernels and of the result."""
    feature, out_feature = dimension_numbers.rhs_spec[0], dimension_numbers.out_spec[1]
    size, groups = rhs.shape[dim], max(params["feature_group_count"], params["batch_group_count"])
    if groups == 1:
        rhs = into_axis(dim, feature, rhs)
        out = conv_general_dilated(lhs, rhs, dimension_numbers=dimension_numbers, **params)
        return out_of_axis(out_feature, size, out), out_feature
    rhs = out_of_axis(feature + (dim <= feature), groups, rhs)
    rhs = into_axis(dim + (feature < dim), feature + 1, rhs)
    rhs = into_axis(feature, feature, rhs)
    out = conv_general_dilated(lhs, rhs, dimension_numbers=dimension_numbers, **params)
    out = out_of_axis(out_feature, groups, out)
    out = out_of_axis(out_feature + 1, size, out)
    return into_axis(out_feature, out_feature + 1, out), out_feature


# ---- an axis put into another one, and taken out


def into_axis(src: int, dst: int, x: Any) -> Any:
    """`x` with axis `src` as the outer part of axis `dst`, which is counted without it."""
    order = [d for d in range(x.ndim) if d != src]
    order.insert(dst, src)
    shape = [*np.delete(x.shape, src).tolist()]
    shape[dst] *= x.shape[src]
    return reshape(x, shape, order)


def out_of_axis(src: int, size: int, x: Any) -> Any:
    """`x` with the outer part, of this size, of axis `src` as an axis of its own, ahead of it."""
    return reshape(x, (*x.shape[:src], size, x.shape[src] // size, *x.shape[src + 1 :]))
