"""`jax.scipy`: SciPy's functions on immutable arrays, traceable. A submodule is imported when it is first used."""

from importlib import import_module
from types import ModuleType

# ---- chapter 1
_SUBMODULES = ["cluster", "fft", "integrate", "linalg", "ndimage", "signal", "special", "stats"]


def __getattr__(name: str) -> ModuleType:
    if name not in _SUBMODULES:
        raise AttributeError(f"module 'minijax.scipy' has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return [*globals(), *_SUBMODULES]
