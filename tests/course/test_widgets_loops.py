"""The loop viewer shows what each step of a loop takes and gives, as the program computes it."""

from xml.etree import ElementTree

import numpy as np
import pytest
from processes import ROOT, run

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.figures import COLUMNS
from minijax.course.widgets import loop_running, loop_viewer
from minijax.course.widgets.loop_drawing import WINDOW, film_rows
from minijax.course.widgets.loop_recording import value_text
from minijax.course.widgets.loop_view import BRANCHES
from minijax.course.widgets.program import Printer


def totals(c, xs):
    def step(c, x):
        return c + x, c * 10.0

    return lax.scan(step, c, xs)


def backwards(xs):
    return lax.scan(lambda c, x: (c + x, c), jnp.zeros(2), xs, reverse=True)


def rnn(w, c, xs):
    return lax.scan(lambda c, x: (jnp.tanh(w @ c + x), None), c, xs)[0]


def collatz(n):
    step = lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1)
    return lax.while_loop(lambda s: s[0] != 1, step, (n, 0))


def chosen(i, x):
    return lax.switch(i, [lambda x: x + 1.0, jnp.sin, lambda x: x.sum() * x], x)


def nested(x):
    inner = jax.jit(lambda c: lax.while_loop(lambda c: c > 1.0, lambda c: c / 2.0, c))
    return lax.fori_loop(0, 7, lambda i, c: lax.cond(c > 3.0, inner, lambda c: c + i, c), x) + 1.0


def several(x):
    total, _ = lax.scan(lambda c, x: (c + x, None), 0.0, x)
    return lax.cond(total > 3.0, jnp.sin, jnp.cos, lax.fori_loop(0, 3, lambda i, c: c * 2.0, total))


def nothing_carried(x):
    return lax.map(lambda x: x * 2.0, x), lax.scan(lambda c, _: (c, None), (), None, length=3)


def plain(x):
    return x + 1.0


vector = jnp.arange(5.0)
CALLS = [
    (totals, 0.0, vector),
    (backwards, jnp.ones((4, 2))),
    (rnn, jnp.ones((3, 3)), jnp.zeros(3), jnp.ones((50, 3))),
    (collatz, 27),
    (chosen, 1, vector),
    (nested, 1.0),
    (several, vector),
    (nothing_carried, vector),
    (lambda x: lax.scan(lambda c, x: (c + x, None), 0.0, x)[0], jnp.zeros(0)),
    (plain, vector),
]


def film(loop, what):
    """The values of one kind in each step, as text."""
    return [[value.text for value in frame.of(what)] for frame in loop.frames]


def texts(values):
    return [[value_text(np.asarray(x))] for x in values]


# ---- what is recorded


def test_each_step_of_a_scan_takes_a_row_and_gives_the_carry_of_the_next_one():
    (loop,) = loop_viewer(totals, 0.0, vector).loops
    carries = np.cumsum([0.0, *range(5)], dtype="float32")
    assert film(loop, "carry in") == texts(carries[:-1])
    assert film(loop, "carry out") == texts(carries[1:])
    assert film(loop, "x") == texts(vector)
    assert film(loop, "y") == texts(totals(0.0, vector)[1])
    assert [row.where for row in loop.frames[2].rows if row.where] == [
        "step 1",
        "row 2 of b",
        "step 3",
        "row 2 of d",
    ]


def test_a_scan_that_is_reversed_begins_at_the_last_row():
    (loop,) = loop_viewer(backwards, jnp.arange(8.0).reshape(4, 2)).loops
    assert [frame.place for frame in loop.frames] == [3, 2, 1, 0]
    assert film(loop, "x")[0] == ["[6 7]"]
    assert film(loop, "carry out")[-1] == ["[12 16]"]


def test_a_while_loop_has_a_step_for_each_round_and_one_whose_condition_is_false():
    figure = loop_viewer(collatz, 6)
    (loop,) = figure.loops
    assert [values[0] for values in film(loop, "carry in")] == ["6", "3", "10", "5", "16", "8", "4", "2", "1"]
    assert [frame.goes_on for frame in loop.frames] == [True] * 8 + [False]
    assert "Its body ran 8 times; then its condition was false." in figure.about(loop)
    assert figure.sentence(loop, 8).endswith("The condition is false, and the loop ends.")


def test_of_a_conditional_all_branches_are_shown_and_the_one_that_ran_is_marked():
    figure = loop_viewer(chosen, 1, vector)
    (loop,) = figure.loops
    assert "All 3 branches were traced, one ran: branch 1." in figure.about(loop)
    page = figure.page_at(0, 0)
    assert page.count("it did not run</h4>") == 2
    assert "<div class='fold ran'><h4>→ Branch 1: traced, and it ran</h4>" in page
    assert film(loop, "result") == texts([jnp.sin(vector)])


def test_a_long_line_of_a_program_is_broken_where_its_parameters_begin_and_indented_further():
    page = loop_viewer(totals, 0.0, vector).page_at(0, 0)
    look = "padding-left:6ch;text-indent:-6ch"
    assert f"<span class='text' style='{look}'>    g:f32[] = convert_element_type[<wbr/>new_dtype=float32 " in page
    assert "min-width:max-content" not in page.partition("<div class='cols step'>")[2]


def test_the_index_0_of_a_cond_is_explained_where_there_are_two_branches():
    assert BRANCHES in loop_viewer(several, vector).text()
    assert BRANCHES not in loop_viewer(chosen, 1, vector).text()


def test_a_conditional_in_a_loop_has_a_run_for_each_step():
    figure = loop_viewer(nested, 1.0)
    loop = next(loop for loop in figure.loops if loop.kind == "cond")
    c, expected = 1.0, []
    for i in range(7):
        expected.append(int(c > 3))
        while c > 1 and expected[-1]:
            c /= 2
        c = c if expected[-1] else c + i
    assert [frame.branch for frame in loop.frames] == expected
    assert loop.branches == (expected.count(0), expected.count(1))
    assert f"branch 1 {expected.count(1)} time" in figure.about(loop)


def test_loops_inside_of_loops_and_calls_are_numbered_by_the_way_to_them():
    loops = loop_viewer(nested, 1.0).loops
    assert [(loop.kind, loop.number) for loop in loops] == [("scan", "1"), ("cond", "1.4"), ("while", "1.4[1].1.1")]
    assert loops[2].runs == loops[1].branches[1] == 2
    assert [frame.number for frame in loops[2].frames] == [*range(loops[2].steps + 1)]  # of the first run alone


@pytest.mark.parametrize("call", CALLS)
def test_the_equations_of_a_step_have_the_values_that_the_program_gives_them(call):
    figure = loop_viewer(*call)
    for loop in figure.loops:
        for frame in loop.frames:
            values = {row.value.name: row.value.text for row in frame.rows if row.what.startswith("equation")}
            ends = [row.value for row in frame.rows if row.what in ("carry out", "y", "result")]
            assert all(values.get(value.name, value.text) == value.text for value in ends)


def test_what_is_recorded_is_what_the_compiled_program_computes():
    for c, xs in ((0.5, vector), (2.0, jnp.ones(40))):
        (loop,) = loop_viewer(totals, c, xs).loops
        end, ys = jax.jit(totals)(c, xs)
        assert film(loop, "carry out")[-1] == texts([end])[0]
        assert film(loop, "y")[-1] == texts([ys[-1]])[0]


def test_the_program_goes_on_after_a_loop_with_its_results():
    scan, fori, cond = loop_viewer(several, vector).loops
    assert film(fori, "carry in")[0][1:] == film(scan, "carry out")[-1] == ["10"]
    assert film(cond, "operand") == [["80"]]
    assert film(cond, "result") == texts([several(vector)])


# ---- many steps


def test_of_many_steps_both_ends_are_shown_and_some_between():
    (loop,) = loop_viewer(totals, 0.0, jnp.ones(1234)).loops
    shown = [frame.number for frame in loop.frames]
    assert shown == [0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000, 1232, 1233]
    assert film(loop, "carry out")[-1] == ["1234"]


@pytest.mark.parametrize("steps", [loop_running.ALL, loop_running.ALL + 1])
def test_few_steps_are_all_shown(steps):
    (loop,) = loop_viewer(totals, 0.0, jnp.ones(steps)).loops
    assert (len(loop.frames) == steps) == (steps <= loop_running.ALL)
    assert [frame.number for frame in loop.frames][-1] == steps - 1


def test_a_loop_without_an_end_is_stopped_and_that_is_said(monkeypatch):
    monkeypatch.setattr(loop_running, "LIMIT", 60)
    monkeypatch.setattr("minijax.course.widgets.loop_view.LIMIT", 60)
    endless = lambda x: lax.while_loop(lambda c: c >= 0.0, lambda c: c + 1.0, x)
    figure = loop_viewer(lambda x: lax.fori_loop(0, 9, lambda i, c: c, endless(x)), 0.0)
    (loop,) = figure.loops
    assert loop.stopped
    assert [frame.number for frame in loop.frames][-2:] == [58, 59]
    assert "Its condition was still true after 60 steps, when it was stopped." in figure.about(loop)
    assert "It was stopped after 60 steps. What comes after these is not shown." in figure.text()


def test_a_loop_that_the_limit_leaves_no_step_is_shown_without_steps(monkeypatch):
    monkeypatch.setattr(loop_running, "LIMIT", 5)
    figure = loop_viewer(several, vector)
    scan, fori = figure.loops
    assert (len(scan.frames), len(fori.frames)) == (5, 0)
    assert figure.page_at(1, 0) and figure.svg() and figure.text()
    assert "is a scan of 3 steps, stopped after 0." in figure.about(fori)


# ---- what is done besides computing


def test_a_program_with_callbacks_is_run_once_and_that_is_said(capsys):
    seen, traced = [], []

    def f(x):
        traced.append(1)

        def step(c, x):
            jax.debug.callback(seen.append, x)
            jax.debug.print("c is {}", c)
            return c + x, None

        return lax.scan(step, 0.0, x)

    figure = loop_viewer(f, vector)
    assert figure.svg() and figure.text() and figure.live() and figure.page_at(0, 3)
    assert list(map(float, seen)) == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert capsys.readouterr().out.split("\n") == [f"c is {float(c)}" for c in (0, 0, 1, 3, 6)] + [""]
    assert traced == [1]
    assert "It called Python 10 times then, and does not when this is shown." in figure.text()
    assert "It called Python" not in loop_viewer(totals, 0.0, vector).text()


def test_a_jitted_function_is_traced_as_its_calls_are():
    traced = []
    f = jax.jit(lambda x, k: (traced.append(k), lax.fori_loop(0, k, lambda i, c: c + i, x))[1], static_argnums=1)
    f(1.0, 4)
    (loop,) = loop_viewer(f, 1.0, 4).loops
    assert traced == [4]
    assert loop.steps == 4


# ---- what is shown


@pytest.mark.parametrize("call", CALLS)
def test_the_drawing_is_well_formed_and_says_the_same_in_words(call):
    figure = loop_viewer(*call)
    drawing = ElementTree.fromstring(figure.svg())
    assert drawing.get("role") == "img"
    assert drawing.get("aria-label") == figure.heading()
    assert drawing.findtext("{*}desc") == figure.text()
    width = float(drawing.get("width"))
    codes = [e for e in drawing.iter("{http://www.w3.org/2000/svg}text") if e.get("class") and not e.get("text-anchor")]
    assert all(float(e.get("x")) + 8.6 * len(e.text or "") <= width for e in codes)
    for box in drawing.iter("{http://www.w3.org/2000/svg}rect"):
        if box.get("x"):
            assert float(box.get("x")) + float(box.get("width")) <= width


@pytest.mark.parametrize("call", CALLS)
def test_every_step_has_a_page_in_which_it_is_marked(call):
    figure = loop_viewer(*call)
    figure.live()
    for which, loop in enumerate(figure.loops):
        for place, frame in enumerate(loop.frames):
            page = figure.page_at(which, place)
            body = ElementTree.fromstring(f"<all>{page.partition('</style>')[2]}</all>")
            marked = [row for row in body.iter("tr") if row.get("class") == "now"]
            assert len(marked) == (len(loop.frames) > 1)
            assert all(row.findtext("th") == f"→ {frame.number:,}" for row in marked)
            assert len([*body.iter("tr")]) <= WINDOW + len(frame.rows) + 2


def test_what_a_loop_does_not_have_has_no_column():
    first, second = loop_viewer(nothing_carried, vector).loops
    assert film_rows(first)[0] == ("Step", "x", "y")
    assert film_rows(second)[0] == ("Step",)
    assert film_rows(loop_viewer(totals, 0.0, vector).loops[0])[0] == ("Step", "Carry in", "x", "Carry out", "y")


def test_columns_that_together_are_too_wide_become_narrower_and_their_texts_wrap():
    wide = loop_viewer(lambda xs: lax.scan(lambda c, xs: (tuple(xs), xs), (vector,) * 6, xs), (jnp.ones((4, 5)),) * 6)
    drawing = ElementTree.fromstring(wide.svg())
    boxes = [box for box in drawing.iter("{http://www.w3.org/2000/svg}rect") if box.get("x")]
    assert max(float(box.get("x")) + float(box.get("width")) for box in boxes) <= float(drawing.get("width"))


@pytest.mark.parametrize("call", CALLS)
def test_the_letters_are_those_of_the_printed_program(call):
    figure, printed = loop_viewer(*call), str(jax.make_jaxpr(call[0])(*call[1:]))
    for loop in figure.loops:
        for _, program in loop.programs:
            assert all(v.partition(":")[0] == "_" or v in printed for v in program.inputs)
            assert all(short.partition("[")[0] in printed for short in program.short)


def test_printing_a_program_inside_leaves_the_names_of_the_whole_one():
    jaxpr = jax.make_jaxpr(several)(vector)
    printer = Printer(jaxpr)
    whole = printer.program()
    printer.inside(jaxpr.eqns[0].params["jaxpr"])
    assert printer.program().eqns[-1].split("[")[0] == whole.eqns[-1].split("[")[0]


@pytest.mark.parametrize("call", CALLS)
def test_a_text_has_short_lines_and_all_words(call):
    figure = loop_viewer(*call)
    lines = repr(figure).split("\n")
    assert max(len(line) for line in lines if len(line.split()) > 1) <= COLUMNS
    assert repr(figure).split() == figure.text().split()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float32(1 / 3), "0.3333"),
        (np.arange(3), "[0 1 2]"),
        (np.arange(4), "[0 1 2 ...]"),
        (np.ones((1, 2, 9), bool), "[[[True True True ...] ...]]"),
        (np.zeros((0, 3)), "[]"),
        (np.complex64(1 + 2j), "1+2j"),
        (np.array([np.nan, -np.inf, 1e-30]), "[nan -inf 1e-30]"),
    ],
)
def test_a_value_is_told_in_short(value, text):
    assert value_text(np.asarray(value)) == text


# ---- functions


def test_a_jaxpr_is_shown_as_its_function_on_ones():
    of_jaxpr = loop_viewer(jax.make_jaxpr(totals)(1.0, jnp.ones(5)))
    assert of_jaxpr.text() == loop_viewer(totals, 1.0, jnp.ones(5)).text().replace("of totals", "of the program")


def test_what_cannot_be_shown_is_refused_in_words():
    with pytest.raises(TypeError, match="loop_viewer shows a function with its arguments, and this is 3"):
        loop_viewer(3)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        loop_viewer(totals, 1.0)
    with pytest.raises(NameError, match="nowhere"):
        loop_viewer(lambda x: nowhere, 1.0)  # noqa: F821 - that is the test


def test_a_function_without_loops_is_said_to_have_none():
    assert "The program of plain has no loop and no conditional." in loop_viewer(plain, 1.0).text()


# ---- before chapter 3 is written

GROWING = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "3")
from minijax.course.widgets import loop_viewer
def f(x):
    from minijax import lax
    return lax.scan(lambda c, x: (c + x, c), 0.0, x)
for step in (None, "{before}", "{last}"):
    if step:
        shell.run_line_magic("catchup", step)
    import minijax.numpy as jnp
    v = loop_viewer(f, jnp.ones(3))
    v.live(), v.svg(), v.page_at(0, 0)
    print("HEADING", v.heading())
"""


def test_while_the_chapter_is_written_the_viewer_names_the_step_that_brings_a_loop():
    rows = (ROOT / "minijax/layer3_control/README.md").read_text().split("\n")
    steps = [row.split("|")[1].strip() for row in rows if row.startswith("| 3.")]
    last = next(row.split("|")[1].strip() for row in rows if "`scan_of`" in row and row.startswith("| 3."))
    before = steps[steps.index(last) - 1]
    told = run(GROWING.replace("{before}", before).replace("{last}", last)).split("\n")
    told = [line.removeprefix("HEADING ") for line in told if line.startswith("HEADING")]
    missing = f"There is no loop of f to show yet: chapter 3 brings it, in step {last} (layer3_control/scan.py: scan_of"
    assert [line.startswith(missing) for line in told] == [True, True, False]
    assert told[-1] == "How the loops of f run: scan (equation 1)"
