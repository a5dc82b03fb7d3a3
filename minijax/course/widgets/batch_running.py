"""Batch a program, equation by equation, and note which equation gave what."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .batch_recording import Place
from .figure import package_module
from .linear_running import variables_of

PRIMES = (7919, 7927, 7933, 7937)


@dataclass
class Batched:
    """A program of batches. It holds objects of the package, and is not to be kept."""

    jaxpr: Any = None
    owner: dict[int, int] = field(default_factory=dict)  # by the id of an equation: the one of the example, from 0 on
    same: list[tuple[Any, Any]] = field(default_factory=list)  # a variable of the example, with that of its batch
    places: dict[int, Place] = field(default_factory=dict)  # of the batch axis, by the id of the example's variable
    out: list[Place] = field(default_factory=list)  # where the results have it


class Batcher:
    """Runs a program under the trace of vmap. `at` is the equation that it has come to; None after the last one."""

    def __init__(self, jaxpr: Any, places: Sequence[Place], size: int):
        staging, axes = package_module("layer1_core.staging"), package_module("layer5_vmap.axes")
        self.batching = package_module("layer5_vmap.batching")
        info = jaxpr.debug_info or package_module("layer1_core.jaxpr").DebugInfo("vmap", "the program")
        self.jaxpr, self.in_places, self.at = jaxpr, places, None
        self.axis = axes.AxisData(axes.no_axis_name, size)
        self.values = staging.DynamicJaxprTrace(info)
        self.trace = self.batching.BatchTrace(self.values, object(), self.axis)
        self.found = Batched()

    def run(self, wanted: Callable[[], Sequence[Place]]) -> Batched:
        """The batch; its results have their batch axes where `wanted` says, which is asked when they are there."""
        set_trace = package_module("layer1_core.trace").set_current_trace
        try:
            with set_trace(self.trace):
                out, self.found.out = self.trace.split(self.results())
            with set_trace(self.values):
                out = [self.batching.matchaxis(self.axis, *e) for e in zip(self.found.out, wanted(), out, strict=True)]
            self.found.jaxpr = self.values.finish(out)
        finally:
            self.trace.alive = False
            self.values.close()
        return self.found

    def results(self) -> list[Any]:
        """The results, as the trace has them."""
        jaxpr = self.jaxpr
        env = dict(zip(map(id, (*jaxpr.constvars, *jaxpr.invars)), (*jaxpr.consts, *self.inputs()), strict=True))
        read = lambda v: v.val if hasattr(v, "val") else env[id(v)]
        self.name(jaxpr.invars, [*map(read, jaxpr.invars)])
        for self.at, eqn in enumerate(jaxpr.eqns):
            seen = len(self.values.eqns)
            out = eqn.primitive.bind(*map(read, eqn.invars), **eqn.params)
            out = out if eqn.primitive.multiple_results else [out]
            env.update(zip(map(id, eqn.outvars), out, strict=True))
            self.found.owner.update((id(made), self.at) for made in self.values.eqns[seen:])
            self.name(eqn.outvars, out)
        self.at = None
        self.name(jaxpr.constvars, jaxpr.consts)  # the trace has met them
        return [*map(read, jaxpr.outvars)]

    def inputs(self) -> list[Any]:
        avals = [
            aval if place is None else self.batching.unmapped_aval(aval, place, self.axis.size)
            for aval, place in zip(self.jaxpr.in_avals, self.in_places, strict=True)
        ]
        return self.trace.join([*map(self.values.new_arg, avals)], self.in_places)

    def name(self, variables: Sequence[Any], values: Sequence[Any]) -> None:
        """Note which variables stand for the batches of those of the program, and where their batch axes are."""
        for v, x in zip(variables, values, strict=True):
            batch, self.found.places[id(v)] = self.trace.pair(x)
            self.found.same += [(v, var) for var in variables_of(batch, self.values)]


# ---- where the batch axes are


def size_like_no_other(jaxpr: Any) -> int:
    """A prime of which no axis of a program is a multiple.

    A program is batched once more with so many examples: then an axis is the batch axis where it has this size, also
    that of a value that a rule has made in between, and that of a value in a program inside.
    """
    sizes = {n for aval in avals_of(jaxpr) for n in getattr(aval, "shape", ())}
    return next(p for p in PRIMES if not any(n and n % p == 0 for n in sizes))


def avals_of(jaxpr: Any) -> list[Any]:
    """The types of all values of a program, and of those inside."""
    own = [v.aval for eqn in jaxpr.eqns for v in (*eqn.invars, *eqn.outvars)]
    inner = package_module("layer1_core.jaxpr").jaxprs_in_params
    subs = [sub for eqn in jaxpr.eqns for sub in inner(eqn.params)]
    return [*jaxpr.in_avals, *own, *(aval for sub in subs for aval in avals_of(sub))]


def variables(jaxpr: Any) -> list[Any]:
    """All variables of a program, in order."""
    return [*jaxpr.constvars, *jaxpr.invars, *(v for eqn in jaxpr.eqns for v in eqn.outvars)]


def alike(one: Any, other: Any) -> bool:
    """Whether two programs have the same primitives in the same order, and as many values."""
    same = len(variables(one)) == len(variables(other))
    return same and [e.primitive for e in one.eqns] == [e.primitive for e in other.eqns]


def place_in(aval: Any, shape: Sequence[int], size: int) -> Place:
    """Where the shape of a batch has an axis of this size that the type of an example has not."""
    return [*shape].index(size) if len(shape) == len(aval.shape) + 1 and size in shape else None
