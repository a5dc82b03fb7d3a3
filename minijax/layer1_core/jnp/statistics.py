"""Statistics of several variables: covariance and correlation."""

import functools
import math
from typing import Any

import numpy as np

from .. import dtypes
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.shaping import broadcast_to_rank
from .arguments import array_argument
from .arithmetic import divide, true_divide
from .array_creation import array, full
from .choosing import clip
from .creation import diag
from .joining import concatenate
from .mathematics import sqrt
from .numbers import absolute, imag, iscomplexobj, real
from .products import dot
from .promotion import check_arraylike, promote_args_inexact
from .reductions import average, sum
from .shaping import atleast_2d


@functools.partial(jit, static_argnames=("rowvar", "bias", "ddof", "dtype"))
def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Any = None,
    aweights: Any = None, dtype: Any = None,
) -> Any:  # fmt: skip
    """The covariance matrix of the variables, which are the rows of `m` (and of `y`).

    Observations count `fweights` times, and have the importance `aweights`. The sum of products is divided by their
    number less `ddof` (1, or 0 with `bias`).
    """
    m, y = promote_args_inexact("cov", m, y) if y is not None else (*promote_args_inexact("cov", m), None)
    if y is not None and y.ndim > 2:
        raise ValueError("y has more than 2 dimensions")
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    _check_dtype("cov", dtype)
    x = _variables(m, y, rowvar)
    if x.shape[0] == 0:
        return array([]).reshape(0, 0)
    if x.shape[1] == 0:
        return full(() if x.shape[0] == 1 else (x.shape[0],) * 2, math.nan, x.dtype)
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights, importance = _weights(fweights, aweights, x.shape[1])
    if dtype is not None:
        x, weights = x.astype(dtype), None if weights is None else weights.astype(dtype)
    return _covariance(x, weights, importance, ddof)


def _check_dtype(name: str, dtype: Any) -> None:
    if dtype is not None and not dtypes.issubdtype(dtypes.as_dtype(dtype), np.inexact):
        raise ValueError(f"{name}: dtype must be a subclass of float or complex; got dtype={dtype!r}")


def _variables(m: Any, y: Any, rowvar: bool) -> Any:
    """The variables as the rows of one matrix."""
    x = atleast_2d(m)
    x = x.T if not rowvar and m.ndim != 1 else x
    if y is None or x.shape[0] == 0:
        return x
    other = atleast_2d(y)
    return concatenate((x, other.T if not rowvar and other.shape[0] != 1 else other), axis=0)


def _weights(fweights: Any, aweights: Any, n: int) -> tuple[Any, Any]:
    """The product of the two kinds of weights (None without any), and the second kind."""
    if fweights is not None:
        fweights = _observed("fweights", fweights, n)
        if not dtypes.issubdtype(fweights.dtype, np.integer):
            raise TypeError("fweights must be integer.")
        fweights = absolute(fweights)
    if aweights is None:
        return fweights, None
    aweights = absolute(_observed("aweights", aweights, n))
    return (aweights if fweights is None else fweights * aweights), aweights


def _observed(name: str, weights: Any, n: int) -> Any:
    weights = array_argument("cov", weights)
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.shape[0] != n:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    return weights


def _covariance(x: Any, weights: Any, importance: Any, ddof: int) -> Any:
    mean, total = average(x, axis=1, weights=weights, returned=True)
    total = total[0]
    if weights is None:
        number = x.shape[1] - ddof
    elif ddof == 0:
        number = total
    elif importance is None:
        number = total - ddof
    else:
        number = total - ddof * sum(weights * importance) / total
    x = x - mean[:, None]
    other = x.T if weights is None else (x * broadcast_to_rank(weights, x.ndim)).T
    return true_divide(dot(x, other.conj()), number).squeeze()


@functools.partial(jit, static_argnames=("rowvar", "dtype"))
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Any:
    """The correlation matrix: covariances divided by both standard deviations, cut to [-1, 1]."""
    check_arraylike("corrcoef", x)
    _check_dtype("corrcoef", dtype)
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return divide(c, c)
    deviation = sqrt(real(diag(c))).astype(c.dtype)
    c = c / deviation[:, None] / deviation[None, :]
    part = clip(real(c), -1, 1)
    return lax.complex(part, clip(imag(c), -1, 1)) if iscomplexobj(c) else part
