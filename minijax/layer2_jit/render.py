"""The text of a kernel: Python that a learner can read, step through, and run without Numba."""

import keyword
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..layer1_core.jaxpr import DropVar, Jaxpr, Var
from ..layer1_core.pretty import letters
from .loops import (
    Const,
    For,
    If,
    Index,
    Kernel,
    Let,
    Load,
    Name,
    Op,
    Place,
    Product,
    Statement,
    Store,
    Transpose,
    Value,
    While,
    loop_of_parts,
    statements,
)  # fmt: skip
from .operations import OPERATORS
from .passes import programs_in


def names_of(jaxpr: Jaxpr) -> Callable[[Var], str]:
    """The name of each variable: its letter in the printed program, with a mark where Python has another use for that.

    (Names of three letters are marked, since an operation may be called so.)
    """
    found: dict[int, str] = {}
    for v in variables(jaxpr):
        if id(v) in found:  # of a program that two equations hold
            continue
        letter = letters(len(found))
        found[id(v)] = f"{letter}_" if keyword.iskeyword(letter) or len(letter) > 2 else letter
    return lambda v: found.get(id(v), "_")


def variables(jaxpr: Jaxpr) -> Iterator[Var]:
    """All variables that have a name, in the order in which they are named; those of programs in equations too."""
    yield from (*jaxpr.constvars, *jaxpr.invars)
    for eqn in jaxpr.eqns:
        yield from (v for v in eqn.outvars if type(v) is not DropVar)
        for inner in programs_in(eqn):
            yield from variables(inner)


def rendered(kernel: Kernel) -> str:
    """The definition of a kernel, as a learner reads it: with the program's letters and with numbers."""
    text = _Text({}, numbers=True)
    shapes = ", ".join(f"{b.name}: {b.dtype.name}{list(b.shape)}" for b in kernel.buffers)
    return "\n".join([text.head(kernel), f"    # {shapes}", *text.body(kernel)])


def canonical(kernel: Kernel) -> tuple[str, list[np.ndarray]]:
    """The definition of a kernel as Numba gets it, and its constants: arrays of one element, further parameters.

    The last parameters of one that runs in parts are the ends of its part, `start` and `stop`.
    It is called `kernel`, and its text depends on its form alone: two kernels that differ in names and numbers have
    one text, and are compiled once.
    """
    text, loop = _Text(_in_order(kernel), numbers=False), loop_of_parts(kernel)
    body = text.body(kernel)
    parameters = [f"c{k}" for k in range(len(text.constants))]
    if kernel.in_parts and loop:
        first = next(k for k, line in enumerate(body) if line.startswith("    for "))
        body[first] = f"    for {text.name(loop.counter)} in range(start, stop):"
        parameters += ["start", "stop"]
    return "\n".join([text.head(replace(kernel, name="kernel"), parameters), *body]), text.constants


def _in_order(kernel: Kernel) -> dict[str, str]:
    """New names for the buffers, the values and the counters of a kernel, by their order."""
    everything = [*statements(kernel.body)]
    values = dict.fromkeys(s.name for s in everything if isinstance(s, Let))
    counters = dict.fromkeys(s.counter for s in everything if isinstance(s, For))
    names = {name: f"v{k}" for k, name in enumerate(values, len(kernel.buffers))}
    names |= {name: f"i{k}" for k, name in enumerate(counters)}
    return names | {buffer.name: f"x{k}" for k, buffer in enumerate(kernel.buffers)}


class _Text:
    """The text of kernels under other names. With `numbers`, a constant is a number, else the name of one."""

    def __init__(self, names: dict[str, str], numbers: bool):
        self.names, self.numbers = names, numbers
        self.constants: list[np.ndarray] = []
        self.started: set[str] = set()  # names that start as numbers of Python's
        self._known: dict[tuple[np.dtype, bytes], str] = {}

    def head(self, kernel: Kernel, further: Sequence[str] = ()) -> str:
        return f"def {kernel.name}({', '.join([*(self.name(b.name) for b in kernel.buffers), *further])}):"

    def body(self, kernel: Kernel) -> list[str]:
        """The lines of a kernel. All its loops of `while` count their rounds together: one that is left soon, again and
        again inside of another, looks as often as the others.
        """
        counted = any(isinstance(s, While) and self.looks(s) for s in statements(kernel.body))
        return [*["    rounds = 0"] * counted, *(f"    {line}" for line in self.block(kernel.body))]

    def name(self, name: str) -> str:
        return self.names.get(name, name)

    def block(self, body: list[Statement]) -> Iterator[str]:
        for statement in body:
            told = statement.factors if isinstance(statement, Product) else getattr(statement, "comment", "")
            comment = f"  # {told}" if told and self.numbers else ""
            match statement:
                case For(counter, extent, inner):
                    yield f"for {self.name(counter)} in range({extent}):{comment}"
                    yield from self.inside(inner)
                    yield from self.stopped(statement, self.name(counter))
                case While(test, goes_on, inner):
                    yield "while True:"
                    yield from self.inside(test)
                    yield f"    if not {self.value(goes_on)}:"
                    yield "        break"
                    yield from self.inside(inner)
                    yield from ["    rounds = rounds + 1"] * self.looks(statement)
                    yield from self.stopped(statement, "rounds")
                case If(condition, inner, otherwise):
                    yield f"if {self.value(condition)}:"
                    yield from self.inside(inner) if inner else ["    pass"]
                    if otherwise:
                        yield "else:"
                        yield from self.inside(otherwise)
                case Let(name, value):
                    if isinstance(value, Const):
                        self.started.add(name)
                    yield f"{self.name(name)} = {self.value(value)}{comment}"
                case Product(out):
                    yield f"matmul_{out.dtype.name}({', '.join(self.product(statement))}){comment}"
                case Transpose(out, source, steps):
                    pairs = zip((out, source), steps, strict=True)
                    places = (f"{self.name(x.buffer)}, {self.place(x.index)}, {step}" for x, step in pairs)
                    yield f"transpose_{out.dtype.name}({', '.join(places)})"
                case Store(buffer, index, value):
                    yield f"{self.name(buffer)}[{self.place(index)}] = {self.stored(value)}{comment}"

    def product(self, statement: Product) -> Iterator[str]:
        """The operands of a product: matrices with their places, sizes, ways. Numba's text has names for the sizes, and
        for each one of its own: so all products have one form.
        """
        for x in (statement.out, statement.lhs, statement.rhs):
            yield from (self.name(x.buffer), self.place(x.index))
        numbers = [np.int64(size) for size in statement.sizes] + [np.bool_(turned) for turned in statement.turned]
        numbers += [np.int64(statement.wide)] if statement.wide else []
        yield from (str(x) if self.numbers else self.parameter(x) for x in numbers)

    def looks(self, loop: For | While) -> bool:
        """Whether the text says that a loop looks if it is to stop: a learner's does not, Python sees to that."""
        return bool(loop.stops) and not self.numbers

    def stopped(self, loop: For | While, rounds: str) -> list[str]:
        return [f"    if interrupted({rounds}, {loop.stops}):", "        return"] if self.looks(loop) else []

    def inside(self, body: list[Statement]) -> Iterator[str]:
        return (f"    {line}" for line in self.block(body))

    def place(self, index: Index) -> str:
        """The text of an index: 'i0 * 4 + i1'."""
        parts = [self.name(name) if k == 1 else f"{self.name(name)} * {k}" for name, k in index.terms]
        if index.constant or not parts:
            parts.append(str(index.constant))
        return " + ".join(parts).replace("+ -", "- ")

    def stored(self, value: Value) -> str:
        """A value on its way to memory, where truth values are bytes."""
        return f"to_uint8({self.value(value)})" if value.dtype.kind == "b" else self.value(value)

    def value(self, value: Value) -> str:
        match value:
            case Const():
                return self.constant(value)
            case Name(name):
                return self.name(name)
            case Load(buffer, index, dtype):
                text = f"{self.name(buffer)}[{self.place(index)}]"
                return f"to_bool({text})" if dtype.kind == "b" else text
            case Place(index, dtype):
                return f"to_{dtype.name}({self.place(index)})"
            case Op("quotient" | "rem", (x, Const() as y)) if self.is_known(y):
                return f"{value.name}({self.value(x)}, to_{y.dtype.name}({y.value}))"
            case Op(name, args) if name in OPERATORS:
                return f" {OPERATORS[name]} ".join(self.operand(x, args) for x in args)
            case Op(name, args):
                return f"{name}({', '.join(self.argument(x, args) for x in args)})"
        raise AssertionError(value)

    def is_known(self, divisor: Const) -> bool:
        """Whether a divisor is part of the form: to divide by a number that LLVM knows takes a fourth of the time."""
        return not self.numbers and divisor.dtype.kind in "iu" and 0 < divisor.value < 2**31

    def argument(self, value: Value, args: Sequence[Value]) -> str:
        """An operand among others. A number alone would be one of Python's; beside others of its type it is not."""
        if not self.numbers or not isinstance(value, Const) or value.dtype.kind == "b":
            return self.value(value)
        typed = any(x.dtype == value.dtype and self.is_typed(x) for x in args)
        return self.constant(value) if typed else f"{value.dtype.name}({self.constant(value)})"

    def is_typed(self, value: Value) -> bool:
        return not isinstance(value, Const) and not (isinstance(value, Name) and value.name in self.started)

    def operand(self, value: Value, args: Sequence[Value]) -> str:
        text = self.argument(value, args)
        return f"({text})" if isinstance(value, Op) and value.name in OPERATORS else text

    def constant(self, const: Const) -> str:
        value = np.asarray(const.value, const.dtype)
        if self.numbers:
            return repr(value.item())
        key = const.dtype, value.tobytes()
        if key not in self._known:
            self._known[key] = self.parameter(value)
        return self._known[key]

    def parameter(self, value: np.generic | np.ndarray) -> str:
        """The text of a constant that is a further parameter: an array with one element."""
        text = f"c{len(self.constants)}[0]"
        self.constants.append(np.asarray(value))
        return f"to_bool({text})" if value.dtype.kind == "b" else text
