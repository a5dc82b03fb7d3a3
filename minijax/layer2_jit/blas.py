"""Products of matrices by the library that NumPy brings, called from inside of a kernel.

np.matmul calls the same library. A kernel's text has a line for a product:

    matmul_float32(c, 0, a, i0 * 1024, b, 0, 16, 64, 32, False, True)     c[16,32] = a[16,64] @ b[64,32]

with a place where each matrix begins, then rows, summed, columns; and whether a factor lies column after column. A last
number says how far a row of the result is from the next, where it is more than its columns.
"""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..layer1_core.lazy import Lazy

machine = Lazy("minijax.layer2_jit.machine")  # and with it llvmlite: when the first kernel multiplies matrices
ROUTINES = {np.dtype("float32"): "cblas_sgemm", np.dtype("float64"): "cblas_dgemm"}
ROW_MAJOR, AS_IT_IS, TURNED = 101, 111, 112  # the numbers that cblas has for these


@cache
def library() -> ctypes.CDLL | None:
    """OpenBLAS, as NumPy's wheels bring it, with sizes of 64 bits; None where NumPy has another library."""
    numpy = Path(np.__file__).parent
    for folder in (numpy.parent / "numpy.libs", numpy / ".dylibs"):
        for path in sorted(folder.glob("libscipy_openblas64_*")):
            found = ctypes.CDLL(str(path))
            if all(hasattr(found, _name(routine)) for routine in ROUTINES.values()):
                return found
    return None


@cache
def start() -> None:
    """Make the routines known to LLVM, under the names that cblas gives them."""
    found = library()
    for routine in ROUTINES.values() if found else ():
        machine.add_symbol(routine, getattr(found, _name(routine)))


def _name(routine: str) -> str:
    return f"scipy_{routine}64_"


def multiplies(dtype: np.dtype) -> bool:
    """Whether kernels can have matrices of this dtype multiplied."""
    return dtype in ROUTINES and library() is not None


def about_threads() -> tuple[Any, Any] | None:
    """The library's functions that say, and that change, on how many threads a product is computed; None without it."""
    found = library()
    return found and tuple(getattr(found, _name(f"openblas_{way}_num_threads")) for way in ("get", "set"))


def threads() -> int:
    """On how many threads products are computed; 0 where it is not known."""
    functions = about_threads()
    return functions[0]() if functions else 0


def on_threads(count: int) -> None:
    """Have products computed on so many threads, where the library is known."""
    functions = about_threads()
    if functions:
        functions[1](count)
