"""The batch-axis explorer shows what vmap makes of a function, and where the batch axis is in every value."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from processes import run

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.figures import COLUMNS
from minijax.course.widgets import batch_axis_explorer
from minijax.course.widgets.batch_products import about_axis
from minijax.course.widgets.batch_view import Controls
from minijax.course.widgets.batch_words import ALL, EACH, KEPT, SAME, SELECTED
from minijax.course.widgets.linear_drawing import WIDE
from minijax.course.widgets.program import MOST
from minijax.layer1_core.jaxpr import jaxprs_in_params
from minijax.layer1_core.primitive import Primitive
from minijax.layer5_vmap.batching import batching_rules


def layer(W, b, x):
    h = jnp.tanh(W @ x + b)
    return (h * h).sum()


def tree(p, xs):
    return {"a": xs[p["i"]] * p["w"], "b": xs.reshape(-1)}


def running(x, xs, w):
    total, ys = lax.scan(lambda c, x: (c + x, c * w.sum()), 0.0, xs)
    small = lax.while_loop(lambda c: c[0] > 1.0, lambda c: (c[0] / 2, c[1] + 1), (total, 0))
    return lax.cond(small[0] > x, jnp.sin, lambda x: x * w[0], total), ys, small


def counted(n, x):
    return lax.while_loop(lambda c: c[1] < n, lambda c: (c[0] * 2.0, c[1] + 1), (x, 0))


def chosen(i, x, y):
    return lax.switch(i, [lambda x, y: x, lambda x, y: x + y, lambda x, y: x * y], x, y)


def inside(x):
    f = jax.jit(lambda x: jax.nn.relu(x) * jax.checkpoint(jnp.sin)(x))
    return f(x) + lax.fori_loop(0, 3, lambda i, c: f(c), x)


@jax.custom_vjp
def clipped(x):
    return x


clipped.defvjp(lambda x: (x, None), lambda residuals, ct: (jnp.clip(ct, -1.0, 1.0),))


def nothing_batched(x, y):
    return jnp.arange(3) * 2, jnp.sin(y), x


def unread(x):
    jnp.sin(x)
    return jnp.concatenate([x, matrix[0]]) @ jnp.ones(6)


def deep(x):
    for _ in range(MOST + 30):
        x = jnp.sin(x)
    return x


matrix = jnp.arange(12.0).reshape(4, 3)
vector = jnp.arange(3.0)
SIZE = 5


def batch(*shape):
    return jnp.ones(shape)


def calls(n):
    """Functions with batches of n examples, and axes."""
    index = jnp.arange(n) % 3
    return [
        (layer, (matrix, jnp.ones(4), batch(n, 3)), (None, None, 0), 0),
        (layer, (batch(4, 3, n), batch(n, 4), batch(3, n)), (-1, 0, 1), 0),
        (lambda a, b: a @ b, (batch(n, 2, 3), batch(3, n, 4)), (0, 1), -1),
        (tree, ({"w": vector, "i": index}, batch(4, n, 3)), ({"w": None, "i": 0}, 1), {"a": 0, "b": 1}),
        (running, (1.0, batch(n, 4), vector), (None, 0, None), 0),
        (running, (1.0, batch(4), batch(3, n)), (None, None, 1), 0),
        (counted, (4, batch(n)), (None, 0), (0, None)),
        (counted, (index, batch(n, 2)), 0, 0),
        (chosen, (index, batch(n, 2), batch(2)), (0, 0, None), 0),
        (chosen, (1, batch(2, n), batch(2)), (None, 1, None), 1),
        (inside, (batch(n, 3),), 0, 0),
        (jax.grad(lambda x: (clipped(x) * jnp.sin(x)).sum()), (batch(3, n),), 1, 1),
        (nothing_batched, (batch(n), vector), (0, None), (None, None, 0)),
        (unread, (batch(n, 3),), 0, 0),
        (lambda x: x.T.reshape(-1), (batch(n, 4, 3),), 0, 0),
        (lambda x: lax.conv(x[None], batch(2, 2, 2, 2), (1, 1), "SAME"), (batch(n, 2, 4, 4),), 0, 0),
    ]


CALLS = calls(SIZE)


def shown(call):
    f, args, in_axes, out_axes = call
    return batch_axis_explorer(f, *args, in_axes=in_axes, out_axes=out_axes)


def mapped(call):
    """The program that vmap makes."""
    f, args, in_axes, out_axes = call
    return jax.make_jaxpr(jax.vmap(f, in_axes, out_axes))(*args)


def shape_of(jaxpr):
    """The equations with the letters left out: primitives and types."""
    return [(e.primitive.name, *(v.aval.str_short(True) for v in (*e.invars, *e.outvars))) for e in jaxpr.eqns]


def typed(parts):
    """name -> type, of the names that have one behind them; the marked batch axes as B=8"""
    text = "".join(text for text, _ in parts)
    return dict(re.findall(r"(\w+):([a-z]+\d*\[[^\]]*\])", text))


def plain(text):
    """A type as it is printed: without the marks"""
    return re.sub(r"(\d+\*)?B=", "", text)


def shape_shown(listing):
    """The same of what is shown."""
    types, found = typed(listing.head), []
    for eqn in listing.eqns:
        texts = [text for text, _ in eqn.parts]
        start = next((k for k, text in enumerate(texts) if text.startswith("= ")), 0)
        left = re.findall(r"(\w+):(\S+\[[^\]]*\])", "".join(texts[:start]))
        types |= {name: t for name, t in left if name != "_"}
        operands = "".join(texts[start + 1 :]).split()
        ins = [types.get(x) or x.rpartition(":")[2] for x in operands]
        found.append((texts[start].removeprefix("= ").partition("[")[0], *map(plain, [*ins, *(t for _, t in left)])))
    return found


# ---- the programs are the package's


@pytest.mark.parametrize("call", CALLS)
def test_the_program_of_the_batch_is_the_one_that_vmap_makes(call):
    figure = shown(call)
    assert figure.found.problem == ""
    listing = figure.found.pairs[0].batch
    assert shape_shown(listing) == shape_of(mapped(call))
    results = [plain(typed(listing.head).get(name, "")) for name in re.findall(r"\w+", listing.tail[2:])]
    assert len(results) == len(mapped(call).outvars)


@pytest.mark.parametrize("call", CALLS)
def test_the_program_of_one_example_is_that_of_the_function(call):
    f, args, *_ = call
    figure = shown(call)
    axes = iter(figure.axes)
    one = jax.tree.map(lambda x: x if (d := next(axes)) is None else np.take(np.asarray(x), 0, d), args)
    assert shape_shown(figure.found.pairs[0].example) == shape_of(jax.make_jaxpr(f)(*one))


def all_inside(jaxpr):
    """The programs inside of a program, in any order."""
    subs = [sub for eqn in jaxpr.eqns for sub in jaxprs_in_params(eqn.params)]
    return [*subs, *(inner for sub in subs for inner in all_inside(sub))]


@pytest.mark.parametrize("call", CALLS)
def test_the_programs_inside_are_those_that_the_rules_make(call):
    made = [shape_of(sub) for sub in all_inside(mapped(call))]
    found = [shape_shown(pair.batch) for pair in shown(call).found.pairs[1:] if pair.batch]
    assert all(shape in made for shape in found)
    assert len(found) >= len({*map(str, made)}) - (call[0] is inside)  # what a checkpoint closes over is not tied


# ---- where the batch axis is


def marks_of(text):
    """The axes of a type: the sizes, and which are marked."""
    axes = [a for a in text.partition("[")[2].removesuffix("]").split(",") if a]
    return [(int(re.search(r"(\d+)$", a)[1]), "B=" in a) for a in axes]


@pytest.mark.parametrize("index", range(len(CALLS)))
def test_an_axis_is_marked_where_its_size_is_another_for_another_number_of_examples(index):
    one, other = (shown(calls(n)[index]).found.pairs for n in (SIZE, 2 * SIZE + 1))
    for ours, theirs in zip(one, other, strict=True):
        if ours.batch is None:
            continue
        lines = [[listing.head, *(eqn.parts for eqn in listing.eqns)] for listing in (ours.batch, theirs.batch)]
        for a, b in zip(*lines, strict=True):
            for (name, this), (_, that) in zip(typed(a).items(), typed(b).items(), strict=True):
                for (n, mark), (m, _) in zip(marks_of(this), marks_of(that), strict=True):
                    assert mark == (n != m), (name, this, that)


@pytest.mark.parametrize("call", CALLS)
def test_the_place_that_is_told_is_the_marked_axis(call):
    for pair in shown(call).found.pairs:
        if pair.batch is None:
            continue
        types = typed(pair.batch.head) | {k: t for eqn in pair.batch.eqns for k, t in typed(eqn.parts).items()}
        for step in pair.steps:
            for name, place in (*step.operands, *step.results):
                if name in types:
                    assert [d for d, (_, mark) in enumerate(marks_of(types[name])) if mark] == [place] * (
                        place is not None
                    )


def test_an_axis_that_is_merged_with_others_says_so():
    assert "B=4" in shown((lambda x: jnp.outer(x, x).reshape(-1), (batch(4, 3),), 0, 0)).text()
    figure = shown((lambda x: lax.conv(x[None], batch(2, 2, 2, 2), (1, 1), "SAME"), (batch(5, 2, 4, 4),), 0, 0))
    assert "*B=" in figure.text() or "B=5" in figure.text()


@pytest.mark.parametrize("call", CALLS)
def test_every_equation_of_the_batch_belongs_to_one_of_the_example_in_order(call):
    for pair in shown(call).found.pairs:
        if pair.batch:
            owners = [eqn.owner for eqn in pair.batch.eqns]
            owned = [k for k in owners if k is not None]
            assert owned == sorted(owned)
            assert owners == [*owned, *[None] * len(pair.moved)]
            for k, step in enumerate(pair.steps):
                assert len(step.made) == owners.count(k)


def test_a_value_and_its_batch_have_one_letter():
    pair = shown(CALLS[0]).found.pairs[0]
    example = {k for eqn in pair.example.eqns for k in typed(eqn.parts)}
    made = {k for eqn in pair.batch.eqns for k in typed(eqn.parts)}
    assert example <= made
    assert pair.example.tail == pair.batch.tail


def test_results_that_are_put_elsewhere_are_told():
    figure = shown((lambda x: jnp.sin(x), (batch(5, 3),), 0, 1))
    assert "The last equation of the batch, transpose, puts the batch axis of the results where" in figure.text()
    assert figure.found.pairs[0].moved == ("transpose",)


# ---- what is said


def sentences(call, primitive):
    """What is said of the equations of a primitive, in all programs."""
    figure = shown(call)
    return [
        page_words(figure, which, k + 1)
        for which, pair in enumerate(figure.found.pairs)
        for k, step in enumerate(pair.steps)
        if step.primitive == primitive and pair.batch
    ]


def page_words(figure, which, place):
    body = ElementTree.fromstring(f"<all>{figure.page_at(which, place).partition('</style>')[2]}</all>")
    return "".join(next(e for e in body.iter("p") if e.get("role") == "status").itertext())


def test_what_reads_no_batch_stays_and_is_computed_once():
    (words,) = sentences(CALLS[12], "sin")
    assert SAME in words
    assert SAME not in sentences(CALLS[0], "tanh")[0]


def test_a_conditional_with_an_index_of_each_example_is_all_branches_and_a_selection():
    (words,) = sentences(CALLS[8], "cond")
    assert SELECTED in words
    figure = shown(CALLS[8])
    (k,) = [k for k, step in enumerate(figure.found.pairs[0].steps) if step.primitive == "cond"]
    made = figure.found.pairs[0].steps[k].made
    assert "cond" not in made
    assert made[-1] == "select_n"
    assert {"add", "mul"} < {*made}
    branches = [pair for pair in figure.found.pairs if pair.batch is None]
    assert [pair.short for pair in branches] == [f"{k + 1} branch {i}" for i in range(3)]


def test_a_conditional_with_one_index_stays_one_and_its_branches_are_of_batches():
    (words,) = sentences(CALLS[9], "cond")
    assert KEPT in words
    branches = [pair for pair in shown(CALLS[9]).found.pairs if "branch" in pair.short]
    assert all(pair.batch for pair in branches)
    assert "f32[B=5,2]" in "".join(text for text, _ in branches[0].batch.head)


def test_a_loop_says_whose_condition_decides():
    assert EACH in sentences(CALLS[7], "while")[0]
    assert ALL in sentences(CALLS[6], "while")[0]


def test_what_a_loop_carries_gets_the_batch_axis_where_the_body_gives_it_one():
    (words,) = sentences(CALLS[4], "scan")
    assert "What starts as 0.0 gets the batch axis in the loop" in words
    assert "the batch axis of a sequence is axis 1" in words
    (words,) = sentences(CALLS[5], "scan")
    assert "gets the batch axis in the loop" not in words
    assert "axis of a sequence" not in words


def test_parameters_that_change_are_told_before_and_after():
    words = sentences(CALLS[0], "dot_general")[0]
    assert "dimension_numbers=(([1], [0]), ([], [])) becomes dimension_numbers=(([1], [1]), ([], []))" in words
    assert "axes=(0,) becomes axes=(np.int64(1),)" in sentences(CALLS[0], "reduce_sum")[0]


# ---- products


NUMBERS = [
    ((((), ()), ((), ())), (2,), (3,)),
    ((((1,), (0,)), ((), ())), (2, 3), (3, 4)),
    ((((0, 2), (1, 0)), ((1,), (2,))), (2, 3, 4, 5), (4, 2, 3)),
    ((((0,), (0,)), ((), ())), (2,), (2,)),
]


@pytest.mark.parametrize(("numbers", "left", "right"), NUMBERS)
@pytest.mark.parametrize("axes", [(0, None), (None, -1), (1, 0), (0, 0)])
def test_the_axes_of_a_product_are_those_of_its_types(numbers, left, right, axes):
    f = lambda x, y: lax.dot_general(x, y, numbers)
    args = [
        jnp.ones(s if d is None else np.insert(s, d % (len(s) + 1), 7))
        for s, d in zip((left, right), axes, strict=True)
    ]
    figure = batch_axis_explorer(f, *args, in_axes=axes)
    (step,) = figure.found.pairs[0].steps
    eqns = [
        jax.make_jaxpr(f)(jnp.ones(left), jnp.ones(right)).eqns[-1],
        next(e for e in mapped((f, args, axes, 0)).eqns if e.primitive.name == "dot_general"),
    ]
    for product, eqn in zip(step.products, eqns, strict=True):
        sizes = [[int(axis.size.rpartition("=")[2]) for axis in side] for side in (*product.operands, product.result)]
        assert sizes == [[*v.aval.shape] for v in (*eqn.invars, *eqn.outvars)]
        for axis in product.result:
            assert {product.operands[k][d].size for k, d in axis.sources} == {axis.size}
            assert {product.operands[k][d].role for k, d in axis.sources} == {axis.role}
        assert all(product.operands[0][i].size == product.operands[1][j].size for i, j in product.summed)
        contracted, both = eqn.params["dimension_numbers"]
        for k in range(2):
            roles = [axis.role for axis in product.operands[k]]
            assert [d for d, role in enumerate(roles) if role == "summed"] == sorted(map(int, contracted[k]))
            assert [d for d, role in enumerate(roles) if role == "batch"] == sorted(map(int, both[k]))
    having = [side for side, d in zip(("left", "right"), axes, strict=True) if d is not None]
    told = about_axis(step.products[1])
    assert ("Both operands have" in told) == (len(having) == 2)
    assert all(f"Only the {side} operand" in told for side in having if len(having) == 1)
    place = [axis.mapped for axis in step.products[1].result].index(True)
    assert f"in the result it is axis {place}" in told


def test_a_chosen_product_is_drawn_and_the_batch_axis_has_a_bar():
    figure = shown(CALLS[0])
    page = figure.page_at(0, 1)
    assert page.count("<svg") == 2
    assert "aria-label='The product of the batch'" in page
    assert "B=5" in page.partition("The product of the batch")[2]
    assert "<svg" not in figure.page_at(0, 2)


# ---- what is refused, in words


def problem(f, *args, **axes):
    figure = batch_axis_explorer(f, *args, **axes)
    assert figure.svg() and figure.text() and figure.live() and figure.page_at(0, 0)
    assert figure.found.problem in figure.text()
    return figure.found.problem


def test_sizes_that_disagree_are_told_with_the_axes_that_would_fit():
    told = problem(lambda x, y: x @ y, batch(5, 3), batch(3, 5))
    assert "The sizes disagree: axis 0 of `x` has size 5 and axis 0 of `y` has size 3." in told
    assert "Axis 1 of `y` would fit, with size 5." in told
    assert "vmap got inconsistent sizes for array axes to be mapped" in told


def test_an_axis_out_of_range_is_told_with_those_that_there_are():
    told = problem(lambda x: x, batch(5, 3), in_axes=2)
    assert "Axis 2 of `x` is out of range: `x`, f32[5,3], has the axes 0 to 1, or -1 to -2" in told
    assert "ValueError: vmap was requested to map its argument along axis 2" in told
    assert "choose None" in problem(lambda x, s: x * s, batch(5), 2.0)


def test_axes_that_are_all_none_are_refused():
    assert "No argument has a batch axis" in problem(lambda x: x, batch(5, 3), in_axes=None)
    assert "No argument has a batch axis" in problem(lambda: 1.0)


def test_axes_that_do_not_fit_the_arguments_are_told():
    assert "does not fit the arguments" in problem(lambda x: x, batch(5, 3), in_axes=(0, 0))
    assert "TypeError: vmap in_axes must be an int, None" in problem(lambda x: x, batch(5), in_axes="a")


def test_axes_of_results_that_do_not_fit_are_told():
    told = problem(lambda x: (x, 1.0), batch(5, 3), out_axes=(None, 0))
    assert "The result `a` is another one for each example, so its axis in out_axes is not None." in told
    assert "at vmap out_axes[0], got axis spec None but output was batched on axis 0" in told
    told = problem(jnp.sum, batch(5, 3), out_axes=1)
    assert "With the batch axis the result `b` has rank 1, so its axis in out_axes is 0 or -1." in told
    assert "out_axes" in problem(jnp.sum, batch(5, 3), out_axes=(0, 0))


def test_a_function_that_refuses_one_example_says_why():
    told = problem(lambda x: x @ jnp.ones(7), batch(5, 3))
    assert told.startswith("For one example the function cannot be traced. TypeError: ")


def test_an_equation_without_a_rule_is_named():
    lone_p = Primitive("lone")
    lone_p.def_abstract_eval(lambda x: x)
    told = problem(lambda x: jnp.sin(lone_p.bind(x)), batch(5))
    assert "Equation 1, `b:f32[] = lone a`, cannot be batched. NotImplementedError: Batching rule for 'lone'" in told
    assert lone_p not in batching_rules


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="batch_axis_explorer shows a function with its arguments, and this is 3"):
        batch_axis_explorer(3)


# ---- arguments


def test_each_array_of_a_tree_has_a_row_of_its_own():
    figure = shown(CALLS[3])
    assert [(a.name, a.type) for a in figure.found.arguments] == [
        ("p['i']", "i32[5]"),
        ("p['w']", "f32[3]"),
        ("xs", "f32[4,5,3]"),
    ]
    assert figure.found.axes == (0, None, 1)
    assert [buttons.description for buttons in Controls(figure).axes] == [
        "p['i']: i32[5]",
        "p['w']: f32[3]",
        "xs: f32[4,5,3]",
    ]


def test_what_is_no_array_reaches_the_function_as_it_is():
    def f(x, how, also):
        return {"sin": jnp.sin, "cos": jnp.cos}[how](x) + also(x)

    figure = batch_axis_explorer(f, batch(5, 3), "cos", jnp.tanh)
    assert figure.found.problem == ""
    assert [a.name for a in figure.found.arguments] == ["x"]
    assert [step.primitive for step in figure.found.pairs[0].steps] == ["cos", "tanh", "add"]


def test_a_python_number_is_weakly_typed():
    figure = batch_axis_explorer(lambda x, s: x * s, batch(5, 3).astype("bfloat16"), 2.0, in_axes=(0, None))
    assert figure.found.pairs[0].batch.head[-2][0].startswith(":f32")
    assert "bf16[B=5,3] = mul" in figure.text()


def test_a_function_is_traced_once_for_each_choice_and_nothing_is_run(capsys):
    traced = []

    def f(x):
        traced.append(x.shape)
        jax.debug.print("x is {}", x)
        return x * x

    figure = batch_axis_explorer(f, batch(5, 3))
    assert figure.svg() and figure.text() and figure.page_at(0, 1)
    controls = Controls(figure)
    controls.axes[0].value = "1"
    assert traced == [(3,), (5,)]
    assert capsys.readouterr().out == ""


def test_a_rule_of_the_learners_own_that_refuses_other_sizes_is_shown_all_the_same():
    @jax.custom_batching.custom_vmap
    def f(x):
        return x * 2.0

    @f.def_vmap
    def rule(size, batched, x):
        assert size == 5
        return jnp.sin(x), True

    figure = batch_axis_explorer(lambda x: f(x) + 1.0, batch(5, 3))
    assert "sin" in figure.found.pairs[0].steps[0].made
    assert "B=5" in figure.text()


# ---- the live view


def words_of(controls):
    return controls.picture.value


def press(controls, row, value):
    controls.axes[row].value = value


def test_another_axis_is_another_program_and_an_error_is_told_in_words():
    controls = Controls(shown((lambda x, y: x @ y, (batch(4, 4), batch(4, 4)), (0, 0), 0)))
    assert controls.axes[0].options == ("None", "0", "1", "-1")
    assert "over 4 examples" in words_of(controls)
    press(controls, 0, "None")
    assert "in_axes=(None, 0)" in words_of(controls)
    press(controls, 1, "None")
    assert "No argument has a batch axis" in words_of(controls)
    press(controls, 1, "-1")
    assert "in_axes=(None, -1)" in words_of(controls)
    controls.out.value = "2"
    assert "With the batch axis the result" in words_of(controls)
    controls.out.value = "0"
    controls.movers[0].go(1)
    assert "Only the right operand has the batch axis" in words_of(controls)


def test_the_equation_that_is_chosen_stays_so_for_other_axes():
    controls = Controls(shown(CALLS[5]))
    controls.which.value = next(name for name in controls.which.options if name.endswith("body"))
    controls.movers[controls.index()].go(2)
    press(controls, 2, "None")
    assert "No argument has a batch axis" in words_of(controls)
    press(controls, 2, "0")
    assert "body" in controls.which.value
    assert controls.movers[controls.index()].slider.value == 2
    assert "Equation 2," in words_of(controls)


def test_a_number_has_an_axis_to_choose_and_that_is_refused_in_words():
    controls = Controls(batch_axis_explorer(lambda x, s: x * s, batch(4), 2.0, in_axes=(0, None)))
    assert controls.axes[1].options == ("None", "0", "-1")
    press(controls, 1, "0")
    assert "has no axes, so it can only be the same for all examples: choose None." in words_of(controls)


def test_axes_that_were_given_can_be_chosen_again():
    controls = Controls(batch_axis_explorer(lambda x: {"a": x}, batch(4, 4, 4), in_axes=-2, out_axes={"a": -2}))
    assert controls.axes[0].value == "-2"
    assert controls.out.value == "{'a': -2}"
    before = words_of(controls)
    controls.out.value = "0"
    assert words_of(controls) != before
    controls.out.value = "{'a': -2}"
    assert words_of(controls) == before


def test_the_programs_inside_are_chosen_by_buttons():
    controls = Controls(shown(CALLS[4]))
    names = controls.which.options
    assert names[0] == "the whole"
    controls.which.value = next(name for name in names if name.endswith("body"))
    controls.movers[controls.index()].go(2)
    assert "Equation 2," in words_of(controls)


# ---- the forms


def pages(figure):
    pairs = figure.found.pairs
    return {(w, k): figure.page_at(w, k) for w, pair in enumerate(pairs) for k in range(len(pair.steps) + 1)}


@pytest.mark.parametrize("call", CALLS)
def test_every_page_is_well_formed_and_marks_what_is_chosen(call):
    figure = shown(call)
    for (which, place), page in pages(figure).items():
        body = ElementTree.fromstring(f"<all>{page.partition('</style>')[2]}</all>")
        pair = figure.found.pairs[which]
        for title, expected in (("One example", [place] * bool(place)), ("The batch", made_by(pair, place))):
            panes = [e for e in body.iter("div") if (e.get("aria-label") or "").startswith(title)]
            lines = [e for pane in panes for e in pane.iter("div") if e.get("class") == "line now"]
            assert [int(line[1].text) for line in lines] == expected
        assert ("Choose an equation." in page) == (place == 0)


def made_by(pair, place):
    return [j + 1 for j, eqn in enumerate(pair.batch.eqns) if eqn.owner == place - 1] if pair.batch and place else []


WRONG = [((lambda x, y: x, (batch(5, 3), batch(3, 5)), 0, 0)), (jnp.sum, (batch(5, 3),), 0, 1), (unread, (), 0, 0)]


@pytest.mark.parametrize("call", [*CALLS, *WRONG])
def test_the_drawing_is_well_formed_fits_its_width_and_says_the_same_in_words(call):
    figure = shown(call)
    drawing = ElementTree.fromstring(figure.svg())
    assert drawing.get("role") == "img"
    assert drawing.get("aria-label") == figure.heading()
    assert drawing.findtext("{*}desc") == figure.text()
    assert float(drawing.get("width")) == WIDE
    texts = [e for e in drawing.iter("{http://www.w3.org/2000/svg}text") if e.get("class") and not e.get("text-anchor")]
    assert all(float(e.get("x")) + 8.55 * len("".join(e.itertext())) <= WIDE for e in texts)
    boxes = [b for b in drawing.iter("{http://www.w3.org/2000/svg}rect") if b.get("x")]
    assert all(float(b.get("x")) + float(b.get("width")) <= WIDE for b in boxes)
    assert all(float(b.get("y")) + float(b.get("height")) <= float(drawing.get("height")) for b in boxes)


def test_boxes_of_a_product_do_not_overlap():
    figure = shown(CALLS[2])
    drawing = ElementTree.fromstring(figure.svg())
    filled = [b for b in drawing.iter("{http://www.w3.org/2000/svg}rect") if b.get("height") == "46"]
    places = sorted((float(b.get("y")), float(b.get("x"))) for b in filled)
    assert len(places) == 2 + 2 + 2 + 3 + 3 + 3
    assert all(y != v or x + 66 <= u for (y, x), (v, u) in pairwise(places))


@pytest.mark.parametrize("call", [*CALLS, *WRONG])
def test_a_text_has_short_lines_and_all_words(call):
    figure = shown(call)
    lines = repr(figure).split("\n")
    assert max(len(line) for line in lines if len(line.split()) > 1) <= COLUMNS
    assert repr(figure).split() == figure.text().split()


def test_of_a_long_program_the_first_equations_are_shown():
    figure = batch_axis_explorer(deep, batch(5))
    assert "230 equations for one example, 230 for the batch" in figure.heading()
    assert "... and 30 more equations" in figure.text()
    assert len(figure.found.pairs[0].steps) == MOST
    assert figure.page_at(0, MOST)


REPLACED = """
import sys
from minijax.course.widgets import batch_axis_explorer
from minijax.course.widgets.batch_view import Controls
import minijax.numpy as jnp
def f(p, x): return jnp.tanh(p["w"] @ x)
def make(): return batch_axis_explorer(f, {"w": jnp.ones((4, 4))}, jnp.ones((4, 4)), in_axes=(None, 0))
old = make()
before, live = old.text() + old.svg(), Controls(old)
for name in [n for n in sys.modules if n.split(".")[0] == "minijax" and not n.startswith("minijax.course")]:
    del sys.modules[name]
import minijax.numpy as jnp
new = make()
live.axes[1].value = "1"
told = "in_axes=({&#x27;w&#x27;: None}, 1)" in live.picture.value
print(new.text() + new.svg() == before == old.text() + old.svg(), told)
print("problem" in live.picture.value.partition("</style>")[2])
"""


def test_the_explorer_follows_a_package_that_is_dropped_and_imported_again():
    assert run(REPLACED) == "True True\nFalse\n"


# ---- before chapter 5

EARLIER = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "4")
import minijax.numpy as jnp
from minijax.course.widgets import batch_axis_explorer
def f(x):
    return jnp.sin(x) * x
v = batch_axis_explorer(f, jnp.ones((3, 2)))
v.live(), v.svg(), [v.page_at(0, k) for k in range(3)]
print("TOLD", v.heading(), "|", v.found.problem)
v = batch_axis_explorer(f, jnp.ones((3, 2)), in_axes=2)
print("TOLD", v.found.problem)
"""


def test_before_the_chapter_the_explorer_shows_one_example_and_names_the_chapter():
    told = [line.removeprefix("TOLD ") for line in run(EARLIER).split("\n") if line.startswith("TOLD")]
    assert told[0].startswith("vmap of f over 3 examples: 2 equations for one example, no program for the batch | ")
    assert told[0].endswith("There is no vmap yet: chapter 5 brings it.")
    assert told[1].startswith("Axis 2 of `x` is out of range")
    assert told[1].endswith("counted from the end.")
