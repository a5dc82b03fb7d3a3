"""A notebook's names after the package was built anew: they mean what stands where the old objects stood."""

import sys
from types import ModuleType
from typing import Any

from .construction import ours
from .snapshot import is_of_package

_SHARED = ModuleType, str, int, float, complex, bytes, tuple, frozenset, type(None), type(...)  # by many, by chance
Places = dict[int, list[tuple[str, str]]]  # id of an object -> (module, name); no name for a module itself


def places() -> Places:
    """Where the objects of the package stand."""
    found: Places = {}
    for module in ours():
        found.setdefault(id(sys.modules[module]), []).append((module, ""))
        for name, value in vars(sys.modules[module]).items():
            if not isinstance(value, _SHARED):
                found.setdefault(id(value), []).append((module, name))
    return found


def renew(names: dict[str, Any], before: Places) -> None:
    """Let each of `names` that meant something in the package mean what stands there. Where nothing does, it stays."""
    for name, value in [*names.items()]:
        for module, inside in before.get(id(value), []):
            now = sys.modules.get(module)
            new = vars(now).get(inside) if now and inside else now
            if new is not None:
                names[name] = new
                break


def stale(names: dict[str, Any]) -> list[str]:
    """Those of `names` that hold a value whose class the package has no more, in order."""
    return sorted(name for name, value in names.items() if name[:1] != "_" and not _stands(type(value)))


def _stands(cls: type) -> bool:
    """Whether each class that a class is made of, and that is of the package, is the one that stands there."""
    own = [each for each in cls.__mro__ if is_of_package(each.__module__)]
    return all(vars(sys.modules.get(each.__module__, sys)).get(each.__name__, each) is each for each in own)
