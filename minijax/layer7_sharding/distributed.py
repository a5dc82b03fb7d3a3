"""`jax.distributed`: the program runs in several processes, begun by `mpiexec`.

    mpiexec -n 4 python train.py

Each process runs the same program. After `initialize`, `jax.devices()` are those of all processes, and arrays may be
divided among them; a process holds the parts of its own devices.
"""

import atexit
import os
import signal
import sys
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.devices import are_in_use, processes
from .processes import MPI, Link, links, mpi4py

# What the programs that begin processes of MPI tell each of them: Hydra (MPICH, Intel MPI), PMIx (Open MPI, Slurm).
_BEGUN_BY_MPI = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK")

_FINALIZING = 30  # seconds

_MPI_MISSING = "{reason}. jax.distributed.initialize() needs MPI: pip install 'minijax[cluster]' brings it"


def initialize(
    coordinator_address: str | None = None,
    num_processes: int | None = None,
    process_id: int | None = None,
    local_device_ids: Any = None,
    cluster_detection_method: str | None = None,
    initialization_timeout: int = 300,
    heartbeat_timeout_seconds: int = 100,
    shutdown_timeout_seconds: int = 300,
    coordinator_bind_address: str | None = None,
    slice_index: int | None = None,
    partition_index: int | None = None,
) -> None:
    """Let this process work together with the others that `mpiexec` has begun.

    Each has as many devices as its flag `jax_num_cpu_devices` says. MPI knows the processes; `num_processes` and
    `process_id` must be its own where they are given, and where it is not there, only one process can be.
    A collective waits `heartbeat_timeout_seconds` for the others, and the end of the program
    `shutdown_timeout_seconds`. The other parameters are JAX's, and change nothing.

    Raises RuntimeError for a second call, and where devices have been used before; ValueError where the program has not
    been begun by `mpiexec`, or other numbers are given; ModuleNotFoundError without mpi4py.
    """
    if is_initialized():
        raise RuntimeError("distributed.initialize should only be called once.")
    if are_in_use():
        raise RuntimeError(
            "jax.distributed.initialize() must be called before any JAX calls that might initialise the XLA backend. "
            "This includes any computation, but also calls to jax.devices, jax.device_put, and others."
        )
    if cluster_detection_method != "mpi4py" and not any(name in os.environ for name in _BEGUN_BY_MPI):
        _check_alone(coordinator_address, num_processes, process_id)
        _state.update(initialized=True)
        return
    world = _world()
    _check_numbers(world, num_processes, process_id)
    own = np.array(config.num_cpu_devices.value)
    processes.devices = (int(own),)
    if world.size > 1:
        link = Link(world, heartbeat_timeout_seconds)
        everyone = tuple(range(world.size))
        numbers = link.gathered(everyone, [own], [1] * world.size, own, "jax.distributed.initialize()")
        processes.devices = tuple(map(int, numbers))
        links.append(link)
    processes.index = world.rank
    _state.update(initialized=True, limit=shutdown_timeout_seconds)
    atexit.register(shutdown)


_state: dict[str, Any] = {"initialized": False, "limit": 0}


def is_initialized() -> bool:
    """Whether `initialize` has been called, and `shutdown` has not."""
    return _state["initialized"]


def shutdown() -> None:
    """Wait for the other processes to come to their end too; nothing can be said to them any more.

    It is called at the end of the program, if not before. Where others do not come, all are stopped.
    """
    if not is_initialized():
        return
    _state.update(initialized=False)
    together = all(link.leave(_state["limit"]) for link in links)
    if "mpi4py.MPI" not in sys.modules or MPI.Is_finalized():
        return
    if not together:
        print(
            f"jax.distributed: process {processes.index} has waited for others to end, in vain: all are stopped.",
            file=sys.stderr, flush=True,
        )  # fmt: skip
        MPI.COMM_WORLD.Abort(1)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_FINALIZING)  # it ends the process, should MPI wait for what was never completed
    MPI.Finalize()
    signal.alarm(0)


def _check_alone(address: str | None, number: int | None, index: int | None) -> None:
    """One process may say that it is alone. Raises ValueError in JAX's words where it says less, or more."""
    if address is None:
        raise ValueError(
            "coordinator_address should be defined. (Here `mpiexec -n 4 python program.py` begins the processes, and "
            "jax.distributed.initialize() takes no arguments.)"
        )
    if number is None:
        raise ValueError("Number of processes must be defined.")
    if index is None:
        raise ValueError("The process id of the current process must be defined.")
    if (number, index) != (1, 0):
        raise ValueError(
            f"Got {number} processes, but this one has not been begun by MPI, which is how minijax's processes find "
            f"each other. Begin all of them by `mpiexec -n {number} python program.py`."
        )


def _world() -> Any:
    """MPI's communicator of all processes. Raises ModuleNotFoundError without mpi4py, RuntimeError without an MPI."""
    try:
        if "mpi4py.MPI" not in sys.modules:
            mpi4py.rc.finalize = False  # at the end we finalize MPI, if the others come to their end too
        return MPI.COMM_WORLD
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(_MPI_MISSING.format(reason=error), name=error.name) from None
    except (ImportError, RuntimeError) as error:
        raise RuntimeError(_MPI_MISSING.format(reason=error)) from error


def _check_numbers(world: Any, number: int | None, index: int | None) -> None:
    for what, given, found in (("num_processes", number, world.size), ("process_id", index, world.rank)):
        if given is not None and given != found:
            raise ValueError(f"{what} is {given}, but MPI says {found}")
