"""The memory of arrays that are gone stays with the process, for the next ones.

The C library gives large pieces back to the system at once. Then each call of a program gets its results as new pages,
and the system clears them one by one: attention with 4 x 8 x 256 x 256 scores took 4.2 ms, and takes 1.2.
"""

import ctypes
import os
from functools import cache

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # glibc's numbers for what can be set
KEPT = 512 << 20  # from so many free bytes on it gives memory back
LARGEST = 32 << 20  # from so many bytes on a piece is always given back; glibc allows no larger number


@cache
def keep() -> None:
    """Have glibc keep free memory, unless the environment says how glibc is to work. Another library stays as it is."""
    change = getattr(ctypes.CDLL(None), "mallopt", None)
    if change is not None and not any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ):
        change(M_TRIM_THRESHOLD, KEPT)
        change(M_MMAP_THRESHOLD, LARGEST)
