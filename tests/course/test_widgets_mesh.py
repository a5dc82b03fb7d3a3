"""The mesh explorer shows where the package puts the parts of an array, and what it says of programs on such arrays."""

import re
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest
from processes import ROOT, run

import minijax as jax
import minijax.numpy as jnp
from minijax.course.figures import COLUMNS
from minijax.course.widgets import mesh_explorer
from minijax.course.widgets.mesh_drawing import FILLS, HATCHINGS
from minijax.course.widgets.mesh_placing import PROGRAMS, operands_of
from minijax.course.widgets.mesh_view import NONE, SHAPES, SIZES, Controls
from minijax.layer7_sharding.types import ShardingTypeError
from minijax.sharding import AxisType, NamedSharding, PartitionSpec as P


@pytest.fixture(autouse=True)
def eight_devices():
    """The tests need real arrays to compare with; the widget needs none of this."""
    before = jax.config.jax_num_cpu_devices
    jax.config.update("jax_num_cpu_devices", 8)
    yield
    jax.config.update("jax_num_cpu_devices", before)


def mesh_of(sizes, kind=AxisType.Explicit):
    return jax.make_mesh(tuple(sizes.values()), tuple(sizes), (kind,) * len(sizes))


CUBE, FLAT, ROW = {"x": 2, "y": 2, "z": 2}, {"x": 4, "y": 2}, {"data": 8}
FITTING = [
    ((8, 16), P("x", "y"), FLAT), ((8, 16), P("x"), FLAT), ((8, 16), P(None, "y"), FLAT),
    ((8, 16), P(("y", "x")), FLAT), ((8, 16), P(), FLAT),
    ((16,), P(("x", "y")), FLAT), ((), P(), FLAT), ((4, 8, 16), P("z", "x"), CUBE),
    ((2, 4, 2, 6), P("x", ("z", "y")), CUBE), ((8, 3), P("data"), ROW), ((5, 8), P(None, "data"), ROW),
]  # fmt: skip
WRONG = [
    ((6, 16), P("x"), "ValueError", "Axis 0 has size 6, which 4 does not divide"),
    ((8, 3), P("x", "y"), "ValueError", "Axis 1 has size 3, which 2 does not divide"),
    ((8, 16), P("x", "x"), "DuplicateSpecError", "Mesh axis `x` is named twice."),
    ((8, 16), P("z"), "ValueError", "The mesh has no axis `z`: its axes are `x` and `y`."),
    ((8,), P("x", "y"), "ValueError", "The spec has an entry for each of 2 axes, and the array has 1 axis."),
    ((2,), P("x"), "ValueError", "A size of 4 would do"),
]  # fmt: skip


def put(shape, spec, sizes, kind=AxisType.Explicit, dtype="float32"):
    return jax.device_put(jnp.zeros(shape, dtype), NamedSharding(mesh_of(sizes, kind), spec))


# ---- where an array is


@pytest.mark.parametrize(("shape", "spec", "sizes"), FITTING)
def test_each_device_holds_the_block_that_the_package_puts_there(shape, spec, sizes):
    found, x = mesh_explorer(shape, spec, sizes).found, put(shape, spec, sizes)
    for shard in x.addressable_shards:
        block = found.blocks[found.block_of(shard.device.id)]
        ranges = [one.indices(n)[:2] for one, n in zip(shard.index, shape, strict=True)]
        assert ranges == [*zip(block.starts, block.stops, strict=True)]
        assert shard.data.shape == found.part
        assert shard.data.nbytes == found.bytes_of_part
    assert sorted(d for block in found.blocks for d in block.devices) == [*range(8)]
    assert found.type == str(jax.typeof(x))
    assert found.bytes == x.nbytes


@pytest.mark.parametrize(("shape", "spec", "sizes"), FITTING)
def test_an_array_on_a_mesh_says_all_itself(shape, spec, sizes):
    of_array = mesh_explorer(put(shape, spec, sizes)).found
    assert of_array == mesh_explorer(shape, spec, mesh_of(sizes)).found == mesh_explorer(shape, spec, sizes).found


def test_devices_are_numbered_as_they_stand_in_the_mesh():
    devices = np.array(jax.devices()[::-1]).reshape(4, 2)
    mesh = jax.sharding.Mesh(devices, ("x", "y"), (AxisType.Explicit,) * 2)
    found = mesh_explorer((8, 16), P("x"), mesh).found
    assert [block.devices for block in found.blocks] == [(6, 7), (4, 5), (2, 3), (0, 1)]


def test_as_many_devices_are_there_as_the_mesh_takes():
    jax.config.update("jax_num_cpu_devices", 1)
    assert len(mesh_explorer((8,), P("x"), {"x": 8}).found.blocks) == 8
    assert len(jax.devices()) == 1


def test_bytes_are_those_of_the_dtype():
    found = mesh_explorer((8, 16), P("x"), FLAT, dtype="bfloat16").found
    assert (found.type, found.bytes_of_part, found.bytes) == ("bfloat16[8@x,16]", 64, 256)


@pytest.mark.parametrize(("shape", "spec", "sizes"), FITTING)
def test_what_is_held_more_than_once_is_told(shape, spec, sizes):
    figure = mesh_explorer(shape, spec, sizes)
    count = 8 // len(figure.found.blocks)
    total = sum(shard.data.nbytes for shard in put(shape, spec, sizes).addressable_shards)
    told = (
        f"each block is there {count} times, {total:,} bytes in all." if count > 1 else "No two devices hold the same."
    )
    assert told in figure.text()


# ---- where it cannot be


@pytest.mark.parametrize(("shape", "spec", "kind", "reason"), WRONG)
def test_a_spec_that_does_not_fit_is_told_in_the_words_of_the_package_and_in_plain_ones(shape, spec, kind, reason):
    figure = mesh_explorer(shape, spec, FLAT)
    whole = P(*spec, *(None,) * (len(shape) - len(spec)))  # the explorer has an entry for each axis
    with pytest.raises(Exception) as caught:
        put(shape, whole, FLAT)
    assert type(caught.value).__name__ == kind
    assert figure.found.problem.startswith(f"{kind}: ")
    if len(spec) <= len(shape):
        assert figure.found.problem == f"{kind}: {caught.value}".rstrip(".")
    assert reason in figure.found.reason
    assert figure.found.reason in figure.text()
    assert "does not fit" in ElementTree.tostring(ElementTree.fromstring(figure.svg()), "unicode", "text")


@pytest.mark.parametrize(("shape", "spec", "sizes"), FITTING)
def test_where_the_spec_fits_there_is_no_reason(shape, spec, sizes):
    found = mesh_explorer(shape, spec, sizes).found
    assert (found.problem, found.reason) == ("", "")


def test_what_is_no_shape_no_mesh_and_no_program_is_refused():
    for shape in ("8", (8, -1), (8, 1.5), 8):
        with pytest.raises(TypeError, match="mesh_explorer takes a shape of sizes from 1 on, or an array on a mesh"):
            mesh_explorer(shape)
    with pytest.raises(ValueError, match="arrays of at most 4 axes"):
        mesh_explorer((1,) * 5)
    with pytest.raises(ValueError, match="at most 8 devices, and the mesh has 16"):
        mesh_explorer((16,), P("x"), {"x": 16})
    with pytest.raises(TypeError, match="mesh must be a mesh or a dict"):
        mesh_explorer((16,), P("x"), (4, 2))
    with pytest.raises(TypeError, match="spec must be a PartitionSpec"):
        mesh_explorer((16,), "x")
    with pytest.raises(ValueError, match="program must be one of 'x @ w', "):
        mesh_explorer((16,), program="x * w")


# ---- programs

PAIRS = [
    ((), ()), (("x",), ()), (("x",), (None, "y")), (("x",), ("x",)), (("x",), (None, "x")), ((None, "x"), ("x",)),
    (("x", "y"), ("y",)), (("y",), (("x", "y"),)), ((("x", "y"),), (None, "x")), ((None, ("x", "y")), (("x", "y"),)),
]  # fmt: skip
USES = [(code, *pair) for code in ("x @ w", "x + y") for pair in PAIRS]
USES += [(code, one, ()) for code in ("x.sum(0)", "x.sum(-1)") for one, _ in PAIRS[::2]]


def arrays(figure, kind):
    operands = operands_of(figure.use.code, figure.found.choice, figure.other)
    specs = [P(*each.entries) for _, each in operands]
    return [put(each.shape, spec, FLAT, kind) for (_, each), spec in zip(operands, specs, strict=True)]


@pytest.mark.parametrize(("code", "one", "other"), USES)
def test_what_the_types_say_of_a_program_is_what_the_package_says(code, one, other):
    figure = mesh_explorer((8, 16), one, FLAT, program=code, other=other)
    fun, use = PROGRAMS[code][1], figure.use
    assert use.problem == ""
    try:
        told = str(jax.typeof(fun(*arrays(figure, AxisType.Explicit)))), ""
    except ShardingTypeError as error:
        told = "", f"ShardingTypeError: {error}".rstrip(".")
    assert (use.explicit, use.refused) == told
    assert all(words in figure.text() for words in told)


@pytest.mark.parametrize(("code", "one", "other"), USES)
def test_along_auto_axes_a_result_is_divided_as_the_package_divides_it(code, one, other):
    figure = mesh_explorer((8, 16), one, FLAT, program=code, other=other)
    result = jax.jit(PROGRAMS[code][1])(*arrays(figure, AxisType.Auto))
    assert figure.use.auto == repr(result.sharding.spec)


@pytest.mark.parametrize(("code", "one", "other"), USES)
def test_the_collectives_of_a_program_are_the_partitioners(code, one, other):
    figure = mesh_explorer((8, 16), one, FLAT, program=code, other=other)
    lowered = jax.jit(PROGRAMS[code][1]).lower(*arrays(figure, AxisType.Auto))
    found = lowered.partitioned()
    assert [(each.name, each.bytes) for each in figure.use.traffic] == [(c.name, c.bytes) for c in found.collectives]
    assert (f"One device sends {found.bytes:,} bytes" if found.bytes else "Nothing is sent") in figure.text()


def test_a_program_whose_operand_cannot_be_divided_says_which_and_why():
    figure = mesh_explorer((8, 6), P("x"), FLAT, program="x @ w", other=("x",))
    assert figure.use.problem.startswith("`w` cannot be divided so. Axis 0 has size 6, which 4 does not divide")
    figure = mesh_explorer((), P(), FLAT, program="x.sum(0)")
    assert "out of bounds" in figure.use.problem
    assert figure.svg() and figure.page_of(figure.found, figure.use)


# ---- the forms

EVERY = [mesh_explorer(*case, program=code, other=("x",)) for case in FITTING for code in (None, "x @ w")]
EVERY += [mesh_explorer(shape, spec, FLAT, program="x + y") for shape, spec, _, _ in WRONG]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("figure", EVERY)
def test_the_drawing_is_well_formed_and_fits(figure):
    tree = ElementTree.fromstring(figure.svg())
    assert tree.get("aria-label") == figure.heading()
    assert tree.findtext("{*}desc") == figure.text()
    width, height = float(tree.get("width")), float(tree.get("height"))
    assert width <= 640
    for box in [r for r in tree.iter(f"{SVG}rect") if r.get("x")]:
        assert float(box.get("x")) >= 0 and float(box.get("x")) + float(box.get("width")) <= width
        assert float(box.get("y")) + float(box.get("height")) <= height
    for text in tree.iter(f"{SVG}text"):
        wide = 7.3 * len("".join(text.itertext()))
        left = float(text.get("x")) - {None: 0, "start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor")]
        assert left >= -1 and left + wide <= width
        assert 0 < float(text.get("y")) < height
    ElementTree.fromstring(f"<all>{figure.page_of(figure.found, figure.use).partition('</style>')[2]}</all>")


@pytest.mark.parametrize("figure", EVERY[:: len(EVERY) // 6])
def test_the_text_has_short_lines_and_each_block(figure):
    assert max(len(line) for line in repr(figure).split("\n") if len(line.split()) > 1) <= COLUMNS
    assert all(f"Block {block.title}: device" in figure.text() for block in figure.found.blocks)


def test_blocks_differ_without_colours_and_by_them():
    assert len({*FILLS}) == len({*HATCHINGS}) == 8
    tree = ElementTree.fromstring(mesh_explorer((8,), P("x"), {"x": 8}).svg())
    fills = [r.get("fill") for r in tree.iter(f"{SVG}rect") if r.get("fill") in FILLS]
    assert fills == [*FILLS, *FILLS]  # of the array, and of the devices
    paths = [p.get("d") for p in tree.iter(f"{SVG}path")]
    assert len(paths) == 2 * sum(map(bool, HATCHINGS))


# ---- choosing


def sentence(picture):
    return re.sub(r"<[^>]*>", "", re.search(r"role='status'.*?>(.*?)</p>", picture.value).group(1)).replace(
        "&#x27;", "'"
    )


def test_what_is_chosen_is_shown_and_stays_chosen():
    controls = Controls(mesh_explorer())
    assert "The type is float32[8@x,16@y]" in sentence(controls.picture)
    controls.axes.children[1].value = "None"
    assert "The type is float32[8@x,16]" in sentence(controls.picture)
    rows = controls.axes.children
    controls.mesh.value = "x: 2, y: 4"
    assert controls.axes.children == rows  # with the keyboard's focus
    controls.axes.children[0].value = "(y, x)"
    assert "The type is float32[8@(y,x),16]" in sentence(controls.picture)
    controls.shape.value = "(4, 8, 16)"
    assert "Axis 0 has size 4, which 8 does not divide" in sentence(controls.picture)
    controls.axes.children[0].value, controls.axes.children[2].value = "x", "y"
    assert "The type is float32[4@x,8,16@y]" in sentence(controls.picture)
    controls.shape.value = "(16,)"
    assert "The type is float32[16@x]" in sentence(controls.picture)
    controls.shape.value = "(4, 8, 16)"
    assert "The type is float32[4@x,8,16@y]" in sentence(controls.picture)


def test_an_axis_that_only_another_mesh_has_can_be_chosen_and_is_told():
    controls = Controls(mesh_explorer())
    controls.axes.children[1].value = "z"
    assert "The mesh has no axis z: its axes are x and y." in sentence(controls.picture)
    controls.mesh.value = "x: 2, y: 2, z: 2"
    assert "The type is float32[8@x,16@z]" in sentence(controls.picture)


def test_a_program_and_the_division_of_its_second_operand_are_chosen():
    controls = Controls(mesh_explorer())
    controls.program.value = "x @ w"
    assert [row.description for row in controls.second.children] == ["w: axis 0", "w: axis 1"]
    controls.second.children[1].value = "x"
    assert "float32[16,64@x]" in controls.picture.value
    controls.program.value = "x + y"
    assert [row.description for row in controls.second.children] == ["y: axis 0", "y: axis 1"]
    controls.program.value = "x.sum(0)"
    assert len(controls.second.children) == 0
    assert "The program x.sum(0)" in controls.picture.value
    controls.program.value = NONE
    assert "The program" not in controls.picture.value


def test_all_that_can_be_chosen_can_be_shown():
    controls = Controls(mesh_explorer((2, 4, 2, 6), P("a"), {"a": 2, "b": 3}, program="x @ w"))
    assert len(controls.mesh.options) == len(SIZES) + 1
    assert len(controls.shape.options) == len(SHAPES) + 1
    for mesh, shape, program in product(controls.mesh.options, controls.shape.options, controls.program.options):
        controls.mesh.value, controls.shape.value, controls.program.value = mesh, shape, program
        assert "role='status'" in controls.picture.value
    assert controls.axes.children[0].options[:4] == ("None", "a", "b", "x")


# ---- the package under construction

REPLACED = """
import sys
from minijax.course.widgets import mesh_explorer
from minijax.course.widgets.mesh_view import Controls
before, live = mesh_explorer(program="x @ w").text(), Controls(mesh_explorer())
for name in [n for n in sys.modules if n.split(".")[0] == "minijax" and not n.startswith("minijax.course")]:
    del sys.modules[name]
print(mesh_explorer(program="x @ w").text() == before)
live.mesh.value = "x: 2, y: 4"
print("float32[8@x,16@y]" in live.picture.value)
"""


def test_the_explorer_follows_a_package_that_is_dropped_and_imported_again():
    assert run(REPLACED) == "True\nTrue\n"


EARLIER = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "6")
from minijax.course.widgets import mesh_explorer
figure = mesh_explorer((8, 16), ("x",), program="x @ w")
figure.live(), figure.svg()
print("TOLD", figure.found.problem, "|", figure.found.spec)
"""


def test_before_the_chapter_the_explorer_names_it():
    told = [line for line in run(EARLIER).split("\n") if line.startswith("TOLD")]
    assert told == ["TOLD A step is missing: chapter 7 brings it | P('x', None)"]


GROWING = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "7")
from minijax.course.widgets import mesh_explorer
for step in ("", "{last}"):
    if step:
        shell.run_line_magic("catchup", step)
    figure = mesh_explorer((8, 16), ("x",))
    figure.live(), figure.svg()
    print("TOLD", figure.found.problem, figure.found.type)
"""


def test_while_the_layer_is_being_typed_the_explorer_names_the_missing_step():
    rows = (ROOT / "minijax/layer7_sharding/README.md").read_text().split("\n")
    steps = {row.split("|")[1].strip(): row for row in rows if row.startswith("| 7.")}
    last = next(step for step, row in steps.items() if "`typed`" in row)
    told = [line for line in run(GROWING.replace("{last}", last)).split("\n") if line.startswith("TOLD")]
    assert told[0].startswith("TOLD A step is missing: chapter 7 brings it; it waits for step 7.1 (layer7_sharding/")
    assert told[1:] == ["TOLD  float32[8@x,16]"]
