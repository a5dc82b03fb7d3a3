"""Reductions over windows: along axes where each window is one element, elementwise."""

from collections.abc import Sequence

from ...layer1_core.lax import windows as w
from ..partition_families import defwhole_along
from ..partitioning import Equation


def _wide(e: Equation) -> Sequence[int]:
    """The axes where a window has more than one element, or where windows do not lie side by side."""
    p = e.params
    pairs = zip(p["window_dimensions"], p["window_strides"], p["padding"], strict=True)
    return [d for d, (n, stride, padding) in enumerate(pairs) if n != 1 or stride != 1 or any(padding)]


defwhole_along(_wide, w.reduce_window_sum_p, w.reduce_window_max_p, w.reduce_window_min_p)
