"""The order of a loop's constants, as in JAX.

What depends on constants alone is computed before the loop; what is left of a step has new constants. JAX has them in
the order that comes of sorting the values of the step: the sort starts at the results, the last one first, and comes to
a value once all that read it have been visited; and it is read backwards. A constant is a value of its own at each
place where it is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..layer1_core.jaxpr import Atom, Jaxpr, Literal
from .programs import PartialJaxpr, rearranged


@dataclass(eq=False)
class Value:
    """A value, or a constant at one place where it is read; and the values that it is made of."""

    const: int | None = None
    made_of: list["Value"] = field(default_factory=list)
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
    places = [value.const for value in reversed(_sorted(_ends(jaxpr, n_consts))) if value.const is not None]
    return [*dict.fromkeys([*places, *range(n_consts)])]


def _ends(jaxpr: Jaxpr, n_consts: int) -> list[Value]:
    """The values of the other inputs and of the results."""
    consts = {id(v): i for i, v in enumerate(jaxpr.invars[:n_consts])}
    values = {id(v): Value() for v in jaxpr.invars[n_consts:]}

    def read(v: Atom) -> Value:
        return Value() if isinstance(v, Literal) else values.get(id(v)) or Value(consts[id(v)])

    ends = [*values.values()]
    for eqn in jaxpr.eqns:
        made_of = [*map(read, eqn.invars)]
        values.update((id(v), Value(None, made_of)) for v in eqn.outvars)
    return [*dict.fromkeys([*ends, *map(read, jaxpr.outvars)])]


def _sorted(ends: Sequence[Value]) -> list[Value]:
    """All values, each before those that it is made of."""
    _count_readers(ends)
    found, free = [], [value for value in ends if value.readers == 0]
    while free:
        found.append(value := free.pop())
        for part in value.made_of:
            part.readers -= 1
            if part.readers == 0:
                free.append(part)
    return found


def _count_readers(ends: Sequence[Value]) -> None:
    """Note how often each value is read, by those that the ends are made of."""
    seen: set[Value] = set()
    work = [*ends]
    while work:
        value = work.pop()
        if value in seen:
            continue
        seen.add(value)
        for part in value.made_of:
            part.readers += 1
        work.extend(value.made_of)
