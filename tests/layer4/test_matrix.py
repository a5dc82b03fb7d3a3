"""The matrix: every primitive has a jvp rule and a transpose rule, or a declared reason why it has none."""

import differences
import pytest

import minijax as jax
from minijax.layer1_core.jaxpr import Var
from minijax.layer1_core.jit_call import jit_p
from minijax.layer1_core.primitive import Primitive, impl_rules
from minijax.layer4_grad.families import NoRule
from minijax.layer4_grad.flat import info_of
from minijax.layer4_grad.jvp import jvp_rules
from minijax.layer4_grad.linearize import linearize_flat
from minijax.layer4_grad.transpose import transpose_rules

TABLES = {"jvp": jvp_rules, "transpose": transpose_rules}
COUNTS_OF_JAX = {"jvp": 200, "transpose": 84}


def rules(table):
    return {p for p, rule in table.items() if not isinstance(rule, NoRule)}


@pytest.mark.parametrize("family", TABLES)
def test_no_hole_is_without_a_reason(family, capsys):
    table = TABLES[family]
    with capsys.disabled():
        print(f"\n{family} rules: {len(rules(table))} here, {COUNTS_OF_JAX[family]} in JAX 0.11.0")
    assert not {p.name for p in impl_rules.keys() - table.keys()}


def recorded(jaxpr, marks):
    """The primitives that a program applies to what depends on its inputs that are marked."""
    linear, found = {id(v) for v, mark in zip(jaxpr.invars, marks, strict=True) if mark}, set()
    for eqn in jaxpr.eqns:
        reached = [isinstance(v, Var) and id(v) in linear for v in eqn.invars]
        if any(reached):
            linear.update(map(id, eqn.outvars))
            found.add(eqn.primitive)
            if eqn.primitive is jit_p:
                found |= recorded(eqn.params["jaxpr"], reached)
    return found


def test_whatever_is_done_to_a_tangent_has_a_transpose_rule():
    found = set()
    with jax.enable_x64(True):
        for case in differences.differentiable(differences.ONLY_FORWARD):
            f = differences.WideCase(case)
            program = linearize_flat(f, f.point, info_of(f, "linearize")).jaxpr
            found |= recorded(program, [True] * len(program.invars))
    assert len(found) > 40
    assert not sorted(p.name for p in found - rules(transpose_rules))


def test_every_differentiable_primitive_is_met_by_the_laws():
    met = set()
    with jax.enable_x64(True):
        for case in differences.differentiable():
            f = differences.WideCase(case)
            met |= differences.primitives(jax.make_jaxpr(f)(*f.point))
    missing = {p for p in rules(jvp_rules) if type(p) is Primitive} - met
    assert {p.name for p in missing} <= NOT_MET, sorted(p.name for p in missing)


# what has no tangents, only passes values on, or is tested by itself
NOT_MET = {
    "eq", "ne", "lt", "le", "gt", "ge", "is_finite", "argmax", "argmin", "special_function",
    "and", "or", "xor", "not", "mulhi", "shift_left", "shift_right_arithmetic", "shift_right_logical",
    "add_any", "bitcast_convert_type", "convert_element_type", "copy", "custom_jvp_call", "device_put",
    "reduce_precision", "stop_gradient", "name",
    "reshard", "sharding_constraint", "shard_map", "inspect_sharding",
    "random_seed", "random_split", "random_fold_in", "random_bits", "random_wrap", "random_unwrap", "random_gamma",
}  # fmt: skip
