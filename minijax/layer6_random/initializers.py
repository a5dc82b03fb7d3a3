"""The first values of a network's weights: random numbers of a variance that suits the shape.

An initializer is a function of a key, a shape and a dtype. A weight that n inputs are multiplied with has a variance
of about 1/n, so that what comes out is as large as what went in.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape
from ..layer1_core.jnp import creation
from ..layer1_core.jnp.array_creation import array, full
from ..layer1_core.jnp.shaping import moveaxis, reshape
from ..layer1_core.jnp.ufuncs import exp, log, sqrt
from . import matrices, normal as normal_numbers, uniform as uniform_numbers
from .arguments import shape_of
from .keys import split

Axes = int | Sequence[int]
# The standard deviation of normal numbers between -2 and 2, and of complex ones whose absolute value is below 2.
_CUT_OFF, _CUT_OFF_COMPLEX = 0.87962566103423978, 0.95311164380491208


@runtime_checkable
class Initializer(Protocol):
    """What makes weights: `initializer(key, shape, dtype)`."""

    def __call__(self, key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any: ...


def _named(dtype: Any, default: Any = None) -> np.dtype:
    """The dtype of the weights: the one in the call, or the initializer's, or the default of floats."""
    dtype = default if dtype is None else dtype
    return dtypes.check_user_dtype_supported(float if dtype is None else dtype, "array")


def _initializer(default: Any) -> Callable[[Callable[[Any, Any, np.dtype, Any], Any]], Initializer]:
    """Makes an initializer of a function that needs a dtype: without one in the call, that is `default`."""

    def make(draw: Callable[[Any, Any, np.dtype, Any], Any]) -> Initializer:
        def init(key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
            return draw(key, shape, _named(dtype, default), out_sharding)

        return init

    return make


# ---- the same for all


def zeros(key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
    """Zeros of this shape. The key has no effect."""
    return creation.zeros(shape, _named(dtype), out_sharding=out_sharding)


def ones(key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
    """Ones of this shape. The key has no effect."""
    return creation.ones(shape, _named(dtype), out_sharding=out_sharding)


def constant(value: Any, dtype: Any = None) -> Initializer:
    """An initializer that fills the shape with `value`."""

    @_initializer(dtype)
    def init(key: Any, shape: Any, dtype: np.dtype, out_sharding: Any) -> Any:
        return full(shape, value, dtype, out_sharding=out_sharding)

    return init


# ---- of one scale


def uniform(scale: Any = 1e-2, dtype: Any = None) -> Initializer:
    """An initializer of numbers between 0 and `scale`, all equally likely."""

    @_initializer(dtype)
    def init(key: Any, shape: Any, dtype: np.dtype, out_sharding: Any) -> Any:
        return uniform_numbers.uniform(key, shape, dtype, out_sharding=out_sharding) * array(scale, dtype)

    return init


def normal(stddev: Any = 1e-2, dtype: Any = None) -> Initializer:
    """An initializer of normal numbers with this standard deviation."""

    @_initializer(dtype)
    def init(key: Any, shape: Any, dtype: np.dtype, out_sharding: Any) -> Any:
        return normal_numbers.normal(key, shape, dtype, out_sharding=out_sharding) * array(stddev, dtype)

    return init


def truncated_normal(stddev: Any = 1e-2, dtype: Any = None, lower: Any = -2.0, upper: Any = 2.0) -> Initializer:
    """An initializer of normal numbers between `lower` and `upper`, times `stddev`."""

    @_initializer(dtype)
    def init(key: Any, shape: Any, dtype: np.dtype, out_sharding: Any) -> Any:
        numbers = normal_numbers.truncated_normal(key, lower, upper, shape, dtype, out_sharding=out_sharding)
        return numbers * array(stddev, dtype)

    return init


# ---- of a scale that suits the shape


def variance_scaling(
    scale: Any,
    mode: str,
    distribution: str,
    in_axis: Axes = -2,
    out_axis: Axes = -1,
    batch_axis: Axes = (),
    dtype: Any = None,
) -> Initializer:
    """An initializer of numbers with variance scale / n.

    n is the number of inputs of an output ("fan_in"), of outputs that an input has an effect on ("fan_out"), or a mean
    of the two: arithmetic ("fan_avg") or geometric ("fan_geo_avg"). `distribution` is "truncated_normal", "normal" or
    "uniform"; `in_axis` and `out_axis` are the axes of inputs and outputs, `batch_axis` those that are neither, and all
    others are those of a window. Complex dtypes are taken. The initializer raises ValueError for another mode or
    distribution, and for a shape of one axis where `in_axis` was not given.
    """

    @_initializer(dtype)
    def init(key: Any, shape: Any, dtype: np.dtype, out_sharding: Any) -> Any:
        sizes = shape_of(shape)
        variance = array(scale / _fan(mode, sizes, in_axis, out_axis, batch_axis), dtype)
        draw = _drawn(distribution)
        return draw(key, sizes, dtype, variance, out_sharding)

    return init


def _fan(mode: str, shape: Shape, in_axis: Axes, out_axis: Axes, batch_axis: Axes) -> float:
    """The number of inputs or outputs by which a variance is divided."""
    if len(shape) <= 1 and in_axis == -2:
        raise ValueError(
            f"Can't compute input and output sizes of a {len(shape)}-dimensional weights tensor with default in_axis. "
            "Must be at least 2D or specify in_axis explicitly."
        )
    inputs, outputs, batch = (_size(shape, axes) for axes in (in_axis, out_axis, batch_axis))
    window = math.prod(shape) / inputs / outputs / batch
    means = {
        "fan_in": lambda a, b: a,
        "fan_out": lambda a, b: b,
        "fan_avg": lambda a, b: (a + b) / 2,
        "fan_geo_avg": lambda a, b: math.sqrt(a * b),
    }
    if mode not in means:
        raise ValueError(f"invalid mode for variance scaling initializer: {mode}")
    return means[mode](inputs * window, outputs * window)


def _size(shape: Shape, axes: Axes) -> int:
    return shape[axes] if isinstance(axes, int) else math.prod(shape[axis] for axis in axes)


def _drawn(distribution: str) -> Any:
    """The function of (key, shape, dtype, variance, out_sharding) that draws numbers of this distribution."""
    kinds = {"truncated_normal": _truncated, "normal": _normal, "uniform": _uniform}
    if distribution not in kinds:
        raise ValueError(f"invalid distribution for variance scaling initializer: {distribution}")
    return kinds[distribution]


def _truncated(key: Any, shape: Shape, dtype: Any, variance: Any, out_sharding: Any) -> Any:
    if dtypes.issubdtype(dtype, np.floating):
        stddev = sqrt(variance) / array(_CUT_OFF, dtype)
        return normal_numbers.truncated_normal(key, -2, 2, shape, dtype, out_sharding=out_sharding) * stddev
    stddev = sqrt(variance) / array(_CUT_OFF_COMPLEX, dtype)
    radius, angle = split(key)
    ending = 1 - exp(array(-4, dtype))  # of the distribution function, at an absolute value of 2
    u = uniform_numbers.uniform(radius, shape, _real(dtype), out_sharding=out_sharding).astype(dtype)
    return sqrt(-log(1 - ending * u)) * _turned(angle, shape, dtype, out_sharding) * stddev


def _normal(key: Any, shape: Shape, dtype: Any, variance: Any, out_sharding: Any) -> Any:
    return normal_numbers.normal(key, shape, dtype, out_sharding=out_sharding) * sqrt(variance)


def _uniform(key: Any, shape: Shape, dtype: Any, variance: Any, out_sharding: Any) -> Any:
    """Real ones between -b and b have the variance b b / 3; complex ones lie in a disc."""
    if dtypes.issubdtype(dtype, np.floating):
        return uniform_numbers.uniform(key, shape, dtype, -1, out_sharding=out_sharding) * sqrt(3 * variance)
    radius, angle = split(key)
    r = sqrt(2 * uniform_numbers.uniform(radius, shape, _real(dtype), out_sharding=out_sharding)).astype(dtype)
    return r * _turned(angle, shape, dtype, out_sharding) * sqrt(variance)


def _turned(key: Any, shape: Shape, dtype: Any, out_sharding: Any) -> Any:
    """Complex numbers of absolute value 1, in all directions."""
    turns = uniform_numbers.uniform(key, shape, _real(dtype), out_sharding=out_sharding).astype(dtype)
    return exp(1j * (2 * np.pi * turns))


def _real(dtype: Any) -> np.dtype:
    """The dtype of the parts of a complex one; any other as it is, so that the sampler refuses it."""
    return np.zeros((), dtype).real.dtype


def _family(name: str, scale: float, mode: str, distribution: str, told: str) -> Any:
    """The function that makes an initializer of this kind, under its name."""

    def make(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype: Any = None) -> Initializer:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"An initializer of {told}. The axes are those of `variance_scaling`."
    return make


# Glorot and Bengio, 2010; LeCun and others, 1998; He and others, 2015.
glorot_uniform = xavier_uniform = _family(
    "glorot_uniform", 1.0, "fan_avg", "uniform", "uniform numbers with variance 2 / (inputs + outputs)"
)
glorot_normal = xavier_normal = _family(
    "glorot_normal", 1.0, "fan_avg", "truncated_normal", "normal numbers with variance 2 / (inputs + outputs)"
)
lecun_uniform = _family("lecun_uniform", 1.0, "fan_in", "uniform", "uniform numbers with variance 1 / inputs")
lecun_normal = _family("lecun_normal", 1.0, "fan_in", "truncated_normal", "normal numbers with variance 1 / inputs")
he_uniform = kaiming_uniform = _family(
    "he_uniform", 2.0, "fan_in", "uniform", "uniform numbers with variance 2 / inputs, for relu"
)
he_normal = kaiming_normal = _family(
    "he_normal", 2.0, "fan_in", "truncated_normal", "normal numbers with variance 2 / inputs, for relu"
)


# ---- rotations


def orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Initializer:
    """An initializer of matrices with orthogonal columns of length `scale` (or rows, where those are fewer).

    The columns lie along `column_axis`, all other axes together are the rows. The initializer raises ValueError for a
    shape of fewer than two axes.
    """

    @_initializer(dtype)
    def init(key: Any, shape: Any, dtype: np.dtype, out_sharding: Any) -> Any:
        sizes = shape_of(shape)
        if out_sharding is not None:
            raise NotImplementedError
        if len(sizes) < 2:
            raise ValueError("orthogonal initializer requires at least a 2D shape")
        columns = sizes[column_axis]
        rows = math.prod(sizes) // columns if columns else 0
        matrix = matrices.orthogonal(key, rows, (), dtype, columns)
        others = [size for axis, size in enumerate(sizes) if axis != column_axis % len(sizes)]
        return array(scale, dtype) * moveaxis(reshape(matrix, (*others, columns)), -1, column_axis)

    return init


def delta_orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Initializer:
    """An initializer of convolution kernels: an orthogonal matrix in the middle of the window, and zeros around it.

    The shape is (*window, inputs, outputs). The initializer raises ValueError where the window has not 1 to 3 axes, and
    for more inputs than outputs. Source: Xiao and others, "Dynamical isometry and a mean field theory of CNNs" (2018).
    """

    @_initializer(dtype)
    def init(key: Any, shape: Any, dtype: np.dtype, out_sharding: Any) -> Any:
        sizes = shape_of(shape)
        if out_sharding is not None:
            raise NotImplementedError
        if len(sizes) not in (3, 4, 5):
            raise ValueError("Delta orthogonal initializer requires a 3D, 4D or 5D shape.")
        if sizes[-1] < sizes[-2]:
            raise ValueError("`fan_in` must be less or equal than `fan_out`. ")
        matrix = orthogonal(scale, column_axis, dtype)(key, sizes[-2:])
        middle = tuple((size - 1) // 2 for size in sizes[:-2])
        return creation.zeros(sizes, dtype).at[middle].set(matrix)

    return init
