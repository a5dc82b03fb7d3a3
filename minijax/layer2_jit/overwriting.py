"""Whether a result may lie where an operand was: no element is overwritten that is read later."""

from collections.abc import Iterable, Iterator

from .joining import in_row, within
from .loops import (
    Buffer,
    For,
    Index,
    Kernel,
    Let,
    Load,
    Product,
    Statement,
    Store,
    Transpose,
    While,
    bodies,
    loads,
    nest_of,
    statements,
)  # fmt: skip


def can_overwrite(kernel: Kernel, old: Buffer, out: Buffer) -> bool:
    """Whether `out` may lie where `old` does: each element is written where it was read, after all other uses of it."""
    if (old.size, old.dtype) != (out.size, out.dtype) or not {old.name, out.name}.isdisjoint(at_once(kernel.body)):
        return False
    store = next((s for s in statements(kernel.body) if isinstance(s, Store) and s.buffer == out.name), None)
    if store is None:
        return False
    own = [s for s in _beside(kernel.body, store) if not bodies(s)]
    read, written = [*accesses(own, old.name, Load)], [*accesses(own, old.name, Store)]
    after = own[[s is store for s in own].index(True) + 1 :]
    if not read or written or any(accesses(after, old.name)) or any(index != store.index for index in read):
        return False
    no_other_use = [len([*accesses(kernel.body, x.name)]) for x in (old, out)] == [len(read), 1]
    if no_other_use and _moves_on(kernel.body, store):
        return True
    return _used_up_before(kernel, old, out, store, len(read))


def first_copy(kernel: Kernel, old: Buffer, out: Buffer) -> For | None:
    """The loop that copies `old` to `out`, where `out` may as well lie there from the start; None where it may not.

    So it is if no round of a later loop, and no line after a first one that writes to `out`, reads `old`.
    """
    place = next((k for k, s in enumerate(kernel.body) if any(accesses([s], out.name))), None)
    loop = None if place is None else kernel.body[place]
    if (old.size, old.dtype) != (out.size, out.dtype) or not isinstance(loop, For) or not _copies(loop, old, out):
        return None
    assert place is not None
    after = [*_in_one_round(kernel.body[place + 1 :])]
    first = next((k for k, s in enumerate(after) if any(accesses([s], out.name, Store))), len(after))
    first += isinstance(after[first], Store) if first < len(after) else 0  # what it writes, it has read before
    stays = not {old.name, out.name}.intersection(at_once(kernel.body)) and not any(
        accesses(kernel.body, old.name, Store)
    )
    return loop if stays and not any(accesses(after[first:], old.name)) else None


def _in_one_round(body: Iterable[Statement]) -> Iterator[Statement]:
    """The statements, with those of loops of one round in the place of the loop."""
    for s in body:
        if isinstance(s, For) and s.extent == 1:
            yield from _in_one_round(s.body)
        else:
            yield s


def _copies(loop: For, old: Buffer, out: Buffer) -> bool:
    """Whether a loop does nothing but copy all of a buffer, each element to its place."""
    inner, rounds = loop.body, loop.extent
    while len(inner) == 1 and isinstance(inner[0], For):
        inner, rounds = inner[0].body, rounds * inner[0].extent
    if len(inner) != 1 or not isinstance(inner[0], Store) or rounds != old.size:
        return False
    store, value = inner[0], inner[0].value
    same = isinstance(value, Load) and (value.buffer, value.index) == (old.name, store.index)
    return same and store.buffer == out.name


def _used_up_before(kernel: Kernel, old: Buffer, out: Buffer, store: Store, reads: int) -> bool:
    """Whether in each round of the kernel's loops all further uses of a buffer come before what holds the store, and
    all further ones of the other after it.

    That has so many `reads` of the first one, each at the place of the store.
    """
    loops = nest_of(kernel)
    a_round = loops[-1].body if loops else []
    here = next((k for k, s in enumerate(a_round) if any(x is store for x in statements([s]))), None)
    if here is None or not all(loop.extent for loop in loops):
        return False
    before, this, after = a_round[:here], a_round[here : here + 1], a_round[here + 1 :]
    if not _moves_on(this, store) or len([*accesses(this, old.name)]) > reads or any(accesses(after, old.name)):
        return False
    if len([*accesses([*before, *this], out.name)]) > 1:
        return False
    both = [*accesses(a_round, old.name), *accesses(a_round, out.name)]
    return all(_keeps_to_its_own(loops, index, out.size) for index in both)


def _keeps_to_its_own(loops: list[For], index: Index, size: int) -> bool:
    """Whether a place of a buffer lies in the part that a round of these loops, one inside of the other, has alone."""
    for loop in loops:
        size //= loop.extent
        if not in_row(loop, index, size):
            return False
        index = within(index, {loop.counter})
    return True


def _moves_on(body: list[Statement], store: Store) -> bool:
    """Whether each round of the loops around a store writes another element, so that no round reads what one wrote.

    So it is where each counter takes a longer step than all that the ones with shorter steps reach together.
    """
    around, steps = _around(body, store) or [], dict(store.index.terms)
    computed = any(isinstance(s, Let) and s.name in steps for s in statements(body))  # a place that an index says
    if computed or any(isinstance(s, While) for s in around):
        return False
    counts = [(abs(steps.get(s.counter, 0)), s.extent) for s in around if isinstance(s, For)]
    reach = 0
    for step, extent in sorted(counts):
        if step <= reach and extent > 1:
            return False
        reach += step * (extent - 1)
    return True


def _around(body: list[Statement], store: Store) -> list[Statement] | None:
    """The statements that a store is inside of, the outermost first; None where it is not among these."""
    for s in body:
        if s is store:
            return []
        for inner in bodies(s):
            if (found := _around(inner, store)) is not None:
                return [s, *found]
    return None


def _beside(body: list[Statement], store: Store) -> list[Statement]:
    """The statements among which a store stands."""
    if any(s is store for s in body):
        return body
    inside = (inner for s in statements(body) for inner in bodies(s))
    return next(inner for inner in inside if any(s is store for s in inner))


def accesses(body: Iterable[Statement], name: str, kind: type = object) -> Iterator[Index]:
    """Where statements load from a buffer, or store into it."""
    body = [*body]
    for x in (*loads(body), *(s for s in statements(body) if isinstance(s, Store))):
        if x.buffer == name and isinstance(x, kind):
            yield x.index


def at_once(body: Iterable[Statement]) -> Iterator[str]:
    """The buffers of products of matrices, and of squares that are turned.

    One such statement reads and writes many elements, in an order that is not in the loops.
    """
    for s in statements(body):
        match s:
            case Product(out, lhs, rhs):
                yield from (out.buffer, lhs.buffer, rhs.buffer)
            case Transpose(out, source):
                yield from (out.buffer, source.buffer)
