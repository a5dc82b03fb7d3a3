"""The widgets of the course as a learner meets them: in JupyterLab, with a mouse, with a keyboard, in both themes."""

import nbformat
import pytest
from nbformat.sign import NotebookNotary, SQLiteSignatureStore
from playwright.sync_api import expect

import outputs

from .conftest import Notebook, assert_not_widened, button, contrast, focused, looks, status, tabbed

CELLS = [
    """\
import minijax.numpy as jnp
from minijax.course.widgets import dataflow, matrix, stepper

def f(x):
    rows = x.shape[0]
    y = jnp.sin(x)
    z = y * x
    return z / rows

def refused(x):
    y = x * 2
    if y > 0:
        return y
    return -y""",
    "stepper(f, jnp.ones(3))",
    "matrix()",
    "dataflow(f, jnp.ones(3))",
    "stepper(refused, 1.0)",
    """\
def wide(x):
    return jnp.sin(x) * 2.0  # a remark that makes this line much longer than one half of the page of a small laptop

stepper(wide, 1.0)""",
    "dataflow(lambda x: f(f(f(x))), jnp.ones(3))",
]
STEPPER, MATRIX, DATAFLOW, REFUSED, WIDE, TALL = 1, 2, 3, 4, 5, 6
WIDGETS = {"stepper": STEPPER, "matrix": MATRIX, "dataflow": DATAFLOW}


@pytest.fixture
def notebook(open_notebook):
    """The notebook with a cell for each widget, every widget at its start."""
    notebook = open_notebook("widgets.ipynb", CELLS)
    for cell in (STEPPER, MATRIX, DATAFLOW, REFUSED, WIDE, TALL):
        button(notebook, cell, "First").click()
    return notebook


@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget_appears_with_its_controls_and_its_sentence(notebook, name):
    cell = WIDGETS[name]
    expect(button(notebook, cell, "Next")).to_be_visible()
    expect(status(notebook, cell)).not_to_be_empty()
    expect(notebook.output(cell).locator(".minijax-page")).to_have_count(1)


def test_next_by_mouse_moves_the_stepper_one_equation_on(notebook):
    expect(status(notebook, STEPPER)).to_contain_text(
        "Step 0 of 4. f is called with a tracer for each array: a:f32[3]."
    )
    button(notebook, STEPPER, "Next").click()
    expect(status(notebook, STEPPER)).to_have_text(
        "Step 1 of 4. Line 6 of f, y = jnp.sin(x), bound the primitive sin: b:f32[3] = sin a."
    )


def test_the_marked_line_is_the_one_that_bound_the_newest_equation(notebook):
    marked = notebook.output(STEPPER).locator(".line.now")
    expect(marked).to_have_count(0)
    for line, equation in (("y = jnp.sin(x)", "b:f32[3] = sin a"), ("z = y * x", "c:f32[3] = mul b a")):
        button(notebook, STEPPER, "Next").click()
        expect(marked.locator(".text")).to_have_text([line, equation])
        expect(marked.locator(".mark")).to_have_text(["→", "→"])


def test_first_previous_next_and_last_lead_where_they_say(notebook):
    for name, step in (("Last", 4), ("Previous", 3), ("Next", 4), ("Next", 4), ("First", 0), ("Previous", 0)):
        button(notebook, STEPPER, name).click()
        expect(status(notebook, STEPPER)).to_contain_text(f"Step {step} of 4.")


def test_tab_leads_from_the_cell_through_all_controls(notebook):
    found = tabbed(notebook, STEPPER)
    assert [name for name in found if name in ("First", "Previous", "Next", "Last", "slider")] == [
        "First",
        "Previous",
        "Next",
        "Last",
        "slider",
    ]


def test_space_enter_and_arrows_operate_the_stepper(notebook):
    page = notebook.page
    button(notebook, STEPPER, "Next").focus()
    for step, key in enumerate(("Space", "Enter"), start=1):
        page.keyboard.press(key)
        expect(status(notebook, STEPPER)).to_contain_text(f"Step {step} of 4.")
    assert focused(page) == "Next"
    notebook.output(STEPPER).get_by_role("slider").focus()
    for key, step in (("ArrowRight", 3), ("ArrowLeft", 2), ("End", 4), ("Home", 0), ("ArrowUp", 1), ("ArrowDown", 0)):
        page.keyboard.press(key)
        expect(status(notebook, STEPPER)).to_contain_text(f"Step {step} of 4.")


def test_arrows_choose_an_equation_of_the_dataflow(notebook):
    notebook.output(DATAFLOW).get_by_role("slider").focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(status(notebook, DATAFLOW)).to_contain_text("Equation 1, b:f32[3] = sin a, reads the input a.")
    notebook.page.keyboard.press("ArrowRight")
    expect(status(notebook, DATAFLOW)).to_contain_text("reads b of equation 1 and the input a.")
    marked = notebook.output(DATAFLOW).locator("g:has(> rect[stroke-width='3'])")
    expect(marked.locator("text").first).to_have_text("2  mul")


def test_a_primitive_is_typed_or_reached_by_arrows_and_a_family_by_space(notebook):
    page = notebook.page
    notebook.output(MATRIX).get_by_role("combobox").fill("sin")
    expect(status(notebook, MATRIX)).to_contain_text("sin, of the group elementwise. shape rule: layer1_core/lax/")
    notebook.output(MATRIX).get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect(status(notebook, MATRIX)).to_contain_text("cos, of the group elementwise.")
    for family, words in (
        ("jvp", "cos, of the group elementwise. jvp: layer4_grad/families.py"),
        ("sharding", "cos, of the group elementwise. sharding: layer7_sharding/families.py"),
        ("all", "impl: layer1_core"),
    ):
        button(notebook, MATRIX, family).focus()
        page.keyboard.press("Space")
        expect(status(notebook, MATRIX)).to_contain_text(words)


def test_keys_that_are_commands_of_jupyterlab_do_no_harm_in_the_field_for_a_name(notebook):
    count = notebook.cells.count()
    field = notebook.output(MATRIX).get_by_role("combobox")
    field.fill("")
    field.press_sequentially("add")  # in JupyterLab's command mode: new cell, delete cell
    expect(status(notebook, MATRIX)).to_contain_text("add, of the group elementwise.")
    assert notebook.cells.count() == count


def test_a_function_that_is_refused_shows_its_error_as_the_last_step(notebook):
    button(notebook, REFUSED, "Last").click()
    expect(status(notebook, REFUSED)).to_contain_text(
        "Line 12 of refused, if y > 0:, stopped the tracing. TracerBoolConversionError: Attempted boolean conversion"
    )
    expect(notebook.output(REFUSED).locator(".line.error")).to_contain_text("TracerBoolConversionError")
    expect(notebook.output(REFUSED)).not_to_contain_text("Traceback")


def seen_colour(page, colour, ground):
    """rgb(r, g, b) of a colour, which may let the ground shine through, as the browser paints it."""
    paint = """([colour, ground]) => {
      const canvas = document.createElement("canvas").getContext("2d");
      for (canvas.fillStyle of [ground, colour]) canvas.fillRect(0, 0, 1, 1);
      return `rgb(${canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).join(", ")})`;
    }"""
    return page.evaluate(paint, [colour, ground])


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("name", WIDGETS)
def test_every_text_of_a_widget_is_legible(notebook, name, theme):
    cell = WIDGETS[name]
    notebook.theme(theme)
    button(notebook, cell, "Next").click()
    if name == "stepper":
        expect(status(notebook, cell)).to_contain_text("Step 1")
    notebook.picture(notebook.output(cell), f"{name}-{theme.lower()}")
    texts = looks(notebook.output(cell).locator(".jp-OutputArea-output"))
    assert len(texts) > 10
    assert [text for text in texts if contrast(text[1], text[2]) < 4.5] == []
    notebook.theme("Light")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_a_button_that_leads_nowhere_is_legible(notebook, theme):
    notebook.theme(theme)
    name = button(notebook, STEPPER, "First")
    ground = name.evaluate("e => getComputedStyle(e).backgroundColor")
    assert contrast(seen_colour(notebook.page, name.evaluate("e => getComputedStyle(e).color"), ground), ground) >= 4.5
    notebook.picture(notebook.output(STEPPER), f"buttons-{theme.lower()}")
    notebook.theme("Light")


@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget_has_text_of_14_pixels_or_more(notebook, name):
    texts = looks(notebook.output(WIDGETS[name]).locator(".minijax-page"))
    assert [text for text in texts if text[3] < 14] == []


@pytest.mark.parametrize("width", [1000, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened_by_a_widget(notebook, width):
    with notebook.sized(width):
        for cell in WIDGETS.values():
            assert_not_widened(notebook, cell)
        notebook.picture(notebook.output(STEPPER), f"stepper-{width}")
        notebook.picture(notebook.output(MATRIX), f"matrix-{width}")


@pytest.fixture
def laptop(notebook):
    """The notebook in a page of the size of a small laptop's."""
    with notebook.sized(1366, 768):
        yield notebook


def test_the_matrix_answers_on_the_screen_where_a_name_is_typed(laptop):
    output, field = laptop.output(MATRIX), laptop.output(MATRIX).get_by_role("combobox")
    field.fill("matmul")
    expect(status(laptop, MATRIX)).to_contain_text("No primitive is called matmul. The nearest name is mul.")
    field.fill("sin")
    expect(status(laptop, MATRIX)).to_contain_text("sin, of the group elementwise.")
    answer = status(laptop, MATRIX).bounding_box()
    assert answer["y"] + answer["height"] - field.bounding_box()["y"] < 250
    assert output.locator(".scroll svg").bounding_box()["y"] >= answer["y"] + answer["height"]
    button(laptop, MATRIX, "transpose").click()
    laptop.picture(output, "matrix-laptop")


def test_the_stepper_has_its_columns_side_by_side_and_they_stay_where_they_are(laptop):
    columns, seen = laptop.output(STEPPER).locator(".col"), []
    for step in range(5):
        expect(status(laptop, STEPPER)).to_contain_text(f"Step {step} of 4.")
        seen.append([columns.nth(i).bounding_box() for i in (0, 1)])
        button(laptop, STEPPER, "Next").click()
    laptop.picture(laptop.output(STEPPER), "stepper-laptop")
    left, right = seen[0]
    assert left["x"] + left["width"] < right["x"]
    assert all(abs(box[side] - right[side]) < 1 for _, box in seen for side in ("x", "width"))


def test_long_lines_stay_beside_the_program_and_their_numbers_in_sight(laptop):
    columns = laptop.output(WIDE).locator(".col")
    button(laptop, WIDE, "Last").click()
    expect(status(laptop, WIDE)).to_contain_text("returned")
    left, right = columns.nth(0).bounding_box(), columns.nth(1).bounding_box()
    assert left["x"] + left["width"] < right["x"]
    mark = laptop.output(WIDE).locator(".bound").last
    expect(mark).to_have_text("1-2")
    assert mark.bounding_box()["x"] + mark.bounding_box()["width"] <= left["x"] + left["width"]
    laptop.picture(laptop.output(WIDE), "stepper-wide-laptop")


def test_the_wheel_moves_the_page_above_a_tall_drawing(laptop):
    drawing = laptop.output(TALL).locator(".scroll")
    assert drawing.evaluate("e => e.scrollHeight - e.clientHeight") == 0
    assert drawing.bounding_box()["height"] > 700
    laptop.picture(laptop.output(TALL), "dataflow-tall")


# ---- the file, without a kernel


def recorded(notebook, lab, name):
    """The notebook as it was run, saved and settled as `make outputs` settles it, under another name."""
    notebook.command("docmanager:save")
    saved = nbformat.read(lab.notebooks / "widgets.ipynb", as_version=4)
    outputs.settle(saved)
    saved.metadata = nbformat.NotebookNode()  # JupyterLab asks which kernel to take
    saved.cells[0].source += f"  # {name}"  # trust goes by content: no two files have the same
    nbformat.write(saved, lab.notebooks / name)
    return saved


def open_without_kernel(browser, lab, name):
    opened = Notebook(browser, lab, name)
    opened.page.get_by_role("dialog").get_by_role("button", name="No Kernel").click()
    return opened


def test_a_saved_notebook_shows_the_drawings_without_a_kernel(notebook, browser, lab):
    saved = recorded(notebook, lab, "trusted.ipynb")
    data = lab.folder / "jupyter_data_dir"
    notary = NotebookNotary(
        data_dir=str(data), store_factory=lambda: SQLiteSignatureStore(str(data / "nbsignatures.db"))
    )
    notary.sign(saved)
    opened = open_without_kernel(browser, lab, "trusted.ipynb")
    for cell in WIDGETS.values():
        drawing = opened.output(cell).locator("img[src^='data:image/svg+xml']")
        expect(drawing).to_be_visible()
        assert drawing.evaluate("e => e.naturalWidth") > 200
        opened.picture(opened.output(cell), f"paper-{cell}")
    opened.page.close()


def test_a_notebook_that_is_not_trusted_shows_the_words(notebook, browser, lab):
    recorded(notebook, lab, "untrusted.ipynb")
    opened = open_without_kernel(browser, lab, "untrusted.ipynb")
    for cell, words in (
        (STEPPER, "Tracing f wrote 3 equations"),
        (MATRIX, "primitives in"),
        (DATAFLOW, "Inputs: a:f32[3]."),
    ):
        expect(opened.output(cell)).to_contain_text(words)
    opened.page.close()
