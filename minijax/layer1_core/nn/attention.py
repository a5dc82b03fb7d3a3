"""Attention: each query takes the average of the values, weighted by how well it goes with their keys.

Letters of axes: B batch, T queries, S keys, N query heads, K key heads, G = N / K query heads a key head, H features.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import dtypes
from ..jnp.array_creation import arange, asarray, ones, ones_like
from ..jnp.choosing import where
from ..jnp.creation import tril
from ..jnp.einsum import einsum
from ..jnp.shaping import broadcast_to, expand_dims, reshape, transpose
from ..jnp.ufuncs import logical_and
from ..lax.shaping import stop_gradient
from .softmax import logsumexp, softmax


@dataclass(frozen=True, slots=True)
class Masks:
    """Which keys a query may look at: by an array, by order, by distance, by the lengths of the sequences."""

    mask: Any  # [B, K, G, T, S], or sizes 1; None for no such restriction, here and below
    is_causal: bool
    window: tuple[int, int] | None  # how many keys before and after the query's own place
    query_lengths: Any  # [B]
    key_lengths: Any


def dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    bias: Any = None,
    mask: Any = None,
    *,
    scale: float | None = None,
    is_causal: bool = False,
    query_seq_lengths: Any = None,
    key_value_seq_lengths: Any = None,
    local_window_size: int | tuple[int, int] | None = None,
    implementation: str | None = None,
    return_residual: bool = False,
) -> Any:
    """softmax(scale query key^T + bias) value: [B, T, N, H], [B, S, K, H], [B, S, K, H] -> [B, T, N, H].

    B may be left out. `scale` is 1 / sqrt(H) by default. `bias` and the boolean `mask` are [B, N, T, S]; sizes B and
    N may be 1. With `return_residual` the logsumexp of the scores comes too, [B, T, N].
    Raises ValueError where shapes or dtypes do not fit.
    """
    query, key, value = map(asarray, (query, key, value))
    shape = query.shape
    query, key, value, bias, mask = (None if x is None else _to_rank_4(x) for x in (query, key, value, bias, mask))
    lengths = [None if n is None else asarray(n) for n in (query_seq_lengths, key_value_seq_lengths)]
    _check_arguments(query, key, value, bias, mask, *lengths)
    _check_implementation(implementation)
    window = (local_window_size, local_window_size) if isinstance(local_window_size, int) else local_window_size
    heads = query.shape[2], key.shape[2]
    masks = Masks(_grouped(mask, *heads), is_causal, window, *lengths)
    scale = float(1.0 / np.sqrt(key.shape[-1])) if scale is None else scale
    out, residual = _attend(query, key, value, _grouped(bias, *heads), masks, scale, return_residual)
    out = reshape(out, shape)
    return (out, reshape(residual, shape[:-1])) if return_residual else out


def _to_rank_4(x: Any) -> Any:
    x = asarray(x)
    return expand_dims(x, tuple(range(4 - x.ndim))) if x.ndim < 4 else x


def _grouped(x: Any, n: int, k: int) -> Any:
    """An array over query heads as one over key heads and groups: [B, N, T, S] -> [B, K, G, T, S]."""
    if x is None:
        return None
    b, heads, t, s = x.shape
    if heads == 1:
        return broadcast_to(x[:, :, None, :, :], (b, 1, n // k, t, s))
    assert heads == n
    return reshape(x, (b, k, n // k, t, s))


def _attend(query: Any, key: Any, value: Any, bias: Any, masks: Masks, scale: float, residual: bool) -> tuple[Any, Any]:
    b, t, n, h = query.shape
    query = reshape(query, (b, t, key.shape[2], n // key.shape[2], h))  # [B, T, N, H] -> [B, T, K, G, H]
    scores_dtype = dtypes.join((query.dtype, False), (np.dtype("float32"), False))[0]
    scores = einsum("BTKGH,BSKH->BKGTS", query, key, preferred_element_type=scores_dtype)
    scores = scores * asarray(scale, dtype=scores.dtype)
    scores = scores if bias is None else (scores + bias).astype(scores.dtype)
    scores = _masked(scores, masks).astype(np.float32)
    weights = softmax(scores, axis=-1).astype(key.dtype)
    out = einsum("BKGTS,BSKH->BTKGH", weights, value)
    if masks.query_lengths is not None:
        inside = _inside(t, masks.query_lengths)  # [B, T]
        out = out * inside[:, :, None, None, None].astype(out.dtype)
    if not residual:
        return out, None
    sums = logsumexp(scores, axis=-1).astype(key.dtype)  # [B, K, G, T]
    return out, stop_gradient(transpose(sums, (0, 3, 1, 2)))


# ---- masks


def _masked(scores: Any, masks: Masks) -> Any:
    """The scores, very negative where a query may not look: softmax makes 0 of them."""
    parts = list(_restrictions(masks, *scores.shape[-2:]))
    if not parts:
        return scores
    allowed = ones_like(scores, dtype=bool)
    for part in parts:
        allowed = logical_and(allowed, part)
    limit = min(float(dtypes.finfo(scores.dtype).max), float(np.finfo(np.float32).max))
    return where(allowed, scores, asarray(-0.7 * limit, dtype=scores.dtype))


def _restrictions(masks: Masks, t: int, s: int) -> Any:
    """Truth values that broadcast to [B, K, G, T, S], one for each restriction that there is."""
    if masks.mask is not None:
        yield masks.mask
    if masks.is_causal:
        yield tril(ones((t, s), dtype=bool))[None, None, None]
    if masks.window is not None:
        queries, keys = arange(t)[:, None], arange(s)[None, :]
        before, after = masks.window
        yield logical_and(queries >= keys - after, queries <= keys + before)[None, None, None]
    if masks.query_lengths is not None:
        yield _inside(t, masks.query_lengths)[:, None, None, :, None]
    if masks.key_lengths is not None:
        yield _inside(s, masks.key_lengths)[:, None, None, None, :]


def _inside(n: int, lengths: Any) -> Any:
    """Which of n places are inside of a sequence of each length: [B] -> [B, n]."""
    return arange(0, n)[None, :] < lengths[:, None]


# ---- checks


def _check_arguments(query: Any, key: Any, value: Any, bias: Any, mask: Any, q_lengths: Any, k_lengths: Any) -> None:
    b, s, k, h = key.shape
    _check(value, [b, s, k, h], key.dtype, "value")
    _check(query, [b, -1, -1, h], key.dtype, "query")
    _check(mask, [-1] * 4, np.dtype(bool), "mask")
    _check(bias, [-1] * 4, None, "bias")
    _check(q_lengths, [b], np.dtype("int32"), "query_seq_lengths")
    _check(k_lengths, [b], np.dtype("int32"), "key_value_seq_lengths")
    if query.shape[-2] % k:
        raise ValueError(
            f"The number of query heads must be a multiple of key/value heads, but got {query.shape[-2]} vs {k}"
        )


def _check(x: Any, shape: Sequence[int], dtype: Any, name: str) -> None:
    if x is None:
        return
    if x.ndim != len(shape):
        raise ValueError(f"{name} ndim should be {len(shape)}, but got {x.ndim}")
    if dtype is not None and x.dtype != dtype:
        raise ValueError(f"{name} dtype should be {dtype}, but got {x.dtype}")
    if any(want not in (-1, n) for want, n in zip(shape, x.shape, strict=True)):
        raise ValueError(f"{name} shape should be {shape}: but got {x.shape}")


def _check_implementation(implementation: str | None) -> None:
    if implementation == "cudnn":
        raise RuntimeError("cuDNN is not detected.")
    if implementation not in (None, "xla"):
        raise ValueError(f"Unsupported implementation option: {implementation}")
