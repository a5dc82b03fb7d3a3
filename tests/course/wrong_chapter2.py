"""A wrong answer for each known mistake of chapter 2: (exercise, the mistake's name) -> the answer.

Some are written out; most are the solution with a piece of its text replaced.
"""

# ---- the solution with one piece replaced: (exercise, mistake) -> (old text, new text), ...

_ONE_ROUND = "if any(m != n and (was_written or is_written) for m, was_written in earlier.get(element, ())):"

REPLACED = {
    ("2.1", "loads inside of operations are not seen"): [("+ sum(map(loads_in, operands))", "+ 0")],
    ("2.1", "what a store reads is forgotten"): [("more = loads_in(value), 1", "more = 0, 1")],
    ("2.1", "a loop counts once"): [("extent * count", "count")],
    ("2.2", "values make a kind"): [("*map(jax.typeof, leaves)", "*map(str, leaves)")],
    ("2.2", "weak types are forgotten"): [
        ("*map(jax.typeof, leaves)", "*((jax.typeof(x).shape, jax.typeof(x).dtype) for x in leaves)")
    ],
    ("2.2", "the tree is forgotten"): [("return tree, *map", "return *map")],
    ("2.2", "equal static values are one kind"): [("(k, type(x), x)", "(k, x)")],
    ("2.3", "0.0 and -0.0 are one number"): [
        ("np.asarray(atom.val, atom.aval.dtype).tobytes() == np.asarray(neutral[name], atom.aval.dtype).tobytes()",
         "bool(atom.val == neutral[name])")
    ],
    ("2.3", "x + 0.0 changes nothing"): [("add=-0.0", "add=0.0")],
    ("2.3", "the order of the operands does not matter"): [('in ("add", "mul") else', 'in neutral else')],
    ("2.3", "the type of the result changes"): [(" and x.aval == eqn.outvars[0].aval", "")],
    ("2.4", "one place too far"): [("(sizes[axis] - 1)", "sizes[axis]")],
    ("2.4", "all axes are turned"): [('axis in eqn.params["dimensions"]', "True")],
    ("2.4", "the windows do not overlap"): [('eqn.params["step"]', "eqn.outvars[0].aval.shape[-1]")],
    ("2.4", "the step is forgotten"): [('window * eqn.params["step"]', "window")],
    ("2.5", "the largest so far begins with 0"): [
        ('np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf', "0")
    ],
    ("2.5", "the loops stand in the order of the axes"): [
        ('For(f"i{axis}", a.shape[axis], [Let("largest", larger), Store(b.name, place, so_far)])',
         '[Let("largest", larger), Store(b.name, place, so_far)]'),
        ('body = [Let("largest", Const(lowest, dtype)), along]', "body = along"),
        ("for k, size in enumerate(a.shape):\n        if k != axis:\n            body = [For(f\"i{k}\", size, body)]",
         "for k in reversed(range(len(a.shape))):\n        body = [For(f\"i{k}\", a.shape[k], body)]\n"
         "        if k == axis:\n            body = [Let(\"largest\", Const(lowest, dtype)), *body]"),
    ],
    ("2.5", "one line goes on where the last one ended"): [
        ('body = [Let("largest", Const(lowest, dtype)), along]', "body = [along]"),
        ("    return body", '    return [Let("largest", Const(lowest, dtype)), *body]'),
    ],
    ("2.6", "an argument of the program is kept"): [
        ("isinstance(v, Var) and v in computed_for}", "isinstance(v, Var)}")
    ],
    ("2.6", "readers are counted, and not what they are computed for"): [
        ("computed_for[x] |= {v} if v in kept else computed_for[v]", "computed_for[x] |= {id(eqn)}")
    ],
    ("2.6", "a cheap value is kept"): [
        ("(cost(eqn) >= EXPENSIVE and len(computed_for[v]) > 1)", "len(computed_for[v]) > 1")
    ],
    ("2.6", "all expensive values on the way are kept"): [
        ("computed_for[x] |= {v} if v in kept else computed_for[v]",
         "computed_for[x] |= {v} if v in kept and not computed_for[v] else computed_for[v]")
    ],
    ("2.7", "the sign of zero is lost"): [
        ("return copysign(select(", "size = (select("), ("large), x)", "large))\n    return select(x < 0, -size, size)")
    ],
    ("2.7", "digits are lost near zero"): [
        ("select(is_small(size), fma(size * square, series, size), large)", "large")
    ],
    ("2.7", "infinite too early"): [("root * HALF * root", "HALF * (root * root)")],
    ("2.7", "there is a branch"): [
        ("    square = size", "    if is_small(size):\n        large = size\n    square = size")
    ],
    ("2.8", "what is read before a loop without rounds"): [("if not loop.extent:", "if False:")],
    ("2.8", "a line that follows a line that left stays"): [("            changing.remove(s.name)\n", "")],
    ("2.8", "what the loop writes is not looked at"): [
        ("{*bound, *(s.buffer for s in inside if isinstance(s, Store))}", "{*bound}")
    ],
    ("2.8", "a name that is bound twice leaves"): [
        ("bound.count(s.name) == 1 and ", ""), ("changing.remove", "changing.discard")
    ],
    ("2.9", "nothing is used again"): [("        mine.append(lies[out])\n", "")],
    ("2.9", "an argument is overwritten that was not given away"): [
        ("lies, mine = {}, [*donated]", 'lies, mine = {}, ["a", "b"]')
    ],
    ("2.9", "a step writes over what it reads"): [("steps[k:]", "steps[k + 1:]")],
    ("2.9", "a result of the program is overwritten"): [("{*results}.union", "set().union")],
    ("2.10", "rounds are not compared"): [(_ONE_ROUND, "if False:")],
    ("2.10", "only what the first one writes is looked at"): [("(was_written or is_written)", "was_written")],
    ("2.10", "the places must be written the same way"): [
        (_ONE_ROUND, "if False:"),
        ("    made", "    stored = {s.buffer: s.index for s in statements(one.body) if isinstance(s, Store)}\n"
         "    if any(x.index != stored.get(x.buffer, x.index) for x in loads(more[0].body)):\n"
         "        return None\n    made"),
    ],
    ("2.10", "what the first one makes is an input"): [(" and x.name not in made", "")],
}  # fmt: skip

WRITTEN = {}

# ---- solutions broken on purpose, each in a way that is no known mistake

BROKEN = {
    "2.1": [("if isinstance(value, Op)", "if False"), ("return read, written", "return [read, written]")],
    "2.2": [("if k not in static}", "}"), ("sorted(kwargs.items())", "kwargs.items()"),
            ("(k, type(x), x)", "(type(x), x)")],
    "2.3": [("outvars=[instead.get(id(x), x) for x in jaxpr.outvars]", "outvars=jaxpr.outvars"),
            ("eqn = eqn.replace(invars=[instead.get(id(x), x) for x in eqn.invars])", "pass"),
            ("sub=0.0", "sub=-0.0"), ('("add", "mul")', '("add",)')],
    "2.4": [("place * -1", "place * -2"), ("*others, window *", "window *"), ("+ inside", "")],
    "2.5": [('Op("max"', 'Op("min"'), ("np.iinfo(dtype).min", "-1"), ("Load(a.name", "Load(b.name"),
            ("a.shape[axis], [Let", "a.shape[0], [Let")],
    "2.6": [("            kept.update(operands)\n", "            pass\n"), ("reversed(jaxpr.eqns)", "jaxpr.eqns"),
            ("Called | Reduced", "Called"), (">= EXPENSIVE", "> EXPENSIVE")],
    "2.7": [("- HALF / root / root", ""), ("(9, 7, 5, 3)", "(7, 5, 3)"), ("abs(x)", "x")],
    "2.8": [("loop, *statements(body)", "*statements(body)"), ("[*before, replace", "[*before[::-1], replace"),
            ("(lifted(s) if isinstance(s, For) else [s])", "[s]")],
    "2.9": [("lies.get(v, v)", "v"), ("next((buffer for", "next((out for")],
    "2.10": [("(one.counter, one.extent) != (more[0].counter, more[0].extent)", "one.extent != more[0].extent"),
             ("[*one.body, *more[0].body]", "[*more[0].body, *one.body]"), ("+ x.index.constant", ""),
             ("x not in first.inputs and ", ""), ("[*first.outputs, *second.outputs]", "second.outputs")],
}  # fmt: skip
