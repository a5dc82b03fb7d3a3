"""What the exercises of chapter 7 have at hand: meshes, pictures of what devices hold, what devices say.

The package is looked up each time, since a `%chapter` replaces it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .chapter3_given import equations, numbers, package
from .chapter4_given import DIGITS

DEVICES = 8  # as many as the exercises use
Part = tuple[tuple[int, int], ...]  # of an array: where it begins and ends along each axis

# ---- devices and meshes


def device(i: int) -> Any:
    """The device number i, of eight."""
    with package("layer1_core.config").num_cpu_devices(DEVICES):
        return package().devices()[i]


def auto_mesh(**sizes: int) -> Any:
    """A mesh with axes of these names and sizes, all of them Auto: auto_mesh(x=2, y=4)."""
    return _mesh("Auto", sizes)


def explicit_mesh(**sizes: int) -> Any:
    """The same with Explicit axes."""
    return _mesh("Explicit", sizes)


def _mesh(kind: str, sizes: dict[str, int]) -> Any:
    jax = package()
    types = (getattr(jax.sharding.AxisType, kind),) * len(sizes)
    with package("layer1_core.config").num_cpu_devices(DEVICES):
        return jax.make_mesh(tuple(sizes.values()), tuple(sizes), axis_types=types)


def place_told(place: Callable[..., Any], operands: Sequence[Any], default: Any) -> Any:
    """What `place(operands, default)` says: (ids of devices, whether committed), or the beginning of its ValueError."""
    try:
        with package("layer1_core.config").interpret_jaxprs(True):
            devices, is_committed = place(operands, default)
    except ValueError as error:
        return f"{type(error).__name__}: {str(error).split('. ')[0]}"
    return sorted(d.id for d in devices), is_committed


# ---- who holds what


def parts_held(mesh: Any, spec: Any, shape: Sequence[int]) -> list[Part]:
    """For each device of a mesh, in order, where its part begins and ends along each axis of the array."""
    held = package("sharding").NamedSharding(mesh, spec).devices_indices_map(tuple(shape)).values()
    return [tuple(s.indices(n)[:2] for s, n in zip(index, shape, strict=True)) for index in held]


def picture(mesh: Any, spec: Any, ndim: int) -> list[np.ndarray]:
    """For each axis of an array, which of its blocks each device holds: an array in the shape of the mesh."""
    size = math.prod(mesh.axis_sizes)  # each mesh axis, and all together, divide it
    starts, ends = np.moveaxis(np.array(parts_held(mesh, spec, (size,) * ndim)), 2, 0)
    return [blocks.reshape(mesh.axis_sizes) for blocks in (starts // (ends - starts)).T]


# ---- types of products


def einsum_type(rule: Callable[..., Any], letters: str, mesh: Any, lhs: Any, rhs: Any) -> str:
    """The type of a product, "ij,jk->ik", of operands that are divided so; or the class of the error.

    All axes have the size 8. The product is a primitive, and `rule` is how its result is divided.
    """
    types = package("layer7_sharding.types")
    product_p = package("extend.core").Primitive("product")
    product_p.def_abstract_eval(lambda x, y: x.update(shape=(8,) * len(letters.split("->")[1]), sharding=None))
    operands = [divided(mesh, spec, ndim) for spec, ndim in zip((lhs, rhs), _ranks(letters), strict=True)]
    try:
        entries = rule(letters, lhs.partitions, rhs.partitions)
        types.sharding_rules[product_p] = lambda out, x, y: entries
        return str(package().make_jaxpr(product_p.bind)(*operands).out_avals[0])
    except types.ShardingTypeError as error:
        return type(error).__name__
    finally:
        types.sharding_rules.pop(product_p, None)


def _ranks(letters: str) -> list[int]:
    return [len(operand) for operand in letters.split("->")[0].split(",")]


def divided(mesh: Any, spec: Any, ndim: int) -> Any:
    """What is known of an array of floats that is divided so."""
    sharding = package("sharding").NamedSharding(mesh, spec)
    return package().ShapeDtypeStruct((8,) * ndim, np.float32, sharding=sharding)


# ---- what devices tell each other

_QUIET = ("axis_index", "pvary")  # collectives that move nothing


def talk(fun: Callable[..., Any], *args: Any) -> dict[str, int]:
    """How many numbers each device gives to each kind of collective in `fun(*args)`. Nothing is computed for it.

    What is in a loop is counted as often as the loop runs.
    """
    told: dict[str, int] = {}
    for name, size in _sent(package().make_jaxpr(fun)(*args)):
        told[name] = told.get(name, 0) + size
    return told


def _sent(jaxpr: Any) -> Iterator[tuple[str, int]]:
    kind, inner = package("layer5_vmap.collectives").Collective, package("layer1_core.jaxpr").jaxprs_in_params
    for eqn in jaxpr.eqns:
        if isinstance(eqn.primitive, kind) and eqn.primitive.name not in _QUIET:
            yield eqn.primitive.name.removesuffix("_invariant"), math.prod(eqn.invars[0].aval.shape)
        inside = [told for program in inner(eqn.params) for told in _sent(program)]
        yield from inside * eqn.params.get("length", 1) if eqn.primitive.name == "scan" else inside


def part_shapes(fun: Callable[..., Any], *args: Any) -> list[tuple[int, ...]]:
    """The shapes of what one device gets in the shard_map of `fun(*args)`."""
    return [v.aval.shape for v in _program_of_one(fun, *args).invars]


def largest(fun: Callable[..., Any], *args: Any) -> int:
    """How many numbers the largest array has that one device makes in the shard_map of `fun(*args)`."""
    made = [v for eqn in equations(_program_of_one(fun, *args)) for v in eqn.outvars]
    return max(math.prod(v.aval.shape) for v in made)


def _program_of_one(fun: Callable[..., Any], *args: Any) -> Any:
    (eqn,) = (e for e in equations(package().make_jaxpr(fun)(*args)) if e.primitive.name == "shard_map")
    return eqn.params["jaxpr"]


# ---- functions of one device on a mesh


def on_each(f: Callable[..., Any], mesh: Any) -> Callable[..., Any]:
    """`f` on each device: its arguments are divided along their first axes, and its results are put together there."""
    spec = package("sharding").PartitionSpec(mesh.axis_names)
    return package().shard_map(f, mesh=mesh, in_specs=spec, out_specs=spec)


def data_parallel(gradient: Callable[..., Any], loss: Callable[..., Any], mesh: Any) -> Callable[..., Any]:
    """A function of parameters, which each device has, and of arrays of batches: the examples in each are divided.

    Each device calls `gradient(loss, params, batches, "x")`. All must come to the same result.
    """
    spec = package("sharding").PartitionSpec
    f = lambda params, batches: gradient(loss, params, batches, "x")
    return lambda params, *batches: package().shard_map(
        f, mesh=mesh, in_specs=(spec(), spec(None, "x")), out_specs=spec()
    )(params, batches)


# ---- numbers, and the same on one device


def some(*shapes: tuple[int, ...], scale: float = 1.0) -> list[Any]:
    """Arrays of these shapes with random numbers of about this size: float32, and the same each time."""
    draw = np.random.default_rng(0).standard_normal
    return [package("numpy").asarray(scale * draw(shape), "float32") for shape in shapes]


def near(reference: Callable[..., Any], fun: Callable[..., Any], *args: Any) -> Any:
    """What `rounded(fun, *args)` gives. A number that is close to that of `reference` counts as that.

    So the order of sums does not matter. Close is: the difference is below 0.1 percent, or below 0.001.
    """
    return package().tree.map(_snapped, numbers(fun, *args), numbers(reference, *args))


def _snapped(got: float, wanted: float) -> float:
    return round(wanted if math.isclose(got, wanted, rel_tol=1e-3, abs_tol=1e-3) else float(got), DIGITS)


def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Two layers."""
    return package("numpy").maximum(x @ w1 + b1, 0) @ w2 + b2


def attention(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    """Softmax of the scores of all queries and all keys, times the values."""
    jnp = package("numpy")
    scores = q @ k.T / math.sqrt(q.shape[1])
    if causal:
        scores = jnp.where(jnp.tri(len(q), dtype=bool), scores, -jnp.inf)
    return package("nn").softmax(scores, axis=1) @ v


def gradient_on_one(loss: Callable[..., Any], params: Any, *data: Any) -> Any:
    """The mean of the loss over all batches, and its derivative."""
    jax = package()
    whole = lambda params: jax.vmap(lambda *batch: loss(params, *batch))(*data).mean()
    return jax.value_and_grad(whole)(params)


def squares(fun: Callable[..., Any]) -> Callable[..., Any]:
    """The sum of the squares of what `fun` gives: something to differentiate."""
    return lambda *args: (fun(*args) ** 2).sum()
