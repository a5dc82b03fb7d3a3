"""Bring a notebook in which a learner types a chapter to one of its steps, from a terminal."""

import shutil
from pathlib import Path

from .cells import about, is_layer_cell, typed, woven
from .chapters import ROOT, Step, steps, taught, texts
from .workbook import WORK, Cell, NotReadable, Workbook, keep, shown, source_of


def step_named(id: str) -> Step:
    """The step of this id. Raises NotReadable for one that there is not."""
    found = [step for chapter in taught() for step in steps(chapter) if step.id == id]
    if not found:
        ends = ", ".join(f"{steps(k)[0].id} to {steps(k)[-1].id}" for k in taught())
        raise NotReadable(f"There is no step {id!r}. There are {ends}.")
    return found[0]


def catch_up(id: str, notebook: Path | None = None) -> str:
    """Let the layer cells up to a step hold the package's text, and keep what they held. What was done, in words.

    Without a notebook it is work/chapter_01.ipynb, which is made from the chapter where it is missing.
    Raises NotReadable.
    """
    step = step_named(id)
    path = notebook or _own_copy(int(step.id.split(".")[0]))
    book = Workbook.read(path)
    cells = [cell for cell in book.cells if cell.get("cell_type") == "code" and is_layer_cell(source_of(cell))]
    kept = [said for cell in cells if _upto(step, cell) and (said := _mend(cell))]
    if kept:
        book.write()
    first = steps(int(step.id.split(".")[0]))[0].id
    return "\n".join([
        f"{shown(path)}: the cells of steps {first} to {step.id} hold the package's text.", *kept,
        *(["If it is open in JupyterLab, read it anew: File > Reload Notebook from Disk."] if kept else []),
        f"In the notebook, %catchup {step.id} runs them all at once.",
    ])  # fmt: skip


def _own_copy(chapter: int) -> Path:
    """The learner's copy of a chapter's notebook, made where it is missing."""
    path = WORK / f"chapter_{chapter:02}.ipynb"
    if not path.exists():
        WORK.mkdir(exist_ok=True)
        shutil.copy(next((ROOT / "notebooks").glob(f"{chapter:02}*.ipynb")), path)
    return path


def _upto(step: Step, cell: Cell) -> bool:
    """Whether a layer cell is that of a step up to this one."""
    try:
        _, id = about(source_of(cell))
    except ValueError:
        return False  # a cell of the learner's own
    ids = [each.id for each in steps(int(step.id.split(".")[0]))]
    return id in ids[: ids.index(step.id) + 1]


def _mend(cell: Cell) -> str:
    """Put the package's text into a layer cell; where the old one is kept, or "" where it was the package's."""
    source = source_of(cell)
    file, id = about(source)
    own = step_named(id)
    theirs = {key: s for (_, key), s in texts(own).items()}
    try:
        complete = file == own.file and {s.key for s in typed(source)} == theirs.keys()
    except SyntaxError:
        complete = False
    if complete:
        text = woven(source, theirs)
    else:  # a cell that cannot be read, or with more or less in it than the step, begins anew
        text = "\n\n\n".join([f"%%layer {own.file} (step {id})\n" + theirs[own.keys[0]].text,
                                 *(theirs[key].text for key in own.keys[1:])])  # fmt: skip
    if text == source:
        return ""
    cell.update(source=text.splitlines(keepends=True), outputs=[], execution_count=None)
    return f"What stood in step {id} is kept in {shown(keep(f'step-{id}', source))}."
