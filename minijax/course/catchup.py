"""Bring the notebooks in which a learner types a chapter to one of its steps, from a terminal."""

from pathlib import Path

from .cells import about, is_layer_cell, typed
from .chapters import Step, steps, taught
from .copies import chapter_notebooks, copy_course, copy_of
from .workbook import Cell, NotReadable, Workbook, keep, shown, source_of


def step_named(id: str) -> Step:
    """The step of this id. Raises NotReadable for one that there is not."""
    found = [step for chapter in taught() for step in steps(chapter) if step.id == id]
    if not found:
        ends = ", ".join(f"{steps(k)[0].id} to {steps(k)[-1].id}" for k in taught())
        raise NotReadable(f"There is no step {id!r}. There are {ends}.")
    return found[0]


def catch_up(id: str, notebook: Path | None = None) -> str:
    """Let the layer cells up to a step be those of the chapter, and keep what they held. What was done, in words.

    Without a notebook they are the copies of the chapter in work/, which are made where they are missing.
    Raises NotReadable.
    """
    chapter = step_named(id).id.split(".")[0]
    ids = [step.id for step in steps(int(chapter))]
    wanted = ids[: ids.index(id) + 1]
    sources = {path: layer_cells(Workbook.read(path)) for path in chapter_notebooks(chapter)}
    given = {step: cell for cells in sources.values() for step, cell in cells.items()}
    books = [notebook] if notebook else _own_copies([p for p, cells in sources.items() if cells.keys() & {*wanted}])
    said = [line for path in books for line in _catch_up(Workbook.read(path), wanted, given)]
    return "\n".join([*said, f"In the notebook, %catchup {id} runs them all at once."])


def _catch_up(book: Workbook, wanted: list[str], given: dict[str, str]) -> list[str]:
    """Let the cells of the wanted steps be the given ones. What was done, in lines."""
    cells = [(step, cell) for step, cell in _of_steps(book) if step in wanted]
    kept = [said for step, cell in cells if (said := _mend(step, cell, given[step]))]
    if kept:
        book.write()
        kept.append("If it is open in JupyterLab, read it anew: File > Reload Notebook from Disk.")
    first, last = (cells[0][0], cells[-1][0]) if cells else (wanted[0], wanted[-1])
    return [f"{shown(book.path)}: the cells of steps {first} to {last} hold the package's text.", *kept]


def layer_cells(book: Workbook) -> dict[str, str]:
    """The source of each layer cell of a notebook, by its step."""
    return {step: source_of(cell) for step, cell in _of_steps(book)}


def _of_steps(book: Workbook) -> list[tuple[str, Cell]]:
    """The layer cells that name a step, each with it; others are the learner's own."""
    found = [cell for cell in book.cells if cell.get("cell_type") == "code" and is_layer_cell(source_of(cell))]
    return [(step, cell) for cell in found if (step := _step(source_of(cell)))]


def _step(source: str) -> str:
    try:
        return about(source)[1]
    except ValueError:
        return ""


def _own_copies(sources: list[Path]) -> list[Path]:
    """The learner's copies of a chapter's notebooks, made where they are missing."""
    copy_course()
    return list(map(copy_of, sources))


def _mend(step: str, cell: Cell, given: str) -> str:
    """Put the chapter's cell in place of one that types something else; where the old text is kept, or ""."""
    source = source_of(cell)
    if _types(source) == _types(given):
        return ""
    path = keep(f"step-{step}", source)
    cell.update(source=given.splitlines(keepends=True), outputs=[], execution_count=None)
    return f"What stood in step {step} is kept in {shown(path)}."


def _types(source: str) -> tuple[str, dict[str, str]] | None:
    """What a layer cell does to the package: its file, and the text of each statement; None where it has no sense.

    An experiment in it, such as a print, does nothing to the package.
    """
    try:
        return about(source)[0], {s.key: s.text for s in typed(source) if not s.only_shows}
    except SyntaxError:
        return None
