"""Slices: all of them are linear in the array, and their transpose puts the window back among zeros."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import Shape, told, typeof
from ...layer1_core.lax.indexing import dynamic_slice_p, dynamic_update_slice_p, rev, rev_p, slice_p
from ...layer1_core.lax.shaping import full, full_like, pad_p
from ..families import deflinear, deflinear2
from ..jvp import jvp_rules
from ..tangents import Zero, instantiate, zero_of
from ..transpose import is_undefined_primal, transpose_rules
from .parts import const

# ---- slices at a fixed place


def _slice_transpose(
    ct: Any, x: Any, *, start_indices: Shape, limit_indices: Shape, strides: Shape | None
) -> list[Any]:
    """Zeros before, after and (for strides) between. (NumPy's integers stand where JAX's programs show them.)"""
    if strides is None or all(stride == 1 for stride in strides):
        after, between = np.subtract(x.shape, limit_indices), (0,) * x.ndim
    else:
        sizes = np.array(typeof(ct).shape)
        taken = np.where(sizes == 0, 0, 1 + (sizes - 1) * strides)
        after, between = x.shape - (np.array(start_indices) + taken), np.subtract(strides, 1)
    config = tuple(zip(start_indices, after, between, strict=True))
    return [pad_p.bind(ct, const(ct, 0), padding_config=config)]


deflinear2(slice_p, _slice_transpose)
deflinear(rev_p, lambda ct, dimensions: [rev(ct, dimensions)])

# ---- windows at a place that is data


@jvp_rules.rule(dynamic_slice_p)
def _dynamic_slice_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, slice_sizes: Shape) -> tuple[Any, Any]:
    (x, *starts), x_dot = primals, tangents[0]
    if type(x_dot) is not Zero:
        x_dot = dynamic_slice_p.bind(x_dot, *starts, slice_sizes=slice_sizes)
    out = dynamic_slice_p.bind(x, *starts, slice_sizes=slice_sizes)
    return out, zero_of(out) if type(x_dot) is Zero else x_dot


@transpose_rules.rule(dynamic_slice_p)
def _dynamic_slice_transpose(ct: Any, x: Any, *starts: Any, slice_sizes: Shape) -> list[Any]:
    zeros = full(x.shape, 0, typeof(ct).dtype, sharding=told(x.aval))
    return [dynamic_update_slice_p.bind(zeros, ct, *starts), *[None] * len(starts)]


@jvp_rules.rule(dynamic_update_slice_p)
def _dynamic_update_slice_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    out = dynamic_update_slice_p.bind(*primals)
    return out, dynamic_update_slice_p.bind(*map(instantiate, tangents[:2]), *primals[2:])


@transpose_rules.rule(dynamic_update_slice_p)
def _dynamic_update_slice_transpose(ct: Any, x: Any, update: Any, *starts: Any) -> list[Any]:
    """The update gets the window of the cotangent, and the operand what is outside of it."""
    shape = update.shape if is_undefined_primal(update) else typeof(update).shape
    zeros = full_like(ct, 0, shape=shape)
    for_x = dynamic_update_slice_p.bind(ct, zeros, *starts) if is_undefined_primal(x) else None
    for_update = dynamic_slice_p.bind(ct, *starts, slice_sizes=shape) if is_undefined_primal(update) else None
    return [for_x, for_update, *[None] * len(starts)]
