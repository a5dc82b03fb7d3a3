"""The learner's copies in work/: of the chapters and of their exercises, as they are before anything has run.

    notebooks/01_avals_and_tracers.ipynb    work/01_avals_and_tracers.ipynb
    exercises/01_avals_and_tracers.ipynb    work/01_exercises.ipynb

A copy has no outputs, so nothing stands below a question that asks for a prediction.
"""

import os
from pathlib import Path

from . import workbook
from .workbook import NotReadable, Workbook, given_cells, keep_file, shown

_FOLDERS = {"notebooks": "the chapter", "exercises": "the exercises"}


def copy_course() -> list[str]:
    """Copy what is not in work/ yet, and say what was done, a line each. A file that is there stays as it is."""
    workbook.WORK.mkdir(exist_ok=True)
    said = _renew_layout()
    for folder, what in _FOLDERS.items():
        for source in sorted((workbook.ROOT / folder).glob("[0-9][0-9]_*.ipynb")):
            target = copy_of(source)
            if not target.exists():
                _put(_as_given(source), target)
                said.append(f"{shown(target)}: your copy of {what}")
    return said


def copy_of(source: Path) -> Path:
    """Where the learner's copy of a notebook of the course is."""
    name = f"{source.name[:2]}_exercises.ipynb" if source.parent.name == "exercises" else source.name
    return workbook.WORK / name


def chapter_notebook(chapter: int) -> Path:
    """The notebook of a chapter, as it is given. Raises NotReadable without one."""
    found = sorted((workbook.ROOT / "notebooks").glob(f"{chapter:02}_*.ipynb"))
    if not found:
        raise NotReadable(f"There is no chapter {chapter} in notebooks/.")
    return found[0]


def reset_chapter(chapter: int) -> str:
    """Put a new copy of a chapter into work/, keep the old one, and say what was done. Raises NotReadable."""
    source = chapter_notebook(chapter)
    target, book = copy_of(source), _as_given(source)
    workbook.WORK.mkdir(exist_ok=True)
    kept = keep_file(target) if target.exists() else None
    _put(book, target)
    told = f"; what you had is in {shown(kept)}." if kept else "."
    return f"{shown(target)} is as it was given{told}"


def _as_given(source: Path) -> Workbook:
    """A notebook without its outputs. Raises NotReadable."""
    book = Workbook.read(source)
    for cell in book.cells:
        if cell.get("cell_type") == "code":
            cell.update(outputs=[], execution_count=None)
    return book


def _put(book: Workbook, target: Path) -> None:
    """Write a notebook to a file, which appears in one step: half a copy would never be replaced."""
    new = target.with_name(f".{target.name}.{os.getpid()}")
    Workbook(new, book.content).write()
    new.replace(target)


def _renew_layout() -> list[str]:
    """Give exercises that have the name of their chapter, as they once had, the name that they have here."""
    said = []
    for source in sorted((workbook.ROOT / "exercises").glob("[0-9][0-9]_*.ipynb")):
        old, new = workbook.WORK / source.name, copy_of(source)
        if _holds_exercises(old):
            place = keep_file(old) if new.exists() else old.rename(new)
            said.append(f"{shown(old)} held your exercises: they are in {shown(place)}")
    return said


def _holds_exercises(path: Path) -> bool:
    try:
        return bool(given_cells(Workbook.read(path)))
    except NotReadable:
        return False
