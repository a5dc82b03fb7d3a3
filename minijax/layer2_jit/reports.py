"""What a user is told while a program is compiled: log messages, how far it is, a file with its text."""

import itertools
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from ..layer1_core import config, logs
from ..layer1_core.jaxpr import Jaxpr

Step = TypeVar("Step")
_PATIENCE = 1.0  # seconds without a word
_numbers = itertools.count()


def name_of(jaxpr: Jaxpr) -> str:
    """What messages call a program: 'jit(f)'."""
    info = jaxpr.debug_info
    return f"{info.traced_for}({info.func_name})" if info else "jit(<unnamed function>)"


def announce(jaxpr: Jaxpr) -> None:
    """Log that a program is compiled, and for which types."""
    if config.log_compiles.value:
        types = f"({', '.join(map(repr, jaxpr.in_avals))}{',' * (len(jaxpr.invars) == 1)})"
        logs.compiling.warning("Compiling %s with global shapes and types %s.", name_of(jaxpr), types)


def timed(what: str, jaxpr: Jaxpr) -> AbstractContextManager[None]:
    return logs.timed(f"{what} {name_of(jaxpr)}")


def with_progress(steps: Sequence[Step], jaxpr: Jaxpr, clock: Callable[[], float] = time.monotonic) -> Iterator[Step]:
    """The steps, to be compiled one by one: each second a line on stderr says how many are done."""
    spoken = clock()
    for done, step in enumerate(steps):
        if config.compile_progress.value and clock() - spoken >= _PATIENCE:
            spoken = clock()
            print(f"minijax: compiling {name_of(jaxpr)}: {done} of {len(steps)} steps", file=sys.stderr, flush=True)
        yield step


def dumped(jaxpr: Jaxpr, text: Callable[[], str]) -> Path | None:
    """The file with the text of a program, in the folder that the flag `jax_dump_ir_to` names; None without it.

    Like JAX's files they are numbered in the order of compilation: jax_ir0002_jit_f_compile.py.
    """
    if not config.dump_ir_to.value:
        return None
    folder = Path(config.dump_ir_to.value)
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]", "_", name_of(jaxpr).replace("(", "_").replace(")", "")).rstrip("_")
    path = folder / f"jax_ir{next(_numbers):04}_{name}_compile.py"
    path.write_text(text(), encoding="utf-8")
    return Path(os.path.abspath(path))
