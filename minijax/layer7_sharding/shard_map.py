"""`shard_map`: a function of the part that one device has, run on each device of a mesh.

    shard_map(lambda v: psum(v.sum(), "x"), mesh=mesh, in_specs=P("x"), out_specs=P())(x)

`in_specs` say how the arguments are divided, `out_specs` how the results are put together. The function is staged at
the types of the parts, in a mesh whose axes are Manual, to one equation. See lockstep.py for how that is run.
"""

import functools
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from ..layer1_core import config, staging
from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.evaluate import naming
from ..layer1_core.fun_names import arg_names, fun_name, fun_signature, fun_source_info
from ..layer1_core.jaxpr import DebugInfo, Jaxpr, JaxprEqn, Var
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.staging import check_args, trace_to_jaxpr
from ..layer1_core.trace import EVAL, current_trace
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_unflatten
from ..layer4_grad.programs import closed_over_nothing
from ..layer5_vmap.axes import bound
from ..layer6_random.memory import scopes
from .fitting import (
    Specs,
    check_given,
    check_ranks_of_args,
    check_ranks_of_results,
    check_replicated,
    check_sizes,
    names_in,
    spread,
)
from .lockstep import in_memory, run_in_lockstep, speaking
from .mesh import AbstractMesh, AxisType, BaseMesh, Mesh, get_abstract_mesh
from .named import NamedSharding, shown
from .parts import entries, tiling
from .propagation import propagation_rules
from .spec import Names, P, PartitionSpec, axes_of, partition_of
from .types import complete
from .varying import pvary_p

shard_map_p = Primitive("shard_map")
shard_map_p.multiple_results = True
complete.add(shard_map_p)


class _Infer:
    """The value of `in_specs` where none are given: the types of the arguments say them."""

    def __repr__(self) -> str:
        return "Infer"


Infer = _Infer()

# ---- types: of an array, and of one device's part of it


def manual_mesh(mesh: BaseMesh, names: Names) -> AbstractMesh:
    """The mesh as the function of one device sees it: these axes, and those of the context, are Manual."""
    outer = get_abstract_mesh()
    base = outer if outer.manual_axes else mesh.abstract_mesh  # type: ignore[attr-defined]
    return base.update_axis_types(dict.fromkeys(names, AxisType.Manual))


def aval_of_part(aval: ShapedArray, spec: PartitionSpec, mesh: AbstractMesh, check_vma: bool) -> ShapedArray:
    """The type of the part that one device has."""
    shape = tuple(n // k for n, k in zip(aval.shape, tiling(mesh, spec, aval.ndim), strict=True))
    vma = (aval.vma | names_in(spec)) if check_vma else frozenset()
    return aval.update(shape=shape, sharding=_sharding_in(aval, mesh), vma=vma)


def _sharding_in(aval: ShapedArray, mesh: AbstractMesh) -> NamedSharding:
    """What of a type's sharding is there in this mesh: what its Explicit axes divide."""
    return NamedSharding(mesh, shown(P() if aval.is_undivided else aval.sharding.spec, mesh, aval.ndim))


def aval_of_whole(aval: ShapedArray, spec: PartitionSpec, mesh: BaseMesh, names: Names) -> ShapedArray:
    """The type of the array that is put together of parts of this type."""
    outer: AbstractMesh = mesh.abstract_mesh  # type: ignore[attr-defined]
    shape = tuple(n * k for n, k in zip(aval.shape, tiling(mesh, spec, aval.ndim), strict=True))
    inner = () if aval.is_undivided else aval.sharding.spec.partitions
    pairs = zip(entries(spec, aval.ndim), inner or (None,) * aval.ndim, strict=True)
    both = [partition_of((*axes_of(e), *axes_of(i))) for e, i in pairs]
    sharding = NamedSharding(outer, shown(P(*both), outer, aval.ndim))
    return aval.update(shape=shape, sharding=sharding, vma=aval.vma - names)


@shard_map_p.def_abstract_eval
def _shard_map_rule(
    *avals: ShapedArray, jaxpr: Jaxpr, mesh: BaseMesh, out_specs: Specs, newly_manual_axes: Names, **params: Any
) -> list[ShapedArray]:
    pairs = zip(jaxpr.out_avals, out_specs, strict=True)
    return [aval_of_whole(aval, spec, mesh, newly_manual_axes) for aval, spec in pairs]


# ---- running


@impl_rules.rule(shard_map_p)
def _run(
    *values: np.ndarray, jaxpr: Jaxpr, mesh: BaseMesh, in_specs: Specs, out_specs: Specs, newly_manual_axes: Names,
    check_vma: bool,
) -> list[np.ndarray]:  # fmt: skip
    """The arrays are taken apart, the program is run for each device, and its results are put together.

    Here it has whole arrays: so where devices are of several processes, each of these does so for all.
    """
    names = mesh.in_order(newly_manual_axes)
    devices = AbstractMesh([mesh.shape[name] for name in names], names)
    places = list(devices.coordinates())
    columns = [parts_of(x, NamedSharding(devices, spec)) for x, spec in zip(values, in_specs, strict=True)]
    args = [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in places]
    with speaking(None):
        outs = run_in_lockstep(in_memory(jaxpr, devices.shape_tuple), args, places)
    together = zip(*outs, strict=True) if jaxpr.outvars else ()
    return [put_together(parts, NamedSharding(devices, spec)) for parts, spec in zip(together, out_specs, strict=True)]


def parts_of(x: np.ndarray, sharding: NamedSharding) -> list[np.ndarray]:
    """The part of each device, in the order of the mesh, and in row-major order itself."""
    return [np.ascontiguousarray(x[index]).reshape(x[index].shape) for index in sharding._indices(x.shape)]


def put_together(parts: Sequence[np.ndarray], sharding: NamedSharding) -> np.ndarray:
    """The array of these parts, one for each device. Where devices share a place, the part of the first is there."""
    tiling = sharding.tiling(parts[0].ndim)
    out = np.empty(tuple(n * k for n, k in zip(parts[0].shape, tiling, strict=True)), parts[0].dtype)
    for index, part in zip(reversed(sharding._indices(out.shape)), reversed(parts), strict=True):
        out[index] = part
    return out


naming[shard_map_p] = lambda params: NamedSharding(params["mesh"], P()) if isinstance(params["mesh"], Mesh) else None
propagation_rules[shard_map_p] = lambda specs, outs, mesh, params: list(params["out_specs"])


# ---- where the function is staged


@contextmanager
def inside(mesh: BaseMesh, names: Names, check_vma: bool) -> Iterator[AbstractMesh]:
    """Inside of this `with`, axes of the mesh are Manual, and have names for collectives."""
    inner = manual_mesh(mesh, names)
    with ExitStack() as stack:
        stack.enter_context(config.abstract_mesh(inner))
        stack.enter_context(config.check_vma(check_vma))
        stack.enter_context(bound([(name, mesh.shape[name]) for name in mesh.in_order(names)]))
        yield inner


def inside_of(params: dict[str, Any]) -> Any:
    """`inside`, for the parameters of an equation."""
    return inside(params["mesh"], params["newly_manual_axes"], params["check_vma"])


scopes[shard_map_p] = inside_of


def _captured(aval: ShapedArray) -> ShapedArray:
    """The type that a value from outside has here. Raises NotImplementedError for one on a mesh with Explicit axes."""
    context = get_abstract_mesh()
    if aval.is_undivided or aval.sharding.mesh == context or not context.manual_axes:
        return aval
    if aval.sharding.mesh.explicit_axes:
        raise NotImplementedError(
            "Closing over inputs to shard_map where the input is sharded on `Explicit` axes is not implemented. As a "
            "workaround, please pass those inputs as an argument to shard_map. Got input with shape "
            f"{aval.str_short(short_dtypes=True, mesh_axis_types=True)}"
        )
    return aval.update(sharding=_sharding_in(aval, context))


staging.capturers.append(_captured)

# ---- the function


def shard_map(
    f: Any = None, /, *, out_specs: Any, in_specs: Any = Infer, mesh: Any = None, axis_names: Any = frozenset(),
    check_vma: bool = True,
) -> Any:  # fmt: skip
    """`f`, a function of parts, as a function of arrays: it is run on each device of `mesh`, on the part that is there.

    `in_specs` and `out_specs` are trees of PartitionSpecs, prefixes of the arguments' tuple and of the results; without
    `in_specs`, the types of the arguments say how they are divided. Without `mesh` it is the one that is set. Along the
    axes `axis_names` (all by default) `f` sees parts, and may use collectives. `check_vma` lets types say along which
    axes values vary, so that results which must be the same on all devices are known to be.

    Raises ValueError for specs that do not fit the mesh, the arguments or the results; TypeError for what are no specs.
    """
    if f is None:
        return functools.partial(
            shard_map, out_specs=out_specs, in_specs=in_specs, mesh=mesh, axis_names=axis_names, check_vma=check_vma
        )
    if not callable(f):
        raise TypeError(f"shard_map requires a callable for its first argument, but got {f} of type {type(f)}.")
    mapped = _Mapped(f, in_specs, out_specs, mesh, axis_names, check_vma)
    return functools.wraps(f)(lambda *args: mapped(args))


def shard_map_on(f: Any, mesh: Any, in_specs: Any, out_specs: Any, check_rep: bool = True) -> Any:
    """`shard_map` as it was called in `jax.experimental`: `check_rep` is `check_vma`."""
    return shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_rep)


class _Mapped:
    """A function of parts, and what `shard_map` was told of it: it is called with arrays."""

    def __init__(self, f: Any, in_specs: Any, out_specs: Any, mesh: Any, axis_names: Any, check_vma: bool):
        self.f, self.in_specs, self.out_specs, self.given = f, in_specs, out_specs, mesh
        self.axis_names, self.check_vma, self.name = axis_names, check_vma, fun_name(f)

    def __call__(self, args: tuple[Any, ...]) -> Any:
        mesh = self._mesh()
        names = self._names(mesh)
        leaves, tree = tree_flatten(args)
        parameters = arg_names(fun_signature(self.f), args, {})
        check_args(leaves, parameters, self.f)
        _check_placed(leaves, mesh)
        avals = [typeof(x) for x in leaves]
        in_specs = self._in_specs(tree, avals, mesh, names, parameters)
        check_sizes(self.name, in_specs, avals, mesh, parameters)
        with inside(mesh, names, self.check_vma) as inner:
            parts = [aval_of_part(a, s, inner, self.check_vma) for a, s in zip(avals, in_specs, strict=True)]
            info = DebugInfo("shard_map", fun_source_info(self.f), parameters)
            jaxpr, out_tree = trace_to_jaxpr(self.f, tree_flatten((args, {}))[1], parts, info)
        jaxpr, consts = closed_over_nothing(jaxpr)
        out_specs = self._out_specs(out_tree, jaxpr.out_avals, mesh, names)
        jaxpr = _varying_as(out_specs, jaxpr, inner) if self.check_vma else jaxpr
        out = shard_map_p.bind(
            *consts, *leaves, check_vma=self.check_vma, in_specs=(P(),) * len(consts) + in_specs, jaxpr=jaxpr,
            mesh=mesh, newly_manual_axes=names, out_specs=out_specs,
        )  # fmt: skip
        return tree_unflatten(out_tree, out)

    def _mesh(self) -> Any:
        """The mesh that was given, or the one that is set. Raises where there is none, or where they differ."""
        context = get_abstract_mesh()
        mesh = context if self.given is None else self.given
        if not isinstance(mesh, BaseMesh):
            raise TypeError(
                "shard_map requires a `jax.sharding.Mesh` or a `jax.sharding.AbstractMesh` instance for its second "
                f"argument, but got {mesh} of type {type(mesh)}."
            )
        if mesh.empty:
            raise ValueError("The context mesh cannot be empty. Use `jax.set_mesh(mesh)` to enter into a mesh context")
        if not context.empty and context != mesh.abstract_mesh:  # type: ignore[attr-defined]
            raise ValueError(f"The context mesh {context} should match the mesh passed to shard_map {mesh}")
        return mesh

    def _names(self, mesh: BaseMesh) -> Names:
        """The axes that become Manual: those that were given, or all that are not. Raises for what are none."""
        if isinstance(self.axis_names, str) or not hasattr(self.axis_names, "__iter__"):
            raise TypeError(
                f"`axis_names` argument of shard_map should be of type `frozenset` or `set`. Got type: "
                f"{type(self.axis_names)}"
            )
        names = frozenset(self.axis_names) or frozenset(mesh.axis_names) - frozenset(mesh.manual_axes)
        if not names <= frozenset(mesh.axis_names):
            raise ValueError(
                f"jax.shard_map requires axis_names={names} to be a subset of "
                f"mesh.axis_names={frozenset(mesh.axis_names)}"
            )
        return names

    def _in_specs(
        self, tree: PyTreeDef, avals: Sequence[ShapedArray], mesh: BaseMesh, names: Names, parameters: Sequence[str]
    ) -> Specs:
        """A spec for each argument, which fits it; without `in_specs`, what its type says."""
        told = tuple(_told(aval, mesh, names) for aval in avals)
        if self.in_specs is Infer:
            kinds = [mesh.type_of[name] for name in mesh.in_order(names)]
            if any(kind is not AxisType.Explicit for kind in kinds):
                raise TypeError(
                    "shard_map in_specs argument must be a pytree of `jax.sharding.PartitionSpec` instances, but it "
                    f"was `None` when axis_names={names} are of type {', '.join(map(str, kinds))}"
                )
            return told
        specs = spread("in_specs", self.in_specs, tree, mesh, names)
        check_ranks_of_args(self.name, specs, avals, parameters)
        if mesh.explicit_axes:
            check_given(specs, told, avals, mesh)
        return specs

    def _out_specs(self, tree: PyTreeDef, avals: Sequence[ShapedArray], mesh: BaseMesh, names: Names) -> Specs:
        """A spec for each result, which fits it."""
        specs = spread("out_specs", self.out_specs, tree, mesh, names)
        check_ranks_of_results(self.name, specs, tree, avals)
        if self.check_vma:
            check_replicated(self.name, specs, avals, mesh, names)
        return specs


def _check_placed(args: Sequence[Any], mesh: BaseMesh) -> None:
    """Raises ValueError for an array that does not say on which devices an abstract mesh is, where no mesh is set."""
    on_no_devices = isinstance(mesh, AbstractMesh) and current_trace.get() is EVAL and get_abstract_mesh().empty
    if on_no_devices and not all(isinstance(getattr(x, "sharding", None), NamedSharding) for x in args):
        raise ValueError(
            "Please pass `jax.Array`s with a `NamedSharding` as input to `shard_map` when passing `AbstractMesh` to "
            "the mesh argument."
        )


def _varying_as(specs: Specs, jaxpr: Jaxpr, mesh: AbstractMesh) -> Jaxpr:
    """The program with results that vary along the axes which their specs name, by `pvary`."""
    eqns, outvars = [*jaxpr.eqns], [*jaxpr.outvars]
    for k, (v, spec) in enumerate(zip(jaxpr.outvars, specs, strict=True)):
        if missing := mesh.in_order(names_in(spec) - v.aval.vma):
            place = _sharding_in(v.aval, mesh) if v.aval.is_undivided else v.aval.sharding
            outvars[k] = var = Var(v.aval.update(sharding=place, vma=v.aval.vma | {*missing}))
            eqns.append(JaxprEqn([v], [var], pvary_p, {"axes": missing}))
    return jaxpr.replace(eqns=eqns, outvars=outvars)


def _told(aval: ShapedArray, mesh: BaseMesh, names: Names) -> PartitionSpec:
    """What a type says of how an argument is divided along the axes that are to be Manual."""
    spec = shown(P() if aval.is_undivided else aval.sharding.spec, mesh, aval.ndim)
    return P(*(partition_of(name for name in axes_of(entry) if name in names) for entry in spec.partitions))
