"""What sort, top_k and argmax compute. Equal elements keep their order, and the two zeros are equal.

NaN counts as the largest number, except to top_k, which goes by the sign bit as well.
"""

import numpy as np


def sort(*operands: np.ndarray, dimension: int, is_stable: bool, num_keys: int) -> list[np.ndarray]:
    """All operands rearranged alike, so that the first `num_keys` of them ascend in lexicographic order."""
    if len(operands) == 1 and operands[0].dtype.kind != "c":
        return [sorted_values(operands[0], dimension)]
    keys = [part for operand in operands[:num_keys] for part in sort_keys(operand)]
    order = np.lexsort(keys[::-1], axis=dimension)
    return [np.take_along_axis(x, order, dimension) for x in operands]


def sorted_values(x: np.ndarray, axis: int) -> np.ndarray:
    """x in ascending order. Of equal elements only zeros and NaNs can be told apart, so they get their order back.

    (NumPy's stable sort would do that too; it takes ten times as long for a million floats.)
    """
    rows = np.moveaxis(x, axis, -1)
    out = np.sort(comparable(rows), axis=-1).astype(x.dtype, copy=False)
    if x.dtype.kind not in "biu":
        out[out == 0] = rows[rows == 0]  # row by row, from left to right, on both sides
        out[out != out] = rows[rows != rows]  # some machines' sort writes another NaN
    return np.moveaxis(out, -1, axis)


def sort_keys(x: np.ndarray) -> list[np.ndarray]:
    """Arrays whose lexicographic order is the order of x: a complex number is its real, then its imaginary part."""
    return [np.real(x), np.imag(x)] if x.dtype.kind == "c" else [comparable(x)]


def comparable(x: np.ndarray) -> np.ndarray:
    """x, with bfloat16 as float32: NumPy compares bfloat16 without a place for NaN."""
    return x.astype(np.float32) if x.dtype.kind == "V" else x


def top_k(operand: np.ndarray, *, k: int, axis: int, is_stable: bool = True) -> list[np.ndarray]:
    """The k largest elements along `axis`, the largest first, and their places as int32."""
    backwards = np.argsort(np.flip(total_order(operand), axis), axis=axis, kind="stable")
    order = operand.shape[axis] - 1 - np.flip(backwards, axis)  # turned round twice: among equals the first is first
    places = order.take(range(k), axis)
    return [np.take_along_axis(operand, places, axis), places.astype(np.int32)]


def total_order(x: np.ndarray) -> np.ndarray:
    """Integers that order x as -NaN < -inf < ... < -0.0 < 0.0 < ... < inf < NaN, which is how top_k compares."""
    if x.dtype.kind in "biu":
        return x
    bits = x.view(f"i{x.dtype.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)  # negative floats descend as their bits ascend


def approx_top_k(operand: np.ndarray, *, k: int, reduction_dimension: int, is_max_k: bool, **_) -> list[np.ndarray]:
    """The k largest (or smallest) elements and their places: exact, which the approximation may be."""
    values, places = top_k(operand if is_max_k else -operand, k=k, axis=reduction_dimension)
    return [values if is_max_k else -values, places]


def argmax(operand: np.ndarray, *, axes: tuple[int, ...], index_dtype: np.dtype) -> np.ndarray:
    """The place of the first largest element along the one axis in `axes`; of the first NaN where there is one."""
    return np.asarray(np.argmax(comparable(operand), axis=axes[0])).astype(index_dtype)


def argmin(operand: np.ndarray, *, axes: tuple[int, ...], index_dtype: np.dtype) -> np.ndarray:
    """The place of the first smallest element along the one axis in `axes`; of the first NaN where there is one."""
    return np.asarray(np.argmin(comparable(operand), axis=axes[0])).astype(index_dtype)
