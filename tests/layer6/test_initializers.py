"""Initializers draw numbers of the variance that they promise, and orthogonal ones orthogonal matrices."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.nn import initializers

KEY = jax.random.key(3)
SHAPE = (5, 80, 120)  # a window of 5, 80 inputs, 120 outputs
VARIANCE = {"fan_in": 1 / 400, "fan_out": 1 / 600, "fan_avg": 1 / 500, "fan_geo_avg": 1 / np.sqrt(400 * 600)}


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize("distribution", ["truncated_normal", "normal", "uniform"])
@pytest.mark.parametrize("mode", VARIANCE)
def test_the_variance_suits_the_shape(mode, distribution, dtype):
    x = np.asarray(initializers.variance_scaling(2.0, mode, distribution)(KEY, SHAPE, dtype))
    assert (x.shape, x.dtype) == (SHAPE, dtype)
    np.testing.assert_allclose(np.var(x), 2 * VARIANCE[mode], rtol=0.03)


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3), (2, 3, 4)])
@pytest.mark.parametrize("axis", [-1, 0])
def test_columns_are_orthogonal_and_of_one_length(shape, axis):
    x = np.asarray(initializers.orthogonal(2.0, column_axis=axis)(KEY, shape))
    matrix = np.moveaxis(x, axis, -1).reshape(-1, shape[axis])
    small = matrix if matrix.shape[0] >= matrix.shape[1] else matrix.T
    np.testing.assert_allclose(small.T @ small, 4 * np.eye(small.shape[1]), atol=1e-5)


def test_a_convolution_with_a_delta_kernel_keeps_lengths():
    kernel = initializers.delta_orthogonal()(KEY, (3, 4, 4))
    x = jax.random.normal(KEY, (1, 10, 4))
    y = jax.lax.conv_general_dilated(x, kernel, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))
    np.testing.assert_allclose(jnp.linalg.norm(y, axis=-1), jnp.linalg.norm(x, axis=-1), rtol=1e-5)


def test_the_dtype_of_the_call_goes_before_that_of_the_initializer():
    init = initializers.normal(dtype="float16")
    assert init(KEY, (2,)).dtype == "float16" and init(KEY, (2,), "float32").dtype == "float32"
