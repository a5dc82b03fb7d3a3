"""Loops as a person would write them: what does not change in a loop stands before it, once, and under one name.

LLVM would find all of this too. It is done here for the reader, and for kernels that run in plain Python.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from operator import is_

from .loops import (
    For,
    Kernel,
    Let,
    Load,
    Name,
    Op,
    Place,
    Statement,
    Value,
    bodies,
    statements,
    with_bodies,
    with_values,
    written,
)  # fmt: skip


def hoisted(kernel: Kernel) -> Kernel:
    """The kernel with each line as far outside of the loops as it can stand."""
    names = [*bindings(kernel.body)]
    variables = {name for name in names if names.count(name) > 1}
    return replace(kernel, body=once(without_copies(outside(kernel.body), {}, variables)))


# ---- lines that stand before a loop


def outside(body: Sequence[Statement]) -> list[Statement]:
    """The statements; in front of each loop the lines that are the same in each of its rounds."""
    found: list[Statement] = []
    for s in body:
        s = with_bodies(s, outside)
        if isinstance(s, For) and s.extent:  # a loop without rounds reads nothing, so nothing is read before it
            before, inner = split(s, s.body)
            found += [*before, replace(s, body=inner)]
        else:
            found.append(s)
    return found


def split(loop: For, body: list[Statement]) -> tuple[list[Statement], list[Statement]]:
    """The lines of a loop's body that are the same in each round, and the others."""
    bound = [*bindings(body)]
    changing = {loop.counter, *bound, *written(body)}
    before: list[Statement] = []
    inner: list[Statement] = []
    for s in body:
        if isinstance(s, Let) and bound.count(s.name) == 1 and changing.isdisjoint(depends_on(s.value)):
            before.append(s)
            changing.discard(s.name)
        else:
            inner.append(s)
    return before, inner


# ---- names for names, and lines that stand there already


def without_copies(body: Sequence[Statement], meant: dict[str, Value], variables: set[str]) -> list[Statement]:
    """The statements without lines `a = b`; where `a` was read, `b` is. `variables` are bound again, and stay."""
    found: list[Statement] = []
    meant = dict(meant)
    for k, s in enumerate(body):
        for name in bindings([s]) if bodies(s) else ():
            meant.pop(name, None)  # in another round it is something else
        if meant:
            s = with_values(
                s, lambda value: in_terms_of(value, lambda x: meant.get(x.name, x) if isinstance(x, Name) else x)
            )
        s = with_bodies(s, lambda inner: without_copies(inner, meant, variables))
        if isinstance(s, Let):
            meant.pop(s.name, None)
            stays = s.name in variables
            if isinstance(s.value, Name) and not stays and s.value.name not in bindings(body[k + 1 :]):
                meant[s.name] = s.value
                continue
        found.append(s)
    return found


def once(body: Sequence[Statement]) -> list[Statement]:
    """The statements without lines that an equal line before them has done."""
    found: list[Statement] = []
    standing: dict[str, tuple[Let, set[str]]] = {}  # by the name that it binds: a line, and what it is made of
    mentioned: set[str] = set()  # in these
    for s in body:
        s = with_bodies(s, once)
        if isinstance(s, Let) and s.name in standing and standing[s.name][0] == s:
            continue
        found.append(s)
        changed = {s.name} if isinstance(s, Let) else {*bindings([s]), *written([s])}
        if not changed.isdisjoint(mentioned):
            standing = {name: x for name, x in standing.items() if name not in changed and changed.isdisjoint(x[1])}
        if isinstance(s, Let) and s.name not in (parts := {*depends_on(s.value)}):
            standing[s.name] = s, parts
            mentioned |= {s.name, *parts}
    return found


# ---- what statements bind and values read


def bindings(body: Sequence[Statement]) -> Iterator[str]:
    """The names that statements bind, counters included."""
    for s in statements(body):
        match s:
            case Let(name) | For(name):
                yield name


def depends_on(value: Value) -> list[str]:
    """The names of all that a value is made of: variables, counters and buffers."""
    match value:
        case Name(name):
            return [name]
        case Op(_, args):
            return [name for x in args for name in depends_on(x)]
        case Load(buffer, index):
            return [buffer, *(name for name, _ in index.terms)]
        case Place(index):
            return [name for name, _ in index.terms]
    return []


def in_terms_of(value: Value, change: Callable[[Value], Value]) -> Value:
    """A value with other names and loads: those that `change` gives for them."""
    match value:
        case Op(_, args):
            new = tuple([in_terms_of(x, change) for x in args])
            return value if all(map(is_, new, args)) else replace(value, args=new)
        case Name() | Load():
            return change(value)
    return value
