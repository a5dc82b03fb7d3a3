"""The lowering rules of the primitives that have loops, by family, in the order of layer 1's lax."""

import numpy as np

from ..layer1_core import lax
from ..layer1_core.jaxpr import JaxprEqn
from ..layer1_core.primitive import impl_rules
from .loops import ZERO, Const, Index, Op, Place, Value
from .lowering import CALLED, Made, Moved, Pointwise, Reduced, Relaid, lowering_rules

FLOATS = (np.dtype("float32"), np.dtype("float64"))


def op(name: str, cost: int = 1, floats_only: bool = False) -> Pointwise:
    """The operation of this name on the operands; the result has the dtype of the equation's."""
    accepts = _on_floats if floats_only else (lambda eqn: True)
    return Pointwise(lambda eqn, *xs: Op(name, xs, eqn.outvars[0].aval.dtype), cost, accepts)


def _on_floats(eqn: JaxprEqn) -> bool:
    return eqn.invars[0].aval.dtype in FLOATS


# ---- elementwise

for name in "add sub mul max min lt le gt ge eq ne and or xor neg abs sign clamp".split():
    lowering_rules[getattr(lax.elementwise, f"{name}_p")] = op(name)
for name, cost in dict(div=8, sqrt=8, rsqrt=8, floor=1, ceil=1, is_finite=1).items():
    lowering_rules[getattr(lax.elementwise, f"{name}_p")] = op(name, cost, floats_only=True)


lowering_rules[lax.elementwise.not_p] = op("invert")


def maths(name: str, cost: int) -> Pointwise:
    """A function of maths.py, which has one of this name for float32."""
    is_float32 = lambda eqn: eqn.invars[0].aval.dtype == "float32"  # noqa: E731
    return Pointwise(lambda eqn, x: Op(f"{name}_float32", (x,), x.dtype), cost, is_float32)


for name, cost in dict(exp=20, log=25, tanh=25, logistic=25).items():
    lowering_rules[getattr(lax.elementwise, f"{name}_p")] = maths(name, cost)
lowering_rules[lax.special.erf_p] = maths("erf", 25)


def select(eqn: JaxprEqn, which: Value, *cases: Value) -> Value:
    return Op("select", (which, cases[1], cases[0]), cases[0].dtype)


def _two_cases(eqn: JaxprEqn) -> bool:
    return len(eqn.invars) == 3 and eqn.invars[0].aval.dtype.kind == "b"


lowering_rules[lax.elementwise.select_n_p] = Pointwise(select, 1, _two_cases)


lowering_rules[lax.elementwise.square_p] = Pointwise(lambda eqn, x: Op("mul", (x, x), x.dtype))


def integer_pow(eqn: JaxprEqn, x: Value) -> Value:
    return power(x, eqn.params["y"])


def power(x: Value, y: int) -> Value:
    """x to the y-th power by squaring, in the order in which JAX multiplies."""
    result, square = None, x
    while y:
        if y & 1:
            result = square if result is None else Op("mul", (result, square), x.dtype)
        y >>= 1
        if y:
            square = Op("mul", (square, square), x.dtype)
    return result or Const(1, x.dtype)


lowering_rules[lax.elementwise.integer_pow_p] = Pointwise(integer_pow, 2, lambda eqn: 0 < eqn.params["y"] <= 4)

# ---- converting


def convert(eqn: JaxprEqn, x: Value) -> Value:
    dtype = eqn.outvars[0].aval.dtype
    if isinstance(x, Const):
        return Const(np.asarray(x.value, x.dtype).astype(dtype)[()], dtype)
    return x if x.dtype == dtype else Op(f"to_{dtype.name}", (x,), dtype)


def _is_plain(eqn: JaxprEqn) -> bool:
    """Whether a conversion is one that the machine has: not from a float to an integer, whose edges differ."""
    return not (eqn.invars[0].aval.dtype.kind == "f" and eqn.outvars[0].aval.dtype.kind in "iu")


lowering_rules[lax.converting.convert_element_type_p] = Pointwise(convert, 1, _is_plain)
lowering_rules[lax.converting.stop_gradient_p] = Pointwise(lambda eqn, x: x, 0)

# ---- shaping


def broadcast_place(eqn: JaxprEqn, at: tuple[Index, ...]) -> tuple[Index, ...]:
    shape, dims = eqn.invars[0].aval.shape, eqn.params["broadcast_dimensions"]
    return tuple(at[d] if size != 1 else ZERO for size, d in zip(shape, dims, strict=True))


def slice_place(eqn: JaxprEqn, at: tuple[Index, ...]) -> tuple[Index, ...]:
    steps = eqn.params["strides"] or (1,) * len(at)
    return tuple(i * k + start for i, start, k in zip(at, eqn.params["start_indices"], steps, strict=True))


def transpose_place(eqn: JaxprEqn, at: tuple[Index, ...]) -> tuple[Index, ...]:
    return tuple(at[eqn.params["permutation"].index(k)] for k in range(len(at)))


def rev_place(eqn: JaxprEqn, at: tuple[Index, ...]) -> tuple[Index, ...]:
    shape, dims = eqn.outvars[0].aval.shape, eqn.params["dimensions"]
    return tuple(i * -1 + (n - 1) if k in dims else i for k, (i, n) in enumerate(zip(at, shape, strict=True)))


lowering_rules[lax.shaping.broadcast_in_dim_p] = Moved(broadcast_place, repeats=True)
lowering_rules[lax.shaping.transpose_p] = Moved(transpose_place)
lowering_rules[lax.indexing.slice_p] = Moved(slice_place)
lowering_rules[lax.indexing.rev_p] = Moved(rev_place)
lowering_rules[lax.shaping.reshape_p] = Relaid(lambda eqn: eqn.params["dimensions"] is None)
lowering_rules[lax.shaping.squeeze_p] = Relaid()
lowering_rules[lax.shaping.iota_p] = Made(lambda eqn, at: Place(at[eqn.params["dimension"]], eqn.outvars[0].aval.dtype))

# ---- reducing


def lowest(dtype: np.dtype):
    return -np.inf if dtype.kind == "f" else False if dtype.kind == "b" else np.iinfo(dtype).min


def highest(dtype: np.dtype):
    return np.inf if dtype.kind == "f" else True if dtype.kind == "b" else np.iinfo(dtype).max


lowering_rules[lax.reducing.reduce_sum_p] = Reduced("sum", lambda dtype: 0)
lowering_rules[lax.reducing.reduce_prod_p] = Reduced("product", lambda dtype: 1)
lowering_rules[lax.reducing.reduce_max_p] = Reduced("max", lowest)
lowering_rules[lax.reducing.reduce_min_p] = Reduced("min", highest)
lowering_rules[lax.reducing.reduce_and_p] = Reduced("and", lambda dtype: True if dtype.kind == "b" else -1)
lowering_rules[lax.reducing.reduce_or_p] = Reduced("or", lambda dtype: 0)

# ---- the rest: computed by their impl rules, on whole arrays

lowering_rules.update({p: CALLED for p in impl_rules if p not in lowering_rules})
