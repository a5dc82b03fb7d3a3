"""Where things are in a pytree: key paths.

A key path is a tuple of keys, one for each node on the way from the root: `tree["a"][0].x` is
(DictKey("a"), SequenceKey(0), GetAttrKey("x")).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from .tree_nodes import Kind, NodeType, default_registry
from .treedef import LEAF, PyTreeDef, says_leaf

KeyEntry = Any  # one of the four key classes, or what a user puts in a path
KeyPath = tuple[KeyEntry, ...]


# The hashes are JAX's: they decide the order in which a set of keys is printed.
@dataclass(frozen=True, slots=True)
class SequenceKey:
    """The i-th item of a tuple or list."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx}]"

    def __hash__(self) -> int:
        return self.idx + 1


@dataclass(frozen=True, slots=True)
class DictKey:
    """The value of a dict under `key`."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class GetAttrKey:
    """A field of a named tuple or dataclass."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class FlattenedIndexKey:
    """The i-th child of a node whose class does not name its children."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"

    def __hash__(self) -> int:
        return self.key + 42


def keystr(keys: KeyPath, *, simple: bool = False, separator: str = "") -> str:
    """The path as text; `simple` leaves out brackets and quotes.

    >>> keystr((DictKey("a"), SequenceKey(0)))
    "['a'][0]"
    >>> keystr((DictKey("a"), SequenceKey(0)), simple=True, separator="/")
    'a/0'
    """
    return separator.join(map(simple_text if simple else str, keys))


def simple_text(key: Any) -> str:
    match key:
        case SequenceKey(x) | DictKey(x) | GetAttrKey(x) | FlattenedIndexKey(x):
            return str(x)
    return str(key)


# ---- flattening with paths ----


def flatten_one_level(tree: Any) -> tuple[Any, Any]:
    """(children, aux) of the root of `tree`. Raises ValueError for a leaf."""
    out = default_registry.flatten_one_level(tree)
    if out is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    return out


def keyed_children(node: NodeType, tree: Any) -> tuple[list[tuple[Any, Any]], Any]:
    """The children of `tree`, a value of `node`, each with its key; and its aux."""
    if node.keyed is not None:
        return node.keyed(tree)
    children, aux = node.flatten(tree)
    return list(zip(child_keys(node, aux, len(children)), children, strict=True)), aux


def child_keys(node: NodeType, aux: Any, n: int) -> list[Any]:
    """The keys of the `n` children of a node that has no keys of the user's."""
    match node.kind:
        case Kind.TUPLE | Kind.LIST:
            return [SequenceKey(i) for i in range(n)]
        case Kind.DICT:
            return [DictKey(k) for k in aux]
        case Kind.NAMED_TUPLE | Kind.DATACLASS:
            return [GetAttrKey(name) for name in node.fields]
    return [FlattenedIndexKey(i) for i in range(n)]


def flatten_one_level_with_keys(tree: Any) -> tuple[Any, Any]:
    """(pairs of key and child, aux) of the root of `tree`. Raises ValueError for a leaf.

    All children of a named tuple are called after its first field, as JAX 0.11 does here (and only here).
    """
    node = default_registry[type(tree)]
    if node is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    pairs, aux = keyed_children(node, tree)
    if node.kind is Kind.NAMED_TUPLE:
        pairs = [(pairs[0][0], child) for _, child in pairs]
    return (tuple(pairs) if node.kind in (Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.NONE) else pairs), aux


PathIsLeaf = Callable[[KeyPath, Any], bool | None] | None


def flatten_paths_into(path: KeyPath, tree: Any, is_leaf: PathIsLeaf, out: list[tuple[KeyPath, Any]]) -> PyTreeDef:
    """The structure of `tree`, which stands at `path`; its leaves with their paths are appended to `out`."""
    node = default_registry[type(tree)]
    if (is_leaf is not None and says_leaf(partial(is_leaf, path), tree)) or node is None:
        out.append((path, tree))
        return LEAF
    pairs, aux = keyed_children(node, tree)
    children = [flatten_paths_into((*path, key), child, is_leaf, out) for key, child in pairs]
    return PyTreeDef(node, aux, tuple(children))


def tree_flatten_with_path(
    tree: Any, is_leaf: Callable[..., bool | None] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[KeyPath, Any]], PyTreeDef]:
    """The (key path, leaf) pairs of `tree` from left to right, and its structure.

    >>> tree_flatten_with_path([1, {"x": 3}])[0]
    [((SequenceKey(idx=0),), 1), ((SequenceKey(idx=1), DictKey(key='x')), 3)]
    """
    out: list[tuple[KeyPath, Any]] = []
    check = is_leaf if is_leaf is None or is_leaf_takes_path else lambda path, x: is_leaf(x)
    return out, flatten_paths_into((), tree, check, out)


def tree_leaves_with_path(
    tree: Any, is_leaf: Callable[..., bool | None] | None = None, is_leaf_takes_path: bool = False
) -> list[tuple[KeyPath, Any]]:
    """The (key path, leaf) pairs of `tree` from left to right."""
    return tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]
