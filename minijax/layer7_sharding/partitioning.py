"""The partitioner: from a program on whole arrays to the program of one device, which works on parts.

    divided(jaxpr, parts, mesh)      goes through the equations, as an interpreter does; the trace records what is bound

Of each equation the rule of its primitive is asked: how do the operands have to be divided, so that the same operation
on parts gives parts of the result? `moved` divides them so; what it binds are the collectives of the program. How
results are divided, the types say along Explicit axes, and along the others `propagation`.

The program is run on all devices of the mesh. Its collectives are along the axes of the mesh, whose names are bound
while it is traced.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..layer1_core.array import ArrayImpl
from ..layer1_core.aval import ShapedArray
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal
from ..layer1_core.primitive import Primitive, RuleTable
from ..layer1_core.trace import running
from ..layer2_jit.passes import called
from ..layer4_grad.programs import staged
from .erasing import plain, plain_params
from .fitting import names_in
from .mesh import BaseMesh
from .moving import Axes, Part, moved, part_shape
from .propagation import specs_of_results
from .resharding import told_and_found
from .spec import P, PartitionSpec

Specs = Sequence[PartitionSpec]

partition_rules = RuleTable("partition", "Partition rule for '{0}' not implemented")


@dataclass(frozen=True)
class Equation:
    """An equation as a partition rule sees it: `rule(equation) -> parts`, one for each result."""

    primitive: Primitive
    params: dict[str, Any]
    parts: list[Part]  # of the operands
    outs: list[ShapedArray]  # the types of the whole results
    wanted: list[PartitionSpec]  # how the results are to be divided
    mesh: BaseMesh

    @property
    def axes(self) -> list[Axes]:
        """For each operand, the mesh axes that divide each of its axes."""
        return [x.axes for x in self.parts]

    def on_parts(self, ins: Specs, outs: Specs, fun: Callable[..., Any] | None = None, **changed: Any) -> list[Part]:
        """The parts of the results, divided as `outs` says: of the same operation, or of `fun`, on operands that are
        divided as `ins` says. Some parameters may have `changed`.
        """
        values = [moved(x, spec).value for x, spec in zip(self.parts, ins, strict=True)]
        found = fun(*values) if fun else self.primitive.bind(*values, **(plain_params(self.params) | changed))
        found = found if self.primitive.multiple_results else [found]
        return [Part(*each) for each in zip(found, outs, self.outs, strict=True)]

    def whole(self) -> list[Part]:
        """The whole results, from whole operands: that can always be done."""
        return self.on_parts([P()] * len(self.parts), [P()] * len(self.outs))

    def program(self, jaxpr: Jaxpr, ins: Specs, outs: Specs) -> Jaxpr:
        """A program that the equation carries, as one of parts."""
        return program_of_part(jaxpr, ins, outs, self.mesh)


# ---- the pass


def program_of_part(jaxpr: Jaxpr, ins: Specs, outs: Specs, mesh: BaseMesh) -> Jaxpr:
    """The program of one device, for inputs that are divided as `ins` says; its results are divided as `outs` says."""

    def run(*values: Any) -> list[Any]:
        parts = [Part(*each) for each in zip(values, ins, jaxpr.in_avals, strict=True)]
        return [moved(x, spec).value for x, spec in zip(divided(jaxpr, parts, mesh), outs, strict=True)]

    return staged(run, [aval_of_part(a, spec) for a, spec in zip(jaxpr.in_avals, ins, strict=True)], jaxpr)


def aval_of_part(aval: ShapedArray, spec: PartitionSpec) -> ShapedArray:
    """The type of one device's part."""
    return plain(aval).update(shape=part_shape(aval.shape, spec))


def divided(jaxpr: Jaxpr, parts: Sequence[Part], mesh: BaseMesh) -> list[Part]:
    """The parts of a program's results, from those of its inputs."""
    env: dict[int, Part] = dict(zip(map(id, jaxpr.invars), parts, strict=True))
    env |= {id(v): Part(_constant(x), P(), v.aval) for v, x in zip(jaxpr.constvars, jaxpr.consts, strict=True)}
    read = lambda v: Part(v.val, P(), v.aval) if type(v) is Literal else env[id(v)]
    uses = Counter(id(v) for v in (*jaxpr.outvars, *(v for eqn in jaxpr.eqns for v in eqn.invars)))
    for eqn in jaxpr.eqns:
        found = _results(eqn, list(map(read, eqn.invars)), mesh, [uses[id(v)] for v in eqn.outvars])
        env.update(zip(map(id, eqn.outvars), found, strict=True))
    return list(map(read, jaxpr.outvars))


running[id(divided.__code__)] = lambda frame: frame.f_locals["eqn"].source_info if "eqn" in frame.f_locals else None


def _constant(x: Any) -> Any:
    """A constant of the program: all devices have it whole."""
    return x._value if type(x) is ArrayImpl else x


def _results(eqn: JaxprEqn, parts: list[Part], mesh: BaseMesh, uses: Sequence[int]) -> list[Part]:
    """The results of one equation, divided as they are to be. Summands that are read once are summed where they are
    read: there it is known which part of the sum is needed.
    """
    outs = [v.aval for v in eqn.outvars]
    wanted = specs_wanted(eqn, [P(*x.spec.partitions) for x in parts], mesh)
    if eqn.primitive in called:
        found = divided(called[eqn.primitive](eqn), parts, mesh)
    else:
        equation = Equation(eqn.primitive, eqn.params, parts, outs, wanted, mesh)
        found = partition_rules.get(eqn.primitive, Equation.whole)(equation)
    late = [x.axes == Part(None, spec, x.aval).axes and n == 1 for x, spec, n in zip(found, wanted, uses, strict=True)]
    return [x if left else moved(x, spec) for x, spec, left in zip(found, wanted, late, strict=True)]


def specs_wanted(eqn: JaxprEqn, specs: Specs, mesh: BaseMesh) -> list[PartitionSpec]:
    """How the results of an equation are to be divided."""
    outs = [v.aval for v in eqn.outvars]
    found = specs_of_results(eqn.primitive, specs, [v.aval for v in eqn.invars], outs, mesh, eqn.params)
    return [_told_by_type(aval, spec) for aval, spec in zip(outs, found, strict=True)]


def _told_by_type(aval: ShapedArray, found: PartitionSpec) -> PartitionSpec:
    """As the type says along the axes that are Explicit in it, as was found along the others."""
    if aval.is_undivided or not aval.sharding.mesh.explicit_axes:
        return found
    mesh = aval.sharding.mesh
    return told_and_found(aval.sharding.spec, found, names_in(found) - {*mesh.explicit_axes})
