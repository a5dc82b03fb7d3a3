"""Tangents and cotangents: their types, the zero that is only a symbol, and their sum.

A value of a floating or complex type has a tangent of the same type. The tangent of an integer or a truth value has the
type float0: it holds nothing. Tangents that are zero for certain are not computed: they are `Zero`.
"""

import functools
from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import ShapedArray, shaped, told, typeof
from ..layer1_core.lax.elementwise import add_p
from ..layer1_core.lax.shaping import broadcast, zeros_like_aval
from ..layer1_core.literals import with_type
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.trace import EVAL, current_trace
from ..layer1_core.tree import register_pytree_node
from ..layer2_jit.lowering import complex_too
from ..layer2_jit.rules import lowering_rules


class Zero:
    """The tangent or cotangent of this type that is zero for certain. Rules see it only where they ask to."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    def __repr__(self) -> str:
        return f"Zero({self.aval})"


register_pytree_node(Zero, lambda zero: ((), zero.aval), lambda aval, _: Zero(aval))


class SymbolicZero:
    """What a user's rule is given for a `Zero`, where it asks for symbolic zeros. It has a shape and a dtype."""

    def __init__(self, aval: ShapedArray):
        self.aval = aval

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        return self.aval.dtype

    def __repr__(self) -> str:
        return "SymbolicZero"


def symbolic(tangent: Any) -> Any:
    """The tangent or cotangent as a user's rule sees it, where it asks for symbolic zeros."""
    return SymbolicZero(tangent.aval) if type(tangent) is Zero else tangent


# ---- types


@functools.cache
def tangent_dtype(dtype: Any) -> Any:
    """The dtype of tangents: that of the values where they are inexact, else float0."""
    return dtype if dtypes.issubdtype(dtype, np.inexact) else dtypes.float0


def tangent_aval(aval: ShapedArray) -> ShapedArray:
    """The type of the tangents, and of the cotangents, of values of this type.

    >>> tangent_aval(shaped((3,), np.dtype("int32"))).dtype == dtypes.float0
    True
    """
    dtype = tangent_dtype(aval.dtype)
    return aval if dtype is aval.dtype else aval.update(dtype=dtype)


def zero_of(primal: Any) -> Zero:
    """The zero tangent of a value."""
    return Zero(tangent_aval(typeof(primal)))


def same_type(a: ShapedArray, b: ShapedArray) -> bool:
    """Whether two types are equal but for weakness."""
    return a.shape == b.shape and a.dtype == b.dtype


def same_place(a: ShapedArray, b: ShapedArray) -> bool:
    """Whether two types say the same of how an array is divided; one that says nothing fits all."""
    places = told(a), told(b)
    return None in places or places[0] == places[1]


# ---- values


def instantiate(tangent: Any) -> Any:
    """The tangent, as an array of zeros where it is a `Zero`."""
    if type(tangent) is not Zero:
        return tangent
    aval = tangent.aval
    return zeros_like_aval(aval) if aval.dtype != dtypes.float0 else _nothing(aval)


def _nothing(aval: ShapedArray) -> Any:
    """An array of float0; a NumPy array, where values are computed."""
    return (
        with_type(np.zeros(aval.shape, aval.dtype)) if current_trace.get() is EVAL else broadcast(_NOTHING, aval.shape)
    )


_NOTHING = np.zeros((), dtypes.float0)


def add_tangents(x: Any, y: Any) -> Any:
    """The sum of two tangents or cotangents. A `Zero` costs nothing."""
    if type(x) is Zero:
        return y
    return x if type(y) is Zero else add_any_p.bind(x, y)


add_any_p = Primitive("add_any")
impl_rules[add_any_p] = impl_rules[add_p]
lowering_rules[add_any_p], complex_too[add_any_p] = lowering_rules[add_p], complex_too[add_p]


@add_any_p.def_abstract_eval
def _add_any_rule(x: ShapedArray, y: ShapedArray) -> ShapedArray:
    assert same_type(x, y), (x, y)
    return shaped(x.shape, x.dtype, x.weak_type)
