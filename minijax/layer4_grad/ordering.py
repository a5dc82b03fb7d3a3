"""The order of the constants of a loop, once what depends on them alone is computed before it: that in which JAX has
them. It finds them as it sorts what the results are made of, the last result first; a constant at each place where it
is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..layer1_core.jaxpr import Atom, Jaxpr, Literal
from .programs import PartialJaxpr, rearranged


@dataclass(eq=False)
class Node:
    """A value, or a constant at one place where it is read; and the values that it is made of."""

    const: int | None = None
    parents: list["Node"] = field(default_factory=list)
    readers: int = 0


def as_found(halves: PartialJaxpr) -> PartialJaxpr:
    """The two parts, where the residuals, the first inputs of the second, are in JAX's order."""
    n_in, n_res = len(halves.unknown.invars), len(halves.forwarded)
    order = _found(halves.unknown, n_res)
    new = [i for i, source in enumerate(halves.forwarded) if source is None]
    n_same = len(halves.known.outvars) - len(new)
    results = [*range(n_same), *(n_same + new.index(i) for i in order if i in new)]
    return replace(
        halves,
        known=rearranged(halves.known, tuple(range(len(halves.known.invars))), tuple(results)),
        unknown=rearranged(halves.unknown, (*order, *range(n_res, n_in))),
        forwarded=[halves.forwarded[i] for i in order],
    )


def _found(jaxpr: Jaxpr, n_consts: int) -> list[int]:
    """The positions of the first `n_consts` inputs, in the order in which they are found."""
    places = [node.const for node in reversed(_sorted(_ends(jaxpr, n_consts))) if node.const is not None]
    return [*dict.fromkeys([*places, *range(n_consts)])]


def _ends(jaxpr: Jaxpr, n_consts: int) -> list[Node]:
    """The nodes of the other inputs and of the results."""
    consts = {id(v): i for i, v in enumerate(jaxpr.invars[:n_consts])}
    nodes = {id(v): Node() for v in jaxpr.invars[n_consts:]}

    def read(v: Atom) -> Node:
        return Node() if isinstance(v, Literal) else nodes.get(id(v)) or Node(consts[id(v)])

    ends = [*nodes.values()]
    for eqn in jaxpr.eqns:
        parents = [*map(read, eqn.invars)]
        nodes.update((id(v), Node(None, parents)) for v in eqn.outvars)
    return [*dict.fromkeys([*ends, *map(read, jaxpr.outvars)])]


def _sorted(ends: Sequence[Node]) -> list[Node]:
    """All nodes, each before those that it is made of."""
    seen: set[Node] = set()
    work = [*ends]
    while work:
        node = work.pop()
        node.readers += 1
        if node not in seen:
            seen.add(node)
            work.extend(node.parents)
    for node in ends:
        node.readers -= 1
    found, free = [], [node for node in ends if node.readers == 0]
    while free:
        found.append(node := free.pop())
        for parent in node.parents:
            parent.readers -= 1
            if parent.readers == 0:
                free.append(parent)
    return found
