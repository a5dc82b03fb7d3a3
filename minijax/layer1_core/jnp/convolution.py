"""Convolution and correlation of vectors: sums of products of one vector with a shifted other one."""

from functools import partial
from typing import Any

from ..aval import typeof
from ..jit import jit
from ..lax.conv import conv_general_dilated
from ..lax.elementwise import conj
from .arguments import array_arguments
from .promotion import promote_dtypes, promote_dtypes_inexact
from .rearranging import flip

_STATIC = ("mode", "precision", "preferred_element_type")


@partial(jit, static_argnames=_STATIC)
def convolve(a: Any, v: Any, mode: str = "full", *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """out[k] = sum_i a[i] v[k - i]: for all k where the vectors meet ("full"), where the shorter one is inside the
    longer one ("valid"), or as many as the longer one has elements ("same").
    """
    a, v = array_arguments("convolve", a, v)
    return _conv(a, v, mode=mode, op="convolve", precision=precision, preferred_element_type=preferred_element_type)


@partial(jit, static_argnames=_STATIC)
def correlate(a: Any, v: Any, mode: str = "valid", *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """out[k] = sum_i a[i + k] conj(v[i]), for the shifts k that `mode` says (see `convolve`)."""
    a, v = array_arguments("correlate", a, v)
    return _conv(a, v, mode=mode, op="correlate", precision=precision, preferred_element_type=preferred_element_type)


@partial(jit, static_argnames=("mode", "op", "precision", "preferred_element_type"))
def _conv(x: Any, y: Any, mode: str, op: str, precision: Any, preferred_element_type: Any = None) -> Any:
    if typeof(x).ndim != 1 or typeof(y).ndim != 1:
        raise ValueError(f"{op}() only support 1-dimensional inputs.")
    x, y = promote_dtypes_inexact(x, y) if preferred_element_type is None else promote_dtypes(x, y)
    if not x.size or not y.size:
        raise ValueError(f"{op}: inputs cannot be empty, got shapes {x.shape} and {y.shape}.")
    if op == "correlate":
        y = conj(y) if y.dtype.kind == "c" else y
    swapped = len(x) < len(y)
    x, y = (y, x) if swapped else (x, y)
    y = flip(y) if op == "convolve" else y
    window = x[None, None, :], y[None, None, :], (1,), [_padding(mode, len(y))]
    out = conv_general_dilated(*window, precision=precision, preferred_element_type=preferred_element_type)
    return out[0, 0, ::-1] if swapped and op == "correlate" else out[0, 0]


def _padding(mode: str, n: int) -> tuple[int, int]:
    """How many zeros before and after the longer vector, where the shorter has n elements."""
    match mode:
        case "valid":
            return 0, 0
        case "same":
            return n // 2, n - n // 2 - 1
        case "full":
            return n - 1, n - 1
    raise ValueError("mode must be one of ['full', 'same', 'valid']")
