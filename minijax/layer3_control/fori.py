"""Loops in terms of others: fori_loop counts, and map takes one element after the other, without a carry."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.aval import type_of_number, typeof
from ..layer1_core.jnp.promotion import const
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.lax.elementwise import add, lt
from ..layer1_core.lax.joining import concatenate
from ..layer1_core.trace import Tracer
from ..layer1_core.tree import tree_leaves, tree_map
from .bodies import Source
from .scan import scan, scan_of
from .while_loop import while_loop_of

# ---- fori_loop


def fori_loop(
    lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any, *, unroll: int | bool | None = None
) -> Any:
    """The carry after `for i in range(lower, upper): carry = body_fun(i, carry)`.

    >>> fori_loop(0, 5, lambda i, total: total + i, 0)
    Array(10, dtype=int32, weak_type=True)

    Bounds that are known make a scan, whose index is an int32; traced ones make a while_loop, whose index has their
    dtype. Only a scan can be unrolled. Raises TypeError for bounds of two dtypes.
    """
    if not callable(body_fun):
        raise TypeError("lax.fori_loop: body_fun argument should be callable.")
    dtype = _index_dtype(lower, upper)
    source = Source.of(body_fun, "fori_loop", (0, init_val))
    first, end = _known(lower), _known(upper)
    if first is not None and end is not None:
        return _as_scan(source, first, max(end - first, 0), init_val, unroll or False)
    if unroll not in (None, False, 1):
        raise ValueError("Can only use `unroll` in `fori_loop` if the loop bounds are statically known.")
    return _as_while(source, _of_dtype(lower, dtype), _of_dtype(upper, dtype), init_val)


def _as_scan(source: Source, lower: int, length: int, init: Any, unroll: int | bool) -> Any:
    if config.disable_jit.value and length == 0:
        return init

    def body(loop_carry: Any, _: None) -> Any:
        i, x = loop_carry
        return (i + 1, source.fun(i, x)), None

    (_, out), _ = scan_of(replace(source, fun=body), (lower, init), None, length, False, unroll)
    return out


def _as_while(source: Source, lower: Any, upper: Any, init: Any) -> Any:
    def body(loop_carry: Any) -> Any:
        i, upper, x = loop_carry
        return add(i, const(i, 1)), upper, source.fun(i, x)

    inner = replace(source, fun=body, inputs=lambda names: (names[0], "", *names[1:]))
    return while_loop_of(Source.of(_below, "while_cond", ((lower, upper, init),)), inner, (lower, upper, init))[2]


def _below(loop_carry: Any) -> Any:
    i, upper, _ = loop_carry
    return lt(i, upper)


def _known(bound: Any) -> int | None:
    """The value of a bound; None where it is traced, or is no number."""
    try:
        return None if isinstance(bound, Tracer) else int(bound)
    except TypeError:
        return None


def _index_dtype(lower: Any, upper: Any) -> np.dtype:
    """The common dtype of the bounds: a Python int takes the dtype of the other bound."""
    a, b = type_of_number(lower), type_of_number(upper)
    if a.dtype == b.dtype:
        return a.dtype
    if a.weak_type == b.weak_type or not a.dtype.kind == b.dtype.kind == "i":
        raise TypeError(
            f"lower and upper arguments to fori_loop must have equal types, got {a.dtype.name} and {b.dtype.name}"
        )
    return b.dtype if a.weak_type else a.dtype


def _of_dtype(bound: Any, dtype: np.dtype) -> Any:
    return bound if typeof(bound).dtype == dtype else convert_element_type(bound, dtype)


# ---- map


# How a function is applied to many elements at once: chapter 5 enters vmap.
vectorizers: list[Callable[[Callable[[Any], Any]], Callable[[Any], Any]]] = []


def map(f: Callable[[Any], Any], xs: Any, *, batch_size: int | None = None) -> Any:
    """The stacked results of `f` on each element along the leading axis of `xs`, one after the other.

    >>> print(map(lambda x: x * x, np.arange(4)))
    [0 1 4 9]

    With `batch_size` so many elements are taken at once, in each step of the loop.
    """
    if batch_size is None:
        return scan(lambda _, x: ((), f(x)), (), xs)[1]
    if not vectorizers:
        raise NotImplementedError("batch_size asks for jax.vmap, which chapter 5 brings")
    return _in_batches(vectorizers[-1](f), xs, batch_size)


def _in_batches(f: Callable[[Any], Any], xs: Any, size: int) -> Any:
    """`f`, which takes many elements, on batches of this size, and on the elements that are left over."""
    leaves = tree_leaves(xs)
    if not leaves:
        return f(xs)
    count = leaves[0].shape[0] // size if size else 0
    if not count:
        return f(xs)
    whole = count * size == leaves[0].shape[0]
    full = xs if whole else tree_map(lambda x: x[: count * size], xs)
    batches = tree_map(lambda x: x.reshape(count, size, *x.shape[1:]), full)
    rest = None if whole else tree_map(lambda x: x[count * size :], xs)
    stacked = scan(lambda _, x: ((), f(x)), (), batches)[1]
    joined = lambda y: y.reshape(-1, *y.shape[2:])
    if whole:
        return tree_map(joined, stacked)
    return tree_map(lambda y, last: concatenate([joined(y), last], 0), stacked, f(rest))
