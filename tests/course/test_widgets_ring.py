"""The collective animator shows a ring algorithm whose result is that of the package's own collectives."""

import html
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from processes import run

import minijax as jax
from minijax import lax
from minijax.course.figures import COLUMNS
from minijax.course.widgets import collectives, ring_running
from minijax.course.widgets.ring_algorithms import ALGORITHMS, numbers
from minijax.course.widgets.ring_view import MESHES, Controls
from minijax.layer1_core import config
from minijax.sharding import PartitionSpec as P

CASES = [(name, mesh) for name in ALGORITHMS for mesh in MESHES]
DEVICES = {
    "2": (2, "x"),
    "3": (3, "x"),
    "4": (4, "x"),
    "2 x 2, along x": ((2, 2), "x"),
    "2 x 2, along y": ((2, 2), "y"),
}
SVG = "{http://www.w3.org/2000/svg}"


def made(name, mesh):
    return collectives(name, *DEVICES[mesh])


def by_shard_map(found):
    """What each device gets, by a program written for JAX."""
    names, n = tuple(name for name, _ in found.sizes), found.n
    axis, ring = found.axis, [(i, (i + 1) % found.n) for i in range(found.n)]
    programs = {
        "psum": lambda v: lax.psum(v, axis),
        "pmean": lambda v: lax.pmean(v, axis),
        "pmax": lambda v: lax.pmax(v, axis),
        "all_gather": lambda v: lax.all_gather(v, axis, tiled=True),
        "psum_scatter": lambda v: lax.psum_scatter(v, axis, tiled=True),
        "ppermute": lambda v: lax.ppermute(v, axis, ring),
        "all_to_all": lambda v: lax.all_to_all(v, axis, 0, 0, tiled=True),
    }
    rows = [numbers(ALGORITHMS[found.name], d, n) for d in range(found.devices)]
    with config.num_cpu_devices(4):
        kinds = (jax.sharding.AxisType.Auto,) * len(names)
        mesh = jax.make_mesh(tuple(size for _, size in found.sizes), names, kinds)
        f = jax.shard_map(programs[found.name], mesh=mesh, in_specs=P(names), out_specs=P(names))
        return np.asarray(f(np.array(rows, np.float32).ravel())).reshape(found.devices, -1)


# ---- the result


@pytest.mark.parametrize(("name", "mesh"), CASES)
def test_the_last_step_that_is_drawn_is_what_shard_map_gives(name, mesh):
    figure = made(name, mesh)
    expected = by_shard_map(figure.found)
    last = ElementTree.fromstring(figure.page_at(figure.found.places - 1).partition("</style>")[2])
    texts = [t for t in last.iter(f"{SVG}text") if "mono" in (t.get("class") or "")]
    drawn = [float(t.text) for t in sorted(texts, key=lambda t: float(t.get("x")))]
    np.testing.assert_allclose(drawn, expected.ravel(), rtol=2e-3)  # two decimals are drawn
    np.testing.assert_allclose([[cell.value for cell in row] for row in figure.found.end], expected, rtol=1e-6)
    np.testing.assert_array_equal(figure.found.result, expected)
    assert figure.found.agrees
    assert f"`{figure.found.code}` in `shard_map` gives the same" in figure.text()


def test_a_collective_that_gives_something_else_is_told(monkeypatch):
    monkeypatch.setattr(ring_running, "called", lambda name, v, axis, ring: 2 * v)
    figure = collectives("ppermute", 2)
    assert not figure.found.agrees
    assert "gives something else: device 0: 0; device 1: 20" in figure.text()


def test_what_the_package_refuses_is_told(monkeypatch):
    def refusing(name, v, axis, ring):
        raise ValueError("not today")

    monkeypatch.setattr(ring_running, "called", refusing)
    figure = collectives("psum", 2)
    assert "The package cannot compute it. ValueError: not today." in figure.text()
    assert figure.svg() and figure.live() and figure.page_at(0)


# ---- the steps


@pytest.mark.parametrize(("name", "mesh"), CASES)
def test_each_message_carries_what_its_sender_has_and_no_number_is_combined_twice(name, mesh):
    found = made(name, mesh).found
    for place, step in enumerate(found.steps):
        before, after = found.state(place), step.state
        for m in step.messages:
            block, there = before[m.sender][m.source], before[m.receiver][m.target]
            assert block is not None
            if m.adds:
                assert not {*block.parts} & {*there.parts}
                assert {*after[m.receiver][m.target].parts} == {*block.parts, *there.parts}
            else:
                assert after[m.receiver][m.target] == block


@pytest.mark.parametrize(("name", "mesh"), CASES)
def test_in_each_step_each_device_sends_one_block_and_gets_one_in_its_own_group(name, mesh):
    found = made(name, mesh).found
    for step in found.steps:
        sent = [m for m in step.messages if m.travels]
        assert sorted(m.sender for m in sent) == sorted(m.receiver for m in sent) == [*range(found.devices)]
        assert all(any({m.sender, m.receiver} <= {*group} for group in found.groups) for m in step.messages)


@pytest.mark.parametrize(("name", "mesh"), [case for case in CASES if case[0] != "all_to_all"])
def test_in_a_ring_each_device_sends_to_the_next_one_only(name, mesh):
    found = made(name, mesh).found
    following = {group[i]: group[(i + 1) % len(group)] for group in found.groups for i in range(len(group))}
    assert all(following[m.sender] == m.receiver for step in found.steps for m in step.messages)


@pytest.mark.parametrize(("name", "mesh"), CASES)
def test_the_bytes_are_those_of_the_ring_algorithm(name, mesh):
    found = made(name, mesh).found
    n, own = found.n, 4 * len(numbers(ALGORITHMS[name], 0, found.n))
    result = 4 * len(found.result[0])
    expected = {
        "psum": 2 * own * (n - 1) // n, "pmean": 2 * own * (n - 1) // n, "pmax": 2 * own * (n - 1) // n,
        "all_gather": result * (n - 1) // n, "psum_scatter": own * (n - 1) // n, "all_to_all": own * (n - 1) // n,
        "ppermute": own,
    }  # fmt: skip
    assert found.sent(len(found.steps)) == expected[name]
    assert f"each device sends {expected[name]} bytes" in made(name, mesh).heading()


@pytest.mark.parametrize("mesh", MESHES)
def test_groups_are_devices_that_differ_along_the_axis_only(mesh):
    found = made("psum", mesh).found
    shape, names = [size for _, size in found.sizes], [name for name, _ in found.sizes]
    for group in found.groups:
        places = np.array(np.unravel_index(group, shape))
        assert [len({*row}) > 1 for row in places] == [name == found.axis for name in names]
    assert sorted(d for group in found.groups for d in group) == [*range(found.devices)]


# ---- the forms


def sentence(page):
    """What screen readers speak."""
    return html.unescape(re.sub(r"<[^>]*>", "", re.search(r"role='status'.*?>(.*?)</p>", page).group(1)))


@pytest.mark.parametrize(("name", "mesh"), CASES)
def test_each_page_and_the_drawing_are_well_formed_and_fit(name, mesh):
    figure = made(name, mesh)
    pages = [figure.page_at(place).partition("</style>")[2] for place in range(figure.found.places)]
    trees = [next(ElementTree.fromstring(f"<all>{page}</all>").iter(f"{SVG}svg")) for page in pages]
    for tree in [ElementTree.fromstring(figure.svg()), *trees]:
        assert tree.get("aria-label") == figure.heading()
        width, height = float(tree.get("width")), float(tree.get("height"))
        for box in [r for r in tree.iter(f"{SVG}rect") if r.get("x")]:
            assert float(box.get("x")) >= 0 and float(box.get("x")) + float(box.get("width")) <= width
            assert float(box.get("y")) >= 0 and float(box.get("y")) + float(box.get("height")) <= height
        for text in tree.iter(f"{SVG}text"):
            wide = 7.9 * len("".join(text.itertext()))
            left = float(text.get("x")) - wide / 2 * (text.get("text-anchor") == "middle")
            assert left >= 0 and left + wide <= width
    steps = [re.match(r"Step (\d+) of (\d+)\.", sentence(page)) for page in pages]
    assert [int(m.group(1)) for m in steps[1:-1]] == [*range(1, len(figure.found.steps) + 1)]
    assert steps[0] is None and steps[-1] is None


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_drawing_has_an_arrow_for_each_message(name):
    figure = made(name, "4")
    messages = [sum(m.travels for m in step.messages) for step in figure.found.steps]
    assert figure.svg().count("<polygon") == sum(messages)
    assert [figure.page_at(k).count("<polygon") for k in range(figure.found.places)] == [0, *messages, 0]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_text_has_short_lines_and_each_message(name):
    figure = made(name, "3")
    assert max(map(len, repr(figure).split("\n"))) <= COLUMNS
    assert figure.text().count(" to device ") == sum(m.travels for step in figure.found.steps for m in step.messages)


def test_what_is_no_collective_and_no_mesh_is_refused():
    with pytest.raises(ValueError, match=r"collectives shows psum, pmean, .*, got 'pmin'"):
        collectives("pmin")
    for devices, axis in ((5, "x"), (4, "y"), ((2, 2), "z"), ((4, 2), "x")):
        with pytest.raises(ValueError, match=r"devices must be 2, 3 or 4 along 'x', or \(2, 2\) along 'x' or 'y', got"):
            collectives("psum", devices, axis)


# ---- choosing


def test_each_choice_begins_anew_and_its_steps_can_be_gone_through():
    controls = Controls(collectives())
    assert sentence(controls.picture.value).startswith(
        "psum of 4 devices as a ring, 6 steps: each device sends 24 bytes."
    )
    for place in range(1, 7):
        controls.mover.go(place)
        assert sentence(controls.picture.value).startswith(f"Step {place} of 6.")
        assert sentence(controls.picture.value).endswith(f"Each device has sent {4 * place} bytes.")
    controls.mover.go(7)
    assert "lax.psum(v, 'x') in shard_map gives the same" in sentence(controls.picture.value)
    controls.name.value = "all_gather"
    assert controls.mover.slider.value == 0
    assert controls.mover.slider.max == 4
    controls.mesh.value = "2 x 2, along y"
    assert "along y, in 2 groups of 2 as a ring, 1 step" in sentence(controls.picture.value)
    assert "Devices 0 and 1; 2 and 3 speak to each other." in sentence(controls.picture.value)


# ---- the package under construction

REPLACED = """
import sys
from minijax.course.widgets import collectives
from minijax.course.widgets.ring_view import Controls
before, live = collectives("pmean", 3).text(), Controls(collectives())
for name in [n for n in sys.modules if n.split(".")[0] == "minijax" and not n.startswith("minijax.course")]:
    del sys.modules[name]
print(collectives("pmean", 3).text() == before)
live.name.value = "all_to_all"
print(live.found.agrees)
"""


def test_the_animator_follows_a_package_that_is_dropped_and_imported_again():
    assert run(REPLACED) == "True\nTrue\n"


EARLIER = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "6")
from minijax.course.widgets import collectives
figure = collectives()
figure.live(), figure.svg()
print("TOLD", figure.found.problem, len(figure.found.steps))
"""


def test_before_the_chapter_the_steps_are_shown_and_the_chapter_is_named():
    told = [line for line in run(EARLIER).split("\n") if line.startswith("TOLD")]
    assert told == ["TOLD A step is missing: chapter 7 brings it 6"]
