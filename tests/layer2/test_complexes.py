"""Complex numbers have loops: two floats each."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from compiled import programs
from minijax import lax
from minijax.layer2_jit.compiler import Program
from minijax.layer2_jit.loops import Kernel

ENDS = [0.0, -0.0, 1.0, -2.5, 1e-18, 3e18, np.inf, -np.inf, np.nan]
FUNCTIONS = {
    "arithmetic": lambda x, y: x * y + (x - y) / (y + 3.0) - (-x),
    "quotient": lambda x, y: x / y,
    "powers": lambda x, y: x**2 + y**3,
    "parts": lambda x, y: lax.complex(x.real + y.imag, x.imag * 2) + jnp.conj(y),
    "size": lambda x, y: abs(x) + abs(y.conj()),
    "exponential": lambda x, y: jnp.exp(x / 4) * jnp.exp(y * 0.1j),
    "comparison": lambda x, y: jnp.where(x == y, x, y * 1j) + (x != y),
    "reals": lambda x, y: x.real * y + jnp.arange(x.size) * (1 + 2j) + (x.real > 0),
    "sums": lambda x, y: (x.sum(), (x[:, None] * y[:4]).sum(0), jnp.cumsum(y)),
    "moved": lambda x, y: (x.reshape(3, -1).T[::-1] + 1, jnp.concatenate([x, y[2:]])[1:], jnp.pad(x, 2)),
    "places": lambda x, y: (x[jnp.array([3, 0, 99])], x.at[1:3].set(y[:2]), lax.dynamic_slice(x, (2,), (3,))),
}


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_is_interpreted(name, dtype):
    with jax.enable_x64():
        rng = np.random.default_rng(0)
        x, y = (rng.normal(size=(2, 12)) + 1j * rng.normal(size=(2, 12))).astype(dtype)
        compiled, interpreted, values = programs(FUNCTIONS[name], (x, y))
        assert all(isinstance(step, Kernel) for _, step in compiled.steps)
        for got, want in zip(compiled(values), interpreted(values), strict=True):
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got, want, rtol=1e-5 if dtype == "complex64" else 1e-12)


@pytest.mark.parametrize("name", ["arithmetic", "quotient", "parts", "size", "comparison"])
def test_so_it_is_at_the_edges(name):
    x, y = np.meshgrid(ENDS, ENDS)
    z = lax.complex(x.ravel().astype("float32"), y.ravel().astype("float32"))
    pairs = np.meshgrid(z, z)
    compiled, interpreted, values = programs(FUNCTIONS[name], tuple(p.ravel() for p in pairs))
    for got, want in zip(compiled(values), interpreted(values), strict=True):
        np.testing.assert_allclose(got.real, want.real, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(got.imag, want.imag, rtol=1e-5, atol=1e-7)


def test_the_text_computes_the_same_in_python_alone():
    z = np.arange(6).astype("complex64") * (1 - 2j)
    fun = lambda z: jnp.where(abs(z) > 3, z * (1 + 1j), z.conj()) + z.real
    names = {"__name__": "text"}
    exec(jax.jit(fun).lower(z).as_text(), names)
    np.testing.assert_allclose(names["main"](z)[0], fun(z), rtol=1e-6)


def test_what_has_no_loops_is_called():
    steps = Program(jax.make_jaxpr(lambda z: jnp.log(z) + jnp.tanh(z).real.astype(int))(np.ones(3, "complex64"))).steps
    assert sum(not isinstance(step, Kernel) for _, step in steps) == 2
    assert jax.jit(lambda z: z.astype("float32"))(jnp.array([1 + 0j])) == 1
