"""Tracing: what is recorded, what jaxprs are, how they run."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.extend.core import JaxprTypeError, Literal, Primitive, Var, check_jaxpr, jaxpr_as_fun
from minijax.layer1_core.primitive import RuleTable, impl_rules


def test_a_function_runs_once_and_only_on_tracers() -> None:
    seen = []
    jax.make_jaxpr(lambda x: seen.append(type(x).__name__) or x)(jnp.ones(3))
    assert seen == ["DynamicJaxprTracer"]


def test_scalars_are_literals_and_arrays_are_constants_each_once() -> None:
    table = jnp.arange(3.0)
    jaxpr = jax.make_jaxpr(lambda x: (x + table) * table + 2.0)(jnp.ones(3))
    assert len(jaxpr.consts) == 1
    assert jaxpr.consts[0] is table
    assert [v.val for eqn in jaxpr.eqns for v in eqn.invars if isinstance(v, Literal)] == [2.0]


def test_a_conversion_that_changes_nothing_is_no_equation() -> None:
    jaxpr = jax.make_jaxpr(
        lambda x: lax.convert_element_type_p.bind(x, new_dtype=x.dtype, weak_type=False, sharding=None)
    )
    assert jaxpr(jnp.ones(2)).eqns == []


def test_the_checker_finds_a_wrong_type() -> None:
    jaxpr = jax.make_jaxpr(lambda x: lax.sin(x))(jnp.ones(2))
    check_jaxpr(jaxpr)
    wrong = jaxpr.eqns[0].replace(outvars=[Var(jax.typeof(jnp.ones(3)))])
    with pytest.raises(JaxprTypeError):
        check_jaxpr(jaxpr.replace(eqns=[wrong], outvars=wrong.outvars))


def test_the_checker_finds_an_unbound_variable() -> None:
    jaxpr = jax.make_jaxpr(lambda x: lax.sin(lax.cos(x)))(1.0)
    with pytest.raises(JaxprTypeError, match="not defined"):
        check_jaxpr(jaxpr.replace(eqns=jaxpr.eqns[1:]))


def test_a_replayed_jaxpr_is_the_jaxpr() -> None:
    jaxpr = jax.make_jaxpr(lambda x, y: (x * y + 1.0, y))(jnp.ones(2), 3.0)
    again = jax.make_jaxpr(jaxpr_as_fun(jaxpr))(jnp.ones(2), 3.0)
    assert str(again) == str(jaxpr)


def test_a_primitive_without_rules_is_refused_by_name_and_family() -> None:
    lonely_p = Primitive("lonely")
    with pytest.raises(NotImplementedError, match="Abstract evaluation for 'lonely' not implemented"):
        jax.make_jaxpr(lonely_p.bind)(1.0)
    with pytest.raises(NotImplementedError, match="Evaluation rule for 'lonely' not implemented"):
        impl_rules[lonely_p]


def test_a_table_takes_one_rule_for_several_primitives() -> None:
    table = RuleTable("test", "no rule for '{0}'")
    p, q = Primitive("p"), Primitive("q")
    table.rule(p, q)(abs)
    assert table[p] is table[q] is abs


def test_a_primitive_of_the_users_own_runs_eagerly_and_in_jit() -> None:
    twice_p = Primitive("twice")
    twice_p.def_abstract_eval(lambda x: x)
    twice_p.def_impl(lambda x: 2 * x)
    assert float(twice_p.bind(3.0)) == 6.0
    assert float(jax.jit(lambda x: twice_p.bind(x) + 1.0)(3.0)) == 7.0


def test_eval_shape_computes_nothing() -> None:
    huge = jax.ShapeDtypeStruct((10**6, 10**6), jnp.float32)
    assert jax.eval_shape(lambda x: x @ x, huge) == huge


def test_cost_of_tracing_grows_linearly() -> None:
    def equations(n):
        return len(jax.make_jaxpr(lambda x: sum([x] * n, start=x))(1.0).eqns)

    assert [equations(n) for n in (10, 1000)] == [10, 1000]


def test_the_source_line_of_an_equation_is_the_users() -> None:
    jaxpr = jax.make_jaxpr(lambda x: jnp.sin(x))(1.0)
    code, _ = jaxpr.eqns[0].source_info
    assert code.co_filename == __file__


def test_operations_inside_ensure_compile_time_eval_are_values() -> None:
    def f(x):
        with jax.ensure_compile_time_eval():
            n = int(jnp.arange(5).sum())
        return x * n

    assert float(jax.jit(f)(1.0)) == 10.0


def test_debug_nans_names_the_primitive() -> None:
    with jax.debug_nans(True), pytest.raises(FloatingPointError, match="log"):
        lax.log(np.float32(-1))
