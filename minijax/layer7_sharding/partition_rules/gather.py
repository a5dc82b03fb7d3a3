"""Reads and writes at indices: axes that are read or written whole may be divided, and those of the indices."""

from ...layer1_core.lax import gather as g, scatter as s
from ..moving import Axes, Part, axes_in, spec_of
from ..partition_families import local
from ..partitioning import Equation, partition_rules


@partition_rules.rule(g.gather_p)
def _gather(e: Equation) -> list[Part]:
    """The result's axes are those of the indices, in order, and in between those of the operand that are kept."""
    numbers, x, indices = e.params["dimension_numbers"], e.parts[0].aval, e.parts[1].aval
    to, sizes = axes_in(e.wanted[0], e.outs[0].ndim), e.params["slice_sizes"]
    own: Axes = [()] * x.ndim
    at: Axes = [()] * indices.ndim
    windows = [d for d in range(x.ndim) if d not in (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)]
    queries = [d for d in range(e.outs[0].ndim) if d not in numbers.offset_dims]
    for d, o in zip(windows, numbers.offset_dims, strict=True):
        own[d] = to[o] if sizes[d] == x.shape[d] else ()
    for i, o in enumerate(queries):
        at[i] = to[o]
    for d, i in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        own[d] = at[i]
    of_windows = {o: own[d] for d, o in zip(windows, numbers.offset_dims, strict=True)}
    out = [of_windows.get(o, names) for o, names in enumerate(to)]
    parts = local(x.shape, spec_of(own))
    slices = tuple(n if d in windows and own[d] else m for d, (n, m) in enumerate(zip(parts, sizes, strict=True)))
    return e.on_parts([spec_of(own), spec_of(at)], [spec_of(out)], slice_sizes=slices)


@partition_rules.rule(s.scatter_p, s.scatter_add_p, s.scatter_sub_p, s.scatter_mul_p, s.scatter_min_p, s.scatter_max_p)
def _scatter(e: Equation) -> list[Part]:
    """Each device writes to its own part, of axes that are written whole and of batch axes."""
    numbers, x, updates = e.params["dimension_numbers"], e.parts[0].aval, e.parts[2].aval
    to = axes_in(e.wanted[0], x.ndim)
    own: Axes = [()] * x.ndim
    at: Axes = [()] * e.parts[1].aval.ndim
    new: Axes = [()] * updates.ndim
    windows = [d for d in range(x.ndim) if d not in (*numbers.inserted_window_dims, *numbers.operand_batching_dims)]
    queries = [u for u in range(updates.ndim) if u not in numbers.update_window_dims]
    for d, u in zip(windows, numbers.update_window_dims, strict=True):
        if updates.shape[u] == x.shape[d]:
            own[d] = new[u] = to[d]
    for d, i in zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True):
        own[d] = at[i] = new[queries[i]] = to[d]
    return e.on_parts([spec_of(own), spec_of(at), spec_of(new)], [spec_of(own)])
