"""The learner's copies in work/: of the chapters and of their exercises, as they are before anything has run.

    notebooks/01_avals_and_tracers.ipynb    work/01_avals_and_tracers.ipynb
    exercises/01_avals_and_tracers.ipynb    work/01_exercises.ipynb

A chapter may have several notebooks: 07a_..., 07b_... Its exercises are in one. A copy has no outputs, so nothing
stands below a question that asks for a prediction.
"""

import os
from pathlib import Path
from string import ascii_lowercase, digits

from . import workbook
from .workbook import NotReadable, Workbook, given_cells, keep_file, shown

_FOLDERS = {"notebooks": "the chapter", "exercises": "the exercises"}


def copy_course() -> list[str]:
    """Copy what is not in work/ yet, and say what was done, a line each. A file that is there stays as it is."""
    workbook.WORK.mkdir(exist_ok=True)
    said = _renew_layout()
    for folder, what in _FOLDERS.items():
        for source in sorted((workbook.ROOT / folder).glob("[0-9][0-9]*_*.ipynb")):
            target = copy_of(source)
            if not target.exists():
                _put(_as_given(source), target)
                said.append(f"{shown(target)}: your copy of {what}")
    return said


def copy_of(source: Path) -> Path:
    """Where the learner's copy of a notebook of the course is."""
    name = f"{source.name[:2]}_exercises.ipynb" if source.parent.name == "exercises" else source.name
    return workbook.WORK / name


def chapter_notebooks(chapter: str) -> list[Path]:
    """The notebooks of a chapter ('7'), or one of them ('7b'), as they are given. Raises NotReadable without any."""
    number, part = chapter.rstrip(ascii_lowercase), chapter.lstrip(digits) or "*"
    found = sorted((workbook.ROOT / "notebooks").glob(f"{number:0>2}{part}_*.ipynb"))
    if not found:
        raise NotReadable(f"There is no chapter {chapter} in notebooks/.")
    return found


def reset_chapter(chapter: str) -> str:
    """Put new copies of a chapter's notebooks ('7'), or of one ('7b'), into work/, keep the old ones, and say so.

    Raises NotReadable.
    """
    return "\n".join(map(_reset, chapter_notebooks(chapter)))


def _reset(source: Path) -> str:
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
