"""Families of primitives: most of them share a shape rule, and then take one line.

    sin_p = unary("sin", floating | complex_)
    add_p = binary("add", number)

A dtype set is a tuple of NumPy's abstract types, in the order in which JAX's messages list them.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import Shape, ShapedArray, shaped
from ..primitive import Primitive

Dtypes = tuple[type, ...]
floating: Dtypes = (np.floating,)
complex_: Dtypes = (np.complexfloating,)
integer: Dtypes = (np.integer,)
boolean: Dtypes = (np.bool_,)
inexact: Dtypes = floating + complex_
number: Dtypes = integer + inexact
any_: Dtypes = integer + inexact + boolean
ordered: Dtypes = integer + boolean + floating
equatable: Dtypes = (*any_, dtypes.extended)

_FAMILY_NAMES = {np.bool_: "bool"}


def primitive(name: str, rule: Callable[..., Any] | None = None, multiple_results: bool = False) -> Primitive:
    """A primitive with this shape rule: from avals and params to the aval (or list of avals) of the result."""
    p = Primitive(name)
    p.multiple_results = multiple_results
    if rule is not None:
        p.def_abstract_eval(rule)
    return p


def standard(name: str, shape_rule: Callable[..., Shape], dtype_rule: Callable[..., Any]) -> Primitive:
    """A primitive whose shape, dtype and weak type follow from its operands each by itself.

    The result is weakly typed where all operands are.
    """

    def rule(*avals: ShapedArray, **params: Any) -> ShapedArray:
        dtype = dtype_rule(*avals, **params)
        return shaped(shape_rule(*avals, **params), dtype, all_weak(avals))

    return primitive(name, rule)


def check_shapelike(name: str, what: str, sizes: Sequence[Any], least: int = 0) -> None:
    """Raises JAX's TypeError where `sizes` are not all integers, or one is less than `least` (0 or 1)."""
    if not all(hasattr(n, "__index__") and n.__hash__ for n in sizes):
        raise TypeError(f"{name} {what} must have every element be an integer type, got {tuple(map(type, sizes))}.")
    if any(n < least for n in sizes):
        bound = "strictly positive" if least else "nonnegative"
        raise TypeError(f"{name} {what} must have every element be {bound}, got {sizes}.")


def all_weak(avals: Sequence[ShapedArray]) -> bool:
    """Whether all are weakly typed, and with them the result."""
    return all(a.weak_type for a in avals)


def accepts(dtype: Any, accepted: Dtypes) -> bool:
    """Whether `dtype` belongs to one of these families."""
    return any(dtypes.issubdtype(dtype, family) for family in accepted)


def family_names(accepted: Dtypes) -> str:
    """The families as JAX's messages list them."""
    return ", ".join(_FAMILY_NAMES.get(f, f.__name__) for f in accepted)


def check_dtype(name: str, aval: ShapedArray, accepted: Dtypes) -> None:
    """Raises JAX's TypeError where the one operand of `name` is of another family."""
    if not accepts(aval.dtype, accepted):
        raise TypeError(
            f"{name} does not accept dtype {aval.dtype.name}. Accepted dtypes are subtypes of {family_names(accepted)}."
        )


def check_dtype_at(name: str, avals: Sequence[ShapedArray], accepted: Sequence[Dtypes]) -> None:
    """The same for each of several operands, naming the position."""
    for i, (aval, families) in enumerate(zip(avals, accepted, strict=True)):
        if not accepts(aval.dtype, families):
            raise TypeError(
                f"{name} does not accept dtype {aval.dtype.name} at position {i}. "
                f"Accepted dtypes at position {i} are subtypes of {family_names(families)}."
            )


_NUMPY_NAMES = {
    "sub": "subtract", "mul": "multiply", "div": "divide", "max": "maximum", "min": "minimum", "pow": "power",
    "rem": "remainder", "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal", "atan2": "arctan2", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "shift_left": "left_shift", "shift_right_arithmetic": "right_shift", "shift_right_logical": "right_shift",
    "add": "add", "nextafter": "nextafter", "concatenate": "concatenate", "select": "where",
}  # fmt: skip


def check_same_dtypes(name: str, avals: Sequence[ShapedArray]) -> None:
    """Raises JAX's TypeError where the operands differ in dtype. Whether a dtype is weak does not matter."""
    if all(a.dtype == avals[0].dtype for a in avals):
        return
    told = ", ".join(a.dtype.name for a in avals)
    tip = f" (Tip: jnp.{_NUMPY_NAMES.get(name)} is a similar function that does automatic type promotion on inputs)."
    raise TypeError(
        f"lax.{name} requires arguments to have the same dtypes, got {told}.{tip if name in _NUMPY_NAMES else ''}"
    )


def broadcast_shape(name: str, shapes: Sequence[Shape]) -> Shape:
    """The common shape of operands of equal rank: along each axis the sizes are equal or 1. Scalars go with all.

    Raises JAX's TypeError where ranks or sizes do not fit.
    """
    first = shapes[0]
    if all(shape == first for shape in shapes):
        return first
    ranked = [shape for shape in shapes if shape]
    if len({len(shape) for shape in ranked}) > 1:
        ranks = "{" + ", ".join(map(str, sorted({len(shape) for shape in ranked}))) + "}"
        raise TypeError(f"{name}: arrays must have the same number of dimensions, got {ranks}")
    out = []
    for sizes in zip(*ranked, strict=True):
        others = {n for n in sizes if n != 1}
        if len(others) > 1:
            raise TypeError(f"{name} got incompatible shapes for broadcasting: {', '.join(map(str, shapes))}.")
        out.append(others.pop() if others else 1)
    return tuple(out)


def sizes_without(shape: Shape, axes: Sequence[int]) -> Shape:
    """The sizes of all axes but these, counted from the front."""
    return tuple(n for d, n in enumerate(shape) if d not in axes)


def unary(
    name: str, accepted: Dtypes, dtype_rule: Callable[[Any], Any] = lambda dtype: dtype, weak: bool = True
) -> Primitive:
    """An elementwise primitive of one operand. Its dtype is the operand's, or `dtype_rule` of it."""

    def rule(x: ShapedArray, **params: Any) -> ShapedArray:
        check_dtype(name, x, accepted)
        return shaped(x.shape, dtype_rule(x.dtype), x.weak_type and weak)

    return primitive(name, rule)


def nary(
    name: str,
    accepted: Sequence[Dtypes],
    dtype_rule: Callable[..., Any] | None = None,
    same_dtypes: bool = True,
    weak: bool = True,
) -> Primitive:
    """An elementwise primitive of several operands, of one dtype unless said otherwise."""

    def rule(*avals: ShapedArray, **params: Any) -> ShapedArray:
        shape = broadcast_shape(name, [a.shape for a in avals])
        check_dtype_at(name, avals, accepted)
        if same_dtypes:
            check_same_dtypes(name, avals)
        dtype = dtype_rule(*(a.dtype for a in avals)) if dtype_rule else avals[0].dtype
        return shaped(shape, dtype, weak and all_weak(avals))

    return primitive(name, rule)


def binary(name: str, accepted: Dtypes, **options: Any) -> Primitive:
    """An elementwise primitive of two operands of one family."""
    return nary(name, (accepted, accepted), **options)


def comparison(name: str, accepted: Dtypes = equatable) -> Primitive:
    """An elementwise primitive of two operands that gives truth values."""
    return binary(name, accepted, dtype_rule=lambda a, b: np.dtype("bool"))


# ---- the functions that bind them


def described(name: str, doc: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for a function that another one makes: it gives it its own name and docstring."""

    def describe(fun: Callable[..., Any]) -> Callable[..., Any]:
        fun.__name__ = fun.__qualname__ = name
        fun.__doc__ = doc
        return fun

    return describe


def binder(p: Primitive, doc: str, name: str = "") -> Callable[..., Any]:
    """The function of a primitive that has operands and no params. Its name is the primitive's, unless given."""

    @described(name or p.name, doc)
    def apply(*operands: Any) -> Any:
        return p.bind(*operands)

    return apply
