"""The text of a program: a Python file that a learner can read, step through, and run without Numba."""

import ast
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from ..layer1_core.array import numpy_value
from ..layer1_core.aval import ShapedArray
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.jit_call import Unspecified
from ..layer1_core.pretty import Names, jaxpr_doc, layout
from ..layer1_core.primitive import Primitive
from ..layer1_core.tree import PyTreeDef
from . import plain, scalars
from .functions import MODULES
from .loops import Kernel
from .render import names_of, rendered
from .steps import literals

_SMALL = 16  # elements of a captured array that is written out


class Program(Protocol):
    """What the text is made from: see compiler.py."""

    jaxpr: Jaxpr
    letters: Callable[[Var], str]

    @property
    def steps(self) -> list[tuple[str, Kernel | JaxprEqn]]: ...

    def names(self, v: Var) -> str: ...

    def lines(self) -> Iterator[str]: ...


def text(program: Program) -> str:
    """The whole file: what it is, what it imports, the program, its kernels, its called steps, `main`, a trial."""
    values = Values()
    kernels = [f"@kernel\n{rendered(step)}" for _, step in program.steps if isinstance(step, Kernel)]
    named = [*_constants(program), *_numbers(program), *_calls(program, values)]
    blocks = [*kernels, *values.before, *(["\n".join(named)] if named else []), _main(program), _trial(program)]
    body = "\n\n\n".join(blocks)
    head = f'"""{_about(program)}"""\n\n{_imports(body, values)}\n\n{_commented(program)}'
    return f"{head}\n\n\n{body}\n"


# ---- names


def _home(name: str) -> ModuleType | None:
    """The module that has an operation of this name."""
    if name.startswith("_"):
        return None
    if name in vars(plain):
        return plain
    own = (m for m in (scalars, *MODULES) if getattr(vars(m).get(name), "__module__", None) == m.__name__)
    return next(own, plain if hasattr(plain, name) else None)


def _imports(body: str, values: "Values") -> str:
    """The lines that import what the text names and does not define."""
    nodes = [*ast.walk(ast.parse(body))]
    defined = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    defined |= {n.name for n in nodes if isinstance(n, ast.FunctionDef)}
    defined |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    read = {n.id for n in nodes if isinstance(n, ast.Name)} - defined
    homes = {name: module.__name__ for name in read if (module := _home(name))} | values.imports
    modules = sorted({*homes.values()})
    return "\n".join(_import(module, [n for n in sorted(homes) if homes[n] == module]) for module in modules)


def _import(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= 120 else f"from {module} import (\n" + "".join(f"    {n},\n" for n in names) + ")"


# ---- the parts of the file


def _about(program: Program) -> str:
    """The docstring: which letter is which argument, and of what type."""
    jaxpr, info = program.jaxpr, program.jaxpr.debug_info
    names = info.arg_names if info and len(info.arg_names) == len(jaxpr.invars) else [""] * len(jaxpr.invars)
    arguments = [_argument(program, v, _quoted(name)) for v, name in zip(jaxpr.invars, names, strict=True)]
    captured = [_argument(program, v, "captured, so given to main by name") for v in _large(jaxpr)]
    results = ", ".join(v.aval.str_short() for v in jaxpr.outvars) or "none"
    return "\n".join([
        f"The loops of {info.func_name if info else 'a function'}.\n",
        *arguments, *captured, f"    result: {results}\n",
        "It runs without Numba: `main` takes arrays and returns a list of arrays.\n",
    ])  # fmt: skip


def _argument(program: Program, v: Var, what: str) -> str:
    return f"    {program.names(v)}: {v.aval.str_short()}  {what}".rstrip()


def _quoted(name: str) -> str:
    """A name as a docstring can hold it."""
    return name.replace("\\", "/").replace('"', "'")


def _commented(program: Program) -> str:
    """The printed program, by whose letters the loops go, as a comment."""
    jaxpr, names = program.jaxpr, Names(program.jaxpr)
    variables = (*jaxpr.constvars, *jaxpr.invars, *(v for eqn in jaxpr.eqns for v in eqn.outvars))
    names.vars.update((id(v), program.letters(v)) for v in variables)
    names.count = len(variables)
    return "\n".join(f"# {line}".rstrip() for line in layout(jaxpr_doc(jaxpr, names)).splitlines())


def _large(jaxpr: Jaxpr) -> list[Var]:
    """The captured arrays that are too large to be written out."""
    return [v for v in jaxpr.constvars if v.aval.size > _SMALL]


def _constants(program: Program) -> Iterator[str]:
    jaxpr = program.jaxpr
    for v, const in zip(jaxpr.constvars, jaxpr.consts, strict=True):
        if v.aval.size <= _SMALL:
            yield f"{program.names(v)} = {_array(numpy_value(const))}"


def _numbers(program: Program) -> Iterator[str]:
    for k, v in enumerate(literals(program.jaxpr, program.steps)):
        yield f"n{k} = {_array(np.asarray(v.val, v.aval.dtype))}"


def _calls(program: Program, values: "Values") -> Iterator[str]:
    for name, step in program.steps:
        if isinstance(step, JaxprEqn):
            params = [f"{key}={values.source(value)}" for key, value in sorted(step.params.items())]
            yield f"{name} = " + _called("call", [f'"{step.primitive.name}"', *params])


def _called(fun: str, arguments: Sequence[str]) -> str:
    line = f"{fun}({', '.join(arguments)})"
    return line if len(line) <= 100 else f"{fun}(\n" + "".join(f"    {a},\n" for a in arguments) + ")"


def _main(program: Program) -> str:
    """The function that calls the steps; it takes large captured arrays by name."""
    head, *rest = program.lines()
    captured = [program.names(v) for v in _large(program.jaxpr)]
    if captured:
        given = [*map(program.names, program.jaxpr.invars), "*", *captured]
        head = f"def main({', '.join(given)}):"
    return "\n".join([head, *rest])


def _trial(program: Program) -> str:
    arguments = [_example(v.aval) for v in program.jaxpr.invars]
    arguments += [f"{program.names(v)}={_example(v.aval)}" for v in _large(program.jaxpr)]
    return f'if __name__ == "__main__":  # on example values\n    show({", ".join(["main", *arguments])})'


def _example(aval: ShapedArray) -> str:
    return f"example({', '.join([aval.dtype.name, *map(str, aval.shape)])})"


# ---- values


class Values:
    """Parameters of equations as Python: `imports` says where their names come from, `before` is what they refer to."""

    def __init__(self) -> None:
        self.imports: dict[str, str] = {}
        self.before: list[str] = []

    def source(self, value: Any) -> str:
        """The expression for a value; what cannot be written is an `Opaque`."""
        match value:
            case Enum():
                return f"{self.named(type(value))}.{value.name}"
            case None | bool() | int() | str():
                return repr(value)
            case np.ndarray():
                return _array(value)
            case float() | complex() | np.generic():
                return number(value)
            case np.dtype():
                return f'dtype("{value.name}")'
            case Primitive():
                return f'primitive("{value.name}")'
            case Unspecified():
                self.imports["UNSPECIFIED"] = Unspecified.__module__
                return "UNSPECIFIED"
            case Jaxpr() if not value.consts:
                return self.program(value)
            case tuple() if not hasattr(value, "_fields"):
                return f"({', '.join(map(self.source, value))}{',' * (len(value) == 1)})"
            case list():
                return f"[{', '.join(map(self.source, value))}]"
            case dict():
                return f"{{{', '.join(f'{self.source(key)}: {self.source(x)}' for key, x in value.items())}}}"
            case PyTreeDef():
                return f"tree_structure({self.source(value.unflatten([0] * value.num_leaves))})"
        fields = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
        if fields is None or isinstance(value, type):
            return f'Opaque("{type(value).__name__}")'
        return f"{self.named(type(value))}({', '.join(f'{f}={self.source(getattr(value, f))}' for f in fields)})"

    def named(self, kind: type) -> str:
        """The name of a class, which is imported."""
        self.imports[kind.__name__] = kind.__module__
        return kind.__name__

    def program(self, jaxpr: Jaxpr) -> str:
        """The name of a program that is a parameter; it is written as a function that binds primitives."""
        names = names_of(jaxpr)
        operand = lambda v: number(v.val, v.aval.dtype) if isinstance(v, Literal) else names(v)
        lines = []
        for eqn in jaxpr.eqns:
            params = [f"{key}={self.source(value)}" for key, value in sorted(eqn.params.items())]
            results = ", ".join(map(names, eqn.outvars)) + "," * eqn.primitive.multiple_results
            bound = _called("bind", [f'"{eqn.primitive.name}"', *map(operand, eqn.invars), *params])
            lines += [f"    {line}" for line in (f"{results} = {bound}" if eqn.outvars else bound).splitlines()]
        types = ", ".join(f"({v.aval.dtype.name}, {v.aval.shape})" for v in jaxpr.invars)
        called = f"program_{len(self.before)}"  # after those that it refers to
        head = [f"@program({types})", f"def {called}({', '.join(map(names, jaxpr.invars))}):"]
        self.before.append("\n".join([*head, *lines, f"    return [{', '.join(map(operand, jaxpr.outvars))}]"]))
        return called


def number(value: Any, dtype: Any = None) -> str:
    """A scalar as Python, with its type where it has one of NumPy's."""
    if dtype is None and not isinstance(value, np.generic):
        return repr(value)
    value = np.asarray(value, dtype)
    return repr(value.item()) if value.dtype == np.bool_ else f"{value.dtype.name}({value.item()!r})"


def _array(value: np.ndarray) -> str:
    if value.dtype.name == "bfloat16":
        return f"array({value.astype(np.float32).tolist()}, bfloat16)"
    shaped = "" if value.size else f".reshape({value.shape})"  # which lists do not tell
    return f"array({value.tolist()}, {value.dtype.name}){shaped}"
