"""What the checks of chapter 6 say about single wrong answers, and that what they expect is found in another way."""

import ast

import numpy as np
import pytest
from answers import answer_with, cell, solution_of, source_of
from wrong_chapter6 import REPLACED

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course import check
from minijax.course.catalogue import EXERCISES
from minijax.course.chapter3_given import numbers
from minijax.course.chapter4_given import rounded
from minijax.course.chapter6_expected import (
    block_by_hand,
    by_steps,
    philox_by_hand,
    philox_child,
    philox_key,
    philox_numbers,
    rejected,
    steps_of_32,
    thinned,
    threefry_by_hand,
)
from minijax.course.chapter6_given import USES, changed_bits, equal_pairs, halves, key_words, places, scan_parts, words
from minijax.course.chapter6_program_cases import BRANCHES, LOOPS, PROGRAMS
from minijax.course.judge import FAILED, PASSED, judge
from minijax.errors import KeyReuseError
from minijax.layer6_random.reuse import program_signature, signatures

KEY = jax.random.key(0)

# ---- what is shown


def test_there_are_eight_exercises():
    assert [id for id in EXERCISES if id.startswith("6.")] == [f"6.{i}" for i in range(1, 9)]


def test_a_program_in_which_a_use_is_not_found_is_shown(capsys):
    check("6.7", answer_with("6.7", *REPLACED["6.7", "to split is no use"]))
    said = capsys.readouterr().out
    assert said.startswith(
        "6.7 is not right yet. The smallest case that fails:\n\n"
        "    program = jax.make_jaxpr(lambda key: (jax.random.bits(key), jax.random.split(key)))(jax.random.key(0))\n"
        "    sorted(reused(program))\n\n"
        "expected: ['random_split']\ngot:      []\n"
    )
    assert "b:u32[] = random_bits[bit_width=32 shape=()] a" in said
    assert "A known mistake: to split is no use." in said


def test_a_wrong_number_in_a_list_of_words_is_pointed_out(capsys):
    check("6.8", answer_with("6.8", *REPLACED["6.8", "keys have the counters of bits"]))
    assert "key_words(jax.random.split(key))" in capsys.readouterr().out


def test_an_answer_of_which_a_function_is_unwritten_says_so(capsys):
    body = source_of("6.8").split("### BEGIN SOLUTION")[2].split("### END SOLUTION")[0]
    check("6.8", answer_with("6.8", (body, '\n    raise NotImplementedError("not written yet")\n    ')))
    assert "6.8 is written in part: after " in capsys.readouterr().out


@pytest.mark.parametrize("id", [id for id in EXERCISES if id.startswith("6.")])
def test_a_check_shows_no_addresses_and_no_paths(id, capsys):
    check(id, lambda *args, **kwargs: object())
    said = capsys.readouterr().out
    assert "0x" not in said and ".py" not in said


# ---- another right answer passes


def dropout_by_vjp(key, x, rate):
    def thin(key, x, rate):
        is_kept = jax.random.bernoulli(key, 1.0 - rate, x.shape)
        return jnp.where(is_kept, x / jnp.where(rate < 1.0, 1.0 - rate, 1.0), 0.0)

    drop = jax.custom_vjp(thin)
    drop.defvjp(lambda *args: (drop(*args), args[::2]), lambda kept, ct: (None, thin(kept[0], ct, kept[1]), None))
    return drop(key, x, rate)


def with_steps_beside(f, key, init, xs, start=0):
    steps = start + jnp.arange(len(jax.tree.leaves(xs)[0]))
    return lax.scan(lambda carry, x: f(jax.random.fold_in(key, x[0]), carry, x[1]), init, (steps, xs))


def rejection_from_nothing(key, propose, keep, most):
    start = jax.tree.map(lambda t: jnp.zeros(t.shape, t.dtype), jax.eval_shape(propose, key))

    def one_round(state):
        keys = jax.random.split(state[0], 3)
        x = propose(keys[1])
        return keys[0], x, state[2] + 1, jax.random.uniform(keys[2]) < keep(x)

    return lax.while_loop(lambda s: ~s[3] & (s[2] < most), one_round, (key, start, 0, False))[1:3]


@pytest.mark.parametrize(
    "id, answer", [("6.3", with_steps_beside), ("6.5", rejection_from_nothing), ("6.6", dropout_by_vjp)]
)
def test_an_answer_of_another_form_passes(id, answer):
    verdict = judge(EXERCISES[id], answer)
    assert verdict.state == PASSED, verdict


def test_a_rule_by_values_alone_has_no_second_derivative():
    def by_stopped_values(sample, cdf):
        def draw(key, *params):
            x = lax.stop_gradient(sample(key, *map(lax.stop_gradient, params)))
            moved, density = cdf(x, *params), jax.jvp(lambda x: cdf(x, *params), [x], [jnp.ones_like(x)])[1]
            return x - (moved - lax.stop_gradient(moved)) / lax.stop_gradient(density)

        return draw

    verdict = judge(EXERCISES["6.4"], by_stopped_values)
    assert verdict.state == FAILED and verdict.mistake.name == "x is a constant in the rule"


# ---- what is at hand


def test_words_and_halves_and_places():
    assert words(1, 2).dtype == np.uint32
    assert numbers(lambda: halves(jnp.int32(-1))) == (0, 2**32 - 1)
    assert numbers(lambda: places((2, 2))) == ([[0, 0], [0, 0]], [[0, 1], [2, 3]])
    assert key_words(jax.random.split(KEY)) == [[1797259609, 2579123966], [928981903, 3453687069]]


def test_pairs_and_changed_bits_are_counted():
    assert equal_pairs(jnp.array([1, 2, 1, 3, 1, 2])) == 4 and equal_pairs([1, 2]) == 0
    assert changed_bits(words(0, 7), words(1, 8)) == 5


def test_the_parts_of_a_scan_are_its_constants_its_carry_and_what_it_runs_along():
    program = jax.make_jaxpr(lambda a, xs: lax.scan(lambda c, x: (c + a, x), 0.0, xs))(1.0, jnp.ones(3))
    (scan,) = (eqn for eqn in program.eqns if eqn.primitive.name == "scan")
    assert scan_parts(scan, ["a", "c", "x"]) == (["a"], ["c"], ["x"])


def test_the_uses_are_those_of_the_package():
    using = {p.name for p, s in signatures.items() if p.name.startswith("random") and s.sinks}
    assert using == {*USES}


# ---- what is expected is right


def test_threefry_by_hand_is_that_of_the_package():
    assert threefry_by_hand((0, 0), 0) == (1797259609, 2579123966)
    bits = numbers(jax.random.bits, KEY, (3, 4))
    assert block_by_hand((0, 0), (3, 4), (0, 0), (3, 4)) == bits
    assert block_by_hand((0, 0), (3, 4), (1, 2), (2, 1)) == [[bits[1][2]], [bits[2][2]]]
    assert block_by_hand((0, 0), (), (), ()) == bits[0][0]


def test_steps_have_the_keys_of_their_numbers():
    f = lambda key, c, x: (c + x, {"key": jax.random.key_data(key)})
    total, ys = by_steps(f, KEY, 0, jnp.arange(3), 5)
    assert total == 3 and ys == {"key": [key_words(jax.random.fold_in(KEY, i)) for i in (5, 6, 7)]}


def test_rejection_ends_with_what_is_kept_or_with_the_last_round():
    key, for_x, _ = jax.random.split(KEY, 3)
    assert rejected(KEY, jax.random.uniform, lambda x: 1.0, 5) == (numbers(jax.random.uniform, for_x), 1)
    second = jax.random.split(key, 3)[1]
    assert rejected(KEY, jax.random.uniform, lambda x: 0.0, 2) == (numbers(jax.random.uniform, second), 2)


def test_dropout_keeps_the_mean():
    assert {*thinned(KEY, [1.0] * 100, 0.75)} == {0.0, 4.0}
    assert abs(np.mean(thinned(KEY, [1.0] * 1000, 0.75)) - 1.0) < 0.2
    assert thinned(KEY, [[1.0, np.nan]], 1.0) == [[0.0, 0.0]]


PI = 0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0
PUBLISHED = (  # key, counter, and what the authors of philox say
    ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((2**32 - 1,) * 2, (2**32 - 1,) * 4, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (PI[4:], PI[:4], (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
)


@pytest.mark.parametrize("key, counter, found", PUBLISHED)
def test_philox_by_hand_gives_the_published_words(key, counter, found):
    assert tuple(philox_by_hand(key, counter)) == found


def test_philox_by_hand_gives_the_keys_and_the_bits_of_jax():
    """As JAX 0.11.0 prints them for impl="philox4x32"."""
    assert [philox_key(seed) for seed in (0, 7, -1)] == [
        [1713891541, 3781805453], [1801635674, 389949022], [4130576541, 252180694],
    ]  # fmt: skip
    key = philox_key(0)
    assert [philox_child(key, i) for i in (0, 1, 3)] == [
        [3568036438, 3714396419], [3063428598, 4089948016], [304241777, 837663140],
    ]  # fmt: skip
    assert philox_numbers(key, 32, 3) == [2034863994, 2176725434, 2877061679]
    assert philox_numbers(key, 16, 3) == [36730, 12730, 31279] and philox_numbers(key, 8, 3) == [122, 186, 47]
    assert [round(u, 7) for u in steps_of_32(philox_numbers(key, 32, 3))] == [0.4737786, 0.5068083, 0.6698681]


def test_uniform_numbers_are_steps_of_32_bits():
    assert numbers(jax.random.uniform, KEY, (5,)) == steps_of_32(numbers(jax.random.bits, KEY, (5,)))


# ---- the check of keys and that of the package

LETS_PASS = (  # to the package a key that is made twice in one way is two keys
    "fold_in(key, i)) for i in (1, 1)", "key(i)) for i in (1, 1)", "fold_in(k, 1))(key)", "(key, 7)", "(2))[0][0]",
)  # fmt: skip
IS_CAREFUL = ("bits(key)), 0, jnp.arange(1))", "(c[1], c[0]), jax")  # it counts no steps, follows no carry


@pytest.mark.parametrize("text, found", (*PROGRAMS, *BRANCHES, *LOOPS))
def test_what_the_package_refuses_is_found_and_nothing_else(text, found):
    f = eval(text, {"jax": jax, "jnp": jnp, "lax": lax})
    program = jax.make_jaxpr(f)(jax.random.split(KEY, 2) if text.startswith("lambda keys") else KEY)
    try:
        program_signature(program)
        refused = False
    except KeyReuseError:
        refused = True
    assert sorted(solution_of("6.7")(program)) == found
    differs = text.endswith(IS_CAREFUL[:1]) or IS_CAREFUL[1] in text or any(piece in text for piece in LETS_PASS)
    assert refused == (bool(found) != differs)


def test_the_given_part_of_the_first_exercise_undoes_a_round():
    (function,) = ast.parse(cell("ex-6-1-given")).body
    assert function.name == "unmix"
    unmix = solution_of("6.1").__globals__["unmix"]
    y1 = words(257)  # 1 turned by 8, xored with the sum
    assert numbers(unmix, words(1), y1, 8) == ([0], [1])


def test_a_derivative_of_a_rejected_draw_is_that_of_the_power_that_it_is():
    x = numbers(solution_of("6.4")(lambda key, a: jax.random.uniform(key) ** (1.0 / a), lambda x, a: x**a), KEY, 3.0)
    direct = rounded(jax.grad(lambda a: jax.random.uniform(KEY) ** (1.0 / a)), 3.0)
    assert abs(direct - -x * np.log(x) / 3.0) < 1e-3


def test_the_error_of_a_tracer_is_told_without_its_address(capsys):
    check("6.5", answer_with("6.5", *REPLACED["6.5", "a loop of Python's"]))
    said = capsys.readouterr().out
    assert "This BatchTracer was created on line:" in said and "object id" not in said
