"""Logarithms: to other bases, and of sums of numbers that are given by their logarithms."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..aval import typeof
from ..custom_derivative import custom_jvp
from ..lax import elementwise as lax
from ..lax.converting import convert
from ..lax.shaping import expand_dims, full_like, stop_gradient
from . import reductions
from .arguments import array_argument, axis_tuple
from .folding import Axis, check_where
from .numbers import is_complex, isposinf
from .promotion import const, promote_args_inexact, promote_dtypes_inexact
from .ufunc_class import binary, ufunc, unary

# ---- other bases


def _in_parts(log: Any, function: Callable[..., list[Any]]) -> Any:
    """`function` of the real logarithm; of a complex one's two parts."""
    if not is_complex(log):
        return function(log)[0]
    return lax.complex(*function(lax.real(log), lax.imag(log)))


def _divided_by_ln2(*parts: Any) -> list[Any]:
    ln2 = lax.log(np.asarray(2, typeof(parts[0]).dtype))
    return [lax.div(part, ln2) for part in parts]


def _divided_by_ln10(*parts: Any) -> list[Any]:
    return [lax.mul(part, np.asarray(1 / math.log(10), typeof(part).dtype)) for part in parts]


def _log2(x: Any) -> Any:
    return _in_parts(lax.log(x), _divided_by_ln2)


def _log10(x: Any) -> Any:
    return _in_parts(lax.log(x), _divided_by_ln10)


log2 = unary("log2", _log2, "The logarithm to base 2.", promote_args_inexact)
log10 = unary("log10", _log10, "The logarithm to base 10.", promote_args_inexact)

# ---- log(exp(x1) + exp(x2)): the larger one taken out, so that nothing overflows


def _log_of_sum(x1: Any, x2: Any, term: Callable[[Any], Any], half_turn: float) -> Any:
    """max + term(-|x1 - x2|); the sum where x1 - x2 is NaN (as inf - inf is).

    A complex logarithm has its angle in [-half_turn, half_turn).
    """
    largest = lax.max(x1, x2)
    if is_complex(x1):
        apart = lax.sub(lax.add(x1, x2), lax.mul(largest, const(largest, 2)))
        out = lax.add(largest, term(apart))
        return lax.complex(lax.real(out), _wrap(lax.imag(out), half_turn))
    apart = lax.sub(x1, x2)
    unknown, total = lax.ne(apart, apart), lax.add(x1, x2)
    return lax.select(unknown, total, lax.add(largest, term(lax.neg(lax.abs(apart)))))


def _wrap(angle: Any, half_turn: float) -> Any:
    """The same angle in [-half_turn, half_turn)."""
    half, turn = const(angle, half_turn), const(angle, 2 * half_turn)
    rest = lax.rem(lax.add(angle, half), turn)
    return lax.sub(lax.select(lax.lt(rest, const(rest, 0)), lax.add(rest, turn), rest), half)


def _slopes(exp: Callable[[Any], Any], primals: Any, tangents: Any, out: Any) -> Any:
    """The derivative of a log of a sum: each term's share exp(x - out), times its tangent. inf - inf counts as 0."""
    pairs = zip(primals, tangents, strict=True)
    return lax.add(*(lax.mul(t, exp(lax.sub(_zero_for_inf(x), _zero_for_inf(out)))) for x, t in pairs))


def _zero_for_inf(x: Any) -> Any:
    part = lax.real(x) if is_complex(x) else x
    return lax.select(isposinf(part), full_like(x, 0), x)


@custom_jvp
def _logaddexp(x1: Any, x2: Any) -> Any:
    return _log_of_sum(x1, x2, lambda x: lax.log1p(lax.exp(x)), math.pi)


@_logaddexp.defjvp
def _logaddexp_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    out = _logaddexp(*primals)
    return out, _slopes(lax.exp, primals, tangents, out)


@custom_jvp
def _logaddexp2(x1: Any, x2: Any) -> Any:
    per_ln2 = 1 / math.log(2)
    return _log_of_sum(x1, x2, lambda x: lax.mul(const(x, per_ln2), lax.log1p(lax.exp2(x))), math.pi * per_ln2)


@_logaddexp2.defjvp
def _logaddexp2_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    out = _logaddexp2(*primals)
    return out, _slopes(lax.exp2, primals, tangents, out)


_logaddexp.fun.__name__, _logaddexp2.fun.__name__ = "logaddexp", "logaddexp2"  # what their equations are called

# ---- the same for all numbers along an axis


def _reduce_logsumexp(
    a: Any, axis: Axis = None, dtype: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """log(sum(exp(a))) along `axis`."""
    where = check_where("logsumexp", where)
    (a,) = promote_dtypes_inexact(array_argument("logsumexp", a))
    axes = axis_tuple(axis, a.ndim)
    largest = reductions.max(a.real, axis=axes, keepdims=keepdims, where=where, initial=-math.inf)
    largest = stop_gradient(lax.select(lax.is_finite(largest), largest, full_like(largest, 0)))
    aligned = largest if keepdims else expand_dims(largest, axes)
    terms = lax.exp(lax.sub(a, convert(aligned, a.dtype)))
    total = reductions.sum(terms, axis=axes, keepdims=keepdims, where=where)
    result = lax.add(lax.log(total), convert(largest, total.dtype))
    return result if initial is None else _logaddexp(convert(initial, result.dtype), result)


def _reduce_logsumexp2(
    a: Any, axis: Axis = None, dtype: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """log2(sum(2 ** a)) along `axis`: the natural logarithm in another unit."""
    a, ln2 = array_argument("logsumexp2", a), math.log(2)
    initial = None if initial is None else initial * ln2
    return _reduce_logsumexp(a * ln2, axis, dtype, keepdims, initial, where) / ln2


logaddexp = ufunc(
    binary("logaddexp", _logaddexp, "log(exp(x1) + exp(x2)).", promote_args_inexact, ("x1", "x2")),
    2, 1, name="logaddexp", identity=-np.inf, reduce=_reduce_logsumexp,
)  # fmt: skip
logaddexp2 = ufunc(
    binary("logaddexp2", _logaddexp2, "log2(2**x1 + 2**x2).", promote_args_inexact, ("x1", "x2")),
    2, 1, name="logaddexp2", identity=-np.inf, reduce=_reduce_logsumexp2,
)  # fmt: skip
