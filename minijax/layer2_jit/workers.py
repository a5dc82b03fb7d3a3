"""Threads that do one job after the other, while others wait for these or go on."""

import _thread
import contextvars
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Jobs = queue.SimpleQueue["Job"]  # a handler of signals may enter it in the middle


class Job:
    """What a worker is to do, with the flags of whoever asks for it. `work` may return another job, for another worker:
    then this one is over with that.
    """

    def __init__(self, work: Callable[[], "Job | None"]):
        self.work, self.context = work, contextvars.copy_context()
        self.error: BaseException | None = None
        self.next: Job | None = None
        self.done = threading.Event()
        self.wanted = True

    def run(self) -> None:
        try:
            if self.wanted:
                self.next = self.context.run(self.work)
        except BaseException as error:  # raised again where it is waited for
            self.error = error
        self.done.set()
        del self.work, self.context  # what they hold

    def wait(self) -> None:
        """Until it is done; the error that it met is raised here."""
        self.done.wait()
        if self.error:
            raise self.error
        if self.next:
            self.next.wait()


class Worker:
    """One thread, from its first job on; in a child process that was forked, another one."""

    def __init__(self) -> None:
        self._thread: dict[str, tuple[int, Jobs]] = {}  # 'it': its number and its jobs
        os.register_at_fork(after_in_child=self._thread.clear)

    def post(self, job: Job) -> Job:
        """Have a job done after all that were posted before; at once, where this thread itself asks for it."""
        if "it" not in self._thread:
            jobs: Jobs = queue.SimpleQueue()
            started = _thread.start_new_thread(_work, (jobs,)), jobs  # (threading's own start may not be interrupted)
            self._thread.setdefault("it", started)
        number, jobs = self._thread["it"]
        if number == threading.get_ident():
            job.run()
        else:
            jobs.put(job)
        return job


def _work(jobs: Jobs) -> None:
    while True:
        jobs.get().run()


@contextmanager
def taking_turns() -> Iterator[None]:
    """Let other threads go on after a tenth of a millisecond: one that works in a library needs Python for less."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
