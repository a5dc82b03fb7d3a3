"""Two loops, of which one is all that the other does, become one, where all places allow it.

    for i0 in range(4):                             for i0 in range(32):  # [4, 8]
        for i1 in range(8):                    ->       ...a[i0 * 128]...
            ...a[i0 * 1024 + i1 * 128]...

So several threads can share more rounds: attention has few examples, and many rows of scores.
"""

from collections.abc import Iterator
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
    match loop.body:
        case [For(counter, extent, body, _, 0)] if loop.extent and extent and not loop.stops:
            ends = 1 in (loop.extent, extent)  # one of the two does not count
            flat = ends or all(_step(x, loop.counter) == extent * _step(x, counter) for x in _indices(body))
            if flat and not any(isinstance(s, Product | Transpose) for s in statements(body)):
                gone, counts = (counter, loop.counter) if extent == 1 else (loop.counter, counter)
                one = For(loop.counter, loop.extent * extent, [_counted(s, gone, counts, loop.counter) for s in body])
                return one if one.extent == 1 or _writes_rows(one) else None
    return None


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
