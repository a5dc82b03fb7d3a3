"""The linearize viewer as a learner meets it: in JupyterLab, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from .conftest import assert_legible, assert_not_widened, button, focused, status, tabbed

CELLS = [
    """\
import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.widgets import linearize_viewer

def wave(x, w):
    y = jnp.sin(x @ w)
    return (y * y).sum() + y[0]

def several(x, n):
    y = jax.jit(lambda y: jnp.sin(y) * y)(x + n)
    total, _ = lax.scan(lambda c, a: (c * a, None), 1.0, y)
    return lax.cond(total > 0.0, jnp.sin, jnp.cos, total) * jnp.floor(total), n * 2

def halved(x):
    return lax.while_loop(lambda c: c > 1.0, lambda c: c / 2.0, x)""",
    "linearize_viewer(wave, jnp.arange(3.0), jnp.ones((3, 2)))",
    "linearize_viewer(several, jnp.ones(3), 3)",
    "linearize_viewer(halved, 9.0)",
]
WAVE, SEVERAL, REFUSED = 1, 2, 3
PANES = ["The program", "Linearized: the values", "Linearized: the tangents", "Transposed: the cotangents"]
SLIDERS = {
    "an equation": "Equation",
    "a linear one": "Linear",
    "a transposed one": "Transposed",
    "a residual": "Residual",
}


@pytest.fixture
def notebook(open_notebook):
    """The notebook with the viewers at their start."""
    notebook = open_notebook("linearize.ipynb", CELLS)
    for cell in (WAVE, SEVERAL, REFUSED):
        button(notebook, cell, "an equation").click()
        button(notebook, cell, "First").click()
        expect(status(notebook, cell)).to_contain_text("Choose an equation.")
    return notebook


def choose(notebook, cell, by, place):
    """Choose by mouse and keys; place 1 is the first."""
    button(notebook, cell, by).click()
    expect(notebook.output(cell).locator(".widget-slider .widget-label")).to_have_text(SLIDERS[by])
    notebook.output(cell).get_by_role("slider").focus()
    notebook.page.keyboard.press("Home")
    for _ in range(place):
        notebook.page.keyboard.press("ArrowRight")


def marked(notebook, pane, kind="now", cell=WAVE):
    """The numbers of the marked lines of a pane."""
    return notebook.output(cell).get_by_role("group", name=pane).locator(f".line.{kind} .number")


def test_the_panes_have_names(notebook):
    for pane in PANES:
        expect(notebook.output(WAVE).get_by_role("group", name=pane)).to_have_count(1)


def test_an_equation_chosen_by_mouse_marks_what_its_rules_gave(notebook):
    for _ in range(3):
        button(notebook, WAVE, "Next").click()
    expect(status(notebook, WAVE)).to_contain_text("Equation 3, e:f32[2] = mul d d. Its jvp rule gives the linear")
    expect(marked(notebook, PANES[0])).to_have_text(["3"])
    expect(marked(notebook, PANES[2])).to_have_text(["5", "6", "7"])
    expect(marked(notebook, PANES[3])).to_have_text(["4", "6"])
    expect(notebook.output(WAVE).locator("table.residuals tr.now th")).to_have_text(["→ d:f32[2]"])


def test_a_line_of_another_pane_chosen_by_keys_marks_the_equation_that_it_comes_from(notebook):
    choose(notebook, WAVE, "a linear one", 6)
    expect(status(notebook, WAVE)).to_contain_text("Linear equation 6, n:f32[2] = mul d d_dot, comes from equation 3.")
    expect(marked(notebook, PANES[0])).to_have_text(["3"])
    expect(marked(notebook, PANES[2], "outer")).to_have_text(["5", "7"])
    expect(marked(notebook, PANES[3])).to_have_text(["4"])
    choose(notebook, WAVE, "a transposed one", 8)
    expect(status(notebook, WAVE)).to_contain_text("is linear equation 4 backwards, which comes from equation 2.")
    expect(marked(notebook, PANES[0])).to_have_text(["2"])
    assert focused(notebook.page) == "slider"


def test_an_addition_of_cotangents_marks_all_that_read_the_value(notebook):
    choose(notebook, WAVE, "a transposed one", 5)
    expect(status(notebook, WAVE)).to_contain_text("The cotangent of d is a sum of 3: d_dot is read 3 times")
    expect(marked(notebook, PANES[2])).to_have_text(["5", "6", "9"])
    expect(notebook.output(WAVE).locator("table.sums tr.now th")).to_have_text(["→ d"])


def test_a_residual_marks_what_makes_it_and_what_reads_it(notebook):
    choose(notebook, WAVE, "a residual", 3)
    expect(status(notebook, WAVE)).to_contain_text("Residual j, f32[2], has 8 bytes. Equation 2 computes it")
    expect(marked(notebook, PANES[1])).to_have_text(["3"])
    expect(marked(notebook, PANES[2])).to_have_text(["4"])


def test_each_list_keeps_its_place(notebook):
    choose(notebook, WAVE, "a residual", 2)
    button(notebook, WAVE, "an equation").click()
    expect(status(notebook, WAVE)).to_contain_text("Choose an equation.")
    button(notebook, WAVE, "a residual").focus()
    notebook.page.keyboard.press("Space")
    expect(status(notebook, WAVE)).to_contain_text("Residual a")


def test_tab_leads_through_all_controls(notebook):
    found = tabbed(notebook, WAVE)
    expected = ["an equation", "a linear one", "a transposed one", "a residual"]
    expected += ["First", "Previous", "Next", "Last", "slider"]
    assert [x for x in found if x in expected] == expected


def test_what_cannot_be_transposed_says_why_in_the_place_of_the_pane(notebook):
    expect(notebook.output(REFUSED)).to_contain_text("Reverse-mode differentiation does not work for lax.while_loop")
    expect(notebook.output(REFUSED).get_by_role("group")).to_have_count(3)
    expect(button(notebook, REFUSED, "a transposed one")).to_have_count(0)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("cell", [WAVE, SEVERAL, REFUSED])
def test_every_text_of_the_viewer_is_legible(notebook, cell, theme):
    notebook.theme(theme)
    button(notebook, cell, "Next").click()
    expect(status(notebook, cell)).to_contain_text("Equation 1,")
    if cell != REFUSED:
        choose(notebook, cell, "an equation", 2)
        expect(status(notebook, cell)).to_contain_text("Equation 2,")
    assert_legible(notebook, cell, f"linearize-{cell}-{theme.lower()}")


@pytest.mark.parametrize("width", [1366, 1000, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened_and_has_the_panes_below_each_other(notebook, width):
    with notebook.sized(width):
        for cell in (WAVE, SEVERAL, REFUSED):
            button(notebook, cell, "Next").click()
            expect(status(notebook, cell)).to_contain_text("Equation 1,")
            assert_not_widened(notebook, cell)
            for code in notebook.output(cell).locator(".trio .code").all():
                assert code.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
            notebook.picture(notebook.output(cell), f"linearize-{cell}-{width}")
        first, last = (notebook.output(WAVE).get_by_role("group", name=PANES[k]).bounding_box() for k in (0, 3))
        beside = first["x"] + first["width"] < last["x"]
        below = first["y"] + first["height"] < last["y"]
        assert (beside, below) == (width > 1000, width <= 1000)
