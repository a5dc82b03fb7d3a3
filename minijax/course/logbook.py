"""How far a learner is: what was tried, what passed, which hints were read.

It is remembered in work/progress.json where the kernel works in work/, and otherwise for as long as this process lives.
"""

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from .workbook import WORK

FILE = "progress.json"
_LARGEST = 1 << 20  # bytes of a file that is taken for ours
_PATIENCE = 2.0  # seconds to wait for another kernel that writes at this moment


@dataclass(frozen=True)
class Entry:
    """What is known of one exercise."""

    tries: int = 0  # checks of an answer that was written
    passed: bool = False
    unwritten: bool = False  # whether the last check found nothing to judge
    hints: int = 0
    asked: bool = False  # for the solution, before any try

    @property
    def state(self) -> str:
        if self.passed:
            return "passed"
        if self.tries:
            return f"tried {self.tries} time{'s' * (self.tries != 1)}"
        return "not written" if self.unwritten else "not tried"


Entries = dict[str, Entry]
_in_this_process: Entries = {}


class Progress:
    """The entries of all exercises, in the file `path`; without a path, in this process."""

    def __init__(self, path: Path | None):
        self.path = path

    def entries(self) -> Entries:
        """What is known; an exercise that is not in it was not touched."""
        return _in_this_process if self.path is None else _read(self.path)

    def __getitem__(self, id: str) -> Entry:
        return self.entries().get(id, Entry())

    def change(self, id: str, how: Callable[[Entry], Entry]) -> Entry:
        """Change the entry of one exercise, and return it. What other kernels wrote stays."""
        with self._entries_to_change() as entries:
            entries[id] = how(entries.get(id, Entry()))
        return entries[id]

    def set(self, id: str, **values: Any) -> Entry:
        return self.change(id, lambda entry: replace(entry, **values))

    def forget(self, ids: Iterable[str]) -> None:
        with self._entries_to_change() as entries:
            for id in ids:
                entries.pop(id, None)

    @contextlib.contextmanager
    def _entries_to_change(self) -> Iterator[Entries]:
        if self.path is None:
            yield _in_this_process
            return
        with _alone(self.path):
            entries = _read(self.path)
            yield entries
            _write(self.path, entries)


def progress_here() -> Progress:
    """The progress of a kernel that works in this folder: the file of work/ there and below, nothing outside."""
    here = Path.cwd()
    return Progress(WORK / FILE if WORK.resolve() in (here.resolve(), *here.resolve().parents) else None)


# ---- the file


def _read(path: Path) -> Entries:
    """The entries in the file. One that is no progress is set aside, with a word."""
    try:
        text = path.read_bytes()[: _LARGEST + 1]
    except OSError:
        return {}
    try:
        return _parsed(text)
    except (ValueError, RecursionError):
        aside = path.with_name(f"{path.name}.broken")
        with contextlib.suppress(OSError):
            path.replace(aside)
        print(f"{path.name} could not be read. It is kept as {aside.name}, and progress is counted anew.")
        return {}


def _parsed(text: bytes) -> Entries:
    """Raises ValueError for what `_write` did not write."""
    content = json.loads(text) if len(text) <= _LARGEST else None
    found = content.get("exercises") if isinstance(content, dict) else None
    if not isinstance(found, dict):
        raise ValueError("not a table of exercises")
    return {id: _entry(values) for id, values in found.items()}


def _entry(values: Any) -> Entry:
    types = {field.name: type(field.default) for field in fields(Entry)}
    if not isinstance(values, dict) or {name: type(value) for name, value in values.items()} != types:
        raise ValueError("not an entry")
    if min(values.values()) < 0:
        raise ValueError("a negative count")
    return Entry(**values)


def _write(path: Path, entries: Entries) -> None:
    """Replace the file in one step, so that nobody ever sees a part of it."""
    text = json.dumps({"exercises": {id: asdict(entry) for id, entry in sorted(entries.items())}}, indent=1)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        new.write_text(text + "\n")
        new.replace(path)
    except OSError as error:
        print(f"{path.name} could not be written ({error.strerror}): this is not remembered.")


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Inside, no other kernel changes the file. Without a lock where the folder allows none, or another keeps it."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            _lock(stack.enter_context(open(path.with_name(f".{path.name}.lock"), "w")))
        yield


def _lock(file: Any) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                return
            time.sleep(0.01)
