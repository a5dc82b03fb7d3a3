"""The loop viewer as a learner meets it: in JupyterLab, by mouse and by keyboard; and loops in the kernel viewer."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import assert_legible, assert_not_widened, button, focused, status, tabbed

CELLS = [
    """\
import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course.widgets import kernel_viewer, loop_viewer

W = jnp.eye(3)

def rnn(c, xs):
    def step(c, x):
        c = jnp.tanh(W @ c + x)
        return c, c.sum()
    return lax.scan(step, c, xs)

def several(x):
    total, _ = lax.scan(lambda c, x: (c + x, None), 0.0, x)
    small = lax.while_loop(lambda c: c > 1.0, lambda c: c / 2.0, total)
    return lax.switch(2, [jnp.sin, jnp.cos, lambda x: x * x], small)

start, xs = jnp.zeros(3), jnp.arange(15.0).reshape(5, 3) / 10""",
    "loop_viewer(rnn, start, xs)",
    "loop_viewer(several, jnp.ones(200))",
    "kernel_viewer(rnn, start, xs)",
]
SCAN, SEVERAL, KERNEL = 1, 2, 3
STEPS = re.compile(r"for t_\w+ in range\(5\):")
WIDGETS = {"scan": SCAN, "several": SEVERAL}


@pytest.fixture
def notebook(open_notebook):
    """The notebook with the widgets at their start."""
    notebook = open_notebook("loops.ipynb", CELLS)
    button(notebook, SEVERAL, "1 scan").click()
    for cell in (SCAN, SEVERAL, KERNEL):
        button(notebook, cell, "First").click()
    for cell in (SCAN, SEVERAL):
        expect(status(notebook, cell)).to_contain_text("Step 0:")
    return notebook


def slider(notebook, cell):
    return notebook.output(cell).get_by_role("slider")


def marked(notebook, cell):
    """The marked row of the film."""
    return notebook.output(cell).locator("tr.now")


def test_next_by_mouse_shows_the_next_step_and_marks_it(notebook):
    expect(status(notebook, SCAN)).to_contain_text("Step 0: carry in g = [0 0 0], it takes row 0: h = [0 0.1 0.2].")
    button(notebook, SCAN, "Next").click()
    expect(status(notebook, SCAN)).to_contain_text("Step 1: carry in g = [0 0.0997 0.197]")
    expect(marked(notebook, SCAN).locator("th")).to_have_text("→ 1")
    expect(notebook.output(SCAN).locator("table.values")).to_contain_text("row 1 of c")


def test_the_last_step_by_keys_gives_the_result(notebook):
    slider(notebook, SCAN).focus()
    notebook.page.keyboard.press("End")
    expect(status(notebook, SCAN)).to_contain_text("Step 4:")
    expect(notebook.output(SCAN).locator("table.values tr.out").first).to_contain_text("the result d")
    notebook.page.keyboard.press("ArrowLeft")
    expect(status(notebook, SCAN)).to_contain_text("Step 3:")
    assert focused(notebook.page) == "slider"


def test_another_equation_is_chosen_by_keys(notebook):
    button(notebook, SEVERAL, "2 while").focus()
    notebook.page.keyboard.press("Space")
    expect(notebook.output(SEVERAL).locator(".minijax-page")).to_contain_text("Its body ran 8 times")
    button(notebook, SEVERAL, "Last").focus()
    notebook.page.keyboard.press("Enter")
    expect(status(notebook, SEVERAL)).to_contain_text("Step 8: carry in h = 0.7812. The condition is false")
    button(notebook, SEVERAL, "4 cond").click()
    expect(notebook.output(SEVERAL).locator(".ran h4")).to_have_text("→ Branch 2: traced, and it ran")
    expect(status(notebook, SEVERAL)).to_contain_text("Run 0: the index is 2, so branch 2 runs.")


def test_of_many_steps_the_slider_goes_over_those_that_are_kept(notebook):
    expect(notebook.output(SEVERAL).locator(".film caption")).to_have_text("Some of the steps")
    expect(notebook.output(SEVERAL).locator(".widget-readout")).to_be_hidden()
    slider(notebook, SEVERAL).focus()
    for _ in range(7):
        notebook.page.keyboard.press("ArrowRight")
    expect(status(notebook, SEVERAL)).to_contain_text("Step 20:")
    notebook.page.keyboard.press("End")
    expect(status(notebook, SEVERAL)).to_contain_text("Step 199: carry in")


@pytest.mark.parametrize("name", WIDGETS)
def test_tab_leads_through_all_controls(notebook, name):
    found = tabbed(notebook, WIDGETS[name])
    choices = ["1 scan", "2 while", "4 cond"] if name == "several" else []
    expected = [*choices, "First", "Previous", "Next", "Last", "slider"]
    assert [x for x in found if x in expected] == expected


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("choice", ["1 scan", "2 while", "4 cond"])
def test_every_text_of_the_viewer_is_legible(notebook, choice, theme):
    notebook.theme(theme)
    button(notebook, SEVERAL, choice).click()
    expect(notebook.output(SEVERAL).locator(".minijax-page")).to_contain_text(f"Equation {choice[0]}")
    assert_legible(notebook, SEVERAL, f"loops-{choice[2:]}-{theme.lower()}")


@pytest.mark.parametrize("width", [1000, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened_by_the_viewer(notebook, width):
    with notebook.sized(width):
        for choice in ("1 scan", "2 while", "4 cond"):
            button(notebook, SEVERAL, choice).click()
            expect(notebook.output(SEVERAL).locator(".minijax-page")).to_contain_text(f"Equation {choice[0]}")
            for cell in (SCAN, SEVERAL):
                assert_not_widened(notebook, cell)
            notebook.picture(notebook.output(SEVERAL), f"loops-{choice[2:]}-{width}")
        notebook.picture(notebook.output(SCAN), f"loops-rnn-{width}")


def test_the_values_stand_beside_the_program_on_a_laptop_and_stay_there(notebook):
    with notebook.sized(1366, 768):
        for name, step in (("Last", 4), ("First", 0)):  # the page has its new width when both are shown
            button(notebook, SCAN, name).click()
            expect(status(notebook, SCAN)).to_contain_text(f"Step {step}:")
        tops = []
        for step in range(5):
            expect(status(notebook, SCAN)).to_contain_text(f"Step {step}:")
            left, right = (notebook.output(SCAN).locator(".col").nth(i).bounding_box() for i in (0, 1))
            assert left["x"] + left["width"] < right["x"]
            film = notebook.output(SCAN).locator(".film").bounding_box()
            tops.append((left["y"] - film["y"], film["height"]))
            button(notebook, SCAN, "Next").click()
        assert len(set(tops)) == 1
        notebook.picture(notebook.output(SCAN), "loops-rnn-laptop")


def test_the_kernel_viewer_shows_the_lines_of_a_loop_and_marks_them_as_its_equations(notebook):
    lines = notebook.output(KERNEL).locator(".line .text")
    expect(lines.filter(has_text=STEPS)).to_have_count(1)
    button(notebook, KERNEL, "Next").click()
    expect(status(notebook, KERNEL)).to_contain_text("It is scan_0, lines 3 to")
    expect(notebook.output(KERNEL).locator(".line.now .text", has_text=STEPS)).to_have_count(1)
    expect(notebook.output(KERNEL).locator(".line.now .text", has_text="def scan_0")).to_have_count(0)
    notebook.picture(notebook.output(KERNEL), "kernel-loop")
