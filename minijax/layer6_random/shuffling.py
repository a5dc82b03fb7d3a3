"""Orders and samples: elements are shuffled by sorting them by random words."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layer1_core.jit import jit
from ..layer1_core.jnp.arguments import concrete
from ..layer1_core.jnp.array_creation import arange, asarray, zeros
from ..layer1_core.jnp.cumulative import cumsum
from ..layer1_core.jnp.promotion import check_arraylike, promote_dtypes_inexact
from ..layer1_core.jnp.sorting import searchsorted
from ..layer1_core.jnp.taking import take
from ..layer1_core.jnp.ufuncs import log
from ..layer1_core.lax.shaping import canonicalize_axis
from ..layer1_core.lax.sorting import sort_key_val, top_k
from ..layer1_core.trace import pure
from .arguments import drawn, typed_key
from .integers import randint
from .keys import split_typed
from .maxima import gumbel
from .uniform import random_bits, uniform

# ---- permutation


def permutation(key: Any, x: Any, axis: int = 0, independent: bool = False, *, out_sharding: Any = None) -> Any:
    """The elements of `x` along `axis` in a random order; those of arange(x) for an integer.

    The same order for all slices, unless `independent`.
    """
    key = typed_key("permutation", key)
    check_arraylike("permutation", x)
    axis = canonicalize_axis(axis, np.ndim(x) or 1)
    if np.ndim(x):
        return drawn(_permutation, key, x, axis, independent, out_sharding=out_sharding)
    if not np.issubdtype(asarray(x).dtype, np.integer):
        raise TypeError("x must be an integer or at least 1-dimensional")
    size = int(concrete(x, "argument x of jax.random.permutation()"))
    return drawn(lambda key: _shuffle(key, arange(size), axis), key, out_sharding=out_sharding)


def _permutation(key: Any, x: Any, axis: int, independent: bool) -> Any:
    if independent or np.ndim(x) == 1:
        return _shuffle(key, x, axis)
    return take(x, _shuffle(key, arange(x.shape[axis]), 0), axis, unique_indices=True)


@jit(static_argnums=(2,))
def _shuffle(key: Any, x: Any, axis: int) -> Any:
    """Sorted by random words, so often that two elements hardly ever have equal words each time."""
    rounds = math.ceil(3 * math.log(max(1, x.size)) / math.log(np.iinfo(np.uint32).max))
    for _ in range(rounds):
        key, sub = split_typed(key)
        _, x = sort_key_val(random_bits(sub, 32, x.shape), x, axis)
    return x


# ---- choice


def choice(
    key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0, mode: str | None = None
) -> Any:
    """Elements of `a` along `axis` (of arange(a) for an integer), with the probabilities `p`; all alike for None.

    Without `replace` no element is taken twice. Raises ValueError where there are too few.
    """
    key = typed_key("choice", key)
    if not isinstance(shape, Sequence):
        raise TypeError(f"shape argument of jax.random.choice must be a sequence, got {shape}")
    check_arraylike("choice", a)
    arr = asarray(a)
    if arr.ndim:
        axis = canonicalize_axis(axis, arr.ndim)
    inputs = arr.shape[axis] if arr.ndim else int(concrete(a, "The error occurred in jax.random.choice()"))
    draws = math.prod(shape)
    if draws == 0:
        return zeros(shape, dtype=arr.dtype)
    _check_counts(inputs, draws, replace)
    if p is None:
        result = _alike(key, arr, inputs, tuple(shape), draws, replace, axis)
    else:
        places = _weighted(key, p, inputs, tuple(shape), draws, replace, mode)
        result = take(arr, places, axis) if arr.ndim else places
    return result.reshape((*arr.shape[:axis], *shape, *arr.shape[axis + 1 :]) if arr.ndim else shape)


def _check_counts(inputs: int, draws: int, replace: bool) -> None:
    if inputs <= 0:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if not replace and draws > inputs:
        raise ValueError(
            f"Cannot take a larger sample (size {draws}) than population (size {inputs}) when 'replace=False'"
        )


def _alike(key: Any, arr: Any, inputs: int, shape: tuple[int, ...], draws: int, replace: bool, axis: int) -> Any:
    """A sample in which all elements are equally likely."""
    if replace:
        places = randint(key, shape, 0, inputs)
        return take(arr, places, axis) if arr.ndim else places
    whole = permutation(key, arr if arr.ndim else inputs, axis)
    return whole[(*(slice(None),) * axis, slice(draws))]


def _weighted(key: Any, p: Any, inputs: int, shape: tuple[int, ...], draws: int, replace: bool, mode: Any) -> Any:
    """The places of a sample with probabilities `p`: by their running sums, or by the largest of noisy logarithms."""
    check_arraylike("choice", p)
    (p,) = map(pure, promote_dtypes_inexact(p))
    if p.shape != (inputs,):
        raise ValueError(
            "p must be None or a 1D vector with the same size as a.shape[axis]. "
            f"p has shape {p.shape} and a.shape[axis] is {inputs}."
        )
    if replace:
        sums = cumsum(p)
        return searchsorted(sums, sums[-1] * (1 - uniform(key, shape, dtype=sums.dtype))).astype(int)
    noisy = gumbel(key, (inputs,), dtype=p.dtype, mode=mode) + log(p)
    return top_k(noisy, k=draws)[1].astype(int)
