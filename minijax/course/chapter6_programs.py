"""The exercises of chapter 6 on rejection, on dropout, on keys that are used twice, and on keys of one's own."""

from .chapter6_cases import names
from .chapter6_program_cases import KEYS, dropout_cases, philox_cases, rejection_cases, reuse_cases
from .exercise import Exercise, Mistake

_REJECTED = "numbers(rejection, key, jax.random.uniform, {}, 20)"
_KEY = "key = jax.random.key({})"
_FIRST = f"{_KEY.format(0)}\nx = numbers(jax.random.uniform, jax.random.split(key, 3)[1])"  # below 0.75
REJECTION = Exercise(
    "6.5", "again, until one is kept", "rejection", 2, 20, "section 9; while_loop of chapter 3",
    hints=(
        "A round is a function of a state: how many rounds there were, the key, the last proposal, whether it was "
        "kept. It gives the next state. Both the key and the count are in the carry.",
        "In a round: split the key in three, with the first for the next round. Propose with the second, and draw the "
        "uniform number with the third. It is kept if that number is below `keep(x)`.",
        "What is the state before the first round, when there is no proposal yet? Do the first round before the loop: "
        "what comes out of it is the start of lax.while_loop. Go on while nothing was kept and the count is below "
        "`most`.",
    ),
    cases=rejection_cases,
    mistakes=(
        Mistake(
            "the key is not renewed",
            "Each round proposes the same again and decides the same again. The loop ends at once or never. Carry a "
            "new key on.",
            f"{_REJECTED.format('lambda x: x > 0.75')} == (x, 20)",
            _FIRST,
        ),
        Mistake(
            "one key for the proposal and for the decision",
            "Then the decision knows the proposal: both are made from the same bits. Each use needs a key of its own.",
            f"{_REJECTED.format('lambda x: x')}[1] == 20 and {_REJECTED.format('lambda x: 1.0')}[1] == 1",
            _KEY.format(1),
        ),
        Mistake(
            "what should be kept is thrown away",
            "keep(x) is the probability to keep x: a uniform number is below p with probability p.",
            f"{_REJECTED.format('lambda x: x > 0.75')} == (x, 1)",
            _FIRST,
        ),
        Mistake(
            "a loop of Python's",
            "It works for one key. Under jax.vmap and jax.jit nobody knows how often it must run: the loop has to be a "
            "part of the program.",
            "str(refusal(jax.jit(lambda key: rejection(key, jax.random.uniform, lambda x: x, 3)), key)).startswith("
            "'TracerBoolConversionError')",
            _KEY.format(0),
            explains=("jax.vmap(", "jax.jit("),
        ),
    ),
    names=names,
)  # fmt: skip

_FOUR = "key = jax.random.key(2)\nx = jnp.arange(1.0, 5.0)"
_SLOPE_AT_1 = "str(rounded(jax.grad(lambda x: dropout(key, x, 1.0).sum()), x))"
DROPOUT = Exercise(
    "6.6", "left out, and drawn again", "dropout", 2, 20,
    "sections 8 and 10; checkpoint of chapter 4",
    hints=(
        "The mask is jax.random.bernoulli(key, 1.0 - rate, x.shape). Choose with jnp.where; what is kept is divided by "
        "the probability to be kept.",
        "With rate 1.0 that is a division by 0. Its result is not taken, but its derivative meets a cotangent of 0, "
        "and 0 times infinity is NaN. So divide by something else then: jnp.where(kept > 0.0, ...) for the divisor.",
        "Nothing else is to be kept for the way back than the key and the rate. jax.checkpoint(f) is `f`, with a "
        "pullback that runs f once more. Or write a jax.custom_vjp: the cotangent goes through the same function.",
    ),
    cases=dropout_cases,
    mistakes=(
        Mistake(
            "nothing is made larger",
            "If half of the elements are 0 and the others are as they were, sums are half as large as without dropout. "
            "Divide by the probability to be kept.",
            "{*rounded(dropout, key, jnp.ones(16), 0.5)} == {0.0, 1.0}",
            _FOUR,
        ),
        Mistake(
            "the rate says what is kept",
            "A rate of 0.25 leaves out one of four, on the average. Three of four are kept.",
            "rounded(dropout, key, x, 0.25) == thinned(key, x, 0.75)",
            _FOUR,
            explains=("0.25", " 0.0", " 1.0", "0.75"),
        ),
        Mistake(
            "the mask is a factor",
            "0 times NaN is NaN. What is left out is 0, whatever it was: choose, and do not multiply.",
            "'nan' in str(rounded(dropout, key, jnp.full(32, jnp.nan), 1.0))",
            _FOUR,
            explains=("nan",),
        ),
        Mistake(
            "a rate of 1 divides by 0",
            "With rate 1.0 the divisor is 0, and the quotient infinite or NaN. Where it is not taken the value is "
            "right, but the derivative of the quotient is infinite, and 0 times that is NaN.",
            f"'nan' in {_SLOPE_AT_1}",
            _FOUR,
            explains=("1.0",),
        ),
        Mistake(
            "the mask is kept",
            "The values are right, and a number or a bit for each element waits for the pullback. The key says all of "
            "it: draw the mask again.",
            "residuals(lambda x: dropout(key, x, jnp.float32(0.5)), jnp.ones(100)) >= 100",
            _FOUR,
            explains=("residuals(",),
        ),
    ),
    names=names,
)  # fmt: skip

_FOUND = "reused(jax.make_jaxpr({})(jax.random.key(0)))"
REUSE = Exercise(
    "6.7", "who uses a key twice?", "reused", 3, 35, "section 12; exercise 1.7",
    hints=(
        "Keep a dict from variables to numbers, as an interpreter keeps one to values. seen.setdefault(what, "
        "len(seen)) is the number of `what`: a new one, if it was not seen before. A result is (name, numbers of the "
        "operands, text of the parameters, which result).",
        "A function for a program takes the numbers of its inputs and the set of what has been used, and gives the "
        "numbers of its results. For a jit it calls itself, with the numbers of the operands. For a cond, each branch "
        "gets a copy of the set; afterwards the set is the union of all.",
        "For a scan, run the body as often as there are steps, but at most twice, with the same numbers for the "
        "constants, the carry that came out before, and for each x a number that depends on x and on the step. What "
        "is used in the second step and was used in the first is found by itself.",
    ),
    cases=reuse_cases,
    mistakes=(
        Mistake(
            "to split is no use",
            "A key and its children are made of the same numbers. After a split only the children may be used.",
            f"{_FOUND.format('lambda key: (jax.random.split(key), jax.random.split(key))')} == []",
            explains=("split(key)",),
        ),
        Mistake(
            "fold_in is a use",
            "fold_in is there to make many keys from one, with different numbers. It may be called again and again.",
            "'random_fold_in' in "
            f"{_FOUND.format('lambda key: [jax.random.fold_in(key, 0), jax.random.fold_in(key, 1)]')}",
            explains=("fold_in(",),
        ),
        Mistake(
            "each result is a new key",
            "The same operation with the same operands and parameters gives the same key, wherever it stands.",
            f"{_FOUND.format('lambda key: [jax.random.bits(jax.random.fold_in(key, i)) for i in (1, 1)]')} == []",
            explains=("in (1, 1)", "*keys, *keys", "key, 7)"),
        ),
        Mistake(
            "the programs inside are not looked at",
            "Nearly all samplers are jitted functions. What they use stands in the program that the equation carries.",
            f"{_FOUND.format('lambda key: (jax.random.uniform(key), jax.random.uniform(key))')} == []",
            explains=("uniform(", "jax.jit("),
        ),
        Mistake(
            "one step is looked at",
            "A body is run again and again, each time with the same constants. Look at two steps.",
            f"{_FOUND.format('lambda key: lax.scan(lambda c, x: (c, jax.random.bits(key)), 0, jnp.arange(2))')} == []",
            explains=("lax.scan(",),
        ),
    ),
    names=names,
)  # fmt: skip

_BLOCK_OF = "[*numbers(philox_block, *{}, [*jnp.array({}, 'uint32')])]"
_SPLIT = "key_words(jax.random.split(jax.random.key(0, impl=PHILOX)))"
PHILOX = Exercise(
    "6.8", "keys of another kind", "philox_block", 4, 60, "sections 3 to 7; exercise 6.2",
    hints=(
        "`lax.mulhi(x, M)` is the upper half of a product of words, and `x * M` the lower one. Compute all four new "
        "words from the old ones, in one assignment. After the round the two words of the key become larger, so the "
        "first round has the key as it was given.",
        "places(shape) gives the upper and the lower words of the counters. With zeros of the same shape, "
        "jnp.zeros_like, the block is made for all places at once. Bits: the counter is in the first two words. Keys: "
        "it is in the last two, and the first two words of the result are the key, along a new last axis.",
        "A seed is a counter, too: halves(seed) are the first two words of it, and both words of the key are 0. A "
        "number of 32 bits is the xor of all four words; `.astype` to uint8 or uint16 keeps the lower bits.",
    ),
    cases=philox_cases,
    mistakes=(
        Mistake(
            "the key is changed before the first round",
            "The first round has the key as it is. Only from the second one on, the constants have been added.",
            f"{_BLOCK_OF.format('words(0, 0)', '(0,) * 4')} == philox_by_hand((0x9E3779B9, 0xBB67AE85), (0,) * 4)",
            explains=("philox_block",),
        ),
        Mistake(
            "the seed is the key",
            "Keys of small numbers would differ in a few bits. The words of the seed are scrambled first, under a key "
            "of zeros.",
            "key_words(jax.random.key(7, impl=PHILOX)) == [0, 7]",
            explains=("key_words(",),
        ),
        Mistake(
            "keys have the counters of bits",
            "Then the words of a new key are words that go into a draw as well. For keys the counter stands in the "
            "last two words, for bits in the first two.",
            f"{_SPLIT} == [philox_by_hand(philox_key(0), (0, i, 0, 0))[:2] for i in range(2)]",
            explains=("split(",),
        ),
        Mistake(
            "one word of four",
            "A number of 32 bits is the xor of all four words here, as in JAX.",
            "numbers(jax.random.bits, jax.random.key(0, impl=PHILOX)) in philox_by_hand(philox_key(0), (0, 0, 0, 0))",
            explains=("bits",),
        ),
    ),
    names=names,
    parts=("philox_seed", "philox_split", "philox_bits", "philox_fold_in"),
    plug=KEYS,
)  # fmt: skip
