"""Selecting one of two values, element by element: below all arithmetic, which needs it (`where` is in choosing.py)."""

from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax import elementwise as lax
from .arguments import array_arguments, to_array
from .promotion import promote_dtypes
from .shaping import broadcast_arrays


@jit
def _where(condition: Any, x: Any, y: Any) -> Any:
    """`x` where `condition` is true, else `y`, all broadcast and promoted."""
    condition, x, y = array_arguments("where", condition, x, y)
    if not dtypes.issubdtype(typeof(condition).dtype, np.bool_):
        condition = lax.ne(condition, np.zeros((), typeof(condition).dtype))
    x, y = promote_dtypes(x, y)
    if typeof(condition).ndim == 0:
        x, y = broadcast_arrays(x, y)
    else:
        condition, x, y = broadcast_arrays(condition, x, y)
    return lax.select(condition, x, y) if typeof(x).size else to_array(x)
