"""Core dimensions: the axes that a vectorized function works on, such as (n,m),(m)->(n). All others are batch axes."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import config
from ..aval import Shape, typeof
from ..lax.shaping import broadcast_shapes, squeeze

Names = tuple[str, ...]  # ("n", "m")


class CoreDimensions(NamedTuple):
    """The axes of the operands of one call: names and sizes of the core ones, shapes of the batch ones."""

    names: list[Names]
    sizes: dict[str, int]
    batches: list[Shape]  # of each operand
    batch: Shape  # what they broadcast to

    @property
    def rank(self) -> int:
        return len(self.batch)


def core_dimensions(signature: str, *args: Any) -> CoreDimensions:
    """The axes of `args` for a function of this signature.

    Raises ValueError where an operand has too few axes, where two core sizes of one name differ, or where batch
    axes do not broadcast: in the words of jnp.vectorize.
    """
    context = f"on vectorized function with excluded=frozenset() and signature={signature!r}"
    names = [tuple(re.findall(r"\w+", part)) for part in re.findall(r"\(.*?\)", signature.split("->")[0])]
    sizes: dict[str, int] = {}
    batches: list[Shape] = []
    for arg, own in zip(args, names, strict=True):
        shape = typeof(arg).shape
        take_sizes(shape, own, sizes, context)
        batches.append(shape[: len(shape) - len(own)])
    batch = broadcast_shapes(*batches)
    check_ranks([typeof(x).shape for x in args], batches, signature)
    return CoreDimensions(names, sizes, batches, batch)


def take_sizes(shape: Shape, names: Names, sizes: dict[str, int], context: str) -> None:
    if len(shape) < len(names):
        raise ValueError(
            f"input with shape {shape} does not have enough dimensions for all core dimensions {names} {context}"
        )
    for name, size in zip(names, shape[len(shape) - len(names) :], strict=True):
        if sizes.setdefault(name, size) != size:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {size} vs {sizes[name]} {context}")


def check_ranks(shapes: list[Shape], batches: list[Shape], signature: str | None) -> None:
    """Raises ValueError where the config does not let a batch axis be added, and one would be."""
    ranks = {len(batch) for shape, batch in zip(shapes, batches, strict=True) if shape}
    if len(ranks) > 1 and config.numpy_rank_promotion.value == "raise":
        raise ValueError(
            f"operands with shapes {shapes} require rank promotion for jnp.vectorize function with signature "
            f"{signature}. Set the jax_numpy_rank_promotion config option to 'allow' to disable this message; for more "
            "information, see https://docs.jax.dev/en/latest/rank_promotion_warning.html."
        )


def without_unit_batch(x: Any, batch: Shape, rank: int) -> tuple[Any, list[int]]:
    """`x` without its batch axes of size 1, and which of the `rank` common batch axes the remaining ones are."""
    ones = [d for d, n in enumerate(batch) if n == 1]
    kept: Sequence[int] = [rank - len(batch) + d for d, n in enumerate(batch) if n != 1]
    return squeeze(x, ones), list(kept)
