"""The top-level statements of a source: the unit in which a chapter's cells and the package's text are compared."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

SHOWING = "print", "display", "help"
CELL = "the cell"  # what messages call a source in which Python finds an error


@dataclass(frozen=True)
class Statement:
    """One top-level statement: its text is whole lines, with its decorators and comments beside it."""

    key: str  # what it is found by: 'ShapedArray'
    text: str
    first: int  # line numbers in the source that it stands in, from 1
    last: int
    names: frozenset[str]  # that it binds

    @property
    def is_import(self) -> bool:
        return all(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(self.text).body)

    @property
    def only_shows(self) -> bool:
        """Whether it is an experiment, such as `print(f(1))`: no part of a module."""
        return self.only_calls(*SHOWING)

    def only_calls(self, *functions: str) -> bool:
        """Whether it is a mere call of one of these functions, or several calls in one line."""
        called = [_called(node) for node in ast.parse(self.text).body]
        return all(name in functions for name in called)


def _called(node: ast.stmt) -> str | None:
    match node:
        case ast.Expr(ast.Call(ast.Name(name))):
            return name
    return None


def lines_of(source: str) -> list[str]:
    """The lines of a source, as Python counts them: a form feed, say, ends none."""
    lines = re.split("\r\n|\r|\n", source)
    return lines if lines[-1] else lines[:-1]


@lru_cache(maxsize=1024)  # a package is built anew from the same files
def statements(source: str) -> tuple[Statement, ...]:
    """The statements of a source, in order; those that share a line are one. Raises SyntaxError, as the compiler.

    >>> [s.key for s in statements("import os\\nx: int = 3  # of what\\n\\n@cache\\ndef f(): ...\\na = 1; b = 2")]
    ['import os', 'x', 'f', 'a; b']
    """
    lines, found = lines_of(source), list[Statement]()
    for node in ast.parse(source, CELL).body:
        new = _statement(node, lines)
        if found and new.first <= found[-1].last:
            new = _joined(found.pop(), new, lines)
        found.append(new)
    return tuple(found)


@lru_cache(maxsize=8192)
def one_name_each(statement: Statement) -> tuple[Statement, ...]:
    """A statement `from m import a, b` as one statement for each name; any other as it is."""
    node, *more = ast.parse(statement.text).body
    if not isinstance(node, ast.ImportFrom) or more:
        return (statement,)
    start = f"from {'.' * node.level}{node.module or ''} import "
    texts = [start + alias.name + (f" as {alias.asname}" if alias.asname else "") for alias in node.names]
    names = [frozenset(_bound(alias)) for alias in node.names]
    each = zip(texts, names, strict=True)
    return tuple(replace(statement, key=text, text=text, names=name) for text, name in each)


def _statement(node: ast.stmt, lines: list[str]) -> Statement:
    first = min(n.lineno for n in (node, *getattr(node, "decorator_list", ())))
    last = node.end_lineno or first
    return Statement(_key(node), "\n".join(lines[first - 1 : last]), first, last, frozenset(_bound(node)))


def _joined(a: Statement, b: Statement, lines: list[str]) -> Statement:
    text = "\n".join(lines[a.first - 1 : b.last])
    return Statement(f"{a.key}; {b.key}", text, a.first, b.last, a.names | b.names)


def _key(node: ast.stmt) -> str:
    """The names that a statement binds, as they stand in it; its text where it binds none."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=targets):
            return ", ".join(map(ast.unparse, targets))
        case ast.AnnAssign(target=target):
            return ast.unparse(target)
    return ast.unparse(node)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds in the scope that it stands in."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            return  # what is inside is another scope
        case ast.alias(name=name, asname=asname):
            yield asname or name.split(".")[0]
        case ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Lambda():
            return
    inside = [node.iter, *node.ifs] if isinstance(node, ast.comprehension) else ast.iter_child_nodes(node)
    for child in inside:
        yield from _bound(child)
