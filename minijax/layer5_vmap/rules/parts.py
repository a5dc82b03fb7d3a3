"""What rules are made of: numbers of axes, after a batch axis came in."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def after_front(axes: Sequence[int]) -> tuple[int, ...]:
    """The numbers of these axes after one was put in front. They are NumPy's, as JAX prints them."""
    return tuple(np.add(axes, 1)) if len(axes) else ()


def inserted(values: Sequence[Any], dim: int, value: Any) -> tuple[Any, ...]:
    """What is said of each axis, with `value` for a new axis at `dim`.

    >>> inserted((5, 6), 1, 0)
    (5, 0, 6)
    """
    return (*values[:dim], value, *values[dim:])
