"""The laws of batching, over the cases of ops.py: a mapped function is the stack of what a loop gives."""

import batches
import numpy as np
import pytest
from batches import assert_close, examples, stacked

import minijax as jax
import minijax.numpy as jnp
from minijax.extend.core import check_jaxpr
from minijax.layer1_core.config import interpret_jaxprs
from ops import CASES

MAPPED = [case for case in CASES if not case.name.startswith("cholesky_update")]  # which has no rule, in JAX either
each_case = pytest.mark.parametrize("case", MAPPED, ids=str)


@each_case
def test_a_mapped_function_is_the_stack_of_a_loop(case):
    each = examples(case)
    want = stacked([case.fun(*args) for args in each])
    assert_close(jax.vmap(case.fun)(*map(stacked, zip(*each, strict=True))), want)


@each_case
def test_each_argument_may_be_mapped_alone_along_any_axis(case):
    each = examples(case)
    first = each[0]
    for k in range(len(first)):
        column = [args[k] for args in each]
        want = stacked([case.fun(*first[:k], x, *first[k + 1 :]) for x in column])
        for axis in {0, column[0].ndim // 2, -1}:
            in_axes = tuple(axis if i == k else None for i in range(len(first)))
            args = map(jnp.asarray, [*first[:k], stacked(column, axis), *first[k + 1 :]])
            assert_close(jax.vmap(case.fun, in_axes)(*args), want)


@each_case
def test_a_batch_of_batches_is_a_loop_in_a_loop(case):
    rows = [examples(case)[:2], examples(case)[1:]]
    want = stacked([stacked([case.fun(*args) for args in row]) for row in rows])
    batches_of_rows = [[stacked(column) for column in zip(*row, strict=True)] for row in rows]
    grid = [stacked(pair) for pair in zip(*batches_of_rows, strict=True)]
    assert_close(jax.vmap(jax.vmap(case.fun))(*grid), want)
    turned = [np.moveaxis(x, 1, -1) for x in grid]  # the inner axis last, in and out
    inner = jax.vmap(case.fun, in_axes=-1, out_axes=-1)
    got = jax.vmap(inner)(*turned)
    assert_close(jax.tree.map(lambda x: np.moveaxis(np.asarray(x), -1, 1), got), want)


@each_case
def test_the_program_of_a_mapped_function_is_well_typed_and_computes_the_same(case):
    args = [*map(stacked, zip(*examples(case), strict=True))]
    mapped = jax.vmap(case.fun)
    check_jaxpr(jax.make_jaxpr(mapped)(*args))
    with interpret_jaxprs(True):
        assert_close(jax.jit(mapped)(*args), mapped(*args))
        assert_close(jax.vmap(jax.jit(case.fun))(*args), mapped(*args))


@each_case
def test_no_examples_give_no_results(case):
    args = [np.empty((0, *shape), dtype) for shape, dtype in ((x.shape, x.dtype) for x in case.values())]
    one = jax.tree.leaves(jax.eval_shape(case.fun, *case.values()))
    got = batches.leaves(jax.vmap(case.fun, axis_size=0)(*args))
    assert [(g.shape, g.dtype) for g in got] == [((0, *x.shape), x.dtype) for x in one]
