"""The linearize viewer shows the package's own linearization and transpose, and ties their equations together."""

import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from processes import ROOT, run

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.figures import COLUMNS
from minijax.course.widgets import linearize_viewer
from minijax.course.widgets.linear_drawing import FIRST, WIDE, Row, folded, sum_rows
from minijax.course.widgets.linear_recording import Listing
from minijax.course.widgets.linear_view import EQUATION, LINEAR, RESIDUAL, TRANSPOSED
from minijax.course.widgets.program import MOST
from minijax.layer1_core.jaxpr import DebugInfo
from minijax.layer1_core.primitive import Primitive
from minijax.layer4_grad.linearize import linearize_flat

matrix, weights = jnp.arange(6.0).reshape(3, 2), np.ones(3, "float32")


def wave(x, w):
    y = jnp.sin(x @ w)
    return (y * y).sum() + y[0]


def captured(x):
    return (x @ matrix).sum() * jnp.sin(x @ weights)


def programs(x, n):
    y = jax.jit(lambda y: jnp.sin(y) * y)(x + n)
    total, _ = lax.scan(lambda c, a: (c * a, None), 1.0, y)
    return lax.cond(total > 0.0, jnp.sin, jnp.cos, total) * jnp.floor(total), n * 2


@jax.custom_vjp
def clipped(x):
    return x


clipped.defvjp(lambda x: (x, None), lambda residuals, ct: (jnp.clip(ct, -1.0, 1.0),))


def ruled(x):
    return jax.nn.relu(clipped(x) * x).sum()


def twice(x):
    y = jnp.sin(x)
    return y, y, y * 2.0


def stopped(x, y):
    return lax.stop_gradient(jnp.sin(x)) * y


def halved(x):
    return lax.while_loop(lambda c: c > 1.0, lambda c: c / 2.0, x)


def deep(x):
    for _ in range(MOST + 30):
        x = jnp.sin(x)
    return x


vector = jnp.arange(3.0)
CALLS = [
    (wave, vector, jnp.ones((3, 2))),
    (captured, vector),
    (programs, vector, 3),
    (ruled, vector),
    (twice, vector),
    (stopped, jnp.float32(1.0), jnp.float32(2.0)),
    (jax.grad(lambda x: x * jnp.sin(x)), jnp.float32(2.0)),
    (lambda n: n * 2, 3),
    (lambda: jnp.sin(1.0),),
    (lambda x, y: (x, 1.0, y), jnp.float32(2.0), jnp.float32(3.0)),
]
REFUSED = (halved, 9.0)
ALL = [*CALLS, REFUSED]


def pages(figure):
    """All pages, each with what is chosen."""
    return {(by, k): figure.page_at(by, k) for by, n in figure.counts().items() for k in range(n + 1)}


def flat(f):
    return lambda *args: jax.tree.leaves(f(*args))


def shape_of(jaxpr):
    """The equations with the letters left out: primitives and types."""
    return [(e.primitive.name, *(v.aval.str_short(True) for v in (*e.invars, *e.outvars))) for e in jaxpr.eqns]


def shape_shown(listing: Listing):
    """The same of what is shown."""
    types, found = typed(listing.head), []
    for eqn in listing.eqns:
        texts = [text for text, _ in eqn.parts]
        start = next(k for k, text in enumerate(texts) if text.startswith("= "))
        outs = typed(eqn.parts[:start])
        types |= outs
        ins = [types.get(x) or x.partition(":")[2] for x in texts[start + 2 :: 2]]
        found.append((texts[start][2:].partition("[")[0], *ins, *outs.values()))
    return found


def typed(parts):
    """name -> type, of the names that have one behind them"""
    return {name: text[1:].strip() for (name, _), (text, _) in pairwise(parts) if text.startswith(":")}


def head_of(listing):
    return "".join(text for text, _ in listing.head)


# ---- the programs are the package's


@pytest.mark.parametrize("call", CALLS[:6])
def test_the_linear_program_is_that_of_linearize(call):
    f, *args = call
    made = linearize_flat(flat(f), [x if isinstance(x, int) else jnp.asarray(x) for x in args], DebugInfo("test", "f"))
    shown = linearize_viewer(f, *args).found
    assert shape_shown(shown.linear) == shape_of(made.jaxpr)
    assert [r.type for r in shown.residuals] == [v.aval.str_short(True) for v in made.jaxpr.constvars]
    assert sum(r.bytes for r in shown.residuals) == sum(np.asarray(c).nbytes for c in made.jaxpr.consts)


@pytest.mark.parametrize("call", [*CALLS[:2], CALLS[3], CALLS[6]])
def test_the_transposed_program_is_that_of_vjp(call):
    f, *args = call
    out, pull = jax.vjp(f, *args)
    shown = linearize_viewer(f, *args).found
    assert shape_shown(shown.transposed) == shape_of(jax.make_jaxpr(pull)(out))


@pytest.mark.parametrize("call", ALL)
def test_the_letters_of_the_program_are_those_that_are_printed(call):
    shown, printed = linearize_viewer(*call).found.program, str(jax.make_jaxpr(call[0])(*call[1:]))
    assert all(f"{name}:{type_}" in printed for name, type_ in typed(shown.head).items())
    assert all(eqn.text.partition(" = ")[0] in printed for eqn in shown.eqns)


@pytest.mark.parametrize("call", ALL)
def test_a_name_is_bound_once_in_a_program_and_stands_for_one_type_in_all(call):
    found, types = linearize_viewer(*call).found, {}
    for listing in filter(None, (found.program, found.values, found.linear, found.transposed)):
        texts = [head_of(listing), *(eqn.text.partition(" = ")[0] for eqn in listing.eqns)]
        bound = re.findall(r"(\w+):(\w+\[[\d,]*\])", " ".join(texts))
        names = [name for name, _ in bound if name != "_"]
        assert len(names) == len(set(names))
        assert all(types.setdefault(name, type_) == type_ for name, type_ in bound if name != "_")


def test_what_nobody_reads_has_no_name():
    listing = linearize_viewer(programs, vector, 3).found.transposed
    assert any(eqn.text.startswith("_:f32[] e_ct:f32[3] = scan") for eqn in listing.eqns)


# ---- which equation gave what


def test_each_equation_of_the_linearization_belongs_to_the_one_whose_rule_gave_it():
    found = linearize_viewer(wave, vector, jnp.ones((3, 2))).found
    assert [eqn.owner + 1 for eqn in found.values.eqns] == [1, 2, 2, 3, 4, 5, 6, 7]
    assert [eqn.owner + 1 for eqn in found.linear.eqns] == [1, 1, 1, 2, 3, 3, 3, 4, 5, 6, 7]


def test_the_transposed_equations_come_from_the_last_linear_one_to_the_first():
    found = linearize_viewer(wave, vector, jnp.ones((3, 2))).found
    sources = [eqn.source for eqn in found.transposed.eqns]
    assert sources == sorted(sources, reverse=True)
    for eqn in found.transposed.eqns:
        assert eqn.owner == found.linear.eqns[eqn.source].owner


@pytest.mark.parametrize("call", CALLS)
def test_a_sum_has_one_addition_less_than_cotangents(call):
    found = linearize_viewer(*call).found
    for s in found.sums:
        assert len(s.lines) == len(s.senders) - 1
        assert all(found.transposed.eqns[t].text.partition(" = ")[2].startswith("add_any ") for t in s.lines)
        readers = [j for j in s.senders if j is not None]
        assert all(found.linear.eqns[j].text.partition(" = ")[2].split().count(s.tangent) for j in readers)
        assert f"{s.name}_ct:" in found.transposed.eqns[s.lines[-1]].text
    assert {t for s in found.sums for t in s.lines} == {k for k, e in enumerate(found.transposed.eqns) if e.adds}


def test_a_value_that_is_read_three_times_has_a_cotangent_of_three_parts():
    found = linearize_viewer(wave, vector, jnp.ones((3, 2))).found
    (only,) = found.sums
    assert (only.name, only.senders, only.lines) == ("d", (8, 5, 4), (4, 6))
    assert sum_rows(found, {})[0][0] == ("d", "3", "5, 6, 9", "transposed 5, 7")  # readers in order, as in the words


def test_a_result_that_is_read_too_sends_a_cotangent_of_its_own():
    (only,) = linearize_viewer(twice, vector).found.sums
    assert only.senders.count(None) == 2
    assert len(only.senders) == 3
    assert "read 1 time, by linear equation 2 and a result 2 times" in linearize_viewer(twice, vector).text()


# ---- residuals


@pytest.mark.parametrize("call", ALL)
def test_a_residual_is_made_and_read_where_it_is_said(call):
    found = linearize_viewer(*call).found
    for r in found.residuals:
        assert r.readers == tuple(j for j, e in enumerate(found.linear.eqns) if (r.name, True) in e.parts)
        assert (r.line is None) == (r.kind != "equation")
        if r.line is not None:
            assert f"{r.name}:{r.type}" in found.values.eqns[r.line].text
            assert found.values.eqns[r.line].owner == r.made
        size = re.findall(r"\d+", r.type.partition("[")[2])
        assert r.bytes % math.prod(map(int, size)) == 0
    head = head_of(found.linear).partition(" ;")[0]
    assert head.split()[2:] == [f"{r.name}:{r.type}" for r in found.residuals]


def test_residuals_that_are_inputs_constants_and_results_are_told_apart():
    text = linearize_viewer(captured, vector).text()
    assert "Residual `a`, f32[3,2], has 24 bytes. It is a constant. Linear equation 1 reads it." in text
    assert "Residual `g`, f32[], has 4 bytes. It is the result of equation 4." in text
    assert "Residual `b`, f32[3], has 12 bytes. It is a constant. Linear equation 3 reads it." in text
    assert "Equation 4 computes it for its derivative. Linear equation 4 reads it." in text
    assert "Of the 52 bytes of residuals 36 are inputs" in linearize_viewer(wave, vector, jnp.ones((3, 2))).text()


def test_a_python_number_is_said_to_be_a_literal_of_the_linear_program():
    square = lambda x: x * x
    told = "`a` is a Python number: linearize writes it into the linear program as a literal."
    assert told in linearize_viewer(square, 3.0).text()
    assert "Python number" not in linearize_viewer(square, jnp.float32(3.0)).text()
    assert not linearize_flat(lambda x: [square(x)], [3.0], DebugInfo("test", "f")).jaxpr.consts


# ---- what has no tangent


def test_integers_zeros_and_what_goes_as_one_are_said_plainly():
    text = linearize_viewer(programs, vector, 3).text()
    for told in (
        "The input `b` is no float: its tangent, of type float0, holds nothing.",
        "No tangent reaches the result `u`.",
        "None of its operands has a tangent, so it gives no linear equation.",
        "`s:f32[] = floor g`. Its derivative is zero",
        "It goes as one, with its program inside. Its rule gives linear equation 2,",
        "`d:f32[3] = add a c`. It gives no linear equation: it hands the tangent of its operand on as it is.",
    ):
        assert told in text


def test_an_input_that_moves_no_result_has_a_cotangent_of_zero():
    text = linearize_viewer(stopped, 1.0, 2.0).text()
    assert "No tangent of the input `a` reaches a result: its cotangent is zero." in text
    assert "`c:f32[] = sin a`. Its linear equations are left out: no result needs them." in text


def test_without_tangents_the_linear_program_is_empty():
    found = linearize_viewer(lambda n: n * 2, 3).found
    assert found.linear.eqns == found.transposed.eqns == ()
    assert "So the linear program is empty, and all cotangents are zero." in found.facts


def test_a_cotangent_that_never_comes_is_not_said_to_be_handed_on():
    nothing = jax.custom_vjp(lambda x: x)
    nothing.defvjp(lambda x: (x, None), lambda residuals, ct: (None,))
    figure = linearize_viewer(lambda x: nothing(jnp.sin(x)), 1.0)
    assert "No cotangent comes to it." in figure.sentence(EQUATION, 1)
    assert "the cotangent is handed on as it is" in linearize_viewer(lambda x, y: x + y, 1.0, 2.0).text()


def test_what_cannot_be_transposed_says_why_and_shows_its_linearization():
    figure = linearize_viewer(*REFUSED)
    assert figure.found.transposed is None
    told = "cannot be transposed. ValueError: Reverse-mode differentiation does not work for lax.while_loop"
    assert told in figure.text()
    assert "Reverse-mode differentiation" in figure.page_at(EQUATION, 0)
    assert "Linearized: the tangents" in figure.svg()


def test_what_cannot_be_linearized_says_why_and_shows_its_program():
    lonely = Primitive("lonely")
    lonely.def_abstract_eval(lambda x: x)
    figure = linearize_viewer(lambda x: lonely.bind(jnp.sin(x)), 1.0)
    told = "Equation 2, `c:f32[] = lonely b`, cannot be linearized. NotImplementedError: Differentiation rule for"
    assert told in figure.text()
    assert [*figure.counts()] == [EQUATION]
    assert len(pages(figure)) == 3


# ---- what is marked


def marks(page, title):
    """The numbers of the lines marked strongly in a pane, and of those that are related."""
    body = ElementTree.fromstring(f"<all>{page.partition('</style>')[2]}</all>")
    pane = next(e for e in body.iter("div") if e.get("aria-label") == title)
    rows = {kind: [e for e in pane.iter("div") if e.get("class") == f"line {kind}"] for kind in ("now", "outer")}
    return tuple([int(line[1].text) for line in lines] for lines in rows.values())


@pytest.mark.parametrize("call", ALL)
def test_marks_lead_from_a_pane_to_the_others_and_back(call):
    figure = linearize_viewer(*call)
    found = figure.found
    for k in range(len(found.program.eqns)):
        chosen = figure.marks(EQUATION, k + 1)
        for pane, by in (("linear", LINEAR), ("transposed", TRANSPOSED)):
            for j in [j for j, kind in getattr(chosen, pane).items() if kind == "now"]:
                assert figure.marks(by, j + 1).program == {k: "now"}
        for i in [i for i, kind in chosen.residuals.items() if kind == "now"]:
            assert k in figure.marks(RESIDUAL, i + 1).program


def test_an_equation_marks_its_rules_work_and_the_sum_of_its_cotangent():
    page = linearize_viewer(wave, vector, jnp.ones((3, 2))).page_at(EQUATION, 2)
    assert marks(page, "The program") == ([2], [])
    assert marks(page, "Linearized: the values") == ([2, 3], [])
    assert marks(page, "Linearized: the tangents") == ([4], [])
    assert marks(page, "Transposed: the cotangents") == ([8], [5, 7])


# ---- the forms


@pytest.mark.parametrize("call", ALL)
def test_every_page_is_well_formed_and_marks_what_is_chosen(call):
    figure = linearize_viewer(*call)
    figure.live()
    for (by, place), page in pages(figure).items():
        ElementTree.fromstring(f"<all>{page.partition('</style>')[2]}</all>")
        assert (" now'" in page) == (place > 0)
        assert (f"Choose {by}." in page) == (place == 0)


@pytest.mark.parametrize("call", ALL)
def test_the_drawing_is_well_formed_fits_its_width_and_says_the_same_in_words(call):
    figure = linearize_viewer(*call)
    drawing = ElementTree.fromstring(figure.svg())
    assert drawing.get("role") == "img"
    assert drawing.get("aria-label") == figure.heading()
    assert drawing.findtext("{*}desc") == figure.text()
    assert float(drawing.get("width")) == WIDE
    codes = [e for e in drawing.iter("{http://www.w3.org/2000/svg}text") if e.get("class") and not e.get("text-anchor")]
    assert all(float(e.get("x")) + 8.55 * len("".join(e.itertext())) <= WIDE for e in codes)
    boxes = [b for b in drawing.iter("{http://www.w3.org/2000/svg}rect") if b.get("x")]
    assert all(float(b.get("x")) + float(b.get("width")) <= WIDE for b in boxes)


def test_long_lines_are_folded_in_the_drawing_and_lose_nothing():
    figure = linearize_viewer(lambda *xs: sum(x.sum() for x in xs), *[jnp.ones((11, 13))] * 9)
    texts = [
        "".join(e.itertext()) for e in ElementTree.fromstring(figure.svg()).iter("{http://www.w3.org/2000/svg}text")
    ]
    drawn = "".join(texts).replace(" ", "")
    assert head_of(figure.found.program).replace(" ", "") in drawn


def test_a_word_that_is_too_long_is_broken_and_loses_nothing():
    parts = (("abcdefghij", False), ("klm", True), ("nopq rs", False))
    pieces = [*folded(Row("1", parts, "now", "2"), 6)]
    assert ["".join(text for text, _ in piece.parts) for piece in pieces] == [
        "abcdef",
        "  ghij",
        "  klmn",
        "  opq",
        "  rs",
    ]
    assert [(piece.number, piece.owner, piece.kind) for piece in pieces[:2]] == [("1", "2", "now"), ("", "", "now")]
    assert pieces[2].parts == (("  ", False), ("klm", True), ("n", False))


@pytest.mark.parametrize("call", ALL)
def test_a_text_has_short_lines_and_all_words(call):
    figure = linearize_viewer(*call)
    lines = repr(figure).split("\n")
    assert max(len(line) for line in lines if len(line.split()) > 1) <= COLUMNS
    assert repr(figure).split() == figure.text().split()


def test_of_a_long_program_the_first_equations_are_shown():
    figure = linearize_viewer(deep, 1.0)
    assert figure.heading().endswith("230 equations, 230 linear ones, 230 transposed ones; 230 residuals of 920 bytes")
    assert "... and 30 more equations" in figure.text()
    for by, n in figure.counts().items():
        page = figure.page_at(by, n)
        assert page.count("<tr") <= FIRST + 4
    assert "→ jd:f32[]" not in figure.page_at(RESIDUAL, 1)


# ---- functions


def test_a_function_is_traced_once_and_nothing_is_run(capsys):
    traced = []

    def f(x):
        traced.append(1)
        jax.debug.print("x is {}", x)
        return x * x

    figure = linearize_viewer(f, 3.0)
    assert figure.svg() and figure.text() and figure.live() and pages(figure)
    assert traced == [1]
    assert capsys.readouterr().out == ""
    assert "It has no result, so it gives no linear equation." in figure.text()


def test_a_jitted_function_is_shown_as_its_calls_are_and_a_jaxpr_as_its_function():
    power = jax.jit(lambda x, k: x**k, static_argnums=1)
    assert "`b:f32[] = integer_pow[y=3] a`" in linearize_viewer(power, 2.0, 3).text()
    square = lambda x: x * x
    of_jaxpr = linearize_viewer(jax.make_jaxpr(square)(jnp.float32(1.0)))
    assert of_jaxpr.text() == linearize_viewer(square, jnp.float32(1.0)).text().replace("the function", "the program")


def test_what_cannot_be_shown_is_refused_in_words():
    with pytest.raises(TypeError, match="linearize_viewer shows a function with its arguments, and this is 3"):
        linearize_viewer(3)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        linearize_viewer(wave, vector)


# ---- before chapter 4 is written

GROWING = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "4")
from minijax.course.widgets import linearize_viewer
def f(x):
    import minijax.numpy as jnp
    return jnp.sin(x) * x
for step in (None, {steps}):
    if step:
        shell.run_line_magic("catchup", step)
    import minijax.numpy as jnp
    v = linearize_viewer(f, jnp.ones(3))
    v.live(), v.svg(), [v.page_at(by, k) for by, n in v.counts().items() for k in range(n + 1)]
    print("TOLD", v.heading(), *v.found.refusals)
"""
ROWS = [row for row in (ROOT / "minijax/layer4_grad/README.md").read_text().split("\n") if row.startswith("| 4.")]


@pytest.mark.skipif(not ROWS, reason="the steps of chapter 4 are not listed yet")
def test_while_the_chapter_is_written_the_viewer_names_the_steps_that_bring_its_panes():
    steps = [row.split("|")[1].strip() for row in ROWS]
    linear, back = (
        next(steps[k] for k, row in enumerate(ROWS) if f"`{name}`" in row)
        for name in ("linearize_flat", "backward_pass")
    )
    tried = [steps[steps.index(linear) - 1], linear, steps[steps.index(back) - 1], back]
    told = [line for line in run(GROWING.replace("{steps}", repr(tried)[1:-1])).split("\n") if line.startswith("TOLD")]
    first = f"There is no linearization yet: chapter 4 brings it, in step {linear} (layer4_grad/linearize.py: "
    then = f"There is no transposed program yet: chapter 4 brings it, in step {back} (layer4_grad/transpose.py: "
    assert [first in line for line in told] == [True, True, False, False, False]
    assert [then in line for line in told] == [False, False, True, True, False]
    assert told[-1].endswith("2 equations, 4 linear ones, 4 transposed ones; 3 residuals of 36 bytes")


def test_a_line_without_blanks_is_broken_before_its_first_parameter():
    text = "c:f32[1,3] = broadcast_in_dim[broadcast_dimensions=(np.int64(1),)] b"
    pieces = ["".join(part for part, _ in row.parts) for row in folded(Row("1", ((text, False),)), 40)]
    assert pieces == ["c:f32[1,3] = broadcast_in_dim[", "  broadcast_dimensions=(np.int64(1),)] b"]
