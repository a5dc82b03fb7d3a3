"""The loop program: what a kernel does, as data. render.py makes Python text of it.

    kernel ::= name(buffers) : statement ...
    statement ::= name = value  |  buffer[index] = value  |  for counter < extent : statement ...
                | while (statement ... value) : statement ...  |  if value : statement ... else : statement ...
                | product of two matrices  |  square turned
    value ::= constant  |  name  |  buffer[index]  |  operation(value, ...)

An index is a sum: a number, and counters times numbers. Buffers are flat, in row-major order.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

Dtype = np.dtype


@dataclass(frozen=True)
class Index:
    """`constant + coefficient * counter + ...`: a place along an axis, or in a flat buffer."""

    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    def __add__(self, other: "Index | int") -> "Index":
        other = other if isinstance(other, Index) else Index((), other)
        found = dict(self.terms)
        for name, k in other.terms:
            found[name] = found.get(name, 0) + k
        terms = sorted((name, k) for name, k in found.items() if k)  # in one order, so that equal sums are equal
        return Index(tuple(terms), self.constant + other.constant)

    def __mul__(self, k: int) -> "Index":
        return Index(tuple((n, c * k) for n, c in self.terms) if k else (), self.constant * k)


def counter(name: str) -> Index:
    return Index(((name, 1),))


ZERO = Index()


@dataclass(frozen=True)
class Const:
    value: Any  # a NumPy scalar
    dtype: Dtype


@dataclass(frozen=True)
class Name:
    name: str
    dtype: Dtype


@dataclass(frozen=True)
class Load:
    buffer: str
    index: Index
    dtype: Dtype


@dataclass(frozen=True)
class Place:
    """An index as a value."""

    index: Index
    dtype: Dtype


@dataclass(frozen=True)
class Op:
    """An operation on scalars: an operator of operations.py, or a function of this name."""

    name: str  # 'add'
    args: tuple["Value", ...]
    dtype: Dtype


Value = Const | Name | Load | Place | Op


@dataclass
class Let:
    """Bind a name, or bind it again."""

    name: str
    value: Value
    comment: str = ""


@dataclass
class Store:
    buffer: str
    index: Index
    value: Value
    comment: str = ""


@dataclass
class For:
    counter: str
    extent: int
    body: list["Statement"] = field(default_factory=list)
    comment: str = ""
    stops: int = 0  # after so many rounds, a power of two, it looks whether it is to stop; 0 for never


@dataclass
class While:
    """Do `test`; where `goes_on` is true then, do `body`, and all of it again. (From chapter 3 on.)"""

    test: list["Statement"]
    goes_on: Value
    body: list["Statement"]
    stops: int = 0  # as in For


@dataclass
class If:
    """Do `body` where `condition` is true, else `otherwise`. (From chapter 3 on.)"""

    condition: Value
    body: list["Statement"]
    otherwise: list["Statement"]


@dataclass
class Product:
    """`out = lhs @ rhs` of matrices that begin at these places, by a library: see blas.py."""

    out: Load  # the place, which is written
    lhs: Load
    rhs: Load
    sizes: tuple[int, int, int]  # rows, summed, columns
    turned: tuple[bool, bool]  # whether a factor lies column after column
    wide: int | None = None  # from a row of the result to the next, where the rows are parts of longer ones

    @property
    def factors(self) -> str:
        """The shapes of the factors as they lie in memory, for a reader: '[16, 64] @ [32, 64].T'."""
        rows, summed, columns = self.sizes
        shapes = zip(([rows, summed], [summed, columns]), self.turned, strict=True)
        return " @ ".join(f"{shape[::-1]}.T" if turned else str(shape) for shape, turned in shapes)


@dataclass
class Transpose:
    """Rows of a square become its columns: what lies at `source` is written to `out`, 32 bytes of each row.

    Along an axis of `source` that is not its last one, neighbours are far from each other. Vector instructions read a
    few rows at once, and exchange their elements.
    """

    out: Load  # the place, which is written
    source: Load
    steps: tuple[int, int]  # from one row to the next, of `out` and of `source`


Statement = Let | Store | For | While | If | Product | Transpose
SIMPLE = Let, Store  # what most statements are: nothing is inside of them


@dataclass(frozen=True)
class Buffer:
    """A parameter of a kernel: an array, flat and in row-major order."""

    name: str
    shape: tuple[int, ...]
    dtype: Dtype

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass
class Kernel:
    name: str
    inputs: list[Buffer]
    outputs: list[Buffer]
    body: list[Statement]
    unrolled: bool = False  # whether its inner loops are so short that they should be written out
    in_order: bool = False  # whether the rounds of its loop must come one after the other
    in_parts: bool = False  # whether the one loop that it is may be run in parts, at the same time

    @property
    def buffers(self) -> list[Buffer]:
        return [*self.inputs, *self.outputs]


def only_loop(kernel: Kernel) -> For | None:
    """The one loop that a kernel is; None where it is more than that, or less."""
    match kernel.body:
        case [For() as loop]:
            return loop
    return None


def nest_of(kernel: Kernel) -> list[For]:
    """The loops that stand alone, one inside of the other, the outermost first."""
    found: list[For] = []
    body = kernel.body
    while len(body) == 1 and isinstance(body[0], For):
        found.append(body[0])
        body = body[0].body
    return found


def loop_of_parts(kernel: Kernel) -> For | None:
    """The one loop that a kernel is, after lines that its rounds read and do not change; None where it is not so."""
    match kernel.body:
        case [*before, For() as loop] if all(isinstance(s, Let) for s in before):
            bound = {s.name for s in statements(loop.body) if isinstance(s, Let)}
            return loop if bound.isdisjoint(s.name for s in before if isinstance(s, Let)) else None
    return None


def bodies(statement: Statement) -> tuple[list[Statement], ...]:
    """The statements inside of a statement, in the order in which they are done."""
    match statement:
        case For():
            return (statement.body,)
        case While():
            return statement.test, statement.body
        case If():
            return statement.body, statement.otherwise
    return ()


def with_bodies(statement: Statement, change: Callable[[list[Statement]], list[Statement]]) -> Statement:
    """The statement with what is inside of it changed."""
    if isinstance(statement, SIMPLE):
        return statement
    match statement:
        case For():
            return replace(statement, body=change(statement.body))
        case While():
            return replace(statement, test=change(statement.test), body=change(statement.body))
        case If():
            return replace(statement, body=change(statement.body), otherwise=change(statement.otherwise))
    return statement


def with_values(statement: Statement, change: Callable[[Value], Value]) -> Statement:
    """The statement with the value that it reads itself changed."""
    if isinstance(statement, SIMPLE):
        value = change(statement.value)
        return statement if value is statement.value else replace(statement, value=value)
    match statement:
        case While():
            return changed(statement, goes_on=change(statement.goes_on))
        case If():
            return changed(statement, condition=change(statement.condition))
        case Product():
            return changed(statement, lhs=change(statement.lhs), rhs=change(statement.rhs))
        case Transpose():
            return changed(statement, source=change(statement.source))
    return statement


def changed(x: Any, **parts: Any) -> Any:
    """A statement or a value with other parts; `x` itself, most often, where it has these."""
    return x if all(getattr(x, name) is part for name, part in parts.items()) else replace(x, **parts)


def statements(body: Iterable[Statement]) -> list[Statement]:
    """All statements, each before those inside of it."""
    found = []
    for statement in body:
        found.append(statement)
        if not isinstance(statement, SIMPLE):
            for inner in bodies(statement):
                found += statements(inner)
    return found


def loads(body: Iterable[Statement]) -> Iterator[Load]:
    """All that statements read from memory."""
    for statement in statements(body):
        for value in values(statement):
            yield from (x for x in leaves(value) if isinstance(x, Load))


def values(statement: Statement) -> tuple[Value, ...]:
    """What a statement itself reads."""
    match statement:
        case Let(_, value) | Store(_, _, value) | While(_, value) | If(value):
            return (value,)
        case Product(_, lhs, rhs):
            return lhs, rhs
        case Transpose(_, source):
            return (source,)
    return ()


def leaves(value: Value) -> Iterator[Value]:
    """What operations are done on, in the end: constants, names, loads and places."""
    if isinstance(value, Op):
        for x in value.args:
            yield from leaves(x)
    else:
        yield value


def written(body: Iterable[Statement]) -> Iterator[str]:
    """The names of the buffers that statements write."""
    for statement in statements(body):
        match statement:
            case Store(buffer) | Product(Load(buffer)) | Transpose(Load(buffer)):
                yield buffer


def strides(shape: Sequence[int]) -> list[int]:
    """How far apart neighbours along each axis are in a flat array, in elements.

    >>> strides((2, 3, 4))
    [12, 4, 1]
    """
    found, step = [], 1
    for size in reversed(shape):
        found.append(step)
        step *= size
    return found[::-1]


def flat(index: Iterable[Index], shape: Sequence[int]) -> Index:
    """The place in the flat array of an element with these places along the axes."""
    return sum((i * step for i, step in zip(index, strides(shape), strict=True)), ZERO)
