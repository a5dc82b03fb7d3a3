"""Lowering rules of what puts many elements together in its own way: running sums, and sums of products.

A sum of products has loops of its own where it is small: a library's function for matrices takes longer to call. Large
ones are called: a library knows the machine's caches better.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..layer1_core import lax
from ..layer1_core.jaxpr import JaxprEqn
from .loops import ZERO, Const, For, Let, Load, Name, Op, Statement, Store, Value, counter, flat
from .lowering import DEEPEST, At, Contracted, Scanned, lowering_rules
from .rules import FUNCTIONS, highest, lowest
from .writing import COUNTERS, Writer, forms, nest, places

LARGEST = 20_000  # products in a product of matrices that has loops of its own
AT_ONCE = 8, 4, 2, 1  # of products, added to a row: the first of these that leaves no rest
FEW = 7  # so many, or fewer, make no row
WRITTEN_OUT = 48  # up to so many sums of so many products at most, LLVM writes out all of a single row
SUMS = 4  # of products, side by side
SHORT = 64  # rounds of a loop that LLVM writes out, so that the loop around it becomes vector instructions

# ---- running sums


def scanned(writer: Writer) -> list[Statement]:
    """The loops of a running sum: along the last axis in a variable, along another one row after row."""
    (eqn,) = writer.group.eqns
    shape, axis = eqn.outvars[0].aval.shape, eqn.params["axis"]
    return by_variable(writer, eqn) if axis == len(shape) - 1 else by_neighbour(writer, eqn, shape, axis)


def by_variable(writer: Writer, eqn: JaxprEqn) -> list[Statement]:
    """One sum after the other: it stays in a variable."""
    (v,), (x,), rule = eqn.outvars, eqn.invars, scan_rule(writer, eqn)
    *others, last = range(len(v.aval.shape))
    at = mirrored(places(v.aval.shape), eqn)
    total = Name(writer.fresh(f"{writer.names(v)}_"), v.aval.dtype)
    value = writer.value(x, at)
    writer.body.append(Let(total.name, Op(named(rule, total.dtype), (total, value), total.dtype)))
    writer.body.append(Store(writer.names(v), flat(at, v.aval.shape), total))
    start = Let(total.name, Const(rule.start(total.dtype), total.dtype))
    return nest(v.aval.shape, others, [start, *nest(v.aval.shape, [last], writer.body)])


def by_neighbour(writer: Writer, eqn: JaxprEqn, shape: Sequence[int], axis: int) -> list[Statement]:
    """All sums of a row: each element is put together with its neighbour in the row before."""
    (v,), (x,), rule = eqn.outvars, eqn.invars, scan_rule(writer, eqn)
    name, dtype, at = writer.names(v), v.aval.dtype, places(shape)
    before, after = range(axis), range(axis + 1, len(shape))
    first = mirrored(tuple(ZERO if k == axis else i for k, i in enumerate(at)), eqn)
    writer.body.append(Store(name, flat(first, shape), writer.value(x, first)))
    firsts = nest(shape, after, writer.body)
    writer.begin()
    here = mirrored(tuple(i + 1 if k == axis else i for k, i in enumerate(at)), eqn)
    left = Load(name, flat(mirrored(at, eqn), shape), dtype)
    writer.body.append(Store(name, flat(here, shape), Op(named(rule, dtype), (left, writer.value(x, here)), dtype)))
    further = For(COUNTERS[axis], shape[axis] - 1, nest(shape, after, writer.body))
    return nest(shape, before, [*firsts, further])


def mirrored(at: At, eqn: JaxprEqn) -> At:
    """The place, counted from the end of the axis where the sum runs from there."""
    axis, size = eqn.params["axis"], eqn.outvars[0].aval.shape[eqn.params["axis"]]
    return tuple(i * -1 + (size - 1) if k == axis else i for k, i in enumerate(at)) if eqn.params["reverse"] else at


def scan_rule(writer: Writer, eqn: JaxprEqn) -> Scanned:
    rule = writer.plan.rule_of(eqn)
    assert isinstance(rule, Scanned)
    return rule


def named(rule: Scanned, dtype: np.dtype) -> str:
    """The name of the operation: of a function, that for this dtype."""
    name = f"{rule.operation}_{dtype.name}"
    return name if name in FUNCTIONS else rule.operation


def _has_elements(eqn: JaxprEqn) -> bool:
    """Whether there is a first element, from which a sum can start."""
    return eqn.invars[0].aval.size > 0


forms["scan"] = (scanned,)
lowering_rules[lax.windows.cumsum_p] = Scanned("add", lambda dtype: 0, _has_elements)
lowering_rules[lax.windows.cumprod_p] = Scanned("mul", lambda dtype: 1, _has_elements)
lowering_rules[lax.windows.cummax_p] = Scanned("max", lowest, _has_elements)
lowering_rules[lax.windows.cummin_p] = Scanned("min", highest, _has_elements)
lowering_rules[lax.windows.cumlogsumexp_p] = Scanned("logaddexp", lowest, _has_elements)

# ---- sums of products


def contracted(writer: Writer) -> list[Statement]:
    """The loops of a sum of products: row after row where a row of the result lies along a row of a factor."""
    (eqn,) = writer.group.eqns
    (v,), (lhs, rhs), rule = eqn.outvars, eqn.invars, writer.plan.rule_of(eqn)
    assert isinstance(rule, Contracted)
    shape, sizes = v.aval.shape, rule.sizes(eqn)
    at, over = places(shape), tuple(map(counter, COUNTERS[len(shape) : len(shape) + len(sizes)]))

    def product(over: At) -> Op:
        factors = (writer.value(x, place) for x, place in zip((lhs, rhs), rule.places(eqn, at, over), strict=True))
        return Op("mul", tuple(factors), v.aval.dtype)

    def several(form: Callable[..., list[Statement]], count: int) -> list[Statement]:
        """The loops of a form that takes so many products at once, along the last axis of the sum."""
        *outer, last = over
        rounds = (*shape, *sizes[:-1], sizes[-1] // count)
        return form(writer, rounds, axes, [product((*outer, last * count + k)) for k in range(count)])

    axes = [*range(len(shape), len(shape) + len(sizes))]
    if not sizes:  # axes of batches that come after others: see factors.spread
        return by_sums(writer, shape, axes, [product(over)])
    in_rows = bool(shape) and all(_lies_along(x, len(shape) - 1) for x in product(over).args)
    summed, single = math.prod(sizes), in_rows and shape[-1] == v.aval.size
    if in_rows and min(shape[-1], summed) > FEW and not (single and max(shape[-1], summed) <= WRITTEN_OUT):
        return several(by_rows, next(n for n in AT_ONCE if sizes[-1] % n == 0))
    if single and sizes[-1] > SUMS and sizes[-1] % SUMS == 0:
        return several(by_sums, SUMS)
    return by_sums(writer, (*shape, *sizes), axes, [product(over)])


def _lies_along(factor: Value, axis: int) -> bool:
    """Whether neighbours along an axis of the result are neighbours in a factor, or one element of it."""
    return isinstance(factor, Load) and dict(factor.index.terms).get(COUNTERS[axis], 0) in (0, 1)


def by_rows(writer: Writer, rounds: Sequence[int], axes: Sequence[int], products: Sequence[Op]) -> list[Statement]:
    """A row of the result at a time: each round adds so many products of rows of a factor to it.

    1,000 steps of tanh(W @ c) with 64 x 64 take 0.09 ms so, and 1.4 ms by sums, of which LLVM makes no vectors.
    """
    v = writer.group.results[0]
    *outer, last = range(len(v.aval.shape))
    name, dtype, place = writer.names(v), v.aval.dtype, flat(places(v.aval.shape), v.aval.shape)
    start = Store(name, place, Const(0, dtype))
    total = Name(writer.fresh(f"{name}_"), dtype)
    first, *others = products
    adds: list[Statement] = [Let(total.name, first), *(Let(total.name, Op("sum", (total, x), dtype)) for x in others)]
    adds.append(Store(name, place, Op("sum", (Load(name, place, dtype), total), dtype)))
    return nest(rounds, outer, [*nest(rounds, [last], [start]), *nest(rounds, [*axes, last], adds)])


def by_sums(writer: Writer, rounds: Sequence[int], axes: Sequence[int], products: Sequence[Op]) -> list[Statement]:
    """An element of the result at a time: each round adds one product to each of so many sums.

    An addition waits for the one before it in the same sum, while the machine could do several at a time. Between rows
    it does, but a single row has to be given more sums than one. 5,000 steps of tanh(W @ c) with 32 x 32 take 0.6 ms
    with one, and 0.45 with four.
    """
    v = writer.group.results[0]
    letter, dtype, rank = writer.names(v), v.aval.dtype, len(v.aval.shape)
    sums = [Name(writer.fresh(f"{letter}_{k or ''}"), dtype) for k in range(len(products))]
    starts = [Let(each.name, Const(0, dtype)) for each in sums]
    adds: list[Statement] = [
        Let(each.name, Op("sum", (each, x), dtype)) for each, x in zip(sums, products, strict=True)
    ]
    total, *others = sums
    ends = [Let(total.name, Op("sum", (total, each), dtype)) for each in others]
    store = Store(letter, flat(places(v.aval.shape), v.aval.shape), total)
    return nest(rounds, range(rank), [*starts, *nest(rounds, axes, adds), *ends, store])


forms["contract"] = (contracted,)


def small(rows: int, columns: int, summed: int) -> bool:
    """Whether a product of matrices is better in loops of its own: 16 x 16 x 16 take 0.6 of a library's time,
    and 32 x 32 x 32 take 1.5.
    """
    return rows * columns * summed <= LARGEST and (summed <= SHORT or columns == 1 or columns > SHORT)


def _of_one_dtype(eqn: JaxprEqn) -> bool:
    dtypes = {v.aval.dtype for v in (*eqn.invars, *eqn.outvars)}
    return len(dtypes) == 1 and np.dtype("bool") not in dtypes


# dot_general: B are the axes of batches, M and N those of one operand, K those that are summed over


def dot_axes(eqn: JaxprEqn) -> tuple[list[Sequence[int]], list[Sequence[int]]]:
    """The axes of the left operand, and of the right one, that are B, K, and M (or N)."""
    summed, batch = eqn.params["dimension_numbers"]
    found = []
    for v, k, b in zip(eqn.invars, summed, batch, strict=True):
        found.append([b, k, [d for d in range(len(v.aval.shape)) if d not in (*b, *k)]])
    return found[0], found[1]


def dot_sizes(eqn: JaxprEqn) -> tuple[int, ...]:
    return tuple(eqn.invars[0].aval.shape[d] for d in dot_axes(eqn)[0][1])


def dot_places(eqn: JaxprEqn, at: At, over: At) -> tuple[At, At]:
    left, right = dot_axes(eqn)
    first, last = len(left[0]), len(left[0]) + len(left[2])  # the result has its axes in the order B, M, N
    batch, rows, columns = at[:first], at[first:last], at[last:]
    return _placed(left, (batch, over, rows)), _placed(right, (batch, over, columns))


def _placed(axes: Sequence[Sequence[int]], places: Sequence[At]) -> At:
    """The place along each axis, from the axes of each kind and the places along them."""
    found = {d: i for kind, each in zip(axes, places, strict=True) for d, i in zip(kind, each, strict=True)}
    return tuple(found[d] for d in range(len(found)))


def _is_small(eqn: JaxprEqn) -> bool:
    (_, summed, rows), (_, _, columns) = dot_axes(eqn)
    lhs, rhs = (v.aval.shape for v in eqn.invars)
    deep = len(eqn.outvars[0].aval.shape) + len(summed) > DEEPEST
    own = eqn.outvars[0].aval.dtype.kind in "iu"  # no library multiplies matrices of whole numbers
    return not deep and _of_one_dtype(eqn) and (own or small(_size(lhs, rows), _size(rhs, columns), _size(lhs, summed)))


def _size(shape: Sequence[int], axes: Sequence[int]) -> int:
    return math.prod(shape[d] for d in axes)


lowering_rules[lax.dot.dot_general_p] = dot_product = Contracted(dot_sizes, dot_places, _is_small)

# convolution: C are the features summed over, K the axes of the window; the image is padded already (factors.py)


def conv_sizes(eqn: JaxprEqn) -> tuple[int, ...]:
    _, features, *window = eqn.params["dimension_numbers"].rhs_spec
    return tuple(eqn.invars[1].aval.shape[d] for d in (features, *window))


def conv_places(eqn: JaxprEqn, at: At, over: At) -> tuple[At, At]:
    image, kernel, out = eqn.params["dimension_numbers"]
    batch, feature, *spatial = (at[d] for d in out)
    strides, dilation = eqn.params["window_strides"], eqn.params["rhs_dilation"]
    under = [i * s + k * d for i, k, s, d in zip(spatial, over[1:], strides, dilation, strict=True)]
    return _placed([image], [(batch, over[0], *under)]), _placed([kernel], [(feature, *over)])


def _is_plain(eqn: JaxprEqn) -> bool:
    """Whether the image is padded already, and there is one group. Many features are a matter for a library."""
    params = eqn.params
    grouped = params["feature_group_count"] > 1 or params["batch_group_count"] > 1
    padded = any(pad != (0, 0) for pad in params["padding"]) or any(d != 1 for d in params["lhs_dilation"])
    return not grouped and not padded and _of_one_dtype(eqn) and math.prod(conv_sizes(eqn)) <= SHORT


lowering_rules[lax.conv.conv_general_dilated_p] = few_features = Contracted(conv_sizes, conv_places, _is_plain)
