"""A snapshot brings the package back to what it was, whatever was done to it."""

import importlib
import pickle
import sys
import types

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.snapshot import Snapshot, is_of_package
from minijax.layer1_core import config, dtypes, trace, tree, tree_nodes
from minijax.layer1_core.evaluate import runners
from minijax.layer1_core.primitive import Primitive, RuleTable, impl_rules
from minijax.layer1_core.treedef import EXACT_TYPES


def wrong(*args, **kwargs):
    return "wrong"


@pytest.fixture
def held():
    """The package as it is, put back after the test even where the test fails."""
    snapshot = Snapshot.take()
    yield snapshot
    snapshot.restore()


def changes():
    """Ways to spoil the package: what to do, and a value that must be the same object afterwards."""
    yield "a function", lambda: setattr(lax, "sin", wrong), lambda: lax.sin
    yield "a removed name", lambda: delattr(jnp, "cos"), lambda: vars(jnp).get("cos")
    yield "a new name", lambda: setattr(jnp, "sinus", wrong), lambda: vars(jnp).get("sinus")
    yield "a rule", lambda: impl_rules.update({lax.sin_p: wrong}), lambda: impl_rules[lax.sin_p]
    yield "a removed rule", lambda: impl_rules.pop(lax.sin_p), lambda: dict.get(impl_rules, lax.sin_p)
    yield "a new rule", lambda: impl_rules.update({NEW: wrong}), lambda: dict.get(impl_rules, NEW)
    yield "a rule of a primitive", lambda: setattr(lax.add_p, "abstract_eval", wrong), lambda: lax.add_p.abstract_eval
    yield "a cache of a primitive", lambda: lax.add_p._types.update(x=wrong), lambda: lax.add_p._types.get("x")
    yield "a method", lambda: setattr(RuleTable, "rule", wrong), lambda: RuleTable.rule
    yield "a new method", lambda: setattr(jax.Array, "double", wrong), lambda: vars(jax.Array).get("double")
    yield "a removed method", lambda: delattr(trace.Trace, "pure"), lambda: vars(trace.Trace).get("pure")
    yield "a flag", lambda: jax.config.update("jax_enable_x64", True), lambda: config.enable_x64.default
    yield "code", lambda: setattr(dtypes.join, "__code__", wrong.__code__), lambda: dtypes.join.__code__
    yield "defaults", lambda: setattr(dtypes.join, "__defaults__", (1,)), lambda: dtypes.join.__defaults__
    yield "a function's attribute", lambda: setattr(dtypes.join, "note", 1), lambda: vars(dtypes.join).get("note")
    yield "a jitted function", lambda: setattr(jnp.cov, "_fun", wrong), lambda: jnp.cov._fun
    yield "an inner function", lambda: setattr(jnp.cov._fun, "__code__", wrong.__code__), lambda: jnp.cov._fun.__code__
    yield "a property", lambda: setattr(trace.Tracer.shape.fget, "__code__", wrong.__code__), SHAPE
    yield "an item of a list", lambda: runners.insert(0, wrong), lambda: runners[0]
    yield "a member of a set", lambda: EXACT_TYPES.add(tuple), lambda: tuple if tuple in EXACT_TYPES else None
    yield "a slot", lambda: TUPLE_SLOT.__set__(tree_nodes.TUPLE, wrong), lambda: tree_nodes.TUPLE.flatten
    yield "a removed slot", lambda: TUPLE_SLOT.__delete__(tree_nodes.TUPLE), lambda: FLATTEN(tree_nodes.TUPLE)
    yield "a module", lambda: sys.modules.update({"minijax.numpy": wrong}), lambda: sys.modules["minijax.numpy"]


NEW = Primitive("new")
TUPLE_SLOT = vars(tree_nodes.NodeType)["flatten"]
FLATTEN = lambda node: getattr(node, "flatten", None)
SHAPE = lambda: trace.Tracer.shape.fget.__code__  # one of the observations above, too long for its line
CHANGES = list(changes())


@pytest.mark.parametrize("do, look", [change[1:] for change in CHANGES], ids=[change[0] for change in CHANGES])
def test_what_was_done_is_undone_and_the_objects_are_the_same(do, look, held):
    before = look()
    do()
    assert look() is not before
    held.restore()
    assert look() is before


def test_a_module_that_came_since_leaves_and_its_parent_forgets_it(held):
    name = "minijax.numpy.newcomer"
    module = sys.modules[name] = jnp.newcomer = types.ModuleType(name)
    held.restore()
    assert name not in sys.modules and not hasattr(jnp, "newcomer")
    assert module is not None


def test_a_module_that_was_dropped_and_imported_again_is_the_old_one(held):
    old = sys.modules["minijax.layer1_core.dtypes"]
    del sys.modules["minijax.layer1_core.dtypes"]
    assert importlib.import_module("minijax.layer1_core.dtypes") is not old
    held.restore()
    assert importlib.import_module("minijax.layer1_core.dtypes") is old is dtypes


def test_the_order_in_a_table_is_restored(held):
    before = list(impl_rules)
    impl_rules[before[0]] = impl_rules.pop(before[0])
    assert list(impl_rules) != before
    held.restore()
    assert list(impl_rules) == before


def test_what_was_computed_by_a_spoilt_package_is_forgotten(held):
    double = jax.jit(lambda x: jnp.add(x, x))
    lax.add_p._types.clear(), dtypes._join.cache_clear()  # what other tests have asked for
    lax.add_p.abstract_eval = lambda *avals: jax.typeof(np.int8(0))
    dtypes._least_upper_bound = lambda nodes: "i1"
    assert jax.make_jaxpr(double)(2.0).out_avals[0].dtype == np.int8
    assert jnp.promote_types("float16", "uint32") == np.int8
    held.restore()
    assert jax.make_jaxpr(double)(2.0).out_avals[0].dtype == np.float32
    assert jnp.promote_types("float16", "uint32") == np.float16


def test_nothing_counts_as_changed_after_a_restore(held):
    for _, do, _ in CHANGES:
        do()
    held.restore()
    assert [r.subject for r in held._records if r.restore(r.subject, r.held)] == []


def test_the_course_is_not_covered_and_neither_are_other_packages():
    covered = [name for name in Snapshot.take().modules if not is_of_package(name)]
    assert covered == [] and is_of_package("minijax") and is_of_package("minijax.lax.linalg")
    assert not any(map(is_of_package, ("minijax.course", "minijax.course.snapshot", "minijaxes", "numpy", None)))


def test_values_are_pickled_and_compared_as_before(held):
    held.restore()
    x = jnp.arange(3.0)
    assert (pickle.loads(pickle.dumps(x)) == x).all()
    assert jax.tree.structure((1, [2])) == pickle.loads(pickle.dumps(jax.tree.structure((1, [2]))))
    assert tree.tree_leaves([1, (2,)]) == [1, 2]
