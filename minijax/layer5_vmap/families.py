"""Families of rules: most primitives share the way they treat a batch axis, and then take one line.

defvectorized(sin_p, neg_p)            one operand: the axis stays where it is
defbroadcasting(add_p, max_p)          operands of one shape, or scalars
defreducer(reduce_sum_p)               the other axes keep their meaning, under other numbers
defleading(cholesky_p)                 operands that may have batch axes in front by themselves
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.aval import partition_of_axis, typeof
from ..layer1_core.lax.shaping import expand_dims
from ..layer1_core.primitive import Primitive
from .batching import Dim, Dims, all_at_front, batching_rules, bdim_at_front

Result = tuple[Any, Any]  # the result and the place of its batch axis; lists of them, for several results


def bumped(axes: Sequence[int], dim: int) -> tuple[int, ...]:
    """The numbers that these axes of one example have in the batch, whose batch axis is at `dim`.

    They are of NumPy's integer type, which JAX prints: np.int64(1).

    >>> [int(d) for d in bumped((0, 1, 2), 1)]
    [0, 2, 3]
    """
    return tuple(np.add(axes, np.greater_equal(axes, dim), dtype=int)) if len(axes) else ()


def of_one(rule: Callable[..., Result]) -> Callable[..., Result]:
    """The rule of a primitive of one operand: `rule` takes it, the place of its batch axis, and parameters."""
    return lambda args, dims, **params: rule(args[0], dims[0], **params)


def defvectorized(*primitives: Primitive) -> None:
    """Primitives of one operand, applied to each element by itself."""
    for primitive in primitives:
        batching_rules[primitive] = of_one(functools.partial(_vectorized, primitive))


def _vectorized(primitive: Primitive, x: Any, dim: int, **params: Any) -> Result:
    return primitive.bind(x, **params), dim


def defbroadcasting(*primitives: Primitive) -> None:
    """Primitives of several operands, of which axes of size 1 and scalars go with all."""
    for primitive in primitives:
        batching_rules[primitive] = functools.partial(_broadcasting, primitive)


def _broadcasting(primitive: Primitive, args: Sequence[Any], dims: Dims, **params: Any) -> Result:
    """Where shapes and places agree, nothing is to do. Otherwise the batch axes go to the front, and an
    operand without one gets an axis of size 1.
    """
    shape, dim = next((np.shape(x), d) for x, d in zip(args, dims, strict=True) if d is not None)
    if all(np.shape(x) == shape and d == dim for x, d in zip(args, dims, strict=True) if np.ndim(x)):
        return primitive.bind(*args, **params), dim
    args = [bdim_at_front(x, d, 1) if np.ndim(x) else x for x, d in zip(args, dims, strict=True)]
    ndim = max(map(np.ndim, args))
    return primitive.bind(*(_with_rank(x, d, ndim) for x, d in zip(args, dims, strict=True)), **params), 0


def _with_rank(x: Any, dim: Dim, ndim: int) -> Any:
    """A batch of scalars, with axes of size 1 behind for the axes that the other operands have."""
    return x if dim is None or np.ndim(x) == ndim else expand_dims(x, range(np.ndim(x), ndim))


def defreducer(*primitives: Primitive) -> None:
    """Reductions along the axes of the parameter `axes`."""
    for primitive in primitives:
        batching_rules[primitive] = of_one(functools.partial(_reducer, primitive))


def _reducer(primitive: Primitive, x: Any, dim: int, *, axes: Sequence[int], **params: Any) -> Result:
    axes = bumped(axes, dim)
    kept = [d for d in range(np.ndim(x)) if d not in axes]
    place = kept.index(dim)
    if params.get("out_sharding") is not None:
        entry = partition_of_axis(typeof(x), dim)
        params = params | dict(out_sharding=params["out_sharding"].with_axis(place, entry))
    return primitive.bind(x, axes=axes, **params), place


def defleading(*primitives: Primitive) -> None:
    """Primitives whose operands may all have more axes in front, of the same sizes."""
    for primitive in primitives:
        batching_rules[primitive] = functools.partial(_leading, primitive)


def _leading(primitive: Primitive, args: Sequence[Any], dims: Dims, **params: Any) -> Result:
    out = primitive.bind(*all_at_front(args, dims), **params)
    return (out, [0] * len(out)) if primitive.multiple_results else (out, 0)
