"""The lowering rules of loops and branches: the kernels of their bodies, inside of one loop.

The body of a loop is a program like any other, so it is planned and written as one. Its kernels become the statements
of a round, and its variables find their place: what is carried lies in the buffer of the result, from the first round
to the last; an element of a sequence is a part of the sequence, and what is stacked is written to its place at once.
A body in which something has to be called is a loop of Python's, whose steps are compiled (the impl rules).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..layer1_core.aval import shaped
from ..layer1_core.jaxpr import DropVar, Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.lax.dot import dot_general_p
from ..layer2_jit.buffers import renamed
from ..layer2_jit.fusion import Plan, length_of
from ..layer2_jit.loops import (
    ZERO,
    Buffer,
    Const,
    For,
    If,
    Index,
    Kernel,
    Load,
    Op,
    Statement,
    Store,
    Value,
    While,
    counter,
)  # fmt: skip
from ..layer2_jit.lowering import CALLED, DEEPEST, Called, Looped, complex_too, lowering_of, lowering_rules
from ..layer2_jit.parts import work
from ..layer2_jit.passes import held, programs_in
from ..layer2_jit.steps import steps_of
from . import matrices, ordering  # noqa: F401 - these enter rules
from .bodies import parts
from .callbacks import io_callback_p, pure_callback_p
from .cond import cond_p
from .debug import debug_callback_p, debug_print_p
from .scan import scan_p
from .while_loop import while_p

# Operations in the body of a loop that is one kernel. LLVM takes more than linear time for them: so a longer body is
# compiled in pieces, as a program without loops is, and called.
LONGEST = 400

held.update({scan_p: ("jaxpr",), while_p: ("cond_jaxpr", "body_jaxpr"), cond_p: ("branches",)})
Letters = Callable[[Var], str]


@dataclass(frozen=True)
class View:
    """A part of a buffer: where a variable of a body lies."""

    buffer: str
    start: Index
    size: int
    dtype: np.dtype


Source = View | Literal


@dataclass
class Scope:
    """What a kernel is made of besides its statements: the buffers that it reads, and those that it writes."""

    outer: Letters
    named: dict[int, str] = field(default_factory=dict)  # variables that were made here
    inputs: dict[str, Buffer] = field(default_factory=dict)
    outputs: dict[str, Buffer] = field(default_factory=dict)

    def letters(self, v: Var) -> str:
        return self.named.get(id(v)) or self.outer(v)

    def name(self, v: Var, name: str) -> str:
        self.named[id(v)] = name
        return name

    def input(self, v: Var | Literal) -> Source:
        """Where an operand of the equation lies."""
        if isinstance(v, Literal):
            return v
        name = self.letters(v)
        self.inputs[name] = Buffer(name, v.aval.shape, v.aval.dtype)
        return View(name, ZERO, v.aval.size, v.aval.dtype)

    def output(self, v: Var) -> View:
        """Where a result of the equation lies; one that nobody reads has a place, too."""
        name = f"unread{len(self.outputs)}" if type(v) is DropVar else self.letters(v)
        return self.scratch(Buffer(name, v.aval.shape, v.aval.dtype))

    def scratch(self, buffer: Buffer) -> View:
        self.outputs[buffer.name] = buffer
        return View(buffer.name, ZERO, buffer.size, buffer.dtype)

    def kernel(self, name: str, body: list[Statement]) -> Kernel:
        return Kernel(name, [*self.inputs.values()], [*self.outputs.values()], body, unrolled=True, in_order=True)


# ---- loops and branches


def scan_kernel(eqn: JaxprEqn, name: str, letters: Letters) -> Kernel:
    """carry = init; then in each round the body, with the carry where the result is to be."""
    scope, params = Scope(letters), eqn.params
    consts, init, xs = (list(map(scope.input, each)) for each in params["ft_in"].split(eqn.invars))
    carry, ys = (list(map(scope.output, each)) for each in params["ft_out"].split(eqn.outvars))
    length = params["length"]
    step = counter(f"t_{mark(eqn, letters)}")
    place = step * -1 + (length - 1) if params["reverse"] else step
    round_of = lambda whole: [_part(x, place, x.size // max(length, 1)) for x in whole]
    jaxpr, consts, columns = by_columns(params["jaxpr"], consts, scope, mark(eqn, letters))
    body = statements_of(jaxpr, [*consts, *carry, *round_of(xs)], [*carry, *round_of(ys)], scope)
    loop = For(f"t_{mark(eqn, letters)}", length, body, stops=rounds_between_looks(body))
    return scope.kernel(name, [*moved(zip(init, carry, strict=True), scope), *columns, loop])


def by_columns(
    body: Jaxpr, consts: Sequence[Source], scope: Scope, ending: str
) -> tuple[Jaxpr, list[Source], list[Statement]]:
    """The body, in which each constant matrix that multiplies a vector is turned; all constants, the turned ones last;
    and the loops that turn them, once. `ending` is what the names of their buffers end with.

    A row times a vector is a sum of its own; all rows at once are vector instructions, where columns lie in rows. 5,000
    steps of tanh(W @ c) with 32 x 32 take 0.3 ms so, and 1.2 ms row by row.
    """
    turned: dict[int, Var] = {}
    eqns, loops, views = [], [], [*consts]
    constants = body.invars[: len(consts)]
    for eqn in body.eqns:
        matrix = eqn.invars[0] if _is_matrix_times_vector(eqn) else None
        place = next((k for k, v in enumerate(constants) if v is matrix), None)
        if matrix is None or place is None or not isinstance(source := consts[place], View):
            eqns.append(eqn)
            continue
        if id(matrix) not in turned:
            rows, columns = matrix.aval.shape
            turned[id(matrix)] = v = Var(shaped((columns, rows), matrix.aval.dtype))
            name = scope.name(v, f"{source.buffer}_turned_{ending}")
            views.append(scope.scratch(Buffer(name, v.aval.shape, v.aval.dtype)))
            loops += _turned(source, name, rows, columns)
        numbers = ((0,), (0,)), ((), ())
        eqns.append(
            eqn.replace(invars=[turned[id(matrix)], eqn.invars[1]], params=eqn.params | {"dimension_numbers": numbers})
        )
    invars = [*constants, *turned.values(), *body.invars[len(constants) :]]
    return body.replace(invars=invars, eqns=eqns), views, loops


def _is_matrix_times_vector(eqn: JaxprEqn) -> bool:
    if eqn.primitive is not dot_general_p or isinstance(eqn.invars[0], Literal):
        return False
    ranks = [len(v.aval.shape) for v in eqn.invars]
    return ranks == [2, 1] and [*map(tuple, eqn.params["dimension_numbers"][0])] == [(1,), (0,)]


def _turned(source: View, name: str, rows: int, columns: int) -> list[Statement]:
    i, k = counter("i0"), counter("i1")
    load = Load(source.buffer, source.start + i * columns + k, source.dtype)
    return [For("i0", rows, [For("i1", columns, [Store(name, k * rows + i, load)])])]


def rounds_between_looks(body: list[Statement]) -> int:
    """After how many rounds a loop looks whether Python has to stop: about every ten milliseconds; a power of two."""
    return 1 << min(16, max(0, int(10_000_000 / max(work(body), 1)).bit_length() - 1))


def mark(eqn: JaxprEqn, letters: Letters) -> str:
    """What the names that a loop makes end with: the letter of its first result that is read."""
    return next((letters(v) for v in eqn.outvars if type(v) is not DropVar), "")


def _part(x: Source, place: Index, size: int) -> View:
    assert isinstance(x, View)
    return View(x.buffer, place * size, size, x.dtype)


def while_kernel(eqn: JaxprEqn, name: str, letters: Letters) -> Kernel:
    """carry = init; then, as long as the condition is true, the body."""
    scope, params = Scope(letters), eqn.params
    cond_consts, body_consts, init = (
        list(map(scope.input, each)) for each in parts(eqn.invars, params["cond_nconsts"], params["body_nconsts"])
    )
    carry = list(map(scope.output, eqn.outvars))
    goes_on = scope.scratch(Buffer(f"goes_on_{mark(eqn, letters)}", (), np.dtype("bool")))
    test = statements_of(params["cond_jaxpr"], [*cond_consts, *carry], [goes_on], scope)
    body = statements_of(params["body_jaxpr"], [*body_consts, *carry], carry, scope)
    loop = While(test, Load(goes_on.buffer, ZERO, goes_on.dtype), body, rounds_between_looks(test + body))
    return scope.kernel(name, [*moved(zip(init, carry, strict=True), scope), loop])


def cond_kernel(eqn: JaxprEqn, name: str, letters: Letters) -> Kernel:
    """The branch at the index, found by halving: each test asks whether it is in the lower half."""
    scope = Scope(letters)
    index, *operands = map(scope.input, eqn.invars)
    results = list(map(scope.output, eqn.outvars))
    branches = [statements_of(branch, operands, results, scope) for branch in eqn.params["branches"]]

    def among(first: int, end: int) -> list[Statement]:
        if end - first == 1:
            return branches[first]
        middle = (first + end) // 2
        below = Op("lt", (_value(index), Const(middle, np.dtype("int32"))), np.dtype("bool"))
        return [If(below, among(first, middle), among(middle, end))]

    return scope.kernel(name, among(0, len(branches)))


# ---- what one kernel can do


def is_native(eqn: JaxprEqn) -> bool:
    """Whether a kernel can do all of it: nothing is called, and nothing is done besides computing."""
    plain = not eqn.effects and not any(body.consts for body in programs_in(eqn))
    if not plain or depth(eqn) > DEEPEST or operations(eqn) > LONGEST:
        return False
    return not any(isinstance(lowering_of(inner), Called) for inner in inside(eqn))


def inside(eqn: JaxprEqn) -> list[JaxprEqn]:
    """The equations of the programs that an equation holds."""
    return [inner for body in programs_in(eqn) for inner in body.eqns]


def depth(eqn: JaxprEqn) -> int:
    """How many loops and branches there are inside of each other: its own, and those over the axes of an array."""
    if eqn.primitive not in held:
        return max((len(v.aval.shape) for v in (*eqn.invars, *eqn.outvars)), default=0)
    own = len(eqn.params.get("branches", ())).bit_length() or 1
    return own + max(map(depth, inside(eqn)), default=0)


def operations(eqn: JaxprEqn) -> int:
    """About how many operations the kernel of a loop has."""
    return sum(operations(e) if e.primitive in held else length_of(lowering_of(e)) for e in inside(eqn))


lowering_rules[scan_p] = Looped(scan_kernel, is_native)
lowering_rules[while_p] = Looped(while_kernel, is_native)
lowering_rules[cond_p] = Looped(cond_kernel, is_native)
complex_too |= dict.fromkeys((scan_p, while_p, cond_p), lambda eqn: True)
lowering_rules.update(dict.fromkeys((pure_callback_p, io_callback_p, debug_callback_p, debug_print_p), CALLED))

# ---- a body as statements


def statements_of(jaxpr: Jaxpr, operands: Sequence[Source], targets: Sequence[View], scope: Scope) -> list[Statement]:
    """The statements that compute a program, from where its operands lie to where its results are to lie.

    An operand in the place of a result, as what is carried, may be overwritten after its last use.
    """
    jaxpr, views = applied(jaxpr, operands)
    letters = scope.letters
    mine = {(x.buffer, x.start): letters(v) for v, x in zip(jaxpr.invars, views, strict=True)}
    results = zip(jaxpr.outvars, targets, strict=True)
    mates = {(mine.get((x.buffer, x.start)), letters(v)) for v, x in results if isinstance(v, Var)}
    steps, instead = steps_of(Plan(jaxpr), letters, lambda x, result: (x, result) in mates)
    kernels = [step for _, step in steps if isinstance(step, Kernel)]
    places = {letters(v): x for v, x in zip(jaxpr.invars, views, strict=True)}
    sources = [v if isinstance(v, Literal) else instead.get(letters(v), letters(v)) for v in jaxpr.outvars]
    made = {out.name: out for kernel in kernels for out in kernel.outputs}
    for source, target in zip(sources, targets, strict=True):
        if isinstance(source, str) and source in made and target not in views:
            places.setdefault(source, target)  # it is written where it is to be
    for name, buffer in made.items():
        if name not in places:
            places[name] = scope.scratch(buffer)
    body = [s for kernel in kernels for s in kernel.body]
    for name, x in places.items():
        if (x.buffer, x.start) != (name, ZERO):
            body = renamed(body, name, x.buffer, x.start)
    ends = [source if isinstance(source, Literal) else places[source] for source in sources]
    return [*body, *moved(zip(ends, targets, strict=True), scope)]


def applied(jaxpr: Jaxpr, operands: Sequence[Source]) -> tuple[Jaxpr, list[View]]:
    """The program with the numbers among its operands put in, and where the others lie."""
    numbers = {id(v): x for v, x in zip(jaxpr.invars, operands, strict=True) if isinstance(x, Literal)}
    read = lambda atoms: [numbers.get(id(v), v) for v in atoms]
    eqns = [eqn.replace(invars=read(eqn.invars)) for eqn in jaxpr.eqns]
    invars = [v for v in jaxpr.invars if id(v) not in numbers]
    views = [x for x in operands if isinstance(x, View)]
    return jaxpr.replace(invars=invars, eqns=eqns, outvars=read(jaxpr.outvars)), views


def moved(moves: Iterable[tuple[Source, View]], scope: Scope) -> list[Statement]:
    """The statements that put values where they are to lie, all at once: none is overwritten before it is read."""
    wanted = [(source, target) for source, target in moves if source != target]
    read = {source.buffer for source, _ in wanted if isinstance(source, View)}
    last = [move for move in wanted if move[1].buffer in read]  # what they overwrite is wanted elsewhere
    first = [s for move in wanted if move not in last for s in copied(*move)]
    overwritten = {target.buffer for _, target in last}
    then = []
    for source, target in last:
        if isinstance(source, View) and source.buffer in overwritten:  # as where two values change places
            aside = scope.scratch(Buffer(f"aside_{target.buffer}", (target.size,), target.dtype))
            first += copied(source, aside)
            source = aside
        then += copied(source, target)
    return first + then


def copied(source: Source, target: View) -> list[Statement]:
    """The statements that copy a buffer, or fill one with a number; without a loop for one element."""
    at = counter("i0") if target.size != 1 else ZERO
    store = Store(target.buffer, target.start + at, _value(source, at))
    return [store] if target.size == 1 else [For("i0", target.size, [store])]


def _value(x: Source, at: Index = ZERO) -> Value:
    """A number, or the element at a place of a view."""
    return Const(x.val, x.aval.dtype) if isinstance(x, Literal) else Load(x.buffer, x.start + at, x.dtype)
