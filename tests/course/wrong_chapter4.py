"""A wrong answer for each known mistake of chapter 4: (exercise, the mistake's name) -> the answer.

They are solutions with a piece of their text replaced.
"""

# ---- the solution with one piece replaced: (exercise, mistake) -> (old text, new text), ...

_CHOICE = "return jnp.where(safe, f(jnp.where(safe, x, inside)), otherwise)"
_IF_X, _IF_Y = "if type(x_dot) is not Zero:", "if type(y_dot) is not Zero:"
_RIM = "lax.pad(ct, 0.0, [(-low, -high, 0) for low, high, _ in padding_config])"
_PRODUCT = "return jax.linear_transpose(push, x)(curved)[0]"
_INNERMOST = "max(v.tag for v in (x, y) if isinstance(v, Dual))"
_ONE_BY_ONE = "        for segment, start in reversed([*zip(segments, starts)]):\n"
_PULL_ONE = (
    "            _, pull_segment = jax.vjp(functools.partial(through, segment), start)\n"
    "            (ct,) = pull_segment(ct)"
)

REPLACED = {
    ("4.1", "a linear function keeps its argument"): [("shift=0, scale=0", "shift=3, scale=3")],
    ("4.1", "an array that stands twice is kept twice"): [("square=3", "square=6")],
    ("4.1", "every step keeps something"): [("line=3", "line=9")],
    ("4.1", "constants are not kept"): [("matrix=6", "matrix=0")],
    ("4.2", "only the result is chosen"): [("f(jnp.where(safe, x, inside))", "f(x)")],
    ("4.2", "only the argument is chosen"): [(_CHOICE, "return f(jnp.where(safe, x, inside))")],
    ("4.2", "a product with 0 chooses"): [(_CHOICE, "return f(x) * safe + otherwise * (1.0 - safe)")],
    ("4.2", "Python chooses"): [(_CHOICE, "return f(x) if safe else otherwise")],
    ("4.3", "the second operand pulls the wrong way"): [("-(out / y) * y_dot", "(out / y) * y_dot")],
    ("4.3", "the square of the divisor is forgotten"): [("-(out / y) * y_dot", "-out * y_dot")],
    ("4.3", "the result is computed anew"): [("1.0 - y * y", "1.0 - lax.tanh(x) ** 2")],
    ("4.3", "a Zero becomes an array"): [
        (_IF_X, "x_dot, y_dot = instantiate(x_dot), instantiate(y_dot)\n    if True:"),
        (_IF_Y, "if y_dot.dtype != bool:")
    ],
    ("4.4", "the padding value gets everything"): [("ct.sum() - inner.sum()", "ct.sum()")],
    ("4.4", "the gaps go to the operand"): [("between + 1", "1")],
    ("4.4", "nothing is ever cut off"): [
        (_RIM, "ct[tuple(slice(c[0], n - c[1]) for c, n in zip(padding_config, ct.shape))]")
    ],
    ("4.4", "a value that is known gets a cotangent"): [
        ("ct.sum() - inner.sum() if is_undefined_primal(value) else None", "ct.sum() - inner.sum()"),
        ("inner if is_undefined_primal(x) else None", "inner"),
    ],
    ("4.5", "the Hessian of the whole"): [
        (_PRODUCT, "return jax.jvp(jax.grad(lambda x: loss(model(x))), (x,), (v,))[1]")
    ],
    ("4.5", "the loss has no curvature"): [("(curved)[0]", "(push(v))[0]")],
    ("4.5", "the gradient is pulled back"): [("(curved)[0]", "(jax.grad(loss)(y))[0]")],
    ("4.5", "the model is run twice"): [(_PRODUCT, "return jax.vjp(model, x)[1](curved)[0]")],
    ("4.6", "a slope belongs to whoever asks"): [("isinstance(x, Dual) and x.tag == tag", "isinstance(x, Dual)")],
    ("4.6", "the outer derivative goes first"): [("max(v.tag", "min(v.tag")],
    ("4.6", "the first operand has the say"): [(_INNERMOST, "x.tag")],
    ("4.7", "the last reader wins"): [("cts[read] = cts.get(read, 0.0) + ct", "cts[read] = ct")],
    ("4.7", "the new value's cotangent stays"): [("cts.pop(name)", "cts[name]")],
    ("4.7", "from the first to the last"): [("in reversed(pullbacks)", "in pullbacks")],
    ("4.7", "slopes at the end"): [
        ("run = lambda *xs:", "run = lambda *xs, statement=statement, reads=reads:"),
        ("pullbacks.append((name, reads, pull))", "pullbacks.append((name, reads, run))"),
        ("pull(cts.pop(name))", "jax.vjp(pull, *(known[n] for n in reads))[1](cts.pop(name))"),
    ],
    ("4.8", "one step is differentiated"): [("return pull(w)[0]", "return pull(ct)[0]")],
    ("4.8", "only the last echo is left"): [("jax.tree.map(jnp.add, ct, pull(w)[1])", "pull(w)[1]")],
    ("4.8", "w is the answer"): [("return pull(w)[0]", "return w")],
    ("4.8", "each round is linearized anew"): [("pull(w)[1])", "jax.vjp(f, a, x)[1](w)[1])")],
    ("4.9", "the forward pass is differentiated"): [
        ("starts.append(x)\n        x = through(segment, x)",
         "x, pull_segment = jax.vjp(functools.partial(through, segment), x)\n        starts.append(pull_segment)"),
        (_PULL_ONE, "            (ct,) = start(ct)"),
    ],
    ("4.9", "all segments at once"): [
        (_ONE_BY_ONE + _PULL_ONE,
         "        pulls = [jax.vjp(functools.partial(through, s), start)[1] for s, start in zip(segments, starts)]\n"
         "        for pull_segment in reversed(pulls):\n            (ct,) = pull_segment(ct)")
    ],
    ("4.9", "every step has a start"): [
        ("[steps[k : k + size] for k in range(0, len(steps), size)]", "[[step] for step in steps]")
    ],
    ("4.9", "the first segment is pulled back first"): [
        ("reversed([*zip(segments, starts)])", "zip(segments, starts)")
    ],
    ("4.10", "everything may be kept"): [("if not saveable(eqn) and not", "if False and not")],
    ("4.10", "one step back is enough"): [("for eqn in reversed(first)", "for eqn in first")],
    ("4.10", "dead code keeps its residuals"): [("    jaxpr = without_dead(jaxpr)\n", "")],
    ("4.10", "done again, so not done at all"): [("eqns=first)", "eqns=[e for e in first if e not in rest])")],
}  # fmt: skip

WRITTEN = {}

# ---- solutions broken on purpose, each in a way that is no known mistake

BROKEN = {
    "4.1": [("round=0", "round=3"), ("stop=3", "stop=6"), ("chain=6", "chain=9"), ("sum=0", "sum=1")],
    "4.2": [("inside)), otherwise)", "inside)), 0.0)"), ("inside)), otherwise)", "inside)), f(x))"),
            ("safe = is_safe(x)", "safe = ~is_safe(x)")],
    "4.3": [("t * (1.0 - y * y)", "t / lax.cosh(x) ** 2"), ("t * (1.0 - y * y)", "1.0 - y * y"),
            ("lax.div(x_dot, y)", "x_dot"), ("instantiate, tangents[1:]", "instantiate, tangents[:0:-1]"),
            ("lax.select_n(which, *map(instantiate, tangents[1:]))",
             "sum((which == k) * instantiate(t) for k, t in enumerate(tangents[1:]))")],
    "4.4": [("(-low, -high, 0)", "(-high, -low, 0)"), ("[inner if is_undefined_primal(x) else None, for_value]",
            "[for_value, inner if is_undefined_primal(x) else None]"), ("inner.sum()", "without_rim.sum()")],
    "4.5": [("(push(v),)", "(y,)"), ("(curved)[0]", "(curved)"), ("jax.grad(loss), (y,)", "loss, (y,)")],
    "4.6": [("dx, y, dy)", "dy, y, dx)"), ("next(TAGS)", "0"), ("Dual(mine, x, 1.0)", "Dual(mine, x, 2.0)"),
            ("return x, 0.0", "return x, 1.0")],
    "4.7": [("*(known[n] for", "*(variables[n] for"), (", dict(cts), []", ", cts, []"),
            ("for name in variables}", "for name in known}"),
            ("cts.get(name, 0.0)", "cts[name]")],
    "4.8": [("(w)[0]", "(w)[1]"), ("jax.vjp(f, a, x)", "jax.vjp(f, x, a)"), ("length=ROUNDS", "length=1"),
            ("jnp.add, ct", "jnp.subtract, ct")],
    "4.9": [("k : k + size", "k : k + 1"), ("(pull, starts)", "(functools.partial(pull, starts))"),
            ("return x, jax", "return starts, jax")],
    "4.10": [("not saveable(eqn)", "saveable(eqn)"), ("rest = [eqn, *rest]", "rest = [*rest, eqn]"),
             ("[*own_results, *needed]", "[*needed, *own_results]"),
             ("return without_dead(known), rest", "return known, rest"),
             ("[*needed, *late(jaxpr.invars)]", "[*late(jaxpr.invars), *needed]")],
}  # fmt: skip
