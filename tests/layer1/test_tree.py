"""Pytrees: what comes apart goes together again."""

import copy
import functools
import pickle
from collections import OrderedDict, defaultdict, namedtuple
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from tree_examples import LEAVES, TREES, Mode, Model, Pair, Point, law, message_of, nodes

from minijax import tree_util as tu
from minijax.layer1_core import tree as core, treedef as treedef_module

# ---- laws ----


@law(TREES)
def test_unflatten_undoes_flatten(tree):
    leaves, treedef = tu.tree_flatten(tree)
    assert treedef.num_leaves == len(leaves)
    assert tu.tree_unflatten(treedef, leaves) == tree


@law(TREES)
def test_a_tree_map_of_the_identity_changes_nothing_and_keeps_the_types(tree):
    same = tu.tree_map(lambda x: x, tree)
    assert same == tree
    assert type(same) is type(tree)


@law(TREES)
def test_two_maps_in_a_row_are_one_map_of_both_functions(tree):
    assert tu.tree_map(str, tu.tree_map(hash, tree)) == tu.tree_map(lambda x: str(hash(x)), tree)


@law(TREES, TREES)
def test_a_map_of_two_trees_pairs_the_leaf_with_what_stands_at_its_place(tree, other):
    wide = tu.tree_map(lambda x: (x, other), tree)
    pairs: list[Any] = []
    tu.tree_map(lambda *xs: pairs.append(xs), tree, wide)
    assert pairs == [(x, (x, other)) for x in tu.tree_leaves(tree)]


@law(TREES, TREES)
def test_composing_treedefs_puts_the_inner_tree_in_each_hole(outer, inner):
    composed = tu.tree_structure(outer).compose(tu.tree_structure(inner))
    assert composed == tu.tree_structure(tu.tree_map(lambda _: inner, outer))


@law(TREES, TREES)
def test_transposing_twice_gives_the_tree_back(outer, inner):
    a, b = tu.tree_structure(outer), tu.tree_structure(inner)
    if a.num_leaves and b.num_leaves:
        tree = a.compose(b).unflatten(range(a.num_leaves * b.num_leaves))
        once = tu.tree_transpose(a, b, tree)
        assert tu.tree_structure(once) == b.compose(a)
        assert tu.tree_leaves(once)[: a.num_leaves] == list(range(0, a.num_leaves * b.num_leaves, b.num_leaves))
        assert tu.tree_transpose(b, a, once) == tree


def step(tree: Any, key: Any) -> Any:
    """The child of `tree` that `key` names."""
    match key:
        case tu.SequenceKey(i):
            return tree[i]
        case tu.DictKey(k):
            return tree[k]
        case tu.GetAttrKey(name):
            return getattr(tree, name)
        case tu.FlattenedIndexKey(i):
            return list(tu.flatten_one_level(tree)[0])[i]
    raise TypeError(key)


@law(TREES)
def test_each_key_path_leads_to_its_leaf(tree):
    pairs, treedef = tu.tree_flatten_with_path(tree)
    assert treedef == tu.tree_structure(tree)
    assert [leaf for _, leaf in pairs] == tu.tree_leaves(tree)
    for path, leaf in pairs:
        assert functools.reduce(step, path, tree) == leaf


@law(TREES)
def test_like_trees_have_one_treedef_and_a_pickled_one_is_equal(tree):
    treedef = tu.tree_structure(tree)
    again = tu.tree_structure(tu.tree_map(lambda _: 0, tree))
    for same in again, pickle.loads(pickle.dumps(treedef)), copy.deepcopy(treedef):
        assert same == treedef
        assert hash(same) == hash(treedef)
        assert str(same) == str(treedef)
        assert same.num_nodes == treedef.num_nodes


@law(TREES)
def test_nodes_and_leaves_are_those_of_the_children_and_the_root(tree):
    treedef = tu.tree_structure(tree)
    children = tu.treedef_children(treedef)
    assert treedef.num_nodes == 1 + sum(c.num_nodes for c in children)
    if not treedef.is_leaf:
        assert treedef.num_leaves == sum(c.num_leaves for c in children)
    rebuilt = tu.PyTreeDef.from_node_data_and_children(tu.default_registry, treedef.node_data(), children)
    assert rebuilt == treedef


@law(TREES, TREES)
def test_equality_errors_are_found_exactly_where_structures_differ(a, b):
    same = tu.tree_structure(a) == tu.tree_structure(b)
    assert (not list(core.equality_errors(a, b))) == same
    assert (not list(core.equality_errors_pytreedef(tu.tree_structure(a), tu.tree_structure(b)))) == same


@law(TREES, TREES)
def test_prefix_errors_are_found_exactly_where_flatten_up_to_refuses(a, b):
    try:
        tu.tree_structure(a).flatten_up_to(b)
    except ValueError:
        assert core.prefix_errors(a, b)
    else:
        assert not core.prefix_errors(a, b)


@law(TREES, st.data())
def test_a_broadcast_leaf_is_the_prefix_leaf_above_it(prefix, data):
    full = tu.tree_map(lambda _: data.draw(nodes(LEAVES)), prefix)
    parts = tu.tree_structure(prefix).flatten_up_to(full)
    expected = [x for x, part in zip(tu.tree_leaves(prefix), parts, strict=True) for _ in tu.tree_leaves(part)]
    assert tu.tree_leaves(tu.tree_broadcast(prefix, full)) == expected
    flat = core.broadcast_flattened_prefix_with_treedef(*tu.tree_flatten(prefix), tu.tree_structure(full))
    assert flat == expected


@law(st.lists(st.text(max_size=2), min_size=1))
def test_an_associative_reduction_keeps_the_order_of_the_leaves(words):
    assert tu.tree_reduce_associative(lambda a, b: a + b, words) == "".join(words)


# ---- which values are nodes ----


class MyList(list):
    pass


@pytest.mark.parametrize(
    "leaf", [1, "ab", b"ab", {1}, range(3), np.ones(2), MyList([1]), functools.partial(max, 1), Ellipsis, int]
)
def test_these_are_leaves(leaf):
    assert tu.tree_leaves(leaf) == [leaf] or tu.tree_leaves(leaf)[0] is leaf
    assert tu.tree_structure(leaf).is_leaf
    assert tu.all_leaves([leaf])
    with pytest.raises(ValueError, match="can't tree-flatten type"):
        tu.flatten_one_level(leaf)


TEXTS = [
    (3, "*"),
    (None, "None"),
    ((1,), "(*,)"),
    ([1, (2, [3]), ()], "[*, (*, [*]), ()]"),
    ({"b": 1, "a'c": {"c": 2}}, """{"a'c": {'c': *}, 'b': *}"""),
    ({(1, 2): 1, (0,): 2}, "{(0,): *, (1, 2): *}"),
    (Point(1, [2, None]), "CustomNode(namedtuple[Point], [*, [*, None]])"),
    (OrderedDict([("z", 1), ("a", 2)]), "CustomNode(OrderedDict[('z', 'a')], [*, *])"),
    (defaultdict(list, {"k": [1]}), "CustomNode(defaultdict[(<class 'list'>, ('k',))], [[*]])"),
    (Pair(1, [2]), "CustomNode(Pair[aux], [*, [*]])"),
    (Pair(aux=("a", 3)), "CustomNode(Pair[('a', 3)], [])"),
    (Model(1, [2]), "CustomNode(Model[('relu',)], [*, [*]])"),
    (Mode("n"), "CustomNode(Mode[Mode(name='n')], [])"),
    (tu.Partial(max, 1, key=2), "CustomNode(Partial[<built-in function max>], [(*,), {'key': *}])"),
]


@pytest.mark.parametrize(("tree", "text"), TEXTS)
def test_a_treedef_prints_as_in_jax(tree, text):
    assert repr(tu.tree_structure(tree)) == str(tu.tree_structure(tree)) == f"PyTreeDef({text})"


@pytest.mark.parametrize(
    ("tree", "one_level", "data"),
    [
        ([1, [2]], ([1, [2]], None), (list, None)),
        ({"b": 1, "a": 2}, ((2, 1), ("a", "b")), (dict, ["a", "b"])),
        (Point(1, 2), ([1, 2], Point), (Point, None)),
        (Pair(1, 2), ((1, 2), "aux"), (Pair, "aux")),
        (Model(1, 2), ([1, 2], ("relu",)), (Model, ("relu",))),
        (None, ((), None), (type(None), None)),
    ],
)
def test_one_level_and_node_data_are_jaxs(tree, one_level, data):
    assert tu.flatten_one_level(tree) == one_level
    assert tu.tree_structure(tree).node_data() == data


def test_equal_keys_of_other_types_keep_their_own_type():
    """Treedefs of {1: x} and {True: x} are equal, but one must not stand for the other."""
    one, true = tu.tree_structure({1: "x"}), tu.tree_structure({True: "x"})
    assert one == true
    assert hash(one) == hash(true)
    assert [repr(tu.tree_map(str, {k: 0})) for k in (1, True, 1.0)] == ["{1: '0'}", "{True: '0'}", "{1.0: '0'}"]


def test_structures_of_other_types_are_not_equal():
    trees = [[1], (1,), {"a": 1}, OrderedDict(a=1), defaultdict(list, a=1), Point(1, 2), Pair(1), Pair(1, aux="b"), 1]
    assert len({tu.tree_structure(tree) for tree in trees}) == len(trees)
    assert tu.tree_structure([1]) != "PyTreeDef([*])"


def test_like_trees_get_the_very_same_treedef_unless_their_aux_might_only_be_equal():
    assert tu.tree_structure({"a": [1]}) is tu.tree_structure({"a": [2]})
    assert tu.tree_structure({1.0: 1}) is not tu.tree_structure({1.0: 2})


def test_the_table_of_treedefs_does_not_grow_without_end(monkeypatch):
    monkeypatch.setattr(treedef_module, "TABLE_SIZE", 10)
    for n in range(50):
        assert tu.tree_structure([0] * n).num_leaves == n
    assert len(treedef_module.treedefs) <= 10


def test_a_treedef_that_could_not_be_found_again_is_not_put_into_the_table(monkeypatch):
    monkeypatch.setattr(treedef_module, "treedefs", {})
    tu.tree_structure([Pair(1, aux=1.0), {1.5: 2}])
    assert treedef_module.treedefs == {}


def test_aux_data_need_not_be_hashable_but_must_compare():
    a, b = tu.tree_structure(Pair(1, aux=[1])), tu.tree_structure(Pair(1, aux=[1]))
    assert a == b
    assert hash(a) == hash(b)
    with pytest.raises(ValueError, match="Exception raised while checking equality of metadata fields of pytree"):
        assert tu.tree_structure(Pair(1, aux=np.ones(2))) == tu.tree_structure(Pair(1, aux=np.ones(2)))


def test_a_named_tuple_can_be_registered_with_other_functions_once():
    cls = namedtuple("Once", "x y")
    assert tu.tree_leaves(cls(1, 2)) == [1, 2]
    tu.register_pytree_node(cls, lambda p: ((p.x,), p.y), lambda y, xs: cls(*xs, y))
    assert tu.tree_map(lambda x: 10 * x, cls(1, 2)) == (10, 2)
    with pytest.raises(ValueError, match="Duplicate custom PyTreeDef type registration for <class"):
        tu.register_pytree_node(cls, lambda p: ((p.x,), p.y), lambda y, xs: cls(*xs, y))


def test_a_class_can_be_registered_after_its_values_were_leaves():
    cls = type("Late", (Pair,), {})
    assert len(tu.tree_leaves([cls(1, 2), cls(1)])) == 2
    tu.register_pytree_node_class(cls)
    assert tu.tree_leaves([cls(1, 2), cls(1)]) == [1, 2, 1]


# ---- is_leaf ----


def test_is_leaf_is_asked_about_every_node_and_leaf_from_the_root_on():
    asked: list[Any] = []
    tree = [1, (2, None), {"a": 3}]
    assert tu.tree_leaves(tree, is_leaf=asked.append) == [1, 2, 3]
    assert asked == [tree, 1, (2, None), 2, None, {"a": 3}, 3]


def test_is_leaf_stops_the_walk():
    assert tu.tree_leaves([(1, 2), None], is_leaf=lambda x: isinstance(x, tuple) or x is None) == [(1, 2), None]
    pairs = tu.tree_leaves_with_path([(1,), 2], lambda path, x: len(path) == 1, True)
    assert pairs == [((tu.SequenceKey(0),), (1,)), ((tu.SequenceKey(1),), 2)]


@pytest.mark.parametrize("answer", [1, "yes", np.bool_(True), [1]])
def test_is_leaf_must_answer_with_a_bool(answer):
    message = f"is_leaf predicate returned a non-boolean value {answer!r}; expected a boolean"
    for flatten in tu.tree_flatten, tu.tree_flatten_with_path:
        with pytest.raises(ValueError) as e:
            flatten([1], is_leaf=lambda x: answer)
        assert str(e.value) == message


# ---- reductions ----


def test_reductions_start_from_the_initializer_even_if_it_is_none():
    def pair(a: Any, b: Any) -> tuple:
        return a, b

    assert tu.tree_reduce(pair, [1, (2, 3)]) == ((1, 2), 3)
    assert tu.tree_reduce(pair, [1], None) == (None, 1)
    assert tu.tree_reduce_associative(pair, [1, 2, 3, 4, 5]) == ((1, 2), (3, (4, 5)))
    assert tu.tree_reduce_associative(pair, [None], identity=7) == 7
    assert message_of(tu.tree_reduce_associative, pair, [], error=TypeError) == (
        "Must specify identity for parallel reduction of empty sequence."
    )
    with pytest.raises(TypeError, match="empty iterable with no initial value"):
        tu.tree_reduce(pair, [])
    assert tu.tree_all([]) and tu.tree_all([1, {"k": 2}]) and not tu.tree_all([1, {"k": 0}])


def test_all_leaves_asks_each_item():
    assert tu.all_leaves([1, 2]) and tu.all_leaves({"a": [1]}) and tu.all_leaves([[1], 2], is_leaf=lambda x: x == [1])
    assert not any(tu.all_leaves([x]) for x in (None, (), [1], Point(1, 2)))


# ---- keys ----


def test_keys_print_as_in_jax():
    path = (tu.DictKey("a"), tu.SequenceKey(0), tu.GetAttrKey("x"), tu.FlattenedIndexKey(2), "user")
    assert tu.keystr(path) == "['a'][0].x[<flat index 2>]user"
    assert tu.keystr(path, simple=True, separator="/") == "a/0/x/2/user"
    assert repr(path[:4]) == "(DictKey(key='a'), SequenceKey(idx=0), GetAttrKey(name='x'), FlattenedIndexKey(key=2))"
    assert tu.DictKey("a") != tu.GetAttrKey("a")
    assert {tu.SequenceKey(1): 2}[tu.SequenceKey(1)] == 2
    with pytest.raises(AttributeError):
        path[0].key = 3


def test_user_keys_name_the_children():
    cls = type("Keyed", (Pair,), {"tree_flatten_with_keys": lambda self: ([("first", self.children[0])], None)})
    tu.register_pytree_with_keys_class(cls)
    assert tu.tree_leaves_with_path([cls([1])]) == [((tu.SequenceKey(0), "first", tu.SequenceKey(0)), 1)]


def test_errors_call_every_child_of_a_named_tuple_after_its_first_field():
    assert "tree_map tree.x\n" in message_of(tu.tree_map, max, Point(1, [2]), Point(1, (2,)))
    assert tu.keystr(tu.tree_leaves_with_path(Point(1, 2))[1][0]) == ".y"


# ---- Partial ----


def test_a_partial_is_a_pytree_and_does_not_merge_with_an_inner_one():
    p = tu.Partial(max, 1, key=abs)
    assert repr(p) == "jax.tree_util.Partial(<built-in function max>, 1, key=<built-in function abs>)"
    assert tu.tree_leaves(tu.Partial(p, 2)) == [2]
    assert tu.tree_map(lambda x: -7, tu.Partial(max, 1))(-9) == -7
    assert tu.Partial(functools.partial(max, 1), 2)() == 2
    assert tu.tree_structure(tu.Partial(p, 2)) == tu.tree_structure(tu.Partial(p, 3))
    assert pickle.loads(pickle.dumps(p))(-4) == max(1, -4, key=abs)
