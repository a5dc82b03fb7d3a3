"""The verdict about an answer that may do anything: judged in a process of its own, and told in words."""

from dataclasses import dataclass
from typing import Any

from .exercise import Answer, Exercise
from .isolation import Ending, Say, apart
from .judge import FAILED, NO_VERDICT, verdicts
from .report import absent, report, unfinished


@dataclass(frozen=True)
class Outcome:
    state: str  # one of judge.py's
    text: str


def outcome(exercise: Exercise, answer: Answer) -> Outcome:
    """What came out, in words, the same each time. Takes at most `exercise.seconds`; this process stays as it is."""

    def work(say: Say) -> None:
        try:
            exercise.names()
        except (ImportError, AttributeError) as error:
            say("verdict", (NO_VERDICT, absent(exercise, str(error))))
            return
        for verdict in verdicts(exercise, answer, lambda number: say("case", number)):
            say("verdict", (verdict.state, report(exercise, verdict)))

    return _in_words(exercise, apart(work, exercise.seconds))


def _in_words(exercise: Exercise, ending: Ending) -> Outcome:
    heard = ending.heard
    if ending.how == "stopped":
        return Outcome(NO_VERDICT, unfinished(exercise, ending.how, _case(exercise, heard)))
    if "verdict" in heard:  # also where the answer did not end when it was tried for known mistakes
        return Outcome(*heard["verdict"])
    if "broken" in heard:
        return Outcome(NO_VERDICT, f"{exercise.id}: check itself failed, and not your answer.\n\n{heard['broken']}")
    return Outcome(FAILED, unfinished(exercise, ending.how, _case(exercise, heard)))


def _case(exercise: Exercise, heard: dict[str, Any]) -> Any:
    """The case that the answer was busy with; None where it had not begun."""
    return list(exercise.cases())[heard["case"]] if "case" in heard else None
