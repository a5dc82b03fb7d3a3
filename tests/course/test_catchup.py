"""Catching up from a terminal: a notebook's layer cells get the package's text, and what they held is kept."""

from pathlib import Path

import pytest
from building import text_of

from minijax.course import catchup, workbook
from minijax.course.chapters import steps
from minijax.course.copies import chapter_notebooks, copy_course
from minijax.course.workbook import ROOT, NotReadable, Workbook, source_of


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder work/ that belongs to the test."""
    monkeypatch.setattr(workbook, "WORK", tmp_path / "work")
    return tmp_path / "work"


def sources(path: Path) -> dict[str, str]:
    """The layer cells of a notebook: step -> text below the first line."""
    found = [source_of(cell) for cell in Workbook.read(path).cells]
    return {s.split("(step ")[1].split(")")[0]: s.partition("\n")[2] for s in found if s.startswith("%%layer")}


def edit(path: Path, step: str, text: str) -> None:
    book = Workbook.read(path)
    for cell in book.cells:
        if source_of(cell).startswith("%%layer") and f"(step {step})" in source_of(cell):
            cell["source"] = source_of(cell).partition("\n")[0] + "\n" + text
    book.write()


def test_a_copy_of_the_chapter_is_made_and_told(work):
    said = catchup.catch_up("1.3")
    assert "the cells of steps 1.1 to 1.3 hold the package's text" in said and "%catchup 1.3" in said
    assert sources(work / "01_avals_and_tracers.ipynb")["1.1"].rstrip() == text_of("canonicalize_shape")


@pytest.mark.parametrize("text", ["def canonicalize_shape(shape):\n    return shape", "", "def broken(:", "pass"])
def test_what_a_cell_held_is_kept_and_replaced(work, text):
    catchup.catch_up("1.1")
    edit(work / "01_avals_and_tracers.ipynb", "1.1", text)
    edit(work / "01_avals_and_tracers.ipynb", "1.2", "mine = 2")
    said = catchup.catch_up("1.1")
    kept = work / "kept" / "step-1.1-1.py"
    assert f"What stood in step 1.1 is kept in {kept.name}" in said.replace("work/kept/", "")
    assert kept.read_text().partition("\n")[2].strip() == text.strip()
    now = sources(work / "01_avals_and_tracers.ipynb")
    assert text_of("canonicalize_shape") in now["1.1"]
    assert now["1.2"] == "mine = 2"


def test_a_cell_with_more_in_it_than_its_step_begins_anew(work):
    catchup.catch_up("1.1")
    edit(work / "01_avals_and_tracers.ipynb", "1.1", text_of("canonicalize_shape") + "\n\n1 / 0")
    assert "read it anew: File > Reload Notebook from Disk" in catchup.catch_up("1.1")
    assert sources(work / "01_avals_and_tracers.ipynb")["1.1"] == text_of("canonicalize_shape")


def test_a_copy_that_was_not_touched_stays_as_it_is_up_to_the_last_step(work):
    copy_course()
    before = (work / "01_avals_and_tracers.ipynb").read_bytes()
    assert "kept" not in catchup.catch_up(steps(1)[-1].id)
    assert (work / "01_avals_and_tracers.ipynb").read_bytes() == before and not (work / "kept").exists()


def test_a_cell_that_lacks_a_statement_without_a_name_gets_it_back(work):
    catchup.catch_up("1.1")
    path = work / "01_avals_and_tracers.ipynb"
    given = sources(path)["1.4"]
    assert "for _kind in dtypes.PYTHON_DTYPES:" in given
    edit(path, "1.4", given[: given.index("for _kind in")])
    catchup.catch_up("1.4")
    assert sources(path)["1.4"] == given


def test_an_experiment_and_a_comment_in_a_layer_cell_stay(work):
    catchup.catch_up("1.1")
    path = work / "01_avals_and_tracers.ipynb"
    mine = "# mine\n\n" + text_of("canonicalize_shape") + "\n\nprint(canonicalize_shape([2]))"
    edit(path, "1.1", mine)
    assert "kept" not in catchup.catch_up("1.1") and sources(path)["1.1"] == mine


def test_a_cell_that_names_another_file_is_put_right(work):
    catchup.catch_up("1.1")
    path = work / "01_avals_and_tracers.ipynb"
    path.write_text(path.read_text().replace("%%layer layer1_core/aval.py (step 1.1)", "%%layer none.py (step 1.1)"))
    catchup.catch_up("1.1")
    assert "%%layer layer1_core/aval.py (step 1.1)" in path.read_text() and "none.py" not in path.read_text()


def test_a_notebook_that_holds_the_packages_text_is_left_as_it_is(work):
    catchup.catch_up("1.9")
    before = (work / "01_avals_and_tracers.ipynb").read_bytes()
    assert "kept" not in catchup.catch_up("1.9")
    assert (work / "01_avals_and_tracers.ipynb").read_bytes() == before


@pytest.mark.parametrize("step", ["", "1.99", "9.1", "one"])
def test_a_step_that_is_none_is_refused_with_those_that_are(work, step):
    with pytest.raises(NotReadable, match=r"There are 1\.1 to 1\.33"):
        catchup.catch_up(step)


def test_a_file_that_is_no_notebook_is_refused(work, tmp_path):
    (tmp_path / "text.ipynb").write_text("no notebook")
    with pytest.raises(NotReadable, match="is no notebook"):
        catchup.catch_up("1.1", tmp_path / "text.ipynb")


def test_the_steps_of_a_chapter_may_be_in_several_notebooks(work):
    first, second, third = (path.name for path in chapter_notebooks("7"))
    in_first = list(sources(ROOT / "notebooks" / first))
    step = steps(7)[len(in_first)].id  # the first one of the second notebook
    said = catchup.catch_up(step)
    assert f"{first}: the cells of steps 7.1 to {in_first[-1]} hold the package's text." in said
    assert f"{second}: the cells of steps {step} to {step} hold the package's text." in said
    assert third not in said and f"%catchup {step}" in said
    edit(work / second, step, "mine = 2")
    edit(work / first, "7.1", "mine = 1")
    told = catchup.catch_up(step)
    assert "What stood in step 7.1 is kept" in told and f"What stood in step {step} is kept" in told
    assert "mine" not in sources(work / first)["7.1"] + sources(work / second)[step]
