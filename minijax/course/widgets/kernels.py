"""What the compiler makes of a program: the lines of its loops, and which equation each one computes. As plain text."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .figure import package_module

# What a line costs, in additions: a load or a store is MEMORY of them, a function as many as its lowering rule says.
MEMORY = 2
FUNCTION = 20  # a function in a step that is called


@dataclass(frozen=True)
class CodeLine:
    """A line of the loops. `equations` are numbered from 0 on: those that it computes; of a loop, those inside."""

    text: str
    kind: str  # "head", "loop", "while", "branch", "value", "store", "call" or "note"
    step: int
    equations: tuple[int, ...] = ()
    times: int = 1  # how often it runs, in one call of the program
    operations: int = 0
    cost: int = 0  # in additions, about
    depends: bool = False  # whether that depends on values: a while loop counts as one round, of branches each one


@dataclass(frozen=True)
class Step:
    """A kernel, or an equation that is called, with what it costs in one call of the program."""

    name: str
    kernel: bool
    looped: bool  # whether it is one equation, with all its lines: a loop or a conditional
    operations: int
    bytes: int
    cost: int
    reads: tuple[str, ...]
    writes: tuple[str, ...]


def marked_program(jaxpr: Any) -> Any:
    """The compiler's program, with the number of its equation as a comment on each statement.

    A comment stays with its statement through all that is done to the loops after they were written: loops are joined,
    lines move out of loops, and buffers get other names.
    """
    program = package_module("layer2_jit.compiler").Program(jaxpr)
    letters = program.letters
    numbers = {letters(v): k for k, eqn in enumerate(program.jaxpr.eqns) for v in eqn.outvars}
    steps_of = package_module("layer2_jit.steps").steps_of
    program._steps = steps_of(program.plan, letters, lambda x, result: False, look=lambda kernel: mark(kernel, numbers))
    return program


def is_kernel(step: Any) -> bool:
    return isinstance(step, package_module("layer2_jit.loops").Kernel)


def mark(kernel: Any, numbers: dict[str, int]) -> None:
    loops = package_module("layer2_jit.loops")
    for s in loops.statements(kernel.body):
        if isinstance(s, (loops.Let, loops.Store)):
            number = numbers.get(s.buffer) if isinstance(s, loops.Store) else numbers.get(variable_of(s.name, numbers))
            s.comment = "" if number is None else str(number)


def variable_of(name: str, numbers: dict[str, int]) -> str:
    """The variable that a name in a loop stands for: c, c_ and c_2 are all c."""
    letters = re.match(r"[a-z]*", name)
    found = letters.group() if letters else ""
    return found if found in numbers else f"{found}_"


# ---- the lines


def lines_of(program: Any) -> list[CodeLine]:
    """The lines of all steps of a marked program, in the order in which they run."""
    found: list[CodeLine] = []
    for k, (name, step) in enumerate(program.steps):
        if is_kernel(step):
            found += kernel_lines(program, step, k, number_of(program, name) if step.in_order else None)
        else:  # a call of an impl rule
            found.append(called_line(program, name, number_of(program, name), k))
    return found


def number_of(program: Any, name: str) -> int:
    """The equation of a step that is one equation: cond_2 is step 2 of the plan."""
    eqn = program.plan.steps[int(name.rpartition("_")[2])]
    return next(k for k, other in enumerate(program.jaxpr.eqns) if other is eqn)


def kernel_lines(program: Any, kernel: Any, step: int, number: int | None) -> Iterator[CodeLine]:
    """The lines of a kernel: two of its head, and those of its statements. The marks are taken off.

    All lines of a loop or a conditional belong to its equation, which has this number.
    """
    places = [*placed(kernel.body)]
    owners = owners_of([s for s, *_ in places]) if number is None else [(number,)] * len(places)
    for s, *_ in places:
        if not kind_around(s):
            s.comment = ""
    head, note, *texts = package_module("layer2_jit.render").rendered(kernel).split("\n")
    inside = all_of(owners) if number is None else (number,)
    yield CodeLine(head, "head", step, inside)
    yield CodeLine(note, "note", step, inside)
    for text, (s, times, depends), own in zip(texts, places, owners, strict=True):
        if kind := kind_around(s):
            rounds = s.extent if kind == "loop" else 1
            yield CodeLine(text, kind, step, own, times * rounds, depends=depends)
        else:
            kind, operations = ("store" if is_store(s) else "value"), operations_of(s)
            cost = times * additions(program, s, own)
            yield CodeLine(text, kind, step, own, times, times * operations, cost, depends)


def kind_around(statement: Any) -> str:
    """The kind of a statement that has others inside; "" for one that has none."""
    loops = package_module("layer2_jit.loops")
    match statement:
        case loops.For():
            return "loop"
        case loops.While():
            return "while"
        case loops.If():
            return "branch"
    return ""


def is_loop(statement: Any) -> bool:
    return isinstance(statement, package_module("layer2_jit.loops").For)


def is_store(statement: Any) -> bool:
    return isinstance(statement, package_module("layer2_jit.loops").Store)


def placed(body: Sequence[Any], times: int = 1, depends: bool = False) -> Iterator[tuple[Any, int, bool]]:
    """The statement of each line, with how often it runs, and whether that depends on values.

    A while loop has two lines after its test, which end it; a branch has one where it is empty, and one for its else.
    """
    loops = package_module("layer2_jit.loops")
    for s in body:
        here = s, times, depends
        yield here
        match s:
            case loops.For():
                yield from placed(s.body, times * s.extent, depends)
            case loops.While():
                yield from (*placed(s.test, times, True), here, here, *placed(s.body, times, True))
            case loops.If():
                yield from placed(s.body, times, True) if s.body else [here]
                yield from (here, *placed(s.otherwise, times, True)) if s.otherwise else ()


def owners_of(statements: Sequence[Any]) -> list[tuple[int, ...]]:
    """The equations of each statement: of a loop those inside, of a helper those of the first line that reads it."""
    own: list[tuple[int, ...]] = [(int(s.comment),) if not is_loop(s) and s.comment else () for s in statements]
    for k in reversed(range(len(statements))):
        s = statements[k]
        if is_loop(s):
            own[k] = all_of(own[k + 1 : k + 1 + len([*placed(s.body)])])
        elif not own[k]:
            own[k] = next((own[j] for j in range(k + 1, len(own)) if reads(statements[j], s.name)), ())
    return own


def reads(statement: Any, name: str) -> bool:
    """Whether a statement that is no loop has a name in its value, or in the place where it is stored."""
    if is_loop(statement):
        return False
    stored = [n for n, _ in statement.index.terms] if is_store(statement) else []
    return name in (*stored, *package_module("layer2_jit.hoisting").depends_on(getattr(statement, "value", None)))


def all_of(owners: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sorted({k for own in owners for k in own}))


# ---- what they cost


def operations_of(statement: Any) -> int:
    """How many operations a line takes; one that has a library multiply matrices, a product and a sum for each term."""
    sizes = getattr(statement, "sizes", None)
    return operations_in(getattr(statement, "value", None)) if sizes is None else 2 * math.prod(sizes)


def operations_in(value: Any) -> int:
    """How many operations a value takes."""
    args = getattr(value, "args", None)
    return 0 if args is None else 1 + sum(map(operations_in, args))


def additions(program: Any, statement: Any, own: Sequence[int]) -> int:
    """What it costs to run a line once."""
    operations = operations_of(statement)
    rules = [program.plan.rule_of(program.jaxpr.eqns[k]) for k in own]
    arithmetic = max([operations, *(getattr(rule, "cost", 0) for rule in rules)]) if operations else 0
    loaded = [*package_module("layer2_jit.loops").loads([statement])]
    return arithmetic + MEMORY * (len(loaded) + is_store(statement))


def called_line(program: Any, name: str, number: int, step: int) -> CodeLine:
    """The line that calls an impl rule on whole arrays."""
    text = next(line.strip() for line in program.lines() if f"{name}(" in line)
    eqn = program.jaxpr.eqns[number]
    flops, functions = package_module("layer2_jit.cost").work.get(eqn.primitive, lambda eqn: (0, 0))(eqn)
    elements = sum(v.aval.size for v in (*eqn.invars, *eqn.outvars))
    cost = flops + FUNCTION * functions + MEMORY * elements
    return CodeLine(text, "call", step, (number,), 1, flops + functions, cost)


def steps_of(program: Any, lines: Sequence[CodeLine]) -> list[Step]:
    """The steps, with the sums of their lines."""
    return [step_of(program, k, [line for line in lines if line.step == k]) for k in range(len(program.steps))]


def step_of(program: Any, k: int, lines: Sequence[CodeLine]) -> Step:
    name, step = program.steps[k]
    kernel = is_kernel(step)
    reads, writes = (step.inputs, step.outputs) if kernel else (step.invars, step.outvars)
    arrays = [x if kernel else x.aval for x in (*reads, *writes)]
    size = sum(a.size * a.dtype.itemsize for a in arrays)
    names = [tuple(array_name(program, x) for x in side) for side in (reads, writes)]
    operations, cost = sum(line.operations for line in lines), sum(line.cost for line in lines)
    looped = kernel and step.in_order
    return Step(name, kernel, looped, operations, size, cost, names[0], names[1])


def array_name(program: Any, x: Any) -> str:
    """The name of a kernel's buffer or of a variable, or the value of a literal."""
    if hasattr(x, "val"):
        return str(x.val)
    return x.name if hasattr(x, "name") else program.names(x)
