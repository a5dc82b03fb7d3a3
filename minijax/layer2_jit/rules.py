"""The lowering rules of the primitives that have loops, by family, in the order of layer 1's lax."""

from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.impl.converting import convert_element_type
from ..layer1_core.jaxpr import JaxprEqn
from ..layer1_core.primitive import impl_rules
from .functions import MODULES
from .loops import ZERO, Const, Op, Place, Value
from .lowering import CALLED, At, Made, Moved, Pointwise, Reduced, Relaid, complex_too, lowering_rules

FLOATS = (np.dtype("float32"), np.dtype("float64"))


def op(name: str, cost: int = 1, floats_only: bool = False) -> Pointwise:
    """The operation of this name on the operands; the result has the dtype of the equation's."""
    accepts = _on_floats if floats_only else (lambda eqn: True)
    return Pointwise(lambda eqn, *xs: Op(name, xs, eqn.outvars[0].aval.dtype), cost, accepts)


def _on_floats(eqn: JaxprEqn) -> bool:
    return eqn.invars[0].aval.dtype in FLOATS


# ---- elementwise

for name in "add sub mul max min lt le gt ge eq ne and or xor neg abs sign clamp square".split():
    lowering_rules[getattr(lax.elementwise, f"{name}_p")] = op(name)
for name, cost in dict(sqrt=8, rsqrt=8, floor=1, ceil=1, is_finite=1).items():
    lowering_rules[getattr(lax.elementwise, f"{name}_p")] = op(name, cost, floats_only=True)
for name in "shift_left shift_right_logical shift_right_arithmetic population_count clz mulhi".split():
    lowering_rules[getattr(lax.elementwise, f"{name}_p")] = op(name, 2)

lowering_rules[lax.elementwise.not_p] = op("invert")
lowering_rules[lax.elementwise.rem_p] = op("rem", 25)


def div(eqn: JaxprEqn, x: Value, y: Value) -> Value:
    return Op("div" if x.dtype.kind in "fc" else "quotient", (x, y), x.dtype)


def round(eqn: JaxprEqn, x: Value) -> Value:
    """Method 0 takes a half away from zero, method 1 to the even one."""
    return Op("round_away" if int(eqn.params["rounding_method"]) == 0 else "rint", (x,), x.dtype)


lowering_rules[lax.elementwise.div_p] = Pointwise(div, 8)
lowering_rules[lax.elementwise.round_p] = Pointwise(round, 1)

FUNCTIONS = {name for module in MODULES for name in vars(module)}


def function(name: str, cost: int) -> Pointwise:
    """A function of maths.py or its kin, where there is one of this name for the dtype."""

    def value(eqn: JaxprEqn, *xs: Value) -> Value:
        dtype = xs[0].dtype
        return Op(f"{name}_{dtype.name}", tuple(converted(x, dtype) for x in xs), dtype)

    return Pointwise(value, cost, lambda eqn: f"{name}_{eqn.invars[0].aval.dtype.name}" in FUNCTIONS)


COSTS = dict(
    exp=20, exp2=25, expm1=25, log=25, log1p=40, logistic=25, tanh=25, sinh=40, cosh=40, asinh=60, acosh=60, atanh=50,
    sin=50, cos=50, tan=70, asin=60, acos=60, atan=40, atan2=60, cbrt=40, pow=100, nextafter=8,
)  # fmt: skip
for name, cost in COSTS.items():
    lowering_rules[getattr(lax.elementwise, f"{name}_p")] = function(name, cost)
for name, cost in dict(erf=25, erfc=60, erf_inv=60, lgamma=120, digamma=150, random_gamma_grad=500).items():
    lowering_rules[getattr(lax.special, f"{name}_p")] = function(name, cost)


def select(eqn: JaxprEqn, which: Value, *cases: Value) -> Value:
    """Case number `which`: the first for what is below 0, the last for what is too large."""
    result = cases[0]
    for number, case in enumerate(cases[1:], start=1):
        test = which if which.dtype.kind == "b" else Op("ge", (which, Const(number, which.dtype)), np.dtype("bool"))
        result = Op("select", (test, case, result), case.dtype)
    return result


lowering_rules[lax.elementwise.select_n_p] = Pointwise(select, 1, lambda eqn: len(eqn.invars) <= 32)


def integer_pow(eqn: JaxprEqn, x: Value) -> Value:
    y = eqn.params["y"]
    return power(x, y) if y >= 0 else Op("div", (Const(1, x.dtype), power(x, -y)), x.dtype)


def power(x: Value, y: int) -> Value:
    """x to the y-th power by squaring, in the order in which JAX multiplies: x**6 = x**2 * x**4."""
    result, square = None, x
    while y:
        if y & 1:
            result = square if result is None else Op("mul", (result, square), x.dtype)
        y, square = y >> 1, Op("square", (square,), x.dtype)
    return result or Const(1, x.dtype)


lowering_rules[lax.elementwise.integer_pow_p] = Pointwise(integer_pow, 4, lambda eqn: abs(eqn.params["y"]) < 1024)

# ---- converting


def converted(x: Value, dtype: np.dtype) -> Value:
    """The value with this dtype; a constant is converted here."""
    if isinstance(x, Const):
        return Const(convert_element_type(np.asarray(x.value, x.dtype), new_dtype=dtype, weak_type=False)[()], dtype)
    return x if x.dtype == dtype else Op(f"to_{dtype.name}", (x,), dtype)


def convert(eqn: JaxprEqn, x: Value) -> Value:
    return converted(x, eqn.outvars[0].aval.dtype)


lowering_rules[lax.converting.convert_element_type_p] = Pointwise(convert)


def reread(eqn: JaxprEqn, x: Value) -> Value:
    """The same bits as another dtype that is as wide."""
    dtype = eqn.outvars[0].aval.dtype
    return x if x.dtype == dtype else Op(f"as_{dtype.name}", (x,), dtype)


def _is_as_wide(eqn: JaxprEqn) -> bool:
    old, new = eqn.invars[0].aval.dtype, eqn.outvars[0].aval.dtype
    return old.itemsize == new.itemsize and "b" not in (old.kind, new.kind)


lowering_rules[lax.converting.bitcast_convert_type_p] = Pointwise(reread, 1, _is_as_wide)
lowering_rules[lax.converting.stop_gradient_p] = Pointwise(lambda eqn, x: x, 0)
lowering_rules[lax.converting.copy_p] = Pointwise(lambda eqn, x: x, 0)

# ---- shaping


def broadcast_place(eqn: JaxprEqn, at: At) -> At:
    shape, dims = eqn.invars[0].aval.shape, eqn.params["broadcast_dimensions"]
    return tuple(at[d] if size != 1 else ZERO for size, d in zip(shape, dims, strict=True))


def slice_place(eqn: JaxprEqn, at: At) -> At:
    steps = eqn.params["strides"] or (1,) * len(at)
    return tuple(i * k + start for i, start, k in zip(at, eqn.params["start_indices"], steps, strict=True))


def transpose_place(eqn: JaxprEqn, at: At) -> At:
    return tuple(at[eqn.params["permutation"].index(k)] for k in range(len(at)))


def rev_place(eqn: JaxprEqn, at: At) -> At:
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


def lowest(dtype: np.dtype) -> Any:
    """The neutral element of max."""
    return -np.inf if dtype.kind == "f" else False if dtype.kind == "b" else np.iinfo(dtype).min


def highest(dtype: np.dtype) -> Any:
    """The neutral element of min."""
    return np.inf if dtype.kind == "f" else True if dtype.kind == "b" else np.iinfo(dtype).max


lowering_rules[lax.reducing.reduce_sum_p] = Reduced("sum", lambda dtype: 0)
lowering_rules[lax.reducing.reduce_prod_p] = Reduced("product", lambda dtype: 1)
lowering_rules[lax.reducing.reduce_max_p] = Reduced("max", lowest)
lowering_rules[lax.reducing.reduce_min_p] = Reduced("min", highest)
lowering_rules[lax.reducing.reduce_and_p] = Reduced("and", lambda dtype: (~dtype.type(0)).item())
lowering_rules[lax.reducing.reduce_or_p] = Reduced("or", lambda dtype: 0)
lowering_rules[lax.reducing.reduce_xor_p] = Reduced("xor", lambda dtype: 0)

# ---- complex numbers

for name in "real imag complex".split():
    lowering_rules[getattr(lax.elementwise, f"{name}_p")] = op(name)


def conj(eqn: JaxprEqn, x: Value) -> Value:
    """The conjugate; of a real number that with an imaginary part of 0."""
    dtype = eqn.outvars[0].aval.dtype
    return Op("conj", (x,), dtype) if x.dtype == dtype else Op("complex", (x, Const(0, x.dtype)), dtype)


def exp(eqn: JaxprEqn, x: Value) -> Value:
    """e to the power x: of a complex number, the exponential of its real part at the angle of its imaginary one."""
    if x.dtype.kind != "c":
        return of_real.value(eqn, x)
    dtype = np.real(np.zeros((), x.dtype)).dtype
    size = Op(f"exp_{dtype.name}", (Op("real", (x,), dtype),), dtype)
    sides = (Op(f"{name}_{dtype.name}", (Op("imag", (x,), dtype),), dtype) for name in ("cos", "sin"))
    return Op("complex", tuple(Op("mul", (size, side), dtype) for side in sides), x.dtype)


of_real = function("exp", 20)
lowering_rules[lax.elementwise.exp_p] = Pointwise(exp, 20)
lowering_rules[lax.elementwise.conj_p] = Pointwise(conj)
complex_too |= dict.fromkeys(
    [getattr(lax.elementwise, f"{name}_p") for name in
     "add sub mul div neg abs eq ne square exp select_n real imag complex conj".split()]
    + [lax.shaping.broadcast_in_dim_p, lax.shaping.transpose_p, lax.shaping.reshape_p, lax.shaping.squeeze_p,
       lax.indexing.slice_p, lax.indexing.rev_p, lax.reducing.reduce_sum_p, lax.converting.stop_gradient_p,
       lax.converting.copy_p, lax.windows.cumsum_p, lax.joining.concatenate_p, lax.shaping.pad_p,
       lax.indexing.dynamic_slice_p, lax.indexing.dynamic_update_slice_p, lax.gather.gather_p,
       lax.scatter.scatter_p, lax.scatter.scatter_add_p],
    lambda eqn: True,
)  # fmt: skip
complex_too[lax.elementwise.integer_pow_p] = lambda eqn: eqn.params["y"] >= 0
complex_too[lax.converting.convert_element_type_p] = lambda eqn: eqn.outvars[0].aval.dtype.kind == "c"

# ---- the rest: computed by their impl rules, on whole arrays

lowering_rules.update({p: CALLED for p in impl_rules if p not in lowering_rules})
