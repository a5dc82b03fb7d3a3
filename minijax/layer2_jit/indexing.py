"""Lowering rules of reading and writing at places that are computed: dynamic slices, gathers and scatters.

Whatever an index is, no element outside of an array is read or written: `Writer.start` moves a start to where its
window fits. What was moved counts as it is or is left out, as the `mode` of a gather or a scatter says.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.jaxpr import JaxprEqn, Literal, Var
from ..layer1_core.lax.gather import GatherScatterMode
from .loops import ZERO, Index, Load, Op, Statement, Store, Value, flat
from .lowering import Assembled, At, Indexed, Scattered, lowering_rules
from .writing import Writer, forms, nest, places

# ---- where windows lie


def starts(writer: Writer, indices: Var | Literal, at: At, last: Sequence[int]) -> tuple[list[Index], Value | None]:
    """The components of an index, each moved to 0 .. last; and whether none had to be moved."""
    found = [writer.start(indices, (*at, ZERO + k), most) for k, most in enumerate(last)]
    inside = [stays for _, stays in found]
    both = lambda a, b: Op("and", (a, b), np.dtype("bool"))
    return [start for start, _ in found], reduce(both, inside) if inside else None


def whole_place(batch: At, window: dict[int, Index], moved: dict[int, Index], tied: dict[int, int]) -> At:
    """The place in the operand: along each axis the place in the window, plus its start; or that of a batch axis."""
    place = {d: batch[k] for d, k in tied.items()} | window
    rank = 1 + max([*place, *moved], default=-1)
    return tuple(place.get(d, ZERO) + moved.get(d, ZERO) for d in range(rank))


# ---- reading


def dynamic_slice_place(writer: Writer, eqn: JaxprEqn, at: At) -> tuple[At, None]:
    last = [n - size for n, size in zip(eqn.invars[0].aval.shape, eqn.params["slice_sizes"], strict=True)]
    moved = [writer.start(v, (), most)[0] for v, most in zip(eqn.invars[1:], last, strict=True)]
    return tuple(i + start for i, start in zip(at, moved, strict=True)), None


def gather_place(writer: Writer, eqn: JaxprEqn, at: At) -> tuple[At, Value | None]:
    offset, collapsed, index_map, operand_batch, indices_batch = eqn.params["dimension_numbers"]
    shape, sizes = eqn.invars[0].aval.shape, eqn.params["slice_sizes"]
    batch = tuple(i for k, i in enumerate(at) if k not in offset)
    kept = [d for d in range(len(shape)) if d not in (*collapsed, *operand_batch)]
    found, inside = starts(writer, eqn.invars[1], batch, [shape[d] - sizes[d] for d in index_map])
    window = {d: at[k] for d, k in zip(kept, offset, strict=True)}
    tied = dict(zip(operand_batch, indices_batch, strict=True))
    place = whole_place(batch, window, dict(zip(index_map, found, strict=True)), tied)
    return place + (ZERO,) * (len(shape) - len(place)), inside if _drops(eqn) else None


def _drops(eqn: JaxprEqn) -> bool:
    return eqn.params["mode"] is GatherScatterMode.FILL_OR_DROP


def _has_elements(eqn: JaxprEqn) -> bool:
    """Whether there is a place to which an index can be moved."""
    return all(math.prod(v.aval.shape) for v in (eqn.invars[0], eqn.outvars[0]))


def _fill(eqn: JaxprEqn) -> Any:
    return np.asarray(eqn.params["fill_value"]).astype(eqn.outvars[0].aval.dtype)[()]


lowering_rules[lax.indexing.dynamic_slice_p] = Indexed(dynamic_slice_place, accepts=_has_elements)
lowering_rules[lax.gather.gather_p] = Indexed(gather_place, _fill, _has_elements)

# ---- writing parts


def assembled(writer: Writer) -> list[Statement]:
    """What is below, in the whole result; then each operand in its part. Parts of one shape are copied in one loop."""
    (eqn,) = writer.group.eqns
    (out,), rule = eqn.outvars, writer.plan.rule_of(eqn)
    assert isinstance(rule, Assembled)
    parts = [(eqn.invars[k].aval.shape, k, target) for k, target in rule.targets(writer, eqn)]
    loops = writer.body  # the targets may have written lines
    if rule.base is not None:
        loops += _copies(writer, out.aval.shape, [(out.aval.shape, rule.base, lambda at: at)])
    for shape, same in groupby(parts, key=itemgetter(0)):
        loops += _copies(writer, shape, same)
    return loops


def _copies(
    writer: Writer, shape: Sequence[int], parts: Iterable[tuple[Any, int, Callable[[At], At]]]
) -> list[Statement]:
    """One loop that copies these operands, all of one shape, to their parts."""
    writer.begin()
    (eqn,), at = writer.group.eqns, places(shape)
    for _, k, target in parts:
        v, out = eqn.invars[k], eqn.outvars[0]
        value = writer.value(v, at if v.aval.shape else ())
        writer.body.append(Store(writer.names(out), flat(target(at), out.aval.shape), value))
    return nest(shape, range(len(shape)), writer.body)


def concatenate_targets(writer: Writer, eqn: JaxprEqn) -> list[tuple[int, Callable[[At], At]]]:
    axis, sizes = eqn.params["dimension"], [v.aval.shape[eqn.params["dimension"]] for v in eqn.invars]
    return [(k, _shifted({axis: ZERO + sum(sizes[:k])})) for k in range(len(sizes))]


def _shifted(by: dict[int, Index]) -> Callable[[At], At]:
    return lambda at: tuple(i + by.get(k, 0) for k, i in enumerate(at))


def pad_targets(writer: Writer, eqn: JaxprEqn) -> list[tuple[int, Callable[[At], At]]]:
    config = eqn.params["padding_config"]
    return [(0, lambda at: tuple(i * (between + 1) + low for i, (low, _, between) in zip(at, config, strict=True)))]


def _only_adds(eqn: JaxprEqn) -> bool:
    """Whether a padding takes nothing away."""
    return all(low >= 0 and high >= 0 for low, high, _ in eqn.params["padding_config"])


def update_slice_targets(writer: Writer, eqn: JaxprEqn) -> list[tuple[int, Callable[[At], At]]]:
    operand, window, *at = eqn.invars
    last = [n - size for n, size in zip(operand.aval.shape, window.aval.shape, strict=True)]
    moved = [writer.start(v, (), most)[0] for v, most in zip(at, last, strict=True)]
    return [(1, _shifted(dict(enumerate(moved))))]


forms["assemble"] = (assembled,)
lowering_rules[lax.joining.concatenate_p] = Assembled(None, concatenate_targets, lambda eqn: len(eqn.invars) <= 16)
lowering_rules[lax.shaping.pad_p] = Assembled(1, pad_targets, _only_adds)
lowering_rules[lax.indexing.dynamic_update_slice_p] = Assembled(0, update_slice_targets, _has_elements)

# ---- writing one after the other


def scattered(writer: Writer) -> list[Statement]:
    """A copy of the operand; then the updates, one after the other, in the order of the indices."""
    (eqn,) = writer.group.eqns
    operand, _, updates = eqn.invars
    at = places(operand.aval.shape)
    writer.body.append(Store(writer.names(eqn.outvars[0]), flat(at, operand.aval.shape), writer.value(operand, at)))
    copy = nest(operand.aval.shape, range(len(at)), writer.body)
    writer.begin()
    update(writer, eqn, places(updates.aval.shape))
    window = eqn.params["dimension_numbers"].update_window_dims
    batch = [k for k in range(len(updates.aval.shape)) if k not in window]
    return [*copy, *nest(updates.aval.shape, [*batch, *window], writer.body)]


def update(writer: Writer, eqn: JaxprEqn, at: At) -> None:
    """Write one update: at `at` in the updates, and where its index says in the result."""
    operand, indices, updates = eqn.invars
    window_dims, inserted, index_map, operand_batch, indices_batch = eqn.params["dimension_numbers"]
    shape, out = operand.aval.shape, eqn.outvars[0]
    batch = tuple(i for k, i in enumerate(at) if k not in window_dims)
    kept = [d for d in range(len(shape)) if d not in (*inserted, *operand_batch)]
    sizes = {d: updates.aval.shape[k] for d, k in zip(kept, window_dims, strict=True)}
    found, inside = starts(writer, indices, batch, [shape[d] - sizes.get(d, 1) for d in index_map])
    window = {d: at[k] for d, k in zip(kept, window_dims, strict=True)}
    tied = dict(zip(operand_batch, indices_batch, strict=True))
    place = whole_place(batch, window, dict(zip(index_map, found, strict=True)), tied)
    target = flat(place + (ZERO,) * (len(shape) - len(place)), shape)
    old, new = Load(writer.names(out), target, out.aval.dtype), writer.value(updates, at)
    rule = writer.plan.rule_of(eqn)
    assert isinstance(rule, Scattered)
    value = new if rule.operation == "put" else Op(rule.operation, (old, new), out.aval.dtype)
    if inside is not None and eqn.params["mode"] is not GatherScatterMode.CLIP:
        value = Op("select", (inside, value, old), out.aval.dtype)
    writer.body.append(Store(writer.names(out), target, value))


def _writes_plainly(eqn: JaxprEqn) -> bool:
    return _has_elements(eqn) and (eqn.primitive is not lax.scatter.scatter_p or eqn.params["update_jaxpr"] is None)


forms["scatter"] = (scattered,)
for name, operation in {
    "scatter": "put", "scatter_add": "add", "scatter_sub": "sub", "scatter_mul": "mul", "scatter_min": "min",
    "scatter_max": "max",
}.items():  # fmt: skip
    lowering_rules[getattr(lax.scatter, f"{name}_p")] = Scattered(operation, _writes_plainly)
