"""Convolutions as products of matrices, a block of places at a time."""

import itertools

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from compiled import assert_close, programs
from minijax import lax
from minijax.layer2_jit import blas
from minijax.layer2_jit.compiler import Program
from minijax.layer2_jit.loops import For, Kernel, Product, statements
from minijax.layer2_jit.render import rendered

pytestmark = pytest.mark.skipif(blas.library() is None, reason="NumPy has another library for matrices here")


def numbers(*shape):
    """Whole numbers, whose sums are not rounded."""
    return np.random.default_rng(0).integers(-9, 10, shape).astype("float32")


def convolution(numbers=("NCHW", "OIHW", "NCHW"), strides=(1, 1), padding="SAME", **options):
    return lambda x, k: lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=numbers, **options)


def check(fun, *args):
    compiled, interpreted, values = programs(fun, args)
    assert_close(compiled(values), interpreted(values))


def kernel_of(fun, *args):
    """The kernel with products."""
    steps = Program(jax.make_jaxpr(fun)(*args)).steps
    found = [step for _, step in steps if any(isinstance(s, Product) for s in statements(getattr(step, "body", [])))]
    assert len(found) == 1
    return found[0]


def kernels_with_products(fun, *args):
    """The text of each kernel that calls the library."""
    steps = [step for _, step in Program(jax.make_jaxpr(fun)(*args)).steps if isinstance(step, Kernel)]
    return [text for text in map(rendered, steps) if "matmul" in text]


SPECS = [*itertools.product(["NCHW", "NHWC", "NWCH"], ["OIHW", "HWIO", "WIHO"], ["NCHW", "NHWC"])]


@pytest.mark.parametrize("spec", SPECS, ids="-".join)
@pytest.mark.parametrize("options", [{}, {"strides": (2, 1)}, {"rhs_dilation": (1, 2), "padding": [(0, 1), (2, 0)]}])
def test_images_features_and_places_lie_in_many_orders(spec, options):
    sizes = dict(N=3, C=12, H=9, W=8) | dict(O=10, I=12)
    window = sizes | dict(H=3, W=2)
    x, k = numbers(*(sizes[c] for c in spec[0])), numbers(*(window[c] for c in spec[1]))
    fun = convolution(spec, **options)
    kernel_of(fun, x, k)
    check(fun, x, k)


def test_an_order_in_which_an_image_is_no_matrix_is_computed_as_always():
    check(convolution(("CNHW", "OIHW", "NCHW")), numbers(12, 3, 9, 8), numbers(10, 12, 3, 2))
    check(convolution(("NCHW", "IOHW", "NHCW")), numbers(3, 12, 9, 8), numbers(12, 10, 3, 2))


@pytest.mark.parametrize("images", [1, 2, 17, 34])
@pytest.mark.parametrize("spec", ["NCHW", "NHWC"])
def test_the_blocks_of_one_image_or_of_many_are_shared(images, spec):
    sizes = dict(N=images, C=40, H=48, W=50)
    fun, kernel = convolution((spec, "OIHW", spec)), numbers(8, 40, 3, 3)
    x = numbers(*(sizes[c] for c in spec))
    made = kernel_of(fun, x, kernel)
    (loop,) = made.body
    assert isinstance(loop, For) and loop.extent == {1: 16, 2: 2, 17: 16, 34: 2}[images] and made.in_parts
    assert made.outputs[1].size <= 16 * (1 << 18) // 4
    check(fun, x, kernel)


@pytest.mark.parametrize("axes", [1, 3])
def test_there_may_be_one_axis_of_places_or_three(axes):
    x, k = numbers(2, 30, *[7, 6, 5][:axes]), numbers(4, 30, *[3, 2, 3][:axes])
    fun = lambda x, k: lax.conv(x, k, (1,) * axes, "SAME")
    kernel_of(fun, x, k)
    check(fun, x, k)
    with jax.enable_x64():
        check(fun, x.astype("float64"), k.astype("float64"))


def test_one_place_and_one_feature():
    check(lambda x, k: lax.conv(x, k, (1, 1), "VALID"), numbers(2, 80, 3, 3), numbers(1, 80, 3, 3))
    check(lambda x, k: lax.conv(x, k, (1, 1), "VALID"), numbers(1, 300, 5, 1), numbers(7, 300, 1, 1))


def test_the_text_computes_the_same_in_python_alone():
    x, k = numbers(2, 30, 6, 5), numbers(4, 30, 3, 2)
    for spec in ("NCHW", "NHWC"):
        fun = convolution((spec, "OIHW", spec))
        x = x if spec == "NCHW" else x.transpose(0, 2, 3, 1).copy()
        names = {"__name__": "text"}
        exec(jax.jit(fun).lower(x, k).as_text(), names)
        np.testing.assert_array_equal(names["main"](x, k)[0], fun(x, k))


def test_what_reads_rows_of_features_waits_for_all_blocks_of_places():
    x, k = numbers(1, 32, 34, 66), numbers(16, 32, 3, 3)
    features = lambda x, k: convolution(padding="VALID")(x, k)[0].max((1, 2))
    check(features, x, k)
    assert not any("max" in text for text in kernels_with_products(features, x, k))


def test_what_reads_another_image_waits_for_the_product_of_that_one():
    x, k = numbers(32, 32, 6, 6), numbers(16, 32, 3, 3)
    check(lambda x, k: convolution(padding="VALID")(x, k).reshape(16, 2, 16, 16)[:, ::-1] * 2.0, x, k)


def test_what_reads_its_own_image_is_computed_beside_the_product():
    text = kernels_with_products(
        lambda x, k: jnp.sum(convolution()(x, k), (1, 2, 3)), numbers(8, 32, 6, 6), numbers(16, 32, 3, 3)
    )
    assert len(text) == 1 and "sum(" in text[0]


def test_images_without_places_are_computed_as_always():
    check(
        lambda x, k: lax.conv_general_dilated(x, k, (), (), (), (), ("NC", "OI", "NC")),
        numbers(70, 90),
        numbers(80, 90),
    )
