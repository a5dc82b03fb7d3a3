"""The collective animator as a learner meets it: in JupyterLab, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from .test_widgets_in_jupyterlab import button, contrast, focused, looks, status

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
    notebook.cells.nth(SUM).locator(".jp-InputPrompt").click()
    found = []
    for _ in range(40):
        notebook.page.keyboard.press("Tab")
        found.append(focused(notebook.page))
        if found[-1] == "slider":
            break
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
    notebook.picture(notebook.output(cell), f"collectives-{cell}-{theme.lower()}")
    texts = looks(notebook.output(cell).locator(".minijax-page"))
    notebook.theme("Light")
    assert len(texts) > 5
    assert [text for text in texts if contrast(text[1], text[2]) < 4.5] == []
    assert [text for text in texts if text[3] < 14] == []


@pytest.mark.parametrize("width", [1366, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened(notebook, width):
    notebook.page.set_viewport_size({"width": width, "height": 2600})
    try:
        for cell in START:
            button(notebook, cell, "Next").click()
            expect(status(notebook, cell)).to_contain_text("Step 1 of ")
            box, area = notebook.output(cell).locator(".minijax-page"), notebook.output(cell)
            assert box.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
            assert box.bounding_box()["width"] <= area.bounding_box()["width"] + 1
            notebook.picture(area, f"collectives-{cell}-{width}")
    finally:
        notebook.page.set_viewport_size({"width": 1280, "height": 2600})
