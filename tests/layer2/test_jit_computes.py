"""A jitted function computes what its equations compute, whatever the types, the layout and the values."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from compiled import assert_close, programs
from minijax import lax
from minijax.layer2_jit.lowering import NATIVE
from ops import CASES, Case

WIDE = ["float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"]
each_case = pytest.mark.parametrize("case", CASES, ids=str)


@each_case
def test_the_compiled_program_computes_what_the_interpreted_one_does(case: Case) -> None:
    compiled, interpreted, args = programs(case.fun, case.values())
    assert_close(compiled(args), interpreted(args))


@each_case
def test_the_layout_of_the_arguments_does_not_matter(case: Case) -> None:
    compiled, interpreted, args = programs(case.fun, case.values())
    strided = [np.repeat(x, 2, axis=-1)[..., ::2] if x.ndim else x for x in args]
    turned = [np.asfortranarray(x) if x.ndim else x for x in args]
    for others in (strided, turned):
        assert_close(compiled(others), interpreted(args))


EDGES = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 3e38, -3e38, 0.5, 88.7, -103.9, 1e-8, -7.9, 20.0]
ONE = ["exp", "log", "tanh", "logistic", "sqrt", "rsqrt", "floor", "ceil", "sign", "abs", "neg", "is_finite", "square"]
TWO = ["add", "sub", "mul", "div", "max", "min", "lt", "le", "gt", "ge", "eq", "ne"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ONE)
def test_a_function_of_one_float_is_right_at_the_edges(name, dtype):
    with jax.enable_x64(True):
        x = np.array(EDGES, dtype)
        compiled, interpreted, args = programs(getattr(jax.lax, name), [x])
        got, want = compiled(args)[0], interpreted(args)[0]
    assert_close([got], [want], rtol=1e-6)
    if want.dtype.kind == "f":
        zero = want == 0
        assert np.array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", TWO)
def test_a_function_of_two_floats_is_right_at_the_edges(name, dtype):
    with jax.enable_x64(True):
        x, y = map(np.ravel, np.meshgrid(np.array(EDGES, dtype), np.array(EDGES, dtype)))
        compiled, interpreted, args = programs(getattr(jax.lax, name), [x, y])
        assert_close(compiled(args), interpreted(args), rtol=1e-6)


@pytest.mark.parametrize("dtype", WIDE)
def test_integers_wrap_and_compare_as_their_type_does(dtype):
    with jax.enable_x64(True):
        rng = np.random.default_rng(0)
        info = None if dtype == "bool" or dtype.startswith("float") else np.iinfo(dtype)
        ends = [0, 1] if info is None else [info.min, info.max, 0, 1, info.max // 2 + 1]
        x = np.array([*ends, *rng.integers(0, 2 if info is None else 100, 20)]).astype(dtype)
        y = x[::-1].copy()
        both = [jnp.maximum, jnp.minimum, lambda a, b: a < b, lambda a, b: a == b]
        if dtype != "bool":
            both += [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b]
        if info is not None or dtype == "bool":
            both += [lambda a, b: a & b, lambda a, b: a | b, lambda a, b: a ^ b, lambda a, b: ~a]
        for fun in both:
            compiled, interpreted, args = programs(fun, [x, y])
            assert_close(compiled(args), interpreted(args))


@pytest.mark.parametrize("source", WIDE)
@pytest.mark.parametrize("target", WIDE)
def test_conversions_are_those_of_the_interpreter(source, target):
    with jax.enable_x64(True):
        values = [0, 1, 2, 3, 100, -1, -100, 0.5, 1.5, -0.5, 1e9, -1e9]
        with np.errstate(all="ignore"):
            x = np.array(values).astype(source)
        compiled, interpreted, args = programs(lambda x: x.astype(target), [x])
        assert_close(compiled(args), interpreted(args))


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (3, 4), (0, 3), (3, 0), (2, 1, 3), (5, 1)])
@pytest.mark.parametrize("dtype", ["float32", "int32", "bool"])
def test_a_reduction_may_go_over_any_axes(shape, dtype):
    rng = np.random.default_rng(1)
    x = (rng.normal(size=shape) * 4).astype(dtype)
    axes = [None, *range(len(shape)), *([(0, len(shape) - 1)] if len(shape) > 1 else [])]
    reductions = [jnp.sum, jnp.any, jnp.all] + ([jnp.prod] if dtype != "bool" else [])
    reductions += [jnp.max, jnp.min] if x.size else []
    for axis in axes:
        for fun in reductions:
            compiled, interpreted, args = programs(lambda x, f=fun, a=axis: f(x, axis=a), [x])
            assert_close(compiled(args), interpreted(args), rtol=1e-5)


def test_a_jitted_function_of_scalars_puts_the_elements_of_arrays_together():
    combine = jax.jit(lambda a, b: a + b)
    assert float(jax.lax.reduce(jnp.arange(5.0), jnp.float32(0), combine, (0,))) == 10


def test_what_numba_does_not_type_is_computed_by_the_impl_rules():
    assert np.dtype("float16") not in NATIVE
    for dtype in ("float16", "bfloat16", "complex64"):
        compiled, interpreted, args = programs(lambda x: jnp.sum(x * x + x), [jnp.arange(5).astype(dtype)])
        assert_close(compiled(args), interpreted(args))


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int16", "uint8"])
def test_whole_numbers_are_divided_exactly_near_each_multiple(dtype):
    """The machine multiplies by what 1 / y is about: one more or one less than a multiple would show it."""
    info, rng = np.iinfo(dtype), np.random.default_rng(0)
    divisors = np.array([1, 2, 3, 7, 49, 98, 641, 7919, 65_537, 4_000_000, 2**31 - 1, 2**32 - 1])
    divisors = divisors[divisors <= info.max].astype(dtype)
    times = rng.integers(0, info.max // divisors.astype(object) + 1, (3000, len(divisors))).astype(np.int64)
    x = np.clip(times * divisors.astype(np.int64) + rng.integers(-1, 2, times.shape), info.min, info.max).astype(dtype)
    for y in (x, -x) if info.min else (x,):
        wide = y.astype(np.int64)
        want = np.sign(wide) * (abs(wide) // divisors)
        assert np.array_equal(jax.jit(lax.div)(y, np.broadcast_to(divisors, y.shape)), want)
        for k, d in enumerate(divisors):  # a number that is known when the kernel is compiled
            assert np.array_equal(jax.jit(lambda x, d=d: lax.rem(x, d))(y[:, k]), wide[:, k] - want[:, k] * int(d))
