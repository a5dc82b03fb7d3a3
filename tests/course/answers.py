"""Answers to try the checks with: the solutions, the stubs, and solutions with a piece of their text replaced."""

import functools
import importlib
from pathlib import Path

import nbformat

import exercises
from minijax.course.catalogue import EXERCISES, TITLES, stem
from minijax.layer1_core.primitive import impl_rules

ROOT = Path(__file__).parents[2]


@functools.cache
def solutions(chapter):
    """The notebook of solutions of a chapter."""
    (path,) = (ROOT / "solutions").glob(f"{chapter:02}_*.ipynb")
    return nbformat.read(path, as_version=4)


@functools.cache
def compiled(source):
    """The code of a cell: most cells are run many times."""
    return compile(source, "<string>", "exec")


def names_after(notebook, change=lambda cell: cell.source):
    """The names that stand after the notebook's definitions; `change` gives the text of an answer cell."""
    names, rules = {}, {**impl_rules}
    for cell in notebook.cells:
        answer = cell.metadata.get("minijax", {}).get("role") == "answer"
        if answer or cell.id.endswith(("-imports", "-given")):
            exec(compiled(change(cell) if answer else cell.source), names)
    impl_rules.clear()  # an answer may enter a rule of its own, which no other test expects
    impl_rules.update(rules)
    return names


def cell(id):
    """The text of one cell of the solutions: 'ex-4-1-given'."""
    return next(c.source for c in solutions(int(id.split("-")[1])).cells if c.id == id)


def source_of(id):
    """The text of the solution of one exercise."""
    return cell(f"{stem(EXERCISES[id])}-answer")


def answer_of(id, source):
    """The answer to one exercise whose cell has this text; all others are solved."""
    exercise = EXERCISES[id]
    cell_id = f"{stem(exercise)}-answer"
    names = names_after(solutions(exercise.chapter), lambda cell: source if cell.id == cell_id else cell.source)
    return names[exercise.answer]


def solution_of(id):
    return answer_of(id, source_of(id))


def stub_of(id):
    return answer_of(id, "\n".join(exercises.split(source_of(id))[0]))


def answer_with(id, *replacements):
    """The solution of one exercise with pieces of its text replaced; the pieces must be there."""
    source = source_of(id)
    for old, new in replacements:
        assert old in source, old
        source = source.replace(old, new)
    return answer_of(id, source)


def wrong_answers():
    """For each known mistake, (id, its name): a function that makes an answer with this mistake."""
    found = {}
    for chapter in TITLES:
        wrong = importlib.import_module(f"wrong_chapter{chapter}")
        found |= {key: functools.partial(answer_with, key[0], *changes) for key, changes in wrong.REPLACED.items()}
        found |= {key: functools.partial(lambda answer: answer, answer) for key, answer in wrong.WRITTEN.items()}
    return found
