"""Logarithms with care at the edges: logits, x log y, entropies, Box-Cox transforms, softmax."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...custom_derivative import custom_jvp
from ...jnp.array_creation import ones_like, zeros_like
from ...jnp.choosing import where
from ...jnp.mathematics import expm1, log as jnp_log, log1p as jnp_log1p
from ...jnp.numbers import isnan
from ...jnp.promotion import const
from ...lax.elementwise import bitwise_and, div, eq, ge, gt, log, log1p, logistic, lt, mul, neg, select, sub
from ...lax.shaping import full_like
from ...nn import softmax as nn
from ..arguments import inexact, real_inexact

# ---- logits


def expit(x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return logistic(*inexact("expit", x))


@custom_jvp
def logit(x: Any) -> Any:
    """log(x / (1 - x)), the inverse of `expit`."""
    (x,) = inexact("logit", x)
    return log(div(x, sub(const(x, 1), x)))


logit.defjvps(lambda g, ans, x: div(g, mul(x, sub(const(x, 1), x))))


def softmax(x: Any, /, *, axis: int | tuple[int, ...] | None = None) -> Any:
    """exp(x) divided by its sum along `axis`, over all elements for None."""
    return nn.softmax(x, axis=axis)


def log_softmax(x: Any, /, *, axis: int | tuple[int, ...] | None = None) -> Any:
    """The logarithm of `softmax`."""
    return nn.log_softmax(x, axis=axis)


# ---- products with a logarithm: 0 where the factor is 0, whatever the logarithm


@custom_jvp
def xlogy(x: Any, y: Any) -> Any:
    """x log(y), and 0 where x is 0."""
    x, y = inexact("xlogy", x, y)
    return where((x != 0.0) | isnan(y), mul(x, log(y)), zeros_like(x))


@xlogy.defjvp
def _xlogy_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    (x, y), (dx, dy) = primals, tangents
    out = xlogy(x, y)
    return out, (dx * log(y) + dy * x / y).astype(out.dtype)


@custom_jvp
def xlog1py(x: Any, y: Any) -> Any:
    """x log(1 + y), and 0 where x is 0."""
    x, y = inexact("xlog1py", x, y)
    return where((x != 0.0) | isnan(y), mul(x, log1p(y)), zeros_like(x))


@xlog1py.defjvp
def _xlog1py_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    (x, y), (dx, dy) = primals, tangents
    out = xlog1py(x, y)
    return out, (dx * log1p(y) + dy * x / (1 + y)).astype(out.dtype)


@custom_jvp
def _xlogx(x: Any) -> Any:
    return xlogy(x, x)


@_xlogx.defjvp
def _xlogx_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    (x,), (dx,) = primals, tangents
    return _xlogx(x), dx * (log(x) + 1)


# ---- entropies


def entr(x: Any) -> Any:
    """-x log(x); -inf below 0."""
    (x,) = real_inexact("entr", x)
    return select(lt(x, const(x, 0)), full_like(x, -np.inf), neg(_xlogx(x)))


def rel_entr(p: Any, q: Any) -> Any:
    """p log(p / q); 0 where p is 0, and inf outside of the domain p, q >= 0."""
    p, q = real_inexact("rel_entr", p, q)
    zero = const(p, 0.0)
    inside = bitwise_and(gt(p, zero), gt(q, zero))
    edge = bitwise_and(eq(p, zero), ge(q, zero))
    safe_p, safe_q = where(inside, p, 1), where(inside, q, 1)
    return where(inside, sub(_xlogx(safe_p), xlogy(safe_p, safe_q)), where(edge, zero, np.inf))


def kl_div(p: Any, q: Any) -> Any:
    """p log(p / q) - p + q, whose sum is the Kullback-Leibler divergence of two distributions."""
    p, q = real_inexact("kl_div", p, q)
    return rel_entr(p, q) - p + q


# ---- Box-Cox


def boxcox(x: Any, lmbda: Any) -> Any:
    """(x**lmbda - 1) / lmbda, and its limit log(x) where lmbda is 0."""
    x, lmbda = inexact("boxcox", x, lmbda)
    return _boxcox(jnp_log, x, lmbda)


def boxcox1p(x: Any, lmbda: Any) -> Any:
    """boxcox(1 + x, lmbda)."""
    x, lmbda = inexact("boxcox1p", x, lmbda)
    return _boxcox(jnp_log1p, x, lmbda)


def _boxcox(logarithm: Callable[[Any], Any], x: Any, lmbda: Any) -> Any:
    none = lmbda == 0
    safe = where(none, ones_like(lmbda), lmbda)
    log_x = logarithm(x)
    return where(none, log_x, expm1(safe * log_x) / safe)
