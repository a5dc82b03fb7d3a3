"""The places at which two pytrees do not fit each other, in JAX's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import ndiff
from functools import partial
from textwrap import indent
from typing import Any

from .tree_nodes import default_registry
from .tree_paths import KeyPath, flatten_one_level, flatten_one_level_with_keys, keystr
from .treedef import IsLeaf, PyTreeDef, says_leaf, tree_unflatten


def stops_at(tree: Any, is_leaf: IsLeaf) -> bool:
    """Whether `tree` is a leaf as a whole."""
    return default_registry[type(tree)] is None or (is_leaf is not None and says_leaf(is_leaf, tree))


@dataclass(frozen=True, slots=True)
class Root:
    """The root of a tree taken apart for comparison."""

    tree: Any
    children: tuple
    keys: tuple
    aux: Any

    @staticmethod
    def of(tree: Any) -> Root:
        children, aux = flatten_one_level(tree)
        return Root(tree, tuple(children), tuple(k for k, _ in flatten_one_level_with_keys(tree)[0]), aux)


def key_difference(a: Root, b: Root) -> set | None:
    """The keys that only one of the two has, or None where keys cannot be hashed."""
    try:
        return set(a.keys) ^ set(b.keys)
    except TypeError:
        return None


def prefix_errors(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf = None) -> list[Callable[[str], ValueError]]:
    """One error for each place where `prefix_tree` is not a prefix of `full_tree`, to be called with its name."""
    return list(iter_prefix_errors((), prefix_tree, full_tree, is_leaf))


def iter_prefix_errors(
    path: KeyPath, prefix: Any, full: Any, is_leaf: IsLeaf = None
) -> Iterator[Callable[[str], ValueError]]:
    """The errors of `prefix_errors` from left to right. `is_leaf` is asked about the root only, as in JAX."""
    if stops_at(prefix, is_leaf):
        return
    if type(prefix) is not type(full):
        yield partial(prefix_error, path, "types", type_difference(prefix, full))
        return
    a, b = Root.of(prefix), Root.of(full)
    found = root_difference(a, b)
    if found is not None:
        yield partial(prefix_error, path, *found)
        return
    for key, p, f in zip(a.keys, a.children, b.children, strict=True):
        yield from iter_prefix_errors((*path, key), p, f)


def prefix_error(path: KeyPath, what: str, details: str, name: str) -> ValueError:
    return ValueError(
        f"pytree structure error: different {what} at key path\n    {name}{keystr(path)}\n"
        f"At that key path, the prefix pytree {name} has a subtree of type{details}"
    )


def root_difference(a: Root, b: Root) -> tuple[str, str] | None:
    """What differs between two roots of one type, and the details; or None."""
    if isinstance(a.tree, (list, tuple)):
        if len(a.tree) != len(b.tree):
            return f"lengths of {type(a.tree).__name__}", length_difference(a.tree, b.tree)
    elif len(a.children) != len(b.children):
        return "numbers of pytree children", children_difference(a, b)
    if a.aux != b.aux:
        return "pytree metadata", aux_difference(a, b)
    return None


def type_difference(prefix: Any, full: Any) -> str:
    return (
        f"\n    {type(prefix)}\nbut at the same key path the full pytree has a subtree of different type\n"
        f"    {type(full)}."
    )


def length_difference(prefix: Any, full: Any) -> str:
    return (
        f" {type(prefix).__name__} of length {len(prefix)}, but the full pytree has a subtree of the same type"
        f" but of length {len(full)}."
    )


def children_difference(a: Root, b: Root) -> str:
    diff = key_difference(a, b)
    return (
        f"\n    {type(a.tree)}\nwith {len(a.children)} child keys\n    {' '.join(map(str, a.keys))}\n"
        "but at the same key path the full pytree has a subtree of the same type but with "
        f"{len(b.children)} child keys\n    {' '.join(map(str, b.keys))}\n"
        + ("" if diff is None else f"so the symmetric difference on key sets is\n    {' '.join(map(str, diff))}")
    )


def aux_difference(a: Root, b: Root) -> str:
    lines = "\n".join(ndiff(str(a.aux).splitlines(), str(b.aux).splitlines()))
    return (
        f"\n    {type(a.tree)}\nwith metadata\n    {a.aux}\n"
        "but at the same key path the full pytree has a subtree of the same type but with metadata\n"
        f"    {b.aux}\nso the diff in the metadata at these pytree nodes is\n{indent(lines, '    ')}"
    )


Difference = tuple[KeyPath, str, str, str]  # path, what the first is, what the second is, why they differ


def equality_errors(tree1: Any, tree2: Any, is_leaf: IsLeaf = None) -> Iterator[Difference]:
    """(path, thing1, thing2, explanation) for each place where two trees have different structure.

    >>> [(keystr(path), *rest) for path, *rest in equality_errors([1, (2, 3)], [1, (2,)])]
    [('[1]', 'tuple of length 2', 'tuple of length 1', 'the lengths do not match')]
    """
    yield from iter_equality_errors((), tree1, tree2, is_leaf)


def iter_equality_errors(path: KeyPath, tree1: Any, tree2: Any, is_leaf: IsLeaf) -> Iterator[Difference]:
    if stops_at(tree1, is_leaf) and stops_at(tree2, is_leaf):
        return
    if type(tree1) is not type(tree2):
        yield path, str(type(tree1)), str(type(tree2)), "their Python types differ"
        return
    a, b = Root.of(tree1), Root.of(tree2)
    found = root_inequality(a, b)
    if found is not None:
        yield path, *found
        return
    for key, child1, child2 in zip(a.keys, a.children, b.children, strict=True):
        yield from iter_equality_errors((*path, key), child1, child2, is_leaf)


def root_inequality(a: Root, b: Root) -> tuple[str, str, str] | None:
    """What two roots of one type are and why they differ; or None."""
    if isinstance(a.tree, (list, tuple)) and len(a.tree) != len(b.tree):
        things = [f"{type(r.tree).__name__} of length {len(r.tree)}" for r in (a, b)]
        return things[0], things[1], "the lengths do not match"
    if len(a.children) != len(b.children):
        return count_text(a), count_text(b), "the numbers of children do not match" + only_in_one(a, b)
    if a.aux != b.aux:
        things = [f"{type(r.tree)} with pytree metadata {r.aux}" for r in (a, b)]
        return things[0], things[1], "the pytree node metadata does not match"
    return None


def count_text(root: Root) -> str:
    n = len(root.children)
    return f"{type(root.tree)} with {n} child{'ren' if n > 1 else ''}"


def only_in_one(a: Root, b: Root) -> str:
    """The keys that only one root has, where all of them are keys of a dict or flat indices."""
    diff = key_difference(a, b)
    if not diff or not all(hasattr(k, "key") for k in diff):
        return ""
    return f", with the symmetric difference of key sets: {{{' '.join(repr(k.key) for k in diff)}}}"


class _LeafType(type):
    def __repr__(cls) -> str:
        return "pytree leaf"


class AnyLeaf(metaclass=_LeafType):
    """Stands for any leaf; its type prints as 'pytree leaf'."""


def equality_errors_pytreedef(tree1: PyTreeDef, tree2: PyTreeDef) -> Iterator[Difference]:
    """`equality_errors` of two structures."""
    leaf = AnyLeaf()
    return equality_errors(
        tree_unflatten(tree1, [leaf] * tree1.num_leaves), tree_unflatten(tree2, [leaf] * tree2.num_leaves)
    )
