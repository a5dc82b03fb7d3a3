"""Forms of loops for large arrays: in tiles and strips, where memory is read in another order than it is written.

Memory comes in lines of 64 bytes. Along the last axis of the results, an operand that lies in another order is read in
big steps, a line for each element. In a tile, or a strip, what one round has fetched the next rounds find in the cache.
"""

import math
from collections.abc import Iterator, Sequence

from ..layer1_core.jaxpr import Var
from .loops import Const, For, Index, Let, Load, Name, Op, Statement, Store, Value, counter, flat, loads
from .squares import in_squares, turned_axis
from .writing import (
    COUNTERS,
    ZERO,
    OtherForm,
    Writer,
    flat_map,
    flat_total,
    forms,
    kept_on_the_way,
    nest,
    nested_map,
    places,
    reduction,
    reductions,
    results,
)  # fmt: skip

# ---- maps


def tiled_map(writer: Writer) -> list[Statement]:
    """The loops of `nested_map` in tiles, or in strips where tiles would leave a rest."""
    shape = writer.group.key[1]
    results(writer, places(shape))
    axis = next((k for x in loads(writer.body) if (k := across(x, len(shape) - 1)) is not None), None)
    if axis is None or shape[-1] < 32 or math.prod(shape) < 1 << 14:  # a small one the cache holds as it is
        raise OtherForm
    turned = turned_axis(writer)
    if turned is not None:
        return in_squares(writer, turned)
    return in_tiles(writer, axis) if all(tile(shape, axis)) else in_strips(writer)


def across(load: Load, last: int) -> int | None:
    """The axis along which an operand has its neighbours, where that is another one than the last."""
    steps = dict(load.index.terms)
    near = [name for name, step in steps.items() if abs(step) == 1]
    is_found = near and near[0] in COUNTERS and abs(steps.get(COUNTERS[last], 0)) > 1
    return COUNTERS.index(near[0]) if is_found else None


def tile(shape: Sequence[int], axis: int) -> tuple[int, int]:
    """The sizes of a tile along the last axis and along another one; 0 where none leaves no rest."""
    width = next((n for n in (8, 10, 5) if shape[-1] % n == 0), 0)
    return width, next((n for n in (16, 20, 10, 8) if shape[axis] % n == 0), 0)


def in_tiles(writer: Writer, axis: int) -> list[Statement]:
    """The loops in tiles: where an operand has its neighbours along another axis than the results.

    What is read for a tile is a line of the cache for each row, and what is written too. 2000 x 2000 floats take 1.2 ms
    in tiles of 8 x 16, and 2.1 ms in strips; 512 x 512, which the cache holds, 0.08 and 0.15 ms.
    """
    shape = writer.group.key[1]
    width, height = tile(shape, axis)
    writer.begin()
    at = [*places(shape)]
    at[-1] += counter("strip") * width
    at[axis] += counter("tile") * height
    results(writer, tuple(at))
    body: list[Statement] = [For(COUNTERS[len(shape) - 1], width, [For(COUNTERS[axis], height, writer.body)])]
    for k in reversed(range(len(shape) - 1)):
        body = [For("tile", shape[k] // height, body) if k == axis else For(COUNTERS[k], shape[k], body)]
    return [For("strip", shape[-1] // width, body)]


def in_strips(writer: Writer) -> list[Statement]:
    """The loops in strips of the last axis."""
    shape = writer.group.key[1]
    size, width = shape[-1], strip_width(shape)
    whole, rest = divmod(size, width)
    loops: list[Statement] = [For("strip", whole, strip(writer, (*shape[:-1], width), counter("strip") * width))]
    return loops + strip(writer, (*shape[:-1], rest), ZERO + (size - rest)) if rest else loops


def strip_width(shape: Sequence[int]) -> int:
    """How wide a strip is: the first of these that leaves no rest.

    2000 x 2000 floats take 4.3 ms in strips of 32 (LLVM reads them one by one) and 1.6 ms in strips of 80 (it gathers);
    512 x 512, which the cache holds, 0.08 and 0.18 ms.
    """
    widths = (32, 24, 16, 40, 48) if math.prod(shape) <= 1 << 19 else (96, 80, 64, 100, 128)
    return next((w for w in widths if shape[-1] % w == 0), min(widths[0], shape[-1]))


def strip(writer: Writer, shape: Sequence[int], start: Index) -> list[Statement]:
    """Loops over a part of the results that begins at `start` along the last axis."""
    writer.begin()
    *outer, last = places(shape)
    results(writer, (*outer, last + start))
    return nest(shape, range(len(shape)), writer.body)


# ---- reductions


def by_rows(writer: Writer) -> list[Statement]:
    """The loops where the last axis stays: row after row, as they lie in memory, is put together into the result.

    Where axes stay in front of those that are put together, they are the outer loops, and each round has its own rows.
    Else there are strips of columns, where there is much to do: so parts can be done at the same time. There several
    rows are read for each look at the result: the largest of each column of 2000 x 2000 floats takes half of the time.
    """
    _, shape, axes = writer.group.key
    stay = [k for k in range(len(shape)) if k not in axes]
    if not axes or len(shape) - 1 in axes or (0 not in axes and shape[-1] < SHORT):
        raise OtherForm
    outer, rows = [*range(min(axes))], rows_at_once(writer, shape)
    strips = 1 if outer else number_of_strips(shape)
    rounds = [n // rows if k == axes[-1] else n for k, n in enumerate(shape)]
    rounds[-1] //= strips
    at = [*places(shape)]
    at[-1] += counter("strip") * rounds[-1] if strips > 1 else 0
    each = [tuple(i * rows + row if k == axes[-1] else i for k, i in enumerate(at)) for row in range(rows)]
    out = flat([at[k] for k in stay], [shape[k] for k in stay])
    kept_on_the_way(writer, each[0])
    starts = [*into_the_result(writer, out, each)]
    inner = [k for k in stay if k not in outer]
    loops = [*nest(rounds, inner, starts), *nest(rounds, range(len(outer), len(shape)), writer.body)]
    return [For("strip", strips, loops)] if strips > 1 else nest(rounds, outer, loops)


def into_the_result(writer: Writer, out: Index, each: Sequence[tuple[Index, ...]]) -> Iterator[Statement]:
    """Put the elements at these places together with what stands in each result; what it starts with is yielded."""
    for v, rule, operand in reductions(writer):
        name, dtype = writer.names(v), v.aval.dtype
        yield Store(name, out, Const(rule.start(dtype), dtype))
        so_far: Value = Load(name, out, dtype)
        *first, last = (writer.value(operand, place) for place in each)
        for value in first:
            writer.body.append(Let(f"{name}_", Op(rule.operation, (so_far, value), dtype)))
            so_far = Name(f"{name}_", dtype)
        writer.body.append(Store(name, out, Op(rule.operation, (so_far, last), dtype)))


SHORT = 16  # elements: along so few of them, a loop is no place for vector instructions
MUCH = 1 << 17  # elements


def number_of_strips(shape: Sequence[int]) -> int:
    """Into how many strips the columns are divided: about 8, each at least 64 wide.

    Where a row is longer than a page of memory (1,000 floats, about) a strip takes a page of it: each page has to be
    looked up. The largest of each column of 2000 x 2000 floats takes 0.4 ms in two strips, and 0.6 in eight.
    """
    pages = shape[-1] // 1000
    wanted = min(pages, 8) if pages > 1 else 8
    counts = sorted(range(2, 9), key=lambda n: abs(n - wanted)) if math.prod(shape) >= MUCH else ()
    return next((n for n in counts if shape[-1] % n == 0 and shape[-1] // n >= 64), 1)


def rows_at_once(writer: Writer, shape: Sequence[int]) -> int:
    """How many rows are read for each look at the result: 4, where there is much to do and they lie in memory."""
    _, _, axes = writer.group.key
    computed = writer.group.maps or any(writer.plan.inline(v) for _, _, v in reductions(writer) if isinstance(v, Var))
    return 4 if math.prod(shape) >= MUCH and shape[axes[-1]] % 4 == 0 and not computed else 1


forms["map"] = flat_map, tiled_map, nested_map
forms["reduce"] = flat_total, by_rows, reduction
