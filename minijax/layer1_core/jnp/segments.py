"""jax.ops: sums and their kin over the segments of an array. A second array says of each row which segment it is in."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..lax.gather import GatherScatterMode
from ..lax.reducing import extreme
from ..lax.scatter import scatter_add, scatter_max, scatter_min, scatter_mul
from . import reductions
from .arguments import concrete, to_array
from .array_creation import arange, full
from .at import scatter_update
from .promotion import check_arraylike


def _segmented(name: str, doc: str, scatter: Callable[..., Any], reduce: Callable[..., Any], start: Any) -> Any:
    """The function of jax.ops with this name. `start` gives, for a dtype, what an empty segment is."""

    def over_segments(
        data: Any,
        segment_ids: Any,
        num_segments: int | None = None,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        bucket_size: int | None = None,
        mode: Any = None,
    ) -> Any:
        check_arraylike(name, data, segment_ids)
        data, ids = to_array(data), to_array(segment_ids)
        found = reductions.max(ids) + 1 if num_segments is None else num_segments
        count = operator.index(concrete(found, "segment_sum() `num_segments` argument."))
        if count < 0:
            raise ValueError("num_segments must be non-negative.")
        shape, place = (count, *data.shape[1:]), ids
        if bucket_size is not None:
            buckets = -(-ids.size // bucket_size)
            shape, place = (buckets, *shape), (arange(ids.shape[0]) // bucket_size, ids[None, :])
        promises = {"indices_are_sorted": indices_are_sorted, "unique_indices": unique_indices}
        out = full(shape, start(data.dtype), dtype=data.dtype)
        mode = GatherScatterMode.FILL_OR_DROP if mode is None else mode
        out = scatter_update(out, place, data, scatter, mode=mode, wrap=False, **promises)
        return out if bucket_size is None else reduce(out, axis=0).astype(data.dtype)

    over_segments.__name__ = over_segments.__qualname__ = name
    over_segments.__doc__ = f"""{doc} of each segment of `data` along its first axis.

    `segment_ids` says for each row which segment it is in; a row whose number is none of range(num_segments) is left
    out. Under jit `num_segments` has to be given. With a `bucket_size`, so many rows at a time are put together first.
    """
    return over_segments


segment_sum = _segmented("segment_sum", "The sum", scatter_add, reductions.sum, lambda dtype: 0)
segment_prod = _segmented("segment_prod", "The product", scatter_mul, reductions.prod, lambda dtype: 1)
segment_max = _segmented(
    "segment_max", "The largest element", scatter_max, reductions.max, lambda dtype: extreme(np.dtype(dtype), False)
)
segment_min = _segmented(
    "segment_min", "The smallest element", scatter_min, reductions.min, lambda dtype: extreme(np.dtype(dtype), True)
)
