"""The exercises of chapter 1, avals and tracers: hints, cases from small to large, known mistakes."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from .exercise import Case, Exercise, Mistake, Raised, names_of


def names() -> dict[str, Any]:
    """What the cases may name: what the first cell of the notebook imports, and what expected values need."""
    modules = ("minijax.core", "minijax.errors", "minijax.extend.core", "minijax.tree_util")
    shown = names_of(*modules, jax="minijax", jnp="minijax.numpy", lax="minijax.lax", np="numpy")
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
        dtype, weak = dtypes.join(*((dtypes.as_dtype(getattr(dtypes, name, name)), weak) for name, weak in (a, b)))
    return dtype.name, weak


def join_cases() -> Iterator[Case]:
    pairs = product(range(len(SMALL_LATTICE)), repeat=2)
    for i, j in sorted(pairs, key=lambda ij: (max(ij), ij)):
        a, b = SMALL_LATTICE[i], SMALL_LATTICE[j]
        yield Case(f"join_two({a}, {b})", f"promoted({a}, {b})")


JOIN = Exercise(
    "1.1", "what is its type?", "join_two", 1, 10, "sections 2 and 3",
    hints=(
        "Write a helper that gives the set of all types at or above one type: the type itself, and whatever is at or "
        "above one of the types right above it.",
        "A type that both may become is in both sets. There may be several. Which of them do you want?",
        "The least one is the one that lies below all the others: its own set of types above holds all common ones.",
    ),
    cases=join_cases,
    mistakes=(
        Mistake(
            "a weak type counts as much as a strong one",
            "int8 with the Python number 1 is int8: a weak type has a kind and gives way to the width of the other.",
            'join_two(("int8", False), ("int32", True)) == ("int32", False)'
            ' or join_two(("bfloat16", False), ("float32", True))[0] == "float32"',
        ),
        Mistake(
            "NumPy's rule for an integer and a float",
            "NumPy widens the float so that each integer fits in it. JAX keeps the width of the float: int32 with "
            "float16 is float16.",
            'join_two(("int32", False), ("float16", False))[0] in ("float32", "float64")',
        ),
        Mistake(
            "one of the two operands always wins",
            "bfloat16 and float16 are side by side in the lattice. Neither can hold the other, so the answer is a "
            "third type above both.",
            'join_two(("bfloat16", False), ("float16", False))[0] in ("bfloat16", "float16")',
        ),
    ),
    names=names,
)  # fmt: skip

# ---- 1.2

_DENSE = """\
class Dense:
    def __init__(self, w, b, act="relu"):
        self.w, self.b, self.act = w, b, act
register_dense(Dense)"""


def dense_cases() -> Iterator[Case]:
    def case(call: str, expected: str) -> Case:
        return Case(call, expected, _DENSE)

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


DENSE = Exercise(
    "1.2", "a pytree of your own", "register_dense", 1, 10, "section 4",
    hints=(
        "A registration is two functions: one takes a value apart, and the other puts it together again.",
        "What is an array goes to the children. What Python must know while tracing (`act`) goes to aux, the second "
        "part of what the first function returns.",
        "register_pytree_with_keys(cls, apart, together): apart(x) gives ([(GetAttrKey('w'), x.w), ...], aux), and "
        "together(aux, children) gives a new value of cls.",
    ),
    cases=dense_cases,
    mistakes=(
        Mistake(
            "the name of the activation is a leaf",
            "A leaf must be an array in the end, and a string is none. What is not data belongs to aux: it becomes "
            "part of the structure, so a program is traced anew when it changes.",
            "'relu' in jax.tree.leaves(Dense(1.0, 2.0))",
            _DENSE,
        ),
        Mistake(
            "the children have no names",
            "register_pytree_node registers children without keys. register_pytree_with_keys takes pairs of key and "
            "child; GetAttrKey('w') is shown as .w in paths and in errors.",
            "jax.tree.leaves(Dense(1.0, 2.0)) == [1.0, 2.0]"
            " and 'flat index' in keystr(tree_leaves_with_path(Dense(1.0, 2.0))[0][0])",
            _DENSE,
        ),
        Mistake(
            "the activation is lost",
            "Mapping over the tree gave a Dense with another `act`. Put it into aux, and use aux when you rebuild.",
            "jax.tree.map(lambda x: x, Dense(1.0, 2.0, 'tanh')).act != 'tanh'",
            _DENSE,
        ),
        Mistake(
            "it registers another class",
            "`register_dense(cls)` has to register the class that it is given, not one that it knows by name.",
            "len(jax.tree.leaves(Dense(1.0, 2.0))) == 1",
            _DENSE.replace("register_dense(Dense)", "try:\n    register_dense(Dense)\nexcept ValueError:\n    pass"),
        ),
    ),
    names=names,
)  # fmt: skip

# ---- 1.3


def broadcast_cases() -> Iterator[Case]:
    sizes = (1, 2, 3, 0)
    shapes = [shape for rank in range(3) for shape in product(sizes, repeat=rank)]
    lists = [[s] for s in shapes] + [list(pair) for pair in product(shapes, repeat=2)]
    lists += [[(), (2,), ()], [(2,), (), (3,)], [(1,), (2,), (1,)], [(2, 1), (1, 3), (2, 3)], [(2,), (2, 2), (2, 2, 2)]]
    for case in sorted(lists, key=lambda case: (len(case), sum(map(len, case)))):
        call = f'broadcast_shape("add", {case})'
        yield Case(call, f"families.{call}", "import minijax.layer1_core.lax.families as families")
    plus = (
        'plus_p = Primitive("plus")\n'
        'plus_p.def_abstract_eval(lambda x, y: ShapedArray(broadcast_shape("plus", [x.shape, y.shape]), x.dtype))'
    )
    yield Case("jax.make_jaxpr(plus_p.bind)(jnp.ones((2, 1)), jnp.ones((1, 3))).out_avals[0].shape", "(2, 3)", plus)


BROADCAST = Exercise(
    "1.3", "the shape rule of a broadcasting primitive", "broadcast_shape", 2, 15, "section 5",
    hints=(
        "Three questions, one after the other: which shapes count at all, do their ranks agree, do their sizes agree?",
        "Leave out the scalars, then look at one axis of all shapes at a time: zip(*shapes) gives the sizes along it.",
        "Along an axis, put the sizes other than 1 into a set. Empty: the size is 1. One member: that. More: an error.",
    ),
    cases=broadcast_cases,
    mistakes=(
        Mistake(
            "NumPy's rule for ranks",
            "NumPy lines shapes up at the last axis and adds axes of size 1 in front. A primitive does not: ranks must "
            "agree. jnp functions add the axes, by an equation of their own.",
            'broadcast_shape("add", [(3,), (2, 3)]) == (2, 3)',
        ),
        Mistake(
            "the larger size wins",
            "1 goes with every size, and 0 is a size like others: (0,) with (1,) is (0,). And 2 does not go with 3.",
            'broadcast_shape("add", [(1,), (0,)]) == (1,)',
        ),
        Mistake(
            "a scalar must have the rank of the others",
            "A scalar, shape (), goes with all shapes. Leave scalars out before you compare ranks.",
            'broadcast_shape("add", [(2,), (2,)]) == (2,) and broadcast_shape("add", [(), (2,)])',
            "def refused(call):\n    try:\n        return call() != (2,)\n    except Exception:\n        return True",
        ),
    ),
    names=names,
)  # fmt: skip
