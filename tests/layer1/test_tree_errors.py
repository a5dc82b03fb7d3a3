"""Pytrees: where trees do not fit, JAX's words say so."""

import dataclasses
from collections import OrderedDict, defaultdict
from typing import Any

import pytest
from tree_examples import Model, Other, Pair, Point, message_of

from minijax import tree_util as tu
from minijax.layer1_core import tree as core

UP_TO = [
    ([1, 2], [1, 2, 3], "List arity mismatch: 3 != 2; list: [1, 2, 3]."),
    ((1, 2), (1, 2, 3), "Tuple arity mismatch: 3 != 2; tuple: (1, 2, 3)."),
    ((1, 2), Point(1, 2), "Expected tuple, got Point(x=1, y=2)."),
    ([1, 2], (1, 2), "Expected list, got (1, 2)."),
    ({"a": 1}, {"b": 1}, "Dict key mismatch; expected keys: ['a']; present keys: ['b']."),
    ({"a": 1}, [1], "Expected dict, got [1]."),
    (Point(1, 2), (1, 2), "Expected named tuple, got (1, 2)."),
    (Point(1, 2), Other(1, 2), f"Named tuple type mismatch: expected type: {Point}, tuple: Other(x=1, y=2)."),
    (Pair(1, 2), Pair(1), "Custom type arity mismatch: 1 != 2; value: Pair(1,)."),
    (Pair(1), Pair(1, aux=3), "Mismatch custom node data: 'aux' != 3; value: Pair(1,)."),
    (Pair(1), [1], f"Custom node type mismatch: expected type: {Pair}, value: [1]."),
    (Model(1, 2), 3, f"Custom dataclass node type mismatch: expected type: {Model}, value: 3."),
    (
        Model(1, 2),
        Model(1, 2, "x"),
        "Mismatch custom dataclass node data: ('relu',) != ('x',); value: Model(w=1, b=2, name='x').",
    ),
    ([[1], [2]], [3, (4,)], "Expected list, got (4,)."),  # the last place first
]


@pytest.mark.parametrize(("tree", "other", "message"), UP_TO)
def test_flatten_up_to_says_what_was_expected(tree, other, message):
    assert message_of(tu.tree_structure(tree).flatten_up_to, other) == message


def test_none_is_not_a_prefix_of_a_leaf():
    assert message_of(tu.tree_structure(None).flatten_up_to, 1) == (
        "Expected None, got 1.\n\nIn previous releases of JAX, flatten-up-to used to consider None to be a tree-prefix"
        " of non-None values. To obtain the previous behavior, you can usually write:\n"
        "  jax.tree.map(lambda x, y: None if x is None else f(x, y), a, b, is_leaf=lambda x: x is None)"
    )


HEAD = "pytree structure error: different {} at key path\n    tree_map tree{}\nAt that key path, the prefix pytree "
HEAD += "tree_map tree has a subtree of type{}"
MAP = [
    (
        [[1, 2]],
        [[3]],
        ("lengths of list", "[0]", " list of length 2, but the full pytree has a subtree of the same type but of "),
        "length 1.",
    ),
    (
        {"k": [0, (1, 2)]},
        {"k": [0, [1, 2]]},
        ("types", "['k'][1]", "\n    <class 'tuple'>\nbut at the same key path the full pytree has a subtree of "),
        "different type\n    <class 'list'>.",
    ),
    (
        Model([1], 2),
        Model(1, 2),
        ("types", ".w", "\n    <class 'list'>\nbut at the same key path the full pytree has a subtree of different "),
        "type\n    <class 'int'>.",
    ),
    (
        Pair({"a": 1}),
        Pair({"a": 1, "b": 2}),
        ("numbers of pytree children", "[<flat index 0>]", "\n    <class 'dict'>\nwith 1 child keys\n    ['a']\nbut "),
        "at the same key path the full pytree has a subtree of the same type but with 2 child keys\n    ['a'] ['b']\n"
        "so the symmetric difference on key sets is\n    ['b']",
    ),
    (
        {"a": 1},
        {"b": 1},
        ("pytree metadata", "", "\n    <class 'dict'>\nwith metadata\n    ('a',)\nbut at the same key path the full "),
        "pytree has a subtree of the same type but with metadata\n    ('b',)\nso the diff in the metadata at these "
        "pytree nodes is\n    - ('a',)\n    ?   ^\n\n    + ('b',)\n    ?   ^\n",
    ),
]


@pytest.mark.parametrize(("tree", "other", "head", "tail"), MAP)
def test_a_map_of_unlike_trees_names_the_key_path(tree, other, head, tail):
    assert message_of(tu.tree_map, lambda *xs: xs, tree, other) == HEAD.format(*head) + tail


def test_the_map_with_paths_and_the_broadcast_call_the_tree_by_their_own_name():
    assert "    tree_map_with_path tree[0]\n" in message_of(tu.tree_map_with_path, max, [[1]], [(1,)])
    assert "    broadcast_prefix prefix_tree[1]\n" in message_of(tu.tree_broadcast, [1, None], [1, 2])


@pytest.mark.parametrize(
    ("leaves", "message"),
    [
        ([1], "Too few leaves for PyTreeDef; expected 3, got 1"),
        (range(5), "Too many leaves for PyTreeDef; expected 3."),
        ((i for i in range(2)), "Too few leaves for PyTreeDef; expected 3, got 2"),
    ],
)
def test_unflatten_counts_the_leaves(leaves, message):
    assert message_of(tu.tree_structure([1, (2, 3)]).unflatten, leaves) == message


def test_dict_keys_must_sort():
    message = "Comparator raised exception while sorting pytree dictionary keys."
    assert message_of(tu.tree_leaves, {"a": 1, 2: 3}) == message
    assert message_of(tu.tree_leaves_with_path, [{"a": 1, None: 3}]) == message
    assert "'<' not supported" in message_of(tu.tree_leaves, defaultdict(list, {"a": 1, 2: 3}), error=TypeError)
    assert tu.tree_leaves(OrderedDict([("a", 1), (2, 3)])) == [1, 3]


def registered(flatten: Any, keyed: Any = None) -> Any:
    """A value of a new class that comes apart by `flatten`."""
    cls = type("New", (), {})
    tu.register_pytree_node(cls, flatten, lambda aux, xs: (aux, xs), keyed)
    return cls()


FLATTEN = "The to_iterable function for a custom PyTree node should return a (children, aux_data) tuple"
KEYED = "The to_iterable_with_keys function for a custom PyTree node should return a (key_leaf_pairs, aux_data) tuple"


def test_a_flatten_function_must_return_children_and_aux():
    assert message_of(tu.tree_leaves, registered(lambda x: 3)) == FLATTEN + ", got 3"
    assert message_of(tu.tree_leaves, registered(lambda x: [(1,), 2])) == FLATTEN + ", got [(1,), 2]"
    message = FLATTEN + " where 'children' is iterable, got (3, None)"
    assert message_of(tu.tree_leaves, registered(lambda x: (3, None))) == message
    assert tu.tree_leaves(registered(lambda x: ((i for i in (1, 2)), None))) == [1, 2]
    keyless = registered(lambda x: ((1,), None), lambda x: 3)
    assert message_of(tu.tree_leaves_with_path, keyless) == KEYED + ", got 3"


def test_unflatten_functions_get_a_tuple():
    treedef = tu.tree_structure(registered(lambda x: ([1, 2], "aux")))
    assert treedef.unflatten([3, 4]) == ("aux", (3, 4))


def test_registering_refuses_what_cannot_work():
    twice = "Duplicate custom PyTreeDef type registration for {}."
    for cls in list, type(None), OrderedDict, Pair:
        assert message_of(tu.register_pytree_node, cls, max, max) == twice.format(cls)
    assert message_of(tu.register_static, Model) == twice.format(Model)
    message = f"Duplicate custom dataclass PyTreeDef type registration for {Model}."
    assert message_of(tu.register_dataclass, Model) == message
    message = message_of(tu.register_pytree_node, type("X", (), {}), 3, None, error=TypeError)
    assert message.splitlines()[0] == (
        "register_node(): incompatible function arguments. The following argument types are supported:"
    )
    assert message.endswith("Invoked with types: jaxlib._jax.pytree.PyTreeRegistry, type, int, NoneType, NoneType")


FIELDS = "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them."


@pytest.mark.parametrize(
    ("data", "meta", "message"),
    [
        (["x"], [], FIELDS + " Missing fields: {'y'}. Add them to drop_fields to suppress this error."),
        (["x", "y", "w"], [], FIELDS + " Unexpected fields: {'w'}."),
        (["x", "y"], ["y"], "data_fields and meta_fields must not overlap. Overlapping fields: {'y'}."),
    ],
)
def test_the_fields_of_a_dataclass_must_be_told_completely(data, meta, message):
    cls = dataclasses.make_dataclass("D", ["x", "y"])
    assert message_of(tu.register_dataclass, cls, data, meta) == message


def test_a_dataclass_can_drop_a_field_and_a_plain_class_tell_its_fields():
    dropped = dataclasses.make_dataclass("Dropped", [("x", int), ("y", int, 5)])
    tu.register_dataclass(dropped, ["x"], [], drop_fields=["y"])
    assert tu.tree_map(lambda v: 2 * v, dropped(3, 4)) == dropped(6, 5)
    plain = type("Plain", (), {"__init__": lambda self, x, y: self.__dict__.update(x=x, y=y)})
    tu.register_dataclass(plain, data_fields=["y"], meta_fields=["x"])
    assert vars(tu.tree_map(lambda v: 2 * v, plain(1, 2))) == {"x": 1, "y": 4}
    assert "required when nodetype is not a dataclass" in message_of(tu.register_dataclass, int, error=TypeError)
    assert "must both be specified" in message_of(tu.register_dataclass, Model, ["w"], error=TypeError)


def test_a_transposition_must_have_outer_times_inner_leaves():
    outer, inner = tu.tree_structure([0, 0]), tu.tree_structure({"a": 0, "b": 0})
    assert message_of(tu.tree_transpose, outer, inner, [{"a": 1}, {"a": 3}], error=TypeError) == (
        "Mismatch\nPyTreeDef([{'a': *}, {'a': *}])\n != \nPyTreeDef([{'a': *, 'b': *}, {'a': *, 'b': *}])"
    )
    assert tu.tree_transpose(outer, None, [(1, 2), (3, 4)]) == ([1, 3], [2, 4])
    assert tu.tree_transpose(outer, tu.tree_structure(()), [(), ()]) == ()
    message = "Too few leaves for PyTreeDef; expected 2, got 0"
    assert message_of(tu.tree_transpose, tu.tree_structure([]), inner, []) == message


EQUALITY = [
    ([1, (2, 3)], [1, [2, 3]], ("[1]", "<class 'tuple'>", "<class 'list'>", "their Python types differ")),
    ([(1, 2)], [(1,)], ("[0]", "tuple of length 2", "tuple of length 1", "the lengths do not match")),
    (
        {},
        {"a": 1},
        (
            "",
            "<class 'dict'> with 0 child",
            "<class 'dict'> with 1 child",
            "the numbers of children do not match, with the symmetric difference of key sets: {'a'}",
        ),
    ),
    (
        {"k": (0, {"a": 1})},
        {"k": (0, {"b": 1})},
        (
            "['k'][1]",
            "<class 'dict'> with pytree metadata ('a',)",
            "<class 'dict'> with pytree metadata ('b',)",
            "the pytree node metadata does not match",
        ),
    ),
]


@pytest.mark.parametrize(("a", "b", "expected"), EQUALITY)
def test_equality_errors_say_what_both_are_and_why_they_differ(a, b, expected):
    assert [(core.keystr(path), *rest) for path, *rest in core.equality_errors(a, b)] == [expected]


def test_a_leaf_of_a_treedef_is_called_a_leaf():
    errors = core.equality_errors_pytreedef(tu.tree_structure([1]), tu.tree_structure([(1,)]))
    assert [error[1:] for error in errors] == [("pytree leaf", "<class 'tuple'>", "their Python types differ")]


def test_axes_are_spread_over_a_tree_with_none_as_a_leaf():
    treedef = tu.tree_structure([1, (2, 3)])
    assert core.flatten_axes("axes", treedef, [0, None]) == [0, None, None]
    assert core.flatten_axes("axes", treedef, None) == [None] * 3
    assert message_of(core.flatten_axes, "axes", treedef, (0, None)) == (
        "axes specification must be a tree prefix of the corresponding value; \n  Mismatch details (1 found):\n"
        "  pytree structure error: different types at key path\n    axes\n"
        "At that key path, the prefix pytree axes has a subtree of type\n    <class 'tuple'>\n"
        "but at the same key path the full pytree has a subtree of different type\n    <class 'list'>."
    )
    singleton = tu.tree_structure(([1, 2],))
    assert "wrapped in a singleton tuple." in message_of(core.flatten_axes, "a", singleton, [0, 1], tupled_args=True)
