"""Threefry: bits are exactly those of plain integers, for every width, shape and counter."""

import math

import by_hand
import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.extend.random import threefry_2x32
from minijax.layer6_random import blocks, threefry, words

KEYS = [(0, 0), (0, 7), (0xFFFFFFFF, 0xFFFFFFFF), (0x13198A2E, 0x03707344)]
SHAPES = [(), (1,), (5,), (2, 3), (3, 1, 2), (0,), (4, 0), (257,)]


def typed(key):
    return jax.random.wrap_key_data(jnp.array(key, jnp.uint32))


def test_the_published_answers_are_met():
    """The known answers of the Random123 distribution for threefry2x32 with 20 rounds."""
    full = 0xFFFFFFFF
    for counter, key, want in [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((full, full), (full, full), (0x1CB996FC, 0xBB002BE7)),
        ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
    ]:
        got = threefry.block(*map(np.uint32, (*key, *counter)))
        assert tuple(map(int, got)) == want == by_hand.threefry(key, counter[0] << 32 | counter[1])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("width", [8, 16, 32, 64])
@pytest.mark.parametrize("key", KEYS, ids=str)
def test_bits_are_those_of_plain_integers(key, width, shape):
    with jax.enable_x64(width == 64):
        draw = lambda k: jax.random.bits(k, shape, f"uint{width}")
        want = np.array(by_hand.bits(key, width, math.prod(shape)), f"uint{width}").reshape(shape)
        for got in (draw(typed(key)), jax.jit(draw)(typed(key))):
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("counter", [0, 1, 2**32 - 1, 2**32, 2**32 + 1, 2**40 + 5, 2**63, 2**64 - 1])
def test_counters_beyond_32_bits_are_computed_without_drawing_what_is_before(counter):
    upper, lower = threefry.counters(counter, 1)
    for key in KEYS:
        want = by_hand.threefry(key, counter)
        got = threefry.scrambled(*(np.array([k], np.uint32) for k in key), upper, lower)
        assert tuple(int(x[0]) for x in got) == want
        with np.errstate(over="ignore"):  # sums of uint32 wrap around
            word = words.threefry2x32_uint64(np.uint64(key[0] << 32 | key[1]), np.uint64(counter))
        assert int(word) == want[0] << 32 | want[1]
        compiled = jax.jit(lambda k0, k1, x0, x1: blocks.threefry2x32_p.bind(k0, k1, x0, x1))
        assert tuple(int(x[0]) for x in compiled(*map(np.uint32, key), upper, lower)) == want


def test_the_upper_half_of_a_counter_is_that_of_the_index():
    at = blocks._counter_at(type("eqn", (), {"params": {"upper": True}}), (blocks.Place,))
    assert (at.name, at.args[0].name) == ("to_uint32", "upper_uint64")
    np.testing.assert_array_equal(threefry.counters(2**32 - 2, 4), [[0, 0, 1, 1], [2**32 - 2, 2**32 - 1, 0, 1]])


def test_a_long_draw_begins_with_the_short_one():
    key = jax.random.key(3)
    long = np.asarray(jax.random.bits(key, (1000,)))
    for count in (0, 1, 7, 999):
        np.testing.assert_array_equal(jax.random.bits(key, (count,)), long[:count])
    np.testing.assert_array_equal(jax.random.bits(key, (10, 100)).ravel(), long)


@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (0,), (5000,)], ids=str)
def test_new_keys_are_pairs_of_words(shape):
    for key in KEYS:
        pairs = [by_hand.threefry(key, i) for i in range(math.prod(shape))]
        want = np.array(pairs, np.uint32).reshape(*shape, 2)
        for split in (jax.random.split, jax.jit(jax.random.split, static_argnums=1)):
            np.testing.assert_array_equal(jax.random.key_data(split(typed(key), shape)), want)


def test_folding_in_a_number_is_its_counter():
    for key in KEYS:
        for data in (0, 1, 2**31, 2**32 - 1):
            got = jax.random.key_data(jax.random.fold_in(typed(key), data))
            assert tuple(map(int, got)) == by_hand.threefry(key, data)


def test_a_million_keys_of_a_tree_are_all_different():
    keys = jax.random.split(jax.random.key(0), 1000)
    grown = jax.vmap(lambda key: jax.random.split(key, 1000))(keys)
    pairs = np.asarray(jax.random.key_data(grown)).astype(np.uint64).reshape(-1, 2)
    assert len(np.unique(pairs[:, 0] << np.uint64(32) | pairs[:, 1])) == 1_000_000


def test_the_former_layout_is_there_by_its_flag():
    key = jax.random.key(42)
    with jax.threefry_partitionable(False):
        draw, split = jax.random.bits(key, (5,)), jax.random.key_data(jax.random.split(key))
    halves = [by_hand.threefry((0, 42), i << 32 | (i + 3) % 6 * (i + 3 < 5)) for i in range(3)]
    np.testing.assert_array_equal(draw, [x for x, _ in halves] + [y for _, y in halves[:2]])
    words_of_key = np.uint32(0), np.uint32(42)
    np.testing.assert_array_equal(np.ravel(split), threefry_2x32(words_of_key, np.arange(4, dtype=np.uint32)))
    np.testing.assert_array_equal(jax.random.bits(key, (5,)), by_hand.bits((0, 42), 32, 5))
