"""What all widgets have in common: three forms, legible colours, and nothing kept of a package that is replaced."""

from functools import cache

import pytest
from hypothesis import example, given, strategies as st
from IPython.core.formatters import DisplayFormatter
from processes import ROOT, run

import minijax.numpy as jnp
from minijax.course import figures
from minijax.course.widgets import dataflow, figure, matrix, stepper


def f(x):
    return jnp.sin(x) * 2.0


MAKERS = {"stepper": lambda: stepper(f, 1.0), "matrix": matrix, "dataflow": lambda: dataflow(f, 1.0)}


@pytest.mark.parametrize("name", MAKERS)
def test_without_a_kernel_a_widget_is_a_drawing_and_a_text(name):
    widget = MAKERS[name]()
    data, _ = DisplayFormatter().format(widget)
    assert set(data) == {"text/plain", "image/svg+xml"}
    assert data["text/plain"] == repr(widget)
    assert data["text/plain"].split() == widget.text().split()


@pytest.mark.parametrize("name", MAKERS)
def test_with_a_kernel_the_live_view_is_added_and_is_the_same_each_time(name, monkeypatch):
    class Shell:
        kernel = "there"

    monkeypatch.setattr(figure, "get_ipython", Shell)
    widget = MAKERS[name]()
    data = widget._repr_mimebundle_()
    assert data["text/plain"] == repr(widget)
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data == widget._repr_mimebundle_()


@pytest.mark.parametrize("name", MAKERS)
def test_the_lines_of_a_text_fit_a_narrow_cell_and_break_between_words(name):
    widget = MAKERS[name]()
    assert max(map(len, repr(widget).split("\n"))) <= figures.COLUMNS < max(map(len, widget.text().split("\n")))
    assert set(widget.text().split()) == set(repr(widget).split())


@pytest.mark.parametrize("draw", [figures.pipeline, figures.dispatch, lambda: figures.lattice({"b1": ["i*"] * 40})])
def test_the_words_of_a_figure_fit_a_narrow_cell(draw, monkeypatch):
    shown = []
    monkeypatch.setattr(figures, "display", lambda data, raw: shown.append(data))
    draw()
    (data,) = shown
    assert max(map(len, data["text/plain"].split("\n"))) <= figures.COLUMNS
    assert f"aria-label='{' '.join(data['text/plain'].split())}'" in data["image/svg+xml"]


@given(st.text("ab- \n", max_size=400))
@example(" " * 100 + "\n")
def test_a_text_in_lines_has_the_same_words_and_short_lines_as_they_are(text):
    lines = figures.in_lines(text).split("\n")
    assert " ".join(lines).split() == text.split()
    assert len(lines) > text.count("\n")
    assert all(len(line) <= figures.COLUMNS or len(line.split()) == 1 for line in lines)
    if all(len(line) <= figures.COLUMNS for line in text.split("\n")):
        assert lines == text.split("\n")


@pytest.mark.parametrize("name", MAKERS)
def test_showing_a_widget_prints_nothing(name, capsys):
    widget = MAKERS[name]()
    widget.text(), widget.svg(), widget.live()
    assert capsys.readouterr() == ("", "")


FORMS = {
    "the first three": """
import minijax.numpy as jnp
from minijax.course.widgets import dataflow, matrix, stepper
f = lambda x: jnp.where(x > 0, jnp.sin(x), 0.0).sum()
for widget in (stepper(f, jnp.ones(3)), matrix(), dataflow(f, jnp.ones(3))):
    print(widget.text(), widget.svg(), widget.page_at(1) if not widget is None and not hasattr(widget, "rules") else "")
""",
    "kernel_viewer": """
import minijax.numpy as jnp
from minijax.course.widgets import kernel_viewer
f = lambda x: jnp.where(x > 0, jnp.sin(x), jnp.sort(x)).sum()
v = kernel_viewer(f, jnp.ones(3))
print(v.text(), v.svg(), v.page_at(0, "an equation", 1))
""",
    "loop_viewer": """
import minijax.numpy as jnp
from minijax import lax
from minijax.course.widgets import loop_viewer
step = lambda c, x: (lax.cond(c > 2.0, jnp.sin, lambda c: c + 1.0, c), {"b": x, "a": c})
v = loop_viewer(lambda c, x: lax.scan(step, c, x), 0.0, jnp.ones(30))
print(v.text(), v.svg(), v.page_at(0, 3), v.page_at(1, 0))
""",
    "linearize_viewer": """
import minijax as jax, minijax.numpy as jnp
from minijax import lax
from minijax.course.widgets import linearize_viewer
f = lambda p: lax.scan(lambda c, x: (jnp.tanh(c * p["w"] + x), c), p["c"], p["x"])[0] * jax.nn.relu(p["w"])
v = linearize_viewer(f, {"w": 2.0, "x": jnp.ones(3), "c": jnp.float32(1.0)})
print(v.text(), v.svg(), *[v.page_at(by, k) for by, n in v.counts().items() for k in range(n + 1)])
""",
    "batch_axis_explorer": """
import minijax as jax, minijax.numpy as jnp
from minijax import lax
from minijax.course.widgets import batch_axis_explorer
f = lambda p, x: lax.scan(lambda c, x: (jnp.tanh(c @ p["w"] + x), jax.nn.relu(c)), p["c"], x)
axes = ({"w": None, "c": 0}, 0)
v = batch_axis_explorer(f, {"w": jnp.ones((3, 3)), "c": jnp.ones((5, 3))}, jnp.ones((5, 4, 3)), in_axes=axes)
print(v.text(), v.svg(), *[v.page_at(w, k) for w, p in enumerate(v.found.pairs) for k in range(len(p.steps) + 1)])
""",
    "key_tree": """
from minijax import random
from minijax.course.widgets import key_tree
def f(k):
    a, b = random.split(k)
    return random.normal(a), random.normal(b), random.normal(a)
t = key_tree(f, random.key(3))
print(t.text(), t.svg(), *map(t.page_at, range(5)))
""",
    "mesh_explorer": """
from minijax.course.widgets import mesh_explorer
for spec in (("x", "y"), ("x",), (("y", "x"),), ("z",)):
    m = mesh_explorer((8, 16), spec, program="x @ w", other=("y",))
    print(m.text(), m.svg(), m.page_of(m.found, m.use))
""",
    "collectives": """
from minijax.course.widgets import collectives
for name in ("pmean", "all_to_all"):
    c = collectives(name, (2, 2), "y")
    print(c.text(), c.svg(), *map(c.page_at, range(c.found.places)))
""",
}


@cache
def shown(seed):
    """What each of the programs prints, all of them in one process."""
    between = "-- the next --"
    return dict(zip(FORMS, run(f"\nprint({between!r})\n".join(FORMS.values()), seed).split(between), strict=True))


@pytest.mark.parametrize("name", FORMS)
def test_what_is_shown_is_the_same_in_every_process(name):
    first = shown("1")[name]
    assert first == shown("2")[name]
    assert "0x" not in first
    assert str(ROOT) not in first


REPLACED = """
import sys
from minijax.course.widgets import dataflow, matrix, stepper
import minijax.numpy as jnp
def f(x): return jnp.sin(x) * 2.0
old = stepper(f, 1.0), dataflow(f, 1.0), matrix()
before = [widget.text() + widget.svg() for widget in old]
for name in [n for n in sys.modules if n.split(".")[0] == "minijax" and not n.startswith("minijax.course")]:
    del sys.modules[name]
import minijax.numpy as jnp
new = stepper(f, 1.0), dataflow(f, 1.0), matrix()
print([widget.text() + widget.svg() for widget in new] == before == [widget.text() + widget.svg() for widget in old])
"""


def test_the_widgets_follow_a_package_that_is_dropped_and_imported_again():
    assert run(REPLACED) == "True\n"


# ---- colours


def luminance(colour):
    """The relative luminance of #rrggbb, as WCAG 2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("text", ["INK", "FAINT", "DEEP", "RED"])
@pytest.mark.parametrize("ground", ["#ffffff", "SKY", "YELLOW", "GREY"])
def test_text_stands_out_from_every_ground(text, ground):
    assert contrast(getattr(figure, text), getattr(figure, ground, ground)) >= 4.5


@pytest.mark.parametrize("mark", ["BLUE", "RED", "LINE"])
def test_a_mark_stands_out_from_white(mark):
    assert contrast(getattr(figure, mark), "#ffffff") >= 3
