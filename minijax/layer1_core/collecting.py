"""Python's garbage collector, asked to come more rarely.

Tracing and compiling make many objects that stay and hardly any garbage, so a collection finds nothing; and it goes
through all objects of the process. Of 38 ms for the first call of a function of 200 equations it took 20.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = 100_000  # objects between collections; Python's own number is 700 to 2,000

_lock = threading.RLock()  # a handler of signals, or a finalizer, may call a jitted function in here
_inside: list[int] = []  # the numbers to go back to, one for each who is inside; the first one counts


@contextmanager
def rarely() -> Iterator[None]:
    """Let collections be rare inside of this `with`, in all threads."""
    with _lock:
        _inside.append(_inside[0] if _inside else gc.get_threshold()[0])
        gc.set_threshold(RARELY, *gc.get_threshold()[1:])
    try:
        yield
    finally:
        with _lock:
            before = _inside.pop()
            if not _inside and gc.get_threshold()[0] == RARELY:
                gc.set_threshold(before, *gc.get_threshold()[1:])
