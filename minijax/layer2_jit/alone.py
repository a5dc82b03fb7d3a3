"""While several threads compute side by side, each computes alone: its loops in one part, its products on one thread.

Else each would ask the others' cores for help. Two devices that multiply 2048 x 2048 matrices took 190 ms so, and alone
104 ms.
"""

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from . import blas

# Machine code reads these, see threads.py: how many callers have asked for it, and whether a kernel runs in parts.
threads_aside, in_parts = ctypes.c_int64(0), ctypes.c_int64(0)
_lock = threading.Lock()
_before: list[int] = []  # the number of threads that the library of products had


@contextmanager
def alone() -> Iterator[None]:
    """Inside of this `with` no kernel and no product is computed by more than one thread, in the whole process."""
    with _lock:
        threads_aside.value += 1
        if threads_aside.value == 1:
            while in_parts.value:  # at its end such a kernel sets how many threads products have, as before
                time.sleep(0)
            _before.append(blas.on_threads(1))
    try:
        yield
    finally:
        with _lock:
            if threads_aside.value == 1:  # before others may ask for parts again, and look how many threads there are
                blas.on_threads(_before.pop())
            threads_aside.value -= 1
