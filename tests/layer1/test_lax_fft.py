"""lax.fft: inverses, energies, shapes; cosine transforms and convolutions that are built on it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax.numpy as jnp
from minijax import lax
from minijax.scipy import fft as sf, signal

some = settings(max_examples=25, deadline=None)
shapes = st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple)


def draw(*shape: int) -> Any:
    rng = np.random.default_rng(len(shape))
    return jnp.asarray((rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype("complex64"))


def close(got: Any, want: Any) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-4, atol=1e-4)


@some
@given(shapes, st.integers(1, 3))
def test_the_inverse_transform_undoes_the_transform(shape: tuple[int, ...], axes: int) -> None:
    x, sizes = draw(*shape), shape[-axes:]
    close(lax.fft(lax.fft(x, "fft", sizes), lax.FftType.IFFT, sizes), x)
    close(lax.fft(lax.fft(x.real, "rfft", sizes), "irfft", sizes), x.real)


@some
@given(st.integers(1, 8))
def test_the_transform_is_the_sum_of_its_definition(n: int) -> None:
    x, k = draw(n), np.arange(n)
    matrix = jnp.asarray(np.exp(-2j * np.pi * k[:, None] * k / n).astype("complex64"))
    close(lax.fft(x, "fft", (n,)), matrix @ x)
    close(lax.fft(x.real, "rfft", (n,)), (matrix @ x.real)[: n // 2 + 1])


def test_the_energy_is_kept_up_to_the_count() -> None:
    x = draw(3, 8)
    energy = jnp.square(jnp.abs(lax.fft(x, "fft", (8,)))).sum()
    close(energy, 8 * jnp.square(jnp.abs(x)).sum())


def test_dtypes_follow_the_input() -> None:
    assert lax.fft(jnp.arange(4), "rfft", (4,)).dtype == "complex64"
    assert lax.fft(jnp.ones(4), "fft", (4,)).dtype == "complex64"
    assert lax.fft(draw(3), "irfft", (5,)).dtype == "float32"
    assert lax.fft(jnp.zeros((0, 4)), "rfft", (4,)).shape == (0, 3)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: lax.fft(draw(4), "rfft", (4,)), ValueError, "only real valued inputs supported for rfft"),
        (lambda: lax.fft(draw(2, 4), "fft", (5,)), ValueError, r"\(2, 4\) minor dimensions must be equal to fft_l"),
        (lambda: lax.fft(draw(4), "fft", (1, 2, 4)), ValueError, "must have at least as many input dimensions"),
        (lambda: lax.fft(draw(4), "nope", (4,)), ValueError, "Unknown FFT type 'nope'"),
        (lambda: lax.fft(draw(4), 0, (4,)), TypeError, "Unknown FFT type value '0'"),
        (lambda: lax.fft(jnp.ones(4, "bfloat16"), "rfft", (4,)), ValueError, "RFFT input must be float32 or float64"),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


@some
@given(shapes, st.sampled_from([None, "ortho"]))
def test_cosine_transforms_are_undone_by_their_inverses(shape: tuple[int, ...], norm: Any) -> None:
    x = draw(*shape).real
    close(sf.idctn(sf.dctn(x, norm=norm), norm=norm), x)
    y = sf.dct(x, norm="ortho")
    close(jnp.square(y).sum(), jnp.square(x).sum())


@some
@given(st.integers(1, 6), st.integers(1, 6), st.sampled_from(["full", "same", "valid"]))
def test_convolution_by_transforms_is_direct_convolution(n: int, m: int, mode: str) -> None:
    a, b = draw(n), draw(m + 1)[:m]
    if mode == "same" and m > n:
        return  # here the two disagree in JAX, too, about whose size is kept
    close(signal.fftconvolve(a, b, mode), signal.convolve(a, b, mode, method="direct"))


def test_istft_undoes_stft() -> None:
    x = jnp.sin(jnp.arange(64.0) * 0.3)
    close(signal.istft(signal.stft(x, nperseg=16)[2])[1], x)
