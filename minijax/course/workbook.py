"""The notebooks of exercises on disk: the given ones, the solutions, and the learner's copies in work/.

A notebook is JSON. It is read as that, because `import minijax.course` stays fast so: nbformat alone takes a second.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from .catalogue import EXERCISES, stem
from .exercise import Exercise

ROOT = Path(__file__).parent.parent.parent
WORK = ROOT / "work"
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

Cell = dict[str, Any]


class NotReadable(Exception):
    """A notebook that is missing, or that is none. Its text says which, for the learner."""


@dataclass(frozen=True)
class Workbook:
    """One notebook of exercises."""

    path: Path
    content: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> "Workbook":
        """The notebook in `path`. Raises NotReadable."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            assert all(isinstance(source_of(cell), str) for cell in content["cells"])
        except FileNotFoundError:
            raise NotReadable(f"There is no {shown(path)}.") from None
        except (OSError, ValueError, TypeError, KeyError, AssertionError, RecursionError):
            raise NotReadable(f"{shown(path)} is no notebook.") from None
        return cls(path, content)

    @property
    def cells(self) -> list[Cell]:
        return self.content["cells"]

    def answer_cell(self, exercise: Exercise) -> Cell | None:
        """The cell in which the exercise is answered: by its id, or by its mark where an editor gave it another id."""
        code = [cell for cell in self.cells if cell.get("cell_type") == "code"]
        named = [cell for cell in code if cell.get("id") == f"{stem(exercise)}-answer"]
        marked = [cell for cell in code if _mark(cell) == {"exercise": exercise.id, "role": "answer"}]
        return next(iter(named + marked), None)

    def code_until_check(self, exercise: Exercise) -> Iterator[Cell]:
        """The code that the check of an exercise needs: what belongs to no exercise, and its own up to the check.

        A cell without a mark belongs to the exercise above it: learners add cells of their own.
        """
        current = None
        for cell in self.cells:
            current = _mark(cell).get("exercise", current)
            if current == exercise.id and _mark(cell).get("role") == "check":
                return
            if cell.get("cell_type") == "code" and current in (None, exercise.id):
                yield cell

    def write(self) -> None:
        """Put the notebook back into its file, in Jupyter's own layout."""
        text = json.dumps(self.content, ensure_ascii=False, indent=1, sort_keys=True)
        self.path.write_text(text + "\n", encoding="utf-8")


def _mark(cell: Cell) -> dict[str, Any]:
    """What the course says about a cell: {"exercise": "1.3", "role": "answer"}."""
    mark = cell.get("metadata", {}).get("minijax", {})
    return mark if isinstance(mark, dict) else {}


def given_cells(book: Workbook) -> list[Cell]:
    """The cells of a notebook that belong to an exercise, by mark or by id: an editor may lose either."""
    return [cell for cell in book.cells if _mark(cell).get("exercise") or str(cell.get("id", "")).startswith("ex-")]


def source_of(cell: Cell) -> str:
    """The text of a cell, which a file may hold as a list of lines."""
    source = cell["source"]
    return "".join(source) if isinstance(source, list) else source


def shown(path: Path) -> str:
    """A path as a learner knows it: from the folder of the course."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def notebook_of(exercise: Exercise, folder: str) -> Path:
    """The notebook of `folder` (exercises, solutions, work) with this exercise. Raises NotReadable without one."""
    name = "exercises" if folder == "work" else "*"
    found = sorted((ROOT / folder).glob(f"{exercise.chapter:02}_{name}.ipynb"))
    if not found:
        raise NotReadable(f"There is no notebook with the exercises of chapter {exercise.chapter} in {folder}/.")
    return found[0]


def given_source(exercise: Exercise) -> str:
    """The answer cell as it is given, with its stubs. Raises NotReadable."""
    return _answer_source(exercise, "exercises")


def solution_source(exercise: Exercise) -> str:
    """The answer cell as it is solved, without the marks. Raises NotReadable."""
    lines = _answer_source(exercise, "solutions").splitlines()
    return "\n".join(line for line in lines if line.strip() not in (BEGIN, END))


def attempt_source(exercise: Exercise) -> str:
    """The answer cell of the learner's copy. Raises NotReadable."""
    return _answer_source(exercise, "work")


def _answer_source(exercise: Exercise, folder: str) -> str:
    book = Workbook.read(notebook_of(exercise, folder))
    cell = book.answer_cell(exercise)
    if cell is None:
        raise NotReadable(f"{shown(book.path)} has no cell for the answer to {exercise.id} any more.")
    return source_of(cell)


# ---- the learner's copies


def reset(exercise: Exercise) -> str:
    """Put the given cell back into the learner's copy, and keep theirs beside it. What was done, in a sentence.

    Raises NotReadable.
    """
    given, book = given_source(exercise), Workbook.read(notebook_of(exercise, "work"))
    cell = book.answer_cell(exercise)
    if cell is None:
        raise NotReadable(f"{shown(book.path)} has no cell for the answer to {exercise.id} any more.")
    theirs = source_of(cell)
    if theirs.strip() == given.strip():
        return f"{exercise.id} is as it was given."
    path = keep(exercise.id, theirs)
    cell.update(source=given.splitlines(keepends=True), outputs=[], execution_count=None)
    book.write()
    return f"{exercise.id} is as it was given; what you had written is in {shown(path)}."


def keep(name: str, text: str) -> Path:
    """Write a learner's text to a new file in work/kept/, and return it: 1.3-1.py, 1.3-2.py, ..."""
    path = _new_in_kept(name, ".py")
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    return path


def keep_file(path: Path) -> Path:
    """Move a learner's file to work/kept/, under a name that is new there, and return its place."""
    return path.rename(_new_in_kept(path.stem, path.suffix))


def _new_in_kept(name: str, suffix: str) -> Path:
    folder = WORK / "kept"
    folder.mkdir(parents=True, exist_ok=True)
    return next(path for n in count(1) if not (path := folder / f"{name}-{n}{suffix}").exists())


def copied_exercises() -> list[Exercise]:
    """The exercises that have a notebook in work/."""
    chapters = {int(path.name[:2]) for path in WORK.glob("[0-9][0-9]_exercises.ipynb")}
    return [exercise for exercise in EXERCISES.values() if exercise.chapter in chapters]
