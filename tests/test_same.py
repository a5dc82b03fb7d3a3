"""The definitions in the notebooks are the package's own text, and tools/same.py finds it where they are not."""

from pathlib import Path

import nbformat
import pytest

import same
from minijax.course import chapters
from minijax.course.cells import about
from minijax.course.statements import statements

ROOT = Path(__file__).parent.parent
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
    assert same.check(path, PACKAGE) == []


@pytest.mark.parametrize("chapter", chapters.taught())
def test_the_steps_of_a_chapter_are_numbered_in_order(chapter):
    paths = [path for path in NOTEBOOKS if int(path.name[:2]) == chapter]
    steps = [about(cell.source)[1] for path in paths for cell in cells_of(path)]
    assert steps == [f"{chapter}.{i + 1}" for i in range(len(steps))]


@pytest.mark.parametrize("chapter", chapters.taught())
def test_each_core_definition_of_a_layer_is_typed_in_its_chapter_and_step(chapter):
    cells = [cell for path in NOTEBOOKS for cell in cells_of(path)]
    typed = {(*about(cell.source), s.key) for cell in cells for s in same.typed(cell)}
    wanted = [(step.file, step.id, key) for step in chapters.steps(chapter) for key in step.keys]
    assert wanted
    assert [each for each in wanted if each not in typed] == []


@pytest.mark.parametrize("chapter", chapters.taught())
def test_each_step_is_in_the_table_of_core_definitions(chapter):
    cells = [cell for path in NOTEBOOKS for cell in cells_of(path) if int(path.name[:2]) == chapter]
    assert [about(cell.source) for cell in cells] == [(step.file, step.id) for step in chapters.steps(chapter)]


@pytest.fixture
def course(tmp_path):
    """A package of one file, and a function that writes a notebook with one layer cell."""
    package = tmp_path / "minijax"
    (package / "layer9").mkdir(parents=True)
    (package / "layer9" / "small.py").write_text(MODULE)

    def notebook(source):
        cell = nbformat.v4.new_code_cell("%%layer layer9/small.py (step 9.1)\n" + source, id="small-01")
        path = tmp_path / "09_small.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
        return path

    return package, notebook


def test_a_copy_is_the_same_whatever_stands_between_its_statements(course):
    package, notebook = course
    path = notebook("LIMIT = 3  # of what\n\n@cached\ndef double(x):\n    return 2 * x")
    assert same.check(path, package) == []


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
    (text,) = same.check(notebook(source), package)
    assert told in text


def test_weaving_puts_the_packages_text_into_the_cell(course):
    package, notebook = course
    path = notebook("LIMIT = 4\ndef double(x):\n    return x + x\n\n\ndef triple(x):\n    return 3 * x")
    assert same.check(path, package, "weave") == []
    (cell,) = cells_of(path)
    assert cell.source == (
        "%%layer layer9/small.py (step 9.1)\nLIMIT = 3  # of what\n"
        "@cached\ndef double(x):\n    return 2 * x\n\n\ndef triple(x):\n    return 3 * x"
    )


def test_tangling_puts_the_cells_text_into_the_package(course):
    package, notebook = course
    path = notebook("LIMIT = 4\ndef double(x):\n    return x + x\n\n\ndef triple(x):\n    return 3 * x")
    assert same.check(path, package, "tangle") == []
    expected = (
        MODULE.replace("LIMIT = 3  # of what", "LIMIT = 4")
        .replace("return 2 * x", "return x + x")
        .replace("@cached\n", "")
    )
    assert (package / "layer9" / "small.py").read_text() == expected


SOURCE = "LIMIT = 4  # 'a\fb'\n\n# above\n@cached\n@twice\ndef double(x):\n    return '''2\n  * ''' + x  # beside"


def test_weaving_after_tangling_changes_nothing_and_so_does_tangling_again(course):
    package, notebook = course
    path, small = notebook(SOURCE), package / "layer9" / "small.py"
    assert same.check(path, package, "tangle") == []
    cell, text = path.read_text(), small.read_text()
    assert "  * ''' + x  # beside\n\n\ndef triple" in text and "@twice\ndef double" in text
    assert same.check(path, package, "weave") == [] and path.read_text() == cell
    assert same.check(path, package, "tangle") == [] and small.read_text() == text


def test_windows_line_ends_are_no_difference(course):
    package, notebook = course
    assert same.check(notebook("LIMIT = 3  # of what\r\n@cached\r\ndef double(x):\r\n    return 2 * x"), package) == []


def test_a_comment_between_statements_is_not_compared(course):
    package, notebook = course
    assert same.check(notebook("# a word\nLIMIT = 3  # of what\n# another"), package) == []


@pytest.mark.parametrize("way", [None, "weave", "tangle"])
def test_a_cell_that_python_cannot_read_is_told_and_nothing_is_changed(course, way):
    package, notebook = course
    path = notebook("LIMIT = 4\ndef double(x:\n    return x")
    before = path.read_text()
    (text,) = same.check(path, package, way)
    assert text.startswith("cell small-01, line 3: ")
    assert path.read_text() == before and (package / "layer9" / "small.py").read_text() == MODULE


def test_a_file_that_the_package_does_not_have_is_told(course):
    package, notebook = course
    path = notebook("LIMIT = 4")
    path.write_text(path.read_text().replace("small.py", "none.py"))
    (text,) = same.check(path, package, "tangle")
    assert "layer9/none.py" in text and "the package has no statement 'LIMIT'" in text


def test_each_statement_of_a_file_with_steps_has_a_key_of_its_own():
    """They are found by it."""
    for file in {step.file for chapter in chapters.taught() for step in chapters.steps(chapter)}:
        keys = [s.key for s in statements((PACKAGE / file).read_text())]
        assert [key for key in keys if keys.count(key) > 1] == [], file


def test_a_layer_cell_says_its_file_and_its_step(course):
    package, notebook = course
    path = notebook("LIMIT = 3  # of what")
    path.write_text(path.read_text().replace(" (step 9.1)", ""))
    with pytest.raises(ValueError, match="not like %%layer"):
        same.check(path, package)
