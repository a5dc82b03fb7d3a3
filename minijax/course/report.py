"""A verdict in the words that a learner reads."""

import re
import textwrap

from .difference import difference
from .exercise import Case, Exercise, Raised
from .judge import NO_VERDICT, PASSED, UNWRITTEN, Verdict
from .show import cut, indented, show

WIDTH = 96  # columns of prose


def report(exercise: Exercise, verdict: Verdict) -> str:
    """The verdict as a learner reads it."""
    cases = f"{verdict.passed} case{'s' * (verdict.passed != 1)}"
    if verdict.state == PASSED:
        return f"{exercise.id} passed: {exercise.title} ({cases})"
    if verdict.state == NO_VERDICT:
        return absent(exercise, verdict.expected.message)
    if verdict.state == UNWRITTEN and verdict.passed:
        return f"{exercise.id} is written in part: after {cases}, a piece is {UNWRITTEN}."
    if verdict.state == UNWRITTEN:
        return f'{exercise.id} {UNWRITTEN}. Where to begin? hint("{exercise.id}")'
    return "\n\n".join(_failure(exercise, verdict))


def absent(exercise: Exercise, message: str) -> str:
    """What is said where a part of the package does not stand yet."""
    return textwrap.fill(f"{exercise.id} needs a part of the package that does not stand yet: {message}", WIDTH)


def unfinished(exercise: Exercise, how: str, case: Case | None) -> str:
    """What is said where an answer did not come to its end; `case` is the one that it was busy with."""
    start = {
        "time": f"{exercise.id} is not right yet. It was stopped after {exercise.seconds} seconds, the time that check "
        "has for all cases. Does a loop not end?",
        "stopped": f"{exercise.id}: the check was interrupted.",
    }.get(how, f"{exercise.id} is not right yet. It ended the process in which check tries it ({how}).")
    if case is None:
        return textwrap.fill(start, WIDTH)
    return f"{textwrap.fill(f'{start} The case that it was busy with:', WIDTH)}\n\n{textwrap.indent(case.code, '    ')}"


def _failure(exercise: Exercise, verdict: Verdict) -> list[str]:
    """The paragraphs about the case that fails."""
    assert verdict.case
    start = f"{exercise.id} is not right yet. The smallest case that fails:"
    said = f"your code printed: {cut(verdict.printed.rstrip())}" if verdict.printed.strip() else ""
    paragraphs = [
        start,
        textwrap.indent(verdict.case.code, "    "),
        _values(verdict),
        _differ(verdict),
        _changed(verdict),
        _look(verdict),
        said,
        textwrap.fill(_advice(exercise, verdict), WIDTH),
    ]
    return list(filter(None, paragraphs))


def _values(verdict: Verdict) -> str:
    """What was expected and what came."""
    got = verdict.got
    values = f"expected: {show(verdict.expected)}\ngot:      {show(got)}"
    if isinstance(got, Raised) and got.early:
        values = f"It {show(got)}, before the last line."
    if isinstance(got, Raised) and got.line:
        values += f"\n          in {cut(got.line)}"
    return re.sub(r": +\n", ":\n", values)


def _differ(verdict: Verdict) -> str:
    if isinstance(verdict.got, Raised) and verdict.got.early:
        return ""
    return difference(verdict.expected, verdict.got)


def _changed(verdict: Verdict) -> str:
    if verdict.changed is None:
        return ""
    before, after = map(show, verdict.changed)
    told = "Your function changed an argument, and its caller may still need that:"
    return f"{told}\n\n    before: {before}\n    after:  {after}"


def _look(verdict: Verdict) -> str:
    """The program behind the values, where the case names one and it can be shown."""
    if verdict.look is None or isinstance(verdict.look, Raised):
        return ""
    assert verdict.case
    return f"A look at it, {verdict.case.look}:\n\n{indented(verdict.look)}"


def _advice(exercise: Exercise, verdict: Verdict) -> str:
    if verdict.mistake:
        return f"A known mistake: {verdict.mistake.name}. {verdict.mistake.words}"
    got = verdict.got
    if got is None or (isinstance(got, Raised) and "'NoneType'" in (got.message or "")):
        return "None is what a function gives that has no return. Is one missing?"
    return f'hint("{exercise.id}") gives a hint.'
