"""The last digit: what is interpreted rounds as what is compiled does, so that a draw is the same either way.

A compiled kernel rounds a * b + c once (`fma`), and has the inverse of erf by polynomials, JAX's own. NumPy rounds
twice, and SciPy's inverse is more exact. Both would be other numbers, by a few units in the last place: and by many,
where a difference or a logarithm near 1 brings these forward. The programs of samplers are changed so that they agree.
"""

from collections import Counter
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray, shaped
from ..layer1_core.impl.special import erf_inv as exact_erf_inv
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn
from ..layer1_core.lax.elementwise import add_p, log1p_p, log_p, mul_p
from ..layer1_core.lax.families import broadcast_shape, floating, primitive, unary
from ..layer1_core.lax.special import erf_inv_p
from ..layer1_core.primitive import impl_rules
from ..layer2_jit import maths
from ..layer2_jit.loops import Op
from ..layer2_jit.lowering import Pointwise
from ..layer2_jit.rules import lowering_rules, op
from ..layer5_vmap.families import defbroadcasting, defvectorized
from . import words

FLOATS = frozenset(map(np.dtype, ("float32", "float64")))

# ---- a product and a sum


def _fma_rule(a: ShapedArray, b: ShapedArray, c: ShapedArray) -> ShapedArray:
    return shaped(broadcast_shape("fma", [x.shape for x in (a, b, c)]), a.dtype)


fma_p = primitive("fma", _fma_rule)
lowering_rules[fma_p] = op("fma")
defbroadcasting(fma_p)


@impl_rules.rule(fma_p)
def fma(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c, rounded once. The product of two float32 is a float64; of two float64 it is kept as a sum of two."""
    if a.dtype == np.float32:
        return np.asarray(a.astype(np.float64) * b + c, np.float32)
    product, total = a * b, a * b + c
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    lost = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
    kept = total - product
    rest = (product - (total - kept)) + (c - kept)
    return np.where(np.isfinite(total), total + (rest + lost), total)


def _halves(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A float64 as a sum of two with half its digits each. (Dekker, 1971.)"""
    scaled = x * 134217729.0
    upper = scaled - (scaled - x)
    return upper, x - upper


# ---- logarithms

noise_log_p, noise_log1p_p = unary("noise_log", floating), unary("noise_log1p", floating)
_LOGS = {log_p: noise_log_p, log1p_p: noise_log1p_p}
for _p in _LOGS.values():
    impl_rules[_p] = getattr(words, f"{_p.name}_float32")
    lowering_rules[_p] = Pointwise(lambda eqn, x: Op(f"{eqn.primitive.name}_float32", (x,), x.dtype), 40)
defvectorized(*_LOGS.values())

# ---- programs


def as_compiled(jaxpr: Jaxpr) -> Jaxpr:
    """The program with JAX's digits."""
    eqns = [_with_log(eqn) for eqn in jaxpr.eqns]
    return _contracted(jaxpr.replace(eqns=eqns))


def _with_log(eqn: JaxprEqn) -> JaxprEqn:
    """A logarithm of float32 by JAX's polynomials; any other equation as it is."""
    if eqn.primitive in _LOGS and eqn.outvars[0].aval.dtype == np.float32:
        return eqn.replace(primitive=_LOGS[eqn.primitive], params={})
    return eqn


def _contracted(jaxpr: Jaxpr) -> Jaxpr:
    """The program in which a product that is read once, by a sum of floats, is one operation with it."""
    reads = Counter(id(v) for v in (*jaxpr.outvars, *(v for eqn in jaxpr.eqns for v in eqn.invars)))
    products = {
        id(eqn.outvars[0]): eqn for eqn in jaxpr.eqns if eqn.primitive is mul_p and reads[id(eqn.outvars[0])] == 1
    }
    gone: set[int] = set()
    eqns = [_joined(eqn, products, gone) for eqn in jaxpr.eqns]
    return jaxpr.replace(eqns=[eqn for eqn in eqns if id(eqn) not in gone]) if gone else jaxpr


def _joined(eqn: JaxprEqn, products: dict[int, JaxprEqn], gone: set[int]) -> JaxprEqn:
    """A sum with the product that it reads, which is `gone` then; any other equation as it is."""
    if eqn.primitive is not add_p or eqn.outvars[0].aval.dtype not in FLOATS:
        return eqn
    for i, v in enumerate(eqn.invars):
        if id(v) in products:
            product = products[id(v)]
            gone.add(id(product))
            return eqn.replace(primitive=fma_p, invars=[*product.invars, eqn.invars[1 - i]], params={})
    return eqn


# ---- the inverse of erf


@impl_rules.rule(erf_inv_p)
def erf_inv(x: np.ndarray, **params: Any) -> np.ndarray:
    """That of JAX: a float32 by polynomials, 16 bits through float32; a float64 as exactly as SciPy has it."""
    if x.dtype.itemsize > 4:
        return exact_erf_inv(x, **params)
    return np.asarray(maths.erf_inv_float32(x.astype(np.float32)), x.dtype)
