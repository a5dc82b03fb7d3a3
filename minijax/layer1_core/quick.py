"""The short way of a jitted call: arrays alone, of types that were seen before, on the default device.

The long way asks every question each time: is something traced, static, donated, placed, deleted? Most calls give the
same answers as the call before. So the long way leaves a `Quick` behind, under the looks of the arguments, where all
answers were the usual ones; the next call needs to see only that its arguments are such arrays again.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .array import ArrayImpl
from .aval import ShapedArray
from .tree import PyTreeDef
from .tree_nodes import default_registry
from .treedef import LEAF, flatten_into

Program = Callable[[Sequence[np.ndarray]], list[np.ndarray]]
_STRINGS = frozenset({str})  # the types of keys that sort as they are


class Quick:
    """A program, and what is known of the calls that may go to it."""

    __slots__ = ("avals", "run", "ordered", "out_avals", "sharding", "out_tree")

    def __init__(
        self,
        avals: Sequence[ShapedArray],
        program: Program,
        out_avals: Sequence[ShapedArray],
        sharding: Any,
        out_tree: PyTreeDef,
    ):
        self.avals = tuple(avals)  # kept: a call is known by their identities
        self.out_avals, self.sharding, self.out_tree = out_avals, sharding, out_tree
        main = getattr(program, "main", None)  # of a compiled program: a function of arrays in row-major order
        self.ordered = main is not None
        self.run: Callable[..., list[np.ndarray]] = main or (lambda *values: program(values))

    def __call__(self, leaves: Sequence[ArrayImpl]) -> Any:
        """The results; None where an argument is not as usual."""
        sharding, values = self.sharding, []
        for x in leaves:
            value = x._plain
            if value is None:
                value = plain(x)
            if value is None or x._sharding is not sharding:
                return None
            values.append(value)
        found = self.run(*values)
        if self.out_tree is LEAF:
            return new_array(self.out_avals[0], found[0], sharding, self.ordered)
        ordered = self.ordered
        out = [new_array(aval, value, sharding, ordered) for aval, value in zip(self.out_avals, found, strict=True)]
        return self.out_tree.unflatten(out)


# The short way of calls on arrays that are elsewhere, from the leaves and the staged call; None where there is none.
# Chapter 7 enters that of arrays on several devices.
elsewhere_quick: list[Callable[[Sequence[ArrayImpl], Any], Any]] = [lambda leaves, traced: None]


def plain(x: ArrayImpl) -> np.ndarray | None:
    """The memory of an array that is not committed and lies in row-major order, remembered; else None."""
    if x._arrays and not x._committed:
        flags = x._arrays[0].flags
        x._plain = x._arrays[0] if flags.c_contiguous and flags.aligned else None
    return x._plain


def new_array(aval: ShapedArray, value: np.ndarray, sharding: Any, ordered: bool = False) -> ArrayImpl:
    """An array that owns `value`. (Without ArrayImpl's own __init__: that takes half as long again.)"""
    value.setflags(False)  # pyright: ignore[reportCallIssue]  # not writeable; by its name it takes twice as long
    x: ArrayImpl = object.__new__(ArrayImpl)
    x.aval, x._arrays, x._sharding, x._committed, x._plain = aval, [value], sharding, False, value if ordered else None
    return x


def key_of(args: tuple[Any, ...]) -> tuple[Any, list[Any] | tuple[Any, ...]] | None:
    """What a call is known by, and its leaves; None where one of them is no array."""
    for x in args:
        if type(x) is not ArrayImpl:
            break
    else:
        return tuple([id(x.aval) for x in args]), args
    leaves: list[Any] = []
    key: list[Any] = []
    return (tuple(key), leaves) if _look_into(args, leaves, key) else None


def _look_into(tree: Any, leaves: list[Any], key: list[Any]) -> bool:
    """Append the leaves of a tree, and what it looks like; False where a leaf is no array.

    This is `flatten_into` for trees of arrays alone; it takes half the time for a dict of 20.
    """
    cls = type(tree)
    if cls is dict and _STRINGS.issuperset(map(type, tree)):
        names = sorted(tree)
        key += (dict, len(names), *names)
        children: Any = [tree[name] for name in names]
    elif cls is tuple or cls is list:
        key += (cls, len(tree))
        children = tree
    elif default_registry[cls] is not None:
        flatten_into(tree, children := [], key)
    else:
        return False
    for x in children:
        if type(x) is ArrayImpl:
            leaves.append(x)
            key.append(id(x.aval))
        elif not _look_into(x, leaves, key):
            return False
    return True
