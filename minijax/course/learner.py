"""What a learner calls: `check`, `hint`, `solution` and `progress`. The first three print, in words."""

import difflib
import sys
import textwrap
from dataclasses import replace
from typing import Any

from IPython import get_ipython

from .attempt import after_a_failure, answer_in, attempt_text, where_defined
from .catalogue import EXERCISES
from .exercise import Answer, Exercise
from .judge import FAILED, NO_VERDICT, UNWRITTEN
from .logbook import Entry, Progress, progress_here
from .report import WIDTH
from .show import show
from .table import Table
from .verdict import Outcome, outcome
from .workbook import NotReadable, given_source, solution_source

_NOTHING: Any = object()  # no answer was given; None is an answer, if a wrong one


def check(id: Any = None, answer: Answer = _NOTHING) -> None:
    """Judge the answer to exercise `id`, and print what came out.

    The answer is the function of the exercise's name in the notebook; or give one: check("1.3", other_function).
    """
    exercise = _exercise(id, 'check("1.1")')
    if exercise is None:
        return
    found = (
        _found(exercise, _names(sys._getframe(1).f_globals)) if answer is _NOTHING else _outcome_of(exercise, answer)
    )
    if found.state != NO_VERDICT:
        progress_here().change(exercise.id, lambda entry: _counted(entry, found.state))
    print(found.text)


def hint(id: Any = None, number: Any = None) -> None:
    """Print the hints of exercise `id` that were read, and the next of the three; with a number, that one alone."""
    exercise = _exercise(id, 'hint("1.1")')
    if exercise is not None:
        print(next_hint(exercise, progress_here()) if number is None else one_hint(exercise, number, progress_here()))


def solution(id: Any = None) -> None:
    """Print what separates your answer to exercise `id` from the solution, as a diff; and the solution, to copy."""
    exercise = _exercise(id, 'solution("1.1")')
    if exercise is not None:
        names = _names(sys._getframe(1).f_globals)
        print(told_solution(exercise, attempt_text(exercise, names), progress_here()))


def progress(chapter: int | None = None) -> Table:
    """A table of the exercises, of one chapter or of all: what was tried, and what passed."""
    return Table(dict(progress_here().entries()), chapter)


# ---- finding the exercise and the answer


def _exercise(id: Any, example: str) -> Exercise | None:
    """The exercise of this id. Prints a word where there is none, or where a number stands in its place."""
    meant = [text for text in EXERCISES if type(id) in (int, float) and float(text) == id]
    if meant:
        print(as_text(meant, example))
        return None
    text = str(id) if isinstance(id, str | int | float) else ""
    if text not in EXERCISES:
        print(no_such(text, example))
    return EXERCISES.get(text)


def as_text(meant: list[str], example: str) -> str:
    """What to write in place of a number."""
    calls = " or ".join(f'{example.partition("(")[0]}("{text}")' for text in meant)
    why = f" {' and '.join(meant)} are the same number." if len(meant) > 1 else ""
    return f"The name of an exercise is a text: write {calls}.{why}"


def no_such(id: str, example: str) -> str:
    start = f"There is no exercise {id!r}." if id else f"Which exercise? For example {example}."
    return textwrap.fill(f"{start} There are {', '.join(EXERCISES)}.", WIDTH)


def _names(of_caller: dict[str, Any]) -> dict[str, Any]:
    """The names of the notebook; in plain Python those of the module that calls."""
    running = get_ipython()
    return running.user_ns if running is not None else of_caller


def _found(exercise: Exercise, names: dict[str, Any]) -> Outcome:
    """The outcome of the answer that stands among these names, if it does."""
    missing = [name for name in (exercise.answer, *exercise.parts) if name not in names]
    if missing:
        told = f"{exercise.id} {UNWRITTEN}: define `{'` and `'.join(missing)}`, and run that cell."
        return Outcome(UNWRITTEN, told)
    answer = names[exercise.answer]
    found = _outcome_of(exercise, answer)
    place = where_defined(answer) if after_a_failure() else ""
    if not place:
        return found
    # else a learner takes the verdict for one about the text that could not be run
    told = f"The cell that ran last raised an error. Judged is the `{exercise.answer}` of {place}:"
    return replace(found, text=f"{told}\n\n{found.text}")


def _outcome_of(exercise: Exercise, answer: Answer) -> Outcome:
    """The outcome of a given answer."""
    if callable(answer):
        return outcome(exercise, answer)
    return Outcome(FAILED, f"{exercise.id}: {exercise.answer} must be a function, and this is {show(answer)}.")


def _counted(entry: Entry, state: str) -> Entry:
    if state == UNWRITTEN:
        return replace(entry, unwritten=True)
    return replace(entry, unwritten=False, tries=entry.tries + 1, passed=entry.passed or state == "passed")


# ---- hints and solutions


def next_hint(exercise: Exercise, store: Progress) -> str:
    """The hints that were read, and the next one, which counts as read."""
    last = len(exercise.hints)
    number = store.change(exercise.id, lambda entry: replace(entry, hints=min(entry.hints + 1, last))).hints
    return "\n\n".join(_hint(exercise, n) for n in range(1, number + 1))


def one_hint(exercise: Exercise, number: Any, store: Progress) -> str:
    """The hint of this number, which counts as read with those before it; or the word that there is none."""
    last = len(exercise.hints)
    if not isinstance(number, int) or not 1 <= number <= last:
        return f"{exercise.id} has the hints 1 to {last}, and no hint {show(number)}."
    store.change(exercise.id, lambda entry: replace(entry, hints=max(entry.hints, number)))
    return _hint(exercise, number)


def _hint(exercise: Exercise, number: int) -> str:
    text = f"Hint {number} of {len(exercise.hints)} for {exercise.id}: {exercise.hints[number - 1]}"
    return textwrap.fill(text, WIDTH)


def told_solution(exercise: Exercise, attempt: str | None, store: Progress) -> str:
    """The diff from an attempt to the solution, and its text; before any try, first the question whether to try."""
    entry = store[exercise.id]
    if not entry.tries and not entry.asked:
        store.change(exercise.id, lambda entry: replace(entry, asked=True))
        return (
            f"You have not tried {exercise.id} yet: an answer of your own, even a wrong one, teaches more.\n"
            "To see the solution all the same, ask once more."
        )
    try:
        return compared(exercise, given_source(exercise) if attempt is None else attempt)
    except NotReadable as error:
        return str(error)


def compared(exercise: Exercise, attempt: str) -> str:
    """The lines that lead from an attempt, the text of a cell, to the solution, and then the whole of it.

    Raises NotReadable where there is no solution.
    """
    both = answer_in(attempt), solution_source(exercise)
    texts = [[line.rstrip() for line in text.strip("\n").splitlines()] for text in both]
    theirs, ours = texts
    lines = list(difflib.unified_diff(theirs, ours, f"your {exercise.answer}", "the solution", n=2, lineterm=""))
    if not lines:
        return f"Your answer to {exercise.id} is the solution, line for line."
    return "\n".join([*lines, "", "The whole solution:", "", *ours])
