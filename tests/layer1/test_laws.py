"""Laws of layer 1 over the cases of tests/ops.py."""

import numpy as np
import pytest

import minijax as jax
from minijax import lax
from minijax.extend.core import Jaxpr, check_jaxpr, subjaxprs
from minijax.layer1_core.config import interpret_jaxprs
from minijax.layer1_core.primitive import Primitive, impl_rules
from ops import CASES, Case

each_case = pytest.mark.parametrize("case", CASES, ids=str)


def flat(out: object) -> list[np.ndarray]:
    return [np.asarray(x) for x in jax.tree.leaves(out)]


def same(a: list[np.ndarray], b: list[np.ndarray]) -> bool:
    return len(a) == len(b) and all(
        x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True)
    )


@each_case
def test_the_shape_rule_tells_the_type_of_the_result(case: Case) -> None:
    values = case.values()
    told = jax.tree.leaves(jax.eval_shape(case.fun, *values))
    got = flat(case.fun(*values))
    assert [(t.shape, t.dtype) for t in told] == [(g.shape, g.dtype) for g in got]


@each_case
def test_an_interpreted_program_computes_to_the_last_bit_what_is_computed_eagerly(case: Case) -> None:
    values = case.values()
    with interpret_jaxprs(True):
        assert same(flat(jax.jit(case.fun)(*values)), flat(case.fun(*values)))


@each_case
def test_the_jaxpr_is_well_typed_and_evaluates_to_the_same(case: Case) -> None:
    values = case.values()
    jaxpr = jax.make_jaxpr(case.fun)(*values)
    check_jaxpr(jaxpr)
    assert same(flat(jax.core.eval_jaxpr(jaxpr, jaxpr.consts, *values)), flat(case.fun(*values)))


@each_case
def test_operands_are_not_written_to(case: Case) -> None:
    values = case.values()
    before = [v.copy() for v in values]
    case.fun(*values)
    assert same(values, before)


@each_case
def test_layout_does_not_matter(case: Case) -> None:
    values = case.values()
    strided = [np.repeat(v, 2, axis=-1)[..., ::2] if v.ndim else v for v in values]
    for got, want in zip(flat(case.fun(*strided)), flat(case.fun(*values)), strict=True):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        wide = np.complex128 if got.dtype.kind == "c" else np.float64
        # a product of matrices may be added up in another order
        np.testing.assert_allclose(got.astype(wide), want.astype(wide), rtol=1e-5, atol=1e-6)


PRIMITIVES = [p for module in (lax, lax.linalg) for p in vars(module).values() if isinstance(p, Primitive)]


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=str)
def test_every_primitive_has_an_impl_rule(primitive: Primitive) -> None:
    assert primitive in impl_rules


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=str)
def test_every_primitive_has_a_shape_rule(primitive: Primitive) -> None:
    assert primitive.abstract_eval != primitive._no_abstract_eval


def test_there_are_at_least_110_primitives() -> None:
    assert len({p.name for p in PRIMITIVES}) >= 110, sorted(p.name for p in PRIMITIVES)


def names_in(jaxpr: Jaxpr) -> set[str]:
    """The primitives of a program and of the programs inside it."""
    return {eqn.primitive.name for eqn in jaxpr.eqns}.union(*map(names_in, subjaxprs(jaxpr)))


def test_the_cases_meet_every_primitive() -> None:
    met = set()
    for case in CASES:
        met |= names_in(jax.make_jaxpr(case.fun)(*case.values()))
    missing = {p.name for p in PRIMITIVES} - met - NOT_COMPUTING - COLLECTIVES
    assert not missing, sorted(missing)


# primitives that only pass values on, or whose result is not specified
NOT_COMPUTING = {"copy", "stop_gradient", "optimization_barrier", "device_put", "empty"}
# primitives of lax that compute along a named axis, inside of vmap alone: tests/layer5 has their laws
COLLECTIVES = {p.name for p in PRIMITIVES if impl_rules[p].__module__.endswith("layer5_vmap.collectives")}
