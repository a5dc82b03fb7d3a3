"""The last digit: a sampler's program with JAX's own steps, so that a draw has JAX's digits, interpreted or compiled.

JAX's compiler changes programs of floats a little, and has its own logarithms. What it does to samplers is done here:

    a * b + c             is rounded once (`fma`)
    x / c, of fewer c     is x * (1 / c)
    x / sqrt(y)           is x * rsqrt(y)
    (a / b) / (c / d)     is (a * d) / (b * c)
    (s * x) * t, s and t scalars   is x * (s * t)
    the sum of x**2, y**2, z**2   is (x**2 + z**2) + y**2; of small arrays, fma(z, z, fma(x, x, y**2))
    log, log1p, exp, ...  are those of digits.py (lgamma of float32 only); the inverse of erf is that of layer 2's
                          maths.py and digits64.py

NumPy and SciPy would give other numbers, by a few units in the last place: and by many, where a difference or a
logarithm near 1 brings these forward.
"""

import operator
import weakref
from collections import Counter
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray, shaped
from ..layer1_core.jaxpr import Atom, Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.jit import caches
from ..layer1_core.lax.elementwise import (
    add_p,
    div_p,
    exp_p,
    log1p_p,
    log_p,
    mul_p,
    neg_p,
    pow_p,
    rsqrt_p,
    sqrt_p,
    sub_p,
)
from ..layer1_core.lax.families import binary, broadcast_shape, floating, primitive, unary
from ..layer1_core.lax.indexing import slice_p
from ..layer1_core.lax.reducing import reduce_sum_p
from ..layer1_core.lax.shaping import broadcast_in_dim_p, squeeze_p
from ..layer1_core.lax.special import erf_inv_p, erf_p, lgamma_p
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.staging import in_mesh_of
from ..layer2_jit import digits64, fused, maths
from ..layer2_jit.functions import MODULES
from ..layer2_jit.loops import Op
from ..layer2_jit.lowering import Pointwise
from ..layer2_jit.passes import called, inlined, without_dead
from ..layer2_jit.rules import lowering_rules, op
from ..layer5_vmap.families import defbroadcasting, defvectorized
from . import digits

SMALL = 4096  # elements, of which JAX adds squares in an order of its own
FLOATS = frozenset(map(np.dtype, ("float32", "float64")))
MODULES.append(digits)

# ---- a product and a sum


def _fma_rule(a: ShapedArray, b: ShapedArray, c: ShapedArray) -> ShapedArray:
    return shaped(broadcast_shape("fma", [x.shape for x in (a, b, c)]), a.dtype)


fma_p = primitive("fma", _fma_rule)
lowering_rules[fma_p] = op("fma")


@impl_rules.rule(fma_p)
def fma(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c, rounded once. The product of two float32 is a float64."""
    if a.dtype == np.float32:
        return np.asarray(a.astype(np.float64) * b + c, np.float32)
    return fused.fma(a, b, c)


# ---- functions

COSTS = {log_p: 40, log1p_p: 40, exp_p: 20, erf_p: 25, rsqrt_p: 15, pow_p: 100, lgamma_p: 150}
NOISE = {p: (binary if p is pow_p else unary)(f"noise_{p.name}", floating) for p in COSTS}
noise_log_p, noise_log1p_p, noise_exp_p, noise_erf_p, noise_rsqrt_p, noise_pow_p, noise_lgamma_p = NOISE.values()
for _p, _noise in NOISE.items():
    impl_rules[_noise] = lambda *xs, name=_noise.name: np.asarray(getattr(digits, f"{name}_{xs[0].dtype}")(*xs))
    lowering_rules[_noise] = Pointwise(
        lambda eqn, *xs: Op(f"{eqn.primitive.name}_{xs[0].dtype}", xs, xs[0].dtype), COSTS[_p]
    )

rounded_square_p = unary("rounded_square", floating)
impl_rules[rounded_square_p] = lambda x: x * x
lowering_rules[rounded_square_p] = Pointwise(lambda eqn, x: Op(f"rounded_square_{x.dtype}", (x,), x.dtype))
RUN_ONLY = (fma_p, rounded_square_p, *NOISE.values())  # what stands in programs that are about to be run
defvectorized(rounded_square_p, *(p for p in NOISE.values() if p is not noise_pow_p))
defbroadcasting(fma_p, noise_pow_p)


@impl_rules.rule(erf_inv_p)
def erf_inv(x: np.ndarray, **params: Any) -> np.ndarray:
    """The inverse of erf, that of JAX; of 16 bits through float32."""
    if x.dtype == np.float64:
        return _erf_inv_float64(x)
    return np.asarray(maths.erf_inv_float32(x.astype(np.float32)), x.dtype)


def _erf_inv_float64(x: np.ndarray) -> np.ndarray:
    """Few numbers are near 1 or -1: `far_float64` is computed for those only."""
    w = np.asarray(-digits64.jax_log1p_float64(-x * x))
    p = np.asarray(digits64.near_float64(w))
    far = ~(w < digits64.SPLIT_NEAR)
    if far.any():
        p[far] = digits64.far_float64(w[far])
    return np.where(np.abs(x) == 1, x * np.inf, p * x)


# ---- programs


_done: "weakref.WeakKeyDictionary[Jaxpr, Jaxpr | None]" = weakref.WeakKeyDictionary()  # None: it is its own result
caches.append(_done)


def as_compiled(jaxpr: Jaxpr) -> Jaxpr:
    """The program with JAX's digits, and those that its equations carry. It is made once."""
    if jaxpr not in _done:
        flat = inlined(jaxpr) if any(eqn.primitive in called for eqn in jaxpr.eqns) else jaxpr
        makers = {id(v): eqn for eqn in flat.eqns for v in eqn.outvars}
        steps = [step for eqn in flat.eqns for step in _as_steps(eqn, makers)]
        same = len(steps) == len(flat.eqns) and all(map(operator.is_, steps, flat.eqns))
        out = _contracted(flat if same else without_dead(flat.replace(eqns=steps)))
        _done[jaxpr], _done[out] = out, None
    return _done[jaxpr] or jaxpr


def _as_steps(eqn: JaxprEqn, makers: dict[int, JaxprEqn]) -> list[JaxprEqn]:
    """The equations that JAX's compiler has for one."""
    if eqn.outvars and eqn.outvars[0].aval.dtype in FLOATS:
        if eqn.primitive in NOISE and (eqn.primitive is not lgamma_p or eqn.outvars[0].aval.dtype == np.float32):
            return [eqn.replace(primitive=NOISE[eqn.primitive], params={})]
        if eqn.primitive is div_p:
            return _as_product(eqn, makers)
        if eqn.primitive is mul_p:
            return _by_one_scalar(eqn, makers)
        if eqn.primitive is reduce_sum_p and _is_of_three_squares(eqn, makers):
            return _sum_of_three(eqn, makers[id(eqn.invars[0])].invars[0])
    params = {name: _with_programs(x) for name, x in eqn.params.items()}
    return [eqn if all(x is eqn.params[name] for name, x in params.items()) else eqn.replace(params=params)]


def _with_programs(param: Any) -> Any:
    if isinstance(param, Jaxpr):
        return as_compiled(param)
    if isinstance(param, (tuple, list)) and any(isinstance(x, Jaxpr) for x in param):
        programs = type(param)(map(_with_programs, param))
        return param if all(map(operator.is_, programs, param)) else programs
    return param


def _step(primitive: Primitive, *invars: Atom, **params: Any) -> JaxprEqn:
    """An equation for a variable of its own."""
    with in_mesh_of([v for v in invars if not v.aval.is_undivided]):
        aval = primitive.out_avals(tuple(v.aval for v in invars), params)
    return JaxprEqn(invars, [Var(aval)], primitive, params)


def _as_product(eqn: JaxprEqn, makers: dict[int, JaxprEqn]) -> list[JaxprEqn]:
    """A quotient by a root, or by numbers that serve several quotients, is a product; any other stays."""
    x, c = eqn.invars
    above, maker = makers.get(id(x)), makers.get(id(c))
    if above is not None and maker is not None and above.primitive is maker.primitive is div_p:
        (a, b), (c, d) = above.invars, maker.invars
        crosswise = [_step(mul_p, a, d, out_dtype=None), _step(mul_p, b, c, out_dtype=None)]
        return [*crosswise, eqn.replace(invars=[v for step in crosswise for v in step.outvars])]
    if maker is not None and maker.primitive is sqrt_p:
        steps = [_step(NOISE[rsqrt_p], *maker.invars)]
    elif maker is not None and maker.primitive is broadcast_in_dim_p and maker.invars[0].aval.size < c.aval.size:
        inverse = _inverse(maker.invars[0])
        steps = [inverse, _step(broadcast_in_dim_p, *inverse.outvars, **maker.params)]
    elif c.aval.size < eqn.outvars[0].aval.size:
        steps = [_inverse(c)]
    else:
        return [eqn]
    return [*steps, eqn.replace(primitive=mul_p, invars=[x, *steps[-1].outvars], params={"out_dtype": None})]


def _by_one_scalar(eqn: JaxprEqn, makers: dict[int, JaxprEqn]) -> list[JaxprEqn]:
    """A product with a scalar, of a product with a scalar, is one with the product of both; any other stays."""
    x, outer = _and_scalar(eqn)
    maker = makers.get(id(x))
    x, inner = _and_scalar(maker) if maker is not None and maker.primitive is mul_p else (x, None)
    if inner is None or outer is None:
        return [eqn]
    both = _step(mul_p, inner, outer, out_dtype=None)
    return [both, eqn.replace(invars=[x, *both.outvars])]


def _and_scalar(product: JaxprEqn) -> tuple[Atom, Atom | None]:
    """The operands of a product, a scalar last; None where neither is one, or both are."""
    x, y = product.invars
    if x.aval.ndim == y.aval.ndim:
        return x, None
    return (x, y) if y.aval.ndim == 0 else (y, x) if x.aval.ndim == 0 else (x, None)


def _inverse(c: Atom) -> JaxprEqn:
    dtype = c.aval.dtype
    return _step(div_p, Literal(dtype.type(1), shaped((), dtype)), c)


def _is_of_three_squares(eqn: JaxprEqn, makers: dict[int, JaxprEqn]) -> bool:
    """Whether an equation sums squares along a last axis of size 3."""
    (x,), maker = eqn.invars, makers.get(id(eqn.invars[0]))
    squared = maker is not None and maker.primitive is mul_p and maker.invars[0] is maker.invars[1]
    return squared and eqn.params["axes"] == (x.aval.ndim - 1,) and x.aval.shape[-1] == 3


def _sum_of_three(eqn: JaxprEqn, x: Atom) -> list[JaxprEqn]:
    """The sum of the squares of x along the last axis. JAX computes that of large arrays by other code."""
    rows = x.aval.shape[:-1]
    steps: list[JaxprEqn] = []

    def step(primitive: Primitive, *invars: Atom, **params: Any) -> Var:
        steps.append(_step(primitive, *invars, **params))
        return steps[-1].outvars[0]

    def element(i: int) -> Var:
        start, limit = (*(0,) * len(rows), i), (*rows, i + 1)
        column = step(slice_p, x, start_indices=start, limit_indices=limit, strides=None)
        return step(squeeze_p, column, dimensions=(len(rows),))

    a, b, c = map(element, range(3))
    if x.aval.size <= SMALL:
        pair = step(fma_p, a, a, step(mul_p, b, b, out_dtype=None))
        return [*steps, JaxprEqn([c, c, pair], eqn.outvars, fma_p, {}, eqn.source_info)]
    a, b, c = (step(rounded_square_p, v) for v in (a, b, c))
    pair = step(add_p, a, c)
    return [*steps, JaxprEqn([pair, b], eqn.outvars, add_p, {}, eqn.source_info)]


def _contracted(jaxpr: Jaxpr) -> Jaxpr:
    """The program in which a product that is read once, by a sum or a difference of floats, is one step with it."""
    reads = Counter(id(v) for v in (*jaxpr.outvars, *(v for eqn in jaxpr.eqns for v in eqn.invars)))
    products = {
        id(eqn.outvars[0]): eqn for eqn in jaxpr.eqns if eqn.primitive is mul_p and reads[id(eqn.outvars[0])] == 1
    }
    gone: set[int] = set()
    eqns = [step for eqn in jaxpr.eqns for step in _joined(eqn, products, gone)]
    return jaxpr.replace(eqns=[eqn for eqn in eqns if id(eqn) not in gone]) if gone else jaxpr


def _joined(eqn: JaxprEqn, products: dict[int, JaxprEqn], gone: set[int]) -> list[JaxprEqn]:
    """A sum or difference with the product that it reads, which is `gone` then; any other equation as it is."""
    if eqn.primitive not in (add_p, sub_p) or eqn.outvars[0].aval.dtype not in FLOATS:
        return [eqn]
    for i, v in enumerate(eqn.invars):
        if id(v) in products:
            product = products[id(v)]
            gone.add(id(product))
            (a, b), c = product.invars, eqn.invars[1 - i]
            if eqn.primitive is add_p:
                return [eqn.replace(primitive=fma_p, invars=[a, b, c], params={})]
            negative = _step(neg_p, c if i == 0 else a)
            operands = [a, b, negative.outvars[0]] if i == 0 else [negative.outvars[0], b, c]
            return [negative, eqn.replace(primitive=fma_p, invars=operands, params={})]
    return [eqn]
