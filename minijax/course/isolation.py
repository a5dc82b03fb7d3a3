"""Do a piece of work in a process of its own, on the package as the course left it.

The process is a fork of this one: a live function of the notebook is there as it is, and whatever it does (never
return, end the process, spoil the package, take all memory) is over with the process. What the work has to say comes
back through a pipe, as JSON, a line each.
"""

import contextlib
import faulthandler
import gc
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from IPython import get_ipython
from IPython.core.displaypub import CapturingDisplayPublisher

from .snapshot import Snapshot

Say = Callable[[str, Any], None]  # a topic, and what is to be known of it: the last word on a topic counts
Work = Callable[[Say], None]
_MORE_MEMORY = 2 << 30  # bytes that the work may take, beyond what this process has
_POLL = 0.1  # seconds between two looks at whether the process is still there
_GRACE = 2.0  # seconds after which the process ends by itself, if nobody is there any more to end it


class _Pristine:
    """The state of the package that every check begins with."""

    snapshot = Snapshot.take()


def remember() -> None:
    """Let later checks begin with the package as it is at this moment, the learner's own layers included."""
    _Pristine.snapshot = Snapshot.take()


@dataclass
class Ending:
    """What is known of a piece of work: the last word on each topic, and how it ended."""

    how: str = ""  # 'done', 'time', 'stopped', 'exit status 3', 'signal SIGSEGV'
    heard: dict[str, Any] = field(default_factory=dict)


def apart(work: Work, seconds: float) -> Ending:
    """Do `work` in a process of its own, for at most so many seconds; an interrupt ends it early.

    Nothing of it is left when this returns: no process, no change of this one.
    """
    reading, writing = os.pipe()
    pid = _fork()
    if pid == 0:
        _do(work, writing, seconds)
    os.close(writing)
    ending = Ending()
    try:
        ending.how = _listen(pid, reading, ending.heard, time.monotonic() + seconds)
    except KeyboardInterrupt:
        ending.how = "stopped"
    finally:
        _kill(pid)
        os.close(reading)
    return ending


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns because another thread may hold a lock at this moment, for ever in the new process. The work
        # uses none of the locks of the kernel's threads (it writes to no stream of theirs), and it has a time limit.
        warnings.filterwarnings("ignore", message=".*multi-threaded.*", category=DeprecationWarning)
        return os.fork()


# ---- in this process


def _listen(pid: int, reading: int, heard: dict[str, Any], deadline: float) -> str:
    """Collect what is said until the work is done, ends in another way, or runs out of time; tells which."""
    rest = b""
    while (left := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([reading], [], [], min(left, _POLL))
        status = None if ready else _status(pid)
        if ready:
            piece = os.read(reading, 1 << 16)
            *lines, rest = (rest + piece).split(b"\n")
            heard.update(filter(None, map(_parsed, lines)))
            status = None if piece else _wait(pid, deadline)
        if "done" in heard:
            return "done"
        if status is not None:
            return _in_words(status)
    return "time"


def _parsed(line: bytes) -> tuple[str, Any] | None:
    """A topic and what was said of it; None for a line that the work did not write."""
    try:
        topic, what = json.loads(line)
        return str(topic), what
    except ValueError:
        return None


def _status(pid: int) -> int | None:
    """How the process ended; None while it runs."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:  # somebody else has asked before
        return 0
    return status if ended else None


def _wait(pid: int, deadline: float) -> int | None:
    """How the process ended, once it has; None where it has not until the deadline."""
    while time.monotonic() < deadline:
        status = _status(pid)
        if status is not None:
            return status
        time.sleep(_POLL / 10)
    return None


def _in_words(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"exit status {code}"
    known = code in [-s for s in signal.Signals]
    return f"signal {signal.Signals(-code).name if known else -code}"


def _kill(pid: int) -> None:
    """End the process and whatever it has started."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


# ---- in the other process


def _do(work: Work, writing: int, seconds: float) -> NoReturn:
    """Do the work and end this process, without the exit handlers, which are the other one's."""
    try:
        with open(writing, "wb") as pipe:

            def say(topic: str, what: Any) -> None:
                pipe.write(json.dumps([topic, what]).encode() + b"\n")
                pipe.flush()

            _cut_off()
            signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)  # where the kernel is killed meanwhile
            _begin(work, say)
    finally:
        os._exit(0)


def _begin(work: Work, say: Say) -> None:
    try:
        _Pristine.snapshot.restore()
        work(say)
    except BaseException:
        say("broken", traceback.format_exc())
    say("done", True)


def _cut_off() -> None:
    """Loosen what connects this process with the one that it was forked from: terminal, streams, signals, garbage."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    _silence_notebook()
    faulthandler.disable()
    sys.settrace(None)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    gc.freeze()  # what was there before is never collected here: its finalizers are for the other process
    _limit()


def _silence_notebook() -> None:
    """Let nothing that is displayed, or written to the notebook's own streams, reach the kernel's sockets."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # a file of Python's own is closed off by its number
            stream.write = len
    shell = get_ipython()
    if shell is not None:
        shell.display_pub = CapturingDisplayPublisher()


def _limit() -> None:
    """No core file; and on Linux a limit for memory, and the first place among those whom the system would end."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    with contextlib.suppress(OSError, ValueError), open("/proc/self/status") as file:
        kilobytes = [int(line.split()[1]) for line in file if line.startswith("VmData:")]
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        for used in kilobytes:
            resource.setrlimit(resource.RLIMIT_DATA, ((used << 10) + _MORE_MEMORY, hard))
