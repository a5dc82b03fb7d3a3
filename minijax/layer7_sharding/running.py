"""Computing on the devices of a mesh: each has its part of the operands, and computes its part of the results.

A program is partitioned once for each way in which its operands are divided. Equations that are computed by themselves
are programs of one equation.
"""

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.array import ArrayImpl, read_only
from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.dtypes import float0
from ..layer1_core.evaluate import apply_impl, keep_interpreted, on_devices
from ..layer1_core.jaxpr import DebugInfo, Jaxpr, JaxprEqn, Var
from ..layer1_core.jit import caches
from ..layer1_core.jit_call import jit_p
from ..layer1_core.placement import placement
from ..layer1_core.primitive import Primitive
from ..layer1_core.quick import elsewhere_quick
from ..layer1_core.stages import Traced
from ..layer1_core.tree import PyTreeDef
from ..layer4_grad.programs import closed_over_nothing
from . import partition_rules  # noqa: F401 - enters rules
from .across import gathered, own_places, team_of
from .lockstep import in_memory, run_in_lockstep, speaking
from .mesh import Mesh
from .named import NamedSharding, typed
from .partitioned import Partitioned, partition
from .spec import P, PartitionSpec

Params = dict[str, Any]

# ---- programs, partitioned


class MeshProgram:
    """A program of one device, and where its results are: called with arguments, it runs on the mesh."""

    def __init__(self, program: Partitioned, consts: Sequence[Any], avals: Sequence[ShapedArray]):
        self.mesh: Any = program.mesh  # with devices
        self.jaxpr, self.consts = in_memory(program.jaxpr, self.mesh.shape_tuple), consts
        places = [NamedSharding(self.mesh, spec) for spec in program.out_specs]
        self.results = [(typed(a, s) if a.dtype != float0 else None, s) for a, s in zip(avals, places, strict=True)]

    def __call__(self, args: Sequence[Any]) -> list[Any]:
        """The results: of each the parts of the devices of this process, which compute them."""
        mesh = self.mesh
        columns = [_parts(x, mesh) for x in (*self.consts, *args)]
        rows = [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in mesh.own]
        with np.errstate(all="ignore"), speaking(team_of(mesh)):
            found = run_in_lockstep(self.jaxpr, rows, own_places(mesh)) if mesh.own else []
        out = list(zip(*found, strict=True)) or [()] * len(self.results)
        return [_array(parts, *result) for parts, result in zip(out, self.results, strict=True)]


def _spec_of(x: Any, mesh: Mesh) -> PartitionSpec:
    """How an operand is divided; what is elsewhere, or on another mesh of the same devices, is taken whole."""
    if not _is_on(x, mesh):
        return P()
    sharding = x._sharding
    return P(*sharding.spec.partitions) if sharding.spec.unreduced or sharding.spec.reduced else sharding.spec


def _is_on(x: Any, mesh: Mesh) -> bool:
    """Whether an operand is divided along the axes of this mesh."""
    if type(x) is not ArrayImpl:
        return False
    sharding = x._sharding
    return sharding.mesh.shape_tuple == mesh.shape_tuple if type(sharding) is NamedSharding else False


def _parts(x: Any, mesh: Mesh) -> Sequence[np.ndarray]:
    """What each device of this process has of an operand, in row-major order.

    Where it is not, it is put so once and for all.
    """
    if not _is_on(x, mesh):
        return [gathered(x.copy() if type(x) is np.ndarray else x)] * len(mesh.own)  # a NumPy array is the caller's
    parts = x._buffers()
    if not all(part.flags.c_contiguous for part in parts):
        made = {id(part): part for part in parts}
        made = {key: read_only(np.array(part, order="C")) for key, part in made.items()}
        x._arrays = parts = [made[id(part)] for part in parts]
    return parts


def _array(parts: Sequence[np.ndarray], aval: ShapedArray | None, sharding: NamedSharding) -> Any:
    """The array of these parts, which nobody writes to any more; equal ones stay one."""
    if aval is None:  # of a type that holds nothing
        return parts[0]
    made: dict[int, np.ndarray] = {}
    for part in parts:
        if id(part) not in made:
            made[id(part)] = read_only(part) if part.flags.writeable else part
    return ArrayImpl(aval, [made[id(part)] for part in parts], sharding, True)


# ---- what is asked for


_of_jaxprs: "weakref.WeakKeyDictionary[Jaxpr, dict[Any, MeshProgram]]" = weakref.WeakKeyDictionary()
_of_equations: dict[Any, MeshProgram] = {}
caches += [_of_jaxprs, _of_equations]
_MOST = 4096  # kinds of equations that are remembered
_INFO = DebugInfo("an equation on divided arrays", "<equation>")


def computed_in_parts(
    primitive: Primitive, args: Sequence[Any], params: dict[str, Any], avals: Any, sharding: Any
) -> Any:
    """The results of `primitive`, on the devices of `sharding`."""
    outs: list[ShapedArray] = list(avals) if primitive.multiple_results else [avals]
    mesh, specs = sharding.mesh, tuple(_spec_of(x, sharding.mesh) for x in args)
    found = _program_of(primitive, params, args, outs, specs, mesh)(args)
    if config.debug_nans.value or config.debug_infs.value:  # it is computed again, as a whole, to say what did it
        apply_impl(primitive, [gathered(x) for x in args], params)
    return found if primitive.multiple_results else found[0]


on_devices.append(computed_in_parts)


def _program_of(
    primitive: Primitive, params: dict[str, Any], args: Sequence[Any], outs: Sequence[ShapedArray], specs: Any,
    mesh: Mesh,
) -> MeshProgram:  # fmt: skip
    """The program of an equation whose operands are divided as `specs` say: made once, where it can be remembered."""
    if primitive is jit_p:
        table, key = _of_jaxprs.setdefault(params["jaxpr"], {}), (specs, mesh, params["out_shardings"])
        if key not in table:
            jaxpr, consts = closed_over_nothing(params["jaxpr"])
            given = [*(_spec_of(x, mesh) for x in consts), *specs]
            table[key] = MeshProgram(partition(jaxpr, given, mesh, params["out_shardings"]), consts, outs)
        return table[key]
    ins = tuple(map(typeof, args))
    key = primitive, ins, specs, mesh, *params.items()
    try:
        if key in _of_equations:
            return _of_equations[key]
    except TypeError:  # a parameter that cannot be hashed
        return _of_equation(primitive, params, ins, outs, specs, mesh)
    if len(_of_equations) >= _MOST:
        _of_equations.clear()
    return _of_equations.setdefault(key, _of_equation(primitive, params, ins, outs, specs, mesh))


def _of_equation(primitive: Primitive, params: Any, ins: Any, outs: Any, specs: Any, mesh: Mesh) -> MeshProgram:
    """A program of one equation: it waits for no compiler."""
    invars, outvars = [*map(Var, ins)], [*map(Var, outs)]
    jaxpr = Jaxpr([], invars, outvars, [JaxprEqn(invars, outvars, primitive, params)], debug_info=_INFO)
    keep_interpreted(jaxpr)
    return MeshProgram(partition(jaxpr, specs, mesh), (), outs)


# ---- the short way


class QuickCall:
    """The short way of a jitted call on divided arrays: its arguments are where they were in the call before."""

    __slots__ = ("avals", "shardings", "program", "out_tree")

    def __init__(self, leaves: Sequence[ArrayImpl], program: MeshProgram, out_tree: PyTreeDef):
        self.avals = [x.aval for x in leaves]  # kept: a call is known by their identities
        self.shardings = [x._sharding for x in leaves]
        self.program, self.out_tree = program, out_tree

    def __call__(self, leaves: Sequence[ArrayImpl]) -> Any:
        """The results; None where an argument is elsewhere, or deleted."""
        for x, sharding in zip(leaves, self.shardings, strict=True):
            if x._sharding is not sharding or not x._arrays:
                return None
        return self.out_tree.unflatten(self.program(leaves))


def _quick(leaves: Sequence[ArrayImpl], traced: Traced) -> QuickCall | None:
    """The short way of the call that was traced; None where its arguments are not committed to a mesh."""
    sharding, _ = placement(leaves, "jit")
    if type(sharding) is not NamedSharding or not all(x._committed for x in leaves):
        return None
    specs = tuple(_spec_of(x, sharding.mesh) for x in leaves)
    program = _program_of(jit_p, traced.params, leaves, traced.jaxpr.out_avals, specs, sharding.mesh)
    return QuickCall(leaves, program, traced.out_tree)


elsewhere_quick.append(_quick)
