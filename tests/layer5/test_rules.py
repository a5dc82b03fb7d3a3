"""Every primitive has a batching rule or says why not, and no rule loops over the batch."""

import numpy as np
import pytest
from batches import examples, stacked

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.extend.core import Primitive, jaxprs_in_params
from minijax.interpreters import batching
from minijax.layer1_core.primitive import impl_rules
from minijax.layer4_grad.families import NoRule
from minijax.layer5_vmap.batching import batching_rules
from ops import CASES


def test_every_primitive_has_a_batching_rule_or_a_reason():
    assert [p.name for p in impl_rules if p not in batching_rules] == []
    declared = {p.name for p, rule in batching_rules.items() if isinstance(rule, NoRule)}
    later = {"counter_half", "once", "inspect_sharding"}  # of chapters 6 and 7
    assert declared - later == {"iota", "empty", "empty2", "cholesky_update"}
    assert all(rule.reason for rule in batching_rules.values() if isinstance(rule, NoRule))


def count(jaxpr):
    """The equations of a program, and of those inside it."""
    return sum(1 + sum(map(count, jaxprs_in_params(eqn.params))) for eqn in jaxpr.eqns)


@pytest.mark.parametrize("case", [case for case in CASES if not case.name.startswith("cholesky_update")], ids=str)
def test_a_larger_batch_has_as_many_equations(case):
    small, large = ([*map(stacked, zip(*examples(case, n), strict=True))] for n in (2, 9))
    program = jax.make_jaxpr(jax.vmap(case.fun))
    assert count(program(*small)) == count(program(*large))


def test_a_missing_rule_is_named():
    lonely = Primitive("lonely")
    lonely.def_abstract_eval(lambda x: x)
    lonely.def_impl(lambda x: x)
    with pytest.raises(NotImplementedError, match="Batching rule for 'lonely' not implemented"):
        jax.vmap(lonely.bind)(jnp.ones(3))


def test_a_primitive_without_a_rule_may_work_on_what_is_not_mapped():
    lonely = Primitive("lonely")
    lonely.def_impl(lambda x: 2 * x)
    lonely.def_abstract_eval(lambda x: x)
    assert jax.vmap(lambda x: x + lonely.bind(5.0))(jnp.zeros(2)).tolist() == [10.0, 10.0]


@pytest.fixture
def table_as_it_was():
    """Rules that a test enters are gone after it."""
    before = dict(batching_rules)
    yield
    batching_rules.clear()
    batching_rules.update(before)


def test_rules_of_the_users_own_are_entered_under_jaxs_names(table_as_it_was):
    twice = Primitive("twice")
    twice.def_abstract_eval(lambda x: x)
    twice.def_impl(lambda x: 2 * x)
    batching.primitive_batchers[twice] = lambda args, dims: (twice.bind(*args), dims[0])
    assert jax.vmap(twice.bind, in_axes=1)(jnp.ones((2, 3))).shape == (3, 2)
    sized = Primitive("sized")
    sized.def_abstract_eval(lambda x: x)
    batching.fancy_primitive_batchers[sized] = lambda axis, args, dims: (args[0] * axis.size, dims[0])
    assert jax.vmap(sized.bind)(jnp.ones(4)).tolist() == [4.0] * 4


def test_a_start_value_for_each_example_is_refused_where_jax_refuses_it():
    x = jnp.ones((3, 4))
    with pytest.raises(NotImplementedError):
        jax.vmap(lambda a, i: lax.reduce(a, i, lambda p, q: p * q + p, (0,)))(x, jnp.ones(3))
    with pytest.raises(NotImplementedError, match="initial values"):
        jax.vmap(lambda a, i: lax.reduce_window(a, i, lambda p, q: p * q, (2,), (1,), "SAME"))(x, jnp.ones(3))


def test_a_wider_bitcast_is_along_the_axis_of_the_example():
    x = np.arange(12, dtype=np.int8).reshape(4, 3)
    want = [lax.bitcast_convert_type(x[:, i], jnp.int32) for i in range(3)]
    got = jax.vmap(lambda v: lax.bitcast_convert_type(v, jnp.int32), in_axes=1)(x)
    np.testing.assert_array_equal(got, np.stack(want))
