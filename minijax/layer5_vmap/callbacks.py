"""Calls to Python on batches: each says itself how (`vmap_method`). What is printed is printed for each example."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..layer1_core.lax.indexing import index_in_dim
from ..layer1_core.lax.shaping import broadcast as broadcast_to_front
from ..layer1_core.primitive import Primitive
from ..layer3_control.bodies import divided, united
from ..layer3_control.callbacks import io_callback_p, pure_callback_p
from ..layer3_control.debug import debug_callback_p, debug_print_p
from ..layer3_control.scan import scan
from .batching import Dim, Dims, at_front, batching_rules, marks_of, size_of, unmapped_aval

Result = tuple[Sequence[Any], list[Dim]]


def _one_by_one(call: Callable[..., Any], args: Sequence[Any], dims: Dims, unroll: bool = False) -> Sequence[Any]:
    """The stacked results of a call for each example, in a loop. The batch axes are in front."""
    batched = marks_of(dims)
    mapped, shared = divided(batched, args)
    return scan(lambda _, xs: ((), call(*united(batched, xs, shared))), (), mapped, unroll=unroll)[1]


@batching_rules.rule(pure_callback_p)
def _pure_callback_rule(
    args: Sequence[Any], dims: Dims, *, vmap_method: str | None, result_avals: tuple[Any, ...], **params: Any
) -> Result:
    size, fronts = size_of(args, dims), [*map(at_front, args, dims)]
    whole = tuple(unmapped_aval(a, 0, size) for a in result_avals)
    call = partial(pure_callback_p.bind, vmap_method=vmap_method, **params)
    match vmap_method:
        case "sequential" | "sequential_unrolled":
            one = partial(call, result_avals=result_avals)
            out = _one_by_one(one, fronts, dims, unroll=vmap_method == "sequential_unrolled")
        case "expand_dims" | "broadcast_all":
            n = size if vmap_method == "broadcast_all" else 1
            fronts = [broadcast_to_front(x, (n,)) if d is None else x for x, d in zip(fronts, dims, strict=True)]
            out = call(*fronts, result_avals=whole)
        case "legacy_vectorized":
            out = call(*fronts, result_avals=whole)
        case _:
            raise NotImplementedError(
                "vmap is only supported for the pure_callback primitive when vmap_method is one of 'sequential', "
                "'sequential_unrolled', 'expand_dims', 'broadcast_all', or 'legacy_vectorized'. Got "
                f"{vmap_method=}."
            )
    return out, [0] * len(out)


@batching_rules.rule(io_callback_p)
def _io_callback_rule(args: Sequence[Any], dims: Dims, *, ordered: bool, **params: Any) -> Result:
    if ordered:
        raise ValueError("Cannot `vmap` ordered IO callback.")
    out = _one_by_one(partial(io_callback_p.bind, ordered=False, **params), [*map(at_front, args, dims)], dims)
    return out, [0] * len(out)


def _debug_rule(primitive: Primitive, args: Sequence[Any], dims: Dims, **params: Any) -> Result:
    """One call for each example, in order: an equation each, as in JAX. Nothing is computed by them."""
    for i in range(size_of(args, dims)):
        each = [x if d is None else index_in_dim(x, i, d, keepdims=False) for x, d in zip(args, dims, strict=True)]
        primitive.bind(*each, **params)
    return [], []


batching_rules[debug_callback_p] = partial(_debug_rule, debug_callback_p)
batching_rules[debug_print_p] = partial(_debug_rule, debug_print_p)
