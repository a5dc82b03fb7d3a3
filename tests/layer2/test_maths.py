"""The elementary functions are as exact as they say, over the whole range."""

import numpy as np
import pytest
import scipy.special

import minijax as jax
from minijax.layer2_jit import maths
from minijax.layer2_jit.compiler import Program

logistic = lambda x: 1 / (1 + np.exp(-x))  # noqa: E731
RANGES = {
    "exp": (np.exp, (-87.0, 88.7), 1.1),
    "log": (np.log, (1e-37, 3e38), 0.9),
    "tanh": (np.tanh, (-9.0, 9.0), 5.0),
    "logistic": (logistic, (-85.0, 88.0), 2.5),
    "erf": (scipy.special.erf, (-5.0, 5.0), 6.0),
}


@pytest.mark.parametrize("name", RANGES)
def test_the_error_is_within_its_bound(name):
    exact, (low, high), most = RANGES[name]
    rng = np.random.default_rng(0)
    spread = rng.uniform(low, high, 400_000)
    near = np.clip(rng.normal(size=100_000), low, high)
    wide = np.clip(np.exp(rng.uniform(-80, 80, 100_000)), low, high)
    x = np.concatenate([spread, near, wide]).astype(np.float32)
    got = Program(jax.make_jaxpr(getattr(jax.lax, name))(x))([x])[0]
    want = exact(x.astype(np.float64))
    normal = np.abs(want) > np.finfo(np.float32).tiny
    error = np.abs(got - want)[normal] / np.spacing(np.abs(want[normal]).astype(np.float32)).astype(np.float64)
    assert error.max() <= most


@pytest.mark.parametrize("name", RANGES)
def test_the_same_text_computes_in_python_alone(name):
    low, high = RANGES[name][1]
    x = np.linspace(low, min(high, 80.0), 50, dtype=np.float32)
    in_python = [getattr(maths, f"{name}_float32")(value) for value in x]
    compiled = Program(jax.make_jaxpr(getattr(jax.lax, name))(x))([x])[0]
    np.testing.assert_allclose(in_python, compiled, rtol=3e-7)
