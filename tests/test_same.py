"""The definitions in the notebooks are the package's own text, and tools/same.py finds it where they are not."""

import re
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import same  # noqa: E402 - tools/ is a folder of programs, not a package

PACKAGE = ROOT / "minijax"
NOTEBOOKS = [path for folder in same.FOLDERS for path in sorted((ROOT / folder).glob("*.ipynb"))]

MODULE = """
LIMIT = 3  # of what


@cached
def double(x):
    return 2 * x


def triple(x):
    return 3 * x
"""


def cells_of(path):
    return same.layer_cells(nbformat.read(path, as_version=4))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_definitions_in_a_notebook_are_the_packages_own_text(path):
    assert same.check(path, PACKAGE, weaving=False) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_steps_of_a_chapter_are_numbered_in_order(path):
    steps = [cell.metadata["minijax"]["step"] for cell in cells_of(path)]
    chapter = str(int(path.name[:2]))
    assert steps == [f"{chapter}.{i + 1}" for i in range(len(steps))]


def core_definitions(readme):
    """The (file, name) pairs in the table under the heading "Core definitions" of a layer's README."""
    _, _, section = readme.read_text().partition("## Core definitions")
    rows = re.findall(r"^\| [\d.]+ \| `([^`]+)` \| (.*?) \|$", section, re.MULTILINE)
    return [(f"{readme.parent.name}/{file}", name) for file, names in rows for name in re.findall("`([^`]+)`", names)]


@pytest.mark.parametrize("readme", sorted(PACKAGE.glob("layer*/README.md")), ids=lambda path: path.parent.name)
def test_each_core_definition_of_a_layer_is_typed_in_its_chapter(readme):
    cells = [cell for path in NOTEBOOKS for cell in cells_of(path)]
    typed = {(cell.metadata["minijax"]["layer"], name) for cell in cells for name in same.statements(cell.source)}
    wanted = core_definitions(readme)
    assert wanted
    assert [pair for pair in wanted if pair not in typed] == []


@pytest.fixture
def course(tmp_path):
    """A package of one file, and a function that writes a notebook with one layer cell."""
    package = tmp_path / "minijax"
    (package / "layer9").mkdir(parents=True)
    (package / "layer9" / "small.py").write_text(MODULE)

    def notebook(source):
        cell = nbformat.v4.new_code_cell("# %%layer layer9/small.py  (step 9.1)\n" + source, id="small-01")
        cell.metadata["minijax"] = {"layer": "layer9/small.py", "step": "9.1"}
        path = tmp_path / "09_small.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
        return path

    return package, notebook


def test_a_copy_is_the_same_whatever_stands_between_its_statements(course):
    package, notebook = course
    path = notebook("LIMIT = 3  # of what\n\n@cached\ndef double(x):\n    return 2 * x")
    assert same.check(path, package, weaving=False) == []


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("@cached\ndef double(x):\n    return x + x", "+    return x + x"),
        ("def double(x):\n    return 2 * x", "-@cached"),
        ("LIMIT = 3", "-LIMIT = 3  # of what"),
        ("def quadruple(x):\n    return 4 * x", "the package has no statement 'quadruple'"),
    ],
)
def test_what_differs_is_shown(course, source, told):
    package, notebook = course
    (text,) = same.check(notebook(source), package, weaving=False)
    assert told in text


def test_weaving_puts_the_packages_text_into_the_cell(course):
    package, notebook = course
    path = notebook("LIMIT = 4\ndef double(x):\n    return x + x\n\n\ndef triple(x):\n    return 3 * x")
    assert same.check(path, package, weaving=True) == []
    (cell,) = cells_of(path)
    assert cell.source == (
        "# %%layer layer9/small.py  (step 9.1)\nLIMIT = 3  # of what\n"
        "@cached\ndef double(x):\n    return 2 * x\n\n\ndef triple(x):\n    return 3 * x"
    )


def test_the_first_line_of_a_layer_cell_says_what_its_metadata_says(course):
    package, notebook = course
    path = notebook("LIMIT = 3  # of what")
    path.write_text(path.read_text().replace("(step 9.1)", "(step 9.2)"))
    (text,) = same.check(path, package, weaving=False)
    assert "the first line is not '# %%layer layer9/small.py  (step 9.1)'" in text
