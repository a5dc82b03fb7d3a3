"""Bodies: the functions that a loop or a branch is given, staged once for each kind of call."""

import functools
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from ..layer1_core.array import int_value
from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.evaluate import keep_interpreted
from ..layer1_core.fun_names import arg_names, fun_signature, fun_source_info
from ..layer1_core.jaxpr import DebugInfo, Jaxpr
from ..layer1_core.jit import caches
from ..layer1_core.misses import FLAGS
from ..layer1_core.primitive import Primitive
from ..layer1_core.staging import trace_to_jaxpr
from ..layer1_core.trace import Tracer, current_trace
from ..layer1_core.tree import PyTreeDef, tree_unflatten

# function -> {kind of call: Body}. Weak: a body lives as long as its function.
_bodies: "weakref.WeakKeyDictionary[Any, dict[Any, Body]]" = weakref.WeakKeyDictionary()
caches.append(_bodies)
_PACKAGE = __name__.split(".")[0] + "."


@dataclass(frozen=True, eq=False)
class Body:
    """A staged function. It is closed over nothing: what it captures are the first inputs of its program."""

    jaxpr: Jaxpr
    consts: list[Any]  # the values of those inputs
    out_tree: PyTreeDef
    made: dict[Any, Any] = field(default_factory=dict)  # what was made of it: see `remembered`

    @property
    def out(self) -> Any:
        """The tree of the types of the results."""
        return tree_unflatten(self.out_tree, self.jaxpr.out_avals)


@dataclass(frozen=True, eq=False)
class Source:
    """A function to be staged. What it becomes is remembered under `owner`, the user's function in it."""

    fun: Callable[..., Any]
    owner: Callable[..., Any]
    traced_for: str  # 'scan', ...
    args: tuple[Any, ...]  # what `owner` is called with, in structure
    inputs: Callable[[tuple[str, ...]], tuple[str, ...]] = tuple  # from the names of these to those of what `fun` takes

    @staticmethod
    def of(fun: Callable[..., Any], traced_for: str, args: tuple[Any, ...]) -> "Source":
        """A function of the user's, to be called with trees like `args`."""
        return Source(fun, fun, traced_for, args)

    @property
    def info(self) -> DebugInfo:
        """What messages say of the function."""
        names = arg_names(fun_signature(self.owner), self.args, {})
        return DebugInfo(self.traced_for, fun_source_info(self.owner), self.inputs(names))

    def staged(self, in_tree: PyTreeDef, avals: Sequence[ShapedArray]) -> Body:
        """The function at arguments of these types; `in_tree` is the tree of (args, kwargs).

        At the same types it is traced once, and then remembered. What captures a value of a function that is being
        traced is right only inside of that, and remembered there.
        """
        key = (self.traced_for, in_tree, *avals, *(flag.value for flag in FLAGS))
        table, here = self._table(), current_trace.get().closures
        found = table.get(key) or here.get((id(self.owner), key), (None,))[0]
        if found is None:
            found = self._traced(in_tree, avals)
            if any(isinstance(c, Tracer) for c in found.consts):
                here[id(self.owner), key] = found, self.owner
            else:
                table[key] = found
        return found

    def _traced(self, in_tree: PyTreeDef, avals: Sequence[ShapedArray]) -> Body:
        jaxpr, out_tree = trace_to_jaxpr(self.fun, in_tree, avals, self.info)
        body = Body(_open(jaxpr), jaxpr.consts, out_tree)
        if (getattr(self.owner, "__module__", None) or "").startswith(_PACKAGE):
            keep_interpreted(body.jaxpr)
        return body

    def _table(self) -> dict[Any, Body]:
        try:
            return _bodies.setdefault(self.owner, {})
        except TypeError:  # it cannot be hashed, or not be held weakly
            return {}


def _open(jaxpr: Jaxpr) -> Jaxpr:
    """`jaxpr` with its constants as its first inputs."""
    return jaxpr.replace(constvars=[], consts=[], invars=[*jaxpr.constvars, *jaxpr.invars])


def types_of(values: Sequence[Any]) -> list[ShapedArray]:
    """The types of the leaves of arguments.

    Raises TypeError for one that is not an array, OverflowError for a Python int that is too large.
    """
    avals = [typeof(x) for x in values]
    for x, aval in zip(values, avals, strict=True):
        if type(x) is int:
            int_value(x, aval.dtype)
    return avals


class Carrier(Primitive):
    """A primitive whose equations carry programs or functions.

    Types are not remembered for it: that table would keep alive what each equation carries.
    """

    multiple_results = True

    def out_avals(self, in_avals: tuple[ShapedArray, ...], params: dict[str, Any]) -> Any:
        return self.abstract_eval(*in_avals, **params)


# ---- programs made from programs


def remembered(rule: Callable[..., Any]) -> Callable[..., Any]:
    """`rule`, a function of a body and of values that can be hashed, asked once for each as long as the body lives.

    So two equal loops have one and the same program, which is printed once and compiled once.
    """

    @functools.wraps(rule)
    def ask(body: Body, *args: Any) -> Any:
        key = rule, *args
        if key not in body.made:
            body.made[key] = rule(body, *args)
        return body.made[key]

    return ask


def forwarded(jaxpr: Jaxpr) -> list[int | None]:
    """For each result the position of the input that it is, or None where it is computed."""
    place = {id(v): i for i, v in enumerate(jaxpr.invars)}
    return [place.get(id(v)) for v in jaxpr.outvars]


# ---- lists in parts


def parts(values: Sequence[Any], *sizes: int) -> Iterator[list[Any]]:
    """Lists of these sizes, one after the other, and what is left over.

    >>> [*parts("abcde", 1, 2)]
    [['a'], ['b', 'c'], ['d', 'e']]
    """
    rest = iter(values)
    for size in sizes:
        yield [*islice(rest, size)]
    yield [*rest]


def divided(marks: Sequence[bool], values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The values that are marked, and the others."""
    pairs = [*zip(marks, values, strict=True)]
    return [x for mark, x in pairs if mark], [x for mark, x in pairs if not mark]


def united(marks: Sequence[bool], marked: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The list that `divided` makes these two of."""
    first, second = iter(marked), iter(others)
    return [next(first if mark else second) for mark in marks]


def own(results: Sequence[np.ndarray], operands: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Results that are not in the memory of an operand, which may be written to after its last use."""
    taken = set(map(id, operands))
    return [x.copy() if x.base is not None or id(x) in taken else x for x in results]
