"""The functions of maths.py and its kin, by name; and the code that a kernel depends on which names them.

They are looked up each time: in the course a learner may write one anew, and what names it is another kernel then.
"""

import re
from collections.abc import Container, Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from . import digits64, gamma_slopes, maths, maths64, rounded

MODULES: list[ModuleType] = [maths, rounded, maths64, digits64, gamma_slopes]  # chapter 6 has more
_NAME = re.compile(r"\b\w+_(?:float32|float64|uint32|uint64)\b")


def named(others: Container[str] = ()) -> Iterator[str]:
    """The names of all functions that kernels may call, but for these others."""
    names = (name for module in MODULES for name in vars(module) if name not in others)
    return (name for name in names if _NAME.fullmatch(name) and lookup(name))


def lookup(name: str) -> FunctionType | None:
    """The function of this name, None where there is none."""
    for module in MODULES:
        fun = vars(module).get(name)
        if isinstance(fun, FunctionType) and any(fun.__module__ == home.__name__ for home in MODULES):
            return fun
    return None


def code_of(text: str) -> tuple[Any, ...]:
    """The code of the functions that a text names, and of those that they call, with the numbers in it."""
    found: dict[str, Any] = {}
    pending = _NAME.findall(text)
    while pending:
        name = pending.pop()
        fun = lookup(name)
        if fun is None or name in found:
            continue
        code = fun.__code__
        numbers = tuple(repr(x) for x in map(fun.__globals__.get, code.co_names) if isinstance(x, np.generic | tuple))
        found[name] = code.co_code, repr(code.co_consts), code.co_names, numbers
        pending += code.co_names
    return tuple(sorted(found.items()))
