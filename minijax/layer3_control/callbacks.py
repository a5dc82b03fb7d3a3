"""Calls to functions of Python's from inside of programs: pure_callback and io_callback.

The types of the results are said beforehand, since a program has to know them before it runs.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.array import from_numpy
from ..layer1_core.aval import ShapedArray, shaped
from ..layer1_core.errors import JaxRuntimeError
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_leaves, tree_map, tree_unflatten
from .bodies import Carrier
from .effects import io_effect, ordered_io_effect

Fun = Callable[..., Any]
_PACKAGE = __name__.split(".")[0] + "."

# ---- calling Python


@dataclass(frozen=True)
class _FlatCallback:
    """A function of flat arguments and results. Two are equal for the same function and structure of arguments."""

    callback_func: Fun
    in_tree: PyTreeDef  # of (args, kwargs)

    def __call__(self, *leaves: Any) -> list[Any]:
        args, kwargs = tree_unflatten(self.in_tree, leaves)
        return tree_leaves(self.callback_func(*args, **kwargs))


def called(callback: Fun, values: Sequence[np.ndarray]) -> Any:
    """The result of `callback` on these values, as arrays of its own.

    Raises JaxRuntimeError, with JAX's words around the message, where it raises.
    """
    try:
        return callback(*(from_numpy(np.array(x)) for x in values))
    except Exception as error:
        raise JaxRuntimeError(_failed(error)) from error


def _failed(error: Exception) -> str:
    places = "".join(f'  File "{p.filename}", line {p.lineno}, in {p.name}\n' for p in _outside(error))
    said = "".join(traceback.format_exception_only(error)).rstrip()
    return f"INTERNAL: CpuCallback error calling callback: Traceback (most recent call last):\n{places}{said}"


def _outside(error: Exception) -> Iterator[traceback.FrameSummary]:
    """The places in the user's program on the way to an error."""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if not frame.f_globals.get("__name__", "").startswith(_PACKAGE):
            yield traceback.FrameSummary(frame.f_code.co_filename, line, frame.f_code.co_name, lookup_line=False)


def _checked(results: Sequence[Any], avals: Sequence[ShapedArray]) -> list[np.ndarray]:
    """The results of a callback as arrays. Raises RuntimeError for one that is not as was said."""
    if len(results) != len(avals):
        raise RuntimeError(
            f"Mismatched number of outputs from callback. Expected: {len(avals)}, Actual: {len(results)}"
        )
    arrays = [_canonical(np.asarray(x)) for x in results]
    for i, (x, aval) in enumerate(zip(arrays, avals, strict=True)):
        for what, wanted, found in (("shape", aval.shape, x.shape), ("dtype", aval.dtype, x.dtype)):
            if wanted != found:
                raise RuntimeError(
                    f"Incorrect output {what} for return value #{i}: Expected: {wanted}, Actual: {found}"
                )
    return arrays


def _canonical(x: np.ndarray) -> np.ndarray:
    if not dtypes.is_supported(x.dtype):
        raise TypeError(
            f"Dtype {x.dtype} is not a valid JAX array type. Only arrays of numeric types are supported by JAX."
        )
    return x.astype(dtypes.canonicalize_dtype(x.dtype), copy=True)


# ---- the primitives


class Calling(Carrier):
    """A primitive that calls Python. Whether it does so in order is a parameter of its equation."""

    def __init__(self, name: str, unordered: Any = None, ordered: Any = None):
        super().__init__(name)
        self.kinds = unordered, ordered

    def effects_of(self, params: dict[str, Any]) -> frozenset[Any]:
        kind = self.kinds[bool(params.get("ordered"))]
        return frozenset() if kind is None else frozenset({kind})


pure_callback_p = Calling("pure_callback")
io_callback_p = Calling("io_callback", io_effect, ordered_io_effect)
for _p in (pure_callback_p, io_callback_p):
    _p.def_abstract_eval(lambda *avals, result_avals, **params: list(result_avals))


@impl_rules.rule(pure_callback_p, io_callback_p)
def _run_callback(
    *values: np.ndarray, callback: Fun, result_avals: tuple[ShapedArray, ...], **params: Any
) -> list[np.ndarray]:
    if not result_avals and "ordered" not in params:
        return []  # a pure function without results is not called
    return called(lambda *args: _checked(callback(*args), result_avals), values)


# ---- the functions

_VMAP_METHODS = ["sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized", None]


def pure_callback(
    callback: Fun,
    result_shape_dtypes: Any,
    *args: Any,
    sharding: Any = None,
    vmap_method: str | None = None,
    **kwargs: Any,
) -> Any:
    """The result of `callback(*args, **kwargs)`, a function of Python's, in a program that may be staged.

    >>> pure_callback(np.cos, shaped((), np.dtype("float32")), 0.0)
    Array(1., dtype=float32)

    `result_shape_dtypes` is the tree of the results, with leaves that have a shape and a dtype. The function takes
    arrays, and must do nothing but compute: it is not called where nobody reads its result, and perhaps once for equal
    arguments. Raises JaxRuntimeError where it raises, or returns something else than was said.
    """
    if vmap_method not in _VMAP_METHODS:
        raise ValueError(
            f"vmap_method must be on of the allowed methods {_VMAP_METHODS}, but got: {vmap_method}"  # so in JAX
        )
    return _bind(pure_callback_p, callback, result_shape_dtypes, args, kwargs, sharding, vmap_method=vmap_method)


def io_callback(
    callback: Fun, result_shape_dtypes: Any, *args: Any, sharding: Any = None, ordered: bool = False, **kwargs: Any
) -> Any:
    """The result of `callback(*args, **kwargs)`, which may do more than compute: it is called each time, and in order.

    The arguments are those of `pure_callback`. `ordered` asks for the order that there is here in any case.
    """
    return _bind(io_callback_p, callback, result_shape_dtypes, args, kwargs, sharding, ordered=ordered)


def _bind(
    primitive: Primitive, callback: Fun, result: Any, args: Any, kwargs: Any, sharding: Any, **params: Any
) -> Any:
    leaves, in_tree = tree_flatten((args, kwargs))
    avals, out_tree = tree_flatten(tree_map(_result_aval, result))
    flat = _FlatCallback(callback, in_tree)
    out = primitive.bind(*leaves, callback=flat, result_avals=tuple(avals), sharding=sharding, **params)
    return tree_unflatten(out_tree, out)


def _result_aval(described: Any) -> ShapedArray:
    dtype = np.dtype(described.dtype)
    if dtypes.canonicalize_dtype(dtype) != dtype:
        raise ValueError("result_shape_dtypes cannot specify 64-bit types when `jax_enable_x64` is disabled")
    return shaped(tuple(described.shape), dtype)
