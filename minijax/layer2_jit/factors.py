"""Passes for sums of products: what is done to a factor first is done by the sum itself, or before it.

turned          a product of matrices reads a transposed factor where it lies
exchanged       a transposed product is the product of its factors in the other order
spread          a product without a sum is a multiplication
added           a product with a vector, or of all elements, is the sum of a multiplication
padded          a convolution gets an image that is padded already
"""

from collections import Counter
from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.aval import shaped
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal, Var


def turned(jaxpr: Jaxpr) -> Jaxpr:
    """A dot_general of a transpose becomes a dot_general over other axes of what is transposed."""
    maker = {id(v): eqn for eqn in jaxpr.eqns if eqn.primitive is lax.shaping.transpose_p for v in eqn.outvars}
    is_product = lambda eqn: eqn.primitive is lax.dot.dot_general_p
    return jaxpr.replace(eqns=[_turned(eqn, maker) if is_product(eqn) else eqn for eqn in jaxpr.eqns])


def _turned(product: JaxprEqn, maker: dict[int, JaxprEqn]) -> JaxprEqn:
    summed, batch = (list(pair) for pair in product.params["dimension_numbers"])
    operands = [*product.invars]
    for side, v in enumerate(product.invars):
        made = maker.get(id(v))
        if made is None:
            continue
        order = made.params["permutation"]
        free = [order[d] for d in range(len(order)) if d not in (*summed[side], *batch[side])]
        if free == sorted(free):  # the axes of the result stay in their order
            summed[side], batch[side] = (tuple(order[d] for d in axes) for axes in (summed[side], batch[side]))
            operands[side] = made.invars[0]
    numbers = (tuple(summed), tuple(batch))
    return product.replace(invars=operands, params=product.params | {"dimension_numbers": numbers})


def exchanged(jaxpr: Jaxpr) -> Jaxpr:
    """A transpose of a dot_general, of which nothing else is needed, becomes a dot_general of the factors in the other
    order. (The product itself is dead then.)
    """
    uses = Counter(id(v) for v in (*jaxpr.outvars, *(v for eqn in jaxpr.eqns for v in eqn.invars)))
    products = {id(eqn.outvars[0]): eqn for eqn in jaxpr.eqns if eqn.primitive is lax.dot.dot_general_p}
    eqns = []
    for eqn in jaxpr.eqns:
        product = products.get(id(eqn.invars[0])) if eqn.primitive is lax.shaping.transpose_p else None
        once = product is not None and uses[id(eqn.invars[0])] == 1
        eqns.append(_exchanged(product, eqn) if product is not None and once else eqn)
    return jaxpr.replace(eqns=eqns)


def _exchanged(product: JaxprEqn, transpose: JaxprEqn) -> JaxprEqn:
    """The product that gives the transposed result; the transpose, where its axes are in another order than that."""
    (left, right), batch = product.params["dimension_numbers"]
    lhs, rhs = product.invars
    first = len(batch[0])
    last = len(lhs.aval.shape) - len(left)  # where the free axes of rhs begin in the result
    axes = [*range(len(transpose.outvars[0].aval.shape))]
    if [*transpose.params["permutation"]] != [*axes[:first], *axes[last:], *axes[first:last]]:
        return transpose
    params = product.params | {"dimension_numbers": ((right, left), (batch[1], batch[0]))}
    return product.replace(invars=[rhs, lhs], outvars=transpose.outvars, params=params)


def spread(jaxpr: Jaxpr) -> Jaxpr:
    """A dot_general that sums over nothing multiplies the factors, each of them spread over the axes of the other."""
    eqns: list[JaxprEqn] = []
    for eqn in jaxpr.eqns:
        if eqn.primitive is lax.dot.dot_general_p and not eqn.params["dimension_numbers"][0][0]:
            eqns += _spread(eqn) or [eqn]
        else:
            eqns.append(eqn)
    return jaxpr.replace(eqns=eqns)


def _spread(product: JaxprEqn) -> list[JaxprEqn]:
    """The equations for it; none where dtypes differ, or axes of batches come after others."""
    (out,), batch = product.outvars, product.params["dimension_numbers"][1]
    made, factors = [], []
    start = len(batch[0])
    for x, axes in zip(product.invars, batch, strict=True):
        free = len(x.aval.shape) - len(axes)
        if x.aval.dtype != out.aval.dtype or [*axes] != [*range(len(axes))]:
            return []
        dims = (*range(len(axes)), *range(start, start + free))
        params = {"shape": out.aval.shape, "broadcast_dimensions": dims, "sharding": None}
        factors.append(Var(out.aval))
        made.append(
            product.replace(primitive=lax.shaping.broadcast_in_dim_p, invars=[x], outvars=[factors[-1]], params=params)
        )
        start += free
    return [*made, product.replace(primitive=lax.elementwise.mul_p, invars=factors, params={"out_dtype": None})]


MANY = 1 << 15  # elements of a factor: with fewer a library is about as fast
ADDED = [{np.dtype(name)} for name in ("float32", "float64", "int32", "int64", "uint32", "uint64")]


def added(jaxpr: Jaxpr) -> Jaxpr:
    """A dot_general with a vector, or over all axes, multiplies the factors and adds up: that is limited by memory, and
    loops of several threads are sooner done than a library. (1024 x 1024 floats times a vector: 0.05 ms, not 0.19.)
    """
    eqns: list[JaxprEqn] = []
    for eqn in jaxpr.eqns:
        eqns += _added(eqn) if _is_to_be_added(eqn) else [eqn]
    return jaxpr.replace(eqns=eqns)


def _is_to_be_added(eqn: JaxprEqn) -> bool:
    """Whether a factor has no axes but those that are summed over, and the other one is large."""
    if eqn.primitive is not lax.dot.dot_general_p or {v.aval.dtype for v in (*eqn.invars, *eqn.outvars)} not in ADDED:
        return False
    (summed, _), batch = eqn.params["dimension_numbers"]
    sizes, ranks = ([getattr(v.aval, name) for v in eqn.invars] for name in ("size", "ndim"))
    return max(sizes) >= MANY and not batch[0] and len(summed) == min(ranks) > 0


def _added(product: JaxprEqn) -> list[JaxprEqn]:
    """The smaller factor, which has no other axes, spread over those of the larger one; their product; and its sum."""
    axes = product.params["dimension_numbers"][0]
    (large, over), (small, its) = sorted(
        zip(product.invars, axes, strict=True), key=lambda x: x[0].aval.ndim, reverse=True
    )
    whole = shaped(large.aval.shape, large.aval.dtype)
    spread, factors = Var(whole), Var(whole)
    dims = tuple(axis for _, axis in sorted(zip(its, over, strict=True)))
    turned = Var(shaped(tuple(whole.shape[d] for d in sorted(dims)), whole.dtype))
    order = tuple(sorted(range(len(dims)), key=dims.__getitem__))
    steps = [
        (lax.shaping.transpose_p, [small], turned, {"permutation": order}),
        (lax.shaping.broadcast_in_dim_p, [turned], spread,
         {"shape": whole.shape, "broadcast_dimensions": tuple(sorted(dims)), "sharding": None}),
        (lax.elementwise.mul_p, [large, spread], factors, {"out_dtype": None}),
        (lax.reducing.reduce_sum_p, [factors], product.outvars[0], {"axes": tuple(sorted(over)), "out_sharding": None}),
    ]  # fmt: skip
    return [product.replace(primitive=p, invars=x, outvars=[v], params=params) for p, x, v, params in steps]


def padded(jaxpr: Jaxpr) -> Jaxpr:
    """The padding of a convolution, and what spreads its image, become an equation of their own."""
    eqns: list[JaxprEqn] = []
    for eqn in jaxpr.eqns:
        if eqn.primitive is lax.conv.conv_general_dilated_p and _pads(eqn):
            eqns += _padding(eqn)
        else:
            eqns.append(eqn)
    return jaxpr.replace(eqns=eqns)


def _pads(eqn: JaxprEqn) -> bool:
    return any(pad != (0, 0) for pad in eqn.params["padding"]) or any(d != 1 for d in eqn.params["lhs_dilation"])


def _padding(eqn: JaxprEqn) -> list[JaxprEqn]:
    """The equation that pads the image, and the convolution of its result."""
    image, kernel = eqn.invars
    params, rank = eqn.params, len(image.aval.shape)
    config: list[Any] = [(0, 0, 0)] * rank
    for d, (low, high), step in zip(
        params["dimension_numbers"].lhs_spec[2:], params["padding"], params["lhs_dilation"], strict=True
    ):
        config[d] = low, high, step - 1
    zero = Literal(np.zeros((), image.aval.dtype)[()], shaped((), image.aval.dtype))
    own = {"padding_config": tuple(config)}
    larger = Var(lax.shaping.pad_p.out_avals((image.aval, zero.aval), own))
    pad = eqn.replace(primitive=lax.shaping.pad_p, invars=[image, zero], outvars=[larger], params=own)
    plain = {"padding": ((0, 0),) * (rank - 2), "lhs_dilation": (1,) * (rank - 2)}
    return [pad, eqn.replace(invars=[larger, kernel], params=params | plain)]
