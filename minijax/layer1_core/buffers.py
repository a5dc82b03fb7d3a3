"""Arrays that hold the same buffer: when one of them gives it back, the others have it no more.

    part = x.addressable_data(0); x.delete(); part.is_deleted()          True, as for `device_put(x, x.device)`

As in JAX, where a buffer is a piece of a device's memory. Known here are those that were made to share one.
"""

import weakref
from typing import Any

import numpy as np

# The arrays that have a buffer on a device. Buffers of equal parts may be one NumPy array, on several devices.
_holders: dict[tuple[int, int], list[weakref.ref[Any]]] = {}


def share(buffer: np.ndarray, device: Any, *arrays: Any) -> None:
    """Let these arrays, which have this buffer on this device, end together."""
    key = id(buffer), id(device)
    if key not in _holders:
        _holders[key] = []
        weakref.finalize(buffer, _holders.pop, key).atexit = False
    known = [x for ref in _holders[key] if (x := ref()) is not None]
    _holders[key] = [weakref.ref(x) for x in {id(x): x for x in (*known, *arrays)}.values()]


def holders_of(x: Any) -> list[Any]:
    """The arrays that have one of the buffers of `x`, on the same device."""
    if not _holders or not x._arrays:
        return []
    keys = zip(map(id, x._arrays), map(id, x._own_devices()), strict=True)
    return [other for key in keys for ref in _holders.get(key, ()) if (other := ref()) is not None]
