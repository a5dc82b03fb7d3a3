"""`jax.numpy`: NumPy's functions on immutable arrays, traceable.

An index: one heading for each family.
"""

# isort: off

import numpy as _np

from ..layer1_core.basearray import Array as ndarray

# ---- chapter 1: constants and types
from numpy import (
    character, complexfloating, dtype, flexible, floating, generic, inexact, integer, number, object_, signedinteger,
    unsignedinteger,
)  # fmt: skip
from ..layer1_core.jnp.scalar_types import (
    bfloat16, bool_, cdouble, complex128, complex64, complex_, csingle, double, float16, float32, float64, float_,
    int16, int32, int64, int8, int_, single, uint, uint16, uint32, uint64, uint8,
)  # fmt: skip
from ..layer1_core.jnp.scalar_types import bool_ as bool
from ..layer1_core.dtypes import finfo, iinfo, issubdtype, promote_types
from math import e, inf, nan, pi

newaxis = None
euler_gamma = _np.euler_gamma
from numpy import get_printoptions, printoptions, set_printoptions, save, savez

# ---- chapter 1: questions and text
from numpy import can_cast
from ..layer1_core.jnp.asking import (
    array_repr, array_str, isdtype, isscalar, iterable, load, ndim, result_type, shape, size,
)  # fmt: skip

# ---- chapter 1: bits
from ..layer1_core.jnp.bits import packbits, unpackbits

# ---- chapter 1: making arrays
from ..layer1_core.jnp.array_creation import (
    arange, array, asarray, astype, copy, empty, empty_like, eye, from_dlpack, frombuffer, full, full_like, identity,
    ones, ones_like, zeros, zeros_like,
)  # fmt: skip

# ---- chapter 1: products
from ..layer1_core.jnp.products import dot, inner, matmul, matvec, outer, tensordot, vdot, vecdot, vecmat
from ..layer1_core.jnp.vector_products import cross, kron
from ..layer1_core.jnp.einsum import einsum
from ..layer1_core.jnp.einsum_path import einsum_path
from ..layer1_core.jnp.convolution import convolve, correlate

# ---- chapter 1: differences and interpolation
from ..layer1_core.jnp.interpolation import diff, ediff1d, gradient, interp, trapezoid, unwrap

# ---- chapter 1: polynomials
from ..layer1_core.jnp.polynomial import (
    poly, polyadd, polyder, polydiv, polyfit, polyint, polymul, polysub, polyval, roots,
)  # fmt: skip

# ---- chapter 1: linear algebra and Fourier transforms
from . import fft, linalg

# ---- chapter 1: shaping
from ..layer1_core.jnp.shaping import (
    atleast_1d, atleast_2d, atleast_3d, broadcast_arrays, broadcast_shapes, broadcast_to, expand_dims, matrix_transpose,
    moveaxis, permute_dims, ravel, reshape, resize, rollaxis, squeeze, swapaxes, transpose,
)  # fmt: skip
from ..layer1_core.jnp.joining import (
    append, array_split, block, column_stack, concat, concatenate, dsplit, dstack, hsplit, hstack, split, stack,
    unstack, vsplit, vstack,
)  # fmt: skip
from ..layer1_core.jnp.rearranging import flip, fliplr, flipud, repeat, roll, rot90, tile
from ..layer1_core.jnp.padding import pad
from ..layer1_core.jnp.applying import apply_along_axis, apply_over_axes

# ---- chapter 1: indexing
from ..layer1_core.jnp.choosing import choose, clip, flatnonzero, nonzero, piecewise, select, where
from ..layer1_core.jnp.locating import argwhere, ravel_multi_index, unravel_index
from ..layer1_core.jnp.taking import compress, extract, place, put, put_along_axis, take, take_along_axis
from ..layer1_core.jnp.editing import delete, fill_diagonal, insert, trim_zeros

# ---- chapter 1: sorting and sets
from ..layer1_core.jnp.sorting import (
    argpartition, argsort, lexsort, partition, searchsorted, sort, sort_complex,
)  # fmt: skip
from ..layer1_core.jnp.uniques import unique, unique_all, unique_counts, unique_inverse, unique_values
from ..layer1_core.jnp.sets import intersect1d, isin, setdiff1d, setxor1d, union1d

# ---- chapter 1: elementwise functions
from ..layer1_core.jnp.ufuncs import (
    abs, absolute, acos, acosh, add, allclose, angle, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh,
    around, array_equal, array_equiv, asin, asinh, atan, atan2, atanh, bitwise_and, bitwise_count, bitwise_invert,
    bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift, bitwise_xor, cbrt, ceil, conj, conjugate,
    copysign, cos, cosh, deg2rad, degrees, divide, divmod, equal, exp, exp2, expm1, fabs, float_power, floor,
    floor_divide, fmax, fmin, fmod, frexp, gcd, greater, greater_equal, heaviside, hypot, i0, imag, invert, isclose,
    iscomplex, iscomplexobj, isfinite, isinf, isnan, isneginf, isposinf, isreal, isrealobj, lcm, ldexp, left_shift,
    less, less_equal, log, log10, log1p, log2, logaddexp, logaddexp2, logical_and, logical_not, logical_or,
    logical_xor, maximum, minimum, mod, modf, multiply, nan_to_num, negative, nextafter, not_equal, positive, pow,
    power, rad2deg, radians, real, reciprocal, remainder, right_shift, rint, round, sign, signbit, sin, sinc, sinh,
    spacing, sqrt, square, subtract, tan, tanh, true_divide, trunc, ufunc,
)  # fmt: skip

# ---- chapter 1: reductions
from ..layer1_core.jnp.reductions import (
    all, amax, amin, any, average, count_nonzero, max, mean, min, prod, ptp, std, sum, var,
)  # fmt: skip
from ..layer1_core.jnp.nan_reductions import nanmax, nanmean, nanmin, nanprod, nanstd, nansum, nanvar
from ..layer1_core.jnp.cumulative import cumprod, cumsum, cumulative_prod, cumulative_sum, nancumprod, nancumsum
from ..layer1_core.jnp.extremes import argmax, argmin, nanargmax, nanargmin

# ---- chapter 1: statistics
from ..layer1_core.jnp.quantiles import median, nanmedian, nanpercentile, nanquantile, percentile, quantile
from ..layer1_core.jnp.statistics import corrcoef, cov
from ..layer1_core.jnp.histograms import bincount, digitize, histogram, histogram2d, histogram_bin_edges, histogramdd

# ---- chapter 1: sequences, grids, matrices
from ..layer1_core.jnp.sequences import bartlett, blackman, geomspace, hamming, hanning, kaiser, linspace, logspace
from ..layer1_core.jnp.grids import c_, index_exp, indices, ix_, meshgrid, mgrid, ogrid, r_, s_
from ..layer1_core.jnp.creation import (
    diag, diag_indices, diag_indices_from, diagflat, diagonal, fromfile, fromfunction, fromiter, fromstring,
    mask_indices, trace, tri, tril, tril_indices, tril_indices_from, triu, triu_indices, triu_indices_from, vander,
)  # fmt: skip

# ---- what later chapters bring, and what is left out
from ..layer1_core.later import later as _later

_NARROW = "numbers of 4 and 8 bits are left out; bfloat16 and int8 are the narrowest there are"
__getattr__ = _later(
    "minijax.numpy",
    {5: ["frompyfunc", "vectorize"]},
    dict.fromkeys(
        [
            "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz",
            "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "int1", "int2",
            "int4", "uint1", "uint2", "uint4",
        ],
        _NARROW,
    ),
)  # fmt: skip

# ---- chapter 5: functions of elements, applied to arrays
from ..layer5_vmap.vectorize import apply_along_axis, frompyfunc, vectorize  # noqa: F811 (by vmap, from here on)
