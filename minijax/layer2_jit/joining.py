"""Kernels that go over the same rows become one: what one round has written, the same round reads from the cache.

    for i0 in range(n): ...writes row i0 of b        for i0 in range(n): ...writes row i0 of b
    for i0 in range(n): ...reads row i0 of b    ->                       ...reads row i0 of b

softmax of 2000 x 2000 floats takes 0.9 ms so, and 1.9 ms in three kernels. And inside of a kernel, neighbouring loops
over the same rows of a row become one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..layer1_core.jaxpr import JaxprEqn
from .loops import For, Index, Kernel, Product, Statement, Store, Transpose, loads, only_loop, statements

LONGEST = 200  # statements of a joined kernel
SHORT = 8  # elements of a row; below that, what comes after a row would be done element by element


Step = tuple[str, Kernel | JaxprEqn]  # with its name; an equation is called


def joined(steps: Iterable[Step]) -> list[Step]:
    """The steps, in order; a kernel that can be joined with the one right before is part of that."""
    found: list[Step] = []
    for name, step in steps:
        step = _with_own_loops_together(step) if isinstance(step, Kernel) else step
        before = found[-1][1] if found else None
        if isinstance(before, Kernel) and isinstance(step, Kernel) and _can_join(before, step):
            found[-1] = found[-1][0], _join(before, step)
        else:
            found.append((name, step))
    return found


def _can_join(first: Kernel, second: Kernel) -> bool:
    """Whether both are one loop over the same rows, and the second reads of the first only rows of its own round."""
    a, b = only_loop(first), only_loop(second)
    if (
        first.in_order
        or second.in_order
        or a is None
        or b is None
        or (a.counter, a.extent) != (b.counter, b.extent)
        or not a.extent
    ):
        return False
    if _row(a) < SHORT or 1 < _row(b) < SHORT or _length(first) + _length(second) > LONGEST:
        return False
    made = {out.name for out in first.outputs} & {x.name for x in second.inputs}
    if not made or any(isinstance(s, Transpose) for s in statements((a, b))):  # a square is more than one place
        return False
    sizes = {out.name: out.size // a.extent for out in first.outputs if out.name in made}
    places = [(loop, name, index) for loop in (a, b) for name, index in _accesses(loop) if name in made]
    return all(in_row(loop, index, sizes[name]) for loop, name, index in places)


def _row(loop: For) -> int:
    """How many rounds the longest loop inside of a loop has; 1 where there is none."""
    return max((extent for _, extent in _extents(loop)), default=1)


def in_row(loop: For, index: Index, size: int) -> bool:
    """Whether a place lies in the row of the loop's round, whatever the counters inside are."""
    steps = dict(index.terms)
    row, extents = steps.pop(loop.counter, 0), dict(_extents(loop))
    if (row != size and loop.extent > 1) or not steps.keys() <= extents.keys():
        return False
    ends = [(0, k * (extents[name] - 1)) for name, k in steps.items()]
    return index.constant + sum(map(min, ends)) >= 0 and index.constant + sum(map(max, ends)) < size


def _extents(loop: For) -> Iterator[tuple[str, int]]:
    """Each counter inside of a loop, with the most rounds that it counts."""
    inner = [s for s in statements(loop.body) if isinstance(s, For)]
    yield from sorted((s.counter, s.extent) for s in inner)


def _length(kernel: Kernel) -> int:
    return sum(1 for _ in statements(kernel.body))


def _join(first: Kernel, second: Kernel) -> Kernel:
    """One kernel that does in each round what both do."""
    a, b = only_loop(first), only_loop(second)
    assert a and b
    sizes = {out.name: out.size // a.extent for out in (*first.outputs, *second.outputs)}
    made = {out.name for out in first.outputs}
    inputs = {x.name: x for x in (*first.inputs, *second.inputs) if x.name not in made}
    loop = For(a.counter, a.extent, _together([*a.body, *b.body], sizes, {a.counter}), a.comment)
    return replace(first, inputs=[*inputs.values()], outputs=[*first.outputs, *second.outputs], body=[loop])


# ---- the loops of one kernel


def _with_own_loops_together(kernel: Kernel) -> Kernel:
    """The kernel with its loops over the same rows as one: those that copy the parts of a concatenation."""
    if kernel.in_order or len(kernel.body) < 2:
        return kernel
    return replace(kernel, body=_together(kernel.body, {out.name: out.size for out in kernel.outputs}, set()))


def _together(body: list[Statement], sizes: dict[str, int], around: set[str]) -> list[Statement]:
    """The statements with neighbouring loops over the same rows as one, and so on inside of that.

    `around` are the counters of the loops around: in a round of these, each buffer that is written has a part of its
    own, and `sizes` says how many elements.
    """
    found: list[Statement] = []
    for s in body:
        before = found[-1] if found else None
        if isinstance(before, For) and isinstance(s, For) and _over_the_same(before, s, sizes, around):
            smaller = {name: size // s.extent for name, size in sizes.items()}
            inner = _together([*before.body, *s.body], smaller, around | {s.counter})
            found[-1] = replace(before, body=inner)
        else:
            found.append(s)
    return found


def _over_the_same(a: For, b: For, sizes: dict[str, int], around: set[str]) -> bool:
    """Whether two loops go over the same rows, and what one of them writes the other reads in the same round only."""
    shorter, longer = sorted((_row(a), _row(b)))
    if (a.counter, a.extent) != (b.counter, b.extent) or not a.extent or (shorter < SHORT and longer > 1):
        return False
    both = {name for name, _ in _accesses(a)} & {name for name, _ in _accesses(b)} & sizes.keys()
    places = [(loop, name, index) for loop in (a, b) for name, index in _accesses(loop) if name in both]
    return all(in_row(loop, within(index, around), sizes[name] // a.extent) for loop, name, index in places)


def within(index: Index, around: set[str]) -> Index:
    """A place in the row that loops around have come to."""
    return Index(tuple(term for term in index.terms if term[0] not in around), index.constant)


def _accesses(loop: For) -> Iterator[tuple[str, Index]]:
    """What a loop reads and writes, and where. Of a matrix these are its first element and its last one."""
    yield from ((x.buffer, x.index) for x in loads(loop.body))
    for s in statements(loop.body):
        match s:
            case Store(buffer, index):
                yield buffer, index
            case Product(out, lhs, rhs, (rows, summed, columns), _, wide):
                yield out.buffer, out.index
                yield out.buffer, out.index + ((rows - 1) * (wide or columns) + columns - 1)
                yield lhs.buffer, lhs.index + (rows * summed - 1)
                yield rhs.buffer, rhs.index + (summed * columns - 1)
