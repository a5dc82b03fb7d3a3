"""Devices that compute at the same time: threads take one after the other, as many as the machine has cores.

The kernels of layer 2 let other threads go on while they compute. No thread waits for another one in the middle: so
there is nothing that could block, and an error of one is raised when all have ended.
"""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..layer2_jit.alone import alone
from ..layer2_jit.workers import Job, Worker

SMALL = 200_000  # nanoseconds: in less, one thread is ready before another one is awake and at work

_workers = [Worker() for _ in range(len(os.sched_getaffinity(0)) - 1 if hasattr(os, "sched_getaffinity") else 0)]


def side_by_side(fun: Callable[[Any], Any], arguments: Sequence[Any], work: int) -> list[Any]:
    """`fun` of each of the arguments; `work` is about how many nanoseconds one takes."""
    if len(arguments) == 1 or work < SMALL or not _workers:
        return [fun(x) for x in arguments]
    out: list[Any] = [None] * len(arguments)
    left = iter(range(len(arguments)))
    begun: list[Job] = []

    def take() -> None:
        for i in left:
            out[i] = fun(arguments[i])

    def help_out(job: list[Job]) -> None:
        begun.extend(job)
        take()

    with alone():
        for worker in _workers[: len(arguments) - 1]:
            mine: list[Job] = []
            mine.append(Job(partial(help_out, mine)))
            worker.post(mine[0])
        try:
            take()
        finally:
            for _ in left:  # after an error nobody begins another one
                continue
        for job in begun:  # one that begins later finds nothing left
            job.wait()
    return out
