"""The batch-axis explorer as a learner meets it: in JupyterLab, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from .conftest import assert_legible, assert_not_widened, button, focused, status, tabbed

CELLS = [
    """\
import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.widgets import batch_axis_explorer

def layer(W, b, x):
    h = jnp.tanh(W @ x + b)
    return (h * h).sum()

def several(p, xs):
    total, ys = lax.scan(lambda c, x: (c + x, c * p["w"].sum()), 0.0, xs)
    small = lax.while_loop(lambda c: c > 1.0, lambda c: c / 2.0, total)
    return lax.cond(small > 0.6, jnp.sin, jnp.cos, small), ys[p["i"]]""",
    "batch_axis_explorer(layer, jnp.ones((8, 4)), jnp.ones(8), jnp.ones((8, 4)), in_axes=(None, None, 0))",
    """\
p, axes = {"w": jnp.ones(3), "i": jnp.arange(8)}, {"w": None, "i": 0}
batch_axis_explorer(several, p, jnp.ones((8, 5)), in_axes=(axes, 0))""",
    "batch_axis_explorer(jnp.matmul, jnp.ones((8, 2, 3)), jnp.ones((3, 4)))",
    "batch_axis_explorer(lambda x, y: jnp.tanh(x + y), jnp.ones((8, 3)), jnp.ones(3), in_axes=(0, None))",
]
LAYER, SEVERAL, WRONG, SHARED = 1, 2, 3, 4
ONE, BATCH = "One example", "The batch"


@pytest.fixture
def notebook(open_notebook):
    """The notebook with the explorers at their start."""
    notebook = open_notebook("batch_axes.ipynb", CELLS)
    choose(notebook, LAYER, "W: f32[8,4]", "None")
    choose(notebook, LAYER, "b: f32[8]", "None")
    choose(notebook, LAYER, "x: f32[8,4]", "0")
    choose(notebook, LAYER, "out_axes", "0")
    button(notebook, SEVERAL, "the whole").click()
    choose(notebook, WRONG, "b: f32[3,4]", "0")
    for cell in (LAYER, SEVERAL):
        button(notebook, cell, "First").click()
        expect(status(notebook, cell)).to_contain_text("Choose an equation.")
    return notebook


def row(notebook, cell, name):
    """The buttons of one argument."""
    return notebook.output(cell).locator(".widget-toggle-buttons").filter(has_text=name)


def choose(notebook, cell, name, axis):
    row(notebook, cell, name).get_by_role("button", name=axis, exact=True).click()


def marked(notebook, pane, cell=LAYER):
    """The numbers of the marked lines of a pane."""
    return notebook.output(cell).get_by_role("group", name=pane).locator(".line.now .number")


def test_an_equation_chosen_by_mouse_marks_what_it_became(notebook):
    for _ in range(2):
        button(notebook, LAYER, "Next").click()
    expect(status(notebook, LAYER)).to_contain_text("It becomes the equations 2, 3 and 4 of the batch: transpose")
    expect(marked(notebook, ONE)).to_have_text(["2"])
    expect(marked(notebook, BATCH)).to_have_text(["2", "3", "4"])


def test_the_batch_axis_is_marked_with_a_letter(notebook):
    marks = notebook.output(LAYER).get_by_role("group", name=BATCH).locator("b")
    expect(marks.first).to_have_text("B=8")
    expect(notebook.output(LAYER).get_by_role("group", name=ONE).locator("b")).to_have_count(0)


def test_the_axes_of_a_product_are_drawn(notebook):
    button(notebook, LAYER, "Next").click()
    expect(status(notebook, LAYER)).to_contain_text("Only the right operand has the batch axis")
    pictures = notebook.output(LAYER).locator(".products svg")
    expect(pictures).to_have_count(2)
    notebook.picture(notebook.output(LAYER), "batch-product")
    choose(notebook, LAYER, "W: f32[8,4]", "0")
    expect(status(notebook, LAYER)).to_contain_text("Both operands have the batch axis")
    notebook.picture(notebook.output(LAYER), "batch-product-of-both")


def test_another_axis_is_chosen_by_keys_and_an_error_is_told_in_words(notebook):
    buttons = row(notebook, LAYER, "x: f32[8,4]")
    buttons.get_by_role("button", name="1", exact=True).focus()
    notebook.page.keyboard.press("Space")
    expect(status(notebook, LAYER)).to_contain_text("vmap of layer over 4 examples: no program of the batch")
    problem = notebook.output(LAYER).locator(".problem")
    expect(problem).to_contain_text("For one example layer cannot be traced.")
    assert focused(notebook.page) == "1"
    choose(notebook, LAYER, "x: f32[8,4]", "0")
    choose(notebook, LAYER, "W: f32[8,4]", "-1")
    expect(problem).to_contain_text("The sizes disagree: axis -1 of W has size 4 and axis 0 of x has size 8.")
    notebook.picture(notebook.output(LAYER), "batch-sizes")
    choose(notebook, LAYER, "W: f32[8,4]", "None")
    choose(notebook, LAYER, "out_axes", "2")
    expect(problem).to_contain_text("With the batch axis the result h has rank 1, so its axis in out_axes is 0 or -1.")
    expect(notebook.output(LAYER)).not_to_contain_text("Traceback")


def test_a_call_that_is_wrong_from_the_start_is_told_and_mended(notebook):
    problem = notebook.output(WRONG).locator(".problem")
    expect(problem).to_contain_text("axis 0 of b has size 3")
    notebook.picture(notebook.output(WRONG), "batch-wrong")
    choose(notebook, WRONG, "b: f32[3,4]", "None")
    expect(problem).to_have_count(0)
    expect(status(notebook, WRONG)).to_contain_text("over 8 examples")


def test_programs_inside_are_chosen_by_keys(notebook):
    button(notebook, SEVERAL, "1 body").focus()
    notebook.page.keyboard.press("Enter")
    expect(status(notebook, SEVERAL)).to_contain_text("The body of equation 1 (scan).")
    notebook.output(SEVERAL).get_by_role("slider").focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(status(notebook, SEVERAL)).to_contain_text("Equation 1,")
    assert focused(notebook.page) == "slider"
    expect(marked(notebook, ONE, SEVERAL)).to_have_text(["1"])


def test_a_conditional_is_told_to_be_a_selection(notebook):
    notebook.output(SEVERAL).get_by_role("slider").focus()
    for place in range(1, 6):
        notebook.page.keyboard.press("ArrowRight")
        expect(status(notebook, SEVERAL)).to_contain_text(f"Equation {place},")
    expect(status(notebook, SEVERAL)).to_contain_text("Each example has an index of its own.")
    notebook.picture(notebook.output(SEVERAL), "batch-cond")


def test_tab_leads_through_all_controls(notebook):
    found = tabbed(notebook, LAYER)
    axes = ["None", "0", "1", "-1", "None", "0", "-1", "None", "0", "1", "-1", "None", "0", "1", "2", "-1"]
    expected = [*axes, "First", "Previous", "Next", "Last", "slider"]
    assert [x for x in found if x in expected] == expected


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("cell", [LAYER, SEVERAL, WRONG])
def test_every_text_of_the_explorer_is_legible(notebook, cell, theme):
    notebook.theme(theme)
    if cell != WRONG:
        button(notebook, cell, "Next").click()
        expect(status(notebook, cell)).to_contain_text("Equation 1,")
    assert_legible(notebook, cell, f"batch-{cell}-{theme.lower()}")


BROKEN_WORDS = """
pane => {
  const found = [], walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT)
  for (let node; (node = walker.nextNode()); )
    for (const word of node.data.matchAll(/[A-Za-z_]\\w*/g)) {
      const range = document.createRange()
      range.setStart(node, word.index)
      range.setEnd(node, word.index + word[0].length)
      if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) found.push(word[0])
    }
  return found
}"""


@pytest.mark.parametrize("width", [1366, 1000, 760])
def test_lines_that_are_too_long_are_broken_between_words(notebook, width):
    with notebook.sized(width):
        for cell in (LAYER, SEVERAL, SHARED):
            for code in notebook.output(cell).locator(".trio .code").all():
                assert code.evaluate(BROKEN_WORDS) == []


@pytest.mark.parametrize("width", [1366, 1000, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened_and_has_the_panes_below_each_other(notebook, width):
    with notebook.sized(width):
        for cell in (LAYER, SEVERAL):
            button(notebook, cell, "Next").click()
            expect(status(notebook, cell)).to_contain_text("Equation 1,")
            assert_not_widened(notebook, cell)
            for code in notebook.output(cell).locator(".trio .code").all():
                assert code.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
            notebook.picture(notebook.output(cell), f"batch-{cell}-{width}")
        first, last = (notebook.output(LAYER).get_by_role("group", name=p).bounding_box() for p in (ONE, BATCH))
        beside = first["x"] + first["width"] < last["x"]
        below = first["y"] + first["height"] < last["y"]
        assert (beside, below) == (width > 1000, width <= 1000)
