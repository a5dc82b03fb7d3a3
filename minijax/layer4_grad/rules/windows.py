"""Reductions over windows. Those that choose an element pass the tangent of the one that they chose."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import Shape, typeof
from ...layer1_core.jaxpr import Jaxpr
from ...layer1_core.lax.elementwise import ge_p, le_p
from ...layer1_core.lax.indexing import slice
from ...layer1_core.lax.reducing import extreme
from ...layer1_core.lax.shaping import pad, pad_p
from ...layer1_core.lax.windows import (
    Pads,
    dilate_shape,
    reduce_window,
    reduce_window_max_p,
    reduce_window_min_p,
    reduce_window_p,
    reduce_window_sum_p,
    select_and_gather_add_p,
    select_and_scatter_add_p,
)
from ...layer1_core.primitive import Primitive
from ...layer1_core.staging import jaxpr_as_fun
from ..families import defjvp, deflinear2
from ..jvp import jvp_rules
from ..programs import jvp_jaxpr
from ..tangents import Zero, instantiate, zero_of
from ..transpose import transpose_rules
from .parts import zero

# ---- sums


def pads_of_transpose(
    shape: Sequence[int], window: Sequence[int], strides: Sequence[int], out_shape: Sequence[int], padding: Pads,
    base_dilation: Sequence[int], window_dilation: Sequence[int],
) -> list[tuple[Any, Any]]:  # fmt: skip
    """What to put around the cotangent, of `out_shape` and dilated by the strides, so that windows of it are those
    whose results an element had a part in. The numbers are NumPy's integers, as JAX's programs show them.
    """
    base, spans = dilate_shape(shape, base_dilation), dilate_shape(window, window_dilation)
    spread = dilate_shape(out_shape, strides)
    before = np.subtract(spans, [low for low, _ in padding]) - 1
    after = np.add(base, spans) - 1 - spread - before
    return list(zip(before, after, strict=True))


def _reduce_window_sum_transpose(
    ct: Any, x: Any, *, window_dimensions: Shape, window_strides: Shape, padding: Pads, base_dilation: Shape,
    window_dilation: Shape,
) -> list[Any]:  # fmt: skip
    """Each element gets the sum of the cotangents of the windows that it is in: a sum over windows again."""
    window = (window_dimensions, window_strides, typeof(ct).shape, padding, base_dilation, window_dilation)
    pads = pads_of_transpose(x.shape, *window)
    config = tuple((low, high, stride - 1) for (low, high), stride in zip(pads, window_strides, strict=True))
    spread = pad_p.bind(ct, zero(ct), padding_config=config)
    out = reduce_window_sum_p.bind(
        spread, window_dimensions=window_dimensions, window_strides=base_dilation,
        padding=((0, 0),) * x.ndim, base_dilation=(1,) * x.ndim, window_dilation=window_dilation,
    )  # fmt: skip
    return [out]


deflinear2(reduce_window_sum_p, _reduce_window_sum_transpose)

# ---- the largest and the smallest

for _p, _select in ((reduce_window_max_p, ge_p), (reduce_window_min_p, le_p)):
    defjvp(_p, lambda g, x, select=_select, **window: select_and_gather_add_p.bind(g, x, select_prim=select, **window))


def _first_only_jvp(primitive: Primitive, primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> Any:
    """The jvp rule of what is linear in its first operand and only chooses by the second."""
    out = primitive.bind(*primals, **params)
    return out, zero_of(out) if type(tangents[0]) is Zero else primitive.bind(tangents[0], primals[1], **params)


for _p in (select_and_scatter_add_p, select_and_gather_add_p):
    jvp_rules[_p] = functools.partial(_first_only_jvp, _p)


@transpose_rules.rule(select_and_scatter_add_p)
def _select_and_scatter_add_transpose(ct: Any, source: Any, x: Any, **params: Any) -> list[Any]:
    ones = (1,) * typeof(x).ndim
    return [select_and_gather_add_p.bind(ct, x, **params, base_dilation=ones, window_dilation=ones), None]


@transpose_rules.rule(select_and_gather_add_p)
def _select_and_gather_add_transpose(
    ct: Any, tangents: Any, x: Any, *, select_prim: Primitive, base_dilation: Shape, window_dilation: Shape,
    **window: Any,
) -> list[Any]:  # fmt: skip
    """The cotangent of a window goes to the element that was chosen. A dilated base is made first, and undone last."""
    if any(d != 1 for d in window_dilation):
        raise NotImplementedError(
            "VJP not implemented for select_and_gather (MaxPool) with window dilation, got "
            f"window_dilation={window_dilation}."
        )
    dilated = any(d != 1 for d in base_dilation)
    if dilated:
        never = extreme(typeof(x).dtype, largest=select_prim is le_p)
        x = pad(x, np.array(never, typeof(x).dtype), [(0, 0, d - 1) for d in base_dilation])
    out = select_and_scatter_add_p.bind(ct, x, select_prim=select_prim, **window)
    if dilated:
        shape = typeof(out).shape
        out = slice(out, (0,) * len(shape), shape, base_dilation)
    return [out, None]


# ---- any function


@jvp_rules.rule(reduce_window_p)
def _reduce_window_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: Jaxpr, consts: Sequence[Any], **window: Any
) -> tuple[Sequence[Any], Sequence[Any]]:
    """A reduction of values and tangents together, by the jvp of the function."""
    n = len(primals) // 2
    if any(type(t) is not Zero for t in tangents[n:]):
        raise TypeError("reduce_window jvp does not support non-zero init_value_tangent.")
    dots = [*map(instantiate, tangents)]
    both, _ = jvp_jaxpr(jaxpr, (True,) * (2 * n), (True,) * n)

    def combine(left: Sequence[Any], right: Sequence[Any]) -> list[Any]:
        return jaxpr_as_fun(both)(*left[:n], *right[:n], *left[n:], *right[n:])

    operands, inits = [*primals[:n], *dots[:n]], [*primals[n:], *dots[n:]]
    out = reduce_window(operands, inits, combine, **window)
    return out[:n], out[n:]
