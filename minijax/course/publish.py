"""Write the package as it stood after a chapter into a folder: the layers up to it, and the faces cut at its headings.

What was typed differently from the package's text stands in its place. So the tests and the programs written for JAX
can be run on it, in a process that knows nothing of the course.
"""

import ast
import shutil
from collections.abc import Sequence
from pathlib import Path

from .chapters import PACKAGE, Typed, beginning, layer_of, refused, upto
from .statements import Statement, lines_of, statements

_TAIL = """

# ---- what later chapters bring
_own_getattr, _later = globals().get("__getattr__"), {later!r}


def __getattr__(name):
    if name in _later:
        told = f"module {{__name__!r}} has no attribute {{name!r}} yet: chapter {{_later[name]}} brings it"
        raise AttributeError(told)
    if _own_getattr:
        return _own_getattr(name)
    raise AttributeError(f"module {{__name__!r}} has no attribute {{name!r}}")
"""


def publish(folder: Path, chapter: int, typed: Typed | None = None) -> Path:
    """The path of the package as it stood after `chapter`, written into `folder`."""
    target = folder / PACKAGE.name
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE)
        text = _text(path, chapter, typed or {})
        if text is not None:
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            (target / file).write_text(text, encoding="utf-8")
    for path in PACKAGE.glob("py.typed"):
        shutil.copy(path, target)
    return target


def _text(path: Path, chapter: int, typed: Typed) -> str | None:
    """The text of a file of the package after a chapter; None where it is not there."""
    file, text = path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")
    if file.startswith("course/") or (layer_of(path) or beginning(text)) > chapter:
        return None
    if layer_of(path):
        return with_typed(text, [s for (of, _), s in typed.items() if of == file])
    later = refused(text, chapter)
    return upto(text, chapter) + (_TAIL.format(later=later) if later else "")


def with_typed(text: str, typed: Sequence[Statement]) -> str:
    """A file's text with these statements in the places of those of the same keys.

    A statement that is new stands above the first one that mentions what it binds, or at the end.
    """
    own, lines, theirs = {s.key: s for s in typed}, lines_of(text), statements(text)  # of two with one key the later
    found = {s.key: s for s in theirs}
    edits: list[tuple[int, int, list[str]]] = []  # (first, last + 1, what stands there instead), as indices of lines
    for s in own.values():
        if s.key in found:
            edits.append((found[s.key].first - 1, found[s.key].last, lines_of(s.text)))
            continue
        place = _place(s, [(t.first - 1, own.get(t.key, t)) for t in theirs])
        if place is None:
            edits.append((len(lines), len(lines), ["", "", *lines_of(s.text)]))
        else:
            edits.append((place, place, [*lines_of(s.text), "", ""]))
    edits.sort(key=lambda edit: edit[:2])
    for first, end, new in reversed(edits):  # what is below keeps its line until its turn
        lines[first:end] = new
    return "\n".join(lines) + "\n"


def _place(new: Statement, theirs: list[tuple[int, Statement]]) -> int | None:
    """The line, from 0, of the first statement that mentions a name that a new one binds; None where none does."""
    if new.key.startswith("from __future__"):
        return 0
    return next((line for line, s in theirs if new.names & _mentioned(s.text)), None)


def _mentioned(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
