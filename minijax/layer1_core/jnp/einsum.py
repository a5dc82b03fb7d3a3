"""einsum: sums of products written with axis names. Step by step, each a dot_general of two operands."""

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import Shape, typeof
from ..lax import dot as lax
from ..lax.converting import convert
from ..lax.elementwise import bitwise_and, eq, select
from ..lax.reducing import reduce_or, reduce_sum
from ..lax.shaping import broadcast_in_dim, broadcasted_iota, full_like, squeeze, transpose
from ..trace import pure
from .einsum_parsing import parse, shape_of, split_arguments
from .einsum_path import Contraction, contractions_of, find_path
from .products import element_type
from .promotion import check_arraylike

Named = tuple[Any, str]  # an operand and a letter for each of its axes


def einsum(
    subscripts: Any,
    /,
    *operands: Any,
    out: None = None,
    optimize: Any = "auto",
    precision: Any = None,
    preferred_element_type: Any = None,
    _dot_general: Callable[..., Any] = lax.dot_general,
    out_sharding: Any = None,
) -> Any:
    """The sum of products that `subscripts` says: axes with one name go together, those not in the result are summed.

    >>> einsum("ij,jk->ik", np.ones((2, 3)), np.ones((3, 4))).shape
    (2, 4)

    The operands may also be followed each by its list of axes: einsum(a, (0, 1), b, (1, 2), (0, 2)).
    Raises ValueError for subscripts that are not well formed or do not fit the operands.
    """
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.einsum is not supported.")
    text, given = split_arguments((subscripts, *operands))
    arrays = [x.__jax_array__() if hasattr(x, "__jax_array__") else x for x in given]
    how = optimize if isinstance(optimize, (str, bool)) else tuple(optimize)
    steps = _steps(text, tuple(map(shape_of, arrays)), how)
    check_arraylike("einsum", *arrays)
    dtype, weak = element_type("einsum", preferred_element_type, *map(typeof, arrays))
    product = functools.partial(
        _dot_general, precision=precision, preferred_element_type=dtype, **_sharded(out_sharding, len(steps))
    )
    for step in steps:
        taken = [arrays.pop(i) for i in step.positions]
        arrays.append(_contract(step, taken, dtype, product))
    return pure(convert(arrays[0], dtype, weak))


@functools.lru_cache(maxsize=1024)
def _steps(text: str, shapes: tuple[Shape, ...], optimize: Any) -> tuple[Contraction, ...]:
    """The contractions for operands of these shapes; remembered, since finding an order can take long."""
    subscripts = parse(text, shapes)
    return tuple(contractions_of(subscripts, find_path(subscripts, optimize)))


def _sharded(out_sharding: Any, steps: int) -> dict[str, Any]:
    if out_sharding is not None and steps > 1:
        raise NotImplementedError("`out_sharding` of einsum needs a single contraction; contract in several calls.")
    return {} if out_sharding is None else {"out_sharding": out_sharding}


# ---- one step


def _contract(step: Contraction, operands: Sequence[Any], dtype: np.dtype, product: Callable[..., Any]) -> Any:
    """The result of one step, its axes in the order that the step says."""
    if len(operands) > 2:
        raise NotImplementedError(
            "jax.numpy.einsum does not support simultaneous contraction of 3 or more operands. "
            "Typically this means you've passed an unsupported path to the einsum optimize parameter."
        )
    named = list(zip(operands, step.inputs, strict=True))
    if len(named) == 1:
        array, names = _reduce_alone(named[0], sorted(step.removed), "", step.output, dtype)
    else:
        array, names = _contract_two(step, named[0], named[1], dtype, product)
    order = [names.index(c) for c in step.output]
    return array if names == step.output else transpose(array, order)


def _contract_two(step: Contraction, left: Named, right: Named, dtype: np.dtype, product: Callable[..., Any]) -> Named:
    """The product of two operands: names in both are batch axes where the result has them, else contracted."""
    left = _without_units(left, right)
    right = _without_units(right, left)
    counts = Counter(left[1]), Counter(right[1])
    removed = sorted(step.removed)
    own = [[c for c in removed if n[c] == 1 and not m[c]] for n, m in (counts, counts[::-1])]
    left, right = _sum_names(left, own[0], dtype), _sum_names(right, own[1], dtype)
    left = _merge_repeated(left, counts[0], step.output + right[1], dtype)
    right = _merge_repeated(right, counts[1], step.output + left[1], dtype)
    batch = [c for c in step.output if c in left[1] and c in right[1]]
    contracted = [c for c in removed if c in left[1] + right[1]]
    first, second = right, left  # this order, where it gives the result's axes without a transpose
    if _product_names(first, second, batch, contracted) != step.output:
        first, second = left, right
    dims = [[[names.index(c) for c in cs] for _, names in (first, second)] for cs in (contracted, batch)]
    return product(first[0], second[0], dims), _product_names(first, second, batch, contracted)


def _product_names(first: Named, second: Named, batch: Sequence[str], contracted: Sequence[str]) -> str:
    """The axes of a dot_general: batch axes, then the rest of the first operand, then the rest of the second."""
    return "".join(batch) + "".join(c for c in first[1] + second[1] if c not in batch and c not in contracted)


def _without_units(operand: Named, other: Named) -> Named:
    """`operand` without axes of size 1 that meet a larger axis of the other operand."""
    (array, names), sizes = operand, dict(zip(other[1], typeof(other[0]).shape, strict=True))
    shape = typeof(array).shape
    gone = [d for d, c in enumerate(names) if shape[d] == 1 and sizes.get(c, 1) != 1]
    return squeeze(array, gone), "".join(c for d, c in enumerate(names) if d not in gone)


def _reduce_alone(operand: Named, removed: Sequence[str], others: str, output: str, dtype: np.dtype) -> Named:
    counts = Counter(operand[1])
    operand = _sum_names(operand, [c for c in removed if counts[c] == 1], dtype)
    return _merge_repeated(operand, counts, output + others, dtype)


def _sum_names(operand: Named, gone: Iterable[str], dtype: np.dtype) -> Named:
    """`operand` summed over the axes of these names."""
    array, names = operand
    axes = [names.index(c) for c in gone]
    return (_sum(array, axes, dtype), "".join(c for c in names if c not in gone)) if axes else operand


def _sum(array: Any, axes: Sequence[int], dtype: np.dtype) -> Any:
    own = typeof(array).dtype
    if dtypes.join((own, False), (dtype, False))[0] != own:
        array, own = convert(array, dtype), dtype
    return reduce_or(array, axes) if own == np.bool_ else reduce_sum(array, axes)


def _merge_repeated(operand: Named, counts: Counter[str], keep: str, dtype: np.dtype) -> Named:
    """The diagonal of `operand` along axes of the same name, summed where nothing else has that name."""
    array, names = operand
    for c, count in counts.items():
        if count == 1 or c not in names:
            continue
        axes = [d for d, name in enumerate(names) if name == c]
        array = select(_on_diagonal(typeof(array).shape, axes), array, full_like(array, 0))
        gone = axes[:-1] if c in keep else axes
        array = _sum(array, gone, dtype)
        names = "".join(name for d, name in enumerate(names) if d not in gone)
    return array, names


def _on_diagonal(shape: Shape, axes: Sequence[int]) -> Any:
    """Whether the indices along all of `axes` are equal, for each place of an array of this shape."""
    sizes = tuple(shape[d] for d in axes)
    iotas = [broadcasted_iota(np.uint32, sizes, i) for i in range(len(axes))]
    equal = [eq(i, j) for i, j in itertools.pairwise(iotas)]
    return broadcast_in_dim(functools.reduce(bitwise_and, equal), shape, axes)
