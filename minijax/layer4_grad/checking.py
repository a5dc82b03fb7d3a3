"""check_grads: derivatives held against finite differences, along one random direction.

f(x + eps t) - f(x - eps t)
---------------------------    is about    f'(x) t        forward
         2 eps
<ct, f'(x) t>                  is          <f'(x)^T ct, t>  backward
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..layer1_core.array import numpy_value
from ..layer1_core.aval import typeof
from ..layer1_core.dtypes import bfloat16, float0
from ..layer1_core.tree import tree_leaves, tree_map
from .forward import jvp, linearize
from .reverse import vjp

EPS = 1e-4
# the difference that is let pass, for each dtype, times the number of elements
TOLERANCE = {"bfloat16": 1e-1, "float16": 1e-2, "float32": 2e-3, "float64": 1e-5, "complex64": 1e-3, "complex128": 1e-5}
Tolerance = float | dict[Any, float] | None


def check_grads(
    f: Callable[..., Any], args: Sequence[Any], order: int, modes: Sequence[str] = ("fwd", "rev"),
    atol: Tolerance = None, rtol: Tolerance = None, eps: float | None = None,
) -> None:  # fmt: skip
    """Raises AssertionError where a derivative of `f` at `args`, up to this order, is no limit of differences.

    `modes` are 'fwd', 'rev' and 'lin' (linearize).
    """
    limits: dict[str, Any] = dict(atol=atol, rtol=rtol, eps=eps or EPS)

    def check(f: Callable[..., Any], args: tuple[Any, ...], order: int, what: str) -> None:
        named = lambda mode: f"{mode} of {what}" if what else mode
        for mode, name, derivative in (("fwd", "JVP", jvp), ("lin", "LIN", _jvp_by_linearize)):
            if mode in modes:
                check_jvp(f, partial(derivative, f), args, err_msg=named(name), **limits)
                if order > 1:
                    check(partial(derivative, f), (args, args), order - 1, named(name))
        if "rev" in modes:
            check_vjp(f, partial(vjp, f), args, err_msg=named("VJP"), **limits)
            if order > 1:
                check(partial(_pulled, f), args, order - 1, named("VJP"))

    check(f, tuple(args), order, "")


def _jvp_by_linearize(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    out, push = linearize(f, *primals)
    return out, push(*tangents)


def _pulled(f: Callable[..., Any], *args: Any) -> Any:
    out, pull = vjp(f, *args)
    return pull(out)


def check_jvp(
    f: Callable[..., Any], f_jvp: Callable[..., Any], args: tuple[Any, ...], atol: Tolerance = None,
    rtol: Tolerance = None, eps: float = EPS, err_msg: str = "",
) -> None:  # fmt: skip
    """Raises AssertionError where `f_jvp(args, tangents)` is not (f(*args), the slope of `f` along the tangents)."""
    tangents = tree_map(partial(_random, np.random.RandomState(0)), args)
    out, out_dot = f_jvp(args, tangents)
    expected = f(*args)
    _check_dtypes(out, out_dot)
    _check_dtypes(out, expected)
    _check_close(out, expected, atol, rtol, f"{err_msg} primal".strip())
    _check_close(out_dot, _slope(f, args, tangents, eps), atol, rtol, f"{err_msg} tangent".strip())


def check_vjp(
    f: Callable[..., Any], f_vjp: Callable[..., Any], args: tuple[Any, ...], atol: Tolerance = None,
    rtol: Tolerance = None, eps: float = EPS, err_msg: str = "",
) -> None:  # fmt: skip
    """Raises AssertionError where `f_vjp(*args)` is not (f(*args), the adjoint of the slope of `f`)."""
    random = partial(_random, np.random.RandomState(0))
    out, pull = f_vjp(*args)
    _check_close(out, f(*args), atol, rtol, f"{err_msg} primal".strip())
    tangents = tree_map(random, args)
    out_dot = _slope(f, args, tangents, eps)
    ct = tree_map(random, out)
    pulled = tree_map(_conj, pull(tree_map(_conj, ct)))
    what = f"{err_msg} cotangent projection".strip()
    _check_close(_paired(tangents, pulled), _paired(out_dot, ct), atol, rtol, what)


# ---- numbers


def _array(x: Any) -> np.ndarray:
    return np.asarray(numpy_value(x), typeof(x).dtype)


def _like(x: Any, values: Any) -> Any:
    """The values in the dtype of `x`; a Python number where it is one."""
    out = np.asarray(values, _array(x).dtype)
    return out.item() if isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic) else out


def _random(rng: np.random.RandomState, x: Any) -> Any:
    dtype, shape = _array(x).dtype, np.shape(_array(x))
    values = rng.randn(*shape)
    return _like(x, values + 1j * rng.randn(*shape) if dtype.kind == "c" else values)


def _conj(x: Any) -> Any:
    return _like(x, np.conj(_array(x)))


def _slope(f: Callable[..., Any], args: tuple[Any, ...], tangents: Any, eps: float) -> Any:
    """The central difference of `f` along the tangents."""
    step = lambda sign: tree_map(lambda x, t: _like(x, _array(x) + sign * eps * _array(t)), args, tangents)
    return tree_map(lambda a, b: _like(a, _difference(a, b) * (0.5 / eps)), f(*step(1)), f(*step(-1)))


def _difference(a: Any, b: Any) -> np.ndarray:
    """a - b, where inf - inf is 0."""
    a, b = _array(a), _array(b)
    with np.errstate(invalid="ignore"):
        return np.where(a == b, np.zeros((), a.dtype), a - b)


def _paired(xs: Any, ys: Any) -> Any:
    """The real part of the inner product of two trees."""
    pairs = zip(tree_leaves(xs), tree_leaves(ys), strict=True)
    return sum(np.real(np.vdot(_array(x).reshape(-1), _array(y).reshape(-1))) for x, y in pairs)


def _check_dtypes(xs: Any, ys: Any) -> None:
    for x, y in zip(tree_leaves(xs), tree_leaves(ys), strict=True):
        assert typeof(x).dtype == typeof(y).dtype, (typeof(x), typeof(y))


def _check_close(xs: Any, ys: Any, atol: Tolerance, rtol: Tolerance, what: str) -> None:
    for x, y in zip(tree_leaves(xs), tree_leaves(ys), strict=True):
        a, b = _array(x), _array(y)
        assert a.shape == b.shape, (a.shape, b.shape)
        if a.dtype == b.dtype == float0:
            continue
        limits = [max(_limit(a.dtype, tol), _limit(b.dtype, tol)) * a.size for tol in (atol, rtol)]
        a, b = (z.astype(np.float32) if z.dtype == bfloat16 else z for z in (a, b))
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(a, b, atol=limits[0], rtol=limits[1], err_msg=what)


def _limit(dtype: Any, tolerance: Tolerance) -> float:
    if isinstance(tolerance, (int, float)):
        return tolerance
    own = {np.dtype(key).name: value for key, value in (tolerance or {}).items()}
    return (TOLERANCE | own).get(np.dtype(dtype).name, 0)
