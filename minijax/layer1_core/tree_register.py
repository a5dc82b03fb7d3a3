"""Making classes into pytree nodes, and the classes of the standard library that are nodes from the start."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import methodcaller
from typing import Any, TypeVar

from .tree_nodes import Kind, NodeType, default_registry, dict_of, leaf_types
from .tree_paths import DictKey

Class = TypeVar("Class", bound=type)
Flatten = Callable[[Any], tuple[Iterable[Any], Any]]
Unflatten = Callable[[Any, Any], Any]

_NODE_SIGNATURE = """register_node(): incompatible function arguments. The following argument types are supported:
    1. register_node(self, type: type[_T], to_iterable: Callable[[_T], tuple[_Children, _AuxData]], \
from_iterable: Callable[[_AuxData, _Children], _T], \
to_iterable_with_keys: Callable[[_T], tuple[_KeyLeafPairs, _AuxData]] | None = None) -> Any

Invoked with types: jaxlib._jax.pytree.PyTreeRegistry, """


def register_pytree_node(
    nodetype: type,
    flatten_func: Flatten,
    unflatten_func: Unflatten,
    flatten_with_keys_func: Flatten | None = None,
) -> None:
    """Make the values of `nodetype` nodes: `flatten_func(x)` gives (children, aux), `unflatten_func(aux, children)` x.

    Raises TypeError for a function that cannot be called and ValueError for a type that is registered already.
    """
    functions = flatten_func, unflatten_func, flatten_with_keys_func
    if not (callable(flatten_func) and callable(unflatten_func)):
        raise TypeError(_NODE_SIGNATURE + ", ".join(type(x).__name__ for x in (nodetype, *functions)))
    keyed = None if flatten_with_keys_func is None else partial(checked_keys, flatten_with_keys_func)
    flatten = partial(checked_flatten, flatten_func)
    add_node(NodeType(nodetype, Kind.CUSTOM, flatten, lambda aux, xs: unflatten_func(aux, tuple(xs)), keyed))


def add_node(node: NodeType) -> None:
    """Put `node` in the registry, where its type is not yet (a named tuple's may be replaced)."""
    known = default_registry.get(node.type)
    if known is not None and known.kind is not Kind.NAMED_TUPLE:
        what = "custom dataclass PyTreeDef" if node.kind is Kind.DATACLASS else "custom PyTreeDef"
        raise ValueError(f"Duplicate {what} type registration for {node.type}.")
    leaf_types.discard(node.type)
    default_registry[node.type] = node


def checked_flatten(flatten_func: Flatten, tree: Any) -> tuple[Any, Any]:
    """(children as a list or tuple, aux) from a user's flatten function. Raises ValueError for anything else."""
    out = flatten_func(tree)
    must = "The to_iterable function for a custom PyTree node should return a (children, aux_data) tuple"
    if not isinstance(out, tuple) or len(out) != 2:
        raise ValueError(f"{must}, got {out!r}")
    children, aux = out
    if isinstance(children, (list, tuple)):
        return children, aux
    if not isinstance(children, Iterable):
        raise ValueError(f"{must} where 'children' is iterable, got {out!r}")
    return tuple(children), aux


def checked_keys(flatten_with_keys: Flatten, tree: Any) -> tuple[list[tuple[Any, Any]], Any]:
    """(pairs of key and child, aux) from a user's function. Raises ValueError for anything else."""
    out = flatten_with_keys(tree)
    must = "The to_iterable_with_keys function for a custom PyTree node should return a (key_leaf_pairs, aux_data)"
    if not isinstance(out, tuple) or len(out) != 2:
        raise ValueError(f"{must} tuple, got {out!r}")
    pairs = list(out[0])
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ValueError(f"{must} tuple where 'child{pair!r}")
    return pairs, out[1]


def register_pytree_node_class(cls: Class) -> Class:
    """Register a class that has `tree_flatten(self)` and the class method `tree_unflatten(cls, aux, children)`."""
    register_pytree_node(cls, methodcaller("tree_flatten"), cls.tree_unflatten)  # pyright: ignore
    return cls


def register_pytree_with_keys(
    nodetype: type,
    flatten_with_keys: Flatten,
    unflatten_func: Unflatten,
    flatten_func: Flatten | None = None,
) -> None:
    """Register a type whose children have keys: `flatten_with_keys(x)` gives (pairs of key and child, aux)."""

    def flatten_without_keys(tree: Any) -> tuple[list[Any], Any]:
        pairs, aux = flatten_with_keys(tree)
        return [child for _, child in pairs], aux

    register_pytree_node(nodetype, flatten_func or flatten_without_keys, unflatten_func, flatten_with_keys)


def register_pytree_with_keys_class(cls: Class) -> Class:
    """Register a class that has `tree_flatten_with_keys(self)` and `tree_unflatten(cls, aux, children)`."""
    flatten = methodcaller("tree_flatten") if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(cls, methodcaller("tree_flatten_with_keys"), cls.tree_unflatten, flatten)  # pyright: ignore
    return cls


def register_static(cls: Class) -> Class:
    """Register a class whose values have no leaves: each is its own aux, so it must be hashable."""
    register_pytree_with_keys(cls, lambda x: ((), x), lambda x, _: x)
    return cls


# ---- dataclasses ----


def static(**kwargs: Any) -> Any:
    """`dataclasses.field(**kwargs)` for a field that `register_dataclass` is to take as metadata."""
    metadata = {"static": True, **(kwargs.pop("metadata", None) or {})}
    return dataclasses.field(metadata=metadata, **kwargs)


def register_dataclass(
    nodetype: Class,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> Class:
    """Register a class that is rebuilt by calling it with its fields.

    The data fields are the children, the meta fields are the aux. Without the two lists a dataclass tells
    them itself: meta fields are those with metadata static=True.
    Raises TypeError and ValueError where the lists do not fit the class.
    """
    if data_fields is None or meta_fields is None:
        data_fields, meta_fields = inferred_fields(nodetype, data_fields, meta_fields)
    data, meta = tuple(data_fields), tuple(meta_fields)
    if dataclasses.is_dataclass(nodetype):
        constructor = {f.name for f in dataclasses.fields(nodetype) if f.init}
        check_fields(constructor - set(drop_fields), {*data, *meta})
    if overlap := set(data) & set(meta):
        raise ValueError(f"data_fields and meta_fields must not overlap. Overlapping fields: {overlap}.")

    def flatten(x: Any) -> tuple[list[Any], tuple]:
        return [getattr(x, name) for name in data], tuple([getattr(x, name) for name in meta])

    def unflatten(aux: tuple, children: Iterable[Any]) -> Any:
        return nodetype(**dict_of(meta + data, (*aux, *children)))

    add_node(NodeType(nodetype, Kind.DATACLASS, flatten, unflatten, fields=data))
    return nodetype  # pyright: ignore (is_dataclass made it something else)


def inferred_fields(nodetype: type, data_fields: Any, meta_fields: Any) -> tuple[list[str], list[str]]:
    """The names of a dataclass's data fields and meta fields, as the class marks them."""
    if (data_fields is None) != (meta_fields is None):
        raise TypeError(
            "register_dataclass: data_fields and meta_fields must both be specified when either is specified."
            f" Got {data_fields=} {meta_fields=}."
        )
    if not dataclasses.is_dataclass(nodetype):
        raise TypeError(
            "register_dataclass: data_fields and meta_fields are required when nodetype is not a dataclass."
            f" Got {nodetype=}."
        )
    names: tuple[list[str], list[str]] = [], []
    for field in dataclasses.fields(nodetype):
        names[bool(field.metadata.get("static", False))].append(field.name)
    return names


def check_fields(wanted: set[str], given: set[str]) -> None:
    """Raises ValueError unless the given fields are those of the class's constructor."""
    if wanted == given:
        return
    message = "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them."
    if missing := wanted - given:
        message += f" Missing fields: {missing}. Add them to drop_fields to suppress this error."
    if unexpected := given - wanted:
        message += f" Unexpected fields: {unexpected}."
    raise ValueError(message)


# ---- functions with some arguments given ----


class _HashableCallableShim:
    """A `functools.partial` that calls, compares and hashes as itself but is not merged into another partial."""

    def __init__(self, fun: partial):
        self.fun = fun
        self.func, self.args, self.keywords = fun.func, fun.args, fun.keywords

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fun(*args, **kwargs)

    def __hash__(self) -> int:
        return hash(self.fun)

    def __eq__(self, other: object) -> bool:
        return self.fun == (other.fun if isinstance(other, _HashableCallableShim) else other)

    def __repr__(self) -> str:
        return f"_HashableCallableShim({self.fun!r})"


class Partial(partial):
    """A `functools.partial` that is a pytree: its arguments are the children, its function the aux."""

    def __new__(cls, func: Callable, *args: Any, **kwargs: Any) -> Partial:
        # Python merges a partial of a partial; which arguments are leaves is to stay as written.
        callee = _HashableCallableShim(func) if isinstance(func, partial) else func
        return super().__new__(cls, callee, *args, **kwargs)

    def __repr__(self) -> str:
        words = [repr(self.func), *map(repr, self.args), *[f"{k}={x!r}" for k, x in self.keywords.items()]]
        return f"jax.tree_util.Partial({', '.join(words)})"

    def __reduce__(self) -> Any:
        return restore_partial, (self.func, self.args, self.keywords)


Partial.__module__ = "jax.tree_util"  # what the class prints in JAX


def restore_partial(func: Callable, args: tuple, keywords: dict[str, Any]) -> Partial:
    """What pickle calls."""
    return Partial(func, *args, **keywords)


register_pytree_node(Partial, lambda p: ((p.args, p.keywords), p.func), lambda func, xs: Partial(func, *xs[0], **xs[1]))


# ---- dicts of the standard library ----


def flatten_defaultdict(tree: defaultdict) -> tuple[list[tuple[DictKey, Any]], Any]:
    keys = tuple(sorted(tree))
    return [(DictKey(k), tree[k]) for k in keys], (tree.default_factory, keys)


register_pytree_with_keys(
    OrderedDict,
    lambda d: ([(DictKey(k), x) for k, x in d.items()], tuple(d)),
    lambda keys, xs: OrderedDict(zip(keys, xs, strict=True)),
)
register_pytree_with_keys(
    defaultdict,
    flatten_defaultdict,
    lambda aux, xs: defaultdict(aux[0], zip(aux[1], xs, strict=True)),
)
