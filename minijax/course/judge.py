"""Judge an answer: run its cases from small to large until one fails, and recognise known mistakes.

Whatever the answer does (raise, print, return nonsense, set the current trace) stays inside of its case.
"""

import contextlib
import contextvars
import io
import warnings
from dataclasses import dataclass
from typing import Any

from .exercise import Answer, Case, Exercise, Mistake, Raised

PASSED, FAILED, UNWRITTEN = "passed", "failed", "not written yet"
_STUBS = ("NotImplementedError", ""), ("NotImplementedError", UNWRITTEN)  # nbgrader's, and ours


@dataclass(frozen=True)
class Verdict:
    """What is known of an answer. The last four fields are about the smallest case that fails."""

    state: str
    passed: int  # cases
    case: Case | None = None
    got: Any = None
    expected: Any = None
    printed: str = ""
    mistake: Mistake | None = None


def judge(exercise: Exercise, answer: Answer) -> Verdict:
    """The verdict about `answer`, the same each time. Never raises."""
    passed = 0
    for case in exercise.cases():
        printed = io.StringIO()
        got = observe(exercise, case.setup, case.call, answer, printed)
        if isinstance(got, Raised) and (got.kind, got.message) in _STUBS:
            return Verdict(UNWRITTEN, passed, case)
        expected = observe(exercise, case.setup, case.expected, answer)
        if not same(got, expected):
            mistake = recognise(exercise, answer)
            return Verdict(FAILED, passed, case, got, expected, printed.getvalue(), mistake)
        passed += 1
    return Verdict(PASSED, passed)


def observe(exercise: Exercise, setup: str, expression: str, answer: Answer, printed: Any = None) -> Any:
    """The value of `expression` after `setup`, or what it raised. What it prints goes to `printed`."""
    names = {**exercise.names(), exercise.answer: answer}
    with contextlib.redirect_stdout(printed or io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # a context of its own: a trace that an answer leaves current ends with it
        return contextvars.copy_context().run(_evaluate, setup, expression, names)


def _evaluate(setup: str, expression: str, names: dict[str, Any]) -> Any:
    early = True
    try:
        exec(setup, names)
        early = False
        return eval(expression, names)
    except (Exception, SystemExit) as error:
        return Raised(type(error).__name__, _message(error), early)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(its message cannot be shown)"


def recognise(exercise: Exercise, answer: Answer) -> Mistake | None:
    """The first known mistake whose sign the answer shows."""
    shown = (m for m in exercise.mistakes if observe(exercise, m.setup, m.sign, answer) is True)
    return next(shown, None)


def same(got: Any, expected: Any) -> bool:
    """Whether two observations are equal, types included: 1 is not True, and a list is no tuple."""
    if type(got) is not type(expected):
        return False
    match expected:
        case Raised():
            return not got.early and got.kind == expected.kind and expected.message in (None, got.message)
        case tuple() | list():
            return len(got) == len(expected) and all(map(same, got, expected))
        case dict():
            return got.keys() == expected.keys() and all(same(got[k], expected[k]) for k in expected)
    return _equal(got, expected)


def _equal(got: Any, expected: Any) -> bool:
    try:
        return bool(got == expected)
    except Exception:  # an == of the learner's own, or one that has no truth value
        return False
