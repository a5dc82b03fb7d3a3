"""Try what a learner built: the programs that were written for JAX, run on the package as it stands."""

import contextlib
import importlib
import os
import re
import signal
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Timer
from typing import Any

from .chapters import NAME, PACKAGE, ROOT, Typed, beginning, layer_of
from .publish import publish

CASES = ROOT / "tests" / "conformance"
_SECONDS = 300
_COUNT = re.compile(r"\d+ of \d+")
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Trial:
    """How many programs were run, and those that printed something else than JAX."""

    programs: int
    differ: tuple[str, ...]
    first: str = ""  # the file of the first of those, and how what it prints begins to differ: lines of a diff


def programs(chapter: int) -> list[str]:
    """The conformance cases that the package must pass after a chapter."""
    known = tomllib.loads((CASES / "let_off.toml").read_text())
    folders = [folder for of, names in known["chapters"].items() if int(of) <= chapter for folder in names]
    found = [
        f"{path.parent.name}/{path.stem}"
        for folder in folders
        for path in sorted((CASES / "cases" / folder).glob("*.py"))
    ]
    later = {case for case, about in known["waiting"].items() if about["chapter"] > chapter}
    return [case for case in found if case not in later | known["designed"].keys()]


def new_programs(chapter: int) -> list[str]:
    """Those that no earlier chapter could pass. Chapter 2 adds none: it has all of chapter 1, which it compiles."""
    before = {*programs(chapter - 1)}
    return [case for case in programs(chapter) if case not in before] or programs(chapter)


def run_programs(chapter: int, typed: Typed, cases: Sequence[str], tell: Tell = lambda count: None) -> Trial:
    """Run cases on the package after a chapter, with what was typed, in a process of its own.

    `tell` gets "7 of 296" when so many have been run. Raises RuntimeError where that cannot be done, or takes too long.
    """
    with TemporaryDirectory() as folder:
        publish(Path(folder), chapter, typed)
        said, complaints = _said([sys.executable, str(CASES / "run.py"), "-v", "--count", *cases], folder, tell)
    if not re.search(r"^\d+ passed, \d+ failed$", said, re.MULTILINE):
        raise RuntimeError(f"the programs could not be run:\n{complaints[-2000:]}")
    differ = tuple(re.findall(r"^differs: (.*)$", said, re.MULTILINE))
    return Trial(len(cases), differ, _beginning(differ[0], said) if differ else "")


def _said(command: list[str], folder: str, tell: Tell) -> tuple[str, str]:
    """What a command prints, and what it writes to stderr besides its counting, which `tell` gets as it comes."""
    complaints = []
    with TemporaryFile("w+") as printed, _started(command, cwd=folder, stdout=printed) as process:
        for line in process.stderr or ():
            (tell if _COUNT.fullmatch(line.strip()) else complaints.append)(line.rstrip())
        if process.wait() == -signal.SIGKILL:
            raise RuntimeError(f"the programs were stopped, since they ran for {_SECONDS} seconds")
        printed.seek(0)
        return printed.read(), "\n".join(complaints)


@contextlib.contextmanager
def _started(command: list[str], **how: Any) -> Iterator[Popen[str]]:
    """A process that is ended with all that it started, when this ends or at the latest after _SECONDS."""
    with Popen(command, stderr=PIPE, text=True, start_new_session=True, **how) as process:
        late = Timer(_SECONDS, _end, [process])
        late.start()
        try:
            yield process
        finally:
            late.cancel()
            _end(process)


def _end(process: Popen[str]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def _beginning(case: str, said: str) -> str:
    """The file of a case, and the first lines of its diff in what run.py said: without those that are the same."""
    path = (CASES / "cases" / f"{case}.py").relative_to(ROOT)
    _, _, rest = said.partition(f"differs: {case}\n")
    heads, lines = rest.splitlines()[:2], rest.splitlines()[3:]  # the third says in which line the diff begins
    start = next((i for i, line in enumerate(lines) if line[:1] in ("-", "+")), 0)
    # first what JAX prints, then what minijax does
    removed = [*takewhile(lambda line: line[:1] == "-", lines[start:])]
    added = [*takewhile(lambda line: line[:1] == "+", lines[start + len(removed) :])]
    return "\n".join([f"{path}:", *heads, *removed[:1], *added[:1]])


def load_all(chapter: int) -> None:
    """Import each module of the package that there is after a chapter."""
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).with_suffix("")
        if file.parts[0] != "course" and (layer_of(path) or beginning(path.read_text())) <= chapter:
            importlib.import_module(".".join((NAME, *file.parts)).removesuffix(".__init__"))
