"""Two loops, of which one is all that the other does, become one, where all places that they read and write allow it.

    for i0 in range(4):                             for i0 in range(32):  # [4, 8]
        for i1 in range(8):                    ->       ...a[i0 * 128]...
            ...a[i0 * 1024 + i1 * 128]...

So several threads can share more rounds: attention has few examples, and many rows of scores.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .joining import in_row
from .loops import (
    For,
    Index,
    Kernel,
    Load,
    Op,
    Place,
    Product,
    Statement,
    Store,
    Transpose,
    Value,
    changed,
    leaves,
    loads,
    only_loop,
    statements,
    values,
    with_bodies,
    with_values,
    written,
)  # fmt: skip


def collapsed(kernel: Kernel) -> Kernel:
    """The kernel with its outermost loops as one, as many as can be."""
    loop = only_loop(kernel)
    if loop is None or kernel.in_order:
        return kernel
    sizes = [loop.extent]
    while (one := _as_one(loop)) is not None:
        sizes.append(one.extent // loop.extent)
        loop = replace(one, comment=str(sizes))
    return replace(kernel, body=[loop]) if len(sizes) > 1 else kernel


def _as_one(loop: For) -> For | None:
    """A loop and the one inside of it as one; None where they have to be two."""
    match loop:
        case For(outer, rounds, [For(inner, extent, body, _, 0)], _, 0) if rounds and extent:
            if any(isinstance(s, Product | Transpose) for s in statements(body)):
                return None
            if 1 not in (rounds, extent) and not _are_in_a_line(_indices(body), outer, inner, extent):
                return None
            gone, counts = (inner, outer) if extent == 1 else (outer, inner)
            one = For(outer, rounds * extent, [_counted(s, gone, counts, outer) for s in body])
            return one if one.extent == 1 or _writes_rows(one) else None
    return None


def _are_in_a_line(places: Iterable[Index], outer: str, inner: str, extent: int) -> bool:
    """Whether a round of the outer loop goes as far as all rounds of the inner one together."""
    return all(_step(index, outer) == extent * _step(index, inner) for index in places)


def _step(index: Index, counter: str) -> int:
    return dict(index.terms).get(counter, 0)


def _writes_rows(loop: For) -> bool:
    """Whether each round has a row of its own of all that is written, and keeps to it. (There may be more rows: those
    of the second part of a concatenation come after all rows of the first.)
    """
    own = {*written(loop.body)}
    places = [s.index for s in statements(loop.body) if isinstance(s, Store)]
    places += [x.index for x in loads(loop.body) if x.buffer in own]
    steps = [_step(index, loop.counter) for index in places]
    return all(
        step > 0 and in_row(loop, replace(index, constant=index.constant % (loop.extent * step)), step)
        for index, step in zip(places, steps, strict=True)
    )


def _indices(body: list[Statement]) -> Iterator[Index]:
    """All places in statements: of what is read, of what is written, and as values."""
    for s in statements(body):
        if isinstance(s, Store):
            yield s.index
        yield from (x.index for value in values(s) for x in leaves(value) if isinstance(x, Load | Place))


def _counted(s: Statement, gone: str, counts: str, new: str) -> Statement:
    """The statement without one of two counters, and with a new name for the one that counts."""

    def index(old: Index) -> Index:
        terms = [(new if name == counts else name, k) for name, k in old.terms if name != gone]
        return Index(tuple(sorted(terms)), old.constant)

    def value(x: Value) -> Value:
        match x:
            case Load() | Place():
                return changed(x, index=index(x.index))
            case Op(_, args):
                return changed(x, args=tuple(map(value, args)))
        return x

    s = with_bodies(with_values(s, value), lambda body: [_counted(each, gone, counts, new) for each in body])
    return changed(s, index=index(s.index)) if isinstance(s, Store) else s
