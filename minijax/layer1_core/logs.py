"""What the flag `jax_log_compiles` says: JAX's messages, from loggers of JAX's names."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from . import config

dispatch = logging.getLogger("jax._src.dispatch")
compiling = logging.getLogger("jax._src.interpreters.pxla")
tracing = logging.getLogger("jax._src.interpreters.partial_eval")


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Log how long the block takes, if that is asked for: 'Finished tracing f for jit in 0.000383139 sec'."""
    if not config.log_compiles.value:
        yield
        return
    start = time.perf_counter()
    yield
    dispatch.warning("Finished %s in %.9f sec", what, time.perf_counter() - start)
