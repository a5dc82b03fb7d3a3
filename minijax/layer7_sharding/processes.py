"""Processes that run the same program, and what they say to each other: by MPI, which is an engine of its own.

    link.summed(...)      Allreduce        link.exchanged(...)   Alltoall
    link.gathered(...)    Allgather        link.sent(...)        Send, Recv
    link.scattered(...)   Reduce_scatter   link.broadcast(...)   Bcast

A process may die while others wait for it. So each of these is begun without waiting, and then asked again and again
whether it is done: until a process has left that it needs, or the time is over.
"""

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..layer1_core.dtypes import issubdtype
from ..layer1_core.errors import JaxRuntimeError
from ..layer1_core.lazy import Lazy

# Importing mpi4py begins MPI, and it may not be installed: so it is imported where a program first asks for processes.
mpi4py = Lazy("mpi4py")
MPI = Lazy("mpi4py.MPI")

Ranks = tuple[int, ...]
Fold = Callable[..., Any]  # np.add, np.maximum or np.minimum

# MPI goes on with its work when it is asked, and most answers come soon: so at first it is asked without a pause.
_EAGER = 2e-3  # seconds
_EAGER_BY_BYTE = 2e-8  # more of them for each byte: 50 MB a second can be sent while others use the cores
_PAUSE = 2e-4  # seconds
_ASKED = 16  # so often before others may use the core


class Link:
    """What this process has to speak to the others of `world`, MPI's communicator of all of them.

    `limit` is how many seconds the others are waited for. All methods raise JaxRuntimeError where they do not come.
    """

    def __init__(self, world: Any, limit: float):
        self.world, self.limit = world.Dup(), limit
        self.farewells = world.Dup()  # what is said here comes whatever the others wait for
        self.rank, self.size = world.rank, world.size
        self.left: dict[int, tuple[Counter[Ranks], str]] = {}  # who has left: what they took part in, and why they left
        self._begun: Counter[Ranks] = Counter()
        self._comms: dict[Ranks, Any] = {tuple(range(self.size)): self.world}
        self._ops: dict[tuple[Fold, np.dtype], Any] = {}
        self._broken = ""
        self._kept: list[Any] = []  # buffers of what was not completed: MPI may still write to them

    # ---- collectives: `ranks` are the processes that take part, in order

    def summed(self, ranks: Ranks, x: np.ndarray, fold: Fold, what: str) -> np.ndarray:
        """The sum (or what `fold` makes) of the arrays of all."""
        ours = _in_order(x, _carrier(x.dtype))
        out = np.empty_like(ours)
        with self._speaking(ranks, what) as comm:
            self._finish(comm.Iallreduce(ours, out, self._op(fold, ours.dtype)), ranks, what, ours, out)
        return out.astype(x.dtype, copy=False)

    def gathered(self, ranks: Ranks, xs: Sequence[np.ndarray], numbers: Sequence[int], like: Any, what: str) -> Any:
        """The arrays of all processes, in their order; each of them has as many as `numbers` says, all like `like`."""
        ours = _in_a_row([_bytes(x) for x in xs])
        out = np.empty((sum(numbers), *like.shape), like.dtype)
        counts = [number * like.nbytes for number in numbers]
        with self._speaking(ranks, what) as comm:
            request = comm.Iallgatherv([ours, MPI.BYTE], [_bytes(out), counts, MPI.BYTE])
            self._finish(request, ranks, what, ours, out)
        return list(out)

    def scattered(self, ranks: Ranks, parts: Sequence[np.ndarray], numbers: Sequence[int], what: str) -> Any:
        """Of the sums of the parts of all, those of this process. `numbers` says how many each process gets."""
        dtype, shape = parts[0].dtype, parts[0].shape
        ours = _in_order(np.stack(parts), _carrier(dtype))
        out = np.empty((numbers[ranks.index(self.rank)], *shape), ours.dtype)
        counts = [number * parts[0].size for number in numbers]
        with self._speaking(ranks, what) as comm:
            request = comm.Ireduce_scatter(ours, out, counts, self._op(np.add, ours.dtype))
            self._finish(request, ranks, what, ours, out)
        return list(out.astype(dtype, copy=False))

    def exchanged(self, ranks: Ranks, parts: Sequence[Sequence[np.ndarray]], numbers: Sequence[int], what: str) -> Any:
        """What each process has for this one, `numbers` arrays. `parts` are those that this one has for each."""
        like = next(part for row in parts for part in row)
        ours = _in_a_row([_bytes(part) for row in parts for part in row])
        out = np.empty((sum(numbers), *like.shape), like.dtype)
        sent = [len(row) * like.nbytes for row in parts]
        got = [number * like.nbytes for number in numbers]
        with self._speaking(ranks, what) as comm:
            request = comm.Ialltoallv([ours, sent, MPI.BYTE], [_bytes(out), got, MPI.BYTE])
            self._finish(request, ranks, what, ours, out)
        found = iter(out)
        return [[next(found) for _ in range(number)] for number in numbers]

    def broadcast(self, ranks: Ranks, x: np.ndarray, source: int, what: str) -> np.ndarray:
        """The array of the process `source`; the others give one like it."""
        out = np.array(x, order="C")
        with self._speaking(ranks, what) as comm:
            self._finish(comm.Ibcast([_bytes(out), MPI.BYTE], ranks.index(source)), ranks, what, out)
        return out

    def sent(self, ranks: Ranks, out: Sequence[tuple[int, int, np.ndarray]], come: Any, like: Any, what: str) -> Any:
        """What comes: `come` has (process, tag) of each. `out` has (process, tag, array) of what goes."""
        ours = [_in_order(x, x.dtype) for _, _, x in out]
        theirs = [np.empty(like.shape, like.dtype) for _ in come]
        with self._speaking(ranks, what) as comm:
            receive = lambda x, process, tag: comm.Irecv([_bytes(x), MPI.BYTE], ranks.index(process), tag)
            send = lambda x, process, tag, _: comm.Isend([_bytes(x), MPI.BYTE], ranks.index(process), tag)
            requests = [receive(x, *place) for x, place in zip(theirs, come, strict=True)]
            requests += [send(x, *place) for x, place in zip(ours, out, strict=True)]
            for request in requests:
                self._finish(request, ranks, what, *ours, *theirs)
        return theirs

    # ---- waiting

    @contextlib.contextmanager
    def _speaking(self, ranks: Ranks, what: str) -> Iterator[Any]:
        """The communicator of these processes. What goes wrong inside breaks the link: the others are elsewhere."""
        if self._broken:
            raise JaxRuntimeError(f"UNAVAILABLE: {what} cannot speak to other processes any more: {self._broken}")
        self._begun[ranks] += 1
        try:
            yield self._comm(ranks, what)
        except MPI.Exception as error:
            self._broken = f"MPI has said: {error}"
            raise JaxRuntimeError(f"INTERNAL: {what} of processes {list(ranks)}: {self._broken}") from error
        except BaseException as error:
            self._broken = str(error) or type(error).__name__
            raise

    def _comm(self, ranks: Ranks, what: str) -> Any:
        """MPI's communicator of these processes, made when they first speak.

        MPI makes it without asking for the time: so they first make sure that all are there.
        """
        if ranks not in self._comms:
            others = [rank for rank in ranks if rank != self.rank]
            requests = [self.world.Irecv([None, 0, MPI.BYTE], rank) for rank in others]
            requests += [self.world.Isend([None, 0, MPI.BYTE], rank) for rank in others]
            for request in requests:
                self._finish(request, ranks, what)
            self._comms[ranks] = self.world.Create_group(self.world.group.Incl(ranks))
        return self._comms[ranks]

    def _finish(self, request: Any, ranks: Ranks, what: str, *buffers: Any) -> None:
        """Wait until a request is done. `buffers` is what MPI reads and writes meanwhile: nobody else keeps it."""
        begun = time.monotonic()
        eager = begun + _EAGER + _EAGER_BY_BYTE * sum(x.nbytes for x in buffers)
        self._kept.append(buffers)
        while not any(request.Test() for _ in range(_ASKED)):
            pause = (at := time.monotonic()) > eager
            if pause:
                self._listen(ranks, what)
                if at > begun + self.limit:
                    raise JaxRuntimeError(
                        f"DEADLINE_EXCEEDED: {what} has waited {self.limit:g} seconds for the other processes of "
                        f"{list(ranks)}. One of them has died, computes for longer, or runs another program. "
                        "jax.distributed.initialize(heartbeat_timeout_seconds=...) lets it wait longer."
                    )
            time.sleep(_PAUSE if pause else 0)
        self._kept.pop()

    def _listen(self, ranks: Ranks = (), what: str = "") -> None:
        """Hear who has left. Raises JaxRuntimeError for one of `ranks` that has not begun what they are about."""
        while (message := self.farewells.improbe()) is not None:
            sender, begun, why = message.recv()
            self.left[sender] = begun, why
        for rank in ranks:
            begun, why = self.left.get(rank, (self._begun, ""))
            if begun[ranks] < self._begun[ranks]:
                told = f": {why}" if why else ""
                raise JaxRuntimeError(f"UNAVAILABLE: {what} needs process {rank}, which has ended{told}")

    # ---- the end

    def leave(self, limit: float) -> bool:
        """Say goodbye, and wait for the others to do so; whether all did, in `limit` seconds."""
        error = getattr(sys, "last_value", None)  # what has ended the program, as Python has printed it
        why = "" if error is None else f"{type(error).__name__}: {str(error)[:500]}"
        others = [rank for rank in range(self.size) if rank != self.rank]
        if self._broken:
            limit = min(limit, self.limit)
        requests = [self.farewells.isend((self.rank, self._begun, why), rank) for rank in others]
        end = time.monotonic() + limit
        while len(self.left) < len(others) or not all(request.test()[0] for request in requests):
            self._listen()
            if time.monotonic() > end:
                return False
            time.sleep(_PAUSE)
        self._broken = "this process has said goodbye"
        return True

    # ---- what MPI computes

    def _op(self, fold: Fold, dtype: np.dtype) -> Any:
        """MPI's operation. Of its own MAX and MIN nobody knows what they make of NaNs: those are NumPy's."""
        if fold is np.add:
            return MPI.SUM
        if dtype.kind in "iu":
            return MPI.MAX if fold is np.maximum else MPI.MIN
        if (fold, dtype) not in self._ops:
            self._ops[fold, dtype] = MPI.Op.Create(_on_buffers(fold, dtype), commute=True)
        return self._ops[fold, dtype]


def _on_buffers(fold: Fold, dtype: np.dtype) -> Callable[..., None]:
    def apply(a: Any, b: Any, datatype: Any) -> None:
        out = np.frombuffer(b, dtype)
        fold(np.frombuffer(a, dtype), out, out=out)

    return apply


def _carrier(dtype: np.dtype) -> np.dtype:
    """The type in which MPI computes with values of this one: it has no floats of less than 32 bits, and no int4."""
    if dtype.kind == "b":
        return np.dtype(np.uint8)
    if dtype.kind == "V" or dtype == np.float16:
        return np.dtype(np.float32 if issubdtype(dtype, np.floating) else np.int32)
    return dtype


def _in_order(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """`x` in row-major order: MPI only reads it."""
    return np.asarray(x, dtype, order="C")


def _in_a_row(parts: Sequence[np.ndarray]) -> np.ndarray:
    """The bytes of these, one after the other."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, np.uint8)


def _bytes(x: np.ndarray) -> np.ndarray:
    """The memory of `x`, which lies in row-major order or is copied."""
    return np.ascontiguousarray(x).reshape(-1).view(np.uint8)


# What this process has to speak to others; none for one process alone. `distributed.initialize` enters it.
links: list[Link] = []
