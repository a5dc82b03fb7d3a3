"""dot_general and convolutions agree with sums written as loops, in every layout; and refuse in JAX's words."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp
from minijax import lax

some = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 10**6)


# ---- dot_general


@some
@given(seeds)
def test_dot_general_is_einsum(seed: int) -> None:
    """Each axis gets a letter: batch and summed axes the same one on both sides."""
    rng = np.random.default_rng(seed)
    batch, summed, rows, columns = (list(rng.integers(1, 4, rng.integers(0, 3))) for _ in range(4))
    size = dict(zip("abcdefghijkl", itertools.chain(batch, summed, rows, columns), strict=False))
    letters = iter(size)
    b, k, m, n = ([next(letters) for _ in group] for group in (batch, summed, rows, columns))
    left, right = ([str(c) for c in rng.permutation([*b, *k, *free])] for free in (m, n))
    x, y = (rng.integers(-9, 9, [size[c] for c in side]).astype(np.int32) for side in (left, right))
    axes = lambda side, group: tuple(side.index(c) for c in group)  # where the letters stand
    numbers = ((axes(left, k), axes(right, k)), (axes(left, b), axes(right, b)))
    result = [*b, *(c for c in left if c in m), *(c for c in right if c in n)]
    want = np.einsum(f"{''.join(left)},{''.join(right)}->{''.join(result)}", x, y)
    got = lax.dot_general(x, y, numbers)
    assert got.shape == want.shape and got.dtype == np.int32
    np.testing.assert_array_equal(np.asarray(got), want)


ROWS = (((1,), (1,)), ((), ()))


def test_narrow_floats_add_up_in_float32_and_integers_wrap() -> None:
    ones = jnp.ones((1, 3000), jnp.bfloat16)
    assert float(lax.dot_general(ones, ones, ROWS)[0, 0]) == 3008.0  # the bfloat16 nearest to 3000
    assert float(lax.dot_general(ones, ones, ROWS, preferred_element_type=jnp.float32)[0, 0]) == 3000.0
    a = jnp.full((1, 4), 100, jnp.int8)
    assert lax.dot_general(a, a, ROWS).tolist() == [[64]]
    assert lax.dot_general(a, a, ROWS, preferred_element_type=jnp.int32).tolist() == [[40000]]
    truth = jnp.array([[True, False]])
    assert lax.dot_general(truth, truth, ROWS).tolist() == [[True]]


def test_operands_of_two_dtypes_give_the_higher_one() -> None:
    pairs = [("int32", "float16", "float16"), ("bfloat16", "float16", "bfloat16"), ("uint8", "int8", "int8")]
    for a, b, result in [*pairs, ("complex64", "float32", "complex64"), ("bool", "int8", "int8")]:
        assert lax.dot_general(jnp.ones((1, 2), a), jnp.ones((1, 2), b), ROWS).dtype == jnp.dtype(result)


def test_sums_over_nothing_are_zero_and_products_over_nothing_are_outer() -> None:
    assert lax.dot(jnp.ones((2, 0)), jnp.ones((0, 3))).tolist() == [[0.0] * 3] * 2
    nothing = (((), ()), ((), ()))
    assert lax.dot_general(jnp.arange(2), jnp.arange(3), nothing).tolist() == [[0, 0, 0], [0, 1, 2]]


def test_dot_and_batch_matmul_are_dot_general() -> None:
    a, b = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4), np.ones((2, 4, 5), np.float32)
    np.testing.assert_array_equal(np.asarray(lax.batch_matmul(a, b)), a @ b)
    np.testing.assert_array_equal(np.asarray(lax.dot(a[0], b[0])), a[0] @ b[0])
    np.testing.assert_array_equal(np.asarray(lax.dot(a[0], b[0, :, 0])), a[0] @ b[0, :, 0])


def test_precision_is_accepted_and_printed() -> None:
    text = str(jax.make_jaxpr(lambda x: lax.dot_general(x, x, ROWS, precision=("high", "default")))(jnp.ones((2, 2))))
    assert "precision=(Precision.HIGH, Precision.DEFAULT)" in text


# ---- convolutions


class Case:
    """A random convolution: operands in a random layout, and every parameter."""

    def __init__(self, seed: int):
        rng = np.random.default_rng(seed)
        rank = int(rng.integers(0, 3))
        draw = lambda low, high: tuple(rng.integers(low, high, rank).tolist())  # one number an axis
        self.feature_groups, self.batch_groups = [(1, 1), (2, 1), (1, 2)][rng.integers(3)]
        self.batch = int(rng.integers(1, 3)) * self.batch_groups
        self.inputs = int(rng.integers(1, 3))  # of one group
        self.outputs = int(rng.integers(1, 3)) * self.feature_groups * self.batch_groups
        self.image_size, self.kernel_size = draw(1, 6), draw(1, 4)
        self.strides, self.base, self.dilation = draw(1, 3), draw(1, 3), draw(1, 3)
        self.padding = tuple(zip(draw(0, 3), draw(0, 3), strict=True))
        self.image = rng.integers(-3, 4, (self.batch, self.inputs * self.feature_groups, *self.image_size))
        self.kernel = rng.integers(-3, 4, (self.outputs, self.inputs, *self.kernel_size))
        self.specs = [tuple(rng.permutation(rank + 2).tolist()) for _ in range(3)]

    def run(self) -> np.ndarray:
        image, kernel = (
            x.transpose(np.argsort(s)) for x, s in zip((self.image, self.kernel), self.specs, strict=False)
        )
        out = lax.conv_general_dilated(
            image.astype(np.float32),
            kernel.astype(np.float32),
            self.strides,
            self.padding,
            self.base,
            self.dilation,
            lax.ConvDimensionNumbers(*self.specs),
            self.feature_groups,
            self.batch_groups,
        )
        return np.asarray(out).transpose(self.specs[2])

    def pixel(self, image: int, feature: int, place: Any) -> int:
        """The element of the spread-out, padded image at a place: 0 in the gaps and in the padding."""
        for p, (before, _), step, n in zip(place, self.padding, self.base, self.image_size, strict=True):
            if (p - before) % step or not 0 <= (p - before) // step < n:
                return 0
        at = [(p - before) // step for p, (before, _), step in zip(place, self.padding, self.base, strict=True)]
        return int(self.image[(image, feature, *at)])

    def value(self, n: int, o: int, place: tuple[int, ...]) -> int:
        """One element of the result, by the definition."""
        group = o // (self.outputs // self.feature_groups) if self.feature_groups > 1 else 0
        image = n + o // (self.outputs // self.batch_groups) * (self.batch // self.batch_groups)
        total = 0
        for c, *k in itertools.product(range(self.inputs), *map(range, self.kernel_size)):
            at = [p * s + j * d for p, s, j, d in zip(place, self.strides, k, self.dilation, strict=True)]
            total += self.pixel(image, group * self.inputs + c, at) * int(self.kernel[(o, c, *k)])
        return total


@some
@given(seeds)
def test_a_convolution_is_its_definition(seed: int) -> None:
    case = Case(seed)
    out = case.run()
    assert out.shape[:2] == (case.batch // case.batch_groups, case.outputs)
    for n, o, *place in itertools.product(*map(range, out.shape)):
        assert out[(n, o, *place)] == case.value(n, o, tuple(place))


@some
@given(st.integers(1, 4), st.integers(1, 3), st.sampled_from(["SAME", "VALID"]))
def test_conv_transpose_undoes_the_shape_of_a_strided_convolution(k: int, stride: int, padding: str) -> None:
    image, kernel = jnp.ones((1, 5, 2)), jnp.ones((k, 2, 2))
    numbers = ("NHC", "HIO", "NHC")
    grown = lax.conv_transpose(image, kernel, (stride,), padding)
    back = lax.conv_general_dilated(grown, kernel, (stride,), padding, dimension_numbers=numbers)
    assert back.shape == image.shape


def test_conv_transpose_with_a_transposed_kernel_is_the_adjoint() -> None:
    rng = np.random.default_rng(0)
    x, kernel = rng.normal(size=(1, 6, 2)).astype(np.float32), rng.normal(size=(3, 2, 4)).astype(np.float32)
    forward = lax.conv_general_dilated(x, kernel, (2,), "SAME", dimension_numbers=("NHC", "HIO", "NHC"))
    y = rng.normal(size=forward.shape).astype(np.float32)
    adjoint = lax.conv_transpose(y, kernel, (2,), "SAME", transpose_kernel=True)
    np.testing.assert_allclose((forward * y).sum(), (adjoint * x).sum(), rtol=1e-4)


def test_patches_are_what_the_kernel_sees() -> None:
    x = np.arange(2 * 4 * 5, dtype=np.float32).reshape(1, 2, 4, 5)
    patches = np.asarray(lax.conv_general_dilated_patches(x, (2, 3), (1, 1), "VALID"))
    assert patches.shape == (1, 2 * 6, 3, 3)
    for i, j in itertools.product(range(3), range(3)):
        np.testing.assert_array_equal(patches[0, :, i, j], x[0, :, i : i + 2, j : j + 3].ravel())


def test_narrow_floats_and_integers() -> None:
    image, kernel = jnp.ones((1, 1, 300), jnp.bfloat16), jnp.ones((1, 1, 300), jnp.bfloat16)
    assert lax.conv(image, kernel, (1,), "VALID").tolist() == [[[300.0]]]
    image, kernel = (x.astype(jnp.int8) * 100 for x in (image[..., :4], kernel[..., :4]))
    assert lax.conv(image, kernel, (1,), "VALID").tolist() == [[[64]]]
    assert lax.conv(image, kernel, (1,), "VALID", preferred_element_type=jnp.int32).tolist() == [[[40000]]]


# ---- refusals

BATCH = (((1,), (0,)), ((0,), ()))
TWICE = (((1, 1), (1, 1)), ((), ()))
A, B = np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)
N = np.ones((2, 3), np.int32)
IM, K = np.ones((2, 4, 5, 5), np.float32), np.ones((6, 4, 2, 2), np.float32)


def conv(*args: Any, **options: Any) -> Any:
    return lambda: lax.conv_general_dilated(IM, K, *args, **options)


@pytest.mark.parametrize(
    "error, words, call",
    [
        (TypeError, "contracting dimensions to have the same shape", lambda: lax.dot_general(A, B, ROWS)),
        (TypeError, "lhs dimension numbers to be nonnegative", lambda: lax.dot_general(A, B, (((2,), (0,)), ((), ())))),
        (TypeError, "batch dimensions to be disjoint", lambda: lax.dot_general(A, B, (((1,), (0,)), ((1,), (0,))))),
        (TypeError, "equal numbers of lhs_batch and rhs_batch", lambda: lax.dot_general(A, B, BATCH)),
        (TypeError, "contracting dimensions to be distinct", lambda: lax.dot_general(A, A, TWICE)),
        (TypeError, "must not be narrower", lambda: lax.dot_general(N, N, ROWS, None, jnp.int8)),
        (ValueError, "dimension_numbers must be specified", lambda: lax.dot(A, A)),
        (ValueError, "must be at least 2D, got 1, 1", lambda: lax.batch_matmul(A[0], A[0])),
        (ValueError, "Precision argument must be one of", lambda: lax.dot(A, B, precision="fast")),
        (RuntimeError, "Unrecognized padding type", conv((1, 1), "FULL")),
        (TypeError, "expected 2, got 1", conv((1, 1), [(0, 0)])),
        (ValueError, "should be a string or a sequence", conv((1, 1), [1, 2])),
        (ValueError, "Negative padding is larger", conv((1, 1), [(0, 0), (-5, -5)])),
        (ValueError, "String padding is not implemented for transposed", conv((1, 1), "SAME", lhs_dilation=(2, 1))),
        (ValueError, "4 // 2 != 4", conv((1, 1), "SAME", feature_group_count=2)),
        (ValueError, "4 does not divide 2", conv((1, 1), "SAME", batch_group_count=4)),
        (TypeError, "must be length 3, got 2", conv((1, 1), "SAME", dimension_numbers=("NCHW", "OIHW"))),
        (TypeError, "'N' and 'C' exactly once", conv((1, 1), "SAME", dimension_numbers=("NBHW", "OIHW", "NCHW"))),
        (TypeError, "same set of spatial", conv((1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHX"))),
        (TypeError, "same signedness", lambda: lax.conv(N[None], N[None], (1,), "SAME", None, jnp.uint32)),
    ],
)  # fmt: skip
def test_refusals_use_jaxs_words(error: type[Exception], words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()
