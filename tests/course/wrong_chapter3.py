"""A wrong answer for each known mistake of chapter 3: (exercise, the mistake's name) -> the answer.

They are solutions with a piece of their text replaced.
"""

# ---- the solution with one piece replaced: (exercise, mistake) -> (old text, new text), ...

_MORE = "((step > 0) & (i < stop)) | ((step < 0) & (i > stop))"
_FOUND = "return lax.while_loop(lambda state: (state[0] < length) & ~state[1], look, (0, False))[0]"
_STAYS = 'if eqn.effects or any(e.primitive.name == "while" for arm in arms for e in equations(arm)):'
_NEEDED = "needed = {v for v, wanted in zip(step.outvars, [*live, *read_ys]) if wanted and isinstance(v, Var)}"

REPLACED = {
    ("3.1", "one run for each step"): [("scan=1, empty=1, start=2, fori=1", "scan=5, empty=0, start=10, fori=1000")],
    ("3.1", "a loop without steps needs no body"): [("empty=1", "empty=0")],
    ("3.1", "a number to start with has a type once and for all"): [("start=2", "start=1")],
    ("3.1", "only the arm that is taken is staged"): [("cond=2, switch=3", "cond=1, switch=2")],
    ("3.2", "it only counts upwards"): [(_MORE, "i < stop")],
    ("3.2", "one step before the first test"): [("one_step, (start, init))", "one_step, one_step((start, init)))")],
    ("3.2", "the last step is lost"): [(_MORE, "(stop - i - step) * step > -1")],
    ("3.2", "Python asks for the sign of the step"): [
        (_MORE, "i < stop if step > 0 else (step < 0) & (i > stop)")
    ],
    ("3.2", "a product or a difference that does not fit"): [(_MORE, "(stop - i) * step > 0")],
    ("3.3", "an empty array is looked at"): [("if length == 0:", "if False:")],
    ("3.3", "it looks at all elements"): [
        (_FOUND, "found = lax.map(pred, xs)\n    return jnp.where(found.any(), jnp.argmax(found), length)")
    ],
    ("3.3", "a look behind the end"): [
        (_FOUND, "return lax.while_loop(lambda i: (i < length) & ~pred(xs[i]), lambda i: i + 1, 0)")
    ],
    ("3.3", "nothing found is the last place"): [("state[0] < length)", "state[0] < length - 1)")],
    ("3.3", "one place too far"): [("jnp.where(is_it, i, i + 1)", "i + 1")],
    ("3.4", "all scans go forwards"): [('reversed(places) if params["reverse"] else places', "places")],
    ("3.4", "the ys lie in the order of the steps"): [("made[i][k] for i in places", "made[i][k] for i in made")],
    ("3.4", "a scan in a scan stays"): [('given, {"scan": scan_by_steps}', "given, {}")],
    ("3.4", "nothing is stacked where there are no steps"): [("if not made:", "if False:")],
    ("3.5", "the arms change places"): [("*cases)", "*cases[::-1])")],
    ("3.5", "what is told is told in any case"): [("eqn.effects or ", "")],
    ("3.5", "each loop ends"): [(_STAYS, "if eqn.effects:")],
    ("3.5", "a cond in a branch stays"): [('operands, {"cond": both_arms}', "operands, {}")],
    ("3.6", "one round is enough"): [("return found if before == after else steady(step, found)", "return found")],
    ("3.6", "a strong part is converted"): [("not jax.typeof(x).weak_type or ", "")],
    ("3.6", "what comes out is always right"): [("common(x, y)", "y.dtype")],
    ("3.6", "all weak parts become strong"): [("or jax.typeof(x).dtype == common(x, y)", "")],
    ("3.7", "the operands change places"): [("fn(early, late)", "fn(late, early)")],
    ("3.7", "reverse changes nothing"): [("if reverse:", "if False:")],
    ("3.7", "the distance grows by one"): [("distance *= 2", "distance += 1")],
    ("3.7", "one element after the other"): [
        ("    while distance < size:", "    parts = [part(k, k + 1) for k in range(size)]\n"
         "    for k in range(size - 2, -1, -1) if reverse else range(1, size):\n"
         "        parts[k] = fn(parts[k + 1 if reverse else k - 1], parts[k])\n"
         "    return join(*parts) if parts else elems\n    while distance < size:")
    ],
    ("3.7", "zeros are put before the start"): [
        ("elems = join(part(None, distance), fn(early, late))",
         "elems = fn(join(jax.tree.map(jnp.zeros_like, part(None, distance)), early), elems)")
    ],
    ("3.8", "one loop does it all"): [
        ("rounds = len", "return lax.scan(f, init, xs, reverse=reverse)\n    rounds = len")
    ],
    ("3.8", "the rest is forgotten"): [
        ("(left_over, in_chunks) if reverse else (in_chunks, left_over)", "(in_chunks,)"),
        ("return carry, jax.tree.map(lambda *ys: jnp.concatenate(ys), parts[in_chunks], parts[left_over])",
         "return carry, parts[in_chunks]"),
    ],
    ("3.8", "the rest begins anew"): [("part(carry)", "part(init)")],
    ("3.8", "with reverse, the rest is still the last to be done"): [
        ("(left_over, in_chunks) if reverse else (in_chunks, left_over)", "(in_chunks, left_over)")
    ],
    ("3.8", "with reverse, only one of the two loops turns around"): [
        ("over(lambda carry, chunk: over(f", "lax.scan(lambda carry, chunk: over(f")
    ],
    ("3.9", "one round is enough"): [("for _ in live:", "for _ in live[:1]:")],
    ("3.9", "what has a reader is needed"): [
        (_NEEDED, "needed = {v for v in step.outvars if isinstance(v, Var)}")
    ],
    ("3.9", "the ys need nothing"): [("[*live, *read_ys]", "[*live, *[False] * len(read_ys)]")],
    ("3.9", "an equation that tells something is dead code"): [("inner.effects or ", "")],
    ("3.10", "only the first element is done"): [
        ('counter("i0")', "ZERO"), ("    (x, out)", "    ZERO = counter('i0') * 0\n    (x, out)")
    ],
    ("3.10", "the count goes on with the next number"): [
        ("        Let(steps.name, zero),\n", ""), ('[For("i0", out.size, one_element)]',
                                                 '[Let(steps.name, zero), For("i0", out.size, one_element)]')
    ],
    ("3.10", "numbers are counted, and not steps"): [("Let(steps.name, zero)", "Let(steps.name, one)")],
    ("3.11", "both arms are run"): [
        ("return lax.cond(is_true(test, known), *map(of_common_types, arms))",
         "then, otherwise = (of_common_types(arm)() for arm in arms)\n"
         "        return jax.tree.map(lambda x, y: jnp.where(is_true(test, known), x, y), then, otherwise)")
    ],
    ("3.11", "the arms must assign the same variables"): [
        (" for name in one if name in other}", " for name in [*one, *other]}"), (" if name in dtypes}", "}")
    ],
    ("3.11", "the arms must agree about dtypes"): [("name: x.astype(dtypes[name])", "name: x")],
    ("3.11", "what is new in a loop is carried"): [(" if name in known}", "}")],
}  # fmt: skip

WRITTEN = {}

# ---- solutions broken on purpose, each in a way that is no known mistake

BROKEN = {
    "3.1": [("python=5", "python=1"), ("test=1", "test=7"), ("switch=3", "switch=4"), ("same=1", "same=2")],
    "3.2": [("i + step, body(i, x)", "i + step, body(i + step, x)"), ("(start, init))[1]", "(start, init))[0]")],
    "3.3": [("return 0", "return -1"), ("& ~state[1]", "& state[1]")],
    "3.4": [("[*consts, *carry,", "[*carry, *consts,"), ("jnp.zeros(t.shape, t.dtype)", "jnp.zeros(t.shape)"),
            ("return [*carry, *(jnp.zeros", "return [*(jnp.zeros")],
    "3.5": [("eqn.primitive.bind(index, *operands", "eqn.primitive.bind(1 - index, *operands"),
            ("e in equations(arm)", "e in arm.eqns"), ("for arm in arms for", "for arm in arms[:1] for")],
    "3.6": [("common(x, y))", "np.float32)"), ("init, jax.eval_shape(step, init)", "init, init")],
    "3.7": [("fn(late, early)", "fn(early, late)"), ("distance *= 2", "distance *= 4"), ("< size", "< size - 1"),
            ("part(-distance, None)", "part(distance, None)")],
    "3.8": [("x[whole:]", "x[whole + 1:]"), ("reverse=reverse", "reverse=False"),
            ("parts[in_chunks], parts[left_over]", "parts[left_over], parts[in_chunks]")],
    "3.9": [("was or v in needed", "v in needed"), ("reversed(step.eqns)", "step.eqns"), ("[*live, *read_ys]",
            "[*read_ys, *live]"), ("return live", "return tuple(live)")],
    "3.10": [("two), zero)", "two), one)"), ("out.size", "1"), ("[halved], [tripled]", "[tripled], [halved]"),
             ("x, out)", "out, x)")],
    "3.11": [("value_of(test, known) != 0", "value_of(test, known)"),
             ("name in other}", "name in known}"), ("known | {name: value_of", "{name: value_of"),
             ("                    value_of(expression, known)\n                case ast.If",
              "                    pass\n                case ast.If")],
}  # fmt: skip
