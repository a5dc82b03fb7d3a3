"""The course from a terminal.

    python -m minijax.course status             the course as a table: what passed, what was tried
    python -m minijax.course check 1.3          check your answer in work/
    python -m minijax.course check              check all exercises in work/
    python -m minijax.course hint 1.3           the next of three hints
    python -m minijax.course solution 1.3       what separates your answer from the solution
    python -m minijax.course reset 1.3          begin an exercise anew; what you wrote is kept in work/kept/
    python -m minijax.course reset 1            begin a chapter anew; your notebook is kept in work/kept/
    python -m minijax.course reset 7b           the same, for one of a chapter's notebooks
    python -m minijax.course catchup 1.12       bring the layer cells of your chapter to one of its steps

Exit status: 0 where all is well (all that was checked has passed), 1 where it is not, 2 for a wrong command.
"""

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from .catalogue import EXERCISES
from .catchup import catch_up
from .copies import copy_course, reset_chapter
from .exercise import Exercise
from .learner import next_hint, no_such, told_solution
from .logbook import FILE, Progress
from .running import checked
from .table import Table
from .workbook import WORK, NotReadable, attempt_source, copied_exercises, reset

Arguments = argparse.Namespace
REREAD = "If the notebook is open in JupyterLab, read it anew: File > Reload Notebook from Disk."
WELL, NOT_WELL, WRONG_COMMAND, INTERRUPTED = 0, 1, 2, 130


class Command(NamedTuple):
    run: Callable[[Arguments], int]  # gives the exit status
    help: str
    arguments: dict[str, dict[str, Any]]  # of argparse: name -> options


class NoSuchExercise(Exception):
    """Its text says which exercises there are."""


def exercise(id: str) -> Exercise:
    """The exercise of this id. Raises NoSuchExercise."""
    if id not in EXERCISES:
        raise NoSuchExercise(no_such(id, "1.1"))
    return EXERCISES[id]


def store() -> Progress:
    return Progress(WORK / FILE)


def run_status(args: Arguments) -> int:
    print(Table(store().entries()))
    return WELL


def run_check(args: Arguments) -> int:
    chosen = list(map(exercise, args.ids)) or copied_exercises()
    said = []
    for one in chosen:
        said.append(checked(one))
        print(said[-1], end="\n\n" if len(chosen) > 1 else "\n", flush=True)
    passed = (text.startswith(f"{one.id} passed") for one, text in zip(chosen, said, strict=True))
    return WELL if all(passed) else NOT_WELL


def run_hint(args: Arguments) -> int:
    print(next_hint(exercise(args.id), store()))
    return WELL


def run_solution(args: Arguments) -> int:
    print(told_solution(exercise(args.id), attempt_source(exercise(args.id)), store()))
    return WELL


def run_reset(args: Arguments) -> int:
    if re.fullmatch(r"\d+[a-z]?", args.id):
        print(reset_chapter(args.id))
        print(REREAD)
        return WELL
    chosen = copied_exercises() if args.id == "all" else [exercise(args.id)]
    for one in chosen:
        print(reset(one))
        store().forget([one.id])
    print(REREAD)
    return WELL


def run_catchup(args: Arguments) -> int:
    print(catch_up(args.step, args.notebook))
    return WELL


ONE = {"id": {"metavar": "ID", "help": "an exercise, such as 1.3"}}
CATCHUP = {
    "step": {"metavar": "STEP", "help": "a step of a chapter, such as 1.12"},
    "notebook": {"metavar": "NOTEBOOK", "nargs": "?", "type": Path, "help": "your copy of the chapter by default"},
}
COMMANDS = {
    "status": Command(run_status, "the course as a table", {}),
    "check": Command(
        run_check, "check answers in work/", {"ids": {"metavar": "ID", "nargs": "*", "help": "all of them by default"}}
    ),
    "hint": Command(run_hint, "the next of three hints", ONE),
    "solution": Command(run_solution, "what separates your answer from the solution", ONE),
    "reset": Command(
        run_reset,
        "begin anew; what you wrote is kept",
        {"id": {"metavar": "ID|all|CHAPTER", "help": "an exercise, such as 1.3; all; or a chapter, such as 1 or 7b"}},
    ),
    "catchup": Command(run_catchup, "bring a notebook to a step; what you wrote is kept", CATCHUP),
}


def parser() -> argparse.ArgumentParser:
    """The options of the command line, from the table above."""
    found = argparse.ArgumentParser(
        "python -m minijax.course", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=command.help)
        for argument, options in command.arguments.items():
            sub.add_argument(argument, **options)
    return found


def main(words: list[str] | None = None) -> int:
    """Run one command, and give its exit status."""
    args = parser().parse_args(words)
    try:
        print("".join(f"{line}\n" for line in copy_course()), end="")
        return COMMANDS[args.command].run(args)
    except NoSuchExercise as error:
        print(error, file=sys.stderr)
        return WRONG_COMMAND
    except (NotReadable, OSError) as error:
        print(error, file=sys.stderr)
        return NOT_WELL
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
