"""Judge an answer: run its cases from small to large until one fails, and recognise known mistakes.

Whatever the answer does (raise, print, return nonsense, set the current trace or a flag) stays inside of its case. What
it does to the process (end it, never return) is dealt with by isolation.py.
"""

import contextvars
import inspect
import linecache
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .arguments import Told, watched
from .exercise import Answer, Case, Exercise, Mistake, Raised
from .surroundings import Printed, kept

PASSED, FAILED, UNWRITTEN = "passed", "failed", "not written yet"
NO_VERDICT = "no verdict"  # nothing is known of the answer: the case itself could not be evaluated, or not to the end
ANSWER = "_the_answer"  # its second name in the cases, the same in all exercises
_STUBS = ("NotImplementedError", ""), ("NotImplementedError", UNWRITTEN)  # nbgrader's, and ours
_ABSENT = ("AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "NotImplementedError")
_ANYTHING = BaseException  # an answer may replace builtins
Hear = Callable[[int], None]


@dataclass(frozen=True)
class Verdict:
    """What is known of an answer. All fields but the first two are about the smallest case that fails."""

    state: str
    passed: int  # cases
    case: Case | None = None
    got: Any = None
    expected: Any = None
    printed: str = ""
    look: Any = None  # the value of case.look
    changed: tuple[Any, Any] | None = None  # an argument before and after
    mistake: Mistake | None = None  # a known one that explains that case


def judge(exercise: Exercise, answer: Answer) -> Verdict:
    """The verdict about `answer`, the same each time. Never raises."""
    *_, verdict = verdicts(exercise, answer)
    return verdict


def verdicts(exercise: Exercise, answer: Answer, hear: Hear = lambda number: None) -> Iterator[Verdict]:
    """One verdict, or two: where an answer fails by a known mistake, the second says so.

    `hear` gets the number of each case before it is tried.
    """
    number = 0
    for number, case in enumerate(exercise.cases()):
        hear(number)
        verdict = try_case(exercise, case, answer, number)
        if verdict.state != PASSED:
            yield verdict
            if verdict.state == FAILED:
                yield from explained(exercise, answer, verdict)
            return
    yield Verdict(PASSED, number + 1)


def try_case(exercise: Exercise, case: Case, answer: Answer, passed: int) -> Verdict:
    """The verdict about one case, after `passed` others."""
    printed = Printed()
    told: Told = []
    watching = answer if exercise.fills_arguments else watched(answer, told)
    got = observe(exercise, case.setup, case.call, watching, printed)
    if isinstance(got, Raised) and (got.kind, got.message) in _STUBS:
        return Verdict(UNWRITTEN, passed, case)
    expected = observe(exercise, case.setup, case.expected, answer)
    if is_absent(expected):
        return Verdict(NO_VERDICT, passed, case, got, expected)
    if same(got, expected) and not told:
        return Verdict(PASSED, passed, case)
    look = observe(exercise, case.setup, case.look, answer) if case.look else None
    return Verdict(FAILED, passed, case, got, expected, printed.text, look, told[0] if told else None)


def observe(exercise: Exercise, setup: str, expression: str, answer: Answer, printed: Printed | None = None) -> Any:
    """The value of `expression` after `setup`, or what it raised. What it prints goes to `printed`."""
    parts = parts_of(exercise, answer)
    names = {**exercise.names(), **parts, exercise.answer: answer, ANSWER: answer}
    plug = exercise.plug if len(parts) == len(exercise.parts) else ""
    done: list[str] = []
    error: BaseException | None = None
    with kept(printed or Printed()):
        try:
            # an empty context: at the base trace, without local flags; and a trace that is left current ends with it
            return contextvars.Context().run(_evaluate, (plug, setup), expression, names, done)
        except _ANYTHING as raised:
            error = raised
    return Raised(type(error).__name__, _message(error), not done, _line(error, answer))


def is_absent(expected: Any) -> bool:
    """Whether the package lacks what a case is about, as it does while a learner builds it."""
    return isinstance(expected, Raised) and expected.kind in _ABSENT and not expected.line


def parts_of(exercise: Exercise, answer: Answer) -> dict[str, Any]:
    """What else belongs to an answer, by name: it stands beside the function, in the same notebook."""
    beside = globals_of(answer)
    return {name: beside[name] for name in exercise.parts if name in beside}


def globals_of(answer: Answer) -> dict[str, Any]:
    """The names that stand where a function was defined; none for what is no function of Python's."""
    return getattr(inspect.unwrap(answer), "__globals__", {}) if callable(answer) else {}


def _evaluate(before: tuple[str, ...], expression: str, names: dict[str, Any], done: list[str]) -> Any:
    for statements in before:
        exec(statements, names)
    done.append("setup")
    return eval(expression, names)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(its message cannot be shown)"


def _line(error: BaseException, answer: Answer) -> str:
    """The innermost line of the learner's code in which `error` was raised: its number and its text; or ""."""
    theirs = globals_of(answer)
    places = [(f, n) for f, n in traceback.walk_tb(error.__traceback__) if f.f_globals is theirs]
    if not places:
        return ""
    frame, number = places[-1]
    text = linecache.getline(frame.f_code.co_filename, number, frame.f_globals).strip()
    return f"line {number}" + (f": `{text}`" if text else "")


def explained(exercise: Exercise, answer: Answer, verdict: Verdict) -> Iterator[Verdict]:
    """The verdict with the first known mistake that explains its case, and whose sign the answer shows; none without.

    A mistake that explains only a larger case is not named: what is wrong with the smallest comes first.
    """
    assert verdict.case
    for mistake in exercise.mistakes:
        if explains(mistake, verdict.case) and observe(exercise, mistake.setup, mistake.sign, answer) is True:
            yield replace(verdict, mistake=mistake)
            return


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
        if is_array(expected):
            return got.dtype == expected.dtype and np.array_equal(np.asarray(got), np.asarray(expected))
        return bool(got == expected)
    except Exception:  # an == of the learner's own, or one that has no truth value
        return False


def is_array(value: Any) -> bool:
    """Whether `value` looks like an array: NumPy's, the package's, or a tracer, which refuses to be converted."""
    return hasattr(value, "dtype") and hasattr(value, "shape") and hasattr(value, "__array__")
