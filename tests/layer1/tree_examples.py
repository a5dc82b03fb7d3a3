"""Classes, trees and helpers of the tests of pytrees."""

import dataclasses
from collections import OrderedDict, defaultdict, namedtuple
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from minijax import tree_util as tu
from minijax.layer1_core import tree as core

Point = namedtuple("Point", "x y")
Other = namedtuple("Other", "x y")


@tu.register_pytree_node_class
class Pair:
    """A node whose class does not name its children."""

    def __init__(self, *children: Any, aux: Any = "aux"):
        self.children, self.aux = children, aux

    def tree_flatten(self):
        return self.children, self.aux

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, aux=aux)

    def __eq__(self, other):
        return type(other) is Pair and (self.children, self.aux) == (other.children, other.aux)

    def __repr__(self):
        return f"Pair{self.children}"


@tu.register_dataclass
@dataclasses.dataclass
class Model:
    w: Any
    b: Any
    name: str = core.static(default="relu")


@tu.register_static
@dataclasses.dataclass(frozen=True)
class Mode:
    name: str


KEYS = st.one_of(st.sets(st.text("abc", min_size=1, max_size=2), max_size=3), st.sets(st.integers(0, 5), max_size=3))


def dicts(children: st.SearchStrategy) -> st.SearchStrategy:
    return KEYS.flatmap(lambda keys: st.fixed_dictionaries(dict.fromkeys(keys, children)))


def nodes(children: st.SearchStrategy) -> st.SearchStrategy:
    """One level of every kind of node above `children`."""
    return st.one_of(
        st.lists(children, max_size=3),
        st.lists(children, max_size=3).map(tuple),
        dicts(children),
        dicts(children).map(OrderedDict),
        dicts(children).map(lambda d: defaultdict(list, d)),
        st.builds(Point, children, children),
        st.builds(
            lambda xs, aux: Pair(*xs, aux=aux), st.lists(children, max_size=2), st.sampled_from(["a", (1,), [2]])
        ),
        st.builds(Model, children, children, st.sampled_from(["relu", "tanh"])),
    )


LEAVES = st.one_of(st.integers(), st.text(max_size=2), st.just(np.float32(1)))
TREES = st.recursive(st.one_of(LEAVES, st.none(), st.just(Mode("train"))), nodes, max_leaves=8)


def law(*strategies: st.SearchStrategy) -> Any:
    """Try the test on values of these strategies; a busy machine may take its time over one."""
    return lambda test: settings(deadline=None, max_examples=40)(given(*strategies)(test))


def message_of(f: Any, *args: Any, error: type = ValueError, **kwargs: Any) -> str:
    with pytest.raises(error) as e:
        f(*args, **kwargs)
    assert type(e.value) is error
    return str(e.value)
