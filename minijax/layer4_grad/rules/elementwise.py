"""Elementwise primitives. `g` is a tangent of an operand, `ans` the result, `ct` a cotangent of the result."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...layer1_core import dtypes
from ...layer1_core.aval import told, typeof
from ...layer1_core.lax.converting import convert_element_type
from ...layer1_core.lax.elementwise import (
    abs,
    abs_p,
    acos_p,
    acosh_p,
    add,
    add_p,
    and_p,
    asin_p,
    asinh_p,
    atan2_p,
    atan_p,
    atanh_p,
    bitwise_and,
    cbrt_p,
    ceil_p,
    clamp_p,
    complex,
    complex_p,
    conj,
    conj_p,
    cos,
    cos_p,
    cosh,
    cosh_p,
    div,
    div_p,
    eq,
    eq_p,
    exp2_p,
    exp_p,
    expm1_p,
    floor,
    floor_p,
    ge,
    ge_p,
    gt,
    gt_p,
    imag,
    imag_p,
    integer_pow,
    integer_pow_p,
    is_finite_p,
    le_p,
    log,
    log1p_p,
    log_p,
    logistic_p,
    lt,
    lt_p,
    max_p,
    min_p,
    mul,
    mul_p,
    mulhi_p,
    ne_p,
    neg,
    neg_p,
    not_p,
    or_p,
    pow,
    pow_p,
    real,
    real_p,
    reciprocal,
    rem_p,
    round_p,
    rsqrt,
    rsqrt_p,
    select,
    select_n,
    select_n_p,
    shift_left_p,
    shift_right_arithmetic_p,
    shift_right_logical_p,
    sign,
    sign_p,
    sin,
    sin_p,
    sinh,
    sinh_p,
    sqrt_p,
    square,
    square_p,
    sub,
    sub_p,
    tan_p,
    tanh_p,
    xor_p,
)  # fmt: skip
from ...layer1_core.lax.shaping import broadcast_shapes, full_like
from ...layer1_core.primitive import Primitive
from ..families import defbilinear, defjvp, defjvp2, defjvp_zero, deflinear, deflinear2
from ..jvp import jvp_rules
from ..tangents import Zero, add_any_p, zero_of
from ..transpose import is_undefined_primal, transpose_rules
from .parts import broadcast_to, const, is_complex, one, ones, replace_zero, unbroadcast, zero, zeros

# ---- one operand

deflinear(neg_p, lambda ct: [neg(ct)])
defjvp_zero(sign_p, floor_p, ceil_p, round_p, is_finite_p, not_p)

defjvp2(exp_p, lambda g, ans, x, **kw: mul(g, ans))
defjvp2(exp2_p, lambda g, ans, x, **kw: mul(log(const(x, 2)), mul(g, ans)))
defjvp(log_p, lambda g, x, **kw: div(g, x))
defjvp2(expm1_p, lambda g, ans, x, **kw: mul(g, add(ans, one(ans))))
defjvp(log1p_p, lambda g, x, **kw: div(g, add(x, one(x))))
defjvp2(tanh_p, lambda g, ans, x, **kw: mul(add(g, mul(g, ans)), sub(one(x), ans)))  # 1 - ans**2, without cancellation
defjvp2(logistic_p, lambda g, ans, x, **kw: mul(g, mul(ans, sub(one(ans), ans))))
defjvp(sin_p, lambda g, x, **kw: mul(g, cos(x, **kw)))
defjvp(cos_p, lambda g, x, **kw: neg(mul(g, sin(x, **kw))))
defjvp2(tan_p, lambda g, ans, x, **kw: mul(g, add(const(x, 1), square(ans))))
defjvp(asin_p, lambda g, x: mul(g, rsqrt(sub(const(x, 1), square(x)))))
defjvp(acos_p, lambda g, x: mul(g, neg(rsqrt(sub(const(x, 1), square(x))))))
defjvp(atan_p, lambda g, x: div(g, add(const(x, 1), square(x))))
defjvp(sinh_p, lambda g, x: mul(g, cosh(x)))
defjvp(cosh_p, lambda g, x: mul(g, sinh(x)))
defjvp(asinh_p, lambda g, x: mul(g, rsqrt(add(square(x), one(x)))))
defjvp(acosh_p, lambda g, x: mul(g, rsqrt(sub(square(x), one(x)))))
defjvp(atanh_p, lambda g, x: mul(reciprocal(add(one(x), x)), div(g, sub(one(x), x))))
defjvp2(sqrt_p, lambda g, ans, x, **kw: mul(g, div(const(x, 0.5), ans)))
defjvp2(rsqrt_p, lambda g, ans, x, **kw: mul(g, mul(const(x, -0.5), div(ans, x))))
defjvp2(cbrt_p, lambda g, ans, x, **kw: mul(g, mul(const(x, 1 / 3), integer_pow(ans, -2))))
defjvp2(square_p, lambda g, ans, x: mul(g, mul(const(x, 2), x)))


def _integer_pow_jvp(g: Any, x: Any, *, y: int) -> Any:
    """y x**(y-1) g, with less to compute for small y."""
    match y:
        case 0:
            return zeros(g)
        case 1:
            return g
        case 2:
            return mul(g, mul(const(x, y), x))
    return mul(g, mul(const(x, y), integer_pow(x, y - 1)))


defjvp(integer_pow_p, _integer_pow_jvp)


def _abs_jvp(g: Any, ans: Any, x: Any) -> Any:
    """The sign of x; 1 at 0. For a complex x the part of g along x."""
    if is_complex(x):
        return real(mul(g, div(conj(x), replace_zero(convert_element_type(ans, typeof(x).dtype)))))
    return select(ge(x, zero(x)), g, neg(g))


defjvp2(abs_p, _abs_jvp)

# ---- complex numbers

deflinear(real_p, lambda ct: [complex(ct, np.zeros((), typeof(ct).dtype))])
deflinear(imag_p, lambda ct: [complex(np.zeros((), typeof(ct).dtype), neg(ct))])
deflinear2(
    complex_p,
    lambda ct, x, y: [
        unbroadcast(x.aval, real(ct)) if is_undefined_primal(x) else None,
        unbroadcast(y.aval, imag(neg(ct))) if is_undefined_primal(y) else None,
    ],
)
deflinear(
    conj_p, lambda ct, input_dtype: [conj(ct) if dtypes.issubdtype(input_dtype, np.complexfloating) else real(ct)]
)

# ---- two operands

deflinear(add_any_p, lambda ct: [ct, ct])


def _sum_jvp(primitive: Primitive, of_rhs: Callable[[Any], Any]) -> Callable[..., Any]:
    """The jvp rule of a sum: a single tangent is broadcast to the result; `of_rhs` is what becomes of the second."""

    def like(out: Any, tangent: Any) -> Any:
        return broadcast_to(typeof(out).shape, tangent, told(typeof(out)))

    def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
        out, (x_dot, y_dot) = primitive.bind(*primals), tangents
        if type(y_dot) is Zero:
            return out, zero_of(out) if type(x_dot) is Zero else like(out, x_dot)
        if type(x_dot) is Zero:
            return out, like(out, of_rhs(y_dot))
        return out, primitive.bind(x_dot, y_dot)

    return rule


jvp_rules[add_p] = _sum_jvp(add_p, lambda y_dot: y_dot)
jvp_rules[sub_p] = _sum_jvp(sub_p, neg)


@transpose_rules.rule(add_p)
def _add_transpose(ct: Any, x: Any, y: Any) -> list[Any]:
    return [unbroadcast(v.aval, ct) if is_undefined_primal(v) else None for v in (x, y)]


@transpose_rules.rule(sub_p)
def _sub_transpose(ct: Any, x: Any, y: Any) -> list[Any]:
    return [
        unbroadcast(x.aval, ct) if is_undefined_primal(x) else None,
        unbroadcast(y.aval, neg(ct)) if is_undefined_primal(y) else None,
    ]


defbilinear(
    mul_p,
    lambda ct, x, y, **kw: unbroadcast(x.aval, mul(ct, y)),
    lambda ct, x, y, **kw: unbroadcast(y.aval, mul(x, ct)),
)
defjvp(div_p, lambda g, x, y: div(g, y), lambda g, x, y: mul(mul(neg(g), x), integer_pow(y, -2)))


@transpose_rules.rule(div_p)
def _div_transpose(ct: Any, x: Any, y: Any) -> list[Any]:
    if is_undefined_primal(y):
        raise RuntimeError("nonlinear div can't be transposed")
    return [unbroadcast(x.aval, div(ct, y)), None]


defjvp(
    rem_p,
    lambda g, x, y: broadcast_to(broadcast_shapes(typeof(x).shape, typeof(y).shape), g),
    lambda g, x, y: mul(neg(g), mul(sign(div(x, y)), floor(abs(div(x, y))))),
)
defjvp(
    atan2_p,
    lambda g, x, y: mul(g, div(y, add(square(x), square(y)))),
    lambda g, x, y: mul(g, div(neg(x), add(square(x), square(y)))),
)


def _pow_jvp_lhs(g: Any, ans: Any, x: Any, y: Any) -> Any:
    """y x**(y-1) g; for a whole y = 0 it is 0, whatever x."""
    whole = dtypes.issubdtype(typeof(y).dtype, np.integer)
    dtype = _common_dtype(x, y)
    x, y = convert_element_type(x, dtype), convert_element_type(y, dtype)
    if not whole:
        return mul(g, mul(y, pow(x, sub(y, ones(y)))))
    shape = broadcast_shapes(typeof(x).shape, typeof(y).shape)
    x, y = broadcast_to(shape, x), broadcast_to(shape, y)
    is_zero, nothing = eq(y, const(y, 0)), zeros(y)
    return mul(g, select(is_zero, nothing, mul(replace_zero(y), pow(x, sub(y, ones(y))))))


def _common_dtype(x: Any, y: Any) -> Any:
    return dtypes.join(*((a.dtype, a.weak_type) for a in (typeof(x), typeof(y))))[0]


def _pow_jvp_rhs(g: Any, ans: Any, x: Any, y: Any) -> Any:
    """log(x) x**y g."""
    return convert_element_type(mul(g, mul(log(replace_zero(x)), ans)), typeof(y).dtype)


defjvp2(pow_p, _pow_jvp_lhs, _pow_jvp_rhs)


def _chosen(x: Any, ans: Any, other: Any) -> Any:
    """1 where `x` is what was chosen, 0 where it is not, 1/2 where both are equal."""
    share = select(eq(x, ans), ones(ans), zeros(ans))
    return div(share, select(eq(other, ans), full_like(ans, 2), ones(ans)))


for _p in (max_p, min_p):
    defjvp2(_p, lambda g, ans, x, y: mul(g, _chosen(x, ans, y)), lambda g, ans, x, y: mul(g, _chosen(y, ans, x)))

defjvp_zero(and_p, or_p, xor_p, mulhi_p, shift_left_p, shift_right_arithmetic_p, shift_right_logical_p)

# ---- comparisons

defjvp_zero(eq_p, ne_p, lt_p, le_p, gt_p, ge_p)

# ---- selection


@jvp_rules.rule(select_n_p)
def _select_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    which, *_ = primals
    out, dots = select_n(*primals), tangents[1:]
    some = next((t for t in dots if type(t) is not Zero), None)
    if some is None:
        return out, zero_of(out)
    z = zeros(some)
    return out, select_n(which, *(z if type(t) is Zero else t for t in dots))


@transpose_rules.rule(select_n_p)
def _select_transpose(ct: Any, which: Any, *cases: Any) -> list[Any]:
    """Each case gets the cotangent where it was chosen."""
    z = zeros(ct)
    if typeof(which).dtype == np.bool_:
        chosen = [lambda: select(which, z, ct), lambda: select(which, ct, z)]
    else:
        chosen = [lambda i=i: select(eq(which, const(which, i)), ct, z) for i in range(len(cases))]
    return [None, *(get() if is_undefined_primal(case) else None for get, case in zip(chosen, cases, strict=False))]


defjvp(
    clamp_p,
    lambda g, low, x, high: select(bitwise_and(gt(low, x), lt(low, high)), g, zeros(x)),
    lambda g, low, x, high: select(bitwise_and(gt(x, low), lt(x, high)), g, zeros(x)),
    lambda g, low, x, high: select(lt(high, x), g, zeros(x)),
)
