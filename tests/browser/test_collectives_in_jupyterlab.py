"""The collective animator as a learner meets it: in JupyterLab, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from .conftest import assert_legible, assert_not_widened, button, focused, status, tabbed

CELLS = [
    "from minijax.course.widgets import collectives",
    "collectives()",
    'collectives("all_to_all")',
    'collectives("pmean", (2, 2), "y")',
]
SUM, EXCHANGE, GROUPS = 1, 2, 3
START = {SUM: "psum of 4 devices", EXCHANGE: "all_to_all of 4 devices", GROUPS: "along y, in 2 groups of 2"}


@pytest.fixture
def notebook(open_notebook):
    """The notebook with each widget at its first step."""
    notebook = open_notebook("collectives.ipynb", CELLS)
    button(notebook, SUM, "psum").click()
    for cell in START:
        button(notebook, cell, "First").click()
        expect(status(notebook, cell)).to_contain_text(START[cell])
    return notebook


def test_the_steps_are_chosen_by_keys_and_the_focus_stays(notebook):
    notebook.output(SUM).get_by_role("slider").focus()
    for step in range(1, 7):
        notebook.page.keyboard.press("ArrowRight")
        expect(status(notebook, SUM)).to_contain_text(f"Step {step} of 6.")
        expect(status(notebook, SUM)).to_contain_text(f"Each device has sent {4 * step} bytes.")
    notebook.page.keyboard.press("ArrowRight")
    expect(status(notebook, SUM)).to_contain_text("lax.psum(v, 'x') in shard_map gives the same.")
    assert focused(notebook.page) == "slider"


def test_another_collective_begins_at_its_first_step(notebook):
    button(notebook, SUM, "Last").click()
    button(notebook, SUM, "psum_scatter").click()
    expect(status(notebook, SUM)).to_contain_text("psum_scatter of 4 devices as a ring, 3 steps")
    button(notebook, SUM, "Next").click()
    expect(status(notebook, SUM)).to_contain_text("Step 1 of 3. Each device sends one block to the next one")
    button(notebook, SUM, "2 x 2, along x").click()
    expect(status(notebook, SUM)).to_contain_text("Devices 0 and 2; 1 and 3 speak to each other.")
    button(notebook, SUM, "4").click()


def test_tab_leads_through_all_controls(notebook):
    found = tabbed(notebook, SUM)
    expected = ["psum", "pmean", "pmax", "all_gather", "psum_scatter", "ppermute", "all_to_all"]
    expected += ["2", "3", "4", "2 x 2, along x", "2 x 2, along y", "First", "Previous", "Next", "Last", "slider"]
    assert [x for x in found if x in expected] == expected


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("cell", START)
def test_every_text_is_legible(notebook, cell, theme):
    notebook.theme(theme)
    for _ in range(2):
        button(notebook, cell, "Next").click()
    expect(status(notebook, cell)).to_contain_text("Step 2 of ")
    assert_legible(notebook, cell, f"collectives-{cell}-{theme.lower()}")


@pytest.mark.parametrize("width", [1366, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened(notebook, width):
    with notebook.sized(width):
        for cell in START:
            button(notebook, cell, "Next").click()
            expect(status(notebook, cell)).to_contain_text("Step 1 of ")
            assert_not_widened(notebook, cell)
            notebook.picture(notebook.output(cell), f"collectives-{cell}-{width}")
