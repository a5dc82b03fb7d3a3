"""`jnp.ufunc`: elementwise functions with NumPy's methods reduce, accumulate, at, reduceat and outer.

    add = ufunc(add, nin=2, nout=1, identity=0)
    add.reduce(x), add.outer(x, y)

And the two families that nearly all elementwise functions of jax.numpy belong to, `unary` and `binary`.
"""

import copy
import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..aval import typeof
from ..jit import jit
from ..lax.converting import convert
from ..lax.joining import stack, unstack
from ..lax.shaping import canonicalize_axis, expand_dims, full, reshape
from ..placement import with_names
from ..trace import pure
from .promotion import broadcast_to_shape, check_argument, check_arraylike, of_types, promote_args
from .selecting import _where

# ---- families


def unary(
    name: str, function: Callable[[Any], Any], doc: str, promote: Callable[..., Any] = promote_args, arg: str = "x"
) -> Callable[[Any], Any]:
    """The jnp function `name` of one array: `function` of the promoted argument."""

    def apply(x: Any, /) -> Any:
        if not hasattr(x, "aval"):
            check_argument(apply, x, arg)
        out = function(*promote(name, x))
        if out is x:
            return copy.copy(x) if hasattr(x, "aval") else pure(x)  # a result is a new array object, as jit's are
        return out if hasattr(out, "aval") else pure(out)

    return named(apply, name, doc)


def binary(
    name: str,
    function: Callable[[Any, Any], Any],
    doc: str,
    promote: Callable[..., Any] = promote_args,
    args: tuple[str, str] = ("x", "y"),
) -> Callable[[Any, Any], Any]:
    """The jnp function `name` of two arrays: `function` of the promoted arguments."""

    def apply(x: Any, y: Any, /) -> Any:
        if not hasattr(x, "aval"):
            check_argument(apply, x, args[0])
        if not hasattr(y, "aval"):
            check_argument(apply, y, args[1])
        try:
            out = function(*promote(name, x, y))
        except ValueError as error:
            raise with_names(error, name, args)  # noqa: B904 (the same error, at most in other words)
        except TypeError as error:
            raise of_types(error, lambda x, y: function(*promote(name, x, y)), x, y) from None
        return out if hasattr(out, "aval") else pure(out)

    return named(apply, name, doc)


def named(function: Any, name: str, doc: str | None) -> Any:
    """`function`, called `name` in messages and jaxprs."""
    function.__name__ = function.__qualname__ = name
    function.__doc__, function.__module__ = doc, "jax.numpy"
    return function


def alias(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Another name for `function`: it does the same, and calls itself `name`."""

    def apply(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    apply.__wrapped__ = function  # type: ignore[attr-defined]  # its signature
    return named(apply, name, function.__doc__)


# ---- the class


class ufunc:
    """An elementwise function of `nin` arrays that gives `nout`. `identity` is what a reduction starts from.

    `reduce`, `accumulate`, `at` and `reduceat` are the fast ways of some functions; the others go element by element.
    """

    def __init__(
        self,
        func: Callable[..., Any],
        /,
        nin: int,
        nout: int,
        *,
        name: str | None = None,
        nargs: int | None = None,
        identity: Any = None,
        call: Callable[..., Any] | None = None,
        reduce: Callable[..., Any] | None = None,
        accumulate: Callable[..., Any] | None = None,
        at: Callable[..., Any] | None = None,
        reduceat: Callable[..., Any] | None = None,
    ):
        self.__name__, self.__doc__ = name or func.__name__, func.__doc__
        self._func, self._call = func, call or func
        self.nin, self.nout = operator.index(nin), operator.index(nout)
        self.nargs, self.identity = operator.index(nargs or nin), identity
        self._reduce, self._accumulate = reduce or self._reduce_slices, accumulate or self._accumulate_slices
        self._at, self._reduceat = at or self._update_in_turn, reduceat or self._reduce_segments

    def _key(self) -> tuple[Any, ...]:
        return self._func, self.__name__, self.identity, self.nin, self.nout, self.nargs

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, ufunc) and self._key() == other._key())

    def __repr__(self) -> str:
        return f"<jnp.ufunc '{self.__name__}'>"

    def __call__(self, *args: Any, out: None = None, where: None = None) -> Any:
        if out is not None:
            raise NotImplementedError(f"out argument of {self}")
        if where is not None:
            raise NotImplementedError(f"where argument of {self}")
        return self._call(*args)

    def _check(self, method: str, out: Any = None) -> None:
        """Raises unless this is a function of two arrays to one."""
        if self.nin != 2:
            raise ValueError(f"{method} only supported for binary ufuncs")
        if self.nout != 1:
            raise ValueError(f"{method} only supported for functions returning a single value")
        if out is not None:
            raise NotImplementedError(f"out argument of {self.__name__}.{method}()")

    # reduce

    @functools.partial(jit, static_argnames=("self", "axis", "dtype", "out", "keepdims"))
    def reduce(
        self, a: Any, axis: int | None = 0, dtype: Any = None, out: None = None, keepdims: bool = False,
        initial: Any = None, where: Any = None,
    ) -> Any:  # fmt: skip
        """The function folded along `axis` (all axes for None): add.reduce is a sum."""
        check_arraylike(f"{self.__name__}.reduce", a)
        self._check("reduce", out)
        if where is not None:
            self._check_where(where, initial)
        return self._reduce(a, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)

    def _check_where(self, where: Any, initial: Any) -> None:
        check_arraylike(f"{self.__name__}.reduce", where)
        if self.identity is None and initial is None:
            raise ValueError(
                f"reduction operation {self.__name__!r} does not have an identity, so to use a where mask one has to "
                "specify 'initial'."
            )
        if typeof(where).dtype != np.bool_:
            raise ValueError(f"where argument must have dtype=bool; got dtype={typeof(where).dtype}")

    def _reduce_slices(self, a: Any, *, axis: Any, dtype: Any, keepdims: bool, initial: Any, where: Any) -> Any:
        a = pure(a)
        if isinstance(axis, tuple):
            raise NotImplementedError("tuple of axes")
        where = None if where is None else broadcast_to_shape(where, a.shape)
        kept = _kept_shape(a.shape, axis)
        if axis is None:
            a, axis = reshape(a, (a.size,)), 0
            where = None if where is None else reshape(where, (a.size,))
        axis = canonicalize_axis(axis, a.ndim)
        dtype = self._result_dtype(a) if dtype is None else dtype
        start = self.identity if initial is None else initial
        if not a.shape[axis] and start is None:
            raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
        result = self._fold(a, axis, dtype, start, where)
        return reshape(result, kept) if keepdims else result

    def _fold(self, a: Any, axis: int, dtype: Any, start: Any, where: Any) -> Any:
        slices = [convert(x, dtype) for x in unstack(a, axis)]
        masks = [None] * len(slices) if where is None else unstack(where, axis)
        rest = (*a.shape[:axis], *a.shape[axis + 1 :])
        result = slices[0] if start is None else broadcast_to_shape(pure(convert(start, np.dtype(dtype))), rest)
        first = 1 if start is None else 0
        for x, mask in zip(slices[first:], masks[first:], strict=True):
            new = self(result, x)
            result = new if mask is None else _where(mask, new, result)
        return result

    def _result_dtype(self, a: Any) -> Any:
        one = full((), 1, a.dtype)
        return typeof(self._func(one, one)).dtype

    # accumulate

    @functools.partial(jit, static_argnames=("self", "axis", "dtype"))
    def accumulate(self, a: Any, axis: int = 0, dtype: Any = None, out: None = None) -> Any:
        """The function folded along `axis`, all steps kept: add.accumulate is a cumulative sum."""
        self._check("accumulate", out)
        return self._accumulate(a, axis=axis, dtype=dtype)

    def _accumulate_slices(self, a: Any, *, axis: Any, dtype: Any) -> Any:
        check_arraylike(f"{self.__name__}.accumulate", a)
        a = pure(a)
        if axis is None or isinstance(axis, tuple):
            raise ValueError("accumulate does not allow multiple axes")
        axis = canonicalize_axis(axis, a.ndim)
        dtype = self._result_dtype(a) if dtype is None else dtype
        if not a.size:
            return full(a.shape, 0, dtype)
        return stack(list(itertools.accumulate([convert(x, dtype) for x in unstack(a, axis)], self)), axis)

    # at, reduceat, outer

    @functools.partial(jit, static_argnums=(0,), static_argnames=("inplace",))
    def at(self, a: Any, indices: Any, b: Any = None, /, *, inplace: bool = True) -> Any:
        """`a` with the function applied to (a[indices], b) there, once for each time that an index occurs."""
        if inplace:
            raise NotImplementedError(_AT_INPLACE)
        return self._at(a, indices) if b is None else self._at(a, indices, b)

    def _update_in_turn(self, a: Any, indices: Any, *args: Any) -> Any:
        check_arraylike(f"{self.__name__}.at", a, *args)
        a = pure(a)
        places = indices if isinstance(indices, tuple) else (indices,)
        shape = np.broadcast_shapes(*(typeof(i).shape for i in places if not isinstance(i, slice)))
        if not shape:
            return a.at[places].set(self(a.at[places].get(), *args))
        places = [i if isinstance(i, slice) else broadcast_to_shape(pure(i), shape) for i in places]
        values = [broadcast_to_shape(pure(x), (*shape, *typeof(x).shape[len(shape) :])) for x in args]
        for n in np.ndindex(*shape):
            old = a.at[tuple(i if isinstance(i, slice) else i[n] for i in places)]
            a = old.set(self(old.get(), *(x[n] for x in values)))
        return a

    @functools.partial(jit, static_argnames=("self", "axis", "dtype"))
    def reduceat(self, a: Any, indices: Any, axis: int = 0, dtype: Any = None, out: None = None) -> Any:
        """The function folded along each stretch of `axis` from one index to the next."""
        self._check("reduceat", out)
        return self._reduceat(a, indices, axis=axis, dtype=dtype)

    def _reduce_segments(self, a: Any, indices: Any, *, axis: Any, dtype: Any) -> Any:
        check_arraylike(f"{self.__name__}.reduceat", a, indices)
        a, indices = pure(a), pure(indices)
        if not a.ndim:
            raise ValueError(f"reduceat: a must have 1 or more dimension, got a.shape={a.shape!r}")
        if indices.ndim != 1:
            raise ValueError(f"reduceat: indices must be one-dimensional, got indices.shape={indices.shape!r}")
        if axis is None or isinstance(axis, (tuple, list)):
            raise ValueError("reduceat requires a single integer axis.")
        axis = canonicalize_axis(axis, a.ndim)
        others = [d for d in range(a.ndim) if d != axis]
        starts = expand_dims(indices, others)
        ends = expand_dims(stack([*unstack(indices)[1:], convert(a.shape[axis], indices.dtype)]), others)
        out = a[(slice(None),) * axis + (indices,)]
        for i, x in enumerate(unstack(a, axis)):
            out = _where((i > starts) & (i < ends), self(out, expand_dims(x, (axis,))), out)
        return out

    @functools.partial(jit, static_argnums=(0,))
    def outer(self, A: Any, B: Any, /) -> Any:
        """The function of every element of A with every element of B. The shape is A's followed by B's."""
        self._check("outer")
        check_arraylike(f"{self.__name__}.outer", A, B)
        a, b = typeof(A), typeof(B)
        return self(reshape(A, (*a.shape, *(1,) * b.ndim)), reshape(B, ((1,) * a.ndim) + b.shape))


_AT_INPLACE = (
    "Because JAX arrays are immutable, jnp.ufunc.at() cannot operate inplace like\n"
    "np.ufunc.at(). Instead, you can pass inplace=False and capture the result; e.g.\n"
    ">>> arr = jnp.add.at(arr, ind, val, inplace=False)\n"
)


def _kept_shape(shape: tuple[int, ...], axis: int | None) -> tuple[int, ...]:
    """`shape` with 1 in place of the reduced axis."""
    if axis is None:
        return (1,) * len(shape)
    axis = canonicalize_axis(axis, len(shape))
    return (*shape[:axis], 1, *shape[axis + 1 :])
