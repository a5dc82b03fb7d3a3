"""The functions of `jax.tree_util`: map, reduce, transpose and broadcast over pytrees.

Every name of the pytree modules can be imported from here.
"""

# ruff: noqa: F401 (some names are imported to be offered)

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from .tree_errors import (
    equality_errors,
    equality_errors_pytreedef,
    iter_prefix_errors,
    prefix_errors,
)
from .tree_nodes import TUPLE, default_registry
from .tree_paths import (
    DictKey,
    FlattenedIndexKey,
    GetAttrKey,
    KeyEntry,
    KeyPath,
    SequenceKey,
    flatten_one_level,
    flatten_one_level_with_keys,
    keystr,
    tree_flatten_with_path,
    tree_leaves_with_path,
)
from .tree_register import (
    Partial,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
    static,
)
from .treedef import (
    LEAF,
    IsLeaf,
    PyTreeDef,
    flatten_into,
    tree_flatten,
    tree_leaves,
    tree_structure,
    tree_unflatten,
)

# ---- map ----


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf = None) -> Any:
    """The tree with f(x, *ys) in the place of each leaf x; the ys are what stands there in the trees of `rest`.

    >>> tree_map(lambda x, y: (x, y), {"a": 1, "b": 2}, {"a": 3, "b": [4]})
    {'a': (1, 3), 'b': (2, [4])}

    Raises ValueError, naming the key path, where `tree` is not a prefix of a tree of `rest`.
    """
    leaves, treedef = tree_flatten(tree, is_leaf)
    columns = [subtrees(treedef, tree, r, is_leaf, "tree_map tree") for r in rest]
    return treedef.unflatten(f(*xs) for xs in zip(leaves, *columns, strict=True))


def tree_map_with_path(
    f: Callable[..., Any],
    tree: Any,
    *rest: Any,
    is_leaf: Callable[..., bool | None] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """As `tree_map`, with the key path of the leaf as f's first argument."""
    pairs, treedef = tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    columns = [subtrees(treedef, tree, r, is_leaf, "tree_map_with_path tree") for r in rest]
    return treedef.unflatten(f(*pair, *ys) for pair, *ys in zip(pairs, *columns, strict=True))


def subtrees(treedef: PyTreeDef, tree: Any, other: Any, is_leaf: IsLeaf, name: str) -> list[Any]:
    """What stands in `other` where `tree`, of structure `treedef`, has its leaves.

    Raises ValueError that calls `tree` by `name` and tells the first place, from left to right, that differs.
    """
    try:
        return treedef.flatten_up_to(other)
    except Exception as e:
        error = next(iter_prefix_errors((), tree, other, is_leaf), None)
        raise (e if error is None else error(name)) from None


# ---- reduce ----


class Unspecified:
    """Stands for a start value that was not given; None is one that may be given."""


UNSPECIFIED = Unspecified()


def tree_reduce(
    function: Callable[[Any, Any], Any], tree: Any, initializer: Any = UNSPECIFIED, is_leaf: IsLeaf = None
) -> Any:
    """The leaves folded from the left with `function`, starting from `initializer` or else the first leaf.

    >>> tree_reduce(lambda total, x: total + x, [1, (2, 3)])
    6
    """
    start = () if initializer is UNSPECIFIED else (initializer,)
    return reduce(function, tree_leaves(tree, is_leaf), *start)


def tree_reduce_associative(
    operation: Callable[[Any, Any], Any], tree: Any, *, identity: Any = UNSPECIFIED, is_leaf: IsLeaf = None
) -> Any:
    """The leaves combined by halves, so that no leaf goes through more than log2(n) operations (rounded up).

    Raises TypeError where there is no leaf and no `identity` to return.
    """
    leaves = tree_leaves(tree, is_leaf)
    if leaves:
        return reduce_halves(operation, leaves)
    if identity is UNSPECIFIED:
        raise TypeError("Must specify identity for parallel reduction of empty sequence.")
    return identity


def reduce_halves(operation: Callable[[Any, Any], Any], items: list[Any]) -> Any:
    if len(items) == 1:
        return items[0]
    half = len(items) // 2
    return operation(reduce_halves(operation, items[:half]), reduce_halves(operation, items[half:]))


def tree_all(tree: Any, *, is_leaf: IsLeaf = None) -> bool:
    """Whether all leaves are true."""
    return all(tree_leaves(tree, is_leaf))


def all_leaves(iterable: Iterable[Any], is_leaf: IsLeaf = None) -> bool:
    """Whether all items are leaves."""
    items = list(iterable)
    if is_leaf is None:
        return all(default_registry[type(x)] is None for x in items)
    leaves = tree_leaves(items, is_leaf)
    return len(leaves) == len(items) and all(x is leaf for x, leaf in zip(items, leaves, strict=True))


def is_tree_node(typ: type) -> bool:
    """Whether values of the type are nodes."""
    return default_registry[typ] is not None


# ---- transpose ----


def tree_transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
    """A tree of inner trees of outer trees, from an outer tree of inner trees.

    >>> outer, inner = tree_structure([0, 0]), tree_structure({"a": 0, "b": 0})
    >>> tree_transpose(outer, inner, [{"a": 1, "b": 2}, {"a": 3, "b": 4}])
    {'a': [1, 3], 'b': [2, 4]}

    Without an inner treedef, that of the first inner tree is taken.
    Raises TypeError where the number of leaves is not that of outer times inner.
    """
    leaves, treedef = tree_flatten(pytree_to_transpose)
    if inner_treedef is None:
        inner_treedef = tree_structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    m, n = outer_treedef.num_leaves, inner_treedef.num_leaves
    if treedef.num_leaves != m * n:
        raise TypeError(f"Mismatch\n{treedef}\n != \n{outer_treedef.compose(inner_treedef)}")
    columns = [leaves[i::n] for i in range(n)] if m else []  # the i-th leaf of every inner tree
    return inner_treedef.unflatten([outer_treedef.unflatten(column) for column in columns])


# ---- broadcast ----


def tree_broadcast(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf = None) -> Any:
    """`full_tree` with each leaf replaced by the leaf of `prefix_tree` that stands at or above its place.

    >>> tree_broadcast((1, 2), (0, {"a": 0, "b": 0}))
    (1, {'a': 2, 'b': 2})
    """
    return tree_structure(full_tree).unflatten(broadcast_prefix(prefix_tree, full_tree, is_leaf))


def broadcast_prefix(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """The leaves of `tree_broadcast(prefix_tree, full_tree)`.

    Raises ValueError where `prefix_tree` is not a prefix of `full_tree`.
    """
    leaves, treedef = tree_flatten(prefix_tree, is_leaf)
    try:
        trees = treedef.flatten_up_to(full_tree)
    except ValueError:
        raise prefix_errors(prefix_tree, full_tree)[0]("broadcast_prefix prefix_tree") from None
    return [x for x, tree in zip(leaves, trees, strict=True) for _ in tree_leaves(tree)]


def broadcast_flattened_prefix_with_treedef(
    prefix_leaves: list[Any], prefix_treedef: PyTreeDef, full_treedef: PyTreeDef
) -> list[Any]:
    """As `broadcast_prefix`, of a prefix that is flat already and a full tree of which only the structure is known."""
    if prefix_treedef is LEAF:
        return prefix_leaves * full_treedef.num_leaves
    if full_treedef is LEAF:
        raise ValueError("`prefix_treedef` is not a prefix of `full_treedef`")
    if prefix_treedef.node_data() != full_treedef.node_data():
        raise ValueError(f"expected {full_treedef.node_data()}, got {prefix_treedef.node_data()}")
    out, start = [], 0
    for prefix, full in zip(prefix_treedef.children(), full_treedef.children(), strict=True):
        stop = start + prefix.num_leaves
        out += broadcast_flattened_prefix_with_treedef(prefix_leaves[start:stop], prefix, full)
        start = stop
    return out


class PytreeLeaf:
    """Stands for a leaf of which nothing is known."""

    def __repr__(self) -> str:
        return "pytree leaf"


PytreeLeaf.__module__ = "jax._src.api_util"  # part of the message that names its type


def flatten_axes(
    name: str, treedef: PyTreeDef, axis_tree: Any, *, kws: bool = False, tupled_args: bool = False
) -> list[Any]:
    """One axis for each leaf of `treedef`, from a prefix of it in which None counts as a leaf.

    `kws` says that the tree is (args, kwargs), `tupled_args` that it is the arguments' tuple; they matter for errors.
    Raises ValueError that lists the places where `axis_tree` is not a prefix and calls it by `name`.
    """
    axes = spread_axes(treedef, axis_tree)
    if axes is not None:
        return axes
    if kws:
        treedef, axis_tree = treedef.children()[0], axis_tree[0]
    hint = tuple_hint(name, treedef, axis_tree) if tupled_args else ""
    errors = prefix_errors(axis_tree, treedef.unflatten([PytreeLeaf()] * treedef.num_leaves))
    assert errors, "unreachable code"
    details = "\n  ".join(str(error(name)) for error in errors)
    raise ValueError(
        f"{name} specification must be a tree prefix of the corresponding value; {hint}"
        f"\n  Mismatch details ({len(errors)} found):\n  {details}"
    )


def spread_axes(treedef: PyTreeDef, axis_tree: Any) -> list[Any] | None:
    """One axis for each leaf of `treedef`, or None where `axis_tree` is not a prefix of it."""
    leaves, axis_treedef = tree_flatten(axis_tree, is_leaf=lambda x: x is None)
    try:
        return broadcast_flattened_prefix_with_treedef(leaves, axis_treedef, treedef)
    except ValueError:
        return None


def tuple_hint(name: str, treedef: PyTreeDef, axis_tree: Any) -> str:
    """What to try where axes for a tuple of arguments do not fit."""
    hint = (
        f" Note that {name} that are non-trivial pytrees should always be wrapped in a tuple representing the"
        " argument list."
    )
    if len(treedef.children()) == 1 and spread_axes(treedef, (axis_tree,)) is not None:
        hint += (
            f" In particular, you're passing in a single argument which means that {name} might need to be"
            " wrapped in a singleton tuple."
        )
    return hint


# ---- treedefs ----


def treedef_tuple(treedefs: Iterable[PyTreeDef]) -> PyTreeDef:
    """The structure of a tuple whose items have these structures."""
    return PyTreeDef(TUPLE, None, tuple(treedefs))


def treedef_children(treedef: PyTreeDef) -> list[PyTreeDef]:
    """The structures of the root's children."""
    return treedef.children()


def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Whether the structure is one node, which None and () are too."""
    return treedef.num_nodes == 1
