"""jnp.vectorize, and other functions of jax.numpy that apply a function to many elements: all are vmap.

This module gives their meaning to the seams of earlier layers where one element was taken after the other.
"""

import functools
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from ..layer1_core.jit import jit
from ..layer1_core.jnp import creation
from ..layer1_core.jnp.arguments import array_argument
from ..layer1_core.jnp.array_creation import arange, asarray
from ..layer1_core.jnp.core_dims import Names, check_ranks, take_sizes, without_unit_batch
from ..layer1_core.jnp.shaping import expand_dims
from ..layer1_core.jnp.ufunc_class import ufunc
from ..layer1_core.lax.shaping import broadcast_shapes, canonicalize_axis
from ..layer3_control import fori
from ..layer4_grad import jacobians
from .batching import dims_of
from .vmap import vmap

# ---- signatures: (m,n),(n)->(m)

_ARGUMENT = r"\((?:\w+(?:,\w+)*)?\)"
_SIGNATURE = re.compile(f"{_ARGUMENT}(?:,{_ARGUMENT})*->{_ARGUMENT}(?:,{_ARGUMENT})*")


def parsed_signature(signature: str) -> tuple[list[Names], list[Names]]:
    """The names of the core axes of the operands, and of the results.

    >>> parsed_signature("(m,n),(n)->(m)")
    ([('m', 'n'), ('n',)], [('m',)])

    Raises ValueError for what is no signature.
    """
    if not _SIGNATURE.fullmatch(signature):
        raise ValueError(f"not a valid gufunc signature: {signature}")
    inputs, outputs = (
        [tuple(re.findall(r"\w+", each)) for each in re.findall(_ARGUMENT, side)] for side in signature.split("->")
    )
    return inputs, outputs


# ---- vectorize


def vectorize(
    pyfunc: Callable[..., Any], *, excluded: Collection[int | str] = frozenset(), signature: str | None = None
) -> Callable[..., Any]:
    """`pyfunc`, of scalars, applied along all axes of arrays, which are broadcast together as NumPy does it.

    >>> vectorize(lambda m, v: m @ v, signature="(i,j),(j)->(i)")(np.ones((5, 2, 3)), np.ones(3)).shape
    (5, 2)

    With a signature its operands have the axes that this names, and the function is applied along the others. Arguments
    whose position or name is in `excluded` are given to it as they are.
    """
    if any(not isinstance(e, (str, int)) for e in excluded):
        raise TypeError(f"jax.numpy.vectorize can only exclude integer or string arguments, but excluded={excluded!r}")
    if any(isinstance(e, int) and e < 0 for e in excluded):
        raise ValueError(f"excluded={excluded!r} contains negative numbers")
    context = f"on vectorized function with excluded={excluded!r} and signature={signature!r}"

    @functools.wraps(pyfunc)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        fun, given = _with_excluded(pyfunc, excluded, args, kwargs)
        inputs, outputs = parsed_signature(signature) if signature is not None else ([()] * len(given), None)
        absent = {i for i, x in enumerate(given) if x is None}
        if any(inputs[i] for i in absent):
            raise ValueError(f"Cannot pass None at locations {absent} with {signature=}")
        fun, given = _with_excluded(fun, absent, given, {})
        inputs = [names for i, names in enumerate(inputs) if i not in absent]
        return _vectorized(fun, [*map(asarray, given)], inputs, outputs, context, signature)

    return wrapped


def _with_excluded(
    fun: Callable[..., Any], excluded: Collection[int | str], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], Sequence[Any]]:
    """`fun` with the excluded arguments filled in, and the others by position. Those by name are dropped, as in JAX."""
    if not excluded:
        return fun, args
    fixed = {i: x for i, x in enumerate(args) if i in excluded}
    fixed_kw = {name: x for name, x in kwargs.items() if name in excluded}

    def call(*rest: Any) -> Any:
        each = iter(rest)
        full = [fixed[i] if i in fixed else next(each) for i in range(len(rest) + len(fixed))]
        return fun(*full, **fixed_kw)

    return call, [x for i, x in enumerate(args) if i not in fixed]


def _vectorized(
    fun: Callable[..., Any],
    args: Sequence[Any],
    inputs: Sequence[Names],
    outputs: Sequence[Names] | None,
    context: str,
    signature: str | None,
) -> Any:
    """One vmap for each axis of the batch, from the last to the first.

    An axis of size 1 is taken away before, and comes back where no operand has more.
    """
    if len(args) != len(inputs):
        raise TypeError(f"wrong number of positional arguments: expected {len(inputs)}, got {len(args)} {context}")
    sizes: dict[str, int] = {}
    for x, names in zip(args, inputs, strict=True):
        take_sizes(x.shape, names, sizes, context)
    batches = [x.shape[: x.ndim - len(names)] for x, names in zip(args, inputs, strict=True)]
    rank = len(broadcast_shapes(*batches))
    check_ranks([x.shape for x in args], batches, signature)
    squeezed = [without_unit_batch(x, batch, rank) for x, batch in zip(args, batches, strict=True)]
    fun = fun if outputs is None else _checked(fun, sizes, outputs, context)
    missing = []
    for axis in reversed(range(rank)):
        in_axes = tuple(dims_of(axis in kept for _, kept in squeezed))
        if any(d is not None for d in in_axes):
            fun = vmap(fun, in_axes)
        else:
            missing.append(axis)
    out = fun(*(x for x, _ in squeezed))
    if not missing:
        return out
    return tuple(expand_dims(x, missing) for x in out) if isinstance(out, tuple) else expand_dims(out, missing)


def _checked(
    fun: Callable[..., Any], sizes: dict[str, int], outputs: Sequence[Names], context: str
) -> Callable[..., Any]:
    """`fun`, whose results must have the core axes that were said."""

    def call(*args: Any) -> Any:
        out = fun(*args)
        shapes = [np.shape(x) for x in (out if isinstance(out, tuple) else [out])]
        if len(outputs) > 1 and not isinstance(out, tuple):
            raise TypeError(f"output must be a tuple when multiple outputs are expected, got: {out!r}\n{context}")
        if len(shapes) != len(outputs):
            raise TypeError(f"wrong number of output arguments: expected {len(outputs)}, got {len(shapes)} {context}")
        known = dict(sizes)
        for shape, names in zip(shapes, outputs, strict=True):
            if len(shape) != len(names):
                raise ValueError(f"output shape {shape} does not match core dimensions {names} {context}")
            take_sizes(shape, names, known, context)
        return out

    return call


# ---- others of jax.numpy


def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> ufunc:
    """`func`, of `nin` scalars to `nout`, as a function of arrays with NumPy's methods: reduce, outer, at, ..."""

    @jit
    def _call_vectorized(*args: Any) -> Any:
        return vectorize(func)(*args)

    return ufunc(func, nin, nout, identity=identity, call=_call_vectorized)


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`func1d` of each vector along `axis`, [N]; the axes of its result stand where `axis` was."""
    arr = array_argument("apply_along_axis", arr)
    axis = canonicalize_axis(axis, arr.ndim)
    fun = lambda v: func1d(v, *args, **kwargs)
    for i in range(1, arr.ndim - axis):
        fun = vmap(fun, in_axes=i, out_axes=-1)
    for _ in range(axis):
        fun = vmap(fun)
    return fun(arr)


# ---- seams


def _at_every_index(function: Callable[..., Any], sizes: tuple[int, ...], dtype: Any) -> Any:
    """The results of `function` at every index of an array: what `jnp.fromfunction` asks for."""
    n = len(sizes)
    for i in range(n):
        function = vmap(function, in_axes=tuple(0 if j == n - 1 - i else None for j in range(n)))
    return function(*(arange(size, dtype=dtype) for size in sizes))


def _at_once(fun: Callable[[Any], Any], xs: Any, out_axes: Sequence[int | None]) -> Any:
    """`fun` of all vectors: what Jacobians ask for."""
    return vmap(fun, out_axes=tuple(out_axes))(xs)


creation.mappers.append(_at_every_index)
fori.vectorizers.append(vmap)
jacobians.vectorizers.append(_at_once)
