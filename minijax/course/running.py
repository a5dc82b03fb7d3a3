"""Check the learner's copy of an exercise from a terminal: run what the check needs in a new kernel, and read it."""

import os
import re

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from traitlets.config import Config

from .exercise import Exercise
from .workbook import ROOT, WORK, NotReadable, Workbook, notebook_of, shown, source_of

_SECONDS = 60  # for one cell
# Without encryption every kernel warns that there is none.
_ENCRYPTED = Config({"KernelManager": {"transport_encryption": "auto"}})
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class _Trouble(Exception):
    """Why the check was not reached, in words."""


def checked(exercise: Exercise) -> str:
    """What the check of the learner's copy in work/ prints, or why it was not reached."""
    try:
        book = Workbook.read(notebook_of(exercise, "work"))
        sources = [source_of(cell) for cell in book.code_until_check(exercise)]
        return _run([*sources, f'import minijax.course\nminijax.course.check("{exercise.id}")'])
    except NotReadable as error:
        return str(error)
    except _Trouble as trouble:
        return f"{exercise.id} was not checked: in {shown(book.path)}, {trouble}"


def _run(sources: list[str]) -> str:
    """What the last of these cells prints. Raises _Trouble where a cell before it raises, or does not end."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=_SECONDS,
        allow_errors=True,
        resources={"metadata": {"path": str(WORK)}},
        config=_ENCRYPTED,
    )
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    with client.setup_kernel(env={**os.environ, "PYTHONPATH": path}):
        for index, cell in enumerate(notebook.cells):
            _execute(client, cell, index)
    return "".join(output.get("text", "") for output in notebook.cells[-1].outputs).rstrip()


def _execute(client: NotebookClient, cell: nbformat.NotebookNode, index: int) -> None:
    try:
        client.execute_cell(cell, index)
    except CellTimeoutError:
        raise _Trouble(f"this cell does not end (after {_SECONDS} seconds):\n\n{_begin(cell.source)}") from None
    except DeadKernelError:
        raise _Trouble(f"this cell ends the kernel:\n\n{_begin(cell.source)}") from None
    for output in cell.outputs:
        if output.output_type == "error":
            raise _Trouble(f"a cell before the check raises {_error(output, cell.source)}")


def _begin(source: str) -> str:
    lines = source.splitlines()
    return "\n".join(f"    {line}" for line in lines[:5] + ["..."] * (len(lines) > 5))


def _error(output: nbformat.NotebookNode, source: str) -> str:
    """The error of a cell, with the line of the cell that it came from."""
    told = f"{output.ename}: {output.evalue}"
    places = re.findall(r"Cell In\[\d+\], line (\d+)", _COLOURS.sub("", "\n".join(output.traceback)))
    lines = source.splitlines()
    if not places or int(places[0]) > len(lines):
        return f"{told}\n\n{_begin(source)}"
    return f"{told}\n\n    line {places[0]}: {lines[int(places[0]) - 1].strip()}"
