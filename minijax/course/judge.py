"""Judge an answer: run its cases from small to large until one fails, and recognise known mistakes.

Whatever the answer does (raise, print, return nonsense, set the current trace) stays inside of its case.
"""

import contextlib
import contextvars
import inspect
import io
import linecache
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .exercise import Answer, Case, Exercise, Mistake, Raised

PASSED, FAILED, UNWRITTEN = "passed", "failed", "not written yet"
ANSWER = "_the_answer"  # its second name in the cases, the same in all exercises
_STUBS = ("NotImplementedError", ""), ("NotImplementedError", UNWRITTEN)  # nbgrader's, and ours


@dataclass(frozen=True)
class Verdict:
    """What is known of an answer. The last five fields are about the smallest case that fails.

    Where a known mistake is recognised, they are about the smallest failing case that the mistake explains.
    """

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
        verdict = try_case(exercise, case, answer, passed)
        if verdict.state == FAILED:
            return next(explained(exercise, answer, passed), verdict)
        if verdict.state == UNWRITTEN:
            return verdict
        passed += 1
    return Verdict(PASSED, passed)


def try_case(exercise: Exercise, case: Case, answer: Answer, passed: int, mistake: Mistake | None = None) -> Verdict:
    """The verdict about one case, after `passed` others; `mistake` is what explains it where it fails."""
    printed = io.StringIO()
    got = observe(exercise, case.setup, case.call, answer, printed)
    if isinstance(got, Raised) and (got.kind, got.message) in _STUBS:
        return Verdict(UNWRITTEN, passed, case)
    expected = observe(exercise, case.setup, case.expected, answer)
    state = PASSED if same(got, expected) else FAILED
    return Verdict(state, passed, case, got, expected, printed.getvalue(), mistake)


def observe(exercise: Exercise, setup: str, expression: str, answer: Answer, printed: Any = None) -> Any:
    """The value of `expression` after `setup`, or what it raised. What it prints goes to `printed`."""
    names = {**exercise.names(), exercise.answer: answer, ANSWER: answer}
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
        return Raised(type(error).__name__, _message(error), early, _line(error, names[ANSWER]))


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(its message cannot be shown)"


def _line(error: BaseException, answer: Answer) -> str:
    """The innermost line of the learner's code in which `error` was raised: its number and its text; or ""."""
    theirs = getattr(inspect.unwrap(answer), "__globals__", None) if callable(answer) else None
    places = [(f, n) for f, n in traceback.walk_tb(error.__traceback__) if f.f_globals is theirs]
    if not places:
        return ""
    frame, number = places[-1]
    text = linecache.getline(frame.f_code.co_filename, number, frame.f_globals).strip()
    return f"line {number}" + (f": `{text}`" if text else "")


def explained(exercise: Exercise, answer: Answer, passed: int) -> Iterator[Verdict]:
    """For each known mistake whose sign the answer shows: the smallest failing cases that the mistake explains."""
    for m in exercise.mistakes:
        if observe(exercise, m.setup, m.sign, answer) is True:
            cases = (c for c in exercise.cases() if explains(m, c))
            verdicts = (try_case(exercise, case, answer, passed, m) for case in cases)
            yield from (v for v in verdicts if v.state == FAILED)


def explains(mistake: Mistake, case: Case) -> bool:
    text = f"{case.setup}\n{case.call}"
    return not mistake.explains or any(piece in text for piece in mistake.explains)


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
