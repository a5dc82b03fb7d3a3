"""Operators and methods of arrays, attached to ArrayImpl and Tracer (a late binding: jnp stands above both)."""

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from . import dtypes
from .array import ArrayImpl
from .aval import is_jax_type
from .device_put import device_put
from .jnp import (
    array_creation,
    at,
    choosing,
    creation,
    cumulative,
    extremes,
    indexing,
    products,
    rearranging,
    reductions,
    shaping,
    sorting,
    taking,
    ufuncs,
)
from .lax.converting import bitcast_convert_type_p
from .lax.joining import unstack
from .lax.shaping import reshape as lax_reshape
from .trace import Tracer

_CLASSES = (ArrayImpl, Tracer)


def attach(**methods: Any) -> None:
    """Give both classes these methods and properties."""
    for cls in _CLASSES:
        for name, method in methods.items():
            setattr(cls, name, method)


# ---- operators


def _accepts(x: Any) -> bool:
    return hasattr(x, "aval") or is_jax_type(x) or isinstance(x, np.ndarray) or hasattr(x, "__jax_array__")


_CONTAINERS = (list, tuple, dict, set)


def _in_order(x: Any, y: Any) -> tuple[Any, Any]:
    return x, y


def _binary(
    function: Callable[[Any, Any], Any], refuses: str = "", written: Callable[[Any, Any], tuple[Any, Any]] = _in_order
) -> Callable[[Any, Any], Any]:
    """x OP y. Containers are refused with the operator's own TypeError; other strangers get their turn.

    `written` gives the operands of the method as they stand in the program, which the message names in this order.
    """

    @functools.wraps(function)
    def method(self: Any, other: Any) -> Any:
        if _accepts(other):
            return function(self, other)
        if isinstance(other, _CONTAINERS) and refuses:
            names = " and ".join(f"'{type(x).__name__}'" for x in written(self, other))
            raise TypeError(f"unsupported operand type(s) for {refuses}: {names}")
        return NotImplemented

    return method


def _swapped(function: Callable[[Any, Any], Any], refuses: str = "") -> Callable[[Any, Any], Any]:
    """y OP x, the method that Python calls where y has none for x."""
    return _binary(lambda x, y: function(y, x), refuses, lambda x, y: (y, x))


_BINARY = {
    "add": (ufuncs.add, "+"), "sub": (ufuncs.subtract, "-"), "mul": (ufuncs.multiply, "*"),
    "truediv": (ufuncs.true_divide, "/"), "floordiv": (ufuncs.floor_divide, "//"), "mod": (ufuncs.remainder, "%"),
    "pow": (ufuncs.power, "** or pow()"), "matmul": (products.matmul, "@"), "and": (ufuncs.bitwise_and, "&"),
    "or": (ufuncs.bitwise_or, "|"), "xor": (ufuncs.bitwise_xor, "^"), "lshift": (ufuncs.left_shift, "<<"),
    "rshift": (ufuncs.right_shift, ">>"), "divmod": (ufuncs.divmod, "divmod()"),
}  # fmt: skip
for _name, (_function, _symbol) in _BINARY.items():
    attach(**{f"__{_name}__": _binary(_function, _symbol), f"__r{_name}__": _swapped(_function, _symbol)})

attach(
    __eq__=_binary(ufuncs.equal, "=="), __ne__=_binary(ufuncs.not_equal, "=="), __lt__=_binary(ufuncs.less),
    __le__=_binary(ufuncs.less_equal), __gt__=_binary(ufuncs.greater), __ge__=_binary(ufuncs.greater_equal),
    __neg__=lambda self: ufuncs.negative(self), __pos__=lambda self: ufuncs.positive(self),
    __abs__=lambda self: ufuncs.absolute(self), __invert__=lambda self: ufuncs.invert(self),
)  # fmt: skip


def _round(self: Any, ndigits: int | None = None) -> Any:
    out = ufuncs.round(self, decimals=ndigits or 0)
    return out.astype(int) if ndigits is None else out


def _iter(self: Any) -> Any:
    if not self.ndim:
        raise TypeError("iteration over a 0-d array")
    return iter(unstack(self))


def _contains(self: Any, element: Any) -> bool:
    if self.ndim != 1:
        raise ValueError(f"Array.__contains__: search array must be one-dimensional, got arr.shape={self.shape}.")
    return bool((self == element).any())


attach(
    __round__=_round, __iter__=_iter, __contains__=_contains, __getitem__=lambda self, idx: indexing.getitem(self, idx)
)


def _delitem(self: Any, name: str) -> Any:
    raise AttributeError("__delitem__")


attach(__delitem__=_delitem)

# ---- methods: a jnp function with the array as its first argument

_METHODS = {
    "all": reductions.all, "any": reductions.any, "sum": reductions.sum, "prod": reductions.prod,
    "max": reductions.max, "min": reductions.min, "mean": reductions.mean, "std": reductions.std,
    "var": reductions.var, "ptp": reductions.ptp, "cumsum": cumulative.cumsum, "cumprod": cumulative.cumprod,
    "argmax": extremes.argmax, "argmin": extremes.argmin, "argsort": sorting.argsort, "sort": sorting.sort,
    "argpartition": sorting.argpartition, "searchsorted": sorting.searchsorted, "conj": ufuncs.conj,
    "conjugate": ufuncs.conj, "dot": products.dot, "astype": array_creation.astype,
    "choose": choosing.choose, "nonzero": choosing.nonzero, "diagonal": creation.diagonal, "trace": creation.trace,
    "ravel": shaping.ravel, "flatten": shaping.ravel, "repeat": rearranging.repeat, "squeeze": shaping.squeeze,
    "swapaxes": shaping.swapaxes, "take": taking.take, "round": ufuncs.round,
}  # fmt: skip


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return method


attach(**{name: _method(function) for name, function in _METHODS.items()})


def _clip(self: Any, min: Any = None, max: Any = None) -> Any:
    """Each element moved into the interval from `min` to `max`."""
    return choosing.clip(self, min=min, max=max)


def _reshape(self: Any, *shape: Any, order: str = "C", copy: bool | None = None, out_sharding: Any = None) -> Any:
    """The elements in a new shape, given as one tuple or as several integers; -1 is worked out."""
    return shaping.reshape(self, shape[0] if len(shape) == 1 else shape, order=order, out_sharding=out_sharding)


def _transpose(self: Any, *axes: Any) -> Any:
    """The axes in another order, given as one tuple or as several integers; reversed where none is given."""
    if not axes or axes == (None,):
        return shaping.transpose(self)
    return shaping.transpose(self, axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes)


def _copy(self: Any) -> Any:
    """A new array with the same elements."""
    return array_creation.array(self, copy=True)


def _view(self: Any, dtype: Any = None, type: Any = None) -> Any:
    """The bits read as another dtype: the last axis grows or shrinks with its size."""
    if type is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    if dtype is None:
        return self
    new = dtypes.check_user_dtype_supported(dtype, "view")
    old = self.dtype
    if old == np.bool_ or new == np.bool_:
        if new == np.bool_ and old == np.bool_:
            return self
        return self.astype(np.uint8).view(new) if old == np.bool_ else self.view(np.uint8).astype(np.bool_)
    if not self.ndim and old.itemsize != new.itemsize:
        raise ValueError("view() of a 0d array is only supported if the itemsize is unchanged.")
    if old.itemsize < new.itemsize:
        return _widen(self, new)
    out = bitcast_convert_type_p.bind(self, new_dtype=new)
    return out if old.itemsize == new.itemsize else lax_reshape(out, (*self.shape[:-1], out.shape[-2] * out.shape[-1]))


def _widen(x: Any, new: np.dtype) -> Any:
    factor = new.itemsize // x.dtype.itemsize
    if x.shape[-1] % factor:
        raise ValueError(
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes "
            "of the last axis of the array."
        )
    pairs = lax_reshape(x, (*x.shape[:-1], x.shape[-1] // factor, factor))
    return bitcast_convert_type_p.bind(pairs, new_dtype=new)


def _byteswap(self: Any) -> Any:
    """The bytes of each element in reverse order."""
    if self.dtype.itemsize == 1:
        return self
    parts = bitcast_convert_type_p.bind(self, new_dtype=np.dtype(np.uint8))
    return bitcast_convert_type_p.bind(rearranging.flip(parts, -1), new_dtype=self.dtype)


def _to_device(self: Any, device: Any, *, stream: Any = None) -> Any:
    return device_put(self, device)


_ARRAY_API = "2025.12"  # the version of the array API that jax.numpy has


def _array_namespace(self: Any, /, *, api_version: str | None = None) -> Any:
    """The module of functions for this array (the array API's question): jax.numpy, a face that stands above this.

    Raises ValueError for another version of the array API.
    """
    if api_version not in (None, _ARRAY_API):
        raise ValueError(f"{api_version=} is not available; available versions are: {[_ARRAY_API]}")
    return sys.modules[f"{__name__.split('.')[0]}.numpy"]


def _flat(self: Any) -> Any:
    raise NotImplementedError("JAX Arrays do not implement the arr.flat property: consider arr.flatten() instead.")


def _compress(self: Any, condition: Any, axis: int | None = None, **kwargs: Any) -> Any:
    """The slices along `axis` at which `condition` holds."""
    return taking.compress(condition, self, axis=axis, **kwargs)


attach(
    clip=_clip, reshape=_reshape, transpose=_transpose, copy=_copy, view=_view, to_device=_to_device,
    byteswap=_byteswap,
    __array_namespace__=_array_namespace, compress=_compress, flat=property(_flat),
    T=property(lambda self: shaping.transpose(self)), mT=property(lambda self: shaping.matrix_transpose(self)),
    real=property(lambda self: ufuncs.real(self)), imag=property(lambda self: ufuncs.imag(self)),
    at=property(lambda self: at._IndexUpdateHelper(self)),
)  # fmt: skip
