"""Fewer buffers: what is read in the round that wrote it stays in a variable; a result may lie where an operand was.

`needed` are the names of the buffers that are read after a kernel.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import product

from ..layer1_core.jaxpr import JaxprEqn
from .hoisting import in_terms_of
from .joining import Step
from .loops import (
    Buffer,
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
    only_loop,
    statements,
    with_bodies,
    with_values,
)  # fmt: skip
from .overwriting import accesses, at_once, can_overwrite, first_copy

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


# ---- buffers in the place of others


def in_place(kernel: Kernel, needed: set[str]) -> Kernel:
    """The kernel with each scratch buffer of its own in the place of a result that is written after it is read."""
    for out, scratch in product(kernel.outputs, kernel.outputs):
        if out.name in needed and scratch.name not in needed and can_overwrite(kernel, scratch, out):
            return in_place(_placed(kernel, scratch, out.name), needed)
    return kernel


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
