"""Fewer buffers: what is read in the round that wrote it stays in a variable; a result may lie where an operand was.

`needed` are the names of the buffers that are read after a kernel.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from ..layer1_core.jaxpr import JaxprEqn
from .hoisting import in_terms_of
from .joining import Step, in_row
from .loops import (
    Buffer,
    For,
    Index,
    Kernel,
    Let,
    Load,
    Name,
    Product,
    Statement,
    Store,
    Transpose,
    Value,
    While,
    bodies,
    loads,
    only_loop,
    statements,
    with_bodies,
    with_values,
)  # fmt: skip

# ---- buffers that become variables


def in_variables(kernel: Kernel, needed: set[str]) -> Kernel:
    """The kernel without the buffers of one element a round: that element is in a variable already."""
    loop = only_loop(kernel)
    if loop is None:
        return kernel
    stored = {s.buffer: s for s in loop.body if isinstance(s, Store) and isinstance(s.value, Name)}
    own = {out.name for out in kernel.outputs} - needed - {*at_once(kernel.body)}
    gone = {name: s for name, s in stored.items() if name in own and _always_at(kernel, s)}
    if not gone:
        return kernel
    rename = {name: s.value for name, s in gone.items() if isinstance(s.value, Name)}
    body = _without(loop.body, lambda x: rename.get(x.buffer, x) if isinstance(x, Load) else x, gone)
    outputs = [out for out in kernel.outputs if out.name not in gone]
    return replace(kernel, outputs=outputs, body=[replace(loop, body=body)])


def _always_at(kernel: Kernel, store: Store) -> bool:
    """Whether the buffer of a store is written and read at this one place only, and its variable is not bound again."""
    everything = [*statements(kernel.body)]
    stores = [s for s in everything if isinstance(s, Store) and s.buffer == store.buffer]
    after = everything[everything.index(store) :]
    assert isinstance(store.value, Name)
    bound = any(isinstance(s, Let) and s.name == store.value.name for s in after)
    return len(stores) == 1 and not bound and all(index == store.index for index in accesses(after, store.buffer, Load))


def _without(body: Sequence[Statement], read: Callable[[Value], Value], gone: dict[str, Store]) -> list[Statement]:
    """The statements without stores into the buffers that are gone; `read` gives what stands for a load."""
    kept = [s for s in body if not (isinstance(s, Store) and s.buffer in gone)]
    return [_changed(s, read, lambda inner: _without(inner, read, gone)) for s in kept]


def _changed(
    s: Statement, read: Callable[[Value], Value], inside: Callable[[list[Statement]], list[Statement]]
) -> Statement:
    """A statement that reads other names and loads, with what is inside of it changed."""
    return with_bodies(with_values(s, lambda value: in_terms_of(value, read)), inside)


# ---- results that lie where an operand was


def in_place(kernel: Kernel, needed: set[str]) -> Kernel:
    """The kernel with each scratch buffer of its own in the place of a result that is written after it is read."""
    for out, scratch in product(kernel.outputs, kernel.outputs):
        if out.name in needed and scratch.name not in needed and can_overwrite(kernel, scratch, out):
            return in_place(_placed(kernel, scratch, out.name), needed)
    return kernel


def can_overwrite(kernel: Kernel, old: Buffer, out: Buffer) -> bool:
    """Whether `out` may lie where `old` does: each element is written where it was read, after all other uses of it."""
    if (old.size, old.dtype) != (out.size, out.dtype) or not {old.name, out.name}.isdisjoint(at_once(kernel.body)):
        return False
    store = next((s for s in statements(kernel.body) if isinstance(s, Store) and s.buffer == out.name), None)
    if store is None:
        return False
    innermost = _around(kernel.body, store)
    own = [s for s in innermost if not bodies(s)]
    read, written = [*accesses(own, old.name, Load)], [*accesses(own, old.name, Store)]
    after = own[[s is store for s in own].index(True) + 1 :]
    if not read or written or any(accesses(after, old.name)) or any(index != store.index for index in read):
        return False
    everywhere = [len([*accesses(kernel.body, x.name)]) for x in (old, out)]
    return (everywhere == [len(read), 1] and _in_each_round(kernel.body, store)) or _used_up_before(
        kernel, old, out, store, len(read)
    )


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
    """Whether in each round of the kernel's loop all further uses of a buffer come before the loop with the store, and
    all further ones of the other after it.

    That loop has so many `reads` of the first one, each at the place of the store.
    """
    loop = only_loop(kernel)
    inner = loop.body if loop else []
    here = next((k for k, s in enumerate(inner) if any(x is store for x in statements([s]))), None)
    if not loop or not loop.extent or here is None or not _in_each_round(inner[here : here + 1], store):
        return False
    if len([*accesses(inner[here : here + 1], old.name)]) > reads or any(accesses(inner[here + 1 :], old.name)):
        return False
    if len([*accesses(inner[: here + 1], out.name)]) > 1:
        return False
    both = [*accesses(inner, old.name), *accesses(inner, out.name)]
    return all(in_row(loop, index, out.size // loop.extent) for index in both)


def _in_each_round(body: list[Statement], store: Store) -> bool:
    """Whether each round of the loops around a store writes another element, so that no round reads what one wrote.

    So it is where each counter takes a longer step than all that the ones with shorter steps reach together.
    """
    around = _outside_of(body, store) or []
    counts = {s.counter: s.extent for s in around if isinstance(s, For)}
    steps = dict(store.index.terms)
    if any(isinstance(s, While) for s in around) or any(
        isinstance(s, Let) and s.name in steps for s in statements(body)
    ):
        return False
    reach = 0
    for step, extent in sorted((abs(steps.get(counter, 0)), extent) for counter, extent in counts.items()):
        if step <= reach and extent > 1:
            return False
        reach += step * (extent - 1)
    return True


def _outside_of(body: list[Statement], store: Store) -> list[Statement] | None:
    """The statements that a store is inside of, the outermost first; None where it is not among these."""
    for s in body:
        if s is store:
            return []
        for inner in bodies(s):
            if (found := _outside_of(inner, store)) is not None:
                return [s, *found]
    return None


def _around(body: list[Statement], store: Store) -> list[Statement]:
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


def renamed(body: Sequence[Statement], old: str, new: str, shift: Index | None = None) -> list[Statement]:
    """The statements with another buffer in the place of one, or with a part of it, from `shift` on."""
    move = lambda index: index + shift if shift is not None else index

    def read(x: Value) -> Value:
        return replace(x, buffer=new, index=move(x.index)) if isinstance(x, Load) and x.buffer == old else x

    def change(s: Statement) -> Statement:
        s = _changed(s, read, lambda inner: renamed(inner, old, new, shift))
        match s:
            case Store(buffer) if buffer == old:
                return replace(s, buffer=new, index=move(s.index))
            case Product() | Transpose():
                return replace(s, out=read(s.out))
        return s

    return [change(s) for s in body]


def _placed(kernel: Kernel, out: Buffer, place: str) -> Kernel:
    """The kernel with one of its outputs in the buffer that is called `place`."""
    outputs = [b for b in kernel.outputs if b is not out]
    return replace(kernel, outputs=outputs, body=renamed(kernel.body, out.name, place))


# ---- all steps of a program

Overwrite = Callable[[str, str], bool]  # whether the place of an operand may be taken by a result


def tidied(
    steps: Sequence[Step],
    reads: Callable[[Kernel | JaxprEqn], set[str]],
    results: set[str],
    pieces: set[str],
    may: Overwrite,
) -> tuple[list[Step], dict[str, str]]:
    """The steps with as few buffers as possible; and for results that lie where something else was, its name.

    `reads` names what a step reads, `results` are the names of the program's results, `may` says of which arguments the
    place may be taken by which result. A buffer that a kernel has made is free where it was read for the last time.
    What the pieces of a long kernel hand on is never overwritten in place: going from one buffer to another, and back,
    the first piece has the form of the others, and they are compiled once.
    """
    made: dict[str, Buffer] = {}
    seen: set[str] = set()  # by called steps
    found: list[Step] = []
    instead: dict[str, str] = {}
    inside: dict[str, str] = {}  # of a buffer, the last result that lies there
    last = {x: k for k, (_, step) in enumerate(steps) for x in reads(step)} | dict.fromkeys(results, len(steps))
    for k, (name, step) in enumerate(steps):
        if isinstance(step, Kernel):
            step = _named_apart(step, made, f"_{k}")
            later = {out.name for out in step.outputs if last.get(out.name, -1) > k}
            kernel = _called_so(in_place(in_variables(step, later), later), instead)
            done = {x.name for x in kernel.inputs if last.get(inside.get(x.name, x.name), -1) <= k} - seen
            free = {x for x in done if inside.get(x, x) not in pieces}
            ours = free.intersection(made)
            kernel, moved = _moved(
                kernel, lambda x, out, free=free, ours=ours: x in ours or (x in free and may(x, out))
            )
            spare = [b for x, b in made.items() if last.get(inside.get(x, x), -1) < k and x not in seen]
            kernel, again = _used_again(kernel, spare)
            instead |= moved | again
            inside |= {place: out for out, place in (moved | again).items()}
            made |= {out.name: out for out in kernel.outputs}
            step = kernel
        else:  # its result may be a view of an operand
            seen |= {instead.get(x, x) for x in reads(step)}
        found.append((name, step))
    return found, instead


def _named_apart(kernel: Kernel, taken: Collection[str], end: str) -> Kernel:
    """The kernel with `end` after the names of its own buffers that are taken: equal loops have equal names in them."""
    for out in kernel.outputs:
        if out.name in taken:
            new = replace(out, name=out.name + end)
            outputs = [new if x is out else x for x in kernel.outputs]
            kernel = replace(kernel, outputs=outputs, body=renamed(kernel.body, out.name, new.name))
    return kernel


def _called_so(kernel: Kernel, instead: dict[str, str]) -> Kernel:
    """The kernel with the buffers that it reads under the names that they have by then."""
    for x in kernel.inputs:
        if x.name in instead:
            kernel = replace(kernel, body=renamed(kernel.body, x.name, instead[x.name]))
    inputs = [replace(x, name=instead.get(x.name, x.name)) for x in kernel.inputs]
    return replace(kernel, inputs=inputs)


def _used_again(kernel: Kernel, spare: Sequence[Buffer]) -> tuple[Kernel, dict[str, str]]:
    """The kernel with results in buffers that nobody needs any more, and which."""
    used: dict[str, str] = {}
    for out in kernel.outputs:
        for b in spare:
            if (b.shape, b.dtype) == (out.shape, out.dtype) and b.name not in {x.name for x in kernel.buffers}:
                used[out.name] = b.name
                kernel = replace(_placed(kernel, out, b.name), inputs=[*kernel.inputs, b])
                break
    return kernel, used


def _moved(kernel: Kernel, free: Overwrite) -> tuple[Kernel, dict[str, str]]:
    """The kernel with results in the place of free operands, and which."""
    moved: dict[str, str] = {}
    for out, x in product(kernel.outputs, kernel.inputs):
        new = x.name not in moved.values() and out.name not in moved
        is_free = new and x.shape == out.shape and free(x.name, out.name)
        copy = first_copy(kernel, x, out) if is_free else None
        if copy is not None:
            kernel = replace(kernel, body=[s for s in kernel.body if s is not copy])
        if copy is not None or (is_free and can_overwrite(kernel, x, out)):
            moved[out.name] = x.name
            kernel = _placed(kernel, out, x.name)
    return kernel, moved
