"""Dtypes: their canonical width, their families, and the lattice of type promotion.

A Python scalar has a *weak* type: it has a kind (integer, float, complex) but gives way to the width
of any array that it meets. The lattice has a node for each dtype and one for each weak kind; two types
promote to their least upper bound.

             i* -> u1 -> u2 -> u4 -> u8 -+
        b1 <    -> i1 -> i2 -> i4 -> i8 -+-> f* -> bf, f2 -> f4 -> f8
                                               -> c* -> c8 -> c16

Source: JAX, "Type promotion semantics" (docs/jep/9407).
"""

import functools
import warnings
from typing import Any

import ml_dtypes
import numpy as np

from . import config
from .basearray import Array
from .errors import TypePromotionError

Dtype = np.dtype
bfloat16 = ml_dtypes.bfloat16
float0 = np.dtype([("float0", np.void, 0)])  # the tangent type of integers: no bytes at all

_NARROW = {  # with x64 off, what a 64-bit dtype is cut down to
    np.dtype("int64"): np.dtype("int32"),
    np.dtype("uint64"): np.dtype("uint32"),
    np.dtype("float64"): np.dtype("float32"),
    np.dtype("complex128"): np.dtype("complex64"),
}

SHORT_NAMES = {
    "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64",
    "complex64": "c64", "complex128": "c128", "bool": "bool",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
}  # fmt: skip

bool_ = np.dtype("bool")
int_, uint_, float_, complex_ = (np.dtype(n) for n in ("int64", "uint64", "float64", "complex128"))
PYTHON_DTYPES = {bool: bool_, int: int_, float: float_, complex: complex_}
_SUPPORTED = frozenset(np.dtype(bfloat16 if n == "bfloat16" else n) for n in SHORT_NAMES)


class extended(np.generic):
    """The family of dtypes that are none of NumPy's: of values that hold arrays (chapter 6: keys)."""


def is_extended(dtype: Any) -> bool:
    """Whether a dtype is none of NumPy's."""
    return not isinstance(dtype, np.dtype) and hasattr(dtype, "_is_extended")


def canonicalize_dtype(dtype: Any) -> Dtype:
    """The dtype that an array of `dtype` really has: 64 bits become 32 unless x64 is enabled.

    >>> canonicalize_dtype(np.float64)
    dtype('float32')
    """
    if is_extended(dtype):
        return dtype
    dtype = np.dtype(dtype)
    return dtype if config.enable_x64.value else narrow(dtype)


def narrow(dtype: Dtype) -> Dtype:
    """The 32-bit dtype of the same kind for a 64-bit one; any other as it is."""
    return _NARROW.get(dtype, dtype)


def as_dtype(spec: Any) -> Dtype:
    """The NumPy dtype that `spec` names: a dtype, a string, a Python scalar type or a jnp scalar type.

    Raises TypeError where it names none, or one that JAX has no arrays of.
    """
    if type(spec) is np.dtype:
        dtype = spec
    else:
        dtype = PYTHON_DTYPES.get(spec) if isinstance(spec, type) else None
        # of a jnp scalar type; on a NumPy one it is only a descriptor, and a NumPy array names no dtype
        named = None if isinstance(spec, np.ndarray) else getattr(spec, "dtype", None)
        dtype = np.dtype(named if isinstance(named, np.dtype) else spec) if dtype is None else dtype
    return dtype


def check_user_dtype_supported(spec: Any, fun_name: str | None = None) -> Dtype:
    """The canonical dtype for a `dtype=` argument.

    Warns where x64 is off and 64 bits were named. A Python type (`int`, `float`) means the default width
    and warns not. Raises TypeError for dtypes that JAX has no arrays of, ValueError for an array.
    What it says names the function, if that is given.
    """
    if is_extended(spec):
        return spec
    if isinstance(spec, Array):
        raise ValueError(
            "Passing an array as a dtype argument is no longer supported; instead of dtype=arr use dtype=arr.dtype."
        )
    dtype = as_dtype(spec)
    if dtype not in _SUPPORTED and dtype != float0:
        where = f" in {fun_name}" if fun_name else ""
        raise TypeError(f"JAX only supports number, bool, and string dtypes, got dtype {spec}{where}")
    canonical = canonicalize_dtype(dtype)
    if canonical != dtype and not (isinstance(spec, type) and spec in PYTHON_DTYPES):
        where = f" requested in {fun_name}" if fun_name else ""
        warnings.warn(
            f"Explicitly requested dtype {dtype.name}{where} is not available, and will be "
            f"truncated to dtype {canonical.name}. To enable more dtypes, set the jax_enable_x64 configuration "
            "option or the JAX_ENABLE_X64 shell environment variable. See "
            "https://github.com/jax-ml/jax#current-gotchas for more.",
            stacklevel=4,
        )
    return canonical


def is_supported(dtype: Dtype) -> bool:
    return dtype in _SUPPORTED


def short_name(dtype: Any) -> str:
    """The name that jaxprs give a dtype."""
    return "float0" if dtype == float0 else SHORT_NAMES.get(dtype.name) or dtype.name


# ---- families

_EXTENDED_FAMILY = {bfloat16: np.floating}


@functools.cache
def _issubdtype(a: Any, b: Any) -> bool:
    a = a.type if isinstance(a, np.dtype) else a
    b = b.type if isinstance(b, np.dtype) else b
    if a is b:
        return True
    if b is bfloat16:
        return False
    return np.issubdtype(_EXTENDED_FAMILY.get(a, a), b)


def issubdtype(a: Any, b: Any) -> bool:
    """Whether the dtype `a` belongs to `b`, a dtype or a family such as np.floating (bfloat16 is one)."""
    if is_extended(a):
        return a == b or (isinstance(b, type) and issubclass(a.type, b))
    if is_extended(b):
        return False
    a = a.dtype if isinstance(getattr(a, "dtype", None), np.dtype) else a
    b = b.dtype if isinstance(getattr(b, "dtype", None), np.dtype) else b
    a = a if isinstance(a, (type, np.dtype)) else np.dtype(a)
    b = b if isinstance(b, (type, np.dtype)) else np.dtype(b)
    a = PYTHON_DTYPES[a].type if isinstance(a, type) and a in PYTHON_DTYPES else a
    b = PYTHON_DTYPES[b].type if isinstance(b, type) and b in PYTHON_DTYPES else b
    return _issubdtype(a, b)


def to_inexact_dtype(dtype: Dtype) -> Dtype:
    """The floating (or complex) dtype that math on `dtype` gives: float32 for truth values and integers.

    Integers of 64 bits, which there are only with x64, become float64.
    """
    dtype = np.dtype(dtype)
    return dtype if issubdtype(dtype, np.inexact) else canonicalize_dtype(float_ if dtype.itemsize == 8 else np.float32)


def real_dtype(dtype: Dtype) -> Dtype:
    """The dtype of the parts of a complex `dtype`; a real one is returned as it is."""
    return {np.dtype("complex64"): np.dtype("float32"), np.dtype("complex128"): np.dtype("float64")}.get(dtype, dtype)


def complex_dtype(dtype: Dtype) -> Dtype:
    """The complex dtype with parts of `dtype`."""
    return {np.dtype("float64"): np.dtype("complex128"), np.dtype("complex128"): np.dtype("complex128")}.get(
        dtype, np.dtype("complex64")
    )


def finfo(dtype: Any) -> Any:
    """Machine limits of a floating or complex dtype (bfloat16 too). Raises ValueError for any other."""
    dtype = as_dtype(dtype)
    if not issubdtype(dtype, np.inexact):
        raise ValueError(f"data type {dtype!r} not compatible with finfo")
    return ml_dtypes.finfo(dtype)


def iinfo(dtype: Any) -> Any:
    """Limits of an integer dtype: min, max, bits, dtype."""
    return ml_dtypes.iinfo(as_dtype(dtype))


# ---- the promotion lattice

_WEAK = {int: "i*", float: "f*", complex: "c*"}
_EDGES = {  # each node -> the nodes right above it
    "b1": ["i*"],
    "i*": ["u1", "i1"],
    "u1": ["i2", "u2"], "u2": ["i4", "u4"], "u4": ["i8", "u8"], "u8": ["f*"],
    "i1": ["i2"], "i2": ["i4"], "i4": ["i8"], "i8": ["f*"],
    "f*": ["bf", "f2", "c*"],
    "bf": ["f4"], "f2": ["f4"], "f4": ["f8", "c8"], "f8": ["c16"],
    "c*": ["c8"], "c8": ["c16"], "c16": [],
}  # fmt: skip
_NODE = {
    np.dtype(name): node
    for name, node in [
        ("bool", "b1"), ("uint8", "u1"), ("uint16", "u2"), ("uint32", "u4"), ("uint64", "u8"),
        ("int8", "i1"), ("int16", "i2"), ("int32", "i4"), ("int64", "i8"), (bfloat16, "bf"),
        ("float16", "f2"), ("float32", "f4"), ("float64", "f8"), ("complex64", "c8"), ("complex128", "c16"),
    ]
}  # fmt: skip
_DTYPE = {node: dtype for dtype, node in _NODE.items()} | {"i*": int_, "f*": float_, "c*": complex_}
_WEAK_NODES = ("i*", "f*", "c*")


@functools.cache
def _upper_bounds(node: str) -> frozenset[str]:
    return frozenset({node}).union(*map(_upper_bounds, _EDGES[node]))


@functools.cache
def _least_upper_bound(nodes: frozenset[str]) -> str:
    """The lowest node above all of `nodes`: the one common bound that lies below all the others."""
    common = frozenset.intersection(*map(_upper_bounds, nodes))
    return next(node for node in common if common <= _upper_bounds(node))


def _node(dtype: Dtype, weak: bool) -> str:
    if dtype not in _NODE:
        raise ValueError(f"{dtype=} is not a valid dtype for JAX type promotion.")
    if not weak or dtype == bool_:
        return _NODE[dtype]
    return {"i": "i*", "u": "i*", "f": "f*", "V": "f*", "c": "c*"}[dtype.kind]


def join(*types: tuple[Dtype, bool]) -> tuple[Dtype, bool]:
    """The (dtype, weak) that values of several (dtype, weak) promote to.

    >>> join((np.dtype("int8"), False), (np.dtype("float32"), True))
    (dtype('float32'), True)
    """
    if not types:
        raise ValueError("at least one array or dtype is required")
    return _join(types, config.enable_x64.value, config.numpy_dtype_promotion.value)


@functools.lru_cache(maxsize=4096)
def _join(types: tuple[tuple[Dtype, bool], ...], x64: bool, mode: str) -> tuple[Dtype, bool]:
    if len(set(types)) == 1:
        dtype, weak = types[0]
        return dtype, weak and dtype != bool_  # truth values that are joined are never weak
    if all(weak for _, weak in types):
        node = _least_upper_bound(frozenset(_node(dtype, False) for dtype, _ in types))
        return canonicalize_dtype(_DTYPE[node]), node != "b1"
    nodes = frozenset(_node(dtype, weak) for dtype, weak in types)
    if mode == "strict":
        _check_strict(types)
    node = _least_upper_bound(nodes)
    return canonicalize_dtype(_DTYPE[node]), node in _WEAK_NODES


_KIND_ORDER = {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3}


def _python_type(dtype: Dtype) -> type:
    return {"i": int, "u": int, "f": float, "V": float, "c": complex}.get(dtype.kind, bool)


def _check_strict(types: tuple[tuple[Dtype, bool], ...]) -> None:
    """In strict mode strong dtypes must agree, and a weak scalar must fit the kind of the strong one."""
    strong = {dtype for dtype, weak in types if not weak}
    highest = max((_KIND_ORDER[dtype.kind] for dtype in strong), default=0)
    if len(strong) == 1 and all(_KIND_ORDER[dtype.kind] <= highest for dtype, weak in types if weak):
        return
    names = tuple(dict.fromkeys(str(_python_type(dtype) if weak else dtype) for dtype, weak in types))
    raise TypePromotionError(
        f"Input dtypes {names} have no available implicit dtype promotion path when jax_numpy_dtype_promotion=strict. "
        "Try explicitly casting inputs to the desired output type, or set jax_numpy_dtype_promotion=standard."
    )


def promote_types(a: Any, b: Any) -> Dtype:
    """The dtype that `a` and `b` promote to; of 64 bits where one of them is, also with x64 off.

    Python types stand for weak scalars of 64 bits.
    """
    types = tuple((as_dtype(x), x in _WEAK if isinstance(x, type) else False) for x in (a, b))
    if config.numpy_dtype_promotion.value == "strict" and types[0] != types[1]:
        _check_strict(types)
    node = _least_upper_bound(frozenset(_node(*t) for t in types))
    is_wide = node in _WEAK_NODES or any(dtype in _NARROW for dtype, _ in types)
    return _DTYPE[node] if is_wide else canonicalize_dtype(_DTYPE[node])
