"""PyTreeDef, the structure of a pytree, and flattening, which takes a tree apart into leaves and structure.

Flattening is on the way of every jitted call. So it makes two flat lists in one pass: the leaves, and a
*spec* (the node type, auxiliary data and number of children of each node, in the order they are met).
The spec as a tuple is the key of a table of the treedefs seen before; a `PyTreeDef` is built only when
it is new. Like trees then get the very same treedef, which makes it a cheap key of jit's cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .tree_nodes import DICT, LIST, TUPLE, Kind, NodeType, PyTreeRegistry, default_registry, leaf_types

IsLeaf = Callable[[Any], bool | None] | None
_NOT_ITERABLE = (
    "unflatten(): incompatible function arguments. The following argument types are supported:\n"
    "    1. unflatten(self, arg: Iterable[Any], /) -> Any\n\nInvoked with types: jaxlib._jax.pytree.PyTreeDef, {}"
)


class PyTreeDef:
    """The structure of a pytree: node types and their aux data, with a hole `*` for each leaf.

    >>> tree_structure([1, (2, None), {"a": 3}])
    PyTreeDef([*, (*, None), {'a': *}])
    """

    __slots__ = ("node", "aux", "_children", "num_leaves", "num_nodes", "_hash")

    def __init__(self, node: NodeType | None, aux: Any, children: tuple[PyTreeDef, ...]):
        self.node, self.aux, self._children = node, aux, children
        self.num_leaves: int = sum([c.num_leaves for c in children]) if node else 1
        self.num_nodes: int = sum([c.num_nodes for c in children]) + 1
        # The aux of a user's node need not be hashable; a dict's keys are.
        self._hash = hash((node, aux if node is DICT else None, children))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PyTreeDef) or self._hash != other._hash:
            return False
        return self.node is other.node and same_aux(self.aux, other.aux) and self._children == other._children

    @property
    def is_leaf(self) -> bool:
        """True for the structure `*` alone."""
        return self.node is None

    def children(self) -> list[PyTreeDef]:
        return list(self._children)

    def node_data(self) -> tuple[type, Any] | None:
        """(type, aux) of the root, or None for a leaf. The keys of a dict are a list, as in JAX."""
        if self.node is None:
            return None
        match self.node.kind:
            case Kind.DICT:
                return dict, list(self.aux)
            case Kind.NAMED_TUPLE:
                return self.node.type, None
        return self.node.type, self.aux

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree of this structure with `leaves` in its holes, from left to right.

        Raises ValueError where there are too few or too many.
        """
        if not hasattr(leaves, "__iter__"):
            raise TypeError(_NOT_ITERABLE.format(type(leaves).__name__))
        leaves = list(leaves)
        if len(leaves) < self.num_leaves:
            raise ValueError(f"Too few leaves for PyTreeDef; expected {self.num_leaves}, got {len(leaves)}")
        if len(leaves) > self.num_leaves:
            raise ValueError(f"Too many leaves for PyTreeDef; expected {self.num_leaves}.")
        return self._build(iter(leaves))

    def _build(self, leaves: Iterator[Any]) -> Any:
        if self.node is None:
            return next(leaves)
        children = [next(leaves) if c is LEAF else c._build(leaves) for c in self._children]
        return self.node.unflatten(self.aux, children)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The subtrees of `tree` that stand where this structure has its leaves.

        >>> tree_structure([0, 0]).flatten_up_to([(1, 2), 3])
        [(1, 2), 3]

        Raises ValueError where `tree` has another node than this structure. Of several such places
        the last is named, since JAX looks from right to left.
        """
        subtrees: list[Any] = []
        self._collect(tree, subtrees)
        return subtrees[::-1]

    def _collect(self, tree: Any, subtrees: list[Any]) -> None:
        if self.node is None:
            subtrees.append(tree)
            return
        children = matching_children(self, tree)
        for treedef, child in zip(reversed(self._children), reversed(children), strict=True):
            treedef._collect(child, subtrees)

    def compose(self, inner: PyTreeDef) -> PyTreeDef:
        """This structure with `inner` in each hole."""
        if self.node is None:
            return inner
        return PyTreeDef(self.node, self.aux, tuple([c.compose(inner) for c in self._children]))

    @staticmethod
    def from_node_data_and_children(
        registry: PyTreeRegistry, node_data: tuple[type, Any] | None, children: Iterable[PyTreeDef]
    ) -> PyTreeDef:
        """The treedef whose `node_data()` and `children()` are these. Raises RuntimeError for an unknown type."""
        if node_data is None:
            return LEAF
        cls, aux = node_data
        node = registry[cls]
        if node is None:
            raise RuntimeError(f"Could not find type: {cls}.")
        aux = tuple(aux) if node is DICT else cls if node.kind is Kind.NAMED_TUPLE else aux
        return PyTreeDef(node, aux, tuple(children))

    def __repr__(self) -> str:
        return f"PyTreeDef({structure_text(self)})"

    def __reduce__(self) -> tuple:
        return restore_treedef, (self.node_data(), self._children)


PyTreeDef.__module__ = "jaxlib._jax.pytree"  # what `type(treedef)` prints in JAX
LEAF = PyTreeDef(None, None, ())  # the only one for a leaf, so that `treedef is LEAF` asks for it


def restore_treedef(node_data: tuple[type, Any] | None, children: tuple[PyTreeDef, ...]) -> PyTreeDef:
    """What pickle calls: node types go by their class, found again in the registry."""
    return PyTreeDef.from_node_data_and_children(default_registry, node_data, children)


def same_aux(a: Any, b: Any) -> bool:
    """Whether two nodes' aux data are the same or equal. Raises ValueError where they cannot be compared."""
    try:
        return a is b or bool(a == b)
    except Exception as e:
        raise ValueError(
            "Exception raised while checking equality of metadata fields of pytree. Make sure that metadata fields"
            " are hashable and have simple equality semantics. (Note: arrays cannot be passed as metadata fields!)"
        ) from e


def structure_text(treedef: PyTreeDef) -> str:
    """The structure as it prints inside `PyTreeDef(...)`."""
    node, aux = treedef.node, treedef.aux
    if node is None:
        return "*"
    children = [structure_text(c) for c in treedef.children()]
    inside = ", ".join(children)
    match node.kind:
        case Kind.TUPLE:
            return f"({inside},)" if len(children) == 1 else f"({inside})"
        case Kind.LIST:
            return f"[{inside}]"
        case Kind.DICT:
            return "{" + ", ".join([f"{k!r}: {c}" for k, c in zip(aux, children, strict=True)]) + "}"
        case Kind.NONE:
            return "None"
        case Kind.NAMED_TUPLE:
            return f"CustomNode(namedtuple[{node.type.__name__}], [{inside}])"
    return f"CustomNode({node.type.__name__}[{aux}], [{inside}])"


def matching_children(treedef: PyTreeDef, tree: Any) -> Any:
    """The children of `tree`, whose root is to be the node at the root of `treedef`.

    Raises ValueError in JAX's words where type, aux data or the number of children differ.
    """
    node, size = treedef.node, len(treedef.children())
    assert node is not None, "a leaf has no children to match"
    if type(tree) is not node.type:
        raise ValueError(type_mismatch(node, tree))
    children, aux = node.flatten(tree)
    if node.kind is Kind.DICT and aux != treedef.aux:
        raise ValueError(f"Dict key mismatch; expected keys: {list(treedef.aux)}; present keys: {list(aux)}.")
    if aux is not treedef.aux and aux != treedef.aux:
        what = "dataclass node" if node.kind is Kind.DATACLASS else "node"
        raise ValueError(f"Mismatch custom {what} data: {treedef.aux!r} != {aux!r}; value: {tree!r}.")
    if len(children) != size:
        name = {Kind.TUPLE: "Tuple", Kind.LIST: "List"}.get(node.kind, "Custom type")
        label = node.type.__name__ if node in (TUPLE, LIST) else "value"
        raise ValueError(f"{name} arity mismatch: {len(children)} != {size}; {label}: {tree!r}.")
    return children


def type_mismatch(node: NodeType, tree: Any) -> str:
    """The message for a `tree` whose root is of another type than `node`."""
    match node.kind:
        case Kind.TUPLE | Kind.LIST | Kind.DICT:
            return f"Expected {node.type.__name__}, got {tree!r}."
        case Kind.NONE:
            return (
                f"Expected None, got {tree!r}.\n\nIn previous releases of JAX, flatten-up-to used to consider None"
                " to be a tree-prefix of non-None values. To obtain the previous behavior, you can usually write:\n"
                "  jax.tree.map(lambda x, y: None if x is None else f(x, y), a, b, is_leaf=lambda x: x is None)"
            )
        case Kind.NAMED_TUPLE if isinstance(tree, tuple) and hasattr(tree, "_fields"):
            return f"Named tuple type mismatch: expected type: {node.type}, tuple: {tree!r}."
        case Kind.NAMED_TUPLE:
            return f"Expected named tuple, got {tree!r}."
    what = "dataclass node" if node.kind is Kind.DATACLASS else "node"
    return f"Custom {what} type mismatch: expected type: {node.type}, value: {tree!r}."


# ---- flattening ----

EXACT_TYPES = {str, int, type(None), type}  # equal values are interchangeable, and cost nothing to keep
TABLE_SIZE = 4096  # structures remembered; a program that makes more starts again with an empty table
treedefs: dict[tuple, PyTreeDef] = {}  # spec -> treedef


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """Stands in a spec for aux data that may equal others without being the same, as {1: x} and {True: x}.

    It equals only itself, so a spec that holds one is never found in the table.
    """

    aux: Any


def says_leaf(is_leaf: Callable[[Any], bool | None], tree: Any) -> bool:
    """The answer of the user's `is_leaf`. Raises ValueError unless it is a bool, or None for no."""
    answer = is_leaf(tree)
    if answer is not None and not isinstance(answer, bool):
        raise ValueError(f"is_leaf predicate returned a non-boolean value {answer!r}; expected a boolean")
    return bool(answer)


def flatten_into(tree: Any, leaves: list[Any], spec: list[Any], is_leaf: IsLeaf = None) -> None:
    """Append the leaves of `tree` to `leaves` and its structure to `spec`.

    A leaf adds None to the spec; a node adds its NodeType, aux and number of children, then what these add.
    """
    node = default_registry[type(tree)]
    if (is_leaf is not None and says_leaf(is_leaf, tree)) or node is None:
        leaves.append(tree)
        spec.append(None)
        return
    if node is TUPLE or node is LIST:
        children, aux = tree, None
    else:
        children, aux = node.flatten(tree)
        if not EXACT_TYPES.issuperset(map(type, aux if type(aux) is tuple else (aux,))):
            aux = Opaque(aux)
    spec += (node, aux, len(children))
    for child in children:
        if type(child) in leaf_types and is_leaf is None:  # no call for the commonest child: 1.5 times as fast
            leaves.append(child)
            spec.append(None)
        else:
            flatten_into(child, leaves, spec, is_leaf)


def treedef_from_spec(spec: tuple) -> PyTreeDef:
    """The treedef that `flatten_into` described, the same object for the same spec."""
    treedef = parse_spec(iter(spec))
    if Opaque not in map(type, spec):
        if len(treedefs) >= TABLE_SIZE:
            treedefs.clear()
        treedefs[spec] = treedef
    return treedef


def parse_spec(tokens: Iterator[Any]) -> PyTreeDef:
    node = next(tokens)
    if node is None:
        return LEAF
    aux, n = next(tokens), next(tokens)
    children = tuple([parse_spec(tokens) for _ in range(n)])
    return PyTreeDef(node, aux.aux if isinstance(aux, Opaque) else aux, children)


def tree_flatten(tree: Any, is_leaf: IsLeaf = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves of `tree` from left to right, and its structure. `is_leaf` can make a node a leaf.

    >>> tree_flatten({"b": [1, 2], "a": None})
    ([1, 2], PyTreeDef({'a': None, 'b': [*, *]}))
    """
    leaves: list[Any] = []
    spec: list[Any] = []
    flatten_into(tree, leaves, spec, is_leaf)
    key = tuple(spec)
    return leaves, treedefs.get(key) or treedef_from_spec(key)


def tree_leaves(tree: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """The leaves of `tree` from left to right."""
    leaves: list[Any] = []
    flatten_into(tree, leaves, [], is_leaf)
    return leaves


def tree_structure(tree: Any, is_leaf: IsLeaf = None) -> PyTreeDef:
    """The structure of `tree`."""
    return tree_flatten(tree, is_leaf)[1]


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The tree of structure `treedef` with these leaves: undoes `tree_flatten`."""
    return treedef.unflatten(leaves)
