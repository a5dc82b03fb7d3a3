"""What the notebooks of the course have in common, and the tool that records their outputs.

nbval compares outputs but lets a notebook pass that has none; the laws here close that hole.
"""

from pathlib import Path

import nbformat
import pytest

import outputs

ROOT = Path(__file__).parent.parent

NOTEBOOKS = [path for folder in outputs.FOLDERS for path in sorted((ROOT / folder).glob("*.ipynb"))]


def read(path):
    return nbformat.read(path, as_version=4)


def troubles(notebook):
    """What is wrong with the recorded outputs of a notebook, a line each."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    counts = [cell.execution_count for cell in code]
    if counts != list(range(1, len(code) + 1)):
        yield f"cells are counted {counts}"
    for cell in code:
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/png" in data or "image/jpeg" in data:
                yield f"cell {cell.execution_count} draws pixels, which nothing compares: draw SVG or HTML"
            if output.output_type == "error" and "raises-exception" not in cell.metadata.get("tags", []):
                yield f"cell {cell.execution_count} raised {output.ename}"


def test_every_notebook_was_recorded_from_top_to_bottom():
    found = {path.name: list(troubles(read(path))) for path in NOTEBOOKS}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_every_notebook_has_the_metadata_and_the_layout_that_make_outputs_writes():
    def settled(path):
        notebook = read(path)
        outputs.settle(notebook)
        return nbformat.writes(notebook) + "\n"

    assert [path.name for path in NOTEBOOKS if settled(path) != path.read_text()] == []


CELLS = [
    "x = 6",
    "",
    "print('a')\nview = display({}, raw=True, display_id=True)\nview.update({'text/plain': '1 of 2'}, raw=True)\n"
    "view.update({}, raw=True)\nprint('b')",  # a counter that goes away
    "x * 7",
    "raise ValueError(x)",
    "import sys; print('to', file=sys.stderr)",
]


def as_an_editor_leaves_it():
    """A notebook with times and without counts, in which one cell is meant to raise."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    notebook.cells[0].metadata["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00Z"}
    notebook.cells[4].metadata["tags"] = ["raises-exception"]
    notebook.metadata["widgets"] = {"state": {}}
    return notebook


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The file of a small notebook that was recorded once."""
    path = tmp_path_factory.mktemp("notebooks") / "small.ipynb"
    nbformat.write(as_an_editor_leaves_it(), path)
    assert outputs.record(path, check=False)
    return path


def test_what_is_recorded_counts_from_one_and_holds_no_times(recorded):
    notebook = read(recorded)
    assert [cell.execution_count for cell in notebook.cells] == [1, None, 2, 3, 4, 5]
    assert notebook.cells[2].outputs == [{"output_type": "stream", "name": "stdout", "text": "a\nb\n"}]
    assert notebook.cells[3].outputs[0].data["text/plain"] == "42"
    assert list(troubles(notebook)) == []
    assert "2026-01-01" not in recorded.read_text()
    assert "widgets" not in notebook.metadata


def test_recording_again_changes_nothing(recorded):
    first = recorded.read_bytes()
    assert outputs.record(recorded, check=False)
    assert recorded.read_bytes() == first


def test_check_tells_an_output_that_would_change_and_writes_nothing(recorded, tmp_path):
    path = tmp_path / "edited.ipynb"
    path.write_text(recorded.read_text().replace('"42"', '"43"'))
    edited = path.read_bytes()
    assert not outputs.record(path, check=True)
    assert path.read_bytes() == edited


def test_a_notebook_without_outputs_is_in_trouble():
    assert list(troubles(as_an_editor_leaves_it())) == ["cells are counted [None, None, None, None, None]"]
