"""Random keys and what is drawn with them: each key's own axes stay, drawn ones are whole."""

from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer6_random import blocks as b, primitives as p
from ...layer6_random.gamma import random_gamma_p
from ..families import defbroadcasting, defkept
from ..types import ShardingTypeError, entries_of, sharding_rules

defkept(p.random_seed_p, p.random_clone_p, p.random_split_p, p.random_bits_p, p.random_unwrap_p)
defkept(b.upper_half_p, b.lower_half_p, b.swapped_halves_p)
defbroadcasting(p.random_fold_in_p, b.threefry_words_p)

sharding_rules[b.counter_half_p] = lambda out, **params: (None,)


@sharding_rules.rule(p.random_wrap_p)
def _wrap_rule(out: ShapedArray, words: ShapedArray, **params: Any) -> Any:
    if any(entries_of(words)[out.ndim :]):
        raise ShardingTypeError(
            f"The trailing dims of extended dtypes should be replicated. Got sharding: {words.sharding}, "
            f"num_trailing_dims: {words.ndim - out.ndim}"
        )
    return entries_of(words)[: out.ndim]


@sharding_rules.rule(b.threefry2x32_p)
def _threefry_rule(out: list[ShapedArray], *avals: ShapedArray) -> Any:
    return [sharding_rules[b.threefry_words_p](aval, *avals) for aval in out]


@sharding_rules.rule(random_gamma_p)
def _gamma_rule(out: ShapedArray, key: ShapedArray, a: ShapedArray, **params: Any) -> Any:
    return a.sharding.spec
