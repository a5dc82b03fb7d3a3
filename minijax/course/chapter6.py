"""The exercises of chapter 6, randomness: what they need, hints, known mistakes. Some are in chapter6_programs.py."""

from .chapter6_cases import block_cases, names, slope_cases, step_cases, undone_cases
from .chapter6_programs import DROPOUT, PHILOX, REJECTION, REUSE
from .exercise import Exercise, Mistake

TITLE = "random numbers"

_AT_ZERO = "[*numbers(block_undone, *[words(0)] * 4)]"  # what words of zero come from, under a key of zeros
UNDONE = Exercise(
    "6.1", "twenty rounds, undone", "block_undone", 1, 10, "section 2",
    hints=(
        "`threefry.block` begins with a sum of the counter and the key, and then come five groups: four rounds, and "
        "a sum with two words of the key. Write these steps down, and read them from the last to the first.",
        "Undo a group: take away the two words of the key, and from the second word also the number of the group, "
        "which counts from 1. Then undo its four rounds with `unmix`, the last one first.",
        "`reversed(range(5))` and `reversed(threefry.ROTATIONS[i % 2])` run backwards. The three words of the key are "
        "k0, k1, and the xor of both with threefry.PARITY; group i adds those with the numbers (i + 1) % 3 and "
        "(i + 2) % 3.",
    ),
    cases=undone_cases,
    mistakes=(
        Mistake(
            "the turns are undone in their order",
            "Each group has four turns. The last of them was made last, so it is undone first.",
            f"{_AT_ZERO} == [[3260576196], [3554683252]]",
        ),
        Mistake(
            "the groups are undone in their order",
            "The fifth group was done last. It is undone first, with its own words of the key and its own turns.",
            f"{_AT_ZERO} == [[1007822750], [2968899658]]",
        ),
        Mistake(
            "the number of the group is left where it is",
            "With the second word of the key, i + 1 was added. Without it, all groups would be alike.",
            f"{_AT_ZERO} == [[1355435937], [454119318]]",
        ),
        Mistake(
            "the sum before the first round is forgotten",
            "The counter and the key were added before anything else. So that is undone at the end.",
            "[*numbers(block_undone, *key, *threefry.block(*key, words(0), words(0)))] == [[5], [6]]",
            "key = words(5), words(6)",
            explains=("words(1), words(0)", "words(0), words(2**31)", "words(466688986)"),
        ),
    ),
    names=names,
)  # fmt: skip

_DRAWN = "numbers(bits_of_block, jax.random.key(0), {})"
BLOCK = Exercise(
    "6.2", "a part of a draw", "bits_of_block", 2, 20, "sections 2 and 4",
    hints=(
        "Number i of a draw is made from the key and from the counter i, and i counts all elements of the *whole*, row "
        "after row. In shape [R, C], the element at row r and column c has the number r * C + c.",
        "np.indices(sizes) is an array of places for each axis. From the first axis to the last: the number so far, "
        "times the size of this axis in the whole, and then the place on this axis in the whole.",
        "The numbers need 64 bits: np.uint64, and all that is put together with them as well. Shifted by 32 to the "
        "right they are the upper words. The bits are one word of the result, xored with the other.",
    ),
    cases=block_cases,
    mistakes=(
        Mistake(
            "each part begins with counter 0",
            "Then all parts of a draw are the same numbers. The counter is the place in the whole.",
            f"{_DRAWN.format('(4,), (1,), (2,)')} == {_DRAWN.format('(4,), (0,), (2,)')}",
            explains=("_block, key, (4,), (1,", "_block, key, (4,), (3,", "(1, 0)", "(1, 2)"),
        ),
        Mistake(
            "rows are as long as those of the part",
            "Between an element and the one below it lies a row of the whole, however narrow the part is.",
            f"{_DRAWN.format('(3, 4), (0, 0), (2, 2)')} == [bits[:2], bits[2:]]",
            f"bits = {_DRAWN.format('(4,), (0,), (4,)')}",
            explains=("(2, 3), (0, 0)", "(3, 4)"),
        ),
        Mistake(
            "a counter has 32 bits",
            "It has 64, in two words. A draw of more than 2**32 numbers would begin again.",
            f"{_DRAWN.format('(2**33,), (2**32,), (1,)')} == {_DRAWN.format('(4,), (0,), (1,)')}",
            explains=("(4294967296,)", "(8589934592,)"),
        ),
        Mistake(
            "the bits are one of the two words",
            "The other word has as much to say. A number of 32 bits is the xor of both.",
            "numbers(bits_of_block, jax.random.wrap_key_data(words(0, 0)), (1,), (0,), (1,))[0] in (1797259609, "
            "2579123966)",
        ),
    ),
    names=names,
)  # fmt: skip

_KEYS_OF = "numbers(scan_with_keys, draw, key, 0, jnp.zeros(2){})[1]"
_DRAW = "key = jax.random.key(0)\ndraw = lambda key, c, x: (c, jax.random.key_data(key))"
STEPS = Exercise(
    "6.3", "a key for each step", "scan_with_keys", 2, 15, "sections 7 and 11",
    hints=(
        "The number of a step must be known where the step is run. The body of a scan is traced once, so it is no "
        "number of Python's: it has to come in as a value.",
        "Let the carry be a pair, (number, state), and count: the next number is larger by 1. Or let the scan run "
        "along the numbers, beside xs.",
        "The key of the step is jax.random.fold_in(key, number), with the key that the loop was given. In the end, "
        "take the number out of the carry again.",
    ),
    cases=step_cases,
    mistakes=(
        Mistake(
            "one key for all steps",
            "All steps draw the same numbers then. The body is traced once, and a number of Python's is the same in "
            "each step.",
            f"(lambda two: two[0] == two[1])({_KEYS_OF.format('')})",
            _DRAW,
        ),
        Mistake(
            "each step folds into the key of the step before",
            "Then step 1000 can be had only after the 999 before it. Fold the number into the key that the loop was "
            "given.",
            f"{_KEYS_OF.format('')}[1] == key_words(jax.random.fold_in(jax.random.fold_in(key, 0), 1))",
            _DRAW,
            explains=("zeros(2)", "zeros(4)", "zeros(6)", "zeros(8)", "arange("),
        ),
        Mistake(
            "the key is split in the carry",
            "The numbers are good, and a loop that is stopped must keep the key that it has come to: it cannot go on "
            "from the first key and the number of a step.",
            "operations(jax.make_jaxpr(lambda key: scan_with_keys(draw, key, 0, jnp.zeros(2)))(key)).count("
            f"'random_split') == 1 and {_KEYS_OF.format('')}[0] != key_words(jax.random.fold_in(key, 0))",
            _DRAW,
        ),
        Mistake(
            "a loop that goes on counts from 0 again",
            "The first step of the second half is no step 0. Begin with the number that `start` says.",
            f"{_KEYS_OF.format('')} == {_KEYS_OF.format(', 5')}",
            _DRAW,
            explains=(", 1)", ", 1000)", ", 3)", ", 2)", ", start)"),
        ),
    ),
    names=names,
)  # fmt: skip

_RATE = "sample = lambda key, rate: jax.random.exponential(key) / rate\ncdf = lambda x, rate: 1.0 - jnp.exp(-rate * x)"
_SLOPE = "rounded(jax.grad(differentiable(sample, cdf), 1), key, 2.0)"
_SETUP = f"{_RATE}\nkey = jax.random.key(1)\nslope = rounded(jax.grad(sample, 1), key, 2.0)"
SLOPES = Exercise(
    "6.4", "the derivative of a draw", "differentiable", 3, 25,
    "section 10; custom_jvp of chapter 4",
    hints=(
        "The key says which u it is, and u stays what it is when the parameters change a little. So differentiate "
        "cdf(x, *params) = u on both sides: what the parameters do to it, and what x does to it, add up to 0.",
        "That gives x' = - F_params / F_x. Both are derivatives of cdf: jax.jvp along the tangents of the parameters, "
        "with x as it is; and jax.jvp along a tangent of ones for x, with the parameters as they are.",
        "A jax.custom_jvp function of (key, *params) calls `sample`. Its rule gets the primals and the tangents; the "
        "tangent of the key says nothing. Let the rule get x from the custom_jvp function itself: then x has "
        "derivatives in the rule as well.",
    ),
    cases=slope_cases,
    mistakes=(
        Mistake(
            "a draw is a constant",
            "The key alone does not say what x is: the parameters do, too. With the same key, other parameters give "
            "another x.",
            f"{_SLOPE} == 0.0",
            "sample = lambda key, rate: lax.stop_gradient(jax.random.exponential(key) / rate)\n"
            "cdf = lambda x, rate: 1.0 - jnp.exp(-rate * x)\nkey = jax.random.key(1)",
            explains=("grad(",),
        ),
        Mistake(
            "the sign is lost",
            "Where a parameter makes the distribution function larger, x must become smaller, so that u is the same.",
            f"{_SLOPE} == -slope",
            _SETUP,
            explains=("grad(",),
        ),
        Mistake(
            "the density is left out",
            "That is how much u would change. How far x has to go for it depends on how steep the distribution "
            "function is at x.",
            f"{_SLOPE} == rounded(lambda x: -x * jnp.exp(-2.0 * x), numbers(sample, key, 2.0))",
            _SETUP,
            explains=("grad(",),
        ),
        Mistake(
            "x is a constant in the rule",
            "The first derivative is right. But x in it depends on the parameters again, and the second derivative has "
            "to see that: ask the custom_jvp function for x, not `sample`.",
            f"{_SLOPE} == slope and rounded(jax.grad(jax.grad(differentiable(hidden, cdf), 1), 1), key, 2.0) "
            "!= rounded(jax.grad(jax.grad(sample, 1), 1), key, 2.0)",
            f"{_SETUP}\nhidden = lambda key, rate: lax.stop_gradient(sample(key, rate))",
            explains=("grad(jax.grad(",),
        ),
    ),
    names=names,
)  # fmt: skip

EXERCISES = (UNDONE, BLOCK, STEPS, SLOPES, REJECTION, DROPOUT, REUSE, PHILOX)
