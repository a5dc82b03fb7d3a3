"""Inside of `shard_map`: along which axes of the mesh a value varies, and the primitives that are about it.

    f32[2]{V:x}      each device along x has a value of its own
    f32[2]           all have the same

    pvary            what all have the same, as what each has: nothing is moved
    psum_invariant   the sum of what each has: all have the same

Operands that vary along fewer axes than others are made to vary, by `pvary`, before an equation is recorded. The two
are each other's transpose: so the derivative by what all devices have the same is a sum over them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layer1_core import config, staging
from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.lax import shaping
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.tree import tree_map
from ..layer2_jit.lowering import CALLED
from ..layer2_jit.rules import lowering_rules
from ..layer4_grad.families import deflinear
from ..layer5_vmap import collectives as c
from ..layer5_vmap.axes import check_bound
from ..layer5_vmap.batching import batching_rules
from .mesh import get_abstract_mesh
from .resharding import reshard_to
from .spec import AxisName, Names
from .types import complete, sharding_rules, varying_rules

# ---- primitives

pvary_p = c.Collective("pvary")
pvary_p.def_abstract_eval(lambda x, *, axes: x)
psum_invariant_p = c.Collective("psum_invariant")
psum_invariant_p.def_abstract_eval(lambda x, *, axes: x.strip_weak_type())
impl_rules[pvary_p] = lambda x, *, axes: x


@impl_rules.rule(psum_invariant_p)
def _unbound(x: np.ndarray, *, axes: Any) -> Any:
    raise NameError(f"unbound axis name: {', '.join(map(str, axes))}")


for _p in (pvary_p, psum_invariant_p):
    lowering_rules[_p] = CALLED
    sharding_rules[_p] = lambda out, x, **params: x.sharding.spec
    batching_rules[_p] = lambda args, dims, primitive=_p, **params: (primitive.bind(*args, **params), dims[0])

deflinear(pvary_p, lambda ct, axes: [psum_invariant_p.bind(ct, axes=axes)])
deflinear(psum_invariant_p, lambda ct, axes: [pvary_p.bind(ct, axes=axes)])

# ---- along which axes results vary: from those of the operands, and the parameters

_less = lambda vma, axes=(), **params: vma - frozenset(axes)
varying_rules.update(
    {
        pvary_p: lambda vma, axes: vma | frozenset(axes),
        psum_invariant_p: _less,
        c.pmax_p: _less,  # in groups too, as in JAX, although groups have different ones
        c.pmin_p: _less,
        c.axis_index_p: lambda vma, axis_name: frozenset(_checked(c.named(axis_name))),
    }
)


def _checked(names: Sequence[AxisName]) -> Sequence[AxisName]:
    """These names where types say what varies; none where they do not."""
    manual = get_abstract_mesh().manual_axes
    return [name for name in names if name in manual] if config.check_vma.value else []


# ---- operands made to vary


def varied(x: Any, names: Names) -> Any:
    """`x` as a value that varies along these axes too, and others along which it does."""
    missing = get_abstract_mesh().in_order(names - typeof(x).vma)
    return pvary_p.bind(x, axes=missing) if missing else x


_REDUCTIONS: dict[Primitive, str] = {c.psum_p: "psum", c.pmax_p: "pmax", c.pmin_p: "pmin"}
_EXCHANGES = (c.ppermute_p, c.all_gather_p, c.reduce_scatter_p, c.all_to_all_p, c.pbroadcast_p)


def recorded(primitive: Primitive, args: Sequence[Any], params: dict[str, Any]) -> Any:
    """The equation to record: with operands that vary alike, and sums whose type says that they do not vary."""
    if not config.check_vma.value or primitive in complete or primitive in (pvary_p, psum_invariant_p):
        return primitive, args, params
    if primitive in _REDUCTIONS:
        return _reduction(primitive, args[0], params)
    if primitive in _EXCHANGES:
        names = frozenset(c.named(params["axis_name"]))
        check_bound([*names], str(primitive))
        return primitive, [varied(x, names & _manual()) for x in args], params
    vmas = [typeof(x).vma for x in args]
    everywhere = frozenset().union(*vmas)
    if all(vma == everywhere for vma in vmas):
        return primitive, args, params
    return primitive, [varied(x, everywhere) for x in args], params


def _manual() -> Names:
    return frozenset(get_abstract_mesh().manual_axes)


def _reduction(primitive: Primitive, x: Any, params: dict[str, Any]) -> Any:
    """A sum over devices gives what all have the same. Raises ValueError where the operand varies along some only."""
    axes, aval = params["axes"], typeof(x)
    names = c.axes_of_collective(params)
    check_bound(names, "pvary")
    over = [name for name in names if name in _manual()]
    if not over:
        return primitive, [x], params
    if primitive is c.psum_p and params["axis_index_groups"] is not None:
        raise NotImplementedError("axis_index_groups are not for types that say what varies: pass check_vma=False")
    states = {"varying" if name in aval.vma else "invarying" for name in over}
    if len(states) > 1:
        raise ValueError(
            f"jax.lax.{_REDUCTIONS[primitive]} can only accept axis_name which corresponds to one of varying, "
            f"unreduced, reduced or invarying state of the input. Got input type: {aval.str_short()}, axes: {axes} and "
            f"input state: {states}"
        )
    x = varied(x, frozenset(over))
    if primitive is c.psum_p and len(over) == len(axes):
        return psum_invariant_p, [x], dict(axes=axes)
    return primitive, [x], params


staging.recorders.append(recorded)


_STATES = {"unreduced", "reduced", "varying"}  # of these, only the last one is a type here


def pcast(x: Any, axis_name: Any = None, *, to: str) -> Any:
    """The arrays of the tree `x`, which all devices along these axes have the same, as values that vary along them.

    Nothing is moved. Raises ValueError for what varies already, for another `to`, and outside of `shard_map`.
    """
    if to not in _STATES:
        raise ValueError(f"Got unexpected `to` value. Allowed `to` values are: {_STATES}")
    names = frozenset(c.named(axis_name))

    def cast(leaf: Any) -> Any:
        vma = typeof(leaf).vma
        source = "varying" if names & vma else "invarying"
        if to != "varying" or source == "varying":
            raise ValueError(f"Unsupported pcast from={source}, {to=}")
        if not names <= {*get_abstract_mesh().manual_axes}:
            raise ValueError("pvary should be called under jax.shard_map.")
        return varied(leaf, names) if config.check_vma.value else leaf

    return tree_map(cast, x)


# ---- values of types that tell of a mesh


def _as_typed(x: Any, aval: ShapedArray) -> Any:
    """`x`, varying along the axes that the type says; and divided as it says, where it is of this shape.

    Where the axes of the mesh that is set are Auto, types say nothing.
    """
    silent = aval.sharding.mesh.are_all_axes_manual or get_abstract_mesh().are_all_axes_auto
    if np.shape(x) == aval.shape and not silent:
        x = reshard_to(x, aval.sharding)
    return varied(x, aval.vma) if aval.vma else x


shaping.typers.append(_as_typed)
