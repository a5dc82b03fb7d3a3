"""`jit(f).lower(x).partitioned()`: the program of one device, with its collectives, to be printed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..layer1_core import config, stages
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.jit_call import UNSPECIFIED
from ..layer4_grad.programs import closed_over_nothing, run_like, staged
from ..layer5_vmap.axes import bound
from .mesh import BaseMesh, get_abstract_mesh
from .moving import Part, moved
from .named import NamedSharding
from .partitioning import Specs, aval_of_part, divided
from .propagation import mesh_named
from .resharding import told_and_found
from .spec import P, PartitionSpec
from .tidying import tidied
from .traffic import Collective, collectives_of, with_bytes


@dataclass(frozen=True)
class Partitioned:
    """The program of one device of `mesh`: `jaxpr` takes its parts of the inputs, and gives its parts of the results.

    Printed, it shows for each collective the mesh axes along which it is, and the bytes that one device sends in it.
    """

    jaxpr: Jaxpr
    mesh: BaseMesh
    in_specs: tuple[PartitionSpec, ...]
    out_specs: tuple[PartitionSpec, ...]

    @cached_property
    def collectives(self) -> list[Collective]:
        """Each collective: its name, the mesh axes, the bytes that one device sends each time, and how often."""
        return list(collectives_of(self.jaxpr, self.mesh.shape))

    @property
    def bytes(self) -> int:
        """How many bytes one device sends in all; a while loop counts as one round."""
        return sum(each.bytes * (1 if each.times is None else each.times) for each in self.collectives)

    def __str__(self) -> str:
        return "\n".join(
            [
                f"the program of each of {self.mesh.size:,} devices: {self.mesh._sizes_text()}",
                f"inputs:  {', '.join(map(str, self.in_specs))}",
                f"results: {', '.join(map(str, self.out_specs))}",
                str(with_bytes(self.jaxpr, self.mesh.shape)),
                self._summary(),
            ]
        )

    def _summary(self) -> str:
        n = len(self.collectives)
        loops = any(each.times is None for each in self.collectives)
        more = ", and as much again in each further round of a while loop" if loops else ""
        return f"one device sends {self.bytes:,} bytes in {n} collective{'s' * (n != 1)}{more}"

    __repr__ = __str__


def partition(jaxpr: Jaxpr, ins: Specs, mesh: BaseMesh, places: Sequence[Any] | None = None) -> Partitioned:
    """The program of one device, for inputs that are divided as `ins` says.

    `places` may name how a result is to be divided (a NamedSharding); of the others the types say it, and propagation.
    """
    outs: list[PartitionSpec] = []
    named = places or [UNSPECIFIED] * len(jaxpr.outvars)

    def run(*values: Any) -> list[Any]:
        parts = [Part(*each) for each in zip(values, ins, jaxpr.in_avals, strict=True)]
        found = divided(jaxpr, parts, mesh)
        outs.extend(_spec_of_result(x, place, mesh) for x, place in zip(found, named, strict=True))
        return [moved(x, spec).value for x, spec in zip(found, outs, strict=True)]

    with bound(mesh.shape_tuple), config.abstract_mesh(None), config.check_vma(False):
        made = staged(run, [aval_of_part(a, spec) for a, spec in zip(jaxpr.in_avals, ins, strict=True)], jaxpr)
        return Partitioned(run_like(jaxpr, tidied(made)), mesh, tuple(ins), tuple(outs))


def _spec_of_result(x: Part, place: Any, mesh: BaseMesh) -> PartitionSpec:
    """How a result is to be divided: as `place` says, or its type along Explicit axes; along the others as it is."""
    if isinstance(place, NamedSharding):
        return place.spec
    found = P(*x.spec.partitions)
    if not mesh.explicit_axes:
        return found
    said = P() if x.aval.is_undivided else x.aval.sharding.spec
    return told_and_found(said, found, mesh.auto_axes) if mesh.auto_axes else said


# ---- of a function that is lowered


class NoMeshError(ValueError):
    """No mesh is named by what is lowered, and none is set."""


def _of_call(traced: stages.Traced) -> Partitioned:
    """Raises ValueError where no argument is on a mesh, and none is named or set."""
    jaxpr, consts = closed_over_nothing(traced.jaxpr)
    given = [*(getattr(x, "sharding", None) for x in consts), *traced.given]
    named = [*(None for _ in consts), *traced.params["in_shardings"]]
    where = [place if isinstance(place, NamedSharding) else x for x, place in zip(given, named, strict=True)]
    mesh = next((x.mesh for x in where if isinstance(x, NamedSharding)), None) or mesh_named(traced.params)
    mesh = mesh or get_abstract_mesh()
    if mesh.empty:
        raise NoMeshError(
            "partitioned() needs a mesh: give it arguments (arrays or ShapeDtypeStructs) that have a NamedSharding, or "
            "set one via `jax.set_mesh`."
        )
    specs = [x.spec if isinstance(x, NamedSharding) else P() for x in where]
    return partition(jaxpr, specs, mesh, traced.params["out_shardings"])


stages.partitioners.append(_of_call)


def _located(traced: stages.Traced) -> tuple[list[Any], list[Any]]:
    """Where arguments and results are: on the mesh of the call, or, where there is none, on one device."""
    try:
        found = _of_call(traced)
    except NoMeshError:
        return stages.locators[0](traced)
    ins = found.in_specs[len(found.in_specs) - len(traced.given) :]
    return [NamedSharding(found.mesh, spec) for spec in ins], [NamedSharding(found.mesh, s) for s in found.out_specs]


stages.locators.append(_located)
