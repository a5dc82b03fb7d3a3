"""What one case of a check must not change for the next one, and for the value that is expected of itself."""

import builtins
import contextlib
import io
import sys
import warnings
from collections.abc import Iterator
from typing import Any

_KEPT = 20_000  # characters of what is printed in one case


class Printed(io.TextIOBase):
    """A stream that keeps the beginning of what is written to it: an endless loop may print."""

    def __init__(self) -> None:
        self.text = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text[: _KEPT - len(self.text)] if len(self.text) < _KEPT else ""
        return len(text)


@contextlib.contextmanager
def kept(printed: Printed) -> Iterator[None]:
    """Inside, what is printed goes to `printed`; afterwards flags, builtins and modules are as before."""
    spaces = [(space, dict(space)) for space in _namespaces()]
    modules = dict(sys.modules)
    streams = contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed)
    with streams[0], streams[1], warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            for space, held in spaces:
                _restore(space, held)
            sys.modules.update(modules)  # what was imported stays: much of it cannot be imported twice


def _namespaces() -> Iterator[dict[str, Any]]:
    """The attributes of the package's flags, and Python's own names."""
    yield builtins.__dict__
    config = sys.modules.get("minijax.layer1_core.config")  # not there while a learner builds this layer
    yield from (flag.__dict__ for flag in getattr(config, "FLAGS", {}).values())


def _restore(space: dict[str, Any], held: dict[str, Any]) -> None:
    """Methods and operators only: any builtin may be another at this moment."""
    space.update(held)
    if space != held:
        space.clear()
        space.update(held)
