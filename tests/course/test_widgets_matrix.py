"""The matrix shows every primitive and every family of rules of the package, as its own tables have them."""

import html
import re
import sys
import types
from pathlib import Path
from xml.etree import ElementTree

import pytest

import minijax
from minijax.course.widgets import matrix
from minijax.course.widgets.rules import HOLE, REASON, RULE
from minijax.layer1_core.primitive import Primitive, RuleTable, impl_rules

ROOT = Path(minijax.__file__).parent


@pytest.fixture
def before_chapter_7(monkeypatch):
    """The matrix as it is without the layer of chapter 7."""
    for name in [name for name in sys.modules if name.startswith("minijax.layer7_sharding")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.fixture
def sharding(monkeypatch, before_chapter_7):
    """A chapter that brings a family of rules: one rule, one declared reason, and holes."""
    table = RuleTable("sharding", "no sharding of {0}")
    by_name = {p.name: p for p in impl_rules}
    table[by_name["sin"]] = lambda g, x: g
    table[by_name["floor"]] = types.SimpleNamespace(reason="it is flat")
    module = types.ModuleType("minijax.layer7_sharding")
    module.sharding_rules = table
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return next(family for family in matrix().rules.families if family.name == "sharding")


def family(name, figure=None):
    return next(f for f in (figure or matrix()).rules.families if f.name == name)


def test_every_primitive_that_has_a_rule_is_in_the_matrix_once():
    assert sorted(matrix().rules.primitives()) == sorted(p.name for p in impl_rules)


def test_a_primitive_stands_in_the_group_of_the_module_that_defines_it():
    groups = matrix().rules.groups
    assert groups["dot"] == ["dot_general"]
    assert {"sin", "add"} <= set(groups["elementwise"])
    assert {"svd", "triangular_solve", "geqrf"} <= set(groups["linalg"])
    assert {"jit", "custom_jvp_call"} <= set(groups["calls"])


@pytest.mark.parametrize("name", ["shape rule", "impl"])
def test_a_rule_is_where_the_matrix_says(name):
    for primitive, cell in family(name).cells.items():
        assert cell.state == RULE
        path, kind, function = re.fullmatch(
            r"([\w/]+\.py), (function|a function made by|a lambda) ?(\w*)", cell.words
        ).groups()
        text = (ROOT / path).read_text()
        assert f"def {function}(" in text if kind != "a lambda" else "lambda" in text, primitive


def test_a_module_inside_a_folder_of_lax_belongs_to_the_group_of_the_folder(monkeypatch):
    module = types.ModuleType("minijax.layer1_core.lax.linalg.more")
    module.more_p = Primitive("more")
    module.more_p.def_abstract_eval(lambda x: x)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert "more" in matrix().rules.groups["linalg"]


def test_a_primitive_of_the_learners_own_is_shown_with_what_it_lacks(monkeypatch):
    mine = Primitive("mul_add")
    monkeypatch.setitem(impl_rules, mine, lambda x, y, z: x * y + z)
    figure = matrix()
    assert figure.rules.groups["your own"] == ["mul_add"]
    assert family("shape rule", figure).cells["mul_add"].state == HOLE
    assert family("impl", figure).cells["mul_add"].state == RULE
    assert f"shape rule: {len(impl_rules) - 1} rules and 1 hole" in figure.text()


def test_a_primitive_with_a_name_that_is_taken_is_shown_beside_the_other(monkeypatch):
    monkeypatch.setitem(impl_rules, Primitive("sin"), lambda x: x)
    figure = matrix()
    assert figure.rules.groups["your own"] == ["sin'"]
    assert "sin" in figure.rules.groups["elementwise"]


def test_a_chapter_that_is_not_there_is_named(before_chapter_7):
    assert family("sharding").cells is None
    assert matrix().answer("sin", family("sharding")).endswith("sharding: chapter 7 brings it.")


def test_a_table_of_a_new_chapter_fills_its_column(sharding):
    states = {name: sharding.cells[name].state for name in ("sin", "floor", "cos")}
    assert states == {"sin": RULE, "floor": REASON, "cos": HOLE}
    assert sharding.count(RULE) == sharding.count(REASON) == 1
    assert "sharding of floor: no rule, and that is right: it is flat" in matrix().text()


def test_a_table_that_no_chapter_planned_is_shown_after_the_others(monkeypatch):
    module = types.ModuleType("minijax.layer1_core.lax.more")
    module.rules = RuleTable("cost", "no cost of {0}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert matrix().rules.families[-1].name == "cost"


def tiles(figure):
    drawing = ElementTree.fromstring(figure.svg())
    return [group.findtext("{*}title") for group in drawing.iter("{http://www.w3.org/2000/svg}g")]


def test_the_drawing_has_a_tile_for_each_cell(sharding):
    figure = matrix()
    cells = [(name, cell) for f in figure.rules.families for name, cell in (f.cells or {}).items()]
    legend = 3
    assert sorted(tiles(figure)[:-legend]) == sorted(f"{name}: {cell.state}" for name, cell in cells)


def test_the_three_states_have_three_shapes(sharding):
    drawing = ElementTree.fromstring(matrix().svg())
    looks = {
        group.findtext("{*}title").split(": ")[-1]: (
            group.find("{*}rect").get("height"),
            group.find("{*}rect").get("fill"),
        )
        for group in list(drawing.iter("{http://www.w3.org/2000/svg}g"))[:-3]
    }
    assert set(looks) == {RULE, REASON, HOLE}
    assert len(set(looks.values())) == 3


def test_the_text_has_every_primitive_and_every_family():
    figure = matrix()
    words = set(re.findall(r"[\w-]+", figure.text()))
    assert words >= set(figure.rules.primitives())
    assert all(f"\n{f.name}: " in figure.text() for f in figure.rules.families)


def test_what_is_chosen_is_told_and_marked():
    figure = matrix()
    controls, typed, families, picture = figure.live().children
    slider = controls.children[-1]
    typed.value = "sin"
    assert figure.rules.primitives()[slider.value - 1] == "sin"
    assert picture.value == figure.page_at("sin", None)
    families.value = "impl"
    assert picture.value == figure.page_at("sin", family("impl", figure)) != figure.page_at("sin", None)
    slider.value += 1
    assert typed.value == figure.rules.primitives()[slider.value - 1]


def test_a_name_that_is_no_primitive_is_told_with_the_nearest_ones_and_keeps_what_is_chosen():
    figure = matrix()
    controls, typed, _, picture = figure.live().children
    slider = controls.children[-1]
    slider.value = 5
    chosen, before = slider.value, picture.value
    for name, near in (
        ("sinq", "sin, sinh and sign"),
        ("si", "sin, sign, sinh"),
        ("COS", "cos, cosh, acos"),
        ("<b>", ""),
    ):
        typed.value = name
        assert f"No primitive is called {html.escape(name)}. " in picture.value
        assert (f"The nearest names are {near}" if near else "No name is near it.") in picture.value
        assert slider.value == chosen
    typed.value = figure.rules.primitives()[chosen - 1]
    assert picture.value == before


def test_the_sentence_stands_above_the_drawing_and_keeps_it_in_its_place():
    page = matrix().page_at("sin", None)
    assert page.index("role='status'") < page.index("<svg")
    assert re.search(r"min-height:[\d.]+em", page.partition("<svg")[0])


def test_a_lowering_rule_is_told_with_its_class_its_file_and_what_it_means():
    cells = family("lowering").cells
    assert cells["add"].words == "Pointwise with layer2_jit/rules.py, a function made by op"
    assert cells["transpose"].words == "Moved with layer2_jit/rules.py, function transpose_place"
    assert cells["squeeze"].words == "Relaid of layer2_jit/lowering.py"
    assert cells["sort"].words == "Called of layer2_jit/lowering.py"
    assert matrix().answer("sort", family("lowering")).endswith("Computed by the impl rule, on whole arrays.")


def test_the_names_of_the_families_do_not_touch_when_they_are_bold():
    """The widest bold letters of the usual fonts are about 0.63 of their size, in a word."""
    drawing = ElementTree.fromstring(matrix().svg())
    names = {f.name for f in matrix().rules.families}
    heads = [e for e in drawing.iter("{http://www.w3.org/2000/svg}text") if e.text in names and e.get("y") == "20"]
    starts = [float(e.get("x")) for e in heads]
    assert len(starts) == len(names)
    for head, start, following in zip(heads, starts, starts[1:], strict=False):
        assert start + len(head.text) * 0.63 * 14 + 10 <= following
