"""Give a definition that is in use new code: so there stays one class and one function of a name, wherever it is held.

That is right where two texts of a definition differ in functions only, and none of those was called while the package
was built: what it made then would stay. Any other change asks for the package to be built anew.
"""

import __future__

import ast
import copy
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from .chapters import NAME
from .snapshot import is_of_package

Namespace = dict[str, Any]  # of a module


def adopt(namespace: Namespace, old: str, new: str, code: CodeType, called: set[CodeType]) -> bool:
    """Let the definition `old` in a module do what `new` says. False, and nothing done, where that cannot be.

    `code` is `new`, compiled; `called` holds the functions that were called while the package was built.
    """
    before, after = _Functions.of(old), _Functions.of(new)
    if before.rest != after.rest or after.twice:
        return False
    codes = {inner.co_qualname: inner for inner in _inside(code)}
    found = {name: f for name in after.texts if (f := _find(namespace, name))}
    if found.keys() != after.texts.keys():
        return False
    changed = [name for name, text in after.texts.items() if text != before.texts[name]]
    if any(found[name].__code__ in called for name in changed):
        return False
    if any(f.__code__.co_freevars != codes[name].co_freevars for name, f in found.items()):
        return False
    try:
        signatures = {name: _signature(namespace, after.plain[name], code) for name in changed if name in after.plain}
    except Exception:  # a default value cannot be computed here: to build anew tells why
        return False
    for name, function in found.items():
        _give(function, codes[name], signatures.get(name, function), called)
    _move_classes(namespace, codes)
    clear_caches()
    return True


class _Functions(ast.NodeTransformer):
    """Takes the functions out of a definition, or where they are decorated their bodies; `rest` is what is left.

    Functions that are inside of others are a part of these.
    """

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}  # 'ShapedArray.update' -> what was taken out
        self.plain: dict[str, ast.FunctionDef] = {}  # those without a decorator
        self.rest = ""
        self.twice = False  # whether two functions have one name, as those of a property may
        self._path: list[str] = []

    @classmethod
    def of(cls, source: str) -> "_Functions":
        found = cls()
        found.rest = ast.dump(found.visit(ast.parse(source)))
        return found

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._path.append(node.name)
        self.generic_visit(node)
        self._path.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        name, documented = ".".join([*self._path, node.name]), ast.get_docstring(node, clean=False) is not None
        self.twice |= name in self.texts
        if not node.decorator_list:
            self.texts[name], self.plain[name] = ast.dump(node), node
            return ast.Expr(ast.Constant(name))
        self.texts[name] = "\n".join(map(ast.dump, node.body[documented:]))
        node.body = node.body[:documented]
        return node


def _inside(code: CodeType) -> Iterator[CodeType]:
    """The pieces of code in a piece of code."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _inside(inner)


def _find(namespace: Namespace, name: str) -> FunctionType | None:
    """The function of a dotted name in a module; None where it is not there, or is wrapped too well."""
    *path, _ = name.split(".")
    inside: Any = namespace
    for part in path:
        inside = vars(inside[part]) if isinstance(inside.get(part), type) else {}
    found = [f for value in inside.values() for f in _unwrapped(value) if f.__globals__ is namespace]
    return next((f for f in found if f.__qualname__ == name), None)


def _unwrapped(value: Any) -> Iterator[FunctionType]:
    """The functions in a value: itself, or what a property, classmethod, staticmethod or cache is made of."""
    for inner in (value, *(getattr(value, part, None) for part in ("fget", "__func__", "__wrapped__"))):
        if isinstance(inner, FunctionType):
            yield inner


def _signature(namespace: Namespace, node: ast.FunctionDef, code: CodeType) -> FunctionType:
    """A function that does nothing, with the default values, annotations and docstring that a definition gives."""
    stub, scratch = copy.copy(node), {**namespace}
    stub.body = [*node.body[: ast.get_docstring(node) is not None], ast.Pass(lineno=1, col_offset=0)]
    flags = code.co_flags & __future__.annotations.compiler_flag
    exec(compile(ast.Module([stub], []), code.co_filename, "exec", flags, dont_inherit=True), scratch)
    return scratch[node.name]


def _give(function: FunctionType, code: CodeType, signature: FunctionType, called: set[CodeType]) -> None:
    """Let a function have this code (its lines move, even where it does the same) and the rest of this signature."""
    if function.__code__ in called:
        called.add(code)
    function.__code__ = code
    annotations = "__annotate__" if hasattr(function, "__annotate__") else "__annotations__"  # lazy from Python 3.14 on
    for part in ("__defaults__", "__kwdefaults__", "__doc__", annotations):
        setattr(function, part, getattr(signature, part))


def _move_classes(namespace: Namespace, codes: dict[str, CodeType]) -> None:
    """Tell a class where it stands: from Python 3.13 on it knows its line."""
    for name, code in codes.items():
        if isinstance(namespace.get(name), type) and "__firstlineno__" in vars(namespace[name]):
            namespace[name].__firstlineno__ = code.co_firstlineno


def clear_caches() -> None:
    """Forget what the package remembers, since it may have been computed with a definition that is gone."""
    modules = [module for name, module in [*sys.modules.items()] if is_of_package(name)]
    for cached in [value for module in modules for value in vars(module).values()]:
        if hasattr(type(cached), "cache_clear"):
            cached.cache_clear()
    forget = vars(sys.modules[NAME]).get("clear_caches")  # of what jit has traced
    if forget:
        forget()
