"""Grids: coordinates of the points of a lattice, full (each repeated) or open (one axis each), and r_, c_."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import config, dtypes
from ..aval import typeof
from ..lax.shaping import broadcast_in_dim, full, iota
from .arguments import array_arguments, concrete, concrete_index
from .array_creation import arange, array
from .joining import concatenate, stack
from .promotion import promote_dtypes
from .sequences import linspace
from .shaping import expand_dims, transpose


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> list[Any]:
    """Coordinate arrays of the grid with these coordinates along its axes; `sparse` ones have one long axis each.

    With indexing "xy" the first two axes are swapped: rows are y. Raises ValueError for arrays of another rank than 1.
    """
    args = array_arguments("meshgrid", *xi)
    if not copy:
        raise ValueError("jax.numpy.meshgrid only supports copy=True")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Valid values for indexing are 'xy' and 'ij', got {indexing}")
    if any(a.ndim != 1 for a in args):
        raise ValueError(f"Arguments to jax.numpy.meshgrid must be 1D, got shapes {[a.shape for a in args]}")
    swap = indexing == "xy" and len(args) > 1
    args = _swapped(args) if swap else args
    sizes = [a.shape[0] for a in args]
    out = [broadcast_in_dim(a, _alone(sizes, i) if sparse else sizes, (i,)) for i, a in enumerate(args)]
    return _swapped(out) if swap else out


def _swapped(items: Sequence[Any]) -> list[Any]:
    first, second, *rest = items
    return [second, first, *rest]


def _alone(sizes: Sequence[int], axis: int) -> tuple[int, ...]:
    """`sizes` with 1 for all axes but one."""
    return tuple(n if d == axis else 1 for d, n in enumerate(sizes))


def indices(dimensions: Sequence[int], dtype: Any = None, sparse: bool = False) -> Any:
    """The indices of an array of this shape, one array for each axis, stacked; a tuple of open ones for `sparse`."""
    dtype = dtypes.check_user_dtype_supported(int if dtype is None else dtype, "indices")
    sizes = tuple(concrete_index(n, "dimensions argument of jnp.indices") for n in dimensions)
    out = [broadcast_in_dim(iota(dtype, n), _alone(sizes, i) if sparse else sizes, (i,)) for i, n in enumerate(sizes)]
    if sparse:
        return tuple(out)
    return stack(out, 0) if out else array([], dtype=dtype)


def ix_(*args: Any) -> tuple[Any, ...]:
    """Open coordinates: `x[ix_(rows, columns)]` picks these rows and these columns of x."""
    arrays = array_arguments("ix", *args)
    for a in arrays:
        if a.ndim != 1:
            raise ValueError(f"Arguments to jax.numpy.ix_ must be 1-dimensional, got shape {a.shape}")
        if a.dtype == np.bool_:
            raise NotImplementedError("Boolean arguments to jax.numpy.ix_ are not implemented")
    sizes = [a.shape[0] for a in arrays]
    index = dtypes.canonicalize_dtype(np.intp)
    return tuple(
        broadcast_in_dim(a, _alone(sizes, i), (i,)) if a.size else full(_alone(sizes, i), 0, index)
        for i, a in enumerate(arrays)
    )


# ---- coordinates written as slices: mgrid[0:3, 0:1:5j]


def _points(s: slice, name: str) -> Any:
    """start, start + step, ...; an imaginary step is a number of points, the last one being stop."""
    start = concrete(s.start, f"slice start of jnp.{name}") or 0
    stop = concrete(s.stop, f"slice stop of jnp.{name}")
    step = concrete(s.step, f"slice step of jnp.{name}") or 1
    return linspace(start, stop, int(abs(step))) if np.iscomplex(step) else arange(start, stop, step)


def _axes(key: tuple[slice, ...], name: str) -> list[Any]:
    with config.numpy_dtype_promotion("standard"):
        return promote_dtypes(*[_points(s, name) for s in key]) if key else []


class _Mgrid:
    """`mgrid[a:b, c:d]`: the full coordinates of a grid, stacked."""

    def __getitem__(self, key: slice | tuple[slice, ...]) -> Any:
        if isinstance(key, slice):
            return _points(key, "mgrid")
        grid = meshgrid(*_axes(key, "mgrid"), indexing="ij")
        return stack(grid, 0) if grid else arange(0)


class _Ogrid:
    """`ogrid[a:b, c:d]`: the open coordinates of a grid."""

    def __getitem__(self, key: slice | tuple[slice, ...]) -> Any:
        if isinstance(key, slice):
            return _points(key, "ogrid")
        return meshgrid(*_axes(key, "ogrid"), indexing="ij", sparse=True)


mgrid, ogrid = _Mgrid(), _Ogrid()

# ---- concatenation written as an index: r_[x, 0, 1:5]


class _Concatenator:
    """`r_[...]` joins arrays, numbers and slices along `axis`. A leading string changes how.

    "axis,ndmin,where" gives the axis to join along, the least number of axes of each part, and where the axes of a part
    with fewer are put; "r" and "c" make the result a row or a column.
    """

    def __init__(self, name: str, axis: int, ndmin: int, where: int):
        self.name, self.settings = name, (axis, ndmin, where)

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        settings, new_axis = self.settings, -1
        if isinstance(parts[0], str):
            settings, new_axis = self._directive(parts[0])
            parts = parts[1:]
        axis, ndmin, where = settings
        out = concatenate([self._part(x, ndmin, where) for x in parts], axis=axis)
        return expand_dims(out, new_axis) if new_axis != -1 and out.ndim == 1 else out

    def _directive(self, text: str) -> tuple[tuple[int, ...], int]:
        if text in ("r", "c"):
            return self.settings, "rc".index(text)
        words = text.split(",")[:3]
        try:
            return (*map(int, words), *self.settings[len(words) :]), -1
        except ValueError as error:
            raise ValueError(f"could not understand directive {text!r}") from error

    def _part(self, x: Any, ndmin: int, where: int) -> Any:
        if isinstance(x, str):
            raise ValueError("string directive must be placed at the beginning")
        out = _points(x, self.name) if isinstance(x, slice) else array(x, copy=False)
        own = 0 if isinstance(x, slice) else typeof(out).ndim
        out = array(out, copy=False, ndmin=ndmin)
        if where == -1 or ndmin <= own:
            return out
        shift = ndmin - abs(ndmin + where + 1) % ndmin
        axes = list(range(ndmin))
        return transpose(out, axes[shift:] + axes[:shift])

    def __len__(self) -> int:
        return 0


r_ = _Concatenator("r_", 0, 1, -1)
c_ = _Concatenator("c_", -1, 2, 0)
s_, index_exp = np.s_, np.index_exp
