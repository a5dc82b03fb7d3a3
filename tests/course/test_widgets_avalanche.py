"""The avalanche grid shows which bits differ after each round of threefry, as the package computes it."""

from xml.etree import ElementTree

import numpy as np
import pytest
from processes import run

from minijax.course.figures import COLUMNS
from minijax.course.widgets import avalanche
from minijax.course.widgets.avalanche_running import BITS, COUNTER, KEY, ROUNDS, measured
from minijax.course.widgets.avalanche_view import DIFFERS, Controls
from minijax.layer6_random import threefry

SEEDS = [(0, 0), (42, 7), (2**64 - 1, 2**63 + 5), (1 << 40, 3)]


def words(n):
    return np.uint32(n >> 32), np.uint32(n & 0xFFFFFFFF)


def by_block(key, counter):
    """The result of the package's function, as one number."""
    upper, lower = threefry.block(*words(key), *words(counter))
    return int(upper) << 32 | int(lower)


@pytest.mark.parametrize(("key", "counter"), SEEDS)
def test_after_twenty_rounds_the_states_are_the_results_of_threefry(key, counter):
    found = avalanche(key, counter).found
    assert found.agrees
    assert found.plain[ROUNDS] == by_block(key, counter)
    for bit in (0, 5, 31, 32, 63):
        assert found.flipped[COUNTER, bit][ROUNDS] == by_block(key, counter ^ 1 << bit)
        assert found.flipped[KEY, bit][ROUNDS] == by_block(key ^ 1 << bit, counter)


def test_the_first_state_is_the_counter_with_the_key_added_to_each_word():
    assert measured(3, 5).plain[0] == 8
    assert measured(3, 2**32 - 1).plain[0] == 2  # the lower word wraps around, and nothing is carried
    assert len(measured(3, 5).plain) == ROUNDS + 1


def test_one_flipped_bit_spreads_to_about_half_of_the_bits():
    found = avalanche(42, 7).found
    means = [sum(found.counts(n)) / (2 * BITS) for n in range(ROUNDS + 1)]
    assert means[0] < 2
    assert means[:4] == sorted(means[:4])
    assert all(31 < mean < 33 for mean in means[8:])


def test_a_mix_of_the_learners_own_is_run_and_a_wrong_one_is_told(monkeypatch):
    monkeypatch.setattr(threefry, "block", lambda k0, k1, x0, x1: (x0, x1))
    grid = avalanche(1, 2)
    assert DIFFERS in grid.text()
    monkeypatch.setattr(threefry, "mix", lambda x0, x1, by: (x0, x1))
    assert avalanche(1, 2).found.count(COUNTER, 4, 20) == 1


# ---- what is refused


def test_what_is_no_number_of_64_bits_is_refused():
    with pytest.raises(TypeError, match=r"avalanche takes integers, and seed is 1\.5"):
        avalanche(1.5)
    with pytest.raises(ValueError, match=r"counter must be from 0 to 2\*\*64 - 1, got -1"):
        avalanche(0, -1)
    assert avalanche(np.int32(3)).found.key == 3


# ---- the forms


def status(page):
    body = ElementTree.fromstring(f"<all>{page.partition('</style>')[2]}</all>")
    return "".join(next(e for e in body.iter("p") if e.get("role") == "status").itertext())


def drawn(svg):
    """The SVG's parts: rectangles by their fill, and texts."""
    tree = ElementTree.fromstring(svg)
    rects = [e for e in tree.iter("{http://www.w3.org/2000/svg}rect") if e.get("x")]
    return tree, rects, ["".join(e.itertext()) for e in tree.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize(("of", "bit", "rounds"), [(COUNTER, 0, 0), (COUNTER, 40, 3), (KEY, 63, 20), (KEY, 7, 4)])
def test_a_page_marks_the_bits_that_differ_and_counts_them(of, bit, rounds):
    grid = avalanche(42, 7)
    page = grid.page_at(of, bit, rounds)
    count = grid.found.count(of, bit, rounds)
    assert f"Bit {bit} of {of} is flipped. After {rounds} round" in status(page)
    assert f" {count} bit" in status(page)
    _, rects, texts = drawn(page[page.index("<svg") : page.index("</svg>") + 6])
    marked = [r for r in rects if r.get("fill") == "#e69f00" and float(r.get("x")) > 60]
    assert len(marked) == count
    dark = [r for r in rects if r.get("fill") == "#1a1a1a"]
    assert len(dark) == sum(grid.found.count(of, bit, n) for n in range(ROUNDS + 1))
    digits = "".join(text for text in texts if text in ("0", "1"))
    assert f"{grid.found.plain[rounds]:064b}"[:32] == digits[:64:2]


def test_the_drawing_is_well_formed_fits_its_width_and_says_the_same_in_words():
    grid = avalanche(42, 7)
    tree, rects, _ = drawn(grid.svg())
    assert tree.get("aria-label") == grid.heading()
    assert tree.findtext("{*}desc") == grid.text()
    width, height = float(tree.get("width")), float(tree.get("height"))
    assert width <= 640
    assert all(float(r.get("x")) + float(r.get("width")) <= width for r in rects)
    assert all(float(r.get("y")) + float(r.get("height")) <= height for r in rects)


def test_the_text_has_short_lines_and_the_counts_of_all_rounds():
    grid = avalanche(42, 7)
    assert max(map(len, repr(grid).split("\n"))) <= COLUMNS
    counts = [grid.found.count(COUNTER, 0, n) for n in range(ROUNDS + 1)]
    assert ", ".join(map(str, counts)) in grid.text()


def test_the_controls_choose_the_number_the_bit_and_the_rounds():
    controls = Controls(avalanche(42, 7))
    assert "Bit 0 of the counter is flipped. After 0 rounds 1 bit of 64 differs." in controls.picture.value
    controls.rounds.go(99)
    controls.bit.go(63)
    controls.of.value = KEY
    assert "Bit 63 of the key is flipped. After 20 rounds" in controls.picture.value


# ---- the package under construction

EARLIER = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "5")
from minijax.course.widgets import avalanche
grid = avalanche(42)
grid.live(), grid.svg()
print("TOLD", grid.text())
"""


def test_before_the_chapter_the_grid_names_it():
    (told,) = [line for line in run(EARLIER).split("\n") if line.startswith("TOLD")]
    assert told == "TOLD The avalanche of threefry. A step is missing: chapter 6 brings it."


REPLACED = """
import sys
from minijax.course.widgets import avalanche
old = avalanche(42).text()
for name in [n for n in sys.modules if n.split(".")[0] == "minijax" and not n.startswith("minijax.course")]:
    del sys.modules[name]
print(avalanche(42).text() == old)
"""


def test_the_grid_follows_a_package_that_is_dropped_and_imported_again():
    assert run(REPLACED) == "True\n"
