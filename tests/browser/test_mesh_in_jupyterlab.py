"""The mesh explorer as a learner meets it: in JupyterLab, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from .conftest import assert_legible, assert_not_widened, focused, status, tabbed

CELLS = [
    "from minijax.course.widgets import mesh_explorer",
    "mesh_explorer()",
    'mesh_explorer((4, 8, 16), ("z", ("x", "y")), {"x": 2, "y": 2, "z": 2})',
    'mesh_explorer((8, 16), ("x",), program="x @ w", other=(None, "y"))',
]
PLAIN, CUBE, PROGRAM = 1, 2, 3
START = {PLAIN: "float32[8@x,16@y]", CUBE: "float32[4@z,8@(x,y),16]", PROGRAM: "float32[8@x,16]"}


@pytest.fixture
def notebook(open_notebook):
    return open_notebook("mesh.ipynb", CELLS)


def rows(notebook, cell):
    return notebook.output(cell).locator(".widget-toggle-buttons")


def press(notebook, cell, row, name):
    """Press one of the buttons of a row, counted from 0 on."""
    rows(notebook, cell).nth(row).get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("cell", START)
def test_the_explorer_appears_with_its_type(notebook, cell):
    expect(status(notebook, cell)).to_contain_text(f"The type is {START[cell]}.")
    expect(notebook.output(cell).locator(".scroll svg")).to_have_count(1)


def test_a_choice_by_keys_changes_the_drawing_and_the_focus_stays(notebook):
    rows(notebook, PLAIN).nth(3).get_by_role("button", name="None", exact=True).focus()
    notebook.page.keyboard.press("Enter")
    expect(status(notebook, PLAIN)).to_contain_text("The type is float32[8@x,16].")
    expect(status(notebook, PLAIN)).to_contain_text("hold the same: each block is there 2 times")
    assert focused(notebook.page) == "None"
    notebook.picture(notebook.output(PLAIN), "mesh-replicas")
    press(notebook, PLAIN, 3, "x")
    expect(status(notebook, PLAIN)).to_contain_text("Mesh axis x is named twice.")
    notebook.picture(notebook.output(PLAIN), "mesh-twice")
    press(notebook, PLAIN, 3, "y")
    expect(status(notebook, PLAIN)).to_contain_text("The type is float32[8@x,16@y].")


def test_a_program_is_chosen_with_the_division_of_its_second_operand(notebook):
    area = notebook.output(PROGRAM)
    expect(area.locator(".traces").first).to_contain_text("float32[8@x,64@y]")
    press(notebook, PROGRAM, 6, "x")
    expect(area.locator(".note").first).to_contain_text(
        "the types do not tell the result. ShardingTypeError: dot_general"
    )
    press(notebook, PROGRAM, 6, "y")
    expect(area.locator(".traces").first).to_contain_text("float32[8@x,64@y]")


def test_tab_leads_through_all_rows(notebook):
    found = tabbed(notebook, PLAIN, "x.sum(-1)")
    entries = ["None", "x", "y", "z", "(x, y)", "(y, x)", "(x, y, z)"]
    programs = ["none", "x @ w", "x + y", "x.sum(0)", "x.sum(-1)"]
    expected = ["x: 4, y: 2", "x: 2, y: 2", "(8, 16)", "(4, 8, 16)", *entries, *entries, *programs]
    assert [x for x in found if x in expected] == expected


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("cell", START)
def test_every_text_is_legible(notebook, cell, theme):
    notebook.theme(theme)
    assert_legible(notebook, cell, f"mesh-{cell}-{theme.lower()}")


@pytest.mark.parametrize("width", [1366, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened(notebook, width):
    with notebook.sized(width):
        for cell in START:
            assert_not_widened(notebook, cell)
            notebook.picture(notebook.output(cell), f"mesh-{cell}-{width}")
