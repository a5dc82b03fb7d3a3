"""Collectives of devices of several processes: each process computes what it can of its own devices, MPI does the rest.

    psum          the sum of the own devices' values, then MPI's Allreduce
    all_gather    MPI's Allgather; reduce_scatter, all_to_all, pbroadcast: Reduce_scatter, Alltoall, Bcast
    ppermute      Send and Recv, where a value goes to another process

What a collective gives, is said by `joint` in lockstep.py: here it is only a matter of who has what.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.array import ArrayImpl, numpy_value
from ..layer1_core.aval import Shape
from ..layer1_core.devices import Index, key_of
from ..layer1_core.primitive import Primitive
from ..layer5_vmap import collectives as c
from .lockstep import Place, group_parts, joint
from .mesh import Mesh
from .processes import Fold, Link, Ranks, links
from .segments import Values
from .varying import psum_invariant_p

# From what the own devices of a group have, and the parameters, to what they get.
spanning: dict[Primitive, Callable[..., Values]] = {}


class Group:
    """Devices that speak together, of several processes. `owners` are their processes, in the order of the devices."""

    def __init__(self, owners: Sequence[int], link: Link):
        self.owners, self.link = tuple(owners), link
        self.ranks: Ranks = tuple(sorted({*owners}))
        self.numbers = [self.owners.count(rank) for rank in self.ranks]
        self.own = self.of(link.rank)

    def of(self, rank: int) -> list[int]:
        """The devices of a process, by their places in the group."""
        return [i for i, owner in enumerate(self.owners) if owner == rank]

    def in_order(self, found: Sequence[Any]) -> list[Any]:
        """What is in the order of the processes, in that of the devices."""
        places = [i for rank in self.ranks for i in self.of(rank)]
        return [x for _, x in sorted(zip(places, found, strict=True), key=lambda pair: pair[0])]

    def together(self, primitive: Primitive, xs: Values, params: dict[str, Any]) -> Values:
        """What each of the own devices gets from a collective, from what they have."""
        if len(self.ranks) == 1:
            return joint[primitive](xs, **params)
        return spanning.get(primitive, functools.partial(_gathered, primitive))(self, xs, **params)

    def all_of(self, xs: Values, what: str) -> Values:
        """What all devices have, from what the own ones do."""
        return self.in_order(self.link.gathered(self.ranks, xs, self.numbers, xs[0], what))


def _reduced(primitive: Primitive, fold: Fold) -> Callable[..., Values]:
    def rule(group: Group, xs: Values, **params: Any) -> Values:
        here = joint[primitive](xs, **params)[0]
        return [group.link.summed(group.ranks, here, fold, primitive.name)] * len(xs)

    return rule


def _scattered(group: Group, xs: Values, *, scatter_dimension: int, tiled: bool, **params: Any) -> Values:
    here = joint[c.psum_p](xs, axes=())[0]
    parts = np.split(here, len(group.owners), scatter_dimension)
    ordered = [parts[i] for rank in group.ranks for i in group.of(rank)]
    found = group.link.scattered(group.ranks, ordered, group.numbers, "reduce_scatter")
    return found if tiled else [part.squeeze(scatter_dimension) for part in found]


def _exchanged(group: Group, xs: Values, *, split_axis: int, concat_axis: int, **params: Any) -> Values:
    parts = [np.split(x, len(group.owners), split_axis) for x in xs]
    out = [[row[i] for i in group.of(rank) for row in parts] for rank in group.ranks]
    numbers = [len(group.own) * number for number in group.numbers]
    found = group.link.exchanged(group.ranks, out, numbers, "all_to_all")
    columns = zip(*(_rows(sent, len(group.own)) for sent in found), strict=True)
    return [np.concatenate(group.in_order([x for row in column for x in row]), concat_axis) for column in columns]


def _rows(xs: Sequence[Any], n: int) -> list[Any]:
    """The list in `n` pieces of one length."""
    size = len(xs) // n
    return [xs[i * size : (i + 1) * size] for i in range(n)]


def _permuted(group: Group, xs: Values, *, perm: Any, **params: Any) -> Values:
    at = {i: k for k, i in enumerate(group.own)}
    out = [np.zeros_like(x) for x in xs]  # where nothing comes, there are zeros
    pairs = [(group.owners[s], s, group.owners[d], d) for s, d in perm]
    rank = group.link.rank
    for _, s, _, d in (pair for pair in pairs if pair[0] == rank == pair[2]):
        out[at[d]] = xs[at[s]]
    goes = [(owner, d, xs[at[s]]) for by, s, owner, d in pairs if by == rank != owner]
    comes = [(by, d) for by, s, owner, d in pairs if owner == rank != by]
    for (_, d), x in zip(comes, group.link.sent(group.ranks, goes, comes, xs[0], "ppermute"), strict=True):
        out[at[d]] = x
    return out


def _broadcast(group: Group, xs: Values, *, source: int, **params: Any) -> Values:
    owner = group.owners[source]
    x = xs[group.own.index(source)] if owner == group.link.rank else xs[0]
    return [group.link.broadcast(group.ranks, x, owner, "pbroadcast")] * len(xs)


def _gathered(primitive: Primitive, group: Group, xs: Values, **params: Any) -> Values:
    """From what all devices have: so any collective can be computed."""
    found = joint[primitive](group.all_of(xs, primitive.name), **params)
    return [found[i] for i in group.own]


spanning.update(
    {
        c.psum_p: _reduced(c.psum_p, np.add),
        psum_invariant_p: _reduced(psum_invariant_p, np.add),
        c.pmax_p: _reduced(c.pmax_p, np.maximum),
        c.pmin_p: _reduced(c.pmin_p, np.minimum),
        c.reduce_scatter_p: _scattered,
        c.all_to_all_p: _exchanged,
        c.ppermute_p: _permuted,
        c.pbroadcast_p: _broadcast,
        c.axis_index_p: lambda group, xs, **params: [np.int32(i) for i in group.own],
    }
)


# ---- the devices of a program


class Team:
    """The devices that run a program, in several processes: `places` in the mesh, and `owners`, the process of each."""

    def __init__(self, places: Sequence[Place], owners: Sequence[int], link: Link):
        self.places, self.owners, self.link = places, owners, link
        self.own = [d for d, owner in enumerate(owners) if owner == link.rank]
        self._groups: dict[Any, list[tuple[list[int], Group]]] = {}

    def together(self, primitive: Primitive, ins: list[Values], places: Sequence[Place], params: Any) -> Values:
        """What each of the devices at `places`, all of this process, gets from the collective."""
        at = {tuple(place.values()): i for i, place in enumerate(places)}
        out: Values = [None] * len(ins)
        for devices, group in self._groups_of(params):
            coordinates = [tuple(self.places[devices[i]].values()) for i in group.own]
            mine = [at[place] for place in coordinates if place in at]
            if not mine:
                continue
            if len(mine) < len(coordinates):
                raise RuntimeError(f"{primitive.name} is about devices of this process that do not take part in it")
            xs = [ins[i][0] if ins[i] else None for i in mine]
            for i, x in zip(mine, group.together(primitive, xs, params), strict=True):
                out[i] = np.asarray(x, order="C")
        return out

    def _groups_of(self, params: dict[str, Any]) -> list[tuple[list[int], Group]]:
        """The devices that speak together, all groups in one order for all processes."""
        axes, index_groups = c.axes_of_collective(params), params.get("axis_index_groups")
        key = axes, None if index_groups is None else tuple(map(tuple, index_groups))
        if key not in self._groups:
            parts = group_parts(self.places, axes, index_groups)
            self._groups[key] = [(part, Group([self.owners[d] for d in part], self.link)) for part in parts]
        return self._groups[key]


@functools.lru_cache(maxsize=256)
def team_of(mesh: Mesh) -> Team | None:
    """The devices of a mesh as a team; None where all of them are of one process."""
    return Team(list(mesh.coordinates()), _owners(mesh.device_list), links[0]) if mesh.is_multi_process else None


@functools.lru_cache(maxsize=256)
def own_places(mesh: Mesh) -> tuple[Place, ...]:
    """Where each device of this process stands in the mesh."""
    pairs = zip(mesh.device_list, mesh.coordinates(), strict=True)
    return tuple(place for device, place in pairs if device.is_addressable)


# ---- values of which each process has parts


def united(parts: Sequence[np.ndarray], indices: Sequence[Index], owners: Sequence[int], shape: Shape) -> np.ndarray:
    """The value whose parts are at these places, in each of the processes `owners`, which all ask for it.

    `parts` are those of this process. Where several devices have the same part, that of the first counts.
    """
    link = links[0]
    own = iter(parts)
    first: dict[Any, int] = {}
    mine: Values = []
    for d, (index, owner) in enumerate(zip(indices, owners, strict=True)):
        part = next(own) if owner == link.rank else None
        if first.setdefault(key_of(index), d) == d and part is not None:
            mine.append(part)
    group = Group([owners[d] for d in first.values()], link)
    ranks: Ranks = tuple(sorted({*owners}))  # all get the value, also those whose parts do not count
    numbers = [len(group.of(rank)) for rank in ranks]
    found = group.in_order(link.gathered(ranks, mine, numbers, parts[0], "gathering an array"))
    out = np.empty(shape, parts[0].dtype)
    for d, part in zip(first.values(), found, strict=True):
        out[indices[d]] = part
    return out


def gathered(x: Any) -> np.ndarray:
    """The value of an argument; of an array that spans processes, from all of them: so all must ask for it."""
    if type(x) is not ArrayImpl or x._can_be_read():
        return numpy_value(x)
    indices = x._sharding.devices_indices_map(x.shape)
    return united(x._buffers(), list(indices.values()), _owners(indices), x.shape)


def _owners(devices: Any) -> list[int]:
    return [device.process_index for device in devices]
