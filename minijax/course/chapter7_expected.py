"""What is right in the exercises of chapter 7: by the package, by search, by counting elements, or on one device."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .chapter3_given import package
from .chapter7_given import Part, auto_mesh, divided, parts_held, picture

# ---- places


def placed_by_jit(operands: Sequence[Any], default: Any) -> tuple[Any, bool]:
    """Where a jitted function of these operands puts its result: (devices, whether committed)."""
    jax = package()
    with jax.default_device(default):
        out = jax.jit(lambda operands: [jax.numpy.sum(x) for x in operands])(operands)[0]
    return out.devices(), out.committed


def holding(index: Sequence[int], shape: Sequence[int], spec: Any, mesh: Any) -> list[int]:
    """The numbers of the devices whose part has the element at this index."""
    held = enumerate(parts_held(mesh, spec, shape))
    within = lambda part: all(start <= i < stop for i, (start, stop) in zip(index, part, strict=True))
    return [number for number, part in held if within(part)]


def spec_by_search(blocks: Sequence[Any], names: Sequence[str]) -> Any:
    """The spec that makes this picture, found among all of them; None where none does."""
    mesh = auto_mesh(**dict(zip(names, np.shape(blocks[0]), strict=True)))
    for entries in _all_entries(names, len(blocks)):
        spec = package("sharding").PartitionSpec(*entries)
        if np.array_equal(picture(mesh, spec, len(blocks)), blocks):
            return spec
    return None


def _all_entries(names: Sequence[str], ndim: int) -> Iterator[tuple[tuple[str, ...], ...]]:
    """All ways to give some of the names, in some order, to so many axes."""
    for order in (o for k in range(len(names) + 1) for o in itertools.permutations(names, k)):
        for axes in itertools.product(range(ndim), repeat=len(order)):
            if list(axes) == sorted(axes):
                yield tuple(tuple(n for n, axis in zip(order, axes, strict=True) if axis == d) for d in range(ndim))


# ---- types, and what moves


def einsum_type_by_parts(letters: str, mesh: Any, lhs: Any, rhs: Any) -> str:
    """The type of a product by the package's rules for sums, for `dot_general` and for products of elements."""
    jax, lax = package(), package("lax")
    (left, right), out = letters.split("->")[0].split(","), letters.split("->")[1]

    def product(x: Any, y: Any) -> Any:
        x, left_kept = _summed(x, left, right + out)
        y, right_kept = _summed(y, right, left + out)
        both = [letter for letter in left_kept if letter in right_kept]
        if not [letter for letter in both if letter not in out]:
            return lax.mul(_spread(x, left_kept, out), _spread(y, right_kept, out))
        batch, contracted = ([letter for letter in both if (letter in out) is kept] for kept in (True, False))
        dims = [[[*map(own.index, some)] for own in (left_kept, right_kept)] for some in (contracted, batch)]
        made = [*batch, *(letter for letter in left_kept + right_kept if letter not in both)]
        return lax.transpose(lax.dot_general(x, y, dims), [*map(made.index, out)])

    operands = [divided(mesh, spec, len(own)) for spec, own in zip((lhs, rhs), (left, right), strict=True)]
    try:
        return str(jax.make_jaxpr(product)(*operands).out_avals[0])
    except package("layer7_sharding.types").ShardingTypeError as error:
        return type(error).__name__


def _summed(x: Any, own: str, others: str) -> tuple[Any, str]:
    """An operand without the axes that nobody else has, and the letters of those that stay."""
    alone = tuple(axis for axis, letter in enumerate(own) if letter not in others)
    return x.sum(alone), "".join(letter for letter in own if letter in others)


def _spread(x: Any, own: str, out: str) -> Any:
    """An operand with its axes in the order of the result, of size 1 where it has none."""
    lax = package("lax")
    x = lax.transpose(x, sorted(range(len(own)), key=lambda axis: out.index(own[axis])))
    return lax.expand_dims(x, [axis for axis, letter in enumerate(out) if letter not in own])


def bytes_counted(before: Sequence[Part], after: Sequence[Part], itemsize: int) -> int:
    """What all devices receive, element by element."""
    elements = lambda part: {*itertools.product(*(range(start, stop) for start, stop in part))}
    return itemsize * sum(len(elements(new) - elements(old)) for old, new in zip(before, after, strict=True))


# ---- what is said


def talk_of_ring(size: int, devices: int) -> dict[str, int]:
    """What each device sends in a sum around a ring, in two rounds of parts of an array of this size."""
    return {"ppermute": 2 * (devices - 1) * (size // devices)}
