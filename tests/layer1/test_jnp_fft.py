"""Fourier transforms agree with NumPy, are undone by their inverses, and keep the energy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax.numpy as jnp

fft = jnp.fft
some = settings(max_examples=25, deadline=None)
norms = st.sampled_from([None, "backward", "ortho", "forward"])


def close(got: Any, want: Any) -> None:
    assert got.shape == np.shape(want)
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-4, atol=1e-4)


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


names = st.sampled_from(["fft", "ifft", "rfft", "irfft", "ihfft"])


@some
@given(st.integers(1, 9), st.none() | st.integers(1, 9), norms, names)
def test_transforms_along_one_axis_agree_with_numpy(size: int, n: Any, norm: Any, name: str) -> None:
    a = normal(2, size)
    if name == "irfft" and (n or 2 * size - 2) < 1:
        return
    if name not in ("rfft", "ihfft"):
        a = a + 1j * normal(2, size, seed=1)
    if name == "ihfft":
        close(fft.ihfft(a, n), np.fft.ihfft(a, n))
    else:
        close(getattr(fft, name)(a, n, norm=norm), getattr(np.fft, name)(a, n, norm=norm))


@some
@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), norms, st.data())
def test_transforms_along_several_axes_agree_with_numpy(shape: list[int], norm: Any, data: st.DataObject) -> None:
    a = normal(*shape) + 1j * normal(*shape, seed=1)
    axes = data.draw(st.none() | st.permutations(range(len(shape))).map(lambda p: p[: max(1, len(p) - 1)]))
    close(fft.fftn(a, axes=axes, norm=norm), np.fft.fftn(a, axes=axes, norm=norm))
    close(fft.ifftn(a, axes=axes, norm=norm), np.fft.ifftn(a, axes=axes, norm=norm))
    close(fft.rfftn(a.real, axes=axes, norm=norm), np.fft.rfftn(a.real, axes=axes, norm=norm))


def test_sizes_cut_and_pad() -> None:
    a = normal(4, 6)
    close(fft.fftn(a, s=(3, 8)), np.fft.fftn(a, s=(3, 8), axes=(0, 1)))
    close(fft.irfft2(a, s=(3, 5)), np.fft.irfft2(a, s=(3, 5)))


@pytest.mark.parametrize("n", [4, 5])
def test_inverses_undo(n: int) -> None:
    a = normal(3, n)
    close(fft.ifft(fft.fft(a)), a)
    close(fft.irfft(fft.rfft(a), n), a)
    close(fft.ifft2(fft.fft2(a)), a)
    close(fft.hfft(fft.ihfft(a), n), a)


def test_the_orthonormal_transform_keeps_the_energy() -> None:
    a = normal(3, 8)
    close(jnp.sum(jnp.abs(fft.fft(a, norm="ortho")) ** 2), np.sum(a**2))


@pytest.mark.parametrize("n", [1, 4, 5])
def test_frequencies_and_shifts_agree_with_numpy(n: int) -> None:
    close(fft.fftfreq(n, 0.1), np.fft.fftfreq(n, 0.1))
    close(fft.rfftfreq(n, 0.1), np.fft.rfftfreq(n, 0.1))
    a = normal(3, n)
    close(fft.fftshift(a, 1), np.fft.fftshift(a, 1))
    close(fft.ifftshift(fft.fftshift(a)), a)


REFUSALS = [
    (lambda: fft.fft(jnp.ones(3), axis=(0,)), "does not support multiple axes. Please use jax.numpy.fft.fftn"),
    (lambda: fft.fft(jnp.ones(3), n=0), "Shape should be positive."),
    (lambda: fft.fft(jnp.ones(3), norm="x"), "Invalid norm value x"),
    (lambda: fft.fft2(jnp.ones((2, 2)), axes=(0,)), "jax.numpy.fft.fft2 only supports 2 axes."),
    (lambda: fft.fftn(jnp.ones((2, 2)), axes=(0, 0)), "does not support repeated axes"),
    (lambda: fft.fftfreq([3]), "only takes an int"),
]


@pytest.mark.parametrize("call, words", REFUSALS)
def test_what_does_not_fit_is_refused_in_words(call: Any, words: str) -> None:
    with pytest.raises(ValueError) as error:
        call()
    assert words in str(error.value)
