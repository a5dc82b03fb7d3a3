"""Conversions: to another dtype by value, by bits, and to fewer bits of precision."""

import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import ShapedArray, shaped, type_of_number, typeof
from ..basearray import Array
from ..jaxpr import Atom, Literal
from ..pretty import without
from ..staging import forwarding_rules
from ..trace import Tracer, pure
from .families import check_dtype, floating, primitive


def _convert_rule(x: ShapedArray, *, new_dtype: Any, weak_type: bool, sharding: Any) -> ShapedArray:
    if dtypes.is_extended(x.dtype) != dtypes.is_extended(new_dtype):
        raise ValueError(f"Cannot convert_element_type from {x.dtype} to {new_dtype}")
    return shaped(x.shape, new_dtype, weak_type)


convert_element_type_p = primitive("convert_element_type", _convert_rule)
convert_element_type_p.pretty = without("sharding")


def _forward_conversion(operands: list[Atom], params: dict[str, Any]) -> Atom | None:
    """A conversion to the type that the operand has is the operand, unless a place is said; of a literal, a literal."""
    (x,) = operands
    dtype, weak_type = params["new_dtype"], params["weak_type"]
    if (x.aval.dtype, x.aval.weak_type) == (dtype, weak_type) and params["sharding"] is None:
        return x
    if isinstance(x, Literal) and dtype.names is None:
        return Literal(_convert_constant(x.val, x.aval, dtype, weak_type), shaped((), dtype, weak_type))
    return None


forwarding_rules[convert_element_type_p] = _forward_conversion


def convert(x: Any, dtype: np.dtype, weak_type: bool = False) -> Any:
    """`x` with the type (dtype, weak_type): itself where it has it, a scalar where it is one, else an equation."""
    aval = typeof(x)
    if aval.dtype == dtype and aval.weak_type == weak_type and not isinstance(x, (np.ndarray, np.generic)):
        return x
    x = _literal_value(x)
    if not isinstance(x, (Array, ArrayImpl)) and not dtypes.is_extended(dtype):
        return _convert_constant(x, aval, dtype, weak_type)
    return convert_element_type_p.bind(x, new_dtype=dtype, weak_type=weak_type, sharding=None)


def _literal_value(x: Any) -> Any:
    """The number that a tracer of a literal stands for, so that it is converted now; any other `x` as it is."""
    atom = getattr(x, "val", None) if isinstance(x, Tracer) else None
    return atom.val if type(atom) is Literal else x


_python_type = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def _convert_constant(x: Any, aval: ShapedArray, dtype: np.dtype, weak_type: bool) -> Any:
    """A Python or NumPy value converted now: it is not part of the traced program. A weak one stays Python's."""
    if aval.ndim:
        if aval.dtype == dtype and not weak_type:
            return x if x.dtype == dtype else x.astype(dtype)
        return convert_element_type_p.bind(x, new_dtype=dtype, weak_type=weak_type, sharding=None)
    python_type = _python_type.get(dtype.kind)
    if weak_type and python_type and _is_default(dtype, python_type):
        return x if type(x) is python_type else python_type(scalar(x, dtype))
    converted = scalar(x, dtype)
    return converted[()] if isinstance(x, (np.ndarray, np.generic)) else converted  # a NumPy number stays one


def _is_default(dtype: np.dtype, python_type: type) -> bool:
    return dtype == dtypes.canonicalize_dtype(dtypes.PYTHON_DTYPES[python_type])


def scalar(x: Any, dtype: np.dtype) -> np.ndarray:
    """The number `x` as a 0-d NumPy array of `dtype`: integers wrap around, as XLA's conversion does."""
    if isinstance(x, int) and not isinstance(x, bool) and dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        x = int(x) & ((1 << bits) - 1)
        return np.asarray(x, f"u{dtype.itemsize}").view(dtype)
    with np.errstate(all="ignore"):
        value = np.asarray(x)
        keep_real = value.dtype.kind == "c" and dtype.kind != "c"
        return (np.real(value) if keep_real else value).astype(dtype)


def without_high_bits(x: int, dtype: np.dtype) -> int:
    """An integer as `dtype` has it, without the bits that do not fit. Raises OverflowError beyond 64 bits."""
    return int(np.asarray(x, np.uint64 if 1 << 63 <= x < 1 << 64 else np.int64).astype(dtype))


def convert_element_type(operand: Any, new_dtype: Any) -> Any:
    """`operand` as `new_dtype`, by value. Floats to integers saturate, and NaN becomes 0.

    >>> convert_element_type(2.5, np.int32)
    Array(2, dtype=int32)

    Of a complex array the real part is kept, with a ComplexWarning.
    """
    if new_dtype is None:
        raise ValueError("dtype must be specified.")
    type_of_number(operand)  # raises for a list
    dtype = dtypes.check_user_dtype_supported(new_dtype, "convert_element_type")
    if not dtypes.is_extended(dtype) and is_complex(operand) and dtype.kind != "c":
        warnings.warn(
            "Casting complex values to real discards the imaginary part", np.exceptions.ComplexWarning, stacklevel=2
        )
        operand = real_part(operand)
    return pure(convert(operand, dtype, False))


def is_complex(x: Any) -> bool:
    dtype = typeof(x).dtype
    return not dtypes.is_extended(dtype) and dtype.kind == "c"


def real_part(x: Any) -> Any:
    """The real part of a complex array (what a conversion to a real dtype keeps)."""
    return convert(x, dtypes.real_dtype(typeof(x).dtype), False)


def _bitcast_rule(x: ShapedArray, *, new_dtype: Any) -> ShapedArray:
    for dtype in (x.dtype, new_dtype):
        if dtypes.is_extended(dtype):
            raise ValueError(f"unexpected input: dtype={dtype}")
    old, new = x.dtype.itemsize * 8, new_dtype.itemsize * 8
    if old == new:
        return shaped(x.shape, new_dtype)
    if old > new:
        return shaped((*x.shape, old // new), new_dtype)
    if not x.shape or x.shape[-1] * old != new:
        got = f"{x.shape[-1] if x.shape else 1} * {old} != {new}"
        raise ValueError(
            f"Attempting to convert array of shape {x.shape} from {x.dtype.name} of size {old} bits "
            f"to {new_dtype.name} of size {new}, bits but {got}"
        )
    return shaped(x.shape[:-1], new_dtype)


bitcast_convert_type_p = primitive("bitcast_convert_type", _bitcast_rule)


def bitcast_convert_type(operand: Any, new_dtype: Any) -> Any:
    """The bits of `operand` read as `new_dtype`.

    A narrower dtype adds a last axis for the parts, lowest first; a wider one takes such an axis away.
    Raises TypeError for truth values and complex numbers, unless they stay so.
    """
    dtype = dtypes.check_user_dtype_supported(new_dtype, "bitcast_convert_type")
    old = typeof(operand).dtype
    _bitcast_rule(typeof(operand), new_dtype=dtype)  # raises where the sizes do not fit
    if old != dtype and {old.kind, dtype.kind} & {"b", "c"}:
        raise TypeError(
            "lax.bitcast_convert_type does not support bool or complex values unless the operand and destination types "
            f"match. Got operand dtype={old}, new_dtype={dtype!r}. Consider using the arr.view() method instead."
        )
    return bitcast_convert_type_p.bind(operand, new_dtype=dtype)


def _reduce_precision_rule(x: ShapedArray, *, exponent_bits: int, mantissa_bits: int) -> ShapedArray:
    check_dtype("reduce_precision", x, floating)
    if exponent_bits < 1:
        raise ValueError(f"reduce_precision: exponent_bits must be positive; got {exponent_bits}")
    if mantissa_bits < 0:
        raise ValueError(f"reduce_precision: mantissa_bits must be non-negative; got {mantissa_bits}")
    return x


reduce_precision_p = primitive("reduce_precision", _reduce_precision_rule)


def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """`operand` rounded to a float of so many exponent and mantissa bits; the dtype stays."""
    return reduce_precision_p.bind(operand, exponent_bits=int(exponent_bits), mantissa_bits=int(mantissa_bits))


copy_p = primitive("copy", lambda x: x)
stop_gradient_p = primitive("stop_gradient", lambda x: x)
