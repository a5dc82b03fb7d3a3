"""Promotion: what jnp does to its arguments before lax sees them.

jnp accepts what NumPy accepts: Python numbers, mixed dtypes, mixed ranks. lax accepts equals only.
"""

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import config, dtypes, staging
from ..array import int_value
from ..aval import ShapedArray, is_jax_type, typeof
from ..fun_names import too_large
from ..lax.converting import convert, scalar
from ..lax.shaping import as_typed, broadcast_in_dim, broadcast_shapes
from ..placement import named
from ..trace import Tracer, pure

# ---- arguments: arrays or numbers


def check_arraylike(name: str, *args: Any) -> None:
    """Raises JAX's TypeError where an argument is not an array or a number: lists are not converted."""
    for i, x in enumerate(args):
        if isinstance(x, str):
            raise TypeError(f"asarray: expected ArrayLike, got {x} of type {type(x)}.")
        if not (hasattr(x, "aval") or is_jax_type(x) or hasattr(x, "__jax_array__")):
            raise TypeError(f"{name} requires ndarray or scalar arguments, got {type(x)} at position {i}.")


def ensure_arraylike(name: str, *args: Any) -> Any:
    """The arguments, checked. One argument gives itself, several a tuple."""
    out = _checked(name, args)
    return out[0] if len(out) == 1 else out


def _checked(name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    check_arraylike(name, *args)
    args = tuple([x if hasattr(x, "aval") or not hasattr(x, "__jax_array__") else x.__jax_array__() for x in args])
    for x in args:
        if getattr(x, "dtype", None) == dtypes.float0:
            raise TypeError(
                f"Called {name} with a float0 array. float0s do not support any operations by design because they are "
                "not compatible with non-trivial vector spaces. No implicit dtype conversion is done. You can use "
                "np.zeros_like(arr, dtype=np.float) to cast a float0 array to a regular zeros array. \n"
                "If you didn't expect to get a float0 you might have accidentally taken a gradient with respect to an "
                "integer argument."
            )
    return args


# ---- one dtype

DtypeRule = Callable[[np.dtype], np.dtype]


def to_numeric_dtype(dtype: np.dtype) -> np.dtype:
    """The dtype of numbers that `dtype` counts as: truth values become int32, with x64 too."""
    return np.dtype(np.int32) if dtype == np.bool_ else dtype


def _convert_all(args: tuple[Any, ...], rule: DtypeRule | None) -> list[Any]:
    dtype, weak = dtypes.join(*[(a.dtype, a.weak_type) for a in map(typeof, args)])
    dtype = dtype if rule is None else rule(dtype)
    return [convert(x, dtype, weak) for x in args]


def promote_dtypes(*args: Any) -> list[Any]:
    """The arguments converted to their common type, which is weak where all of them are."""
    avals = [typeof(x) for x in args]
    first = avals[0]
    if len(args) == 1 or all(a.dtype == first.dtype and not a.weak_type for a in avals):
        return list(args)
    return _convert_all(args, None)


def promote_dtypes_inexact(*args: Any) -> list[Any]:
    """The same, to a floating (or complex) type."""
    return _convert_all(args, dtypes.to_inexact_dtype)


def promote_dtypes_numeric(*args: Any) -> list[Any]:
    """The same, to a type of numbers: truth values become integers."""
    return _convert_all(args, to_numeric_dtype)


# ---- one rank


def promote_shapes(name: str, *args: Any) -> list[Any]:
    """The arguments with equal ranks: new leading axes of size 1 for all but scalars. Sizes are lax's matter."""
    avals = [typeof(x) for x in args]
    ranks = {a.ndim for a in avals if a.ndim}
    if len(ranks) < 2:
        return list(args)
    if config.numpy_rank_promotion.value != "allow":
        _refuse_rank_promotion(name, avals)
    rank = _common_rank(tuple([a.shape for a in avals]))
    return [_raise_rank(x, a, rank) for x, a in zip(args, avals, strict=True)]


@functools.lru_cache(maxsize=4096)
def _common_rank(shapes: tuple[tuple[int, ...], ...]) -> int:
    """The rank that arrays of these shapes broadcast to. Raises ValueError where the sizes do not fit."""
    return len(broadcast_shapes(*shapes))


def _raise_rank(x: Any, aval: ShapedArray, rank: int) -> Any:
    new = rank - aval.ndim
    return x if not new else broadcast_in_dim(x, (1,) * new + aval.shape, range(new, rank))


def _refuse_rank_promotion(name: str, avals: list[ShapedArray]) -> None:
    shapes = " ".join(str(a.shape) for a in avals)
    if config.numpy_rank_promotion.value == "warn":
        warnings.warn(
            f"Following NumPy automatic rank promotion for {name} on shapes {shapes}. Set the jax_numpy_rank_promotion "
            "config option to 'allow' to disable this warning; for more information, see "
            "https://docs.jax.dev/en/latest/rank_promotion_warning.html.",
            stacklevel=2,
        )
    else:
        raise ValueError(
            f"Operands could not be broadcast together for {name} on shapes {shapes} and with the config option "
            "jax_numpy_rank_promotion='raise'. For more information, see "
            "https://docs.jax.dev/en/latest/rank_promotion_warning.html."
        )


# ---- both


def promote_args(name: str, *args: Any) -> Any:
    """Arguments of an elementwise function: checked, of one type, of one rank."""
    return _quick(args, None) or _promoted(name, args, None)


def promote_args_inexact(name: str, *args: Any) -> Any:
    """The same, of a floating (or complex) type."""
    return _quick(args, INEXACT) or _promoted(name, args, dtypes.to_inexact_dtype)


def promote_args_numeric(name: str, *args: Any) -> Any:
    """The same, of a type of numbers."""
    return _quick(args, NUMBERS) or _promoted(name, args, to_numeric_dtype)


def _promoted(name: str, args: tuple[Any, ...], rule: DtypeRule | None) -> list[Any]:
    args = _checked(name, args)
    types = [typeof(x).dtype for x in args]
    if len(set(types)) > 1 and any(hasattr(dtype, "_is_extended") for dtype in types):
        raise TypeError(f"{name} does not accept dtypes {', '.join(map(str, types))}.")
    return promote_shapes(name, *(promote_dtypes(*args) if rule is None else _convert_all(args, rule)))


# The usual cases, told apart by a few comparisons: two arrays that agree already, or an array and a Python number
# of its kind. Tracing `x + y` spends 0.6 us here, where the full way takes 8 us.

NUMBERS = frozenset(np.dtype(t) for t in (*"bhilqBHILQefdFD", dtypes.bfloat16))
INEXACT = frozenset(np.dtype(t) for t in (*"efdFD", dtypes.bfloat16))
_TAKES = {int: NUMBERS, float: INEXACT}  # the dtypes that a Python number gives way to
_INT32 = 1 << 31


def _quick(args: tuple[Any, ...], among: frozenset[np.dtype] | None) -> Any:
    """The arguments, if they need no equation to become of one dtype (of `among`) and one rank; else None."""
    a = getattr(args[0], "aval", None)
    if len(args) == 1:
        return args if a is not None and (among is None or a.dtype in among) else None
    if len(args) != 2:
        return None
    x, y = args
    b = getattr(y, "aval", None)
    if a is None or b is None:
        return _with_number(x, a, y, b, among)
    if (a is not b and not _agree(a, b)) or (a.weak_type and a.dtype == np.bool_):  # truth values do not stay weak
        return None
    return args if among is None or a.dtype in among else None


def _agree(a: ShapedArray, b: ShapedArray) -> bool:
    if a.dtype is not b.dtype or a.weak_type != b.weak_type:
        return False
    return len(a.shape) == len(b.shape) or not a.shape or not b.shape


def _with_number(x: Any, a: Any, y: Any, b: Any, among: frozenset[np.dtype] | None) -> Any:
    """The pair (x, y) with the one that is a Python number as a constant of the other's dtype."""
    aval, number = (a, y) if b is None else (b, x)
    takes = _TAKES.get(type(number))
    if aval is None or takes is None or aval.weak_type or aval.dtype not in takes:
        return None
    if dtypes.canonicalize_dtype(aval.dtype) is not aval.dtype:  # a 64-bit array that outlived its x64 mode
        return None
    if (among is not None and aval.dtype not in among) or (type(number) is int and not -_INT32 <= number < _INT32):
        return None
    constant = _constant(number, aval.dtype, number == 0 and math.copysign(1, number) < 0)
    return (x, constant) if b is None else (constant, y)


@functools.lru_cache(maxsize=1024, typed=True)
def _constant(number: Any, dtype: np.dtype, negative_zero: bool) -> np.ndarray:  # 0.0 == -0.0, but they are two
    return scalar(number, dtype)


def const(x: Any, value: Any) -> Any:
    """The number `value` with the dtype of `x`: a Python number where `x` is a weak scalar."""
    aval = typeof(x)
    return convert(value, aval.dtype, aval.weak_type and not aval.shape)


def strong_const(x: Any, value: Any) -> Any:
    """The number `value` with the dtype of `x`, never weak."""
    return convert(value, typeof(x).dtype, False)


# ---- functions whose arguments are checked the way a jitted function's are


def ufunc(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for an elementwise function with these parameters.

    Strings and objects are refused by the path of the argument, and so are Python integers that do not fit the
    default integer: these functions are jitted in JAX, and their messages are jit's.
    """

    def decorate(fun: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fun)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for x, name in zip(args, names, strict=False):
                if not hasattr(x, "aval"):
                    check_argument(checked, x, name)
            try:
                out = fun(*args, **kwargs)
            except TypeError as error:
                raise of_types(error, fun, *args, **kwargs) from None
            return out if hasattr(out, "aval") else pure(out)

        return checked

    return decorate


def of_types(error: Exception, fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Exception:
    """The error of `fun` for arguments of these types, in place of `error`, that of a rule for stand-ins.

    In JAX these functions are jitted: in a batch they are traced for one example, whose shapes are then told.
    """
    if any(isinstance(x, Tracer) for x in args):
        try:
            staging.make_jaxpr(fun)(*args, **kwargs)
        except type(error) as told:
            return told
    return error


def check_argument(fun: Callable[..., Any], x: Any, name: str) -> None:
    """Raises jit's TypeError or OverflowError for a value that a jitted function could not take."""
    if type(x) in _TAKES and -_INT32 <= x < _INT32:
        return
    if type(x) is int:
        try:
            int_value(x, typeof(x).dtype)
        except OverflowError:
            raise too_large(x, name) from None
    elif isinstance(x, (str, bytes)) or not (is_jax_type(x) or _is_tree(x) or hasattr(x, "__jax_array__")):
        raise TypeError(staging.not_an_array(fun, x, name))


def _is_tree(x: Any) -> bool:
    """What jit would take apart; the function itself refuses it, in its own words."""
    return x is None or isinstance(x, (list, tuple, dict))


# ---- one shape


def broadcast_arrays_to_common(*args: Any) -> list[Any]:
    """The arguments repeated to their common shape."""
    shape = broadcast_shapes(*(typeof(x).shape for x in args))
    return [broadcast_to_shape(x, shape) for x in args]


def broadcast_to_shape(x: Any, shape: tuple[int, ...], out_sharding: Any = None) -> Any:
    """`x` repeated to `shape`, by NumPy's rule. Raises ValueError where it does not fit."""
    aval = typeof(x)
    if aval.shape == shape:
        return x if out_sharding is None else as_typed(x, aval.update(sharding=named(out_sharding, "broadcast_to")))
    if aval.ndim > len(shape):
        raise ValueError(f"Cannot broadcast to shape with fewer dimensions: arr_shape={aval.shape} shape={shape}")
    new = len(shape) - aval.ndim
    if any(n not in (1, m) for n, m in zip(aval.shape, shape[new:], strict=True)):
        target = f"{aval.dtype.name}[{','.join(map(str, shape))}]"
        raise ValueError(
            f"Incompatible types for broadcasting: input type={aval.str_short()} and requested type={target}"
        )
    return broadcast_in_dim(x, shape, range(new, len(shape)), out_sharding=out_sharding)
