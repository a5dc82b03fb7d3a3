"""The kernel viewer ties each line of the loops to the equation that it computes, and tells of the others."""

from xml.etree import ElementTree

import numpy as np
import pytest
from processes import ROOT, run

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.figures import COLUMNS
from minijax.course.widgets import kernel_viewer
from minijax.course.widgets.compilation import COMPUTES
from minijax.course.widgets.kernel_drawing import program_lines
from minijax.course.widgets.kernel_view import EQUATION, LINE, KernelViewer
from minijax.course.widgets.kernels import lines_of, marked_program, placed
from minijax.course.widgets.program import MOST
from minijax.course.widgets.stages import PASSES, RARE
from minijax.course.widgets.timing import microseconds
from minijax.layer2_jit import passes
from minijax.layer2_jit.compiler import Program
from minijax.layer2_jit.loops import ZERO, Buffer, Const, For, If, Kernel, Store, While
from minijax.layer2_jit.render import rendered


def polynomial(x):
    return (2.0 * x + 1.0) * x - 3.0


def messy(x):
    half = lax.div(1.0, 2.0)
    lax.cos(x)
    y = jnp.where(x > 0.0, half * x, lax.exp(x))
    return y + lax.exp(x)


def layer(x, w, b):
    return jax.nn.softmax(jax.nn.relu(x @ w.T + b))


def picked(x, i):
    return x[i] + jnp.arange(3.0)


def turned(x):
    return jnp.where(x.T > 0, x.T, jnp.exp(x.T)) + 1


def two(x):
    y = jnp.exp(x)
    return y.sum(1), y.T @ y, jnp.sort(y)


def updated(x, k):
    return lax.dynamic_update_slice(x, x[:2] * 2.0, (k,)).cumsum()


def long(x):
    for _ in range(MOST + 7):
        x = jnp.sin(x) + 1.0
    return x


def rnn(c, xs):
    def step(c, x):
        c = jnp.tanh(jnp.ones((3, 3)) @ c + x)
        return c, c.sum()

    return lax.scan(step, c, xs)


def collatz(n):
    step = lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1)
    return lax.while_loop(lambda s: s[0] != 1, step, (n, 0))


def chosen(i, x):
    return lax.switch(i, [lambda x: x + 1.0, jnp.sin, lambda x: x.sum() * x, lambda x: x], x)


def nested(x):
    inner = lambda c: lax.while_loop(lambda c: c > 1.0, lambda c: c / 2.0, c)
    return lax.fori_loop(0, 7, lambda i, c: lax.cond(c > 3.0, inner, lambda c: c + i, c), x) + 1.0


def printing(x):
    def step(c, x):
        jax.debug.print("c is {}", c)
        return c + x, None

    return lax.scan(step, 0.0, x)[0]


vector, square = jnp.ones(3), jnp.ones((4, 5))
CALLS = [
    (polynomial, vector),
    (messy, vector),
    (layer, jnp.ones((200, 100)), jnp.ones((50, 100)), jnp.ones(50)),
    (picked, jnp.ones(20), jnp.array([1, 2, 3])),
    (turned, square),
    (two, square),
    (updated, jnp.ones(9), 3),
    (jax.nn.softmax, jnp.ones((20, 30))),
    (lambda x: x, vector),
    (lambda: jnp.zeros(3),),
    (rnn, vector, square[:, :3]),
    (collatz, 7),
    (chosen, 1, vector),
    (nested, 1.0),
    (printing, vector),
    (lambda x: jnp.conv(x, x) if hasattr(jnp, "conv") else jnp.convolve(x, x), vector),
]


def jaxpr_of(call):
    return jax.make_jaxpr(call[0])(*call[1:])


def text_of(program):
    return [(name, rendered(s) if isinstance(s, Kernel) else s.primitive.name) for name, s in program.steps]


# ---- lines and equations


@pytest.mark.parametrize("call", CALLS)
def test_the_loops_are_those_of_the_compiler(call):
    marked, real = marked_program(jaxpr_of(call)), Program(jaxpr_of(call))
    lines = [line.text for line in lines_of(marked)]
    assert text_of(marked) == text_of(real)
    assert "\n".join(line for line in lines if "    " in line or line.startswith("def")) == "\n".join(
        text for _, text in text_of(real) if text.startswith("def")
    )
    assert [*marked.lines()] == [*real.lines()]


@pytest.mark.parametrize("call", CALLS)
def test_each_line_that_computes_belongs_to_one_equation_and_each_equation_has_a_line_or_a_reason(call):
    found = kernel_viewer(*call).found
    lines = [line for line in found.lines if line.kind in COMPUTES]
    assert all(len(line.equations) == 1 for line in lines)
    spoken = {k for line in lines for k in line.equations}
    assert spoken | found.silent.keys() == {*range(len(found.stages[-1].becomes))}
    assert not spoken & found.silent.keys()


def test_a_line_binds_the_variable_of_its_equation_or_writes_into_its_place():
    found = kernel_viewer(jax.nn.softmax, jnp.ones((20, 30))).found
    owned = {line.text.strip(): line.equations[0] + 1 for line in found.lines if line.kind in COMPUTES}
    assert owned["h_ = sum(h_, g_)"] == 7
    assert owned["g_ = exp_float32(f)"] == 6
    assert owned["j[i0 * 30 + i1] = g_"] == 6  # exp's elements lie where those of the result will be
    assert owned["j[i0 * 30 + i1] = j[i0 * 30 + i1] / h_"] == 9


def test_the_place_of_a_gather_belongs_to_the_gather():
    found = kernel_viewer(picked, jnp.ones(20), jnp.array([1, 2, 3])).found
    (start,) = (line for line in found.lines if line.text.strip().startswith("start ="))
    assert "gather" in found.stages[-1].program.eqns[start.equations[0]]


def test_an_equation_without_a_line_names_those_whose_lines_it_is_in():
    figure = kernel_viewer(picked, jnp.ones(20), jnp.array([1, 2, 3]))
    assert figure.about_work(3) == (
        "It has no line of its own: it only says at which place its operand is read. It is inside of the lines of "
        "equation 5."
    )
    assert "its elements are the counters of a loop. It is inside of the lines of equation 7." in figure.about_work(5)


def test_of_a_chain_of_equations_without_lines_the_reader_at_its_end_is_named():
    figure = kernel_viewer(jax.nn.softmax, jnp.ones((20, 30)))
    for k in (2, 3):  # a broadcast, and the stop_gradient of it
        assert figure.about_work(k).endswith("It is inside of the lines of equation 5.")


def test_an_equation_that_is_computed_in_two_loops_names_both():
    figure = kernel_viewer(lambda x: (x + 1.0 - (x + 1.0).mean()) / (x + 1.0).sum(), jnp.ones(100))
    (add,) = (k for k, text in enumerate(figure.found.stages[-1].program.short) if "add" in text)
    assert len(figure.found.lines_of([add])) == 2
    assert "compute it" in figure.about_work(add)


def test_choosing_an_equation_and_choosing_its_line_mark_the_same_pair():
    figure = kernel_viewer(messy, vector)
    for k in range(5):
        (line,) = figure.marks(figure.last, EQUATION, k + 1).lines
        assert figure.marks(figure.last, LINE, line + 1).equations == (k,)


def test_an_equation_without_a_line_marks_the_lines_that_it_is_in():
    figure = kernel_viewer(picked, jnp.ones(20), jnp.array([1, 2, 3]))
    marks = figure.marks(figure.last, EQUATION, 4)
    assert marks.lines == ()
    assert [figure.found.lines[k].text.strip() for k in marks.related_lines] == [
        "start = to_int64(clamp(0, e, 19))",
        "g = a[start]",
    ]


# ---- loops and conditionals


@pytest.mark.parametrize("call", [(rnn, vector, square[:, :3]), (collatz, 7), (chosen, 1, vector)])
def test_all_lines_of_a_loop_or_a_conditional_belong_to_its_equation(call):
    figure = kernel_viewer(*call)
    (k,) = (k for k, step in enumerate(figure.found.steps) if step.looped)
    inside = [n for n, line in enumerate(figure.found.lines) if line.step == k and line.kind not in ("head", "note")]
    last = len(figure.found.stages[-1].becomes)
    assert figure.marks(figure.last, EQUATION, last).lines == tuple(inside)
    assert f"lines {inside[0] + 1} to {inside[-1] + 1}, with its programs inside" in figure.about_work(last - 1)
    assert {figure.found.lines[n].equations for n in inside} == {(last - 1,)}


def test_a_loop_around_a_loop_multiplies_the_times_and_what_depends_on_values_says_so():
    figure = kernel_viewer(rnn, vector, square[:, :3])
    (product,) = (line for line in figure.found.lines if "* c[i1])" in line.text)
    assert product.times == 4 * 3 * 3
    figure = kernel_viewer(nested, 1.0)
    told = {line.text.strip(): figure.about_line(k) for k, line in enumerate(figure.found.lines)}
    (outer,) = (words for text, words in told.items() if text.endswith("range(7):"))
    assert outer.endswith("is a loop in equation 1. What is in it runs 7 times in a call of the program.")
    (halving,) = (words for text, words in told.items() if "/ 2.0" in text)
    assert halving.endswith("counts as run 7 times: how often that is depends on values.")
    assert "A while loop counts as one round" in figure.text()
    assert "A while loop counts as one round" not in kernel_viewer(polynomial, vector).text()


def test_the_lines_of_a_while_loop_depend_on_values():
    lines = kernel_viewer(collatz, 7).found.lines
    (start,) = (k for k, line in enumerate(lines) if line.text.strip() == "while True:")
    assert [line.depends for line in lines] == [k > start and line.kind != "while" for k, line in enumerate(lines)]


def test_each_line_of_a_kernel_has_its_statement():
    one = np.dtype("bool"), np.dtype("float32")
    true, store = Const(True, one[0]), Store("a", ZERO, Const(1.0, one[1]))
    parts = [If(true, [], [store]), If(true, [store], []), If(true, [], []), While([store], true, [store]), store]
    kernel = Kernel("k", [], [Buffer("a", (), one[1])], [*parts, For("i", 3, parts)])
    assert len([*placed(kernel.body)]) == rendered(kernel).count("\n") - 1


def test_programs_in_loops_have_a_stage_where_they_are_made_smaller():
    assert [stage.name for stage in kernel_viewer(collatz, 7).found.stages][-1] == "within"
    assert [stage.name for stage in kernel_viewer(chosen, 1, vector).found.stages][-1] == "without_dead"


# ---- stages


@pytest.mark.parametrize("call", CALLS)
def test_the_last_stage_is_the_program_that_is_compiled(call):
    figure, program = kernel_viewer(*call), Program(jaxpr_of(call))
    last = figure.found.stages[-1]
    assert last.name == [name for name in PASSES if name not in RARE or last.name == name][-1]
    printed = "\n".join(line.text for line in program_lines(last, figure.marks(figure.last, EQUATION, 0)))
    assert printed.split() == str(program.jaxpr).split()


@pytest.mark.parametrize("call", CALLS)
def test_an_equation_of_any_stage_becomes_others_or_has_a_fate(call):
    for stage in kernel_viewer(*call).found.stages:
        assert len(stage.becomes) == len(stage.fates) == len(stage.program.eqns)
        assert all(bool(to) != bool(fate) for to, fate in zip(stage.becomes, stage.fates, strict=True))


def test_what_a_pass_takes_away_is_said():
    figure = kernel_viewer(messy, vector)
    told = [figure.about_equation(0, k) for k in range(9)]
    assert "folded takes it away: its operands are numbers, so its result is one too." in told[0]
    assert "without_dead takes it away: nobody reads its result." in told[1]
    assert "merged takes it away: an equal equation stands before it." in told[7]
    assert "is in the last stage equation 4. Line 7, in kernel_0, computes it." in told[6]


def test_a_program_of_other_passes_is_shown_as_it_is(monkeypatch):
    monkeypatch.setattr("minijax.layer2_jit.compiler.optimized", lambda jaxpr: passes.folded(passes.inlined(jaxpr)))
    figure = kernel_viewer(messy, vector)
    assert [stage.name for stage in figure.found.stages] == ["traced", "optimized"]
    assert len(figure.found.stages[-1].becomes) == 7


# ---- costs


@pytest.mark.parametrize("call", CALLS)
def test_the_bytes_are_those_of_the_cost_analysis(call):
    found = kernel_viewer(*call).found
    counted = jax.jit(call[0]).lower(*call[1:]).compile().cost_analysis()
    assert sum(step.bytes for step in found.steps) == counted.get("bytes accessed", 0)


@pytest.mark.parametrize("call", CALLS)
def test_the_costs_of_the_equations_are_those_of_their_steps(call):
    found = kernel_viewer(*call).found
    for k, step in enumerate(found.steps):
        assert sum(cost for (of, _), cost in found.costs.items() if of == k) == step.cost


def test_operations_are_counted_as_often_as_their_line_runs():
    found = kernel_viewer(polynomial, jnp.ones(6)).found
    assert [line.times for line in found.lines] == [1, 1, 6, 6, 6, 6, 6]
    assert found.steps[0].operations == 4 * 6
    assert found.steps[0].cost == 4 * 6 + 2 * 3 * 6  # a is loaded twice and e stored, six times


def test_a_measurement_has_a_time_for_each_step_and_leaves_the_texts_alone():
    figure = kernel_viewer(layer, jnp.ones((20, 10)), jnp.ones((5, 10)), jnp.ones(5))
    before = figure.text(), figure.svg()
    times = figure.measure()
    assert len(times) == len(figure.found.steps)
    assert all(time > 0 for time in times)
    assert (figure.text(), figure.svg()) == before
    assert "µs" in figure.page_at(0, EQUATION, 0, times)
    assert "µs" not in before[0] + before[1] + figure.page_at(0, EQUATION, 0)


def test_a_program_is_measured_with_the_arguments_or_with_ones():
    seen = []
    program = Program(jaxpr_of((polynomial, vector)))
    real = program.main.__globals__["kernel_0"]
    program.main.__globals__["kernel_0"] = lambda a, e: (seen.append(a.copy()), real(a, e))
    microseconds(program, [np.float32([1, 2, 3])])
    assert np.array_equal(seen[0], [1, 2, 3])
    assert kernel_viewer(jax.jit(polynomial), jax.ShapeDtypeStruct((3,), jnp.float32)).measure()


# ---- what is shown


@pytest.mark.parametrize("call", CALLS)
def test_the_drawing_is_well_formed_and_says_the_same_in_words(call):
    figure = kernel_viewer(*call)
    drawing = ElementTree.fromstring(figure.svg())
    assert drawing.get("role") == "img"
    assert drawing.findtext("{*}desc") == figure.text()
    shown = {element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert {line.text for line in figure.found.lines if len(line.text) < 90} <= shown
    width = float(drawing.get("width"))
    texts = [e for e in drawing.iter("{http://www.w3.org/2000/svg}text") if e.get("class") and not e.get("text-anchor")]
    assert all(float(e.get("x")) + 8.6 * len(e.text or "") <= width for e in texts)
    assert 12 + 8.5 * len(figure.heading()) <= width


@pytest.mark.parametrize("call", CALLS)
def test_every_choice_has_a_page_and_a_sentence(call):
    figure = kernel_viewer(*call)
    figure.live()
    for stage in range(figure.last + 1):
        for place in range(len(figure.found.stages[stage].becomes) + 1):
            page = figure.page_at(stage, EQUATION, place)
            ElementTree.fromstring(f"<all>{page.partition('</style>')[2]}</all>")
    for place in range(len(figure.found.lines) + 1):
        assert figure.sentence(figure.last, LINE, place).endswith(".")


def test_a_text_has_short_lines_and_all_words():
    figure = kernel_viewer(messy, vector)
    assert max(map(len, repr(figure).split("\n"))) <= COLUMNS
    assert repr(figure).split() == figure.text().split()


def test_of_a_very_long_program_the_beginning_is_shown_and_the_rest_is_counted():
    figure = kernel_viewer(long, 1.0)
    assert len(figure.found.stages[-1].becomes) == MOST
    assert "more lines" in figure.text()
    assert f"{2 * MOST + 14} equations" in figure.heading()
    assert figure.page_at(figure.last, EQUATION, MOST)
    for place in (1, len(figure.found.lines)):
        figure.page_at(figure.last, LINE, place)


# ---- functions


def test_a_jitted_function_is_not_traced_again_and_a_plain_one_not_at_all():
    traced = []
    f = jax.jit(lambda x, k: (traced.append(k), x * k)[1], static_argnums=1)
    f(vector, 2)
    figure = kernel_viewer(f, vector, 2)
    assert traced == [2]
    assert "2.0" in figure.text()
    g = lambda x: x + 1.0  # one function, jitted and not
    kernel_viewer(g, vector)
    assert jax.jit(g)._cache_size() == 0


def test_a_jaxpr_is_shown_as_its_function():
    of_jaxpr = kernel_viewer(jax.make_jaxpr(messy)(vector))
    assert of_jaxpr.text() == kernel_viewer(messy, vector).text().replace("of messy:", "of the program:")


def test_what_cannot_be_shown_is_refused_in_words():
    with pytest.raises(TypeError, match="shows a function with its arguments, and this is 3"):
        kernel_viewer(3)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        kernel_viewer(polynomial)


# ---- before chapter 2 is written

GROWING = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "2")
import minijax.numpy as jnp
from minijax.course.widgets import kernel_viewer
def f(x): return jnp.where(x > 0, x * 2.0, 0.0)
for step in (None, "2.2", "{last}"):
    if step:
        shell.run_line_magic("catchup", step)
    import minijax.numpy as jnp
    v = kernel_viewer(f, jnp.ones(3))
    v.live(), v.svg(), v.page_at(0, "an equation", 1)
    print("STAGES", *(s.name for s in v.found.stages), "MISSING", v.found.missing)
"""


def test_while_the_chapter_is_written_the_viewer_shows_what_is_there_and_names_the_step_that_is_missing():
    rows = (ROOT / "minijax/layer2_jit/README.md").read_text().split("\n")
    last = next(row.split("|")[1].strip() for row in rows if "`Program`" in row and row.startswith("| 2."))
    told = [line for line in run(GROWING.replace("{last}", last)).split("\n") if line.startswith("STAGES")]
    missing = f"chapter 2 brings it, in step {last} (layer2_jit/compiler.py: Program)"
    assert told == [
        f"STAGES traced MISSING {missing}",
        f"STAGES traced inlined folded MISSING {missing}",
        "STAGES traced inlined folded merged without_dead MISSING ",
    ]


def test_without_a_compiler_the_viewer_says_so(monkeypatch):
    monkeypatch.setattr("minijax.course.widgets.compilation.what_is_missing", lambda: "chapter 2 brings it, in step 2")
    figure = kernel_viewer(messy, vector)
    assert isinstance(figure, KernelViewer)
    assert figure.measure is None
    for words in (figure.text(), figure.svg(), figure.page_at(0, EQUATION, 0)):
        assert "There are no loops yet, because there is no compiler: chapter 2 brings it, in step 2." in words
