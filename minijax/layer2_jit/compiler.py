"""The runnable form of a jaxpr: a Python function that calls kernels and library functions one after the other."""

import ctypes
import keyword
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..layer1_core.array import numpy_value
from ..layer1_core.evaluate import run_equation, runners
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.lazy import Lazy
from ..layer1_core.stages import texts
from . import rules  # noqa: F401 - rules enters the lowering rules
from .fusion import Group, Plan
from .loops import Kernel
from .operations import DATA
from .passes import optimized
from .render import canonical, rendered
from .writing import written

native = Lazy("minijax.layer2_jit.native")  # and with it Numba: when the first kernel is compiled
disk = Lazy("minijax.layer2_jit.disk")
machine = Lazy("minijax.layer2_jit.machine")  # and with it llvmlite: when the first kernel is loaded
_lock = threading.RLock()  # neither Numba nor LLVM may be entered by two threads at once
_kernels: dict[Any, Callable[..., None]] = {}  # text and types -> machine code: equal kernels are compiled once


class Program:
    """What runs a jaxpr. Calling it computes; `text` is the Python source of its loops."""

    def __init__(self, jaxpr: Jaxpr):
        self.jaxpr = optimized(jaxpr)
        self.plan = Plan(self.jaxpr)
        self.names = letters(self.jaxpr)

    def __call__(self, args: Sequence[np.ndarray]) -> list[np.ndarray]:
        return self.main(*args)

    # ---- the steps

    @cached_property
    def steps(self) -> list[tuple[str, Kernel | JaxprEqn]]:
        """Each step with its name: a kernel, or an equation whose impl rule is called."""
        found: list[tuple[str, Kernel | JaxprEqn]] = []
        for k, step in enumerate(self.plan.steps):
            if isinstance(step, Group):
                name = f"kernel_{k}"
                found.append((name, written(self.plan, step, name, self.names)))
            else:
                found.append((f"{step.primitive.name.replace('-', '_')}_{k}", step))
        return found

    def lines(self) -> Iterator[str]:
        """The lines of the function that calls the steps."""
        name = self.names
        used = {id(v) for v in (*self.jaxpr.outvars, *(v for eqn in self.jaxpr.eqns for v in eqn.invars))}
        yield f"def main({', '.join(map(name, self.jaxpr.invars))}):"
        for v in self.jaxpr.invars:
            if id(v) in used and v.aval.shape:
                yield f"    {name(v)} = in_order({name(v)})"
        for called, step in self.steps:
            if isinstance(step, Kernel):
                for out in step.outputs:
                    yield f"    {out.name} = empty({out.shape}, {out.dtype.name})"
                yield f"    {called}({', '.join(b.name for b in step.buffers)})"
            else:
                results = ", ".join(map(name, step.outvars)) + ("," if step.primitive.multiple_results else "")
                yield f"    {results} = {called}({', '.join(map(self._operand, step.invars))})"
        yield f"    return [{', '.join(map(self._operand, self.jaxpr.outvars))}]"

    def _operand(self, v: Var | Literal) -> str:
        """The name of a variable, or of a literal as an array."""
        return f"n{self._literals.index(v)}" if isinstance(v, Literal) else self.names(v)

    @cached_property
    def _literals(self) -> list[Literal]:
        """The literals that are operands of called steps, or results."""
        called = [v for _, step in self.steps if isinstance(step, JaxprEqn) for v in step.invars]
        return [v for v in (*called, *self.jaxpr.outvars) if isinstance(v, Literal)]

    @property
    def text(self) -> str:
        """The Python source: the kernels, and the function that calls them."""
        kernels = [rendered(step) for _, step in self.steps if isinstance(step, Kernel)]
        numbers = [f"n{k} = array({v.val}, {v.aval.dtype.name})" for k, v in enumerate(self._literals)]
        return "\n\n".join([*kernels, *numbers, "\n".join(self.lines())]) + "\n"

    @cached_property
    def main(self) -> Callable[..., list[np.ndarray]]:
        """The function of arrays that calls the steps, compiled when it is first asked for."""
        scope: dict[str, Any] = {"in_order": in_order, "empty": np.empty}
        scope |= {v.aval.dtype.name: v.aval.dtype for v in _atoms(self.jaxpr)}
        scope |= {f"n{k}": np.asarray(v.val, v.aval.dtype) for k, v in enumerate(self._literals)}
        scope |= {
            self.names(v): in_order(numpy_value(c))
            for v, c in zip(self.jaxpr.constvars, self.jaxpr.consts, strict=True)
        }
        for name, step in self.steps:
            scope[name] = machine_code(step) if isinstance(step, Kernel) else _called(step)
        exec(compile("\n".join(self.lines()), "<main>", "exec"), scope)
        return scope["main"]


def _atoms(jaxpr: Jaxpr) -> Iterator[Any]:
    yield from (*jaxpr.constvars, *jaxpr.invars, *jaxpr.outvars)
    for eqn in jaxpr.eqns:
        yield from (*eqn.invars, *eqn.outvars)


def in_order(x: np.ndarray) -> np.ndarray:
    """An array as kernels read it: aligned, and in row-major order."""
    flags = x.flags
    return x if flags.c_contiguous and flags.aligned else np.ascontiguousarray(x)


def arrays_are_as_expected() -> bool:
    """Whether the address of an array's elements stands where machine code looks for it (in CPython with its lock)."""
    x = np.zeros(1)
    return sys.implementation.name == "cpython" and (
        ctypes.c_void_p.from_address(id(x) + DATA).value == x.__array_interface__["data"][0]
    )


def letters(jaxpr: Jaxpr) -> Callable[[Var], str]:
    """The name of each variable: the letter that it has in the printed program."""
    found: dict[int, str] = {}
    for v in (*jaxpr.constvars, *jaxpr.invars, *(v for eqn in jaxpr.eqns for v in eqn.outvars)):
        number, text = len(found), ""
        while number >= 0:
            number, text = number // 26 - 1, chr(ord("a") + number % 26) + text
        found[id(v)] = f"{text}_" if keyword.iskeyword(text) else text
    return lambda v: found[id(v)]


def _called(eqn: JaxprEqn) -> Callable[..., Any]:
    """The step that computes an equation with its impl rule."""

    def call(*values: np.ndarray) -> Any:
        with np.errstate(all="ignore"):
            out = run_equation(eqn.primitive, values, eqn.params)
        if eqn.primitive.multiple_results:
            return [in_order(np.asarray(x)) for x in out]
        return in_order(np.asarray(out))

    return call


def machine_code(kernel: Kernel) -> Callable[..., None]:
    """The compiled kernel, a function of its buffers: known already, or kept on disk, or compiled here."""
    text, constants = canonical(kernel)
    dtypes = [*(b.dtype for b in kernel.buffers), *(c.dtype for c in constants)]
    key = text, tuple(d.name for d in dtypes)
    with _lock:
        if key not in _kernels:
            name = disk.name_of(*key)
            code = disk.read(name)
            _kernels[key] = machine.loaded(code) if code else compiled(text, dtypes, name)
        found = _kernels[key]
    return found if not constants else lambda *buffers: found(*buffers, *constants)


def compiled(text: str, dtypes: list[np.dtype], name: str) -> Callable[..., None]:
    """A kernel from its text; its machine code is kept on disk under `name`."""
    namespace = native.scope()
    exec(compile(text, "<kernel>", "exec"), namespace)
    found, code = native.compiled(namespace["kernel"], dtypes)
    disk.write(name, code)
    return found


if arrays_are_as_expected():  # else programs are interpreted
    runners.append(Program)
texts.append(lambda jaxpr: Program(jaxpr).text)
