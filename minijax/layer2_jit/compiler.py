"""The runnable form of a jaxpr: a Python function that calls kernels and library functions one after the other."""

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from types import CodeType
from typing import Any

import numpy as np

from ..layer1_core.array import numpy_value
from ..layer1_core.collecting import rarely
from ..layer1_core.evaluate import program_of, runners
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.lazy import Lazy
from ..layer1_core.stages import analyses
from . import contracting, indexing, reports, rules  # noqa: F401 - these enter the lowering rules
from .buffers import tidied
from .fusion import Group, Plan
from .hoisting import hoisted
from .joining import joined
from .loops import For, Kernel
from .operations import DATA
from .parts import divided
from .passes import optimized
from .plain import in_order, library_call
from .render import canonical, names_of
from .reports import with_progress
from .writing import written

native = Lazy("minijax.layer2_jit.native")  # and with it Numba: when the first kernel is compiled
source = Lazy("minijax.layer2_jit.source")
cost = Lazy("minijax.layer2_jit.cost")
disk = Lazy("minijax.layer2_jit.disk")
threads = Lazy("minijax.layer2_jit.threads")
machine = Lazy("minijax.layer2_jit.machine")  # and with it llvmlite: when the first kernel is loaded
_lock = threading.RLock()  # neither Numba nor LLVM may be entered by two threads at once
Form = tuple[str, tuple[str, ...], int, bool]  # text, dtypes, extent of a loop that runs in parts, whether unrolled
_kernels: dict[Form, Callable[..., None]] = {}  # equal kernels are compiled once


class Program:
    """What runs a jaxpr. Calling it computes; `text` is the Python source of its loops."""

    def __init__(self, jaxpr: Jaxpr, donated: Sequence[bool] = ()):
        self.jaxpr = optimized(jaxpr)
        self.plan = Plan(self.jaxpr)
        self.letters = names_of(self.jaxpr)
        self.free = {self.letters(v) for v, given in zip(self.jaxpr.invars, donated, strict=False) if given}

    def __call__(self, args: Sequence[np.ndarray]) -> list[np.ndarray]:
        return self.main(*map(in_order, args))

    # ---- the steps

    @cached_property
    def steps(self) -> list[tuple[str, Kernel | JaxprEqn]]:
        """Each step with its name: a kernel, or an equation whose impl rule is called."""
        return [(name, divided(hoisted(step)) if isinstance(step, Kernel) else step) for name, step in self._tidied[0]]

    @cached_property
    def _tidied(self) -> tuple[list[tuple[str, Kernel | JaxprEqn]], dict[str, str]]:
        results = {self.letters(v) for v in self.jaxpr.outvars if isinstance(v, Var)}
        return tidied(self._first_steps(), self._reads, results, self.free)

    def _first_steps(self) -> list[tuple[str, Kernel | JaxprEqn]]:
        found: list[tuple[str, Kernel | JaxprEqn]] = []
        for together, run in groupby(enumerate(self.plan.steps), lambda step: isinstance(step[1], Group)):
            if together:
                kernels = joined([written(self.plan, step, f"kernel_{k}", self.letters) for k, step in run])
                found += [(kernel.name, kernel) for kernel in kernels]
            else:
                found += [(f"{step.primitive.name.replace('-', '_')}_{k}", step) for k, step in run]
        return found

    def _reads(self, step: Kernel | JaxprEqn) -> set[str]:
        """The names of what a step reads."""
        if isinstance(step, Kernel):
            return {x.name for x in step.inputs}
        return {self.letters(v) for v in step.invars if isinstance(v, Var)}

    def names(self, v: Var) -> str:
        """What a variable is called in the text: by its letter, or by that of the operand in whose place it lies."""
        letter = self.letters(v)
        return self._tidied[1].get(letter, letter)

    def lines(self) -> Iterator[str]:
        """The lines of the function that calls the steps."""
        yield from (self._head(), *self._ordering(), *self._calls())

    def _head(self) -> str:
        return f"def main({', '.join(map(self.names, self.jaxpr.invars))}):"

    def _ordering(self) -> Iterator[str]:
        used = {id(v) for v in (*self.jaxpr.outvars, *(v for eqn in self.jaxpr.eqns for v in eqn.invars))}
        for v in self.jaxpr.invars:
            if id(v) in used and v.aval.shape:
                yield f"    {self.names(v)} = in_order({self.names(v)})"

    def _calls(self) -> Iterator[str]:
        for called, step in self.steps:
            if isinstance(step, Kernel):
                for out in step.outputs:
                    yield f"    {out.name} = empty({out.shape}, {out.dtype.name})"
                yield f"    {called}({', '.join(b.name for b in step.buffers)})"
            else:
                results, operands = ", ".join(map(self.names, step.outvars)), ", ".join(map(self._operand, step.invars))
                yield f"    {f'[{results}]' if step.primitive.multiple_results else results} = {called}({operands})"
        yield f"    return [{', '.join(map(self._operand, self.jaxpr.outvars))}]"

    def _operand(self, v: Var | Literal) -> str:
        """The name of a variable, or of a literal as an array."""
        return f"n{self.literals.index(v)}" if isinstance(v, Literal) else self.names(v)

    @cached_property
    def literals(self) -> list[Literal]:
        """The literals that are operands of called steps, or results."""
        called = [v for _, step in self.steps if isinstance(step, JaxprEqn) for v in step.invars]
        return [v for v in (*called, *self.jaxpr.outvars) if isinstance(v, Literal)]

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
            return self._compiled()

    def _compiled(self) -> Callable[..., list[np.ndarray]]:
        scope: dict[str, Any] = {"empty": np.empty}
        scope |= {v.aval.dtype.name: v.aval.dtype for v in _atoms(self.jaxpr)}
        scope |= {f"n{k}": np.asarray(v.val, v.aval.dtype) for k, v in enumerate(self.literals)}
        scope |= {
            self.names(v): in_order(numpy_value(c))
            for v, c in zip(self.jaxpr.constvars, self.jaxpr.consts, strict=True)
        }
        for name, step in with_progress(self.steps, self.jaxpr):
            scope[name] = machine_code(step) if isinstance(step, Kernel) else library_call(step.primitive, step.params)
        exec(self._code(), scope)
        return scope["main"]

    def _code(self) -> CodeType:
        """The definition of `main`: for tracebacks and debuggers that of the file with the text, where there is one."""
        ordered = ("" for _ in self._ordering())  # its callers do that: only the numbers of the lines are kept
        lines = "\n".join([self._head(), *ordered, *self._calls()])
        path = reports.dumped(self.jaxpr, lambda: self.text)
        if path is None:
            return compile(lines, "<main>", "exec")
        before = path.read_text("utf-8").partition("def main(")[0].count("\n")
        return compile("\n" * before + lines, str(path), "exec")


def _atoms(jaxpr: Jaxpr) -> Iterator[Any]:
    yield from (*jaxpr.constvars, *jaxpr.invars, *jaxpr.outvars)
    for eqn in jaxpr.eqns:
        yield from (*eqn.invars, *eqn.outvars)


def arrays_are_as_expected() -> bool:
    """Whether the address of an array's elements stands where machine code looks for it (in CPython with its lock)."""
    x = np.zeros(1)
    return sys.implementation.name == "cpython" and (
        ctypes.c_void_p.from_address(id(x) + DATA).value == x.__array_interface__["data"][0]
    )


def machine_code(kernel: Kernel) -> Callable[..., None]:
    """The compiled kernel, a function of its buffers: known already, or kept on disk, or compiled here."""
    text, constants = canonical(kernel)
    dtypes = tuple(x.dtype.name for x in (*kernel.buffers, *constants))
    loop = kernel.body[0] if kernel.in_parts else None
    form = text, dtypes, loop.extent if isinstance(loop, For) else 0, kernel.unrolled
    with _lock:
        if form not in _kernels:
            if kernel.in_parts:
                threads.start()
            name = disk.name_of(*form)
            code = disk.read(name)
            _kernels[form] = machine.loaded(code) if code else compiled(form, name)
        found = _kernels[form]
    return found if not constants else lambda *buffers: found(*buffers, *constants)


def compiled(form: Form, name: str) -> Callable[..., None]:
    """A kernel from its text; its machine code is kept on disk under `name`."""
    text, dtypes, extent, unrolled = form
    namespace = native.scope()
    exec(compile(text, "<kernel>", "exec"), namespace)
    found, code = native.compiled(namespace["kernel"], [*map(np.dtype, dtypes)], extent, unrolled)
    disk.write(name, code)
    return found


if arrays_are_as_expected():  # else programs are interpreted
    runners.append(Program)


def _prepared(jaxpr: Jaxpr) -> None:
    """Compile a program, if it is one that is compiled."""
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
