"""`jax.typing`: for annotations."""

import numpy as np

from .layer1_core.basearray import Array

ArrayLike = Array | np.ndarray | np.bool_ | np.number | bool | int | float | complex
DTypeLike = object
