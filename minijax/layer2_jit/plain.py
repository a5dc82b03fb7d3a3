"""What the text of a program needs to run as plain Python, without Numba: a debugger can step through it.

Kernels compute with NumPy scalars here, whose arithmetic is that of the machine: int32 wraps around, and float32 stays
float32. An operation that has the name of a primitive, and no definition of its own, is that primitive's impl rule.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.aval import ShapeDtypeStruct
from ..layer1_core.dtypes import SHORT_NAMES, bfloat16  # noqa: F401 - as programs call it
from ..layer1_core.evaluate import apply_impl, keep_interpreted, run_equation
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.staging import make_jaxpr
from ..layer1_core.tree import tree_structure  # noqa: F401 - as programs call it

inf, nan = math.inf, math.nan
array, empty, dtype = np.array, np.empty, np.dtype
float16, float32, float64, complex64, complex128 = np.float16, np.float32, np.float64, np.complex64, np.complex128
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64

# ---- kernels


def kernel(loops: Callable[..., None]) -> Callable[..., None]:
    """A function of arrays that runs `loops` on flat views of them."""

    @functools.wraps(loops)
    def run(*arrays: np.ndarray) -> None:
        with np.errstate(all="ignore"):
            loops(*map(flat, arrays))

    return run


class Flat(np.ndarray):
    """A flat array in which no place counts from the end: one before the start is an error, as one beyond the end."""

    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(_checked(place))

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(_checked(place), value)


def _checked(place: Any) -> Any:
    if not isinstance(place, slice) and place < 0:
        raise IndexError(f"place {place} is before the start of an array")
    return place


def flat(x: np.ndarray) -> np.ndarray:
    """A view of an array as kernels see it."""
    return x.reshape(-1).view(Flat)


def in_order(x: np.ndarray) -> np.ndarray:
    """An array as kernels read it: aligned, and in row-major order."""
    flags = x.flags
    return x if flags.c_contiguous and flags.aligned else np.array(x, order="C")


# ---- operations on scalars: numbers of Python take the type of the other operand

sum, product = np.add, np.multiply
invert = np.invert


def matmul(out: Any, c: int, lhs: Any, a: int, rhs: Any, b: int, *sizes: Any) -> None:
    """The product of two matrices, written to its place: see blas.py."""
    rows, summed, columns, left, right, *wide = sizes
    x, y = lhs[a : a + rows * summed], rhs[b : b + summed * columns]
    x = x.reshape(summed, rows).T if left else x.reshape(rows, summed)
    y = y.reshape(columns, summed).T if right else y.reshape(summed, columns)
    for row, found in enumerate(np.matmul(x, y)):
        start = c + row * (wide[0] if wide else columns)
        out[start : start + columns] = found


matmul_float32 = matmul_float64 = matmul


def transpose(out: Any, there: int, wide: int, source: Any, here: int, step: int) -> None:
    """Rows of a square become its columns: `wide` and `step` are the distances of rows. See squares.py."""
    side = 32 // out.itemsize
    for k in range(side):
        row = there + k * wide
        out[row : row + side] = source[here + k : here + k + side * step : step][:side]


def select(which: Any, this: Any, other: Any) -> Any:
    return np.where(which, this, other)[()]


def conj(z: Any) -> Any:
    return np.conj(z)


def __getattr__(name: str) -> Callable[..., Any]:
    """The operation on scalars of this name: `to_int32` and its like convert, `as_int32` and its like read the same
    bits; others have the name of a primitive.
    """
    way, _, target = name.partition("_")
    if way == "to" and target in SHORT_NAMES:
        params = dict(new_dtype=np.dtype(target), weak_type=False, sharding=None)
        return functools.partial(_on_scalars, lax.converting.convert_element_type_p, params)
    if way == "transpose" and target in SHORT_NAMES:
        return transpose
    if way == "as" and target in SHORT_NAMES:
        return functools.partial(_on_scalars, lax.converting.bitcast_convert_type_p, dict(new_dtype=np.dtype(target)))
    try:
        return functools.partial(_on_scalars, primitive(name), {})
    except KeyError:
        raise AttributeError(f"no operation is called {name!r}") from None


def _on_scalars(prim: Primitive, params: dict[str, Any], *values: Any) -> Any:
    dtype = next((x.dtype for x in values if hasattr(x, "dtype")), None)
    typed = [np.asarray(x, None if hasattr(x, "dtype") else dtype) for x in values]
    return np.asarray(apply_impl(prim, typed, params))[()]


# ---- steps that are called


def primitive(name: str) -> Primitive:
    """The primitive of this name. Raises KeyError where there is none."""
    for found in impl_rules:
        if found.name == name:
            return found
    raise KeyError(name)


def call(name: str, /, **params: Any) -> Callable[..., Any]:
    """The step that computes an equation on whole arrays: the impl rule of the primitive of this name."""
    return library_call(primitive(name), params)


def library_call(prim: Primitive, params: dict[str, Any]) -> Callable[..., Any]:
    """`call`, of a primitive itself."""

    def step(*values: np.ndarray) -> Any:
        with np.errstate(all="ignore"):
            out = run_equation(prim, values, params)
        if prim.multiple_results:
            return [in_order(np.asarray(x)) for x in out]
        return in_order(np.asarray(out))

    return step


def program(*types: tuple[Any, Sequence[int]]) -> Callable[[Callable[..., Any]], Jaxpr]:
    """A decorator: the jaxpr of a function that binds primitives, at arguments of these dtypes and shapes.

    It is interpreted, so that what carries it runs without Numba.
    """

    def made(fun: Callable[..., Any]) -> Jaxpr:
        jaxpr = make_jaxpr(fun)(*(ShapeDtypeStruct(tuple(shape), dtype) for dtype, shape in types))
        keep_interpreted(jaxpr)
        return jaxpr

    return made


def bind(name: str, /, *args: Any, **params: Any) -> Any:
    """An equation of a `program`."""
    return primitive(name).bind(*args, **params)


class Opaque:
    """Stands for a parameter that cannot be written as Python; to call it is refused."""

    def __init__(self, described: str):
        self.described = described

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"{self.described} could not be written as text; jit the function to compute with it")


# ---- trying a program out


def example(dtype: Any, *shape: int) -> np.ndarray:
    """An array of this type: 1, 2, 3, 4, 5, 1, 2, ..."""
    return (np.arange(math.prod(shape)) % 5 + 1).reshape(shape).astype(dtype)


def show(main: Callable[..., list[np.ndarray]], *args: np.ndarray, **captured: np.ndarray) -> None:
    """Print the type and the values of each result of `main` on these arguments."""
    for x in main(*args, **captured):
        print(f"{x.dtype.name}[{','.join(map(str, x.shape))}]", np.array2string(x, threshold=20), sep="\n")
