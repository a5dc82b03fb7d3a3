"""Heavy libraries, each imported when one of its names is first read, so that `import minijax` stays fast."""

from importlib import import_module
from typing import Any


class Lazy:
    """A stand-in for the module called `name`: the same attributes, imported when the first of them is read.

    >>> fractions = Lazy("fractions")
    >>> fractions.Fraction(3, 6)
    Fraction(1, 2)
    """

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """The module's attribute; kept here too, so that the next read is an ordinary one."""
        value = getattr(import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value

    def __repr__(self) -> str:
        return f"Lazy({self._name!r})"


scipy_special = Lazy("scipy.special")
scipy_lapack = Lazy("scipy.linalg.lapack")
scipy_blas = Lazy("scipy.linalg.blas")
scipy_signal = Lazy("scipy.signal")
