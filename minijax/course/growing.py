"""A module of the package under construction: its statements run as far as they can, and the rest waits.

The text of the module is cut into its top-level statements. A core definition of the chapter is a *hole* until its
step is typed. Any other statement runs when all that it needs is there; until then it waits, and what waits for it
waits too. A name that is not there yet is refused with the step that brings it.
"""

import __future__

import linecache
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

from .adopt import adopt
from .chapters import Step, layer_of
from .statements import Statement, lines_of, one_name_each, statements

Page = list[str]  # the lines of a file, and below them those that a learner typed otherwise
Name = tuple[str, str]  # (module, name): ('minijax.layer1_core.aval', 'typeof')
_missed: list[Name] = []  # the names that were asked for in vain, since the last attempt


@dataclass
class Piece:
    """A statement of a module, and what has become of it."""

    statement: Statement
    step: Step | None = None  # the step that types it, where that was not done
    typed: Statement | None = None  # what was typed for it
    stands: str | None = None  # the text that ran
    line: int = 0  # its first line, on the page
    waits: Name | None = None  # for what, when it was last tried

    @property
    def names(self) -> frozenset[str]:
        """The names that it binds, or will bind."""
        return self.statement.names


class GrowingModule(ModuleType):
    """A module that is there in part."""

    __slots__ = ("_growing",)  # and no method: in a module, a name of its text goes before a method of its class

    def __init__(self, name: str):
        super().__init__(name)
        self._growing: Growing | None = None

    def __getattr__(self, name: str) -> Any:
        if self._growing is None:  # Python looks for attributes before it executes a module
            raise AttributeError(name)
        return self._growing.missing(name)


class Growing:
    """How far a module is there: its statements, and what has become of each."""

    def __init__(self, module: GrowingModule, path: Path, page: Page, called: set[CodeType]):
        """Nothing is there yet.

        What is typed otherwise is added to `page`, and the functions that a statement calls when it runs to `called`.
        """
        self.name, self.space, self._path = module.__name__, vars(module), path
        self._page, self._length, self._called = page, len(lines_of(path.read_text())), called
        self._pieces: list[Piece] = []
        self._refused: dict[str, int] = {}
        module._growing = self

    def begin(self, source: str, holes: dict[str, Step], refused: dict[str, int]) -> None:
        """Take the text apart. `holes`: the keys that steps type; `refused`: the names of later chapters."""
        parts = statements(source)
        if layer_of(self._path):  # not in a face: there each import is of many names, from a module that comes whole
            parts = [part for s in parts for part in one_name_each(s)]
        self._pieces, self._refused = [Piece(s, holes.get(s.key)) for s in parts], refused

    def fill(self, typed: Iterable[Statement]) -> None:
        """Let these statements run in their places when their turn comes."""
        for statement in typed:
            piece = self._piece(statement)
            piece.step, piece.typed, piece.stands, piece.waits = None, statement, None, None

    # ---- running what can run

    def advance(self) -> bool:
        """Try each statement whose turn may have come. Whether one ran."""
        return sum(self._attempt(piece) for piece in self._pieces if self._may_run(piece)) > 0

    def _may_run(self, piece: Piece) -> bool:
        return piece.stands is None and not piece.step and (piece.waits is None or is_there(piece.waits))

    def _attempt(self, piece: Piece) -> bool:
        _missed.clear()
        there = piece.names & self.space.keys()
        try:
            self._run(piece)
        except (NameError, ImportError, AttributeError) as error:
            if not isinstance(error, ImportError):  # which has bound the names that are there
                for name in piece.names - there:  # `x: A = y` binds x before it looks for A
                    self.space.pop(name, None)
            piece.waits = self._lacking(error)
            if piece.waits is None:
                raise
            return False
        return True

    def _lacking(self, error: Exception) -> Name | None:
        """The name that is not there yet and so made a statement fail; None where the error has another reason."""
        if isinstance(error, NameError) and error.name:
            return pending_global(error)
        found = _missed[-1] if _missed else None
        _missed.clear()
        return found

    def _run(self, piece: Piece) -> None:
        """Execute a piece as the lines of this module's file where it stands."""
        text, line = self._place(piece)
        self._execute(self._compiled(text, line))
        piece.stands, piece.line, piece.waits = text, line, None
        self._show_source()

    def _compiled(self, text: str, line: int) -> CodeType:
        future = any(piece.statement.key == "from __future__ import annotations" for piece in self._pieces)
        flags = __future__.annotations.compiler_flag if future else 0
        return _code(text, line, str(self._path), flags)

    def _execute(self, code: CodeType) -> None:
        """Run code in this module, and note the functions that are called meanwhile."""

        def note(frame: FrameType, event: str, arg: Any) -> None:
            if event == "call":
                self._called.add(frame.f_code)

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            exec(code, self.space)
        finally:
            sys.setprofile(before)

    # ---- typing

    def take(self, statement: Statement) -> bool:
        """Let a statement that was typed stand in the module. False where only to build the package anew is right."""
        if self.text_of(statement) is not None:
            return self._replace(statement)
        if self._rebinds(statement):
            return False
        self.put(statement)
        return True

    def put(self, statement: Statement) -> None:
        """Execute a statement that was typed, at once."""
        piece = self._piece(statement)
        piece.step, piece.typed = None, statement
        self._run(piece)

    def show(self, statement: Statement) -> None:
        """Execute a statement that is no part of the module."""
        exec(self._compiled(statement.text, self._write(statement.text)), self.space)

    def _replace(self, statement: Statement) -> bool:
        """Give what stands in the place of a statement the new code, where that is all that it takes."""
        piece = self._piece(statement)
        assert piece.stands is not None
        text, line = self._place(replace(piece, typed=statement))
        if not adopt(self.space, piece.stands, text, self._compiled(text, line), self._called):
            return False
        piece.typed, piece.stands, piece.line = statement, text, line
        self._show_source()
        return True

    def _rebinds(self, statement: Statement) -> bool:
        """Whether a statement binds a name that another one has bound: whoever imported that has the old meaning."""
        return any(p.stands is not None and p.names & statement.names for p in self._pieces)

    def text_of(self, statement: Statement) -> str | None:
        """The text that stands in the place of a statement."""
        found = self._find(statement)
        return found.stands if found else None

    def package_text(self, statement: Statement) -> str | None:
        """The package's text of a statement; None where the package has none."""
        found = self._find(statement)
        return found.statement.text if found and found.statement.first else None

    def waiting(self) -> list[Piece]:
        """The statements that have not run."""
        return [piece for piece in self._pieces if piece.stands is None]

    def _find(self, statement: Statement) -> Piece | None:
        return next((p for p in self._pieces if p.statement.key == statement.key), None)

    def _piece(self, statement: Statement) -> Piece:
        """The piece of a statement: that of its key, or one that is new to the module."""
        found = self._find(statement)
        if found is None:
            found = Piece(replace(statement, first=0, last=0))
            self._pieces.append(found)
        return found

    # ---- what inspect and tracebacks read

    def _place(self, piece: Piece) -> tuple[str, int]:
        """The text of a piece, and the line where it stands."""
        package = piece.statement
        if piece.typed and (piece.typed.text != package.text or not package.first):
            return piece.typed.text, self._write(piece.typed.text)
        return package.text, package.first

    def _write(self, text: str) -> int:
        """Put a learner's own text below the text of the file, whose lines keep their numbers; its first line."""
        first = len(self._page) + 3
        self._page += ["", "", *lines_of(text)]
        self._show_source()
        return first

    def _show_source(self) -> None:
        """Give linecache the module's text as it stands: with the learner's definitions in place of the file's."""
        lines, file = [*self._page], str(self._path)
        replaced = [p.statement for p in self._pieces if p.statement.first and p.stands not in (None, p.statement.text)]
        for s in replaced:
            lines[s.first - 1 : s.last] = [""] * (s.last - s.first + 1)
        if len(lines) == self._length:
            linecache.cache.pop(file, None)
        else:
            linecache.cache[file] = (1, None, [line + "\n" for line in lines], file)

    # ---- what is not there yet

    def missing(self, name: str) -> Any:
        """What the module computes for a name that is not there. Raises AttributeError, and says why."""
        told = f"module {self.name!r} has no attribute {name!r}"
        if self.pending(name):
            _missed.append((self.name, name))
            raise AttributeError(f"{told} yet: {self.reason(name)}")
        if name in self._refused:
            raise AttributeError(f"{told} yet: chapter {self._refused[name]} brings it")
        if own := self.space.get("__getattr__"):
            return own(name)
        raise AttributeError(told)

    def pending(self, name: str) -> Piece | None:
        """The statement that will bind `name`, where it has not run."""
        return next((p for p in self._pieces if p.stands is None and name in p.names), None)

    def reason(self, name: str) -> str:
        """Why a name is not there yet: 'it waits for step 1.10 (layer1_core/primitive.py: Primitive)'."""
        piece, seen = self.pending(name), set()
        while piece and not piece.step and piece.waits and piece.waits not in seen:
            seen.add(piece.waits)
            further = growing_of(piece.waits[0])
            piece = further.pending(piece.waits[1]) if further else None
        if piece and piece.step:
            chapter = piece.step.id.split(".")[0]
            how = ", in" if name in piece.names else "; it waits for"
            return f"chapter {chapter} brings it{how} {piece.step}"
        return "it waits for a step of this chapter"

    # ---- going back

    def states(self) -> list[tuple[Piece, Piece]]:
        """The pieces, each with a copy that says how it stands. The texts of attempts that failed are forgotten."""
        ends = [p.line + len(lines_of(p.stands)) - 1 for p in self._pieces if p.stands]
        del self._page[max([self._length, *ends]) :]
        return [(piece, replace(piece)) for piece in self._pieces]

    def go_back(self, states: list[tuple[Piece, Piece]]) -> None:
        """Let the pieces be what `states` gave once."""
        self._pieces = [piece for piece, _ in states]
        for piece, then in states:
            if piece.stands and then.stands and piece.stands != then.stands:  # a signature is in no snapshot
                adopt(self.space, piece.stands, then.stands, self._compiled(then.stands, then.line), set())
            vars(piece).update(vars(then))
        self._show_source()


@lru_cache(maxsize=8192)  # a package is built anew from the same texts
def _code(text: str, line: int, file: str, flags: int) -> CodeType:
    return compile("\n" * (line - 1) + text, file, "exec", flags, dont_inherit=True)


# Where a traceback leaves the course for the package, and where it comes back to ask for a name.
EXECUTE, ASK = frozenset([Growing._execute.__code__, Growing.show.__code__]), GrowingModule.__getattr__.__code__


def growing_of(module: str) -> Growing | None:
    """How far a loaded module is there; None for one that is none of these."""
    found = sys.modules.get(module)
    return found._growing if isinstance(found, GrowingModule) else None


def growing() -> list[Growing]:
    """All of those, as far as they are loaded."""
    return [found for name in [*sys.modules] if (found := growing_of(name))]


def is_there(name: Name) -> bool:
    """Whether a name that something waits for has come. (Or its module is gone: then to try again tells.)"""
    module = sys.modules.get(name[0])
    return module is None or name[1] in vars(module)


def pending_global(error: NameError) -> Name | None:
    """The name of a module under construction that a NameError is about, where it is not there yet."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    found = growing_of(frames[-1].f_globals.get("__name__", "")) if frames else None
    return (found.name, error.name) if found and error.name and found.pending(error.name) else None
