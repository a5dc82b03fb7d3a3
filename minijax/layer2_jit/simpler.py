"""A pass that puts primitives in simpler terms: those that have loops. What stays as it was is called.

A rule is a function of the operands and the parameters, in terms of lax. It is traced, and the equations of its program
stand in the place of the equation. It may do only for some shapes: where it would be slower than the call.

windows.py and ordering.py have the rules of reductions over windows, and of what puts elements in order.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..layer1_core import config, lax
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn
from ..layer1_core.jit_call import jit_p
from ..layer1_core.primitive import Primitive
from ..layer1_core.staging import eval_jaxpr, make_jaxpr, struct_of
from .lowering import NATIVE, Pointwise, lowering_of
from .passes import further, inlined

Accepts = Callable[[JaxprEqn, bool], bool]  # of an equation, and whether it stands in the body of a loop or a branch


@dataclass(frozen=True)
class Rule:
    program: Callable[..., Any]  # (*operands, **params)
    accepts: Accepts


rules: dict[Primitive, Rule] = {}


def put_as(*primitives: Primitive, accepts: Accepts = lambda eqn, inside: True) -> Callable[..., Any]:
    """Enter a function as the rule of these primitives."""

    def enter(program: Callable[..., Any]) -> Callable[..., Any]:
        rules.update(dict.fromkeys(primitives, Rule(program, accepts)))
        return program

    return enter


def in_simpler_terms(jaxpr: Jaxpr, inside: bool) -> Jaxpr:
    """The program with the equations that have a rule as calls of what it says, inlined."""
    eqns = [_called(eqn) if _has_rule(eqn, inside) else eqn for eqn in jaxpr.eqns]
    changed = any(new is not old for new, old in zip(eqns, jaxpr.eqns, strict=True))
    return inlined(jaxpr.replace(eqns=eqns)) if changed else jaxpr


def _has_rule(eqn: JaxprEqn, inside: bool) -> bool:
    if eqn.primitive not in rules or any(v.aval.dtype not in NATIVE for v in (*eqn.invars, *eqn.outvars)):
        return False
    return rules[eqn.primitive].accepts(eqn, inside)


def _called(eqn: JaxprEqn) -> JaxprEqn:
    """A call of the program of an equation. Its dtypes are those of the equation, wide ones too."""
    with config.enable_x64(True):
        fun = partial(rules[eqn.primitive].program, **eqn.params)
        program = make_jaxpr(fun)(*(struct_of(v.aval) for v in eqn.invars))
    return eqn.replace(primitive=jit_p, params={"jaxpr": program})


# ---- joining and parting

MOST = 16  # arrays that are joined in one kernel
PARTS = 64  # of an array


@put_as(lax.joining.unstack_p, accepts=lambda eqn, inside: len(eqn.outvars) <= PARTS)
def unstack(x: Any, *, axis: int) -> list[Any]:
    """Each part is a slice, which can be computed where it is read."""
    return [lax.indexing.index_in_dim(x, k, axis, keepdims=False) for k in range(x.shape[axis])]


@put_as(lax.joining.concatenate_p, accepts=lambda eqn, inside: inside and len(eqn.invars) > MOST)
def concatenate(*operands: Any, dimension: int) -> Any:
    """Some of the operands at a time, and then the others."""
    join = partial(lax.joining.concatenate, dimension=dimension)
    while len(operands) > MOST:
        operands = tuple(join(operands[k : k + MOST]) for k in range(0, len(operands), MOST))
    return join(operands)


@put_as(lax.joining.stack_p, accepts=lambda eqn, inside: inside or len(eqn.invars) <= MOST)
def stack(*operands: Any, axis: int) -> Any:
    """The operands with the new axis, joined along it."""
    return concatenate(*(lax.shaping.expand_dims(x, (axis,)) for x in operands), dimension=axis)


@put_as(lax.joining.tile_p)
def tile(x: Any, *, reps: Sequence[int]) -> Any:
    """Broadcast along a new axis before each one, and these two as one axis.  [n, m] -> [r, n, s, m] -> [r n, s m]"""
    both = [n for each in zip(reps, x.shape, strict=True) for n in each]
    spread = lax.shaping.broadcast_in_dim(x, both, range(1, len(both), 2))
    return lax.shaping.reshape(spread, [r * n for r, n in zip(reps, x.shape, strict=True)])


# ---- rounding


@put_as(lax.converting.reduce_precision_p)
def reduce_precision(x: Any, *, exponent_bits: int, mantissa_bits: int) -> Any:
    """x rounded to fewer bits: half of the last one that stays is added, one less where that is even."""
    word = np.dtype(f"uint{8 * x.dtype.itemsize}")
    number = lambda k: lax.shaping.full_like(x, k, word)
    dropped = np.finfo(x.dtype).nmant - mantissa_bits
    y = x
    if dropped > 0:
        bits = lax.converting.bitcast_convert_type(x, word)
        is_odd = lax.elementwise.bitwise_and(lax.elementwise.shift_right_logical(bits, number(dropped)), number(1))
        bits = lax.elementwise.add(lax.elementwise.add(bits, number(2 ** (dropped - 1) - 1)), is_odd)
        bits = lax.elementwise.bitwise_and(bits, number(2 ** (8 * word.itemsize) - 2**dropped))
        y = lax.converting.bitcast_convert_type(bits, x.dtype)
    return lax.elementwise.select(lax.elementwise.ne(x, x), x, within_exponent(y, exponent_bits))


def within_exponent(x: Any, exponent_bits: int) -> Any:
    """x, infinite where it is too large for an exponent of so many bits, and 0 where it is too small."""
    bias = 2 ** (exponent_bits - 1) - 1
    if bias >= np.finfo(x.dtype).maxexp - 1:
        return x
    number = lambda y: lax.shaping.full_like(x, y)
    size, signed = lax.elementwise.abs(x), partial(lax.elementwise.mul, lax.elementwise.sign(x))
    x = lax.elementwise.select(lax.elementwise.ge(size, number(2.0 ** (bias + 1))), signed(number(np.inf)), x)
    return lax.elementwise.select(lax.elementwise.lt(size, number(2.0 ** (1 - bias))), signed(number(0.0)), x)


# ---- reductions by any function

FEW = 32  # elements that are put together one after the other, each in a line of its own

KNOWN = {
    lax.elementwise.add_p: lax.reducing.reduce_sum, lax.elementwise.mul_p: lax.reducing.reduce_prod,
    lax.elementwise.max_p: lax.reducing.reduce_max, lax.elementwise.min_p: lax.reducing.reduce_min,
    lax.elementwise.and_p: lax.reducing.reduce_and, lax.elementwise.or_p: lax.reducing.reduce_or,
    lax.elementwise.xor_p: lax.reducing.reduce_xor,
}  # fmt: skip


def is_known(body: Jaxpr) -> bool:
    """Whether a function of two scalars is one operation for which there is a reduction."""
    return len(body.eqns) == 1 and body.eqns[0].primitive in KNOWN and body.eqns[0].invars == body.invars


def is_pointwise(body: Jaxpr) -> bool:
    """Whether a function of scalars can be one of arrays as it is."""
    return not body.consts and all(isinstance(lowering_of(eqn), Pointwise) for eqn in body.eqns)


def _can_reduce(eqn: JaxprEqn, inside: bool) -> bool:
    body, shape = eqn.params["jaxpr"], eqn.invars[0].aval.shape
    number = int(np.prod([shape[d] for d in eqn.params["dimensions"]]))
    return is_known(body) or (is_pointwise(body) and number <= FEW)


@put_as(lax.reducing.reduce_p, accepts=_can_reduce)
def reduce(*args: Any, computation: Any, jaxpr: Jaxpr, dimensions: Sequence[int]) -> list[Any]:
    """One known operation is a reduction, put together with what it starts from; else the first half of the elements
    is put together with the second, again and again, as the impl rule does.
    """
    operands, starts = args[: len(args) // 2], args[len(args) // 2 :]
    if is_known(jaxpr):
        return [jaxpr.eqns[0].primitive.bind(*starts, KNOWN[jaxpr.eqns[0].primitive](*operands, dimensions))]
    sizes = [operands[0].shape[d] for d in dimensions]
    rows = [[element(x, dict(zip(dimensions, at, strict=True))) for x in operands] for at in np.ndindex(*sizes)]
    while (half := len(rows) // 2) > 0:
        pairs = zip(rows[:half], rows[half : 2 * half], strict=True)
        rows = [*(applied(jaxpr, x, y) for x, y in pairs), *rows[2 * half :]]
    stay = [n for d, n in enumerate(operands[0].shape) if d not in dimensions]
    begun = [lax.shaping.broadcast(start, stay) for start in starts]
    return applied(jaxpr, begun, rows[0]) if rows else begun


def applied(body: Jaxpr, first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    """What a function of scalars gives for arrays; a number that it gives is broadcast."""
    shape = first[0].shape
    out = eval_jaxpr(body, [], *first, *second)
    return [x if np.shape(x) == shape else lax.shaping.broadcast(x, shape) for x in out]


def element(x: Any, place: dict[int, int]) -> Any:
    """The part of x at a place along some of its axes, without these."""
    starts = [place.get(d, 0) for d in range(x.ndim)]
    limits = [place[d] + 1 if d in place else n for d, n in enumerate(x.shape)]
    return lax.shaping.squeeze(lax.indexing.slice(x, starts, limits), [*place])


# ---- long reductions

LONG = 2**18  # elements that are reduced to one, from which on several threads take a part of them each
ROWS = range(1024, 15, -1)  # how many parts


def _is_long(eqn: JaxprEqn, inside: bool) -> bool:
    x = eqn.invars[0].aval
    return not inside and len(eqn.params["axes"]) == x.ndim and x.size >= LONG and rows_of(x.shape) is not None


def rows_of(shape: Sequence[int]) -> int | None:
    """Into how many parts of one size an array is to be divided: along its first axis, if that has so many places."""
    if len(shape) > 1 and shape[0] in ROWS:
        return shape[0]
    return next((n for n in ROWS if not math.prod(shape) % n), None)


def _by_rows(reduction: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction to one element is that of the rows, and then of what they give."""

    def program(x: Any, **params: Any) -> Any:
        rows = rows_of(x.shape)
        assert rows
        x = x if x.shape[0] == rows else lax.shaping.reshape(x, (rows, x.size // rows))
        return reduction(reduction(x, range(1, x.ndim)), (0,))

    return program


for _reduction in (lax.reducing.reduce_sum, lax.reducing.reduce_prod, lax.reducing.reduce_max, lax.reducing.reduce_min):
    put_as(getattr(lax.reducing, f"{_reduction.__name__}_p"), accepts=_is_long)(_by_rows(_reduction))

further.append(in_simpler_terms)
