"""What there is to compute with: devices and processes."""

import gc
import platform
import sys
from typing import Any

import numpy as np

from .array import ArrayImpl
from .devices import Device, devices


def default_backend() -> str:
    """The platform that computes."""
    return "cpu"


def device_count(backend: str | None = None) -> int:
    """The number of devices of all processes."""
    return len(devices(backend))


def local_devices(process_index: int | None = None, backend: str | None = None) -> list[Device]:
    """The devices of this process, or of another one. Raises ValueError for a process that is not there."""
    found = devices(backend)
    if process_index is None:
        return [device for device in found if device.is_addressable]
    if process_index not in process_indices(backend):
        raise ValueError(f"Unknown process_index {process_index}")
    return [device for device in found if device.process_index == process_index]


def local_device_count(backend: str | None = None) -> int:
    """The number of devices of this process."""
    return len(local_devices(None, backend))


def process_index(backend: str | None = None) -> int:
    """The number of this process."""
    return local_devices(None, backend)[0].process_index


def process_count(backend: str | None = None) -> int:
    """The number of processes."""
    return len(process_indices(backend))


def process_indices(backend: str | None = None) -> list[int]:
    """The numbers of all processes."""
    return sorted({device.process_index for device in devices(backend)})


def live_arrays(platform: str | None = None) -> list[Any]:
    """The arrays that are still referenced and not deleted."""
    return [x for x in gc.get_objects() if type(x) is ArrayImpl and not x.is_deleted()]


def print_environment_info(return_string: bool = False) -> str | None:
    """The versions that a bug report needs, printed or returned."""
    text = f"numpy:  {np.__version__}\npython: {sys.version}\nsystem: {platform.platform()}"
    if return_string:
        return text
    print(text)
    return None
