"""The rules of the primitives on keys: derivatives, which are zero; batch axes; lowering, by way of words.

And what a function of Python's gets that is called with keys.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ..layer1_core.aval import ShapedArray
from ..layer1_core.primitive import Primitive
from ..layer1_core.trace import EVAL, current_trace
from ..layer2_jit.lowering import CALLED, lowering_rules
from ..layer3_control.callbacks import io_callback_p, pure_callback_p
from ..layer3_control.debug import debug_callback_p, debug_print_p
from ..layer4_grad.families import defjvp_zero, no_rule
from ..layer4_grad.jvp import jvp_rules
from ..layer4_grad.transpose import transpose_rules
from ..layer5_vmap.batching import batching_rules, bdim_at_front, size_of
from ..layer5_vmap.families import Dims, Result, defbroadcasting, defvectorized
from . import implementation, memory  # noqa: F401 - these enter the implementation, and keys as words
from .blocks import counter_half_p, lower_half_p, swapped_halves_p, threefry2x32_p, threefry_words_p, upper_half_p
from .key_array import PRNGKeyArray
from .key_types import has_keys, impl_of
from .primitives import (
    random_bits_p,
    random_clone_p,
    random_fold_in_p,
    random_seed_p,
    random_split_p,
    random_unwrap_p,
    random_wrap,
    random_wrap_p,
)
from .rounding import RUN_ONLY

ON_KEYS: tuple[Primitive, ...] = (
    random_seed_p, random_split_p, random_fold_in_p, random_bits_p, random_wrap_p, random_unwrap_p,
)  # fmt: skip
ON_WORDS: tuple[Primitive, ...] = (threefry2x32_p, threefry_words_p, upper_half_p, lower_half_p, swapped_halves_p)

# ---- derivatives: a key does not change a little

defjvp_zero(*ON_KEYS)
no_rule(jvp_rules, "its operands are keys or words, which have no tangents", random_clone_p, *ON_WORDS)
no_rule(jvp_rules, "it has no operands", counter_half_p)
no_rule(
    transpose_rules,
    "its derivative is zero: no cotangent comes to it",
    *ON_KEYS, random_clone_p, *ON_WORDS, counter_half_p,
)  # fmt: skip

for _table in (jvp_rules, transpose_rules):
    no_rule(_table, "it stands in programs that are about to be run, which nobody differentiates", *RUN_ONLY)

# ---- batch axes

defvectorized(
    random_seed_p,
    random_split_p,
    random_bits_p,
    random_unwrap_p,
    random_clone_p,
    upper_half_p,
    lower_half_p,
    swapped_halves_p,
)
defbroadcasting(random_fold_in_p, threefry_words_p, threefry2x32_p)
no_rule(batching_rules, "it has no operand that could have a batch axis: it is never asked", counter_half_p)

_threefry_rule = batching_rules[threefry2x32_p]


@batching_rules.rule(threefry2x32_p)
def _threefry(args: Sequence[Any], dims: Dims) -> Result:
    out, dim = _threefry_rule(args, dims)
    return out, [dim] * len(out)


@batching_rules.rule(random_wrap_p)
def _wrap(args: Sequence[Any], dims: Dims, *, impl: Any) -> Result:
    return random_wrap(bdim_at_front(args[0], dims[0], size_of(args, dims)), impl=impl), 0


# ---- lowering: in a program that is compiled there are words in the place of keys, and these are gone (memory.py)

lowering_rules.update(dict.fromkeys((*ON_KEYS, random_clone_p), CALLED))

# ---- calls to Python: they get the words of keys, as these lie in memory


def _called_with_words(primitive: Primitive) -> Callable[..., Any]:
    return lambda avals, *words, **params: primitive.bind(*words, **params)


def _shown(primitive: Primitive) -> Callable[..., Any]:
    """Of `jax.debug`: outside of a program the arguments come as they are, so keys as keys."""
    with_words = _called_with_words(primitive)

    def rule(avals: Sequence[ShapedArray], *words: Any, **params: Any) -> Any:
        if current_trace.get() is not EVAL:
            return with_words(avals, *words, **params)
        held = [PRNGKeyArray(impl_of(a), x) if has_keys(a) else x for a, x in zip(avals, words, strict=True)]
        return primitive.impl(*held, **params)  # type: ignore[misc]  # debug.py gave them one

    return rule


memory.memory_rules.update({p: _called_with_words(p) for p in (pure_callback_p, io_callback_p)})
memory.memory_rules.update({p: _shown(p) for p in (debug_callback_p, debug_print_p)})
