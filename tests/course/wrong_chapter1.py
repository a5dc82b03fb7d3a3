"""A wrong answer for each known mistake of chapter 1: (exercise, the mistake's name) -> the answer.

Some are written out; most are the solution with a piece of its text replaced.
"""

import numpy as np

import minijax as jax
from minijax.course.chapter1_cases import SMALL_LATTICE
from minijax.tree_util import GetAttrKey, register_pytree_node, register_pytree_with_keys

# ---- 1.1

_DTYPES = {name: jax.numpy.dtype(name) for name, _ in SMALL_LATTICE}


def wider_wins(a, b):
    """The dtype with more bytes, or of the higher kind; weak or not matters for one dtype only."""
    order = ["bool", "int8", "int32", "float16", "bfloat16", "float32"]
    return max(a, b, key=lambda t: (order.index(t[0]), not t[1]))


def numpy_promotion(a, b):
    """Right for weak types and for bfloat16, of which NumPy knows nothing."""
    if {a[0], b[0]} == {"bfloat16", "float16"}:
        return "float32", False
    if a[1] or b[1] or "bfloat16" in (a[0], b[0]):
        return first_in_a_list(a, b)
    return np.promote_types(_DTYPES[a[0]], _DTYPES[b[0]]).name, False


def first_way_up(a, b):
    """As if one type only were right above each."""
    ways = {t: SMALL_LATTICE[i + 1 :] for i, t in enumerate(SMALL_LATTICE)}
    ways["bfloat16", False] = ways["float16", False] = SMALL_LATTICE[-1:]
    return next(t for t in (a, *ways[a]) if t in (b, *ways[b]) and (t != ("float16", False) or a == b))


def first_in_a_list(a, b):
    """As if the lattice were a line."""
    return max(a, b, key=SMALL_LATTICE.index)


# ---- 1.2


def act_is_a_leaf(cls):
    keys = [GetAttrKey(name) for name in ("w", "b", "act")]
    register_pytree_with_keys(
        cls, lambda x: (zip(keys, (x.w, x.b, x.act), strict=True), None), lambda _, children: cls(*children)
    )


def no_names(cls):
    register_pytree_node(cls, lambda x: ((x.w, x.b), x.act), lambda act, children: cls(*children, act))


def act_is_lost(cls):
    keyed = lambda x: ([(GetAttrKey("w"), x.w), (GetAttrKey("b"), x.b)], None)  # as a learner writes it
    register_pytree_with_keys(cls, keyed, lambda _, children: cls(*children))


class Dense:
    pass


def registers_its_own(cls):
    no_names(Dense)


# ---- 1.3


def numpy_ranks(name, shapes):
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise TypeError(f"{name} got incompatible shapes for broadcasting: {', '.join(map(str, shapes))}.") from None


def larger_wins(name, shapes):
    arrays = [shape for shape in shapes if shape]
    ranks = sorted({len(shape) for shape in arrays})
    if len(ranks) > 1:
        raise TypeError(f"{name}: arrays must have the same number of dimensions, got {{{str(ranks)[1:-1]}}}")
    return tuple(map(max, zip(*arrays, strict=True)))


# ---- the solution with one piece replaced: (exercise, mistake) -> (old text, new text), ...

REPLACED = {
    ("1.3", "a scalar must have the rank of the others"): [("for shape in shapes if shape]", "for shape in shapes]")],
    ("1.4", "mul_add computes with `*` and `+`"): [("mul_add_p.bind(x, y, z)", "x * y + z")],
    ("1.4", "the result takes over the whole aval of one operand"): [
        ("ShapedArray(x.shape, x.dtype, all(a.weak_type for a in avals))", "x")
    ],
    ("1.4", "the two rules disagree about the dtype"): [("np.add(np.multiply(x, y), z)", "x * 1.0 * y + z")],
    ("1.5", "after z comes aa"): [("letters(rest) + last", "letters(rest - 1) + last")],
    ("1.5", "operands are named before results"): [
        ('    left = " "', '    right = " ".join(map(operand, eqn.invars))\n    left = " "')
    ],
    ("1.5", "an unread result gets a name"): [('"_" if isinstance(v, DropVar) else ', "")],
    ("1.5", "a literal is printed as NumPy prints it"): [
        ('atom.val.item() if hasattr(atom.val, "item") else atom.val', "str(atom.val)")
    ],
    ("1.6", "equations with effects are dropped"): [("eqn.effects or ", "")],
    ("1.6", "only the last link of a dead chain is dropped"): [
        ("if isinstance(v, Var)}", "if isinstance(v, Var)} | {v for e in jaxpr.eqns for v in e.invars"
         " if isinstance(v, Var)}")
    ],
    ("1.6", "the order is reversed"): [("kept[::-1]", "kept")],
    ("1.6", "the given program was changed"): [
        ("return jaxpr.replace(eqns=kept[::-1])", "jaxpr.eqns[:] = kept[::-1]\n    return jaxpr")
    ],
    ("1.7", "jit is counted as one operation"): [('== "jit"', '== "call"')],
    ("1.7", "the calls are counted with what they do"): [
        ("*operands)\n", '*operands)\n            inner = {**inner, "jit": 1 + inner.get("jit", 0)}\n')
    ],
    ("1.7", "a program that is called twice is counted once"): [
        ("counts.get(name, 0) + inner.get(name, 0)", "max(counts.get(name, 0), inner.get(name, 0))")
    ],
    ("1.8", "only the outermost calls are dissolved"): [
        ('== "jit":', '== "jit" and program is jaxpr:')
    ],
    ("1.8", "two calls of one function share their variables"): [("type(v)(v.aval) for v in", "v for v in")],
    ("1.8", "constants are lost"): [
        ("Jaxpr(constvars, jaxpr.invars, outvars, eqns, consts=consts)", "Jaxpr([], jaxpr.invars, outvars, eqns)")
    ],
    ("1.9", "each use of a constant makes a new constvar"): [
        ("if id(x) not in self.constants:\n            self.constants[id(x)] = Var(jax.typeof(x)), x\n"
         "        return self.constants[id(x)][0]",
         "key = len(self.constants)\n        self.constants[key] = Var(jax.typeof(x)), x\n"
         "        return self.constants[key][0]")
    ],
    ("1.9", "numbers become constvars"): [("np.ndim(x) == 0 and", "False and")],
    ("1.9", "the trace stays current after an error"): [
        ("with set_current_trace(trace):",
         "scope = set_current_trace(trace)\n            scope.__enter__()\n            if True:"),
        ("            trace.alive = False\n", "            trace.alive = False\n        scope.__exit__()\n"),
    ],
    ("1.9", "a leaked tracer is taken for a constant"): [("if not x._trace.alive:", "if False:")],
}  # fmt: skip

WRITTEN = {
    ("1.1", "a weak type counts as much as a strong one"): wider_wins,
    ("1.1", "NumPy's rule for an integer and a float"): numpy_promotion,
    ("1.1", "only the first of several ways up"): first_way_up,
    ("1.1", "one of the two operands always wins"): first_in_a_list,
    ("1.2", "the name of the activation is a leaf"): act_is_a_leaf,
    ("1.2", "the children have no names"): no_names,
    ("1.2", "the activation is lost"): act_is_lost,
    ("1.2", "it registers another class"): registers_its_own,
    ("1.3", "NumPy's rule for ranks"): numpy_ranks,
    ("1.3", "the larger size wins"): larger_wins,
}

# ---- solutions broken on purpose, each in a way that is no known mistake

BROKEN = {
    "1.1": [("common <= upwards(t)", "True"), ("{t}.union", "set().union"), ("upwards(a) & upwards(b)", "upwards(a)")],
    "1.2": [('("w", "b")', '("b", "w")'), ("cls(*children, act)", "(*children, act)"), ("], layer.act", "], layer")],
    "1.3": [("- {1} or {1}", "- {0, 1} or {1}"), ("return tuple(size", "return list(size"),
            ("in zip(*arrays)", "in zip(*arrays[:2])")],
    "1.4": [("if not x.shape == y.shape == z.shape:", "if x.shape != y.shape:"), ("x.dtype, all(", "x.dtype, any("),
            ("if not x.dtype == y.dtype == z.dtype:", "if False:"), ("np.multiply(x, y), z", "np.multiply(x, z), y")],
    "1.5": [("divmod(n, 26)", "divmod(n, 25)"), ("short_dtypes=True", "short_dtypes=False"),
            ("and f'[{params}]'", "and f'[{params} ]'"), ('params = " ".join', 'params = ", ".join'),
            ("names.setdefault(v, letters(len(names)))", "letters(len(names))")],
    "1.6": [("needed.intersection(eqn.outvars)", "eqn.outvars"), ("else DropVar(v.aval)", "else v"),
            ("needed.update(v for", "(v for"), ("jaxpr.replace(eqns", "jaxpr.replace(invars=[], eqns")],
    "1.7": [("[*jaxpr.constvars, *jaxpr.invars]", "[*jaxpr.invars, *jaxpr.constvars]"), ("else [out]", "else out"),
            ("+ inner.get(name, 0)", "+ 1"), ("], counts", "][:1], counts")],
    "1.8": [("return atom if isinstance(atom, Literal) else env[atom]", "return env[atom]"),
            ("invars=operands, ", ""), ("walk(jaxpr, jaxpr.invars)", "walk(jaxpr, jaxpr.invars)[:1]"),
            ("consts.append(value)", "consts.append(0)")],
    "1.9": [("if x._trace is self:", "if True:"), ("trace.alive = False", "pass"), ("drop_unread(Jaxpr(", "(Jaxpr("),
            ("jax.tree.leaves(results)", "results"), ("else tracers[0]", "else tracers")],
}  # fmt: skip
