"""The exercises are the solutions without what stands between the marks, and ask for nothing of a later chapter."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

import exercises
from minijax.course.catalogue import EXERCISES, TITLES, stem

ROOT = Path(__file__).parent.parent
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
TRIVIAL = 12  # characters of a line that may be in both by chance, such as `return out`

by_chapter = pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def exercises_of(path):
    return ROOT / "exercises" / path.name


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def exercises_in(path):
    """The data of the exercises in a notebook."""
    return [exercise for exercise in EXERCISES.values() if exercise.chapter == int(path.stem[:2])]


def solution_lines(path):
    """The lines between the marks, the trivial ones excepted."""
    lines = [line.strip() for cell in code_of(read(path)) for line in exercises.split(cell.source)[1]]
    return [line for line in lines if len(line) > TRIVIAL]


def prose():
    """The lines of everything that is there to be read, code blocks in it included: where it stands, and its lines."""
    for folder in ("notebooks", "exercises", "solutions"):
        for path in (ROOT / folder).glob("*.ipynb"):
            yield path, [line for cell in read(path).cells if cell.cell_type == "markdown" for line in lines_of(cell)]
    for path in (ROOT / "README.md", *(ROOT / "minijax").rglob("*.md")):
        yield path, path.read_text().splitlines()
    for exercise in EXERCISES.values():
        yield exercise.id, [*exercise.hints, *(mistake.words for mistake in exercise.mistakes)]


def lines_of(cell):
    return cell.source.splitlines()


# ---- the two folders


def test_every_chapter_of_exercises_has_a_notebook():
    assert [int(path.stem[:2]) for path in SOLUTIONS] == list(TITLES)
    assert {exercise.chapter for exercise in EXERCISES.values()} == set(TITLES)


def test_both_folders_have_the_same_notebooks():
    assert [path.name for path in SOLUTIONS] == [path.name for path in sorted((ROOT / "exercises").glob("*.ipynb"))]


@by_chapter
def test_the_exercises_are_the_cleared_solutions(path):
    """If not: make exercises."""
    cleared, found = exercises.cleared(read(path)), read(exercises_of(path))
    parts = lambda notebook: [(c.id, c.cell_type, c.source, c.metadata) for c in notebook.cells]
    assert parts(found) == parts(cleared)


@by_chapter
def test_no_line_of_a_solution_is_in_the_exercises(path):
    kept = {line.strip() for cell in read(exercises_of(path)).cells for line in lines_of(cell)}
    assert [line for line in solution_lines(path) if line in kept] == []


@by_chapter
def test_no_line_of_a_solution_is_in_prose(path):
    solution, said = solution_lines(path), [(where, line) for where, lines in prose() for line in lines]
    assert [(where, line) for where, text in said for line in solution if line in text] == []


@by_chapter
def test_every_exercise_has_a_statement_an_answer_and_a_check_with_stable_ids(path):
    cells = {cell.id: cell for cell in read(path).cells}
    for exercise in exercises_in(path):
        start = stem(exercise)
        assert cells[start].source.startswith(f"## {exercise.id} ")
        assert exercises.split(cells[f"{start}-answer"].source)[1]
        assert cells[f"{start}-check"].source == f'check("{exercise.id}")'
        marks = {end: cells[f"{start}{end}"].metadata.minijax for end in ("", "-answer", "-check")}
        assert all(mark.exercise == exercise.id for mark in marks.values())
        assert (marks["-answer"].role, marks["-check"].role) == ("answer", "check")


@by_chapter
def test_cells_say_their_place_in_a_slide_show_and_prose_is_not_marked(path):
    for cell in read(path).cells:
        assert cell.metadata.slideshow.slide_type in ("slide", "subslide", "fragment", "notes", "skip")
        assert cell.cell_type == "code" or exercises.BEGIN not in cell.source


# ---- clearing


CELL = "def f(x):\n    y = 1\n    ### BEGIN SOLUTION\n    return x + y\n    ### END SOLUTION\n\nf"


def test_a_marked_part_becomes_one_line_that_says_not_written_yet():
    kept, solution = exercises.split(CELL)
    assert kept == ["def f(x):", "    y = 1", f"    {exercises.STUB}", "", "f"]
    assert solution == ["    return x + y"]


@pytest.mark.parametrize("missing", [exercises.BEGIN, exercises.END])
def test_marks_that_are_no_pair_are_refused(missing):
    with pytest.raises(ValueError, match="SOLUTION"):
        exercises.split(CELL.replace(missing, ""))


def test_clearing_leaves_the_solutions_as_they_are():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    assert exercises.cleared(notebook).cells[0].source != CELL
    assert notebook.cells[0].source == CELL


# ---- nothing of a later chapter


def chapters_of_names():
    """For each name of the package's face the chapter that brings it first, by the headings of the face."""
    chapters = {}
    sections = re.split(r"(?m)^# ---- chapter (\d+)", (ROOT / "minijax" / "__init__.py").read_text())
    for chapter, text in zip(sections[1::2], sections[2::2], strict=True):
        for node in ast.walk(ast.parse(text[text.index("\n") :])):
            if isinstance(node, ast.ImportFrom):
                found = {alias.asname or alias.name: int(chapter) for alias in node.names}
                chapters = found | chapters
            elif isinstance(node, ast.Dict):
                chapters |= later_names(node)
    return chapters


def later_names(node):
    """The entries of the face's table of names that are not there yet: {3: ["debug", ...], ...}."""
    return {name: chapter for chapter, names in ast.literal_eval(node).items() for name in names}


def used_names(source):
    """What a text takes from the package: names after `jax.`, and the number of a layer that it imports from."""
    return set(re.findall(r"\bjax\.(\w+)", source)), set(map(int, re.findall(r"minijax\.layer(\d)", source)))


def sources(path):
    """The code of a notebook, and of the cases and signs of its exercises."""
    yield from (cell.source for cell in code_of(read(path)))
    for exercise in exercises_in(path):
        yield exercise.plug
        yield from (f"{case.setup}\n{case.call}\n{case.expected}\n{case.look}" for case in exercise.cases())
        yield from (f"{mistake.setup}\n{mistake.sign}" for mistake in exercise.mistakes)


@by_chapter
def test_no_exercise_needs_a_later_chapter(path):
    chapter, chapters = int(path.stem[:2]), chapters_of_names()
    for source in sources(path):
        names, layers = used_names(source)
        assert {name: chapters.get(name, 0) for name in names if chapters.get(name, 0) > chapter} == {}
        assert all(layer <= chapter for layer in layers)


def test_the_chapters_of_names_are_read_from_the_face():
    chapters = chapters_of_names()
    assert chapters["jit"] == chapters["make_jaxpr"] == 1
    assert chapters["grad"] == 4 and chapters["vmap"] == 5
