"""`shard_map` under differentiation and batching: the program of one device is transformed where it was staged.

What its derivative needs of it, the residuals, becomes further results: each along the axes along which it varies.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.lax.elementwise import div
from ..layer1_core.lax.shaping import expand_dims, squeeze
from ..layer1_core.staging import eval_jaxpr
from ..layer2_jit.lowering import CALLED
from ..layer2_jit.rules import lowering_rules
from ..layer4_grad.jvp import jvp_rules
from ..layer4_grad.linearize import linearize_rules
from ..layer4_grad.programs import (
    LinearizedJaxpr,
    filled,
    jvp_jaxpr,
    linearize_jaxpr,
    nonzeros,
    only,
    only_not,
    rearranged,
    staged,
    transpose_jaxpr,
)
from ..layer4_grad.rules.parts import const
from ..layer4_grad.transpose import is_undefined_primal, transpose_rules
from ..layer5_vmap.axes import AxisData, divided_as
from ..layer5_vmap.batching import Dims, axis_batching_rules
from ..layer5_vmap.collectives import psum
from ..layer5_vmap.programs import batch_jaxpr
from .fitting import Specs, chosen, names_in, not_chosen
from .mesh import BaseMesh
from .parts import tiling
from .shard_map import aval_of_part, inside_of, shard_map_p
from .spec import AxisName, Names, P, PartitionSpec, axes_of, partition_of
from .varying import psum_invariant_p

Params = dict[str, Any]
lowering_rules[shard_map_p] = CALLED


@jvp_rules.rule(shard_map_p)
def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: Jaxpr, **params: Any) -> Any:
    """One equation of values and tangents: a tangent is divided as its value."""
    nonzero = nonzeros(tangents)
    with inside_of(params):
        both, nonzero_out = jvp_jaxpr(jaxpr, nonzero)
    specs = dict(
        in_specs=params["in_specs"] + chosen(nonzero, params["in_specs"]),
        out_specs=params["out_specs"] + chosen(nonzero_out, params["out_specs"]),
    )
    out = shard_map_p.bind(*primals, *only(nonzero, tangents), jaxpr=both, **(params | specs))
    n = len(jaxpr.outvars)
    return out[:n], filled(nonzero_out, out[n:], [typeof(x) for x in out[:n]])


# ---- linearization


def _linearize(nonzero: Sequence[bool], *primals: Any, jaxpr: Jaxpr, **params: Any) -> Any:
    """Two equations: one of the values, and one of the tangents, which takes residuals of the first."""
    with inside_of(params):
        parts = _results_forwarded(linearize_jaxpr(jaxpr, tuple(nonzero), None, None, True), jaxpr)
        halves = in_halves(parts.primal, parts.tangent, len(jaxpr.outvars), parts.forwarded, params)
    n, given = len(halves.specs), params["in_specs"]
    out_specs = (*halves.specs, *params["out_specs"])
    out = shard_map_p.bind(*primals, jaxpr=halves.first, **(params | dict(out_specs=out_specs)))
    values = out[n:]
    residuals = parts.residuals([*jaxpr.consts, *primals, *values], out[:n])
    places = halves.places((*given, *params["out_specs"]), parts.forwarded, len(jaxpr.consts))

    def push(*tangents: Any) -> list[Any]:
        both = dict(in_specs=(*places, *chosen(nonzero, given)), out_specs=chosen(parts.nonzero, params["out_specs"]))
        found = shard_map_p.bind(*residuals, *only(nonzero, tangents), jaxpr=halves.second, **(params | both))
        return filled(parts.nonzero, found, [typeof(x) for x in values])

    return values, push


linearize_rules[shard_map_p] = _linearize


def _results_forwarded(parts: LinearizedJaxpr, jaxpr: Jaxpr) -> LinearizedJaxpr:
    """The linearization where a residual that is a result too is that one: it counts after the constants and inputs."""
    n_given, n_out, outvars = len(jaxpr.consts) + len(jaxpr.invars), len(jaxpr.outvars), parts.primal.outvars
    place = {id(v): n_given + i for i, v in enumerate(outvars[:n_out])}
    new = iter(outvars[n_out:])
    forwarded = [place.get(id(next(new))) if i is None else i for i in parts.forwarded]
    kept = [*range(n_out), *(n_out + k for k, v in enumerate(outvars[n_out:]) if id(v) not in place)]
    primal = rearranged(parts.primal, tuple(range(len(parts.primal.invars))), tuple(kept))
    return replace(parts, primal=primal, forwarded=forwarded)


class Halves(NamedTuple):
    """Two programs of a device. Of what the second needs of the first, its residuals, the new ones are the first
    results of the first program; `specs` say how these are put together.
    """

    first: Jaxpr
    second: Jaxpr
    specs: Specs

    def places(self, given: Specs, forwarded: Sequence[int | None], n_consts: int) -> Specs:
        """How all residuals are put together: those that are forwarded as operands, which are `given` so."""
        known, new = (*(P(),) * n_consts, *given), iter(self.specs)
        return tuple(next(new) if i is None else known[i] for i in forwarded)


def in_halves(first: Jaxpr, second: Jaxpr, n_out: int, forwarded: Sequence[int | None], params: Params) -> Halves:
    """The programs for two equations, of a first whose new residuals are its last results, and of a second whose first
    inputs are residuals. Scalars get an axis on the way, along which they are put together.
    """
    new = iter([v.aval for v in first.outvars[n_out:]])
    scalars = [place is None and not next(new).ndim for place in forwarded]
    specs = tuple(_spec_of_residual(v.aval, params) for v in first.outvars[n_out:])
    return Halves(_residuals_first(first, n_out), _with_scalars(second, scalars), specs)


def _spec_of_residual(aval: ShapedArray, params: Params) -> PartitionSpec:
    """A residual is put together along its first axis, of what each device has; or it is the same for all."""
    names = aval.vma if params["check_vma"] else params["newly_manual_axes"]
    entry = partition_of(params["mesh"].in_order(names))
    return P() if entry is None else P(entry)


def _residuals_first(jaxpr: Jaxpr, n_out: int) -> Jaxpr:
    """The program with its residuals, which are its last results, in front; scalars get an axis."""

    def run(*args: Any) -> list[Any]:
        out = eval_jaxpr(jaxpr, jaxpr.consts, *args)
        return [*(x if typeof(x).ndim else expand_dims(x, (0,)) for x in out[n_out:]), *out[:n_out]]

    return staged(run, jaxpr.in_avals, jaxpr)


def _with_scalars(jaxpr: Jaxpr, scalars: Sequence[bool]) -> Jaxpr:
    """The program of the tangents, whose first inputs are residuals: the marked ones come with an axis."""

    def run(*args: Any) -> list[Any]:
        given = [squeeze(x, (0,)) if mark else x for mark, x in zip(scalars, args, strict=False)]
        return eval_jaxpr(jaxpr, jaxpr.consts, *given, *args[len(scalars) :])

    marks = [*scalars, *[False] * (len(jaxpr.invars) - len(scalars))]
    avals = [a.update(shape=(1,), sharding=_of_rank(a, 1)) if mark else a
             for a, mark in zip(jaxpr.in_avals, marks, strict=True)]  # fmt: skip
    return staged(run, avals, jaxpr)


def _of_rank(aval: ShapedArray, ndim: int) -> Any:
    return None if aval.is_undivided else aval.sharding.update(spec=P(*(None,) * ndim))


# ---- transposition


@transpose_rules.rule(shard_map_p)
def _transpose(cts: Sequence[Any], *operands: Any, jaxpr: Jaxpr, **params: Any) -> list[Any]:
    """The transposed program, on each device. It takes the cotangents that are not zero, and the other operands.

    Without types that say what varies, the cotangent of a result which all devices have is divided among them, and that
    of an operand which all have is summed.
    """
    mesh, names, checked = params["mesh"], params["newly_manual_axes"], params["check_vma"]
    linear, nonzero = tuple(map(is_undefined_primal, operands)), nonzeros(cts)
    out_specs = chosen(nonzero, params["out_specs"])
    cts = [_shared(ct, spec, mesh, names, checked) for ct, spec in zip(only(nonzero, cts), out_specs, strict=True)]
    others, other_specs = only_not(linear, operands), not_chosen(linear, params["in_specs"])
    with inside_of(params) as inner:
        args = [*zip(others, other_specs, strict=True), *zip(cts, out_specs, strict=True)]
        avals = tuple(aval_of_part(typeof(x), spec, inner, checked) for x, spec in args)
        transposed, marks = transpose_jaxpr(jaxpr, linear, nonzero, avals)
        wanted = [v.aval for v in only(marks, only(linear, jaxpr.invars))]
        in_specs = chosen(marks, chosen(linear, params["in_specs"]))
        program = _summed(transposed, len(others), wanted, in_specs, names, checked)
    specs = dict(in_specs=(*out_specs, *other_specs), out_specs=in_specs)
    found = iter(shard_map_p.bind(*cts, *others, jaxpr=program, **(params | specs)))
    filled_in = iter([next(found) if mark else None for mark in marks])
    return [next(filled_in) if mark else None for mark in linear]


def _shared(ct: Any, spec: PartitionSpec, mesh: BaseMesh, names: Names, checked: bool) -> Any:
    """The cotangent of a result, divided among the devices that have it alike; types that say so need that not."""
    count = math.prod(mesh.shape[name] for name in names - names_in(spec))
    return ct if checked or count == 1 else div(ct, const(ct, count))


def _summed(jaxpr: Jaxpr, n: int, wanted: Sequence[ShapedArray], specs: Specs, names: Names, checked: bool) -> Jaxpr:
    """The transposed program with its first `n` inputs last; its results vary as the operands do."""

    def run(*args: Any) -> list[Any]:
        cts, others = args[: len(args) - n], args[len(args) - n :]
        out = eval_jaxpr(jaxpr, jaxpr.consts, *others, *cts)
        if checked:
            return [_invariant(x, typeof(x).vma - aval.vma) for x, aval in zip(out, wanted, strict=True)]
        over = [tuple(sorted(names - names_in(spec), key=str)) for spec in specs]
        return [psum(x, axes) if axes else x for x, axes in zip(out, over, strict=True)]

    return staged(run, [*jaxpr.in_avals[n:], *jaxpr.in_avals[:n]], jaxpr)


def _invariant(x: Any, names: Names) -> Any:
    """The sum over devices along these axes, which all of them have."""
    return psum_invariant_p.bind(x, axes=tuple(sorted(names, key=str))) if names else x


# ---- batching


def _batch(axis: AxisData, args: Sequence[Any], dims: Dims, *, jaxpr: Jaxpr, **params: Any) -> tuple[list[Any], Dims]:
    """The batch axis is divided as `spmd_axis_name` or the types say; else it is whole on each device."""
    names = _names_of_batch(axis, params)
    in_specs = tuple(_with_axis(spec, d, names) for spec, d in zip(params["in_specs"], dims, strict=True))
    with inside_of(params), divided_as(None if names else axis.place):
        mine = axis if not names else AxisData(axis.name, axis.size // tiling(params["mesh"], P(names), 1)[0])
        avals = [a if d is None else _varying(a, names, params) for a, d in zip(jaxpr.in_avals, dims, strict=True)]
        made, out_dims = batch_jaxpr(jaxpr, mine, tuple(dims), tuple(avals))
    out_specs = tuple(_with_axis(spec, d, names) for spec, d in zip(params["out_specs"], out_dims, strict=True))
    specs = dict(in_specs=in_specs, out_specs=out_specs)
    return shard_map_p.bind(*args, jaxpr=made, **(params | specs)), out_dims


def _names_of_batch(axis: AxisData, params: Params) -> tuple[AxisName, ...]:
    """The Manual axes that divide the batch axis. Raises ValueError for one that divides something else already."""
    said = axis.spmd_name or (() if axis.place is None else axes_of(axis.place.spec.partitions[0]))
    names = tuple(name for name in said if name in params["newly_manual_axes"])
    if any(names_in(spec) & {*names} for spec in (*params["in_specs"], *params["out_specs"])):
        raise ValueError("vmap spmd_axis_name cannot appear in shard_map in_specs")
    return names


def _varying(aval: ShapedArray, names: tuple[AxisName, ...], params: Params) -> ShapedArray:
    return aval.update(vma=aval.vma | {*names}) if names and params["check_vma"] else aval


def _with_axis(spec: PartitionSpec, dim: int | None, names: tuple[AxisName, ...]) -> PartitionSpec:
    """The spec with the batch axis in it, at `dim`; None stands for what has none."""
    if dim is None:
        return spec
    entries = (*spec.partitions, *(None,) * (dim - len(spec)))
    return P(*entries[:dim], partition_of(names), *entries[dim:])


axis_batching_rules[shard_map_p] = _batch
