"""The learner's copies: made without outputs, never overwritten, and found in an older layout too."""

import json
from pathlib import Path

import pytest

import copy_course as program
from minijax.course import copies, workbook

CHAPTER, EXERCISES = "01_avals.ipynb", "01_exercises.ipynb"


def notebook(*cells: dict) -> str:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def code(source: str, id: str, **more: object) -> dict:
    return {
        "cell_type": "code",
        "id": id,
        "source": source,
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    } | more


RUN = {"execution_count": 3, "outputs": [{"output_type": "stream", "name": "stdout", "text": "7"}]}
GIVEN = {
    "notebooks": notebook(code("print(7)", "a", **RUN)),
    "exercises": notebook(code("check()", "ex-1-1-check", **RUN)),
}


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of one chapter, and its work/ that is not there yet."""
    monkeypatch.setattr(workbook, "ROOT", tmp_path)
    monkeypatch.setattr(workbook, "WORK", tmp_path / "work")
    for folder, text in GIVEN.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / CHAPTER).write_text(text)
    return tmp_path


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text())["cells"]


def test_a_copy_has_the_cells_and_neither_outputs_nor_counts(course):
    said = ["work/01_avals.ipynb: your copy of the chapter", "work/01_exercises.ipynb: your copy of the exercises"]
    assert copies.copy_course() == said
    assert cells(course / "work" / CHAPTER) == [code("print(7)", "a")]
    assert cells(course / "work" / EXERCISES) == [code("check()", "ex-1-1-check")]
    assert (course / "notebooks" / CHAPTER).read_text() == GIVEN["notebooks"]


def test_a_copy_that_is_there_is_never_overwritten(course):
    copies.copy_course()
    for name in (CHAPTER, EXERCISES):
        (course / "work" / name).write_text("my answers")
    (course / "notebooks" / "02_jit.ipynb").write_text(GIVEN["notebooks"])
    assert copies.copy_course() == ["work/02_jit.ipynb: your copy of the chapter"]
    assert {(course / "work" / name).read_text() for name in (CHAPTER, EXERCISES)} == {"my answers"}


@pytest.mark.parametrize("id, metadata", [("ex-1-1-answer", {}), ("cell-3", {"minijax": {"exercise": "1.1"}})])
def test_exercises_that_have_the_name_of_the_chapter_move_to_their_own(course, id, metadata):
    (course / "work").mkdir()
    mine = notebook(code("mine", id, metadata=metadata))
    (course / "work" / CHAPTER).write_text(mine)
    assert copies.copy_course()[0] == "work/01_avals.ipynb held your exercises: they are in work/01_exercises.ipynb"
    assert (course / "work" / EXERCISES).read_text() == mine
    assert cells(course / "work" / CHAPTER) == [code("print(7)", "a")]


def test_exercises_of_the_older_layout_are_kept_where_the_new_ones_are_there(course):
    copies.copy_course()
    mine = notebook(code("mine", "ex-1-1-answer"))
    (course / "work" / CHAPTER).write_text(mine)
    new = (course / "work" / EXERCISES).read_text()
    copies.copy_course()
    assert (course / "work" / "kept" / "01_avals-1.ipynb").read_text() == mine
    assert (course / "work" / EXERCISES).read_text() == new


def test_a_chapter_that_cannot_be_read_takes_nothing_away(course):
    copies.copy_course()
    (course / "notebooks" / CHAPTER).write_text("no notebook")
    before = (course / "work" / CHAPTER).read_text()
    with pytest.raises(workbook.NotReadable, match="is no notebook"):
        copies.reset_chapter("1")
    assert (course / "work" / CHAPTER).read_text() == before


def test_a_chapter_of_several_notebooks_begins_anew_as_a_whole_or_in_part(course):
    for part in "ab":
        (course / "notebooks" / f"02{part}_jit.ipynb").write_text(GIVEN["notebooks"])
    assert copies.copy_course()[1:3] == [f"work/02{part}_jit.ipynb: your copy of the chapter" for part in "ab"]
    a, b = (course / "work" / f"02{part}_jit.ipynb" for part in "ab")
    given = a.read_bytes()
    for path in (a, b):
        path.write_text("mine")
    copies.reset_chapter("2b")
    assert (a.read_text(), b.read_bytes()) == ("mine", given)
    told = "work/02a_jit.ipynb is as it was given; what you had is in work/kept/02a_jit-1.ipynb."
    assert copies.reset_chapter("2").splitlines()[0] == told
    assert a.read_bytes() == given


def test_what_keeps_the_copies_from_being_made_is_told_and_the_course_opens(course, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["copy_course.py"])
    (course / "work").write_text("a file, where a folder should be")
    program.main()
    assert capsys.readouterr().out.startswith("Not everything was copied to work/: ")
