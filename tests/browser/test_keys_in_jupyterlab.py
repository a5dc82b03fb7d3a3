"""The key tree and the avalanche grid as a learner meets them: in JupyterLab, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from .conftest import assert_legible, assert_not_widened, button, focused, status, tabbed

CELLS = [
    """\
import minijax as jax
import minijax.numpy as jnp
from minijax import lax, random
from minijax.course.widgets import avalanche, key_tree

def draws(key):
    a, b = random.split(key)
    x = random.normal(a, (3,))
    y = random.uniform(a, (3,))
    return x + y, random.categorical(random.fold_in(b, 1), jnp.zeros(4))

def steps(seed):
    def step(key, i):
        key, sub = random.split(key)
        return key, random.normal(sub)
    return lax.scan(step, random.key(seed), jnp.arange(4))""",
    "key_tree(draws, random.key(42))",
    "key_tree(steps, 7)",
    "key_tree(0)",
    "avalanche(42, 7)",
]
DRAWS, STEPS, PRESSED, AVALANCHE = 1, 2, 3, 4


@pytest.fixture
def notebook(open_notebook):
    """The notebook with the widgets at their start."""
    notebook = open_notebook("keys.ipynb", CELLS)
    button(notebook, PRESSED, "Start again").click()
    expect(status(notebook, PRESSED)).to_contain_text("The key 00000000 00000000 is chosen.")
    button(notebook, AVALANCHE, "the counter").click()
    for k in range(2):
        notebook.output(AVALANCHE).get_by_role("button", name="First", exact=True).nth(k).click()
    expect(status(notebook, AVALANCHE)).to_contain_text("Bit 0 of the counter is flipped. After 0 rounds 1 bit")
    for cell in (DRAWS, STEPS):
        button(notebook, cell, "First").click()
        expect(status(notebook, cell)).to_contain_text("The keys of ")
    return notebook


def test_a_key_that_is_used_twice_is_told_when_it_happens(notebook):
    for step in range(1, 4):
        button(notebook, DRAWS, "Next").click()
        expect(status(notebook, DRAWS)).to_contain_text(f"Step {step} of 5.")
    expect(status(notebook, DRAWS)).to_contain_text("random.uniform(a, (3,)) uses up")
    expect(status(notebook, DRAWS)).to_contain_text("has been used before, by random.normal(a, (3,)) (line 8).")
    expect(notebook.output(DRAWS).locator(".scroll svg").get_by_text("used twice", exact=True)).to_have_count(1)
    notebook.picture(notebook.output(DRAWS), "keys-twice")


def test_the_steps_are_chosen_by_keys(notebook):
    notebook.output(STEPS).get_by_role("slider").focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(status(notebook, STEPS)).to_contain_text("Step 1 of 9. Line 16: random.key(seed) makes the key")
    notebook.page.keyboard.press("ArrowRight")
    expect(status(notebook, STEPS)).to_contain_text("Step 2 of 9. Line 14, round 0: random.split(key) uses up")
    assert focused(notebook.page) == "slider"


def test_a_tree_grows_by_keys_and_the_focus_stays(notebook):
    button(notebook, PRESSED, "Split in two").focus()
    notebook.page.keyboard.press("Enter")
    expect(status(notebook, PRESSED)).to_contain_text("Press 1: split(key) uses up 0000 0000 and makes")
    assert focused(notebook.page) == "Split in two"
    button(notebook, PRESSED, "Next").click()
    expect(status(notebook, PRESSED)).to_contain_text("is chosen.")
    for _ in range(2):
        button(notebook, PRESSED, "Draw a number").click()
    expect(status(notebook, PRESSED)).to_contain_text("has been used before, by uniform(key) = ")
    notebook.picture(notebook.output(PRESSED), "keys-pressed")


def test_the_avalanche_follows_its_controls(notebook):
    sliders = notebook.output(AVALANCHE).get_by_role("slider")
    sliders.nth(1).focus()
    for rounds in range(1, 4):
        notebook.page.keyboard.press("ArrowRight")
        expect(status(notebook, AVALANCHE)).to_contain_text(f"After {rounds} round")
    assert focused(notebook.page) == "slider"
    button(notebook, AVALANCHE, "the key").click()
    expect(status(notebook, AVALANCHE)).to_contain_text("Bit 0 of the key is flipped. After 3 rounds")
    notebook.output(AVALANCHE).get_by_role("button", name="Last", exact=True).nth(0).click()
    expect(status(notebook, AVALANCHE)).to_contain_text("Bit 63 of the key is flipped.")
    notebook.picture(notebook.output(AVALANCHE), "avalanche")


def test_tab_leads_through_all_controls(notebook):
    movers = ["First", "Previous", "Next", "Last", "slider"]
    expected = [*movers, "Split in two", "Fold in the next number", "Draw a number", "Start again"]
    expected += ["the counter", "the key", *movers, *movers]
    found = tabbed(notebook, PRESSED, times=3)
    assert [x for x in found if x in expected] == expected


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("cell", [DRAWS, STEPS, PRESSED, AVALANCHE])
def test_every_text_is_legible(notebook, cell, theme):
    notebook.theme(theme)
    button(notebook, cell, "Last").first.click()
    assert_legible(notebook, cell, f"keys-{cell}-{theme.lower()}")


@pytest.mark.parametrize("width", [1366, 640])  # 640: a page of 1280 at a zoom of 200 %
def test_a_narrow_page_is_not_widened(notebook, width):
    with notebook.sized(width):
        for cell in (DRAWS, PRESSED, AVALANCHE):
            button(notebook, cell, "Last").first.click()
            assert_not_widened(notebook, cell)
            notebook.picture(notebook.output(cell), f"keys-{cell}-{width}")
