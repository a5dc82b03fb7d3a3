"""The runnable form of a jaxpr: a Python function that calls kernels and library functions one after the other."""

import ctypes
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import compress
from types import CodeType
from typing import Any

import numpy as np

from ..layer1_core.array import numpy_value
from ..layer1_core.collecting import rarely
from ..layer1_core.evaluate import program_of, runners
from ..layer1_core.jaxpr import Jaxpr, Literal, Var
from ..layer1_core.lazy import Lazy
from ..layer1_core.stages import analyses
from . import convolving, heap, indexing, products, reports, rules, simpler, sorting, tiles, windows  # noqa: F401 - these enter rules
from .extremes import among_keys
from .functions import code_of
from .fusion import Plan
from .joining import Step
from .loops import Kernel, loop_of_parts
from .operations import DATA
from .passes import optimized
from .plain import in_order, library_call
from .render import canonical, names_of
from .reports import with_progress
from .steps import literals, steps_of
from .workers import Job, Worker, taking_turns

native = Lazy("minijax.layer2_jit.native")  # and with it Numba: when the first kernel is compiled
source = Lazy("minijax.layer2_jit.source")
cost = Lazy("minijax.layer2_jit.cost")
disk = Lazy("minijax.layer2_jit.disk")
blas = Lazy("minijax.layer2_jit.blas")
threads = Lazy("minijax.layer2_jit.threads")
machine = Lazy("minijax.layer2_jit.machine")  # and with it llvmlite: when the first kernel is loaded
# Numba and LLVM may each be entered once at a time, and not be left in the middle. So two threads compile, and an
# interrupt meets the one that waits for them. While LLVM works on a kernel, Numba works on the next one.
_numba, _llvm = Worker(), Worker()
Entry = Callable[..., None]  # a kernel as Python calls it: a function of its buffers
Form = tuple[str, tuple[str, ...], int, bool]  # text, dtypes, extent of a loop that runs in parts, whether unrolled
# By form, and the code of the functions that it names: equal kernels are compiled once.
_kernels: dict[Any, Entry] = {}
_coming: dict[Any, Job] = {}  # those that LLVM is at work on

# ---- the text of main


def head(program: "Program") -> str:
    """The first line of `main`: its parameters are the program's arguments."""
    return f"def main({', '.join(map(program.names, program.jaxpr.invars))}):"


def ordering(program: "Program") -> Iterator[str]:
    """The lines that put arguments in row-major order."""
    used = {id(v) for v in (*program.jaxpr.outvars, *(v for eqn in program.jaxpr.eqns for v in eqn.invars))}
    for v in program.jaxpr.invars:
        if id(v) in used and v.aval.shape:
            yield f"    {program.names(v)} = in_order({program.names(v)})"


def calls(program: "Program") -> Iterator[str]:
    """The lines that make arrays and call the steps."""
    name = partial(operand, program, literals(program.jaxpr, program.steps))
    for called, step in program.steps:
        if isinstance(step, Kernel):
            for out in step.outputs:
                yield f"    {out.name} = empty({out.shape}, {out.dtype.name})"
            yield f"    {called}({', '.join(b.name for b in step.buffers)})"
        else:
            results, operands = (", ".join(map(name, atoms)) for atoms in (step.outvars, step.invars))
            yield f"    {f'[{results}]' if step.primitive.multiple_results else results} = {called}({operands})"
    yield f"    return [{', '.join(map(name, program.jaxpr.outvars))}]"


def operand(program: "Program", numbers: Sequence[Literal], v: Var | Literal) -> str:
    """The name of a variable, or of a literal as an array."""
    return f"n{numbers.index(v)}" if isinstance(v, Literal) else program.names(v)


class Program:
    """What runs a jaxpr. Calling it computes; `text` is the Python source of its loops."""

    def __init__(self, jaxpr: Jaxpr, donated: Sequence[bool] = ()):
        self.jaxpr = optimized(jaxpr)
        self.plan = Plan(self.jaxpr)
        self.letters = names_of(self.jaxpr)
        self.free = {*map(self.letters, compress(self.jaxpr.invars, donated))}  # arguments that may be overwritten

    def __call__(self, args: Sequence[np.ndarray]) -> list[np.ndarray]:
        return self.main(*map(in_order, args))

    @cached_property
    def _steps(self) -> tuple[list[Step], dict[str, str]]:
        return steps_of(self.plan, self.letters, lambda x, result: x in self.free)

    @property
    def steps(self) -> list[Step]:
        """Each step with its name: a kernel, or an equation whose impl rule is called."""
        return self._steps[0]

    def names(self, v: Var) -> str:
        """What a variable is called in the text: by its letter, or by that of the operand in whose place it lies."""
        letter = self.letters(v)
        return self._steps[1].get(letter, letter)

    def lines(self) -> Iterator[str]:
        """The lines of `main`, the function that calls the steps."""
        yield from (head(self), *ordering(self), *calls(self))

    @property
    def text(self) -> str:
        """A Python file: the kernels, and the function that calls them."""
        return source.text(self)

    @cached_property
    def main(self) -> Callable[..., list[np.ndarray]]:
        """The function of arrays that calls the steps, compiled when it is first asked for."""
        reports.announce(self.jaxpr)
        with rarely(), reports.timed("jaxpr to loops conversion", self.jaxpr):
            self.steps  # noqa: B018 - written when first asked for
        with rarely(), reports.timed("Numba compilation of", self.jaxpr):
            return made(self)


# ---- main itself


def made(program: Program) -> Callable[..., list[np.ndarray]]:
    """The function that calls the steps, with its kernels as machine code."""
    heap.keep()
    jaxpr = program.jaxpr
    scope: dict[str, Any] = {"empty": np.empty}
    made = [b for _, step in program.steps if isinstance(step, Kernel) for b in step.outputs]
    scope |= {dtype.name: dtype for dtype in {x.dtype for x in (*(v.aval for v in _atoms(jaxpr)), *made)}}
    scope |= {f"n{k}": np.asarray(v.val, v.aval.dtype) for k, v in enumerate(literals(program.jaxpr, program.steps))}
    for v, const in zip(jaxpr.constvars, jaxpr.consts, strict=True):
        scope[program.names(v)] = in_order(numpy_value(const))
    forms = {name: form_of(step) for name, step in program.steps if isinstance(step, Kernel)}
    find = begun(form for form, _ in forms.values())
    for name, step in with_progress(program.steps, jaxpr):
        if isinstance(step, Kernel):
            form, constants = forms[name]
            scope[name] = with_constants(find(form), constants)
        else:
            scope[name] = library_call(step.primitive, step.params)
    exec(_definition(program), scope)
    return scope["main"]


def _definition(program: Program) -> CodeType:
    """The definition of `main`: for tracebacks and debuggers that of the file with the text, where there is one."""
    ordered = ("" for _ in ordering(program))  # its callers do that: only the numbers of the lines are kept
    lines = "\n".join([head(program), *ordered, *calls(program)])
    path = reports.dumped(program.jaxpr, lambda: program.text)
    if path is None:
        return compile(lines, "<main>", "exec")
    before = path.read_text("utf-8").partition("def main(")[0].count("\n")
    return compile("\n" * before + lines, str(path), "exec")


def _atoms(jaxpr: Jaxpr) -> Iterator[Any]:
    """All variables and literals of a program."""
    yield from (*jaxpr.constvars, *jaxpr.invars, *jaxpr.outvars)
    for eqn in jaxpr.eqns:
        yield from (*eqn.invars, *eqn.outvars)


def arrays_are_as_expected() -> bool:
    """Whether the address of an array's elements stands where machine code looks for it (in CPython with its lock)."""
    x = np.zeros(1)
    return sys.implementation.name == "cpython" and (
        ctypes.c_void_p.from_address(id(x) + DATA).value == x.__array_interface__["data"][0]
    )


@cache
def dtype_name(dtype: np.dtype) -> str:
    """Its name, which NumPy makes up each time that it is asked."""
    return dtype.name


def form_of(kernel: Kernel) -> tuple[Form, Sequence[np.ndarray]]:
    """What has to be compiled for a kernel, and the constants with which its function is called after the buffers."""
    text, constants = canonical(among_keys(kernel))
    dtypes = tuple(dtype_name(x.dtype) for x in (*kernel.buffers, *constants))
    loop = loop_of_parts(kernel) if kernel.in_parts else None
    return (text, dtypes, loop.extent if loop else 0, kernel.unrolled), constants


def with_constants(code: Entry, constants: Sequence[np.ndarray]) -> Entry:
    return code if not constants else lambda *buffers: code(*buffers, *constants)


def machine_code(kernel: Kernel) -> Entry:
    """The compiled kernel, a function of its buffers."""
    form, constants = form_of(kernel)
    return with_constants(found(form), constants)


def found(form: Form) -> Entry:
    """The function of a form: known in this process, or kept on disk, or compiled here."""
    return begun([form])(form)


def begun(forms: Iterable[Form]) -> Callable[[Form], Entry]:
    """Have the functions of forms looked for or made; the function that is returned waits for that of one form.

    The longest come first: when Numba is done with the last one, LLVM has little left to do.
    """
    keys = {form: (form, code_of(form[0])) for form in sorted({*forms}, key=lambda form: (-len(form[0]), form))}
    jobs = {form: _numba.post(Job(partial(_enter, key))) for form, key in keys.items() if key not in _kernels}

    def find(form: Form) -> Entry:
        try:
            if form in jobs:
                jobs[form].wait()
        except BaseException:
            for job in jobs.values():
                job.wanted = False  # where it has not begun
            raise
        return _kernels[keys[form]]

    return find


def _enter(key: tuple[Form, Any]) -> Job | None:
    """Load or compile the kernel of a form, if it is still needed: Numba's part, and the job that is LLVM's."""
    coming = _coming.get(key)
    if coming or key in _kernels:
        return coming
    form, name = key[0], disk.name_of(*key)
    if form[2]:
        threads.start()
    if "matmul_" in form[0]:
        blas.start()
    kept = disk.read(name)
    if kept is not None:
        _kernels[key] = machine.loaded(kept)
        return None
    with taking_turns():
        emitted = compiled(form)
    job = _coming[key] = Job(partial(_finish, key, name, emitted))
    return _llvm.post(job)


def _finish(key: tuple[Form, Any], name: str, emitted: Callable[[], bytes]) -> None:
    """LLVM's part: the machine code is made, kept on disk, and loaded."""
    try:
        code = emitted()
        disk.write(name, code)
        _kernels[key] = machine.loaded(code)
    finally:
        del _coming[key]


def compiled(form: Form) -> Callable[[], bytes]:
    """Numba's part of compiling a kernel, from its text. The result is LLVM's: it gives the object file."""
    text, dtypes, extent, unrolled = form
    namespace = native.scope()
    exec(compile(text, "<kernel>", "exec"), namespace)
    return native.compiled(namespace["kernel"], [*map(np.dtype, dtypes)], extent, unrolled)


if arrays_are_as_expected():  # else programs are interpreted
    runners.append(Program)


def _prepared(jaxpr: Jaxpr) -> None:
    """Compile a program, unless it is one that is interpreted."""
    program = program_of(jaxpr)
    if isinstance(program, Program):
        program.main  # noqa: B018 - compiled when first asked for


analyses.update(
    text=lambda jaxpr: Program(jaxpr).text,
    ir=Program,
    compile=_prepared,
    cost=lambda jaxpr: cost.of_equations(jaxpr),
    compiled_cost=lambda jaxpr: cost.of_program(Program(jaxpr)),
    memory=lambda jaxpr: cost.memory(Program(jaxpr)),
)
