"""Convolution: a batch of images is a larger batch, a batch of kernels more output features; a batch of both is one
group of features for each example.
"""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import typeof
from ...layer1_core.lax.conv import ConvDimensionNumbers, conv_general_dilated, conv_general_dilated_p
from ...layer1_core.lax.shaping import full
from ...layer4_grad.rules.conv import axis_into, axis_out_of
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
    lhs = axis_into(lhs_dim, lhs_spec[0 if by_batch else 1], lhs)
    rhs = axis_into(rhs_dim, rhs_spec[0], rhs)
    out = conv_general_dilated(lhs, rhs, dimension_numbers=dimension_numbers, **params)
    return axis_out_of(out_spec[1], size, out), out_spec[1]


def _batch_of_images(
    lhs: Any, rhs: Any, dim: int, *, dimension_numbers: ConvDimensionNumbers, batch_group_count: int, **params: Any
) -> Result:
    """A group of images stays the outer part of the axis of images."""
    image, out_spec = dimension_numbers.lhs_spec[0], dimension_numbers.out_spec
    size = lhs.shape[dim]
    lhs = _into_groups(dim, image, batch_group_count, lhs)
    params["batch_group_count"] = batch_group_count
    out = conv_general_dilated(lhs, rhs, dimension_numbers=dimension_numbers, **params)
    return axis_out_of(out_spec[0], size, out), out_spec[0]


def _batch_of_kernels(
    lhs: Any, rhs: Any, dim: Any, *, dimension_numbers: ConvDimensionNumbers, **params: Any
) -> Result:
    """A group of output features stays the outer part of their axis, of the kernels and of the result."""
    feature, out_feature = dimension_numbers.rhs_spec[0], dimension_numbers.out_spec[1]
    size, groups = rhs.shape[dim], max(params["feature_group_count"], params["batch_group_count"])
    rhs = _into_groups(dim, feature, groups, rhs)
    out = conv_general_dilated(lhs, rhs, dimension_numbers=dimension_numbers, **params)
    if groups == 1:
        return axis_out_of(out_feature, size, out), out_feature
    out = axis_out_of(out_feature, groups, out)
    out = axis_out_of(out_feature + 1, size, out)
    return axis_into(out_feature, out_feature + 1, out), out_feature


def _into_groups(dim: int, axis: int, groups: int, x: Any) -> Any:
    """`x` with axis `dim` in each group of `axis`: what that axis is made of is [groups, dim, the rest]."""
    if groups == 1:
        return axis_into(dim, axis, x)
    x = axis_out_of(axis + (dim <= axis), groups, x)
    x = axis_into(dim + (axis < dim), axis + 1, x)
    return axis_into(axis, axis, x)
