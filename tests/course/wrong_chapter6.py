"""A wrong answer for each known mistake of chapter 6: (exercise, the mistake's name) -> the answer.

They are solutions with a piece of their text replaced.
"""

# ---- the solution with one piece replaced: (exercise, mistake) -> (old text, new text), ...

_FOLDED = "f(jax.random.fold_in(key, i), carry, x)"
_SPLIT_STEP = "key, for_x, for_u = jax.random.split(key, 3)"
_ONE_LOOP = "i, _, x, _ = lax.while_loop(goes_on, one_round, one_round((0, key)))"
_CHOICE = "jnp.where(is_kept, x / jnp.where(kept > 0.0, kept, 1.0), 0.0)"
_ROUND = "k0, k1 = k0 + W0, k1 + W1"

REPLACED = {
    ("6.1", "the turns are undone in their order"): [
        ("reversed(threefry.ROTATIONS[i % 2])", "threefry.ROTATIONS[i % 2]")
    ],
    ("6.1", "the groups are undone in their order"): [("reversed(range(5))", "range(5)")],
    ("6.1", "the number of the group is left where it is"): [(" - np.uint32(i + 1)", "")],
    ("6.1", "the sum before the first round is forgotten"): [("return y0 - k0, y1 - k1", "return y0, y1")],
    ("6.2", "each part begins with counter 0"): [(" + np.uint64(start)", "")],
    ("6.2", "rows are as long as those of the part"): [("starts, shape):", "starts, sizes):")],
    ("6.2", "a counter has 32 bits"): [("(number >> np.uint64(32)).astype(np.uint32)", "np.zeros(sizes, np.uint32)")],
    ("6.2", "the bits are one of the two words"): [("return y0 ^ y1", "return y0")],
    ("6.3", "one key for all steps"): [(_FOLDED, "f(key, carry, x)")],
    ("6.3", "each step folds into the key of the step before"): [
        ("i, carry = numbered", "i, last, carry = numbered"),
        ("carry, y = f(jax.random.fold_in(key, i), carry, x)",
         "now = jax.random.fold_in(last, i)\n        carry, y = f(now, carry, x)"),
        ("(i + 1, carry), y", "(i + 1, now, carry), y"),
        ("(_, carry), ys", "(_, _, carry), ys"),
        ("(start, init)", "(start, key, init)"),
    ],
    ("6.3", "the key is split in the carry"): [
        ("i, carry = numbered", "last, carry = numbered"),
        (f"carry, y = {_FOLDED}", "last, now = jax.random.split(last)\n        carry, y = f(now, carry, x)"),
        ("(i + 1, carry), y", "(last, carry), y"),
        ("(start, init)", "(key, init)"),
    ],
    ("6.3", "a loop that goes on counts from 0 again"): [("(start, init)", "(0, init)")],
    ("6.4", "a draw is a constant"): [("return x, -moved / density", "return x, 0.0 * moved / density")],
    ("6.4", "the sign is lost"): [("-moved / density", "moved / density")],
    ("6.4", "the density is left out"): [("-moved / density", "-moved")],
    ("6.4", "x is a constant in the rule"): [("x = draw(key, *params)", "x = sample(key, *params)")],
    ("6.5", "the key is not renewed"): [(_SPLIT_STEP, "_, for_x, for_u = jax.random.split(key, 3)")],
    ("6.5", "one key for the proposal and for the decision"): [("propose(for_x)", "propose(for_u)")],
    ("6.5", "what should be kept is thrown away"): [("< keep(x)", ">= keep(x)")],
    ("6.5", "a loop of Python's"): [
        (_ONE_LOOP,
         "state = one_round((0, key))\n"
         "    while goes_on(state):\n"
         "        state = one_round(state)\n"
         "    i, _, x, _ = state")
    ],
    ("6.6", "nothing is made larger"): [("x / jnp.where(kept > 0.0, kept, 1.0)", "x")],
    ("6.6", "the rate says what is kept"): [("kept = 1.0 - rate", "kept = rate * 1.0")],
    ("6.6", "the mask is a factor"): [(_CHOICE, "is_kept * x / jnp.where(kept > 0.0, kept, 1.0)")],
    ("6.6", "a rate of 1 divides by 0"): [("x / jnp.where(kept > 0.0, kept, 1.0)", "x / kept")],
    ("6.6", "the mask is kept"): [("    @jax.checkpoint\n", "")],
    ("6.7", "to split is no use"): [("if name in USES:", "if name in USES and name != 'random_split':")],
    ("6.7", "fold_in is a use"): [("if name in USES:", "if name in (*USES, 'random_fold_in'):")],
    ("6.7", "each result is a new key"): [("number(name, *operands, str(params), i)", "number(len(seen))")],
    ("6.7", "the programs inside are not looked at"): [('if name == "jit":', 'if name == "no_jit":')],
    ("6.7", "one step is looked at"): [('("first", "second")', '("first",)')],
    ("6.8", "the key is changed before the first round"): [
        (f"        {_ROUND}\n", ""), ("for _ in range(10):\n", f"for _ in range(10):\n        {_ROUND}\n"),
    ],
    ("6.8", "the seed is the key"): [
        ("y0, y1, *_ = philox_block(zero, zero, (upper, lower, zero, zero))", "y0, y1 = upper, lower")
    ],
    ("6.8", "keys have the counters of bits"): [("(zero, zero, upper, lower)", "(upper, lower, zero, zero)")],
    ("6.8", "one word of four"): [("(y0 ^ y1 ^ y2 ^ y3)", "y0")],
}  # fmt: skip
WRITTEN = {}

# ---- solutions broken on purpose, each in a way that is no known mistake

BROKEN = {
    "6.1": [("unmix(y0, y1, by)", "unmix(y1, y0, by)"), ("y0 - k0, y1 - k1", "y0 - k1, y1 - k0"),
            ("keys[(i + 1) % 3]", "keys[i % 3]"), ("threefry.PARITY", "np.uint32(0)")],
    "6.2": [("*jax.random.key_data(key)", "*jax.random.key_data(key)[::-1]"), ("upper, lower)\n", "lower, upper)\n"),
            ("starts, shape)", "starts, shape[::-1])"), (".astype(np.uint64), starts", ", starts")],
    "6.3": [("i + 1", "i + 2"), ("return carry, ys", "return init, ys"),
            ("(_, carry), ys = lax.scan", "(carry, _), ys = lax.scan")],
    "6.4": [("lambda x: cdf(x, *params), [x]", "lambda x: cdf(x + 0.1, *params), [x]"),
            ("return x, -", "return x + 1.0, -"),
            ("return sample(key, *params)", "return sample(jax.random.split(key)[0], *params)")],
    "6.5": [("key, for_x, for_u", "for_x, key, for_u"), ("(i < most)", "(i < most + 1)"),
            ("return x, i", "return x, i - 1"),
            ("~is_kept & ", "")],
    "6.6": [("bernoulli(key, kept, x.shape)", "bernoulli(key, kept, x.shape[:1])"),
            ("kept, 1.0), 0.0)", "kept, 1.0), x)"),
            ("x / jnp.where", "x * jnp.where")],
    "6.7": [("{*used} for", "used for"), ("used.update(*after)", "used.update(after[0])"),
            ("used.add(operands[0])", "used.add(operands[-1] + 1)"),
            ('number("element", x, step)', 'number("element", x)'),
            (', str(params), i)', ', i)'), ("out = walk(params", "walk(params"),
            ("[*consts, *carry, *elements]", "[*consts, *elements, *carry]"),
            ("found[id(eqn)] = name", "found[len(found)] = name")],
    "6.8": [("mulhi(M1, x2) ^ x1", "mulhi(M0, x2) ^ x1"), ("M1 * x2", "M1 + x2"), ("axis=-1", "axis=0"),
            ("(zero, zero, zero, data)", "(zero, zero, data, zero)"), ('f"uint{width}"', '"uint32"'),
            ("(upper, lower, zero, zero))\n    return (", "(lower, upper, zero, zero))\n    return (")],
}  # fmt: skip
