"""The short way of a jitted call: arrays alone, of types that were seen before, on the default device.

The long way asks every question each time: is something traced, static, donated, placed, deleted? Most calls give the
same answers as the call before. So the long way leaves a `Quick` behind, under the types of the arguments, where all
answers were the usual ones; the next call needs to see only that its arguments are such arrays again.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .array import ArrayImpl
from .aval import ShapedArray
from .tree import PyTreeDef
from .treedef import LEAF, flatten_into

Program = Callable[[Sequence[np.ndarray]], list[np.ndarray]]


class Quick:
    """A program, and what is known of the calls that may go to it."""

    __slots__ = ("avals", "program", "out_avals", "sharding", "out_tree")

    def __init__(
        self,
        avals: Sequence[ShapedArray],
        program: Program,
        out_avals: Sequence[ShapedArray],
        sharding: Any,
        out_tree: PyTreeDef,
    ):
        self.avals = tuple(avals)  # kept: a call is known by their identities
        self.program, self.out_avals, self.sharding, self.out_tree = program, out_avals, sharding, out_tree

    def __call__(self, leaves: Sequence[ArrayImpl]) -> Any:
        """The results; None where an argument is not as usual."""
        sharding, values = self.sharding, []
        for x in leaves:
            arrays = x._arrays
            if not arrays or x._sharding is not sharding or x._committed:
                return None
            values.append(arrays[0])
        found = self.program(values)
        if self.out_tree is LEAF:
            return new_array(self.out_avals[0], found[0], sharding)
        out = [new_array(aval, value, sharding) for aval, value in zip(self.out_avals, found, strict=True)]
        return self.out_tree.unflatten(out)


def new_array(aval: ShapedArray, value: np.ndarray, sharding: Any) -> ArrayImpl:
    """An array that owns `value`. (Without ArrayImpl's own __init__: that takes half as long again.)"""
    value.setflags(False)  # pyright: ignore[reportCallIssue]  # not writeable; by its name it takes twice as long
    x: ArrayImpl = object.__new__(ArrayImpl)
    x.aval, x._arrays, x._sharding, x._committed = aval, [value], sharding, False
    return x


def key_of(args: tuple[Any, ...]) -> tuple[Any, list[Any] | tuple[Any, ...]] | None:
    """What a call is known by, and its leaves; None where one of them is no array."""
    for x in args:
        if type(x) is not ArrayImpl:
            break
    else:
        return tuple([id(x.aval) for x in args]), args
    leaves: list[Any] = []
    spec: list[Any] = []
    flatten_into(args, leaves, spec)
    for x in leaves:
        if type(x) is not ArrayImpl:
            return None
    return (*spec, *[id(x.aval) for x in leaves]), leaves
