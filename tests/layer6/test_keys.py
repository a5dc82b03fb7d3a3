"""Keys as types: what works on arrays of keys, what is refused, and how they go through programs."""

import copy
import pickle

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.extend.core import check_jaxpr
from minijax.extend.random import define_prng_impl
from minijax.layer1_core.config import interpret_jaxprs
from minijax.layer6_random.memory import program_of_words

KEYS = jax.random.split(jax.random.key(0), 6)
WORDS = jax.random.key_data(KEYS)

# functions of keys that do not look at them, and the same of their words: the last axis goes along
MOVES = {
    "index": (lambda k: k[2], lambda w: w[2]),
    "slice": (lambda k: k[1:5:2], lambda w: w[1:5:2]),
    "gather": (lambda k: k[jnp.array([4, 0, 4])], lambda w: w[jnp.array([4, 0, 4])]),
    "mask": (lambda k: k[np.array([1, 0, 1, 1, 0, 0], bool)], lambda w: w[np.array([1, 0, 1, 1, 0, 0], bool)]),
    "new axis": (lambda k: k[:, None], lambda w: w[:, None]),
    "reshape": (lambda k: k.reshape(2, 3), lambda w: w.reshape(2, 3, 2)),
    "transpose": (lambda k: k.reshape(2, 3).T, lambda w: w.reshape(2, 3, 2).transpose(1, 0, 2)),
    "ravel": (lambda k: k.reshape(2, 3).ravel(), lambda w: w),
    "squeeze": (lambda k: k[:1].squeeze(), lambda w: w[0]),
    "flip": (jnp.flip, lambda w: jnp.flip(w, 0)),
    "roll": (lambda k: jnp.roll(k, 2), lambda w: jnp.roll(w, 2, 0)),
    "repeat": (lambda k: jnp.repeat(k, 2), lambda w: jnp.repeat(w, 2, 0)),
    "tile": (lambda k: jnp.tile(k, 2), lambda w: jnp.tile(w, (2, 1))),
    "concatenate": (lambda k: jnp.concatenate([k, k[:2]]), lambda w: jnp.concatenate([w, w[:2]])),
    "stack": (lambda k: jnp.stack([k[0], k[1]]), lambda w: w[:2]),
    "list": (lambda k: jnp.array([k[0], k[1]]), lambda w: w[:2]),
    "broadcast": (lambda k: jnp.broadcast_to(k[0], (3,)), lambda w: jnp.broadcast_to(w[0], (3, 2))),
    "at": (lambda k: k.at[0].set(k[1]), lambda w: w.at[0].set(w[1])),
    "where": (
        lambda k: jnp.where(jnp.arange(6) < 3, k, k[0]),
        lambda w: jnp.where(jnp.arange(6)[:, None] < 3, w, w[0]),
    ),
    "take": (lambda k: jnp.take(k, jnp.array([1, 9])), lambda w: jnp.take(w, jnp.array([1, 9]), 0)),
    "dynamic": (lambda k: jax.lax.dynamic_slice(k, (2,), (2,)), lambda w: w[2:4]),
    "permuted": (lambda k: jax.random.permutation(k[0], k), lambda w: w[jax.random.permutation(KEYS[0], 6)]),
    "zeros": (jnp.zeros_like, jnp.zeros_like),
}


@pytest.mark.parametrize("name", MOVES)
def test_what_moves_keys_moves_their_words(name):
    on_keys, on_words = MOVES[name]
    want = np.asarray(on_words(WORDS))
    with interpret_jaxprs(True):
        interpreted = jax.jit(on_keys)(KEYS)
    for got in (on_keys(KEYS), jax.jit(on_keys)(KEYS), interpreted):
        assert got.shape == want.shape[:-1]
        assert got.dtype == KEYS.dtype
        np.testing.assert_array_equal(jax.random.key_data(got), want)


@pytest.mark.parametrize("name", MOVES)
def test_a_program_of_keys_is_well_typed_and_so_is_that_of_words(name):
    program = jax.make_jaxpr(MOVES[name][0])(KEYS)
    check_jaxpr(program)
    in_memory = program_of_words(program)
    check_jaxpr(in_memory)
    assert all("key<" not in str(v.aval) for v in (*in_memory.invars, *in_memory.outvars))
    assert program_of_words(program) is in_memory
    assert program_of_words(in_memory) is in_memory


def test_keys_are_equal_where_all_their_words_are():
    other = jax.random.wrap_key_data(WORDS.at[2, 1].add(1))
    np.testing.assert_array_equal(other == KEYS, [True, True, False, True, True, True])
    np.testing.assert_array_equal(KEYS[0] != KEYS, [False, *[True] * 5])
    np.testing.assert_array_equal(jax.jit(lambda k: k == k[1])(KEYS), [False, True, *[False] * 4])


def test_keys_go_through_loops_and_branches():
    def step(key, _):
        key, sub = jax.random.split(key)
        return key, jax.random.bits(sub)

    key, want = jax.random.key(5), []
    for _ in range(4):
        key, sub = jax.random.split(key)
        want.append(int(jax.random.bits(sub)))
    for scan in (jax.lax.scan, jax.jit(jax.lax.scan, static_argnums=(0, 3))):
        last, got = scan(step, jax.random.key(5), None, 4)
        np.testing.assert_array_equal(got, want)
        assert last == key
    made = jax.lax.scan(lambda c, i: (c, jax.random.key(i)), 0, jnp.arange(3))[1]
    np.testing.assert_array_equal(jax.random.key_data(made)[:, 1], [0, 1, 2])
    chosen = jax.jit(lambda p, k: jax.lax.cond(p, lambda: k, lambda: jax.random.split(k)[1]))
    assert chosen(True, key) == key
    assert chosen(False, key) == jax.random.split(key)[1]
    _, left = jax.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jax.random.split(c[1])[0]), (0, key))
    assert left == jax.random.split(jax.random.split(jax.random.split(key)[0])[0])[0]


def test_a_loop_that_splits_its_key_is_one_kernel():
    def steps(key):
        def step(key, _):
            key, sub = jax.random.split(key)
            return key, jax.random.normal(sub)

        return jax.lax.scan(step, key, None, length=5)[1]

    text = jax.jit(steps).lower(jax.random.key(0)).as_text()
    assert text.count("@kernel") == 1
    np.testing.assert_array_equal(jax.jit(steps)(jax.random.key(0)), steps(jax.random.key(0)))


@pytest.mark.parametrize("axis", [0, 1])
def test_a_mapped_draw_is_that_of_a_loop(axis):
    grid = KEYS.reshape(2, 3)
    rows = grid if axis == 0 else grid.T
    draws = {
        "bits": lambda k: jax.random.bits(k[0], (4,)),
        "split": lambda k: jax.random.key_data(jax.random.split(k[1], 2)),
        "fold": lambda k: jax.random.key_data(jax.random.fold_in(k[0], 3)),
        "normal": lambda k: jax.random.normal(k[0], (2, 2)),
        "permutation": lambda k: jax.random.permutation(k[1], 5),
        "gamma": lambda k: jax.random.gamma(k[0], jnp.array([0.5, 2.0])),
    }
    for name, draw in draws.items():
        want = np.stack([np.asarray(draw(row)) for row in rows])
        np.testing.assert_array_equal(jax.vmap(draw, in_axes=axis)(grid), want, err_msg=name)


def test_keys_have_no_tangents():
    f = lambda x, k: x * jax.random.uniform(k)
    x, key = jnp.float32(2), KEYS[0]
    assert jax.grad(f)(x, key) == jax.random.uniform(key)
    nothing = np.zeros((), jax.dtypes.float0)
    assert jax.jvp(f, (x, key), (jnp.float32(1), nothing))[1] == jax.random.uniform(key)
    assert jax.vjp(f, x, key)[1](jnp.float32(1))[1].dtype == jax.dtypes.float0
    with pytest.raises(TypeError, match="got key<fry>"):
        jax.grad(lambda k: jax.random.uniform(k))(key)


def test_keys_are_leaves_and_can_be_kept():
    tree = {"a": KEYS, "b": (KEYS[0],)}
    assert [leaf.shape for leaf in jax.tree.leaves(tree)] == [(6,), ()]
    kept = pickle.loads(pickle.dumps(KEYS))
    np.testing.assert_array_equal(kept == KEYS, True)
    np.testing.assert_array_equal(copy.copy(KEYS).copy() == KEYS, True)
    moved = jax.device_put(KEYS, jax.devices()[0])
    assert moved.committed
    assert not KEYS.committed
    assert moved.nbytes == 48


REFUSED = {
    "+": (lambda k: k + 1, TypeError, "add does not accept dtypes key<fry>, int32."),
    "mixed": (lambda k: jnp.stack([k[0], 1.0]), ValueError, "dtype=key<fry> is not a valid dtype for JAX type"),
    "neg": (lambda k: -k, TypeError, "neg does not accept dtype key<fry>"),
    "sin": (jnp.sin, TypeError, "Cannot interpret 'key<fry>' as a data type"),
    "sort": (jnp.sort, TypeError, "lt_to does not accept dtype key<fry> at position 0."),
    "numpy": (np.asarray, TypeError, "cannot be converted to a NumPy array"),
    "bool": (lambda k: bool(k[0]), TypeError, "key array cannot be converted to boolean."),
    "len": (lambda k: len(k[0]), TypeError, "len\\(\\) of unsized object"),
    "iter": (lambda k: iter(k[0]), TypeError, "iteration over a 0-d key array"),
    "sum": (lambda k: k.sum(), NotImplementedError, "Cannot call abstract method sum"),
    "rbg": (lambda k: jax.random.key(0, impl="rbg"), NotImplementedError, '"rbg" is left out'),
    "philox": (lambda k: jax.random.key(0, impl="philox4x32"), NotImplementedError, '"philox4x32" is left out'),
    "name": (lambda k: jax.random.key(0, impl="foo"), ValueError, 'unrecognized PRNG implementation "foo"'),
    "flag": (lambda k: jax.config.update("jax_default_prng_impl", "foo"), ValueError, "new enum value must be in"),
    "int": (lambda k: jax.random.normal(0), TypeError, "expected key_data to have ndim, shape, and dtype attributes"),
    "many": (lambda k: jax.random.normal(k), ValueError, "normal accepts a single key, but was given a key array of"),
    "negative": (lambda k: jax.random.bits(k[0], (-1,)), ValueError, "must not be negative"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_misuse_is_refused_in_jax_s_words(name):
    misuse, error, words = REFUSED[name]
    with pytest.raises(error, match=words):
        misuse(KEYS)


def test_an_implementation_of_one_s_own_is_used():
    counting = define_prng_impl(
        key_shape=(1,),
        seed=lambda seed: seed.reshape(1).astype("uint32"),
        split=lambda key, shape: key + jnp.arange(1, 1 + np.prod(shape), dtype="uint32").reshape(*shape, 1),
        random_bits=lambda key, width, shape: (key[0] + jnp.arange(np.prod(shape), dtype="uint32")).reshape(shape),
        fold_in=lambda key, data: key + data,
        name="counting",
        tag="cnt",
    )
    key = jax.random.key(7, impl=counting)
    assert str(key.dtype) == "key<cnt>"
    np.testing.assert_array_equal(jax.random.bits(key, (3,)), [7, 8, 9])
    draw = lambda k: jax.random.bits(jax.random.fold_in(k, 2), (2,))
    np.testing.assert_array_equal(jax.jit(jax.vmap(draw))(jax.random.split(key)), [[10, 11], [11, 12]])
