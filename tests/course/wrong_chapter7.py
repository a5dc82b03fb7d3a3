"""A wrong answer for each known mistake of chapter 7: (exercise, the mistake's name) -> the answer.

They are solutions with a piece of their text replaced.
"""

# ---- the solution with one piece replaced: (exercise, mistake) -> (old text, new text), ...

_COMMITTED = "isinstance(x, jax.Array) and x.committed"
_CHECK = """    for devices in committed:
        if devices != committed[0]:
            raise ValueError("Received incompatible devices for jitted computation")
"""
_HOLDS = "all(at.get(name, i) == i for"
_IS_NONE = "(made != block).any() or {*dims} & {*used}"
_FOUND = "[*zip(left, lhs), *zip(right, rhs)]"
_LAYERS_BODY = """        hidden = jnp.maximum(x @ w1 + b1, 0)
        return lax.psum(hidden @ w2, "x") + b2
"""
_LAYERS_SPECS = 'P(), P(None, "x"), P("x"), P("x"), P()\n'
_SECOND = """        part = lax.ppermute(part, name, to_next)
        parts = parts.at[(me + 1 - k) % n].set(part)
"""
_RING = (
    """    parts = x.reshape(n, -1)
    part = parts[me]
    for k in range(1, n):
        part = lax.ppermute(part, name, to_next) + parts[(me - k) % n]
    parts = parts.at[(me + 1) % n].set(part)
    for k in range(1, n):
"""
    + _SECOND
    + """    return parts.reshape(x.shape)
"""
)
_OWN = 'lax.pcast(params, name, to="varying")'
_ZEROS = 'lax.pcast((jnp.float32(0), jax.tree.map(jnp.zeros_like, params)), name, to="varying")'
_MEAN = "lax.pmean(v / count, name)"
_ATTENTION_STEP = """        s = scores(k, (me - i) % n)
        new = jnp.maximum(top, s.max(1))
        shrink, weights = jnp.exp(top - new), jnp.exp(s - new[:, None])
        return (k, v, new, total * shrink + weights.sum(1), out * shrink[:, None] + weights @ v), None
"""

REPLACED = {
    ("7.1", "an array that is somewhere is committed"): [(_COMMITTED, "isinstance(x, jax.Array)")],
    ("7.1", "the first operand says where"): [
        (_COMMITTED, "isinstance(x, jax.Array)"),
        (_CHECK, ""),
        ("(committed[0], True) if committed", "(committed[0], operands[0].committed) if committed"),
    ],
    ("7.1", "others are moved to where the first committed one is"): [(_CHECK, "")],
    ("7.1", "every result is committed"): [("({default}, False)", "({default}, True)")],
    ("7.2", "the last name divides most coarsely"): [("reversed(axes_of(entry))", "axes_of(entry)")],
    ("7.2", "one device has it"): [("at.get(name, i) == i", "at.get(name, 0) == i")],
    ("7.2", "elements are dealt out one by one"): [
        (
            "i // (n // math.prod(mesh.shape[name] for name in axes_of(entry)))",
            "i % math.prod(mesh.shape[name] for name in axes_of(entry))",
        )
    ],
    ("7.2", "devices are counted along the first mesh axis"): [
        ("map(range, mesh.axis_sizes)", "map(range, mesh.axis_sizes[::-1])"),
        ("zip(mesh.axis_names, place)", "zip(mesh.axis_names[::-1], place)"),
    ],
    ("7.3", "the finest comes first"): [
        ("entries.append(tuple(names[d] for d in dims))", "entries.append(tuple(names[d] for d in dims[::-1]))")
    ],
    ("7.3", "a mesh axis of the right size"): [
        (
            "dims = sorted(np.flatnonzero(step), key=lambda d: -step[d])",
            "dims = [d for d in range(block.ndim) if block.shape[d] == block.max() + 1][:1]",
        ),
        (_IS_NONE, "False"),
    ],
    ("7.3", "a picture that no spec makes"): [(_IS_NONE, "{*dims} & {*used}")],
    ("7.3", "one mesh axis for two axes"): [(_IS_NONE, "(made != block).any()")],
    ("7.4", "the right operand is not asked"): [(_FOUND, "[*zip(left, lhs)]"), ("in left + right", "in out")],
    ("7.4", "who comes first is right"): [("if len({*found}) > 1:", "if False:")],
    ("7.4", "sums are complete"): [("if len(found) > 1 and letter not in out:", "if False:")],
    ("7.4", "a summed axis must be whole"): [
        ("if len(found) > 1 and letter not in out:", "if found and letter not in out:")
    ],
    ("7.5", "all of the new part is moved"): [("size(new) - size(common)", "size(new)")],
    ("7.5", "what leaves a device is counted"): [("size(new) - size(common)", "size(old) - size(common)")],
    ("7.5", "two negative lengths make a common part"): [
        ("(max(a, c), max(a, c, min(b, d)))", "(max(a, c), min(b, d))")
    ],
    ("7.5", "each part is sent once"): [
        (
            "for old, new in zip(before, after):",
            "for new, old in {new: old for old, new in zip(before, after)}.items():",
        )
    ],
    ("7.6", "the last bias is added on each device"): [
        ('lax.psum(hidden @ w2, "x") + b2', 'lax.psum(hidden @ w2 + b2, "x")')
    ],
    ("7.6", "all weights are on each device"): [
        (_LAYERS_BODY, "        return jnp.maximum(x @ w1 + b1, 0) @ w2 + b2\n"),
        (_LAYERS_SPECS, "(P(),) * 5\n"),
    ],
    ("7.6", "the hidden units are gathered"): [
        ('lax.psum(hidden @ w2, "x") + b2', 'lax.all_gather(hidden, "x", axis=1, tiled=True) @ w2 + b2'),
        (_LAYERS_SPECS, 'P(), P(None, "x"), P("x"), P(), P()\n'),
        ("out_specs=P())", "out_specs=P(), check_vma=False)"),
    ],
    ("7.6", "the first product is cut along its sum"): [
        (_LAYERS_BODY, '        return jnp.maximum(lax.psum(x @ w1, "x") + b1, 0) @ w2 + b2\n'),
        (_LAYERS_SPECS, 'P(None, "x"), P("x"), P(), P(), P()\n'),
        (
            "    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P())",
            "    f = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P())\n"
            "    more = lambda a, axis: jnp.pad(a, [(0, -a.shape[d] % mesh.size * (d == axis)) for d in range(2)])\n"
            "    return lambda x, w1, *rest: f(more(x, 1), more(w1, 0), *rest)",
        ),
    ],
    ("7.7", "the whole array goes around"): [
        (
            _RING,
            "    whole = x\n    for k in range(1, n):\n        x = lax.ppermute(x, name, to_next)\n"
            "        whole = whole + x\n    return whole\n",
        )
    ],
    ("7.7", "it is psum under another name"): [(_RING, "    return lax.psum(x, name)\n")],
    ("7.7", "the second round is missing"): [(f"    for k in range(1, n):\n{_SECOND}", "")],
    ("7.7", "what is added has another number"): [("parts[(me - k) % n]", "parts[(me + 1 - k) % n]")],
    ("7.7", "in the second round it is added again"): [
        ("[(me + 1 - k) % n].set(part)", "[(me + 1 - k) % n].add(part)")
    ],
    ("7.8", "the derivative was summed already"): [(f"own = {_OWN}", "own = params")],
    ("7.8", "a sum in each step"): [
        (f"own = {_OWN}", "own = params"),
        (
            "jax.value_and_grad(loss)(own, *batch)",
            "jax.value_and_grad(lambda own: lax.pmean(loss(own, *batch), name))(own)",
        ),
        (_ZEROS, "(jnp.float32(0), jax.tree.map(jnp.zeros_like, params))"),
        (_MEAN, "v / count"),
    ],
    ("7.8", "the carry begins with what does not vary"): [
        (_ZEROS, "(jnp.float32(0), jax.tree.map(jnp.zeros_like, params))")
    ],
    ("7.8", "each device has its own"): [(_MEAN, "v / count")],
    ("7.8", "sums in the place of means"): [(_MEAN, "lax.psum(v / count, name)")],
    ("7.9", "nothing is taken away from the scores"): [
        ("new = jnp.maximum(top, s.max(1))", "new = top"),
        ("    top = s.max(1)\n", "    top = 0 * s.max(1)\n"),
    ],
    ("7.9", "old sums are not made smaller"): [
        ("total * shrink + weights.sum(1)", "total + weights.sum(1)"),
        ("out * shrink[:, None] + weights @ v", "out + weights @ v"),
    ],
    ("7.9", "a mean of softmaxes"): [
        (
            _ATTENTION_STEP,
            "        weights = jax.nn.softmax(scores(k, (me - i) % n), 1)\n"
            "        return (k, v, top, total + 1, out + weights @ v), None\n",
        ),
        ("weights = jnp.exp(s - top[:, None])\n    (", "weights = jax.nn.softmax(s, 1)\n    ("),
    ],
    ("7.9", "places are counted in the block"): [
        ("owner * len(q) + place <= (me * len(q) + place)[:, None]", "place <= place[:, None]")
    ],
    ("7.9", "all keys are gathered"): [
        (
            "    s = scores(k, me)\n",
            "    k, v = (lax.all_gather(a, name, tiled=True) for a in (k, v))\n"
            "    s = q @ k.T / math.sqrt(q.shape[1])\n"
            "    known = jnp.arange(len(k)) <= (me * len(q) + place)[:, None]\n"
            "    return jax.nn.softmax(jnp.where(known, s, -jnp.inf) if causal else s, 1) @ v\n",
        )
    ],
}
WRITTEN = {}

# ---- solutions broken on purpose, each in a way that is no known mistake

BROKEN = {
    "7.1": [("({default}, False)", "(set(), False)"), ("incompatible devices", "devices"),
            ("(committed[0], True)", "(committed[0], False)")],
    "7.2": [("for name in reversed(axes_of(entry)):", "for name in axes_of(entry)[-1:]:"),
            ("map(range, mesh.axis_sizes)", "map(range, mesh.axis_sizes[::-1])"),
            ("return [d for", "return [place for")],
    "7.3": [("return P(*entries)", "return P(*entries[:1])"), ("used += dims", "used = dims"),
            ("key=lambda d: -step[d]", "key=lambda d: step[d]")],
    "7.4": [("return tuple(entry[letter] for letter in out)", "return tuple(entry[letter] for letter in sorted(out))"),
            ("{*found}", "{str(found)}"), ("letter not in out", "letter in out"),
            ("raise ShardingTypeError(f\"axis {letter} is summed", "raise ValueError(f\"axis {letter} is summed")],
    "7.5": [("received * itemsize", "received"), ("max(a, c, min(b, d))", "max(a, c, min(a, d))"),
            ("received +=", "received =")],
    "7.6": [('lax.psum(hidden @ w2, "x")', 'lax.pmean(hidden @ w2, "x")'),
            ("jnp.maximum(x @ w1 + b1, 0)", "x @ w1 + b1"),
            ('lax.psum(hidden @ w2, "x") + b2', 'lax.psum(hidden @ w2, "x")')],
    "7.7": [("(i, (i + 1) % n)", "((i + 1) % n, i)"), ("x.reshape(n, -1)", "x.reshape(-1, n).T"),
            ("return parts.reshape(x.shape)", "return parts.ravel()"), ("lax.axis_index(name)", "0")],
    "7.8": [("v / count", "v"),
            ("jax.value_and_grad(loss)(own, *batch)", "jax.value_and_grad(loss)(own, *batch[::-1])"),
            ("(jnp.float32(0), jax", "(jnp.float32(1), jax")],
    "7.9": [("/ math.sqrt(q.shape[1])", ""), ("jnp.arange(1, n)", "jnp.arange(n)"),
            ("return out / total[:, None]", "return out"),
            ("s - new[:, None]", "s - top[:, None]"),
            ("lax.ppermute((k, v), name, to_next)", "k, lax.ppermute(v, name, to_next)"),
            ("(me - i) % n", "me"), ("<= (me", "< (me")],
}  # fmt: skip
