"""The text of what a learner wrote, as the running process knows it."""

import inspect
from typing import Any

from IPython import get_ipython

from .exercise import Answer, Exercise
from .statements import SHOWING, lines_of, statements

TOOLS = ("check", "hint", "solution", "progress")  # what a learner calls of the course


def attempt_text(exercise: Exercise, names: dict[str, Any]) -> str | None:
    """The last cell that defined the answer; in plain Python the text of the function; None where nobody knows it."""
    running = get_ipython()
    if running is not None:
        cells = reversed(running.history_manager.input_hist_parsed)
        found = next((cell for cell in cells if _defines(cell, exercise.answer)), None)
        if found is not None:
            return found.strip("\n")
    try:
        return inspect.getsource(names[exercise.answer])
    except (KeyError, TypeError, OSError):
        return None


def answer_in(cell: str) -> str:
    """A learner's cell without what is no part of the answer: calls of the course's tools, and what only shows."""
    try:
        aside = [s for s in statements(cell) if s.only_calls(*SHOWING, *TOOLS)]
    except (SyntaxError, ValueError):
        return cell
    numbers = {n for s in aside for n in range(s.first, s.last + 1)}
    return "\n".join(line for n, line in enumerate(lines_of(cell), 1) if n not in numbers)


def where_defined(answer: Answer) -> str:
    """The notebook's cell that defined an answer, "In[7]"; "" where nobody knows it."""
    running, code = get_ipython(), getattr(inspect.unwrap(answer), "__code__", None) if callable(answer) else None
    named = running.compile.format_code_name(code.co_filename) if running and code else None
    return named[1] if named else ""


def after_a_failure() -> bool:
    """Whether the notebook's cell that ran before this one raised, or could not be read."""
    running = get_ipython()
    return running is not None and not running.last_execution_succeeded


def _defines(source: str, name: str) -> bool:
    try:
        return any(name in statement.names for statement in statements(source))
    except (SyntaxError, ValueError):
        return False
