"""The magics in a notebook: what they print, and what the notebook knows afterwards."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from building import begun, step_of, text_of
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from minijax import course
from minijax.course import magics, trial, workbook
from minijax.course.chapters import PACKAGE, steps, taught
from minijax.course.trial import Trial, new_programs, programs, run_programs

Run = Callable[[str], str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A notebook: a function that runs a cell, and gives what it printed. Texts are kept in a folder of the test."""
    monkeypatch.setattr(workbook, "ROOT", tmp_path)
    monkeypatch.setattr(workbook, "WORK", tmp_path / "work")
    with begun(1):
        shell = InteractiveShell(colors="nocolor")
        magics.load(shell)

        def cell(source: str) -> str:
            with capture_output() as captured:
                shell.run_cell(source)
            return captured.stdout + captured.stderr

        yield cell


def layer(key: str, text: str | None = None) -> str:
    step = step_of(key)
    return f"%%layer {step.file} (step {step.id})\n{text or text_of(key)}"


def test_a_layer_cell_asks_for_a_chapter_first(run):
    assert "Say %chapter 1 first" in run(layer("_EDGES"))


@pytest.mark.parametrize("number", ["0", "12", "one", "1.3"])
def test_a_chapter_that_builds_no_layer_is_refused(run, number):
    there = ", ".join(map(str, taught()))
    assert f"({there}), not {number!r}" in run(f"%chapter {number}")


def test_a_chapter_says_where_it_begins_and_how_far_it_is(run):
    assert (
        run("%chapter 1") == f"Chapter 1: minijax is nothing yet. 33 steps, 1.1 to {steps(1)[-1].id}, write layer 1.\n"
    )
    assert "33 of 33 steps are missing. The next is step 1.1" in run("%chapter")
    run(layer("canonicalize_shape"))
    assert "32 of 33 steps are missing. The next is step 1.2" in run("%chapter")


def test_a_layer_cell_puts_its_names_into_the_notebook_and_says_what_came(run):
    run("%chapter 1")
    run(layer("canonicalize_shape"))
    assert run(layer("ShapedArray")).startswith("In layer1_core/aval.py: ShapedArray.\nNew: minijax.core.ShapedArray")
    assert run("print(ShapedArray((2,), 'float32'))") == "float32[2]\n"
    assert run(layer("ShapedArray")) == "Nothing changed: it stands like this already.\n"


def test_a_text_of_ones_own_is_told_and_its_difference_shown(run):
    run("%chapter 1")
    assert run("%diff") == "What you typed is the package's text.\n"
    mine = text_of("canonicalize_shape").replace("operator.index", "int")
    assert "Not as in the package: canonicalize_shape (%diff shows it)" in run(layer("canonicalize_shape", mine))
    shown = run("%diff 1.1")
    assert "-        return tuple(map(operator.index, shape))\n+        return tuple(map(int, shape))" in shown
    told = f"The package's text of {step_of('canonicalize_shape')}:"
    assert shown.endswith(f"{told}\n\n{text_of('canonicalize_shape')}\n")
    assert told not in run("%diff")


def test_catching_up_brings_the_steps_and_keeps_what_was_typed_otherwise(run, tmp_path):
    run("%chapter 1")
    mine = text_of("canonicalize_shape").replace("operator.index", "int")
    run(layer("canonicalize_shape", mine))
    assert run("%catchup 1.4") == (
        "Steps 1.1 to 1.4 stand as in the package.\nYour own text of a step is kept in work/kept/step-1.1-1.py.\n"
        "Experiments in between are not run: Run > Run All Above Selected Cell does both.\n"
        "minijax was built anew: run again the cells that registered something with it.\n"
    )
    assert (tmp_path / "work" / "kept" / "step-1.1-1.py").read_text() == mine + "\n"
    assert run("print(canonicalize_shape([True]), typeof(1))") == "(1,) ~int32[]\n"
    assert "29 of 33 steps are missing. The next is step 1.5" in run("%chapter")


def test_catching_up_asks_for_a_step_with_an_example(run):
    run("%chapter 1")
    assert "Up to which step? For example %catchup 1.12." in run("%catchup")


def test_a_layer_cell_asks_for_a_chapter_where_the_last_one_could_not_begin(run, monkeypatch):
    run("%chapter 1")
    monkeypatch.setattr(magics, "Construction", lambda number: 1 / 0)
    assert "ZeroDivisionError" in run("%chapter 1")
    assert "Say %chapter 1 first" in run(layer("_EDGES"))


@pytest.mark.parametrize("step", ["1.99", "nonsense"])
def test_a_step_that_is_none_is_refused(run, step):
    run("%chapter 1")
    assert f"There is no step {step!r}. This chapter has 1.1 to {steps(1)[-1].id}" in run(f"%catchup {step}")


def test_the_notebooks_names_mean_the_package_that_was_built_anew(run):
    run("%chapter 1")
    run(f"import minijax as jax\n%catchup {steps(1)[-1].id}")
    run(layer("unary", text_of("unary").replace("return shaped(x.shape, ", "return shaped(x.shape[:0], ")))
    assert run("print(jax is __import__('minijax'), jax.typeof is typeof, Primitive is jax.extend.core.Primitive)") == (
        "True True True\n"
    )
    assert run("print(jax.eval_shape(jax.lax.sin, jax.numpy.zeros(3)).shape)") == "()\n"


def test_a_name_that_a_later_step_brings_is_told_below_the_error(run):
    run("%chapter 1")
    run(layer("ShapedArray"))
    told = run("ShapedArray((2,), 'float32')")
    assert f"canonicalize_shape is not there yet: chapter 1 brings it, in {step_of('canonicalize_shape')}" in told


def test_an_error_in_a_layer_cell_is_shown_from_the_module_on(run):
    run("%chapter 1")
    told = run(layer("canonicalize_shape", text_of("canonicalize_shape") + "\n\ncanonicalize_shape(1.5)"))
    assert "canonicalize_shape(1.5)" in told and "Shapes must be 1D sequences" in told
    assert "course/" not in told


def test_a_syntax_error_is_told_with_its_line_in_the_cell(run):
    run("%chapter 1")
    told = run("%%layer layer1_core/aval.py\ndef typeof(x):\n    return x +\n")
    assert "File the cell:3" in told and "SyntaxError" in told and "course/" not in told


def test_an_error_in_what_is_built_on_a_cell_is_shown_from_its_line_on(run):
    run(f"%chapter 1\n%catchup {steps(1)[-1].id}")
    told = run(layer("unary", "def unary(name, *a, **k):\n    return 1 / 0"))
    lines = (PACKAGE / "layer1_core/lax/elementwise.py").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("neg_p ="))
    assert f'--> {line} neg_p = unary("neg"' in told and "return 1 / 0" in told
    assert told.count("File ") == 2 and "The package is as it was before this cell." in told
    assert run("import minijax\nprint(minijax.numpy.sin(0.0))") == "0.0\n"


def test_an_interrupt_is_shown_like_an_error(run):
    run("%chapter 1")
    told = run("%%layer layer1_core/aval.py\nraise KeyboardInterrupt")
    assert "raise KeyboardInterrupt" in told and told.count("File ") == 1


def test_an_error_about_a_name_that_is_not_there_is_shown_where_it_was_asked_for(run):
    run("%chapter 1\nimport minijax as jax")
    told = run("jax.vmap")
    assert "----> 1 jax.vmap" in told and "chapter 5 brings it" in told and "course/" not in told


def test_a_step_that_belongs_to_another_file_is_told(run):
    run("%chapter 1")
    told = run(f"%%layer layer1_core/dtypes.py (step 1.1)\n{text_of('canonicalize_shape')}")
    assert "Step 1.1 belongs to another file: %%layer layer1_core/aval.py (step 1.1)" in told


@pytest.mark.parametrize("line", ["!ls", "%time x = 1"])
def test_a_line_for_the_notebook_in_a_layer_cell_is_told(run, line):
    run("%chapter 1")
    assert "a layer cell takes Python only, no line with ! or %" in run(f"%%layer layer1_core/aval.py\nx = 1\n{line}")


def test_what_remains_of_the_old_package_is_told_when_it_is_built_anew(run):
    run(f"%chapter 1\nimport minijax as jax\n%catchup {steps(1)[-1].id}")
    run("x, sin_p, number = jax.numpy.ones(3), jax.lax.sin_p, 3")
    told = run(layer("unary", text_of("unary").replace("return shaped(x.shape, ", "return shaped(x.shape[:0], ")))
    assert (
        "minijax was built anew: run again the cells that made x, and those that registered something with it." in told
    )
    assert run("print(sin_p is jax.lax.sin_p, number)") == "True 3\n"
    assert "Made before minijax was built anew: x. If it was used here" in run("jax.numpy.sin(x)")
    run("x = jax.numpy.ones(3)")
    assert "built anew" not in run("jax.numpy.sin('text')")


def test_a_helper_of_ones_own_is_in_the_difference(run):
    run("%chapter 1")
    run("%%layer layer1_core/aval.py\ndef helper():\n    return 1")
    assert "+++ yours: helper" in run("%diff") and "+def helper():" in run("%diff")
    assert "helper" not in run("%diff 1.1")


def test_a_step_that_was_not_typed_differs_in_nothing_and_its_text_is_shown(run):
    run("%chapter 1")
    assert run("%diff 1.1").startswith("The package's text of step 1.1 (layer1_core/aval.py: canonicalize_shape):")
    run(layer("canonicalize_shape"))
    assert run("%diff 1.1") == "What you typed is the package's text.\n"


def test_each_statement_of_a_cell_is_told_where_none_of_them_binds_a_name(run):
    run("%chapter 1")
    told = run("%%layer layer1_core/aval.py\nlist((1, 2))\nlist(('a long text', 'and another long text'))")
    assert told.startswith("In layer1_core/aval.py: list((1, 2)), list(('a long text', 'and another long ... Not as")


def test_a_statement_of_many_lines_is_told_in_short(run):
    run("%chapter 1")
    told = run("%%layer layer1_core/aval.py\nif True:\n    pass")
    assert told == "In layer1_core/aval.py: if True ... Not as in the package: if True ... (%diff shows it).\n"


def test_a_long_statement_is_cut_at_the_end_of_a_word(run):
    run("%chapter 1")
    told = run("%%layer layer1_core/aval.py\nassert 'one' != 'another' != 'a_much_longer_word'")
    assert told.startswith("In layer1_core/aval.py: assert 'one' != 'another' != ... Not as")


def test_a_step_that_was_typed_in_part_is_kept_as_far_as_it_goes(run, tmp_path):
    run("%chapter 1")
    mine = "def typeof(x):\n    return 'mine'"
    run(layer("typeof", mine))
    assert "work/kept/step-1.3-1.py" in run("%catchup 1.3")
    assert (tmp_path / "work" / "kept" / "step-1.3-1.py").read_text() == mine + "\n"
    run(layer("typeof", mine))
    assert "work/kept/step-1.3-2.py" in run("%catchup 1.3")


def test_nothing_is_brought_where_the_own_text_cannot_be_kept(run, tmp_path):
    (tmp_path / "work").write_text("a file, where a folder should be")
    run("%chapter 1")
    run(layer("typeof", "def typeof(x):\n    return 'mine'"))
    assert "Nothing was changed, since your text of step 1.3 cannot be kept" in run("%catchup 1.3")
    assert run("print(typeof(1))") == "mine\n"


def test_loading_the_course_brings_what_helps_with_the_exercises(run):
    shell = InteractiveShell(colors="nocolor")
    course.load_ipython_extension(shell)
    names = ("check", "hint", "progress", "solution")
    assert [shell.user_ns[name] for name in names] == [getattr(course, name) for name in names]


def test_finishing_brings_the_rest_and_tries_programs_written_for_jax(run, monkeypatch):
    tried = []
    monkeypatch.setattr(
        magics, "run_programs", lambda chapter, own, cases, tell: tried.append((chapter, own)) or Trial(7, ("a/b",))
    )
    run("%chapter 1\n%catchup 1.31")
    assert run("%finish") == (
        "Layer 1 stands. 31 of 33 steps were typed here; the package gave 1.32 to 1.33.\n"
        f"{len(programs(1))} programs written for JAX are run on it, which takes about a minute.\n"
        "1 of them prints something else than JAX 0.11.0: a/b.\n"
    )
    assert tried == [(1, {})]
    assert run("import minijax.numpy as jnp\nprint(jnp.sin(0.0))") == "0.0\n"


def test_finishing_says_what_is_not_as_in_the_package_and_how_the_first_program_differs(run, monkeypatch):
    differ = tuple(f"a/{i}" for i in range(7))
    monkeypatch.setattr(magics, "run_programs", lambda chapter, own, cases, tell: Trial(9, differ, "a/0.py:\n-1\n+2"))
    run("%chapter 1")
    run(layer("ShapedArray"))
    run(layer("canonicalize_shape", text_of("canonicalize_shape").replace("operator.index", "int")))
    assert run("%finish") == (
        "Layer 1 stands. 2 of 33 steps were typed here; the package gave 1.3 to 1.33.\n"
        "Not as in the package: canonicalize_shape (%diff shows it).\n"
        f"{len(programs(1))} programs written for JAX are run on it, which takes about a minute.\n"
        "7 of them print something else than JAX 0.11.0: a/0, a/1, a/2, a/3, a/4 and 2 more.\n\n"
        "a/0.py:\n-1\n+2\n"
    )


def test_steps_are_named_as_the_ranges_that_they_are():
    all_of_them = [*steps(1)]
    chosen = [step for step in all_of_them if step.id not in ("1.1", "1.3", "1.6")]
    assert magics._ids(chosen, all_of_them) == f"1.2, 1.4 to 1.5, 1.7 to {steps(1)[-1].id}"


def test_programs_that_run_too_long_are_stopped_with_what_they_started(monkeypatch, tmp_path):
    monkeypatch.setattr(trial, "_SECONDS", 2)
    child = "import time; open('began', 'w'); time.sleep(5); open('went_on', 'w')"
    command = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    counts = []
    with pytest.raises(RuntimeError, match="stopped, since they ran for 2 seconds"):
        trial._said([sys.executable, "-c", command], str(tmp_path), counts.append)
    time.sleep(5)
    assert {path.name for path in tmp_path.iterdir()} <= {"began"} and counts == []


def test_the_programs_are_run_on_the_text_that_was_typed():
    key = step_of("join").file, "_join"
    statement = magics.statements("def _join(types, x64, mode):\n    return types[0]\n")[0]
    counts, cases = [], [case for case in programs(1) if case.startswith("numpy/")]
    tried = run_programs(1, {key: statement}, cases, counts.append)
    assert tried.programs == len(cases) > 40
    assert counts == [f"{k} of {tried.programs}" for k in range(1, tried.programs + 1)]
    assert 5 < len(tried.differ) < tried.programs
    path, *heads, jax, ours = tried.first.splitlines()
    assert path == f"tests/conformance/cases/{tried.differ[0]}.py:" and heads == ["--- JAX 0.11.0", "+++ minijax"]
    assert jax.startswith("-") and ours.startswith("+")
    assert sys.modules["minijax"].numpy.promote_types("int8", "float32") == "float32"


def test_a_chapter_is_tried_with_the_programs_that_it_brings():
    every = [case for chapter in (1, 3, 4, 5, 6) for case in new_programs(chapter)]
    assert sorted(every) == sorted(programs(6))
    assert new_programs(2) == programs(1) == new_programs(1)
    assert {case.partition("/")[0] for case in new_programs(4)} == {"grad", "lax", "array"}
