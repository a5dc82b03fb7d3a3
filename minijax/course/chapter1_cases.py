"""The cases of chapter 1's exercises: laws as text, from small to large, the same each time."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from .exercise import Case, Raised, names_of


def names() -> dict[str, Any]:
    """What the cases may name: what the first cell of the notebook imports, and what expected values need."""
    modules = ("minijax.core", "minijax.errors", "minijax.extend.core", "minijax.tree_util")
    shown = names_of(*modules, jax="minijax", jnp="minijax.numpy", lax="minijax.lax", np="numpy")
    shown |= names_of(families="minijax.layer1_core.lax.families", primitives="minijax.layer1_core.primitive")
    return shown | {"raises": Raised, "promoted": promoted, "flat_names": flat_names, "Counter": Counter}


# ---- 1.1

SMALL_LATTICE = (
    ("bool", False), ("int32", True), ("int8", False), ("int32", False),
    ("float32", True), ("bfloat16", False), ("float16", False), ("float32", False),
)  # fmt: skip


def promoted(a: tuple[str, bool], b: tuple[str, bool]) -> tuple[str, bool]:
    """What the package promotes two (dtype name, weak) to."""
    modules = names_of(jax="minijax", dtypes="minijax.layer1_core.dtypes")
    dtypes = modules["dtypes"]
    with modules["jax"].enable_x64(False):
        dtype, weak = dtypes.join(*((dtypes.as_dtype(name), weak) for name, weak in (a, b)))
    return dtype.name, weak


def join_cases() -> Iterator[Case]:
    pairs = product(range(len(SMALL_LATTICE)), repeat=2)
    for i, j in sorted(pairs, key=lambda ij: (max(ij), ij)):
        a, b = SMALL_LATTICE[i], SMALL_LATTICE[j]
        yield Case(f"join_two({a}, {b})", f"promoted({a}, {b})")


# ---- 1.2

DENSE_CLASS = """\
class Dense:
    def __init__(self, w, b, act="relu"):
        self.w, self.b, self.act = w, b, act
register_dense(Dense)"""
_TRY = "try:\n    register_dense(Dense)\nexcept ValueError:\n    pass"
DENSE_TRIED = DENSE_CLASS.replace("register_dense(Dense)", _TRY)


def dense_cases() -> Iterator[Case]:
    def case(call: str, expected: str) -> Case:
        return Case(call, expected, DENSE_CLASS)

    yield case("jax.tree.leaves(Dense(1.0, 2.0))", "[1.0, 2.0]")
    yield case("[keystr(path) for path, leaf in tree_leaves_with_path(Dense(1.0, 2.0))]", "['.w', '.b']")
    yield case("vars(jax.tree.map(lambda x: -x, Dense(1.0, 2.0)))", "dict(w=-1.0, b=-2.0, act='relu')")
    yield case("vars(jax.tree.map(lambda x: -x, Dense(1.0, 2.0, 'tanh')))", "dict(w=-1.0, b=-2.0, act='tanh')")
    yield case("type(jax.tree.map(lambda x: -x, Dense(1.0, 2.0))).__name__", "'Dense'")
    yield case("jax.tree.leaves(Dense(1.0, None))", "[1.0]")
    same = "jax.tree.structure(Dense(1.0, 2.0, {!r})) == jax.tree.structure(Dense(3.0, 4.0, 'relu'))"
    yield case(same.format("relu"), "True")
    yield case(same.format("tanh"), "False")
    yield case("vars(jax.tree.map(lambda x: None, Dense(1.0, 2.0)))", "dict(w=None, b=None, act='relu')")
    nested = "{'net': [Dense(1.0, 2.0), Dense((3.0, 4.0), 5.0)]}"
    paths = ["['net'][0].w", "['net'][0].b", "['net'][1].w[0]", "['net'][1].w[1]", "['net'][1].b"]
    yield case(f"[keystr(path) for path, leaf in tree_leaves_with_path({nested})]", repr(paths))
    yield case("jax.jit(lambda d: d.w * 3.0 + d.b)(Dense(1.0, 2.0)).item()", "5.0")
    yield case("jax.jit(lambda d: d)(Dense(1.0, 2.0, 'tanh')).act", "'tanh'")


# ---- 1.3

_IN_THE_PACKAGE = """\
from unittest import mock
from minijax.layer1_core.lax import families
with mock.patch.object(families, "broadcast_shape", broadcast_shape):  # your rule, in place of the package's
    aval = lax.{}.abstract_eval(jax.typeof(jnp.ones((2, 1))), jax.typeof(jnp.ones((1, 3))))"""


def broadcast_cases() -> Iterator[Case]:
    sizes = (1, 2, 3, 0)
    shapes = [shape for rank in range(3) for shape in product(sizes, repeat=rank)]
    lists = [[s] for s in shapes] + [list(pair) for pair in product(shapes, repeat=2)]
    lists += [
        [(1,), (1,), (2,)],
        [(2,), (1,), (3,)],
        [(), (2,), ()],
        [(2,), (), (3,)],
        [(2, 1), (1, 3), (2, 3)],
        [(2,), (2, 2), (2, 2, 2)],
    ]
    for case in sorted(lists, key=lambda case: (len(case), sum(map(len, case)))):
        call = f'broadcast_shape("add", {case})'
        yield Case(call, f"families.{call}")
    plus = (
        'plus_p = Primitive("plus")\n'
        'plus_p.def_abstract_eval(lambda x, y: ShapedArray(broadcast_shape("plus", [x.shape, y.shape]), x.dtype))'
    )
    yield Case("jax.make_jaxpr(plus_p.bind)(jnp.ones((2, 1)), jnp.ones((1, 3))).out_avals[0].shape", "(2, 3)", plus)
    for primitive, aval in (("add_p", "float32[2,3]"), ("lt_p", "bool[2,3]")):
        yield Case("str(aval)", repr(aval), _IN_THE_PACKAGE.format(primitive))


# ---- 1.4

_MUL_ADD_MESSAGES = (
    ("(2,), (3,), (2,)", "float32, float32, float32", "mul_add requires equal shapes, got (2,), (3,), (2,)"),
    ("(2,), (2,), ()", "float32, float32, float32", "mul_add requires equal shapes, got (2,), (2,), ()"),
    ("(), (), ()", "float32, int32, float32", "mul_add requires equal dtypes, got float32, int32, float32"),
    ("(2,), (2,), (3,)", "int8, int32, int8", "mul_add requires equal shapes, got (2,), (2,), (3,)"),
)


def mul_add_cases() -> Iterator[Case]:
    operands = ["1.0, 2.0, 3.0", "2, 3, 4", "np.float32(2), 3.0, 4.0", "2.0, np.float32(3), 4.0"]
    operands += [
        "jnp.arange(2), jnp.arange(2) + 3, jnp.arange(2)",
        "jnp.ones((2, 2)), jnp.ones((2, 2)), jnp.ones((2, 2))",
    ]
    operands += [f"*map(jnp.{name}, [[2], [3], [4]])" for name in ("int8", "float16", "bfloat16", "complex64")]
    operands += ["np.ones((0, 2), np.float32), jnp.ones((0, 2)), jnp.ones((0, 2))"]
    for given in operands:
        look = f"jax.make_jaxpr(mul_add)({given})"
        yield Case(f"[str(eqn.primitive) for eqn in {look}.eqns]", "['mul_add']", look=look)
        type_of = "str(jax.typeof({}))"
        yield Case(
            type_of.format(f"mul_add({given})"), type_of.format(f"(lambda x, y, z: x * y + z)({given})"), look=look
        )
        for call in ("mul_add", "jax.jit(mul_add)"):
            value = "np.asarray({}({})).tolist()"
            yield Case(value.format(call, given), value.format("(lambda x, y, z: x * y + z)", given))
            yield Case(f"np.asarray({call}({given})).dtype.name", f"jnp.result_type({given}).name")
    for shapes, dtypes, message in _MUL_ADD_MESSAGES:
        arrays = f"xs = [np.ones(s, t) for s, t in zip([{shapes}], {dtypes.split(', ')})]"
        for call in ("mul_add(*xs)", "jax.make_jaxpr(mul_add)(*xs)"):
            yield Case(call, f"raises('TypeError', {message!r})", arrays)
    yield Case("str(jax.make_jaxpr(lambda x: jax.jit(mul_add)(x, 2.0, x))(3.0)).count('= mul_add ')", "1")


# ---- 1.5


_SHOWN = (  # a function of one equation (or a few), its argument
    ("lax.neg", "1.0"),
    ("lambda x: lax.mul(x, x)", "1.0"),
    ("lambda x: lax.mul(x, 2.0)", "1.0"),
    ("lax.exp", "jnp.ones((2, 3))"),
    ("lambda x: lax.add(x, np.float32(0.1))", "np.float32(1)"),
    ("lambda x: lax.slice(x, (0,), (2,))", "jnp.ones(3)"),
    ("lambda x: lax.convert_element_type(x, jnp.int32)", "1.0"),
    ("lambda x: lax.top_k(x, 2)", "jnp.ones(3)"),
    ("lambda x: lax.top_k(x, 2)[0]", "jnp.ones(3)"),
    ("lambda x: lax.select(x > 0.0, x, 2.0 * x)", "1.0"),
)
_CHAIN = """\
def chain(x, y):
    for _ in range({}):
        x = lax.mul(x, y)
    return x
program = jax.make_jaxpr(chain)(1.0, 2.0)
names = dict(zip(program.invars, "ab"))"""


def show_cases() -> Iterator[Case]:
    for fun, argument in _SHOWN:
        setup = f"program = jax.make_jaxpr({fun})({argument})"
        yield Case("[show_eqn(eqn, {}) for eqn in program.eqns]", "[str(eqn) for eqn in program.eqns]", setup)
    lines = "[line.strip() for line in str(program).splitlines()[1:-1]]"  # without the head and the results
    for n in (3, 24, 25, 60, 700):
        yield Case("[show_eqn(eqn, names) for eqn in program.eqns][-2:]", f"{lines}[-2:]", _CHAIN.format(n))


# ---- 1.6

TICK = (
    'tick_p = Primitive("tick")\ntick_p.effects = frozenset(["tick"])\ntick_p.def_abstract_eval(lambda x: x)\n'
    "tick = jax.jit(tick_p.bind)\n"
)
_CUBE = "def f(x):\n    y = lax.sin(x)\n    lax.cos(y)\n    return lax.integer_pow(y, 3)\n"
LARGEST = "def f(x):\n    value, place = lax.top_k(x, 1)\n    lax.neg(place)\n    return value\n"
_DEAD = (  # a function (or its def), the same without its dead code, its arguments
    ("lambda x: x", "lambda x: x", "1.0"),
    ("lambda x: lax.sin(x)", "lambda x: lax.sin(x)", "1.0"),
    ("lambda x: (lax.sin(x), lax.cos(x))[1]", "lambda x: lax.cos(x)", "1.0"),
    ("lambda x: (lax.sin(x), x)[1]", "lambda x: x", "1.0"),
    ("lambda x: (lax.sin(x), 2.0)[1]", "lambda x: 2.0", "1.0"),
    ("lambda x: (lax.sin(x), lax.mul(x, 2.0))[1]", "lambda x: lax.mul(x, 2.0)", "1.0"),
    ("lambda x, y: (lax.sin(x), lax.cos(y))[1]", "lambda x, y: lax.cos(y)", "1.0, 2.0"),
    ("lambda x: (lax.cos(lax.sin(x)), lax.neg(x))[1]", "lambda x: lax.neg(x)", "1.0"),
    ("lambda x: (lax.exp(lax.cos(lax.sin(x))), lax.neg(x))[1]", "lambda x: lax.neg(x)", "1.0"),
    (_CUBE, "lambda x: lax.integer_pow(lax.sin(x), 3)", "1.0"),
    ("lambda x: lax.top_k(x, 1)[0]", "lambda x: lax.top_k(x, 1)[0]", "jnp.ones(2)"),
    (LARGEST, "lambda x: lax.top_k(x, 1)[0]", "jnp.ones(2)"),
    ("lambda x: (tick_p.bind(x), lax.neg(x))[1]", "lambda x: (tick_p.bind(x), lax.neg(x))[1]", "1.0"),
    ("lambda x: (tick_p.bind(lax.sin(x)), x)[1]", "lambda x: (tick_p.bind(lax.sin(x)), x)[1]", "1.0"),
    ("lambda x: (tick(lax.sin(x)), x)[1]", "lambda x: (tick(lax.sin(x)), x)[1]", "1.0"),
    ("lambda x: (jax.jit(lax.sin)(x), lax.cos(x))[1]", "lambda x: lax.cos(x)", "1.0"),
)


# which results are DropVars
KINDS = "[[type(v).__name__ for v in eqn.outvars] for eqn in {}.eqns]"


def dead_cases() -> Iterator[Case]:
    for fun, alive, args in _DEAD:
        before, name = (fun, "f") if fun.startswith("def ") else (TICK if "tick" in fun else "", fun)
        setup = f"{before}program = jax.make_jaxpr({name})({args})"
        yield Case("str(drop_dead(program))", f"str(jax.make_jaxpr({alive})({args}))", setup)
        yield Case(KINDS.format("drop_dead(program)"), KINDS.format(f"jax.make_jaxpr({alive})({args})"), setup)
        yield Case("(drop_dead(program), str(program))[1]", "str(program)", setup)  # it is not changed
        yield Case("check_jaxpr(drop_dead(program))", "None", setup, "drop_dead(program)")


# ---- 1.7 and 1.8: programs with calls

_CALLS = (  # what stands before, a function, its arguments
    ("", "lambda x: x", "1.0"),
    ("", "lambda x: 2.0", "1.0"),
    ("", "lambda x: lax.sin(x) * 2.0", "1.0"),
    ("f = jax.jit(lax.sin)\n", "lambda x: f(x)", "1.0"),
    ("f = jax.jit(lax.sin)\n", "lambda x: f(f(x))", "1.0"),
    ("f = jax.jit(lax.mul)\n", "lambda x: f(x, 2.0)", "3.0"),
    ("f = jax.jit(lambda x: x)\n", "lambda x: lax.neg(f(x))", "1.0"),
    ("f = jax.jit(lambda x: (3.0, lax.neg(x)))\n", "lambda x: f(x)", "1.0"),
    ("f = jax.jit(lambda x, y: (y, lax.neg(x)))\n", "lambda x, y: f(*f(x, y))", "1.0, 2.0"),
    ("f = jax.jit(lambda x: lax.top_k(x, 2))\n", "lambda x: f(x)[0]", "jnp.arange(3.0)"),
    ("c = jnp.arange(2.0)\n", "lambda x: x + c", "jnp.ones(2)"),
    ("c = jnp.arange(2.0)\nf = jax.jit(lambda x: x * c)\n", "lambda x: f(x)", "jnp.ones(2)"),
    ("c = jnp.arange(2.0)\nf = jax.jit(lambda x: x * c)\n", "lambda x: f(f(x)) + c", "jnp.ones(2)"),
    ("f = jax.jit(lax.sin)\ng = jax.jit(lambda x: f(lax.cos(f(x))))\n", "lambda x: g(f(x))", "1.0"),
    ("", "lambda x: jnp.where(x > 0, x, 0.0)", "jnp.array([-1.0, 2.0])"),
)
TWO_CALLS = "f = jax.jit(lax.sin)\nprogram = jax.make_jaxpr(lambda x: f(f(x)))(1.0)"


def flat_names(jaxpr: Any) -> list[str]:
    """The names of the primitives that run, in order, with each call replaced by what it calls."""
    found: list[str] = []
    for eqn in jaxpr.eqns:
        inside = eqn.primitive.name == "jit"
        found += flat_names(eqn.params["jaxpr"]) if inside else [eqn.primitive.name]
    return found


def call_programs() -> Iterator[tuple[str, str]]:
    return ((f"{before}program = jax.make_jaxpr({fun})({args})", args) for before, fun, args in _CALLS)


def count_cases() -> Iterator[Case]:
    values = "[np.asarray(x).round(5).tolist() for x in {}]"  # compiled, the last digit may be another
    for setup, args in call_programs():
        call = f"run_and_count(program, {args})"
        expected = values.format(f"eval_jaxpr(program, program.consts, {args})")
        yield Case(values.format(f"{call}[0]"), expected, setup, "program")
        yield Case(f"dict({call}[1])", "dict(Counter(flat_names(program)))", setup, "program")
    yield Case("len(jax.make_jaxpr(lambda x: run_and_count(program, x)[0])(1.0).eqns)", "2", TWO_CALLS)


def inline_cases() -> Iterator[Case]:
    once = "(lambda bound: len(bound) == len(set(bound)))({})"
    run = "[np.asarray(x).round(5).tolist() for x in (lambda p: eval_jaxpr(p, p.consts, {args}))({program})]"
    look = "inline_calls(program)"
    for setup, args in call_programs():
        yield Case("[eqn.primitive.name for eqn in inline_calls(program).eqns]", "flat_names(program)", setup, look)
        yield Case("check_jaxpr(inline_calls(program))", "None", setup, look)
        yield Case(once.format("[v for eqn in inline_calls(program).eqns for v in eqn.outvars]"), "True", setup, look)
        yield Case("inline_calls(program).in_avals", "program.in_avals", setup, look)
        yield Case("inline_calls(program).out_avals", "program.out_avals", setup, look)
        expected = run.format(args=args, program="program")
        yield Case(run.format(args=args, program="inline_calls(program)"), expected, setup, look)
        yield Case("(inline_calls(program), str(program))[1]", "str(program)", setup)  # it is not changed


# ---- 1.9

_TRACED = (  # what stands before, a function, its arguments
    ("", "lambda x: x", "1.0"),
    ("", "lambda x: 2.0", "1.0"),
    ("", "lax.sin", "1.0"),
    ("", "lambda x: lax.mul(x, 2.0)", "1.0"),
    ("", "lambda x: x * 2.0 + np.float32(3.0)", "np.float32(1)"),
    ("", "lambda x, y: (x + y, x, 3)", "1.0, 2.0"),
    ("", "lambda: lax.add(1.0, 2.0)", ""),
    ("", "lambda x: (lax.sin(x), lax.cos(x))[1]", "1.0"),
    ("", "lambda x: lax.top_k(x, 2)", "jnp.arange(3.0)"),
    ("", "lambda t: {'sum': t['x'] + t['y'][0], 'same': [t['x']]}", "{'x': 1.0, 'y': (2.0, None)}"),
    ("c = jnp.arange(2.0)\n", "lambda x: x + c", "jnp.ones(2)"),
    ("c = jnp.arange(2.0)\n", "lambda x: (x + c) * c", "jnp.ones(2)"),
    ("c, d, e = jnp.arange(2.0), jnp.float32(3.0), np.float32(4.0)\n", "lambda x: (x + c) * d * e", "jnp.ones(2)"),
    ("c = np.arange(2.0, dtype=np.float32)\n", "lambda x: (c, x)", "1.0"),
    ("", "jax.jit(lambda x: x * 2.0)", "1.0"),
    ("", "lambda x: jnp.where(x > 0.0, x, 0.0).sum()", "jnp.ones(3)"),
)
FAILING = """\
def bad(x):
    raise KeyError(x)
try:
    my_make_jaxpr(bad)(1.0)
except KeyError:
    pass"""
KEEPING = "kept = []\ndef keep(x):\n    kept.append(x)\n    return x\n"
_NESTED = """\
def nested(make):
    inner = []
    outer = make(lambda x: (inner.append(make(lambda y: x * y)(2.0)), x)[1])(1.0)
    return str(inner[0]), str(outer)"""


def tracer_cases() -> Iterator[Case]:
    for before, fun, args in _TRACED:
        call = f"my_make_jaxpr({fun})({args})"
        yield Case(f"str({call})", f"str(jax.make_jaxpr({fun})({args}))", before)
        yield Case(KINDS.format(call), KINDS.format(f"jax.make_jaxpr({fun})({args})"), before)
        yield Case(f"str({call}.in_avals)", f"str(jax.make_jaxpr({fun})({args}).in_avals)", before, call)
        consts = "[np.asarray(c).tolist() for c in {}.consts]"
        yield Case(consts.format(call), consts.format(f"jax.make_jaxpr({fun})({args})"), before)
        yield Case(f"check_jaxpr({call})", "None", before, call)
    yield Case("my_make_jaxpr(lambda x: 'text')(1.0)", "raises('TypeError')")
    yield Case("lax.add(1.0, 2.0).item()", "3.0", FAILING)
    leaked = "my_make_jaxpr(lambda y: y * kept[0])(2.0)"
    yield Case(leaked, "raises('UnexpectedTracerError')", f"{KEEPING}my_make_jaxpr(keep)(1.0)")
    late = "try:\n    my_make_jaxpr(lambda x: (keep(x), 1 / 0))(1.0)\nexcept ZeroDivisionError:\n    pass"
    yield Case(leaked, "raises('UnexpectedTracerError')", f"{KEEPING}{late}")
    yield Case("nested(my_make_jaxpr)", "nested(jax.make_jaxpr)", _NESTED)
