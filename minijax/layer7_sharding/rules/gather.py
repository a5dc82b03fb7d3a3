"""Reads and writes at indices: where each device can do its own without asking another."""

from collections.abc import Iterable, Sequence
from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer1_core.lax import gather as g, scatter as s
from ..spec import Partition, Partitions
from ..types import ShardingTypeError, entries_of, sharding_rules


@sharding_rules.rule(g.gather_p)
def _gather_rule(out: ShapedArray, x: ShapedArray, indices: ShapedArray, *, dimension_numbers: Any, slice_sizes: Any,
                 **params: Any) -> Partitions:  # fmt: skip
    found = _gathered(out.ndim, x, indices, dimension_numbers, slice_sizes)
    if found is None:
        raise ShardingTypeError(
            "Use `.at[...].get(out_sharding=)` to provide output PartitionSpec for the gather indexing as out sharding "
            "could not be resolved unambiguously (or would require collectives on inputs). Got "
            f"operand={x!r}, indices={indices!r}"
        )
    return found


def _gathered(ndim: int, x: ShapedArray, indices: ShapedArray, numbers: Any, sizes: Sequence[int]) -> Partitions | None:
    """The result's entries: of batch axes those of both, of axes that are read whole those of the operand."""
    own, at = entries_of(x), list(entries_of(indices))
    if not any(own) and not any(at):
        return (None,) * ndim
    pairs = list(zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True))
    batch = set(numbers.start_indices_batching_dims)
    if not (
        all(sizes[d] == x.shape[d] or own[d] is None for d in numbers.start_index_map)
        and all(_go_together(own[d], at[i]) for d, i in pairs)
        and all(entry is None for i, entry in enumerate(at) if i not in batch)
    ):
        return None
    for d, i in pairs:
        at[i] = at[i] or own[d]
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    windows, queries = iter([entry for d, entry in enumerate(own) if d not in gone]), iter(at)
    return tuple(next(windows) if d in numbers.offset_dims else next(queries) for d in range(ndim))


def _go_together(*entries: Partition) -> bool:
    """Whether those of several axes that are divided are divided alike."""
    return len({entry for entry in entries if entry is not None}) <= 1


@sharding_rules.rule(s.scatter_p, s.scatter_add_p, s.scatter_sub_p, s.scatter_mul_p, s.scatter_min_p, s.scatter_max_p)
def _scatter_rule(out: ShapedArray, x: ShapedArray, indices: ShapedArray, updates: ShapedArray, *,
                  dimension_numbers: Any, **params: Any) -> Partitions:  # fmt: skip
    found = _scattered(x, indices, updates, dimension_numbers)
    if found is None:
        raise ShardingTypeError(
            "Use `.at[...].set/add/mul/...(out_sharding=)` to provide output PartitionSpec for the scatter update as "
            "out sharding could not be resolved unambiguously (or would require collectives on inputs). Got "
            f"operand={x!r}, indices={indices!r}, updates={updates!r}"
        )
    return found


def _scattered(x: ShapedArray, indices: ShapedArray, updates: ShapedArray, numbers: Any) -> Partitions | None:
    """The result's entries: the operand's, where the updates that a device has are of its own part."""
    own, at, new = map(entries_of, (x, indices, updates))
    if not any((*own, *at, *new)):
        return own
    windows = [d for d in range(x.ndim) if d not in (*numbers.inserted_window_dims, *numbers.operand_batching_dims)]
    pairs = list(zip(numbers.update_window_dims, windows, strict=True))
    queries = [d for d in range(updates.ndim) if d not in numbers.update_window_dims]
    indices_batch = numbers.scatter_indices_batching_dims
    batch = list(zip(numbers.operand_batching_dims, indices_batch, (queries[i] for i in indices_batch), strict=True))
    updates_batch = {u for _, _, u in batch}
    if not (
        all(_go_together(own[d], at[i], new[u]) for d, i, u in batch)
        and all(_whole_or_same(x, updates, d, u) for u, d in pairs)
        and _none(own[d] for d in numbers.inserted_window_dims)
        and _none(new[d] for d in queries if d not in updates_batch)
        and _none(entry for i, entry in enumerate(at) if i not in indices_batch)
    ):
        return None
    entries = list(own)
    for d, i, u in batch:
        entries[d] = entries[d] or at[i] or new[u]
    for u, d in pairs:
        entries[d] = entries[d] or new[u]
    return tuple(entries)


def _whole_or_same(x: ShapedArray, updates: ShapedArray, d: int, u: int) -> bool:
    """Whether an axis of the updates goes with that of the operand. (What is on no mesh goes with all.)"""
    own, new = entries_of(x)[d], entries_of(updates)[u]
    if updates.sharding.mesh.empty and updates.shape[u] == x.shape[d]:
        return True
    return (own is None and new is None) or (updates.shape[u] == x.shape[d] and own == new)


def _none(entries: Iterable[Partition]) -> bool:
    return all(entry is None for entry in entries)
