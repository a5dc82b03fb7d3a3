"""Arrays divided anew: `reshard`, which types show, and `with_sharding_constraint`, which the compiler is told.

    reshard(x, P("y"))                     f32[8@x,4] -> f32[8@y,4]
    with_sharding_constraint(x, P("y"))    along Auto axes: f32[8,4] -> f32[8,4]

Neither changes a value. `auto_axes` and `explicit_axes` run a function where axes of the mesh are of another type.
"""

import functools
import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..layer1_core import config, jit_shardings, placement
from ..layer1_core.array import array_on, numpy_value
from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.device_put import device_put
from ..layer1_core.devices import Sharding
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.trace import place_of, user_line
from ..layer1_core.tree import flatten_axes, tree_flatten, tree_unflatten
from ..layer6_random import arguments, memory
from .context import use_abstract_mesh
from .mesh import AbstractMesh, AxisType, Mesh, empty_mesh, get_abstract_mesh, get_mesh
from .named import NamedSharding, shown
from .parts import IndivisibleError
from .spec import UNCONSTRAINED, AxisName, P, PartitionSpec, axes_of, partition_of
from .types import complete

# ---- what a user's `out_sharding` says


def of_type(sharding: Any, function: str) -> NamedSharding:
    """`sharding`, a NamedSharding or a PartitionSpec of the context's mesh, as types have it.

    Raises ValueError where no mesh is set, and for axes that types do not show; TypeError for other values.
    """
    if not isinstance(sharding, (NamedSharding, PartitionSpec)):
        raise TypeError(
            f"`out_sharding` argument of {function} only supports instances of `NamedSharding` or `PartitionSpec`. "
            f"Got {sharding} of type: {type(sharding)}"
        )
    mesh = get_abstract_mesh()
    if isinstance(sharding, PartitionSpec):
        if mesh.empty:
            raise ValueError(
                "Using PartitionSpec when you are not under a mesh context is not allowed. Please pass a NamedSharding "
                f"instance or enter into a mesh context via `jax.set_mesh`. Got {sharding}"
            )
        sharding = NamedSharding(mesh, sharding)
    for name in (name for entry in sharding.spec.partitions for name in axes_of(entry)):
        kind = sharding.mesh.type_of[name]
        if kind is not AxisType.Explicit:
            raise ValueError(
                f"PartitionSpec passed to {function} cannot contain axis names that are of type Auto or Manual. Got "
                f"PartitionSpec: {sharding.spec} with axis name: {name} of type: {kind!s}. This error occurs at "
                f"source:  {place_of(user_line())}"
            )
    return NamedSharding(sharding.mesh.abstract_mesh, sharding.spec)


placement.namers.append(of_type)

# ---- reshard

reshard_p = Primitive("reshard")
reshard_p.pretty = lambda eqn, names: []
complete.add(reshard_p)


@reshard_p.def_abstract_eval
def _reshard_rule(x: ShapedArray, *, dst_sharding: NamedSharding, concrete_mesh: Mesh | None) -> ShapedArray:
    return dst_sharding.typed(x).update(vma=x.vma, memory_space=x.memory_space)


@reshard_p.def_impl
def _reshard(x: Any, *, dst_sharding: NamedSharding, concrete_mesh: Mesh | None) -> Any:
    """The array on the mesh, divided as the types say; along Auto axes as it was."""
    mesh = concrete_mesh or _mesh_of(x)
    if mesh.empty:  # the type tells of a mesh; where the value is, nobody has said
        return array_on(numpy_value(x), dst_sharding.typed(typeof(x)), *placement.placement((x,), "reshard"))
    mesh = mesh.update(axis_types=dst_sharding.mesh.axis_types)
    before = getattr(getattr(x, "sharding", None), "spec", P())
    return device_put(x, NamedSharding(mesh, told_and_found(dst_sharding.spec, before, mesh.auto_axes)))


impl_rules[reshard_p] = lambda x, **params: x


def told_and_found(said: PartitionSpec, found: PartitionSpec, others: Collection[AxisName]) -> PartitionSpec:
    """What was said, and behind it those of the `others` among the mesh axes that were found. Where there are some,
    nothing is said of axes at the end that are whole.
    """
    pairs = itertools.zip_longest(said.partitions, found.partitions)
    both = [partition_of((*axes_of(a), *(name for name in axes_of(b) if name in others))) for a, b in pairs]
    while others and both and both[-1] is None:
        both.pop()
    return said.update(partitions=both)


def _mesh_of(x: Any) -> Mesh:
    """The mesh on whose devices an array is, or else that of the context."""
    here = getattr(getattr(x, "sharding", None), "mesh", None)
    return here if isinstance(here, Mesh) else get_mesh()


def reshard(xs: Any, out_shardings: Any) -> Any:
    """The arrays of the tree `xs`, divided as `out_shardings` (one, or a tree of them) says.

    Raises ValueError for a PartitionSpec where no mesh is set, and for axes that are not Explicit.
    """
    leaves, tree = tree_flatten(xs)
    places = flatten_axes("reshard out_shardings", tree, out_shardings)
    return tree_unflatten(tree, [_resharded(x, place) for x, place in zip(leaves, places, strict=True)])


def _resharded(x: Any, place: Any) -> Any:
    """One array, divided as a user says. A mesh with devices is kept where it is not the one that is set."""
    found = of_type(place, "reshard")
    concrete = place.mesh if isinstance(place, NamedSharding) and isinstance(place.mesh, Mesh) else None
    return reshard_to(x, found, None if concrete == get_mesh() else concrete)


def reshard_to(x: Any, sharding: NamedSharding, concrete_mesh: Mesh | None = None) -> Any:
    """`x`, divided as this sharding says, which has an abstract mesh; `x` itself where it is."""
    aval = typeof(x)
    found = NamedSharding(sharding.mesh, shown(sharding.spec, sharding.mesh, max(aval.ndim, len(sharding.spec))))
    if aval.sharding == found:
        return x
    return reshard_p.bind(x, dst_sharding=found, concrete_mesh=concrete_mesh)


# ---- with_sharding_constraint

sharding_constraint_p = Primitive("sharding_constraint")
impl_rules[sharding_constraint_p] = lambda x, **params: x
sharding_constraint_p.def_abstract_eval(lambda x, **params: x)
complete.add(sharding_constraint_p)


@sharding_constraint_p.def_impl
def _constrain(x: Any, *, sharding: NamedSharding, **params: Any) -> Any:
    mesh = sharding.mesh if isinstance(sharding.mesh, Mesh) else _mesh_of(x)
    return device_put(x, NamedSharding(mesh, constrained(sharding.spec, getattr(x.sharding, "spec", P()))))


def constrained(spec: PartitionSpec, before: PartitionSpec) -> PartitionSpec:
    """`spec`, with what it leaves open as it was before."""
    named = {name for entry in spec.partitions for name in axes_of(entry)}
    entries = (*before.partitions, *(None,) * (len(spec) - len(before)))
    free = [None if named.intersection(axes_of(e)) else e for e in entries]
    return P(*(free[d] if e is UNCONSTRAINED else e for d, e in enumerate(spec.partitions)))


def with_sharding_constraint(x: Any, shardings: Any) -> Any:
    """The arrays of the tree `x`; the compiler divides them as `shardings` (one, or a tree of them) says.

    Where the mesh that is set has Explicit axes only, it asserts that they are divided so. Raises RuntimeError for a
    PartitionSpec where no mesh is set, TypeError for what is no sharding, ValueError where an array cannot be divided
    so, and for axes that are not Auto.
    """
    leaves, tree = tree_flatten(x)
    places = flatten_axes("with_sharding_constraint shardings", tree, shardings)
    return tree_unflatten(tree, [_constrained(v, place) for v, place in zip(leaves, places, strict=True)])


def _constrained(x: Any, place: Any) -> Any:
    """One array with its constraint; None says nothing of it."""
    if place is None:
        return x
    if not isinstance(place, (Sharding, PartitionSpec)):
        raise TypeError(
            f"shardings leaf specifications are expected to be PartitionSpec instances or None, but got {place}"
        )
    aval, context = typeof(x), get_abstract_mesh()
    entered = (config.entered_mesh.value or empty_mesh) if context.empty else empty_mesh
    if isinstance(place, PartitionSpec) and not entered.empty:
        place = NamedSharding(entered, place)
    sharding = named_in_context(place, "with_sharding_constraint", "shardings", abstract=True)
    if isinstance(sharding, NamedSharding) and not context.are_all_axes_explicit:
        _check_auto(sharding)
    _check_fits(sharding, aval)
    if isinstance(sharding, NamedSharding) and context.are_all_axes_explicit:
        return _asserted(x, aval, sharding)
    spec = getattr(sharding, "spec", P())
    unconstrained = frozenset(d for d, entry in enumerate(spec.partitions) if entry is UNCONSTRAINED)
    return sharding_constraint_p.bind(
        x, sharding=sharding, layout=None, context_mesh=entered if context.empty else context,
        unconstrained_dims=unconstrained,
    )  # fmt: skip


def named_in_context(place: Any, function: str, argument: str, abstract: bool = False) -> Any:
    """`place`; a PartitionSpec with the mesh of the context. Raises RuntimeError where none is set."""
    if not isinstance(place, PartitionSpec):
        return place
    mesh: Any = get_abstract_mesh() if abstract else get_mesh()
    if mesh.empty:
        raise RuntimeError(
            f"{function} requires a non-empty mesh in context if you are passing `PartitionSpec`s to {argument}. You "
            "can define a context mesh via `jax.set_mesh(mesh)`. Alternatively, provide `Sharding`s to "
            f"{argument} and then the mesh context manager is not required."
        )
    return NamedSharding(mesh, place)


jit_shardings.meaning_of_type[PartitionSpec] = lambda spec, argument: named_in_context(spec, "jit", argument)


def _check_fits(sharding: Any, aval: ShapedArray) -> None:
    """Raises ValueError where an array of this type cannot be divided so."""
    try:
        sharding.shard_shape(aval.shape)
    except IndivisibleError as error:
        raise IndivisibleError(
            f"One of with_sharding_constraint arguments was given the sharding {error}. "
            f"This error occurs at source:  {place_of(user_line())}"
        ) from None
    except ValueError as error:
        told = "One of with_sharding_constraint arguments is incompatible with its sharding annotation"
        raise ValueError(f"{told} {sharding}: {error}") from None


def _check_auto(sharding: NamedSharding) -> None:
    """Raises ValueError where the spec names a mesh axis that is not Auto."""
    named = {name for entry in sharding.spec.partitions for name in axes_of(entry)}
    if not named <= {*sharding.mesh.auto_axes}:
        raise ValueError(
            "The spec of NamedSharding passed to with_sharding_constraint can only refer to Auto axes of the mesh. "
            f"Got spec={sharding.spec} and mesh={sharding.mesh.abstract_mesh}. You probably meant to use `reshard` API?"
        )


def _asserted(x: Any, aval: ShapedArray, sharding: NamedSharding) -> Any:
    """`x`. Raises AssertionError where its type says that it is divided otherwise."""
    wanted = shown(sharding.spec, sharding.mesh, aval.ndim)
    if aval.sharding.spec != wanted:
        raise AssertionError(
            "`with_sharding_constraint` acts as an assert when all axes of mesh are of type `Explicit`. The array "
            f"sharding: {aval.sharding.spec} did not match the sharding provided: {wanted}. Please use "
            "`jax.sharding.reshard` to shard your input to the sharding you want."
        )
    return x


# ---- a function where axes of the mesh are of another type


def _mesh_with(axes: Any, kind: AxisType, name: str) -> tuple[AbstractMesh, AbstractMesh]:
    """The context's mesh, and the same with these axes (all, for None) of this type."""
    mesh = get_abstract_mesh()
    if mesh.empty:
        raise ValueError("Context mesh cannot be empty. Please use `jax.set_mesh` API to enter into a mesh context.")
    names = mesh.axis_names if axes is None else axes if isinstance(axes, tuple) else (axes,)
    for axis in names:
        if mesh.type_of[axis] is AxisType.Manual:
            raise NotImplementedError(f"Going from `Manual` to `{kind}` in `{name}` is not allowed")
    return mesh, mesh.update_axis_types(dict.fromkeys(names, kind))


def auto_axes(f: Any = None, /, *, axes: Any = None, out_sharding: Any = None) -> Any:
    """`f`, run where the mesh axes `axes` (all of them by default) are Auto: its types say nothing of these.

    `out_sharding` says how the results are divided; it is given here or with the call. Raises TypeError without it.
    """
    if f is None:
        return functools.partial(auto_axes, axes=axes, out_sharding=out_sharding)

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        wanted = _given(out_sharding, "out_sharding", kwargs)
        outside, inside = _mesh_with(axes, AxisType.Auto, "auto_axes")
        if inside == outside:
            return f(*args, **kwargs)
        return reshard(_inside(f, inside, args, kwargs), wanted)

    return call


def _given(sharding: Any, name: str, kwargs: dict[str, Any]) -> Any:
    """A sharding that was given before the call; else it is taken out of the call's keywords."""
    if sharding is not None:
        return sharding
    if name not in kwargs:
        raise TypeError(f"Missing required keyword argument: '{name}'")
    return kwargs.pop(name)


@contextmanager
def _where_axes_are(mesh: AbstractMesh) -> Iterator[None]:
    """Inside of this `with`, the axes of the mesh that is set are of the types that they have in `mesh`."""
    here = get_mesh()
    everywhere = None if here.empty else NamedSharding(here.update(axis_types=mesh.axis_types), P())
    with use_abstract_mesh(mesh), config.everywhere(everywhere):
        yield


def _inside(f: Callable[..., Any], mesh: AbstractMesh, args: Any, kwargs: Any) -> Any:
    """`f` of these arguments where the mesh is this one: what it shows of how they are divided, it shows."""
    leaves, tree = tree_flatten((args, kwargs))
    with _where_axes_are(mesh):
        leaves = [_shown_in(mesh, x) if hasattr(x, "aval") and not x.aval.is_undivided else x for x in leaves]
        args, kwargs = tree_unflatten(tree, leaves)
        return f(*args, **kwargs)


def _shown_in(mesh: AbstractMesh, x: Any) -> Any:
    """`x`, with what this mesh shows of how it is divided."""
    aval = typeof(x)
    return reshard_to(x, NamedSharding(mesh, shown(aval.sharding.spec, mesh, aval.ndim)))


def explicit_axes(f: Any = None, /, *, axes: Any = None, in_sharding: Any = None) -> Any:
    """`f`, run where the mesh axes `axes` (all of them by default) are Explicit: types say how arrays are divided.

    `in_sharding` says how the arguments are; it is given here or with the call. Raises TypeError without it.
    """
    if f is None:
        return functools.partial(explicit_axes, axes=axes, in_sharding=in_sharding)

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        wanted = _given(in_sharding, "in_sharding", kwargs)
        outside, inside = _mesh_with(axes, AxisType.Explicit, "explicit_axes")
        with _where_axes_are(inside):
            out = f(*reshard(args, wanted), **kwargs)
        leaves, tree = tree_flatten(out)
        back = [_shown_in(outside, x) for x in leaves]
        return tree_unflatten(tree, back)

    return call


def _placed(function: Callable[..., Any], args: Sequence[Any], out_sharding: Any) -> Any:
    """`function(*args)`, divided as is said: its equations know of no such parameter, so they run under Auto axes."""
    name = getattr(function, "__name__", "the function").removeprefix("random").lstrip("_")  # of samplers: `_normal`
    sharding = of_type(out_sharding, name)
    mesh = get_abstract_mesh()
    if mesh.empty or not mesh.explicit_axes:
        return reshard_to(function(*args), sharding, getattr(out_sharding, "mesh", None))
    return auto_axes(function, out_sharding=out_sharding)(*args)


def _on_words(fun: Callable[..., Any], words: Sequence[Any], places: Sequence[NamedSharding]) -> Any:
    """`fun` of keys as words, where the axes of the mesh are Auto; then the results are divided as the types say."""
    with use_abstract_mesh(places[0].mesh):  # type: ignore[arg-type]  # types have abstract meshes
        return auto_axes(fun, out_sharding=list(places))(*words)


placement.placers.append(_placed)
arguments.placed.append(_placed)
memory.dividers.append(_on_words)
