"""The commands of `python -m minijax.course`, in a checkout of their own."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys

import nbformat
import pytest
from answers import ROOT, source_of

from minijax.course import __main__ as terminal, logbook, running, workbook
from minijax.course.__main__ import COMMANDS, parser
from minijax.course.catalogue import EXERCISES
from minijax.course.workbook import NotReadable, Workbook

GIVEN, BOOK = "01_avals_and_tracers.ipynb", "01_exercises.ipynb"


class Checkout:
    """A folder with the package, the exercises and the solutions, and what commands do in it."""

    def __init__(self, path):
        self.path, self.work = path, path / "work"
        (path / "minijax").symlink_to(ROOT / "minijax")
        for folder in ("notebooks", "exercises", "solutions"):
            shutil.copytree(ROOT / folder, path / folder)

    def run(self, *words):
        """The exit status, and what is printed; an error of the command is printed with it."""
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as said:
            for module in (workbook, logbook, running, terminal):
                patch.setattr(module, "WORK", self.work)
                patch.setattr(module, "ROOT", self.path, raising=False)
            with contextlib.redirect_stderr(said):
                return terminal.main(list(words)), said.getvalue()

    def write(self, id, source):
        """Type an answer into the learner's copy."""
        path = self.work / BOOK
        notebook = nbformat.read(path, as_version=4)
        cell = next(c for c in notebook.cells if c.id == f"ex-{id.replace('.', '-')}-answer")
        cell.source = source
        nbformat.write(notebook, path)

    def answer(self, id):
        return next(c.source for c in self.notebook().cells if c.id == f"ex-{id.replace('.', '-')}-answer")

    def notebook(self):
        return nbformat.read(self.work / BOOK, as_version=4)

    def progress(self):
        return json.loads((self.work / "progress.json").read_text())["exercises"]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    place = Checkout(tmp_path_factory.mktemp("course"))
    status, said = place.run("status")
    assert status == 0 and f"\nwork/{BOOK}: your copy of the exercises\n" in said
    assert said.startswith("work/00_the_tracing_machine.ipynb: your copy of the chapter\n")
    return place


def test_the_commands_are_those_of_python_dash_m(tmp_path):
    place = Checkout(tmp_path)
    command = [sys.executable, "-m", "minijax.course", "hint", "1.1"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nHint 1 of 3 for 1.1: " in done.stdout and place.progress()["1.1"]["hints"] == 1


def test_status_is_a_table_of_all_exercises(checkout):
    status, said = checkout.run("status")
    assert status == 0 and said.startswith("Chapter 1, avals and tracers: ")
    assert all(exercise.title in said for exercise in EXERCISES.values())


def test_a_stub_is_not_written_yet_and_a_solution_passes_and_both_are_remembered(checkout):
    assert checkout.run("check", "1.1") == (1, '1.1 not written yet. Where to begin? hint("1.1")\n')
    checkout.write("1.1", source_of("1.1"))
    assert checkout.run("check", "1.1") == (0, "1.1 passed: what is its type? (64 cases)\n")
    assert checkout.progress()["1.1"]["passed"] is True and checkout.progress()["1.1"]["tries"] == 1


def test_several_checks_pass_only_together(checkout):
    checkout.write("1.3", source_of("1.3").replace("> 1", "> 2", 1))
    status, said = checkout.run("check", "1.1", "1.3")
    assert status == 1 and "1.1 passed" in said and "1.3 is not right yet" in said


@pytest.mark.parametrize(
    "source, words",
    [
        ("x = 1\nraise ValueError('no')\n", "a cell before the check raises ValueError: no\n\n    line 2: raise Val"),
        ("def register_dense(cls:\n    pass", "a cell before the check raises SyntaxError: "),
        ("import os\nos._exit(1)", "this cell ends the kernel:\n\n    import os"),
        ("register_dense = 3", "1.2: register_dense must be a function, and this is 3."),
        ("def register(cls): ...", "1.2 not written yet: define `register_dense`, and run that cell."),
    ],
)
def test_what_keeps_an_answer_from_being_checked_is_told(checkout, source, words):
    checkout.write("1.2", source)
    status, said = checkout.run("check", "1.2")
    assert status == 1 and words in said and "Traceback" not in said


def test_a_cell_that_the_learner_added_is_run_too(checkout):
    notebook = checkout.notebook()
    place = next(i for i, c in enumerate(notebook.cells) if c.id == "ex-1-6-answer")
    notebook.cells.insert(place, nbformat.v4.new_code_cell("def helper(jaxpr):\n    return jaxpr"))
    notebook.cells[place + 1].source = "def drop_dead(jaxpr):\n    return helper(jaxpr)"
    nbformat.write(notebook, checkout.work / BOOK)
    status, said = checkout.run("check", "1.6")
    assert status == 1 and said.startswith("1.6 is not right yet. The smallest case that fails:")


def test_reset_puts_the_given_cell_back_keeps_the_text_and_forgets(checkout):
    given = checkout.answer("1.8")
    for number in (1, 2):
        checkout.write("1.8", f"mine = {number}")
        status, said = checkout.run("reset", "1.8")
        assert status == 0 and f"what you had written is in work/kept/1.8-{number}.py." in said
        assert (checkout.work / f"kept/1.8-{number}.py").read_text() == f"mine = {number}\n"
        assert checkout.answer("1.8") == given
    checkout.run("hint", "1.8")
    assert "1.8" in checkout.progress()
    assert checkout.run("reset", "1.8")[1].startswith("1.8 is as it was given.\n")
    assert "1.8" not in checkout.progress()


def test_a_notebook_in_which_everything_is_reset_is_the_given_one(checkout):
    checkout.write("1.5", "mine = 5")
    status, said = checkout.run("reset", "all")
    assert status == 0 and said.count("as it was given") == len(EXERCISES) and checkout.progress() == {}
    given = {c.id: c.source for c in nbformat.read(ROOT / "exercises" / GIVEN, as_version=4).cells}
    found = {c.id: c.source for c in checkout.notebook().cells if c.id in given}
    assert found == given


def test_a_chapter_begins_anew_and_what_it_was_is_kept(checkout):
    path, kept = checkout.work / GIVEN, checkout.work / "kept" / "01_avals_and_tracers-1.ipynb"
    given = path.read_bytes()
    path.write_text("mine")
    status, said = checkout.run("reset", "1")
    told = f"work/{GIVEN} is as it was given; what you had is in work/kept/{kept.name}.\n"
    assert (status, said.startswith(told)) == (0, True)
    assert kept.read_text() == "mine" and path.read_bytes() == given
    assert checkout.run("reset", "99") == (1, "There is no chapter 99 in notebooks/.\n")


def test_hints_and_solutions_are_told_and_remembered(checkout):
    assert checkout.run("hint", "1.9")[1].startswith("Hint 1 of 3 for 1.9: ")
    assert "\n\nHint 2 of 3 for 1.9: " in checkout.run("hint", "1.9")[1]
    assert checkout.run("solution", "1.9")[1].startswith("You have not tried 1.9 yet")
    assert checkout.run("solution", "1.9")[1].startswith("--- your my_make_jaxpr\n+++ the solution\n")


@pytest.mark.parametrize("words", [["check", "9.9"], ["hint", "x"], ["reset", "one"], ["solution", ""]])
def test_an_exercise_that_does_not_exist_is_told_with_status_2(checkout, words):
    status, said = checkout.run(*words)
    assert status == 2 and "There are 1.1, 1.2, " in said


def test_a_copy_that_is_no_notebook_is_told(tmp_path):
    place = Checkout(tmp_path)
    place.work.mkdir()
    (place.work / BOOK).write_text('{"cells": [1]}')
    for command in ("check", "solution", "reset"):
        place.run(command, "1.1")  # a solution is shown when it is asked for a second time
        assert place.run(command, "1.1") == (1, f"work/{BOOK} is no notebook.\n")


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"cells": 3}', '{"cells": [{"source": 3}]}', "[" * 99_999])
def test_what_is_no_notebook_is_refused_in_words(content, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(content)
    with pytest.raises(NotReadable, match=r"^a\.ipynb is no notebook\.$"):
        Workbook.read(path)


@pytest.mark.parametrize("words", [[], ["unknown"], ["hint"], ["check", "--odd"]])
def test_a_wrong_command_ends_with_status_2(words, capsys):
    with pytest.raises(SystemExit) as caught:
        parser().parse_args(words)
    assert caught.value.code == 2 and "usage: python -m minijax.course" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["-h"], *([command, "-h"] for command in COMMANDS)])
def test_help_is_there_for_each_command(words, capsys):
    with pytest.raises(SystemExit) as caught:
        parser().parse_args(words)
    assert caught.value.code == 0 and "usage: python -m minijax.course" in capsys.readouterr().out
