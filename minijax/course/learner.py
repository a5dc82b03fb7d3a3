"""What a learner calls: `check` and `hint`. Both print, in words."""

import textwrap
from collections import Counter
from typing import Any

from . import chapter1
from .exercise import Answer, Exercise, Raised
from .judge import FAILED, PASSED, UNWRITTEN, Verdict, judge

EXERCISES: dict[str, Exercise] = {e.id: e for chapter in (chapter1,) for e in chapter.EXERCISES}
_hints_seen: Counter[str] = Counter()
_WIDTH, _LONGEST = 96, 600  # columns of prose; characters of a value that are shown


def check(id: str, answer: Answer) -> None:
    """Judge `answer`, the function of exercise `id`, and print what came out."""
    exercise = EXERCISES.get(id)
    if exercise is None:
        print(_no_such(id))
    elif not callable(answer):
        print(f'{id}: this is {_show(answer)}. Give check the function itself: check("{id}", {exercise.answer})')
    else:
        print(report(exercise, judge(exercise, answer)))


def hint(id: str) -> None:
    """Print the next of the three hints of exercise `id`."""
    exercise = EXERCISES.get(id)
    if exercise is None:
        print(_no_such(id))
        return
    seen = min(_hints_seen[id], len(exercise.hints) - 1)
    _hints_seen[id] = seen + 1
    print(_wrap(f"Hint {seen + 1} of {len(exercise.hints)} for {id}: {exercise.hints[seen]}"))


def _no_such(id: Any) -> str:
    return f"There is no exercise {id!r}. There are {', '.join(EXERCISES)}."


# ---- a verdict in words


def report(exercise: Exercise, verdict: Verdict) -> str:
    """The verdict as a learner reads it."""
    match verdict.state:
        case state if state == PASSED:
            return f"{exercise.id} passed: {exercise.title} ({verdict.passed} cases)"
        case state if state == UNWRITTEN and verdict.passed:
            return f"{exercise.id} is written in part: {verdict.passed} cases pass, then a piece is {UNWRITTEN}."
        case state if state == UNWRITTEN:
            return f'{exercise.id} {UNWRITTEN}. Where to begin? hint("{exercise.id}")'
    return "\n\n".join(_failure(exercise, verdict))


def _failure(exercise: Exercise, verdict: Verdict) -> list[str]:
    """The paragraphs about the smallest case that fails."""
    assert verdict.state == FAILED and verdict.case
    code = textwrap.indent("\n".join(filter(None, (verdict.case.setup, verdict.case.call))), "    ")
    if isinstance(verdict.got, Raised) and verdict.got.early:
        values = f"It {verdict.got}, before the last line."
    else:
        values = f"expected: {_show(verdict.expected)}\ngot:      {_show(verdict.got)}"
    paragraphs = [f"{exercise.id} is not right yet. The smallest case that fails:", code, values]
    if verdict.printed:
        paragraphs.append(f"your code printed: {_cut(verdict.printed.rstrip())}")
    return [*paragraphs, _wrap(_advice(exercise, verdict))]


def _advice(exercise: Exercise, verdict: Verdict) -> str:
    if verdict.mistake:
        return f"A known mistake: {verdict.mistake.name}. {verdict.mistake.words}"
    if verdict.got is None:
        return "None is what a function gives that has no return. Is one missing?"
    return f'hint("{exercise.id}") gives a hint.'


def _show(value: Any) -> str:
    """The text of a value; one of several lines begins on a line of its own."""
    try:
        text = str(value) if isinstance(value, Raised) or (isinstance(value, str) and "\n" in value) else repr(value)
    except Exception:
        text = f"a {type(value).__name__} whose repr raises"
    text = _cut(text)
    return "\n" + textwrap.indent(text, "    ") if "\n" in text else text


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."


def _wrap(text: str) -> str:
    return "\n".join(textwrap.fill(line, _WIDTH) for line in text.splitlines())
