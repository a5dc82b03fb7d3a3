"""The runnable form of a jaxpr: a Python function that calls kernels and library functions one after the other."""

import _thread
import contextvars
import ctypes
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
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
from . import indexing, products, reports, rules, simpler, sorting, tiles, windows  # noqa: F401 - these enter rules
from .functions import code_of
from .fusion import Plan
from .joining import Step
from .loops import Kernel, only_loop
from .operations import DATA
from .passes import optimized
from .plain import in_order, library_call
from .render import canonical, names_of
from .reports import with_progress
from .steps import literals, steps_of

native = Lazy("minijax.layer2_jit.native")  # and with it Numba: when the first kernel is compiled
source = Lazy("minijax.layer2_jit.source")
cost = Lazy("minijax.layer2_jit.cost")
disk = Lazy("minijax.layer2_jit.disk")
blas = Lazy("minijax.layer2_jit.blas")
threads = Lazy("minijax.layer2_jit.threads")
machine = Lazy("minijax.layer2_jit.machine")  # and with it llvmlite: when the first kernel is loaded
# Numba and LLVM may be entered once at a time, and not be left in the middle. So one thread compiles, and an interrupt
# meets the one that waits for it. Its queue is one that a handler of signals may enter in the middle.
Jobs = queue.SimpleQueue[tuple[Callable[[], None], list[BaseException], threading.Event]]
_compilers: dict[str, tuple[int, Jobs]] = {}  # 'thread': its number and its jobs, from the first kernel on
Form = tuple[str, tuple[str, ...], int, bool]  # text, dtypes, extent of a loop that runs in parts, whether unrolled
# By form, and the code of the functions that it names: equal kernels are compiled once.
_kernels: dict[Any, Callable[..., None]] = {}

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
    jaxpr = program.jaxpr
    scope: dict[str, Any] = {"empty": np.empty}
    made = [b for _, step in program.steps if isinstance(step, Kernel) for b in step.outputs]
    scope |= {dtype.name: dtype for dtype in {x.dtype for x in (*(v.aval for v in _atoms(jaxpr)), *made)}}
    scope |= {f"n{k}": np.asarray(v.val, v.aval.dtype) for k, v in enumerate(literals(program.jaxpr, program.steps))}
    for v, const in zip(jaxpr.constvars, jaxpr.consts, strict=True):
        scope[program.names(v)] = in_order(numpy_value(const))
    find = cache(found)  # equal kernels of a program are looked for once
    for name, step in with_progress(program.steps, jaxpr):
        is_kernel = isinstance(step, Kernel)
        scope[name] = machine_code(step, find) if is_kernel else library_call(step.primitive, step.params)
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


def found(form: Form) -> Callable[..., None]:
    """The function of a form: known in this process, or kept on disk, or compiled here."""
    key = form, code_of(form[0])
    if key not in _kernels:
        context = contextvars.copy_context()
        _in_own_thread(lambda: context.run(_enter, key))
    return _kernels[key]


def machine_code(kernel: Kernel, find: Callable[[Form], Callable[..., None]] = found) -> Callable[..., None]:
    """The compiled kernel, a function of its buffers."""
    text, constants = canonical(kernel)
    dtypes = tuple(x.dtype.name for x in (*kernel.buffers, *constants))
    loop = only_loop(kernel) if kernel.in_parts else None
    code = find((text, dtypes, loop.extent if loop else 0, kernel.unrolled))
    return code if not constants else lambda *buffers: code(*buffers, *constants)


def _enter(key: tuple[Form, Any]) -> None:
    """Load or compile the kernel of a form, if it is still needed."""
    if key in _kernels:
        return
    form = key[0]
    if form[2]:
        threads.start()
    if "matmul_" in form[0]:
        blas.start()
    name = disk.name_of(*key)
    code = disk.read(name)
    if code is None:
        code = compiled(form)
        disk.write(name, code)
    _kernels[key] = machine.loaded(code)


def _in_own_thread(job: Callable[[], None]) -> None:
    """Wait until the thread that compiles has done a job; the error that it met is raised here."""
    if "thread" not in _compilers:
        jobs: Jobs = queue.SimpleQueue()
        started = _thread.start_new_thread(_work, (jobs,)), jobs  # (threading's own start may not be interrupted)
        _compilers.setdefault("thread", started)
    number, jobs = _compilers["thread"]
    if number == threading.get_ident():
        job()
        return
    errors: list[BaseException] = []
    done = threading.Event()
    jobs.put((job, errors, done))
    done.wait()
    for error in errors:
        raise error


def _work(jobs: Jobs) -> None:
    while True:
        job, errors, done = jobs.get()
        try:
            job()
        except BaseException as error:  # raised again where it is waited for
            errors.append(error)
        done.set()
        del job, errors  # hold nothing while waiting


os.register_at_fork(after_in_child=_compilers.clear)  # threads stay behind


def compiled(form: Form) -> bytes:
    """The object file with the machine code of a kernel, from its text."""
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
