"""Products: sums of products over shared axes. Each is one dot_general, with its axes named and put in order."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import config, dtypes
from ..array import ArrayImpl
from ..aval import ShapedArray
from ..jit import jit
from ..lax import dot as lax
from ..lax.converting import convert
from ..lax.dot import dot_general_p
from ..lax.elementwise import conj
from ..lax.shaping import canonicalize_axis, expand_dims, squeeze, transpose
from ..placement import named, with_names
from ..staging import DynamicJaxprTracer
from ..trace import Tracer
from .arguments import array_arguments, with_dtype
from .core_dims import Names, core_dimensions, without_unit_batch
from .promotion import check_argument, promote_dtypes
from .shaping import moveaxis, ravel
from .ufuncs import multiply

_ARRAYS = frozenset({DynamicJaxprTracer, ArrayImpl})
Axes = tuple[int, ...]

# ---- what the products have in common


def operands(fun: Callable[..., Any], a: Any, b: Any) -> tuple[Any, Any]:
    """The two arguments, checked as those of a jitted function named `fun` with parameters a and b."""
    if type(a) in _ARRAYS and type(b) in _ARRAYS:  # the usual case, on the path of every traced `x @ y`
        return a, b
    for x, name in ((a, "a"), (b, "b")):
        if not isinstance(x, (Tracer, ArrayImpl)):
            check_argument(fun, x, name)
    return tuple(array_arguments(fun.__name__, a, b))


def element_type(name: str, wanted: Any, *avals: ShapedArray) -> tuple[np.dtype, bool]:
    """The dtype of a product and whether it is weak: what the user wants, or else what the operands promote to."""
    if wanted is not None:
        return dtypes.check_user_dtype_supported(wanted, name), False
    return dtypes.join(*[(aval.dtype, aval.weak_type) for aval in avals])


def _contract(name: str, a: Any, b: Any, dimensions: Any, precision: Any, wanted: Any, out_sharding: Any = None) -> Any:
    """dot_general of `a` and `b`, accumulated in the dtype that the product `name` has, with its weak type."""
    x, y = a.aval, b.aval
    if wanted is None and x.dtype is y.dtype:  # spares the lattice of dtypes on the hot path
        dtype, weak = x.dtype, x.weak_type and y.weak_type
    else:
        dtype, weak = element_type(name, wanted, x, y)
    plain = precision is None and config.default_matmul_precision.value is None  # nothing to make canonical
    try:
        if plain:
            params = dict(precision=None, preferred_element_type=dtype, out_sharding=named(out_sharding, name))
            out = dot_general_p.bind(a, b, dimension_numbers=dimensions, **params)
        else:
            out = lax.dot_general(a, b, dimensions, precision, dtype, out_sharding=out_sharding)
    except ValueError as error:
        raise with_names(error, name, ("a", "b"))  # noqa: B904 (the same error, at most in other words)
    return out if out.aval.weak_type == weak else convert(out, dtype, weak)


# ---- matrices


def dot(a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None, out_sharding: Any = None) -> Any:
    """The sum of products over the last axis of `a` and the last but one (or only) axis of `b`.

    A scalar argument multiplies. Raises TypeError where the two sizes differ.
    """
    a, b = operands(dot, a, b)
    axes: tuple[Axes, Axes] = ((), ())
    if a.ndim and b.ndim:
        axes = ((a.ndim - 1,), (max(b.ndim - 2, 0),))
    return _contract("dot", a, b, (axes, ((), ())), precision, preferred_element_type, out_sharding)


def matmul(
    a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None, out_sharding: Any = None
) -> Any:
    """The matrix product `a @ b` over the last two axes; the axes before are batch axes and are broadcast.

    A vector is a row on the left and a column on the right. Raises ValueError for scalars and for batch axes
    that do not fit, TypeError where the contracted sizes differ.
    """
    a, b = operands(matmul, a, b)
    plan = _plan(a.aval, b.aval)
    if plan.plain:
        return _contract("matmul", a, b, plan.dimensions, precision, preferred_element_type, out_sharding)
    a, b = squeeze(a, plan.squeeze_a), squeeze(b, plan.squeeze_b)
    out = _contract("matmul", a, b, plan.dimensions, precision, preferred_element_type, out_sharding)
    return expand_dims(transpose(out, plan.permutation), plan.new_axes)


class MatmulPlan(NamedTuple):
    """How a matrix product becomes a dot_general: what is done to the operands before and to the result after."""

    squeeze_a: Axes  # axes of size 1 that meet a larger one: they go, so that nothing is repeated
    squeeze_b: Axes
    dimensions: Any  # dot_general's dimension numbers
    permutation: Axes  # from dot_general's order (batch, rest of a, rest of b) to matmul's
    new_axes: Axes  # axes of size 1 in both operands, put back at the end
    plain: bool  # whether nothing is to be done but the dot_general


@functools.lru_cache(maxsize=4096)
def _plan(x: ShapedArray, y: ShapedArray) -> MatmulPlan:
    """The plan for operands of these types. It is remembered: loops multiply thousands of equal types."""
    for i, aval in enumerate((x, y)):
        if not aval.ndim:
            raise ValueError(f"matmul input operand {i} must have ndim at least 1, but it has ndim 0")
    rank = max(x.ndim, y.ndim, 2) - 2
    sides = _batch_axes(x, rank), _batch_axes(y, rank)
    kinds = [_kind(p, q, (x, y)) for p, q in zip(*sides, strict=True)]
    at_a, squeeze_a = _positions(kinds, "a", sides[0])
    at_b, squeeze_b = _positions(kinds, "b", sides[1])
    both = [i for i, kind in enumerate(kinds) if kind == "both"]
    batch = tuple(at_a[i] for i in both), tuple(at_b[i] for i in both)
    matrix_a, matrix_b = x.ndim > 1, y.ndim > 1
    order = [*both, *(i for i, kind in enumerate(kinds) if kind == "a"), *[rank] * matrix_a]
    order += [*(i for i, kind in enumerate(kinds) if kind == "b"), *[rank + matrix_a] * matrix_b]
    contract = (x.ndim - len(squeeze_a) - 1,), (y.ndim - len(squeeze_b) - 1 - matrix_b,)
    permutation, ones = tuple(np.argsort(order).tolist()), tuple(i for i, kind in enumerate(kinds) if kind == "none")
    plain = not squeeze_a and not squeeze_b and list(permutation) == sorted(permutation)
    return MatmulPlan(squeeze_a, squeeze_b, (contract, batch), permutation, ones, plain)


def _batch_axes(aval: ShapedArray, rank: int) -> list[Any]:
    """(size, mesh axis) of each batch axis of the product, None where the operand has no such axis."""
    spec = getattr(aval.sharding, "spec", None) or (None,) * aval.ndim
    own = list(zip(aval.shape, spec, strict=True))[:-2]
    return [None] * (rank - len(own)) + own


def _kind(p: Any, q: Any, avals: tuple[ShapedArray, ShapedArray]) -> str:
    """Which operand's size a batch axis of the result has: that of a, of b, of both, or of none (both are 1)."""
    one = (1, None)
    if p is None or q is None:
        return "b" if p is None else "a"
    if p == one or q == one:
        return "none" if p == q else "b" if p == one else "a"
    if p != q:
        raise ValueError(f"Incompatible types for matmul arguments: {avals[0]} and {avals[1]}")
    return "both"


def _positions(kinds: list[str], side: str, axes: list[Any]) -> tuple[dict[int, int], Axes]:
    """For one operand: where each batch axis is after squeezing, and which of its axes are squeezed."""
    own = [i for i, axis in enumerate(axes) if axis is not None]
    kept = [i for i in own if kinds[i] in (side, "both")]
    return {i: n for n, i in enumerate(kept)}, tuple(n for n, i in enumerate(own) if i not in kept)


# ---- any axes


def tensordot(
    a: Any,
    b: Any,
    axes: Any = 2,
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:
    """The sum of products over pairs of axes: the last and first `axes` ones, or those listed for each operand."""
    a, b = array_arguments("tensordot", a, b)
    dimensions = _contracted(axes, a.aval, b.aval), ((), ())
    return _contract("tensordot", a, b, dimensions, precision, preferred_element_type, out_sharding)


def _contracted(axes: Any, x: ShapedArray, y: ShapedArray) -> tuple[Axes, Axes]:
    """The contracted axes of both operands, from what a user may write. Raises TypeError for anything else."""
    if type(axes) is int:
        if axes > min(x.ndim, y.ndim):
            raise TypeError(f"Number of tensordot axes (axes {axes}) exceeds input ranks ({x.shape} and {y.shape})")
        return tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    if not (isinstance(axes, (tuple, list)) and len(axes) == 2):
        raise TypeError("tensordot axes argument must be an int, a pair of ints, or a pair of lists/tuples of ints.")
    first, second = axes
    if isinstance(first, int) and isinstance(second, int):
        first, second = (first,), (second,)
    elif not (isinstance(first, (tuple, list)) and isinstance(second, (tuple, list))):
        raise TypeError(
            f"tensordot requires both axes lists to be either ints, tuples or lists, got {first} and {second}"
        )
    if len(first) != len(second):
        raise TypeError(f"tensordot requires axes lists to have equal length, got {first} and {second}.")
    return tuple(canonicalize_axis(i, x.ndim) for i in first), tuple(canonicalize_axis(i, y.ndim) for i in second)


# ---- vectors


def vdot(a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The sum of conj(a) * b over all elements of two arrays of equal size."""
    a, b = operands(vdot, a, b)
    a, b = ravel(_conjugate(a)), ravel(b)
    return dot(a, b, precision=precision, preferred_element_type=preferred_element_type)


def _conjugate(x: Any) -> Any:
    return conj(x) if x.dtype.kind == "c" else x


def inner(a: Any, b: Any, *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The sum of products over the last axis of both arguments. A scalar argument multiplies."""
    a, b = operands(inner, a, b)
    if a.ndim and b.ndim:
        return tensordot(a, b, (-1, -1), precision=precision, preferred_element_type=preferred_element_type)
    if preferred_element_type is not None:
        a, b = with_dtype(a, preferred_element_type, "inner"), with_dtype(b, preferred_element_type, "inner")
    return multiply(a, b)


def outer(a: Any, b: Any, out: None = None) -> Any:
    """The products of each element of `a` with each of `b`, both as vectors: [m], [n] -> [m, n]."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.outer is not supported.")
    a, b = map(ravel, promote_dtypes(*operands(outer, a, b)))
    return multiply(expand_dims(a, (1,)), expand_dims(b, (0,)))


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The sum of conj(x1) * x2 along `axis`; the other axes are broadcast."""
    x1, x2 = array_arguments("jnp.vecdot", x1, x2)
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"axes must match; got shapes {x1.shape} and {x2.shape} with axis={axis!r}")
    x1, x2 = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
    return _vectorized("(n),(n)->()", _conjugate(x1), x2, "vdot", preferred_element_type, precision)


@jit
def matvec(x1: Any, x2: Any, /) -> Any:
    """Matrices times vectors: [..., n, m], [..., m] -> [..., n]; the other axes are broadcast."""
    return _vectorized("(n,m),(m)->(n)", *array_arguments("matvec", x1, x2))


@jit
def vecmat(x1: Any, x2: Any, /) -> Any:
    """Conjugated vectors times matrices: [..., n], [..., n, m] -> [..., m]; the other axes are broadcast."""
    x1, x2 = array_arguments("matvec", x1, x2)
    return _vectorized("(n),(n,m)->(m)", _conjugate(x1), x2)


def _vectorized(signature: str, a: Any, b: Any, name: str = "matmul", wanted: Any = None, precision: Any = None) -> Any:
    """The product that `signature` says, for each place in the batch axes, as one dot_general.

    Batch axes of size 1 are taken out first, so that nothing is repeated.
    """
    core = core_dimensions(signature, a, b)
    (a, at_a), (b, at_b) = (without_unit_batch(x, n, core.rank) for x, n in zip((a, b), core.batches, strict=True))
    dimensions, permutation = _batched_contraction(core.names[0], core.names[1], at_a, at_b)
    out = transpose(_contract(name, a, b, dimensions, precision, wanted), permutation)
    return expand_dims(out, [i for i in range(core.rank) if i not in (*at_a, *at_b)])


def _batched_contraction(core_a: Names, core_b: Names, at_a: list[int], at_b: list[int]) -> tuple[Any, list[int]]:
    """dot_general's dimension numbers for operands with batch axes `at_a`, `at_b`, and the order of its result.

    The name that both operands share is contracted. dot_general puts the common batch axes first, then the rest
    of a, then the rest of b; in the result all batch axes come first, in order.
    """
    (shared,) = set(core_a) & set(core_b)
    both = [i for i in at_a if i in at_b]
    contract = (len(at_a) + core_a.index(shared),), (len(at_b) + core_b.index(shared),)
    batch = tuple(at_a.index(i) for i in both), tuple(at_b.index(i) for i in both)
    last = max((*at_a, *at_b), default=0) + 1  # the place of a core axis: behind all batch axes
    rest_a = [i for i in at_a if i not in both] + [last] * (len(core_a) - 1)
    rest_b = [i for i in at_b if i not in both] + [last] * (len(core_b) - 1)
    places = [*both, *rest_a, *rest_b]
    return (contract, batch), sorted(range(len(places)), key=places.__getitem__)
