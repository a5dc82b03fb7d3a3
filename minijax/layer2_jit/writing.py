"""From a group of equations to a kernel: the loops, and in them one line for each equation."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..layer1_core.jaxpr import JaxprEqn, Literal, Var
from .fusion import Group, Plan
from .loops import (
    ZERO,
    Buffer,
    Const,
    For,
    Index,
    Kernel,
    Let,
    Load,
    Name,
    Op,
    Place,
    Statement,
    Store,
    Value,
    counter,
    flat,
)  # fmt: skip
from .lowering import Indexed, Made, Moved, Pointwise, Reduced, Relaid, only_ones_differ
from .rules import converted

COUNTERS = [f"i{k}" for k in range(64)]
INDEX = np.dtype("int64")
At = tuple[Index, ...] | Index  # along each axis; or in the flat order


class OtherForm(Exception):
    """A form of loops does not suit the equations: as where the place in the flat order alone does not say a value."""


class Writer:
    """Writes the body of a kernel: each variable is computed or loaded where it is first read, under its own name."""

    def __init__(self, plan: Plan, group: Group, names: Callable[[Var], str]):
        self.plan, self.group, self.names = plan, group, names
        self.inputs: dict[str, Buffer] = {}
        self.body: list[Statement] = []  # where the next statement goes
        self.known: dict[tuple[int, At], Value] = {}
        self.used: dict[str, int] = {}

    def begin(self) -> None:
        """Begin a body of its own: what was computed in another loop is not known in this one."""
        self.body, self.known = [], {}

    def value(self, v: Var | Literal, at: At) -> Value:
        """The value of a variable at a place: computed here, or loaded."""
        if isinstance(v, Literal):
            return Const(v.val, v.aval.dtype)
        if v.aval.shape == ():
            at = ()
        found = self.known.get((id(v), at))
        if found is None:
            eqn = self.plan.inline(v)
            found = self.named(v, self.compute(eqn, at)) if eqn is not None else self.load(v, at)
            self.known[id(v), at] = found
        return found

    def named(self, v: Var, value: Value, mark: str = "") -> Value:
        """The value under the variable's own name."""
        if isinstance(value, Const | Name | Place):
            return value
        name = self.fresh(self.names(v) + mark)
        self.body.append(Let(name, value))
        return Name(name, v.aval.dtype)

    def load(self, v: Var, at: At) -> Value:
        name = self.names(v)
        self.inputs.setdefault(name, Buffer(name, v.aval.shape, v.aval.dtype))
        index = at if isinstance(at, Index) else flat(at, v.aval.shape)
        return Load(name, index, v.aval.dtype)

    def compute(self, eqn: JaxprEqn, at: At) -> Value:
        """The value of an equation's result at a place, by its lowering rule."""
        match self.plan.rule_of(eqn):
            case Pointwise(value):
                return value(eqn, *(self.value(v, stretched(at, v, eqn)) for v in eqn.invars))
            case Relaid():
                return self.relaid(eqn, at)
            case Moved(place):
                return self.value(eqn.invars[0], place(eqn, self.axes(at, eqn)) if eqn.invars[0].aval.shape else ())
            case Made(value):
                return value(eqn, self.axes(at, eqn))
            case Indexed(place, otherwise):
                return self.indexed(eqn, *place(self, eqn, self.axes(at, eqn)), otherwise)
        raise AssertionError(eqn)

    def axes(self, at: At, eqn: JaxprEqn) -> tuple[Index, ...]:
        """A place along each axis."""
        if isinstance(at, tuple):
            return at
        if len(eqn.outvars[0].aval.shape) == 1:
            return (at,)
        raise OtherForm

    def indexed(self, eqn: JaxprEqn, place: tuple[Index, ...], inside: Value | None, otherwise: Any) -> Value:
        """The operand's value at a place, or another one where an index was not inside."""
        found = self.value(eqn.invars[0], place)
        if inside is None:
            return found
        return Op("select", (inside, found, Const(otherwise(eqn), found.dtype)), found.dtype)

    def start(self, v: Var | Literal, at: At, last: int) -> tuple[Index, Value]:
        """The place that an element of `v` says, moved to 0 .. last; and whether it is as it was."""
        found = self.value(v, at)
        wide = converted(found, INDEX)  # not more than 2**63 - 1: below 0 then, where an unsigned one is larger
        own = found if np.iinfo(found.dtype).max >= last else wide  # narrow ones are faster to read by
        inside = converted(Op("clamp", (Const(0, own.dtype), own, Const(last, own.dtype)), own.dtype), INDEX)
        name = self.fresh("start")
        self.body.append(Let(name, inside))
        return counter(name), Op("eq", (wide, Name(name, INDEX)), np.dtype("bool"))

    def relaid(self, eqn: JaxprEqn, at: At) -> Value:
        """The element of the operand that stands at the same place of the flat order."""
        v = eqn.invars[0]
        if isinstance(at, tuple):
            at = without_ones(at, eqn) if only_ones_differ(eqn) else flat(at, eqn.outvars[0].aval.shape)
        return self.value(v, (at,) if isinstance(at, Index) and len(v.aval.shape) == 1 else at)

    def fresh(self, name: str) -> str:
        """The name; with a number, where it is taken: 'b', 'b_2', 'b_3'."""
        count = self.used[name] = self.used.get(name, 0) + 1
        return name if count == 1 else f"{name}_{count}"


def stretched(at: At, v: Var | Literal, eqn: JaxprEqn) -> At:
    """The place in an operand of a pointwise equation: an axis of size 1 is read at 0, and a scalar as it is."""
    shape, whole = v.aval.shape, eqn.outvars[0].aval.shape
    if shape == whole or not shape:
        return at if shape else ()
    if math.prod(shape) == 1:
        return (ZERO,) * len(shape)
    if isinstance(at, Index):
        raise OtherForm
    return tuple(ZERO if size == 1 else i for i, size in zip(at, shape, strict=True))


def without_ones(at: tuple[Index, ...], eqn: JaxprEqn) -> At:
    """The place in an operand that has other axes of size 1 than the result."""
    others = iter([i for i, n in zip(at, eqn.outvars[0].aval.shape, strict=True) if n != 1])
    return tuple(ZERO if n == 1 else next(others) for n in eqn.invars[0].aval.shape)


# ---- the forms of loops


def flat_map(writer: Writer) -> list[Statement]:
    """One loop over the elements in flat order: for results whose operands all have their shape, or are scalars."""
    shape = writer.group.key[1]
    if shape == ():
        results(writer, ())
        return writer.body
    results(writer, counter("i0"))
    return [For("i0", math.prod(shape), writer.body, comment=str(list(shape)))]


def nested_map(writer: Writer) -> list[Statement]:
    """A loop over each axis of the results."""
    shape = writer.group.key[1]
    results(writer, places(shape))
    return nest(shape, range(len(shape)), writer.body)


def results(writer: Writer, at: At, eqns: Sequence[JaxprEqn] = ()) -> None:
    """Write results at this place: those of the group, or of these equations."""
    for eqn in eqns or writer.group.eqns:
        v = eqn.outvars[0]
        index = at if isinstance(at, Index) else flat(at, v.aval.shape)
        value = writer.compute(eqn, at)
        if len(writer.group.results) > 1:  # another result may read it
            value = writer.known[id(v), at] = writer.named(v, value, "_")
        writer.body.append(Store(writer.names(v), index, value))


def flat_total(writer: Writer) -> list[Statement]:
    """One loop over all elements in flat order, which are put together into a scalar."""
    _, shape, axes = writer.group.key
    if len(shape) < 2 or len(axes) < len(shape):
        raise OtherForm
    return total(writer, (math.prod(shape),), [], [0], counter("i0"), ZERO)


def reduction(writer: Writer) -> list[Statement]:
    """Loops over the axes that stay, and inside of them those over the axes whose elements are put together."""
    _, shape, axes = writer.group.key
    stay = [k for k in range(len(shape)) if k not in axes]
    at = places(shape)
    return total(writer, shape, stay, axes, at, flat([at[k] for k in stay], [shape[k] for k in stay]))


def total(
    writer: Writer, shape: Sequence[int], stay: list[int], axes: Sequence[int], at: At, out: Index
) -> list[Statement]:
    """The loops where a result is put together in a variable of its own, and then written."""
    starts: list[Statement] = []
    ends: list[Statement] = []
    kept_on_the_way(writer, at)
    for v, rule, operand in reductions(writer):
        so_far = Name(writer.fresh(f"{writer.names(v)}_"), v.aval.dtype)
        starts.append(Let(so_far.name, Const(rule.start(so_far.dtype), so_far.dtype)))
        writer.body.append(Let(so_far.name, Op(rule.operation, (so_far, writer.value(operand, at)), so_far.dtype)))
        ends.append(Store(writer.names(v), out, so_far))
    return nest(shape, stay, [*starts, *nest(shape, axes, writer.body), *ends])


def kept_on_the_way(writer: Writer, at: At) -> None:
    """Write the elements that are reduced, where they are kept as well."""
    if writer.group.maps:
        results(writer, at, writer.group.maps)


def reductions(writer: Writer) -> Iterator[tuple[Var, Reduced, Var | Literal]]:
    """The result, the rule and the operand of each equation of a group of reductions."""
    for eqn in writer.group.eqns:
        rule = writer.plan.rule_of(eqn)
        assert isinstance(rule, Reduced)
        yield eqn.outvars[0], rule, eqn.invars[0]


def nest(shape: Sequence[int], axes: Iterable[int], body: list[Statement]) -> list[Statement]:
    """The body inside of a loop over each of these axes, the first one outermost."""
    for k in reversed([*axes]):
        body = [For(COUNTERS[k], shape[k], body)]
    return body


def places(shape: Sequence[int]) -> tuple[Index, ...]:
    """The place along each axis: its counter."""
    return tuple(map(counter, COUNTERS[: len(shape)]))


# ---- the kernel of a group

# The forms of loops for each kind of group: the best one first, and last one that is always possible.
forms: dict[str, tuple[Callable[[Writer], list[Statement]], ...]] = {
    "map": (flat_map, nested_map),
    "reduce": (flat_total, reduction),
}


def written(plan: Plan, group: Group, name: str, names: Callable[[Var], str]) -> Kernel:
    """The kernel of a group. `names` gives the letters of the program's variables."""
    for form in forms[group.key[0]]:
        writer = Writer(plan, group, names)
        try:
            body = form(writer)
        except OtherForm:
            continue
        outputs = [Buffer(names(v), v.aval.shape, v.aval.dtype) for v in group.results]
        return Kernel(name, [*writer.inputs.values()], outputs, body, unrolled=group.key[0] == "contract")
    raise AssertionError(group)
