"""Products agree with NumPy, are linear, and refuse what does not fit in JAX's words."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=30, deadline=None)
sizes = st.integers(1, 3)


def close(got: Any, want: Any) -> None:
    assert got.shape == np.shape(want)
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5, atol=1e-5)


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def primitives(jaxpr: Any) -> list[str]:
    return [eqn.primitive.name for eqn in jaxpr.eqns]


@some
@given(st.data())
def test_matmul_broadcasts_batch_axes_as_numpy_does(data: st.DataObject) -> None:
    batch = data.draw(st.lists(sizes, max_size=3))
    narrowed = [[n if data.draw(st.booleans()) else 1 for n in batch] for _ in range(2)]
    kept = [axes[data.draw(st.integers(0, len(batch))) :] for axes in narrowed]
    m, k, n = (data.draw(sizes) for _ in range(3))
    a, b = normal(*kept[0], m, k), normal(*kept[1], k, n, seed=1)
    close(jnp.matmul(a, b), np.matmul(a, b))
    vector = normal(k, seed=2)
    close(jnp.matmul(a, vector), np.matmul(a, vector))
    close(jnp.matmul(vector, b), np.matmul(vector, b))


def test_an_axis_of_size_1_is_squeezed_and_not_repeated() -> None:
    jaxpr = jax.make_jaxpr(jnp.matmul)(np.ones((5, 2, 3), np.float32), np.ones((1, 3, 4), np.float32))
    assert primitives(jaxpr) == ["squeeze", "dot_general"]


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((), (3,))])
def test_dot_agrees_with_numpy(shapes: Any) -> None:
    a, b = normal(*shapes[0]), normal(*shapes[1], seed=1)
    close(jnp.dot(a, b), np.dot(a, b))


CONTRACTIONS = [
    (0, (2, 3), (3, 2)), (1, (2, 3), (3, 4)), (2, (2, 3, 4), (3, 4, 2)), (((0,), (1,)), (2, 3), (3, 2)),
    (([1, 2], [1, 0]), (2, 3, 4), (4, 3, 2)), ((0, 2), (2, 3), (3, 3, 2)),
]  # fmt: skip


@pytest.mark.parametrize("axes, first, second", CONTRACTIONS)
def test_tensordot_agrees_with_numpy(axes: Any, first: Any, second: Any) -> None:
    a, b = normal(*first), normal(*second, seed=1)
    close(jnp.tensordot(a, b, axes), np.tensordot(a, b, axes))


def test_vectorized_products_agree_with_a_loop() -> None:
    m, v = normal(4, 1, 2, 3), normal(5, 3, seed=1)
    close(jnp.matvec(m, v), np.einsum("bxij,cj->bci", m, v))
    close(jnp.vecmat(v, m.swapaxes(-1, -2)), np.einsum("bxij,cj->bci", m, v))
    close(jnp.vecdot(m[:, 0], v[:2] + 1j), np.einsum("bij,ij->bi", m[:, 0], v[:2] + 1j))
    close(jnp.vecdot(v.T + 1j, v.T, axis=0), ((v - 1j) * v).sum(-1))


def test_other_products_agree_with_numpy() -> None:
    a, b = normal(2, 3), normal(4, 3, seed=1)
    close(jnp.inner(a, b), np.inner(a, b))
    close(jnp.outer(a, b), np.outer(a, b))
    close(jnp.kron(a, b), np.kron(a, b))
    close(jnp.kron(a[0], b), np.kron(a[0], b))
    close(jnp.vdot(a + 1j, a), np.vdot(a + 1j, a))
    close(jnp.cross(b, b[::-1]), np.cross(b, b[::-1]))


def test_the_cross_product_is_orthogonal_to_its_factors() -> None:
    a, b = normal(5, 3), normal(5, 3, seed=1)
    c = jnp.cross(a, b)
    close(jnp.vecdot(a, c), np.zeros(5))
    close(jnp.vecdot(b, c), np.zeros(5))


SUBSCRIPTS = [
    "ij,jk->ik", "ij,jk", "i,i", "ii", "ii->i", "ijj->i", "ijk->kji", "...i,...i->...", "bij,bjk->bik", "ij->",
    "ij,ij,ij->i", "ij,jk,ki->", "ab,bc,cd,da->ac",
]  # fmt: skip


@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
@pytest.mark.parametrize("optimize", ["auto", "greedy", "optimal", "branch-2", False, True])
def test_einsum_agrees_with_numpy_whatever_the_order(subscripts: str, optimize: Any) -> None:
    terms = subscripts.split("->")[0].replace("...", "z").split(",")
    operands = [normal(*(3,) * len(term), seed=i) for i, term in enumerate(terms)]
    close(jnp.einsum(subscripts, *operands, optimize=optimize), np.einsum(subscripts, *operands))


def test_einsum_takes_lists_of_axes_too() -> None:
    a, b = normal(2, 3), normal(3, 4, seed=1)
    close(jnp.einsum(a, [0, 1], b, [1, 2], [2, 0]), (a @ b).T)


def test_the_cheap_order_is_found() -> None:
    chain = [normal(2, 9), normal(9, 9), normal(9, 9), normal(9, 2)]
    path, info = jnp.einsum_path("ab,bc,cd,de->ae", *chain)
    assert [len(step) for step in path] == [2, 2, 2]
    assert info.opt_cost < info.naive_cost
    assert "Complete contraction:  ab,bc,cd,de->ae" in repr(info)


@some
@given(st.integers(1, 6), st.integers(1, 6), st.sampled_from(["full", "same", "valid"]))
def test_convolve_and_correlate_agree_with_numpy(n: int, m: int, mode: Any) -> None:
    a, v = normal(n), normal(m, seed=1)
    close(jnp.convolve(a, v, mode), np.convolve(a, v, mode))
    close(jnp.correlate(a, v + 1j, mode), np.correlate(a, v + 1j, mode))


def test_dtypes_promote_and_weak_types_stay() -> None:
    assert jnp.dot(jnp.int8(2), jnp.float16(1)).dtype == jnp.float16
    assert jnp.dot(2, 3).weak_type and not jnp.dot(2, jnp.float32(3)).weak_type
    assert jnp.matmul(jnp.ones(2, jnp.int8), jnp.ones(2, jnp.int8), preferred_element_type=jnp.int32).dtype == jnp.int32


REFUSALS = [
    (lambda: jnp.matmul(1.0, jnp.ones(2)), ValueError, "matmul input operand 0 must have ndim at least 1"),
    (lambda: jnp.matmul([1.0], jnp.ones(1)), TypeError, "matmul requires ndarray or scalar arguments, got <class 'li"),
    (lambda: jnp.ones((2, 3)) @ jnp.ones((2, 3)), TypeError, "contracting dimensions to have the same shape, got (3,)"),
    (lambda: jnp.ones((2, 1, 1)) @ jnp.ones((3, 1, 1)), ValueError, "Incompatible types for matmul arguments"),
    (lambda: jnp.tensordot(jnp.ones(2), jnp.ones(2), 2), TypeError, "exceeds input ranks"),
    (lambda: jnp.outer(jnp.ones(2), 1.0, out=1), NotImplementedError, "The 'out' argument"),
    (lambda: jnp.cross(jnp.ones(4), jnp.ones(4)), ValueError, "Dimension must be either 2 or 3"),
    (lambda: jnp.matvec(jnp.ones((2, 3)), jnp.ones(2)), ValueError, "inconsistent size for core dimension 'm': 2 vs 3"),
    (lambda: jnp.einsum("ij->ik", jnp.ones((2, 2))), ValueError, "Output character 'k' did not appear in the input"),
    (lambda: jnp.einsum("ij", jnp.ones(2)), ValueError, "does not contain the correct number of indices"),
    (lambda: jnp.einsum("i,i", jnp.ones(2), jnp.ones(3)), ValueError, "Size of label 'i' for operand 1 (2)"),
    (lambda: jnp.convolve(jnp.ones((1, 1)), jnp.ones(1)), ValueError, "convolve() only support 1-dimensional inputs"),
    (lambda: jnp.convolve(jnp.ones(0), jnp.ones(1)), ValueError, "inputs cannot be empty"),
]


@pytest.mark.parametrize("call, kind, words", REFUSALS)
def test_what_does_not_fit_is_refused_in_words(call: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as error:
        call()
    assert words in str(error.value)
