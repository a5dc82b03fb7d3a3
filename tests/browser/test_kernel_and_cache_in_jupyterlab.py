"""The kernel viewer and the cache inspector as a learner meets them: in JupyterLab, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from .conftest import assert_legible, assert_not_widened, button, focused, status, tabbed

CELLS = [
    """\
import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.widgets import cache_inspector, kernel_viewer

def messy(x):
    half = lax.div(1.0, 2.0)
    unused = lax.cos(x)
    y = jnp.where(x > 0.0, half * x, lax.exp(x))
    return y + lax.exp(x)

def layer(x, w, b):
    return jax.nn.softmax(jax.nn.relu(x @ w + b))

table = jnp.arange(2000.0)

@jax.jit
def look(x, scale=1.0):
    return table.sum() + x * scale

for n in (2, 3):
    look(jnp.ones(n))""",
    "kernel_viewer(messy, jnp.ones(3))",
    "cache_inspector(look, jnp.ones(3))",
    "kernel_viewer(layer, jnp.ones((200, 100)), jnp.ones((100, 50)), jnp.ones(50))",
    "look(jnp.ones(7)).shape",
]
KERNELS, CACHE, LAYER, CALL = 1, 2, 3, 4
WIDGETS = {"kernel": KERNELS, "cache": CACHE, "layer": LAYER}


@pytest.fixture
def notebook(open_notebook):
    """The notebook with both widgets at their start."""
    notebook = open_notebook("kernel_and_cache.ipynb", CELLS)
    for cell in (KERNELS, LAYER):
        for name in ("without_dead", "an equation"):
            button(notebook, cell, name).click()
    for cell in WIDGETS.values():
        button(notebook, cell, "First").click()
        expect(notebook.output(cell).locator(".now")).to_have_count(0)
    field(notebook).fill("")
    return notebook


def slider(notebook, cell):
    return notebook.output(cell).get_by_role("slider")


def marked(notebook, cell, kind="now"):
    """The texts of the marked lines of code."""
    return notebook.output(cell).locator(f".line.{kind} .text")


def field(notebook):
    """Where arguments are typed."""
    return notebook.output(CACHE).get_by_label("Arguments")


def choose_first(notebook, cell):
    """Choose the first equation or trace, and wait until it is marked."""
    button(notebook, cell, "Next").click()
    expect(notebook.output(cell).locator(".now").first).to_be_visible()


def right_end(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"]


def typed(notebook, text):
    field(notebook).fill(text)
    field(notebook).press("Enter")


@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget_appears_with_its_controls_and_its_sentence(notebook, name):
    expect(button(notebook, WIDGETS[name], "Next")).to_be_visible()
    expect(status(notebook, WIDGETS[name])).not_to_be_empty()
    expect(notebook.output(WIDGETS[name]).locator(".minijax-page")).to_have_count(1)


# ---- the kernel viewer


def test_next_by_mouse_marks_an_equation_and_the_line_that_computes_it(notebook):
    expect(marked(notebook, KERNELS)).to_have_count(0)
    for equation, line in (("b:bool[3] = gt a 0.0:f32[]", "b = a[i0] > 0.0"), ("c:f32[3] = mul", "c = 0.5 * a[i0]")):
        button(notebook, KERNELS, "Next").click()
        expect(marked(notebook, KERNELS)).to_contain_text([equation, line])
    expect(status(notebook, KERNELS)).to_contain_text("Equation 2, c:f32[3] = mul 0.5:f32[] a. Line 6, in kernel_0,")


def test_a_line_chosen_by_keys_marks_its_equation(notebook):
    page = notebook.page
    button(notebook, KERNELS, "a line of the loops").focus()
    page.keyboard.press("Space")
    expect(slider(notebook, KERNELS)).to_have_attribute("aria-valuemax", "8.0")
    slider(notebook, KERNELS).focus()
    page.keyboard.press("End")
    expect(status(notebook, KERNELS)).to_contain_text("Line 8, f[i0] = e + d, writes an element of equation 5")
    expect(marked(notebook, KERNELS)).to_contain_text(["f:f32[3] = add e d", "f[i0] = e + d"])
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(status(notebook, KERNELS)).to_contain_text("is a loop around equations 1, 2, 3, 4 and 5.")
    assert focused(page) == "slider"


def test_a_stage_chosen_by_keys_says_what_becomes_of_an_equation(notebook):
    page = notebook.page
    button(notebook, KERNELS, "traced").focus()
    page.keyboard.press("Space")
    expect(status(notebook, KERNELS)).to_contain_text("Stage traced: the program as it was recorded.")
    button(notebook, KERNELS, "Next").focus()
    page.keyboard.press("Enter")
    expect(status(notebook, KERNELS)).to_contain_text("folded takes it away: its operands are numbers")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(status(notebook, KERNELS)).to_contain_text(
        "Equation 3, c:bool[3] = gt a 0.0:f32[], is in the last stage equ"
    )
    button(notebook, KERNELS, "without_dead").click()
    expect(status(notebook, KERNELS)).to_contain_text("Equation 1, b:bool[3] = gt a 0.0:f32[]. Line 4")


def test_measuring_adds_a_time_for_each_step(notebook):
    expect(notebook.output(LAYER).locator(".costs")).not_to_contain_text("µs")
    button(notebook, LAYER, "Measure the steps").click()
    expect(status(notebook, LAYER)).to_contain_text("Measured: the shortest of a few calls")
    expect(notebook.output(LAYER).locator(".costs tr.step td", has_text="µs")).to_have_count(2)


# ---- the cache inspector


def test_a_trace_chosen_by_keys_is_marked_and_its_program_is_shown(notebook):
    slider(notebook, CACHE).focus()
    notebook.page.keyboard.press("ArrowRight")
    notebook.page.keyboard.press("ArrowRight")
    expect(status(notebook, CACHE)).to_contain_text("Trace 2 was made for a call with x: f32[3]")
    expect(status(notebook, CACHE)).to_contain_text("x is f32[3], and was f32[2]. Captured: table: f32[2000] (large).")
    expect(notebook.output(CACHE).locator("tr.now")).to_contain_text("→ 2")
    expect(notebook.output(CACHE).locator(".code")).to_contain_text("reduce_sum")


def test_a_call_that_is_typed_is_answered_and_traces_nothing(notebook):
    typed(notebook, "jnp.ones(2)")
    expect(status(notebook, CACHE)).to_contain_text("runs the program of trace 1. It is not traced again.")
    typed(notebook, "jnp.ones(4)")
    expect(status(notebook, CACHE)).to_contain_text("would be traced again: x is f32[4], and was f32[7]")
    typed(notebook, "nothing_of_this_name")
    expect(status(notebook, CACHE)).to_contain_text("These arguments are refused. NameError: name 'nothing_of_this_n")


def test_keys_that_are_commands_of_jupyterlab_do_no_harm_in_the_field_for_arguments(notebook):
    count = notebook.cells.count()
    field(notebook).press_sequentially("add")  # in JupyterLab's command mode: new cell, delete cell
    field(notebook).press("Enter")
    expect(status(notebook, CACHE)).to_contain_text("name 'add' is not defined")
    assert notebook.cells.count() == count


def test_looking_again_shows_the_traces_of_calls_since_then(notebook):
    rows = notebook.output(CACHE).locator("tr:not(.heads)")
    before = rows.count()
    notebook.cells.nth(0).locator(".jp-InputPrompt").click()  # out of the field, so that keys are JupyterLab's
    notebook.page.evaluate(
        """() => jupyterapp.shell.currentWidget.context.sessionContext.session.kernel
        .requestExecute({code: "look(jnp.ones(look._cache_size() + 5))"}).done.then(() => true)"""
    )
    button(notebook, CACHE, "Look again").focus()
    notebook.page.keyboard.press("Space")
    expect(status(notebook, CACHE)).to_contain_text("new trace")
    assert rows.count() > before
    expect(notebook.output(CACHE).locator("tr.now")).to_have_count(1)


# ---- what both have


@pytest.mark.parametrize("name", WIDGETS)
def test_tab_leads_through_all_controls(notebook, name):
    found = tabbed(notebook, WIDGETS[name])
    assert [x for x in found if x in ("First", "Previous", "Next", "Last", "slider")] == [
        "First",
        "Previous",
        "Next",
        "Last",
        "slider",
    ]
    if name != "cache":
        assert {"traced", "an equation", "a line of the loops", "Measure the steps"} <= {*found}


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("name", WIDGETS)
def test_every_text_of_a_widget_is_legible(notebook, name, theme):
    cell = WIDGETS[name]
    notebook.theme(theme)
    choose_first(notebook, cell)
    assert_legible(notebook, cell, f"{name}-{theme.lower()}")


@pytest.mark.parametrize("width", [1000, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened_by_a_widget(notebook, width):
    with notebook.sized(width):
        for name, cell in WIDGETS.items():
            choose_first(notebook, cell)
            assert_not_widened(notebook, cell)
            box = notebook.output(cell).locator(".minijax-page")
            for share in box.locator(".costs tr > td:nth-child(2)").all():
                assert right_end(share) <= right_end(box)
            notebook.picture(notebook.output(cell), f"{name}-{width}")


@pytest.mark.parametrize("name", ["kernel", "layer"])
def test_the_loops_stand_beside_the_program_on_a_laptop(notebook, name):
    with notebook.sized(1366, 768):
        left, right = (notebook.output(WIDGETS[name]).locator(".col").nth(i).bounding_box() for i in (0, 1))
        assert left["x"] + left["width"] < right["x"]
        choose_first(notebook, WIDGETS[name])
        notebook.picture(notebook.output(WIDGETS[name]), f"{name}-laptop")
