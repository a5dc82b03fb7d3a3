"""Which types are nodes of a pytree, and how their values come apart.

A *node* is a value of a registered type: tuple, list, dict, None, any named tuple, and what users
register. Every other value is a *leaf*. The type is looked up as it is: a subclass of list is a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

Children = Iterable[Any]


class Kind(Enum):
    """What errors and texts need to know of a node type; the set is closed."""

    TUPLE = auto()
    LIST = auto()
    DICT = auto()
    NONE = auto()
    NAMED_TUPLE = auto()
    CUSTOM = auto()
    DATACLASS = auto()


@dataclass(frozen=True, slots=True, eq=False)
class NodeType:
    """How the values of one type come apart and go together again.

    `flatten` gives (children, aux): a list or tuple, and what else is needed to rebuild the value.
    `keyed` gives (pairs of key and child, aux), where the user said how to name the children.
    """

    type: type
    kind: Kind
    flatten: Callable[[Any], tuple[Any, Any]]
    unflatten: Callable[[Any, Children], Any]  # aux, children -> value
    keyed: Callable[[Any], tuple[Any, Any]] | None = None
    fields: tuple[str, ...] = ()  # the children's names, of named tuples and dataclasses


class PyTreeRegistry(dict[type, NodeType | None]):
    """type -> its NodeType, or None where values of the type are leaves."""

    def __missing__(self, cls: type) -> NodeType | None:
        """Decide once about a type that nobody registered: a named tuple is a node, the rest are leaves."""
        if isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields"):
            self[cls] = named_tuple_node(cls)
        else:
            self[cls] = None
            leaf_types.add(cls)
        return self[cls]

    def flatten_one_level(self, tree: Any) -> tuple[Any, Any] | None:
        """(children, aux) of the root of `tree`, or None for a leaf."""
        node = self[type(tree)]
        return None if node is None else node.flatten(tree)


def named_tuple_node(cls: Any) -> NodeType:
    """Named tuples need no registration; their class is their aux."""
    return NodeType(cls, Kind.NAMED_TUPLE, lambda x: (list(x), cls), lambda _, xs: cls(*xs), fields=cls._fields)


def flatten_dict(tree: dict) -> tuple[tuple, tuple]:
    """The values in the order of the sorted keys, and those keys.

    Raises ValueError, as JAX, where the keys cannot be sorted.
    """
    try:
        keys = tuple(sorted(tree))
    except Exception as e:
        raise ValueError("Comparator raised exception while sorting pytree dictionary keys.") from e
    return tuple([tree[k] for k in keys]), keys


def dict_of(keys: tuple, children: Children) -> dict:
    """The dict that `flatten_dict` took apart."""
    return dict(zip(keys, children))  # noqa: B905 (zip's keyword would make it take twice the time)


TUPLE = NodeType(tuple, Kind.TUPLE, lambda x: (x, None), lambda _, xs: tuple(xs))
LIST = NodeType(list, Kind.LIST, lambda x: (x, None), lambda _, xs: list(xs))
DICT = NodeType(dict, Kind.DICT, flatten_dict, dict_of)
NONE = NodeType(type(None), Kind.NONE, lambda _: ((), None), lambda _, xs: None)

leaf_types: set[type] = set()  # the types that `default_registry` has as leaves: asked for each leaf
default_registry = PyTreeRegistry({node.type: node for node in (TUPLE, LIST, DICT, NONE)})
