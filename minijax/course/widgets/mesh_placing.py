"""Ask the package where it puts an array, and what a program on such arrays needs."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from .batch_call import words_of_error
from .figure import counted, listed, package_module
from .mesh_recording import Block, Choice, Entries, Grid, Placement, Shape, Traffic, Use, Value

NAMED, MESH, SPEC = "layer7_sharding.named", "layer7_sharding.mesh", "layer7_sharding.spec"


@contextmanager
def device_grid(grid: Grid) -> Iterator[Any]:
    """A mesh of simulated devices with Explicit axes; as many devices as it takes, whatever the configuration says."""
    mesh, flag = package_module(MESH), package_module("layer1_core.config").num_cpu_devices
    with flag(1 + max(grid.devices)):
        devices = package_module("layer1_core.devices").devices()
        numbers = np.reshape(grid.devices, [size for _, size in grid.sizes])
        chosen = np.array([devices[i] for i in numbers.flat], object).reshape(numbers.shape)
        yield mesh.Mesh(chosen, grid.names, (mesh.AxisType.Explicit,) * len(grid.names))


def spec_of(entries: Entries) -> Any:
    """P('x', None), with an entry for each axis."""
    spec = package_module(SPEC)
    return spec.P(*map(spec.partition_of, entries))


def placed(choice: Choice) -> Placement:
    """Where the array is. What the package refuses is told in the placement."""
    try:
        with device_grid(choice.grid) as mesh:
            return found_on(mesh, choice)
    except Exception as error:  # told, where a traceback would say less
        return Placement(
            choice, spec_text(choice.entries), problem=words_of_error(error).rstrip("."), reason=reason(choice)
        )


def found_on(mesh: Any, choice: Choice) -> Placement:
    """Where the package puts the array on this mesh, in blocks."""
    spec = spec_of(choice.entries)
    sharding = package_module(NAMED).NamedSharding(mesh, spec)
    aval = package_module("layer1_core.aval").ShapedArray(choice.shape, np.dtype(choice.dtype))
    type_of = sharding.typed(aval).str_short()
    part = tuple(sharding.shard_shape(choice.shape))
    holders: dict[Shape, list[int]] = {}
    for device, index in sharding.devices_indices_map(choice.shape).items():
        starts = tuple(one.indices(n)[0] for one, n in zip(index, choice.shape, strict=True))
        holders.setdefault(starts, []).append(device.id)
    blocks = tuple(block(starts, part, holders[starts]) for starts in sorted(holders))
    return Placement(choice, repr(spec), type_of, part, np.dtype(choice.dtype).itemsize, blocks)


def block(starts: Shape, part: Shape, devices: Sequence[int]) -> Block:
    """A block from where it begins, and its shape."""
    stops = tuple(a + n for a, n in zip(starts, part, strict=True))
    return Block(starts, stops, tuple(a // n for a, n in zip(starts, part, strict=True)), tuple(sorted(devices)))


def spec_text(entries: Entries) -> str:
    """P('x', None), also where the package has no PartitionSpec yet."""
    parts = [repr(names) if len(names) > 1 else repr(names[0]) if names else "None" for names in entries]
    return f"P({', '.join(parts)}{',' * (len(parts) == 1)})"


# ---- why an array cannot be divided so


def reason(choice: Choice) -> str:
    """Why the spec does not fit, in plain words; "" where it does."""
    sizes = dict(choice.grid.sizes)
    named = [name for names in choice.entries for name in names]
    unknown = [name for name in dict.fromkeys(named) if name not in sizes]
    twice = [name for name in dict.fromkeys(named) if named.count(name) > 1]
    if unknown:
        return f"The mesh has no axis {quoted(unknown)}: its axes are {quoted(choice.grid.names)}."
    if twice:
        return (
            f"Mesh axis {quoted(twice[:1])} is named twice. A device has one place along it: that can choose its part "
            "along one axis of the array, not along two."
        )
    if len(choice.entries) > len(choice.shape):
        axes = counted(len(choice.shape), "axis", "axes")
        return f"The spec has an entry for each of {len(choice.entries)} axes, and the array has {axes}."
    uneven = [uneven_words(d, n, sizes, choice.entries[d]) for d, n in enumerate(choice.shape[: len(choice.entries)])]
    return next(filter(None, uneven), "")


def uneven_words(d: int, n: int, sizes: dict[str, int], names: Sequence[str]) -> str:
    """Why axis `d`, of size `n`, cannot be divided along these mesh axes; "" where it can."""
    parts = math.prod(sizes[name] for name in names)
    if n % parts == 0:
        return ""
    fitting = [str(m) for m in (n - n % parts, n - n % parts + parts) if m]
    return (
        f"Axis {d} has size {n}, which {parts} does not divide, and all parts must be equal. A size of "
        f"{' or '.join(fitting)} would do: pad the array, or divide it along fewer devices."
    )


def quoted(names: Sequence[str]) -> str:
    return listed([f"`{name}`" for name in names])


# ---- programs

# A program: the shapes of its operands from that of the array, and what it does.
PROGRAMS: dict[str, tuple[Callable[[Shape], dict[str, Shape]], Callable[..., Any]]] = {
    "x @ w": (lambda shape: {"x": shape, "w": (*shape[-1:], *(4 * n for n in shape[-1:]))}, lambda x, w: x @ w),
    "x + y": (lambda shape: {"x": shape, "y": shape}, lambda x, y: x + y),
    "x.sum(0)": (lambda shape: {"x": shape}, lambda x: x.sum(0)),
    "x.sum(-1)": (lambda shape: {"x": shape}, lambda x: x.sum(-1)),
}


def operands_of(code: str, choice: Choice, other: Entries) -> list[tuple[str, Choice]]:
    """The operands by name. `other` divides the second one; it is cut or filled to as many axes as that has."""
    shapes = PROGRAMS[code][0](choice.shape)
    entries = [choice.entries, other]
    return [
        (name, Choice(choice.grid, shape, filled(e, len(shape)), choice.dtype))
        for (name, shape), e in zip(shapes.items(), entries, strict=False)
    ]


def filled(entries: Entries, ndim: int) -> Entries:
    """An entry for each of so many axes."""
    return (*entries[:ndim], *((),) * (ndim - len(entries)))


def used(code: str, choice: Choice, other: Entries) -> Use:
    """What the types say of a program on divided arrays, and which collectives the compiler puts in."""
    operands = operands_of(code, choice, other)
    places = [(name, placed(each)) for name, each in operands]
    use = Use(code, tuple(Value(name, place.spec, place.type) for name, place in places))
    for name, place in places:
        if place.problem:
            return replace(use, problem=f"`{name}` cannot be divided so. {place.reason or place.problem}")
    fun, choices = PROGRAMS[code][1], [each for _, each in operands]
    try:
        with device_grid(choice.grid) as mesh:
            explicit, refused = type_told(fun, [struct(mesh.abstract_mesh, each) for each in choices])
            use = replace(use, explicit=explicit, refused=refused)
            auto, traffic = compiled(fun, with_auto_axes(mesh.abstract_mesh), choices)
            return replace(use, auto=auto, traffic=traffic)
    except Exception as error:  # told, where a traceback would say less
        return replace(use, problem=words_of_error(error))


def with_auto_axes(mesh: Any) -> Any:
    """The mesh with all of its axes Auto."""
    return mesh.update(axis_types=(package_module(MESH).AxisType.Auto,) * len(mesh.axis_names))


def struct(mesh: Any, choice: Choice) -> Any:
    """The array's description on a mesh without devices, for tracing."""
    sharding = package_module(NAMED).NamedSharding(mesh, spec_of(choice.entries))
    kind = package_module("layer1_core.aval").ShapeDtypeStruct
    return kind(choice.shape, np.dtype(choice.dtype), sharding=sharding)


def type_told(fun: Callable[..., Any], types: Sequence[Any]) -> tuple[str, str]:
    """The type of the result, or why the types do not tell it."""
    try:
        jaxpr = package_module("layer1_core.staging").make_jaxpr(fun)(*types)
    except package_module("layer7_sharding.types").ShardingTypeError as error:
        return "", words_of_error(error).rstrip(".")
    return jaxpr.out_avals[0].str_short(), ""


def compiled(fun: Callable[..., Any], mesh: Any, operands: Sequence[Choice]) -> tuple[str, tuple[Traffic, ...]]:
    """How the compiler divides the result where all axes are Auto, and its collectives: by the partitioner."""
    types = [struct(mesh, each) for each in operands]
    found = package_module("layer1_core.jit").jit(fun).lower(*types).partitioned()
    traffic = [Traffic(one.name, listed([*map(str, one.axes)]), one.bytes) for one in found.collectives]
    return repr(found.out_specs[0]), tuple(traffic)
