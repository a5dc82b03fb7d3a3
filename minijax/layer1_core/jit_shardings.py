"""`in_shardings` and `out_shardings` of jit: the place of each argument and of each result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .array import ArrayImpl
from .aval import ShapedArray
from .device_put import device_put
from .devices import Sharding
from .jit_call import UNSPECIFIED
from .trace import place_of, user_line
from .tree import PyTreeDef, keystr, prefix_errors, spread_axes, tree_flatten, tree_flatten_with_path

# What a leaf means that is no sharding, by its type: (leaf, 'in_shardings' or 'out_shardings') -> sharding. Chapter 7
# enters PartitionSpec.
meaning_of_type: dict[type, Callable[[Any, str], Sharding]] = {}


@dataclass(frozen=True)
class Places:
    """A tree of shardings, taken apart so that it can be part of a key. None is a leaf: no place is named."""

    name: str  # 'in_shardings' or 'out_shardings'
    leaves: tuple[Any, ...]
    treedef: PyTreeDef

    def of(self, treedef: PyTreeDef) -> tuple[Any, ...]:
        """A place for each leaf of `treedef`, of which this tree is a prefix; raises ValueError where it is not."""
        tree = self.treedef.unflatten(self.leaves)
        if self.name == "in_shardings" and isinstance(tree, (list, tuple)):
            tree = tuple(tree)
            self._check_length(len(tree), len(treedef.children()))
        spread = spread_axes(treedef, tree)
        if spread is None:
            errors = prefix_errors(tree, treedef.unflatten([0] * treedef.num_leaves))
            told = "\n".join(str(error(f"pjit {self.name}")) for error in errors)
            raise ValueError(f"Mismatch details ({len(errors)} found):\n{told}")
        return tuple(UNSPECIFIED if place is None else _meant(place, self.name) for place in spread)

    def _check_length(self, found: int, wanted: int) -> None:
        if found != wanted:
            raise ValueError(
                f"pjit {self.name} specification must be a tree prefix of the positional arguments tuple. In "
                f"particular, pjit {self.name} must either be a Sharding, a PartitionSpec, or a tuple of length equal "
                f"to the number of positional arguments. But pjit {self.name} is the wrong length: got a tuple or list "
                f"of length {found} for an args tuple of length {wanted}."
            )


def _meant(place: Any, name: str) -> Any:
    return meaning_of_type[type(place)](place, name) if type(place) in meaning_of_type else place


def places(name: str, shardings: Any) -> Any:
    """`shardings` as Places, or UNSPECIFIED. Raises TypeError for a leaf that is no sharding."""
    if shardings is UNSPECIFIED:
        return UNSPECIFIED
    leaves, treedef = tree_flatten(shardings, is_leaf=lambda x: x is None)
    for leaf in leaves:
        if leaf is not None and type(leaf) not in meaning_of_type and not isinstance(leaf, Sharding):
            raise TypeError(
                f"{name} leaf specifications are expected to be PartitionSpec instances or None, but got {leaf}"
            )
    return Places(name, tuple(leaves), treedef)


def places_of(named: Any, treedef: PyTreeDef) -> tuple[Any, ...]:
    """A place, or UNSPECIFIED, for each leaf of `treedef`."""
    return (UNSPECIFIED,) * treedef.num_leaves if named is UNSPECIFIED else named.of(treedef)


def leaf_names(name: str, tree: PyTreeDef) -> list[str]:
    """What the leaves of a tree are called, of which the whole is called `name`."""
    paths, _ = tree_flatten_with_path(tree.unflatten(range(tree.num_leaves)))
    return [name + keystr(path) for path, _ in paths]


def check_fit(what: str, names: Sequence[str], avals: Sequence[ShapedArray], where: Sequence[Any]) -> None:
    """Raises ValueError for an array of a shape that its place does not divide. `what` is 'arguments' or 'outputs'."""
    for name, aval, place in zip(names, avals, where, strict=True):
        if place is UNSPECIFIED:
            continue
        told = f"One of pjit {what} with pytree key path {name}"
        try:
            place.check_compatible_aval(aval.shape)
        except ValueError as error:
            raise ValueError(f"{told} is incompatible with its sharding annotation {place}: {error}") from None
        try:
            place.shard_shape(aval.shape)
        except ValueError as error:
            source = place_of(user_line())
            raise type(error)(
                f"{told} was given the sharding {error}. This error occurs at source:  {source}"
            ) from None


def typed_there(avals: Sequence[ShapedArray], where: Sequence[Any]) -> list[ShapedArray]:
    """The type of each array at its place."""
    return [aval if place is UNSPECIFIED else place.typed(aval) for aval, place in zip(avals, where, strict=True)]


def check_where(leaves: Sequence[Any], where: Sequence[Any]) -> None:
    """Raises ValueError for an argument that is divided already, and not as its place says."""
    for x, place in zip(leaves, where, strict=True):
        if place is UNSPECIFIED or not isinstance(x, ArrayImpl):
            continue
        if x._committed and not x._sharding.is_equivalent_to(place, x.ndim):
            raise ValueError(
                f"Sharding passed to jit does not match the sharding on the respective arg. Got jit sharding: {place},"
                f"\narg sharding: {x._sharding} for arg type: {x.aval.str_short()}"
            )


def put_each(leaves: Sequence[Any], where: Sequence[Any]) -> list[Any]:
    """Each array at its place; those whose place is UNSPECIFIED where they are."""
    return [x if place is UNSPECIFIED else device_put(x, place) for x, place in zip(leaves, where, strict=True)]
