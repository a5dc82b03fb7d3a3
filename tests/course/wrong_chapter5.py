"""A wrong answer for each known mistake of chapter 5: (exercise, the mistake's name) -> the answer.

They are solutions with a piece of their text replaced.
"""

# ---- the solution with one piece replaced: (exercise, mistake) -> (old text, new text), ...

_CUMSUM = "lax.cumsum(x, axis=axis + (axis >= dim), reverse=reverse), dim"
_PREFIX = "jax.tree.map(spread, in_axes, args, is_leaf=lambda axis: axis is None)"
_SCATTER = 'lax.scatter(x, jnp.stack(starts, axis=1), update, numbers, mode="clip"), 0'
_CHOICE = "jnp.where(goes_on, new, old)"
_ONE_LOOP = "return lax.while_loop(lambda xs: jax.vmap(cond)(xs).any(), jax.vmap(one_round), init)"
_GUARD = "jnp.where(along(taken, x), x, lax.stop_gradient(x))"
_SELECTION = "lax.select_n(along(index, first), first, *others)"
_IF = "known = branch(value_of(test, known), [then, otherwise], known, mask)"
_START = "{name: jnp.float32(x) for name, x in variables.items()}"

REPLACED = {
    ("5.1", "out_axes says where the axis came from"): [("out=(3, 2, 4)", "out=(2, 3, 4)")],
    ("5.1", "what is the same for all comes out once"): [("copied=(2, 4, 5)", "copied=(4, 5)")],
    ("5.1", "the inner vmap sees all axes"): [("inner=(2, 4)", "inner=(2, 3)")],
    ("5.1", "the inner axis comes first"): [("pairs=(5, 7)", "pairs=(7, 5)")],
    ("5.2", "the axes keep their numbers"): [("axis + (axis >= dim)", "axis"), ("d + (d >= dim)", "d")],
    ("5.2", "every axis moves up by one"): [("axis + (axis >= dim)", "axis + 1"), ("d + (d >= dim)", "d + 1")],
    ("5.2", "the batch axis goes to the front"): [
        (_CUMSUM, "lax.cumsum(bdim_at_front(x, dim, 0), axis=axis + 1, reverse=reverse), 0"),
        ("lax.rev(x, [d + (d >= dim)", "lax.rev(bdim_at_front(x, dim, 0), [d + 1"),
        ("for d in dimensions]), dim", "for d in dimensions]), 0"),
    ],
    ("5.2", "the direction is lost"): [(", reverse=reverse)", ")")],
    ("5.3", "a batch axis of one is one of both"): [
        ('"left": ((((2,), (0,)), none), 0)', '"left": ((((2,), (0,)), ((0,), (0,))), 0)')
    ],
    ("5.3", "the batch axis always comes out in front"): [
        ('"right": ((((1,), (1,)), none), 1)', '"right": ((((1,), (1,)), none), 0)')
    ],
    ("5.3", "the contracted axes keep their numbers"): [('"matrices": ((((2,), (1,))', '"matrices": ((((1,), (0,))')],
    ("5.3", "there is only one batch axis"): [("((1, 0), (0, 1))", "((1,), (0,))")],
    ("5.4", "a slice as long as n"): [
        ("is_there = jnp.arange(x.shape[0]) < n", "length, x, is_there = x.size, x[:n], jnp.ones(n, bool)"),
        ("is_there, x, -jnp.inf).max()", "is_there, x, -jnp.inf).max(initial=-jnp.inf)"),
        ("return exps /", "exps = jnp.pad(exps, (0, length - n))\n    return exps /"),
    ],
    ("5.4", "padding with 0 has a weight"): [
        ("jnp.where(is_there, x - largest, -jnp.inf)", "jnp.where(is_there, x, 0.0)"),
    ],
    ("5.4", "the mask is a factor"): [("jnp.exp(jnp.where(is_there, x - largest, -jnp.inf))",
                                       "jnp.exp(x - largest) * is_there")],
    ("5.4", "0 divided by 0"): [("jnp.where(is_there.any(), exps.sum(), 1.0)", "exps.sum()")],
    ("5.5", "the first size counts for all"): [("if len({size for _, _, size in found}) > 1:", "if False:")],
    ("5.5", "None is axis 0"): [("axes.extend([axis] *", "axes.extend([axis or 0] *")],
    ("5.5", "one axis for each argument"): [
        (_PREFIX, "[*map(spread, in_axes if isinstance(in_axes, tuple) else [in_axes] * len(args), args)]")
    ],
    ("5.5", "the result is one array"): [("jax.tree.map(lambda *xs: jnp.stack(xs), *results)", "jnp.stack(results)")],
    ("5.6", "all write where the first one does"): [
        ("jnp.stack(starts, axis=1)", "jnp.repeat(jnp.stack(starts, axis=1)[:1], size, 0)")
    ],
    ("5.6", "what stands out is left out"): [(', mode="clip"', "")],
    ("5.6", "every operand has a batch axis"): [
        ("bdim_at_front(operand, dim, size) for", "jnp.moveaxis(operand, dim or 0, 0) for")
    ],
    ("5.6", "one after the other"): [
        (_SCATTER,
         "jnp.stack([lax.dynamic_update_slice(x[i], update[i], [s[i] for s in starts]) for i in range(size)]), 0")
    ],
    ("5.7", "it stops with the first one"): [(".any()", ".all()")],
    ("5.7", "those that have ended go on"): [(_CHOICE, "new")],
    ("5.7", "the condition is a factor"): [(_CHOICE, "goes_on * new + (1 - goes_on) * old")],
    ("5.7", "the mask meets the last axis"): [
        (_ONE_LOOP,
         "choose = lambda xs, new, old: jnp.where(jax.vmap(cond)(xs), new, old)\n"
         "    all_rounds = lambda xs: jax.tree.map(lambda new, old: choose(xs, new, old), jax.vmap(body)(xs), xs)\n"
         "    return lax.while_loop(lambda xs: jax.vmap(cond)(xs).any(), all_rounds, init)")
    ],
    ("5.7", "a loop for each example"): [
        (_ONE_LOOP,
         "each = [lax.while_loop(cond, body, jax.tree.map(lambda x: x[i], init))\n"
         "            for i in range(len(jax.tree.leaves(init)[0]))]\n"
         "    return jax.tree.map(lambda *xs: jnp.stack(xs), *each)")
    ],
    ("5.8", "only the results are chosen"): [(_GUARD, "x")],
    ("5.8", "the mask is a factor"): [
        (_SELECTION, "sum((along(index, x) == i) * x for i, x in enumerate([first, *others]))")
    ],
    ("5.8", "every arm is run"): [("lax.cond(taken.any(), branch, nothing, *seen)", "branch(*seen)")],
    ("5.8", "the index lies along the last axis"): [
        (_SELECTION, "lax.select_n(jnp.broadcast_to(index, first.shape), first, *others)")
    ],
    ("5.9", "everything has lanes"): [
        (_START, "{name: jnp.zeros(max(map(np.shape, variables.values()))) + x for name, x in variables.items()}")
    ],
    ("5.9", "masks do not nest"): [("else mask & is_true", "else is_true")],
    ("5.9", "the test is asked again for the other arm"): [
        (_IF,
         "is_true = value_of(test, known)\n"
         "                    if is_true.ndim:\n"
         "                        known = run(then, known, within(mask, is_true))\n"
         "                        known = run(otherwise, known, within(mask, ~value_of(test, known)))\n"
         "                    else:\n"
         "                        known = branch(is_true, [then, otherwise], known, mask)")
    ],
    ("5.9", "one look is enough"): [("else steady(wider)", "else wider")],
}  # fmt: skip

WRITTEN = {}

# ---- solutions broken on purpose, each in a way that is no known mistake

BROKEN = {
    "5.1": [("last=(4, 2, 3)", "last=(2, 3, 4)"), ("once=(4, 5)", "once=(2, 4, 5)"), ("turned=(7, 5)", "turned=(5, 7)"),
            ("behind=(2, 4, 3)", "behind=(2, 3, 4)"), ("columns=(3,)", "columns=(2,)")],
    "5.2": [("axis >= dim", "axis > dim"), ("d >= dim", "d > dim"), ("reverse=reverse), dim", "reverse=reverse), 0"),
            ("for d in dimensions]", "for d in dimensions[:1]]")],
    "5.3": [("((1,), (2,))", "((1,), (0,))"),
            ('"last": ((((1,), (0,)), none), 1)', '"last": ((((1,), (0,)), none), 0)'),
            ("((1, 0), (0, 1))", "((1, 0), (1, 0))")],
    "5.4": [("< n", "<= n"), ("is_there, x - largest", "is_there, x"), ("exps.sum(), 1.0)", "exps.sum(), 0.0)"),
            ("jnp.where(is_there, x, -jnp.inf).max()", "x.max()"),
            ("jnp.exp(jnp.where(is_there, x - largest, -jnp.inf))", "jnp.where(is_there, jnp.exp(x - largest), 0.0)")],
    "5.5": [("jnp.take(x, i, axis)", "jnp.take(x, i, 0)"), ("jnp.take(x, i, axis)", "jnp.take(x, 0, axis)"),
            ("for axis, place, size in found]", "for axis, place, size in found[:1]]"),
            ("of args{place}", "of {place}"),
            ("jnp.stack(xs)", "jnp.stack(xs, -1)"), ("raise ValueError", "raise TypeError")],
    "5.6": [("(1, x.ndim)", "(0, x.ndim - 1)"), ("jnp.stack(starts, axis=1)", "jnp.stack(starts[::-1], axis=1)"),
            ('mode="clip"), 0', 'mode="clip"), 1')],
    "5.7": [("jax.vmap(cond)(xs)", "cond(xs)"),
            ("body(x), x)", "body(body(x)), x)")],
    "5.8": [("index == i", "index >= i"), ("taken.any()", "taken.all()"), ("lax.stop_gradient(x)", "x"),
            ("x, lax.stop_gradient(x))", "lax.stop_gradient(x), x)")],
    "5.9": [("active(now) if active(now).ndim else None", "None"),
            ("within(mask, ~is_true)", "within(mask, is_true)"), (".any(), one_round", ".all(), one_round"),
            ("max(found[name]", "min(found[name]"), ("jnp.where(mask, new, known[name])", "new"),
            ("jnp.float32(value_of(expression, known))", "jnp.float32(value_of(expression, variables))")],
}  # fmt: skip
