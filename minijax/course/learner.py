"""What a learner calls: `check` and `hint`. Both print, in words."""

import re
import textwrap
from collections import Counter
from typing import Any

from . import chapter1
from .exercise import Answer, Exercise, Raised
from .judge import PASSED, UNWRITTEN, Verdict, judge

EXERCISES: dict[str, Exercise] = {e.id: e for chapter in (chapter1,) for e in chapter.EXERCISES}
_NOTHING: Any = object()  # no answer was given; None is an answer, if a wrong one
_hints_seen: Counter[str] = Counter()
_WIDTH, _LONGEST = 96, 600  # columns of prose; characters of a value that are shown


def check(id: Any = None, answer: Answer = _NOTHING) -> None:
    """Judge `answer`, the function of exercise `id`, and print what came out."""
    exercise = EXERCISES.get(id := _text(id))
    if exercise is None:
        print(_no_such(id, 'check("1.1", join_two)'))
    elif answer is _NOTHING:
        print(f'{id}: give check the function too: check("{id}", {exercise.answer})')
    elif not callable(answer):
        print(f'{id}: this is {_show(answer)}. Give check the function itself: check("{id}", {exercise.answer})')
    else:
        print(report(exercise, judge(exercise, answer)))


def hint(id: Any = None) -> None:
    """Print the next of the three hints of exercise `id`; after the third, the third again."""
    exercise = EXERCISES.get(id := _text(id))
    if exercise is None:
        print(_no_such(id, 'hint("1.1")'))
        return
    _hints_seen[id] = n = min(_hints_seen[id] + 1, len(exercise.hints))
    print(textwrap.fill(f"Hint {n} of {len(exercise.hints)} for {id}: {exercise.hints[n - 1]}", _WIDTH))


def _text(id: Any) -> str:
    """The id of an exercise as text: 1.6 is meant as "1.6"; "" for what is no id."""
    return str(id) if isinstance(id, str | int | float) else ""


def _no_such(id: str, example: str) -> str:
    start = f"There is no exercise {id!r}." if id else f"Which exercise? For example {example}."
    return f"{start} There are {', '.join(EXERCISES)}."


# ---- a verdict in words


def report(exercise: Exercise, verdict: Verdict) -> str:
    """The verdict as a learner reads it."""
    cases = f"{verdict.passed} case{'s' * (verdict.passed != 1)}"
    if verdict.state == PASSED:
        return f"{exercise.id} passed: {exercise.title} ({cases})"
    if verdict.state == UNWRITTEN and verdict.passed:
        return f"{exercise.id} is written in part: after {cases}, a piece is {UNWRITTEN}."
    if verdict.state == UNWRITTEN:
        return f'{exercise.id} {UNWRITTEN}. Where to begin? hint("{exercise.id}")'
    return "\n\n".join(_failure(exercise, verdict))


def _failure(exercise: Exercise, verdict: Verdict) -> list[str]:
    """The paragraphs about the case that fails."""
    assert verdict.case
    code = "\n".join(filter(None, (verdict.case.setup.rstrip(), verdict.case.call)))
    values = f"expected: {_show(verdict.expected)}\ngot:      {_show(verdict.got)}"
    if isinstance(verdict.got, Raised) and verdict.got.early:
        values = f"It {_show(verdict.got)}, before the last line."
    if isinstance(verdict.got, Raised) and verdict.got.line:
        values += f"\n          in {_cut(verdict.got.line)}"
    values = re.sub(r": +\n", ":\n", values)
    said = [f"your code printed: {_cut(verdict.printed.rstrip())}"] if verdict.printed else []
    start = f"{exercise.id} is not right yet. {'A' if verdict.mistake else 'The smallest'} case that fails:"
    return [start, textwrap.indent(code, "    "), values, *said, textwrap.fill(_advice(exercise, verdict), _WIDTH)]


def _advice(exercise: Exercise, verdict: Verdict) -> str:
    if verdict.mistake:
        return f"A known mistake: {verdict.mistake.name}. {verdict.mistake.words}"
    got = verdict.got
    if got is None or (isinstance(got, Raised) and "'NoneType'" in (got.message or "")):
        return "None is what a function gives that has no return. Is one missing?"
    return f'hint("{exercise.id}") gives a hint.'


def _show(value: Any) -> str:
    """The text of a value, without addresses; one of several lines begins on a line of its own."""
    try:
        text = str(value) if isinstance(value, Raised) or (isinstance(value, str) and "\n" in value) else repr(value)
    except Exception:
        text = f"a {type(value).__name__} whose repr raises"
    text = re.sub(r" at 0x[0-9a-fA-F]+|\(id=\d+\)", "", text)
    return "\n" + textwrap.indent(_cut(text), "    ") if "\n" in text else _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
