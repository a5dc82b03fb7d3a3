"""The mesh explorer: which device holds which block of an array, and what a program on such arrays sends."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import ipywidgets
import numpy as np

from . import mesh_words
from .batch_call import one_line
from .figure import Recorded, page, said, with_code
from .kernel_view import toggles
from .loop_drawing import LOOK, table
from .mesh_drawing import HEADS, SENT, draw, traffic_rows, value_rows
from .mesh_placing import PROGRAMS, operands_of, placed, used
from .mesh_recording import Choice, Entries, Grid, Placement, Shape, Use
from .mesh_words import about, about_program, whole

MOST, AXES = 8, 4  # devices that are drawn; axes of an array
SIZES = ((8,), (4, 2), (2, 4), (2, 2, 2), (2, 2), (2,))  # meshes to choose from
SHAPES = ((8, 16), (6, 16), (16,), (4, 8, 16))
NONE = "none"
STYLE = f"""{LOOK}
.minijax-page .scroll {{ overflow: auto hidden }}
.minijax-page .note {{ margin: 6px 0 8px; overflow-wrap: anywhere }}
"""
ROWS = 4  # lines that most sentences fill
ROOM = "84px"  # for the names of the choices


def mesh_explorer(
    x: Any = (8, 16), spec: Any = None, mesh: Any = None, *, dtype: Any = "float32", program: str | None = None,
    other: Any = (),
) -> "MeshExplorer":  # fmt: skip
    """Which device of a mesh holds which block of an array that is divided as `spec` says.

    `x` is a shape, or an array that is on a mesh: then it says the rest. `spec` is a PartitionSpec, or its entries as a
    tuple; `mesh` is a mesh, or a dict from names of axes to sizes, {"x": 4, "y": 2} if none is given. `program` is one
    of "x @ w", "x + y", "x.sum(0)" and "x.sum(-1)", whose second operand is divided as `other` says. A learner chooses
    others of all of these by buttons.

    The devices are simulated, nothing is computed. Raises TypeError for what is no shape or spec, ValueError for a mesh
    of more than 8 devices, an array of more than 4 axes, and a program that is not one of the four. A spec that does
    not fit is told in the picture.
    """
    sharding = getattr(x, "sharding", None)
    if sharding is not None and hasattr(sharding, "mesh"):
        x, spec, mesh, dtype = x.shape, spec or sharding.spec, mesh or sharding.mesh, x.dtype
    shape, grid = shape_of(x), grid_of({"x": 4, "y": 2} if mesh is None else mesh)
    entries = default_entries(grid, shape) if spec is None else entries_of(spec)
    if program is not None and program not in PROGRAMS:
        raise ValueError(f"program must be one of {', '.join(map(repr, PROGRAMS))}, got {program!r}")
    entries = (*entries, *((),) * (len(shape) - len(entries)))
    return MeshExplorer(Choice(grid, shape, entries, str(np.dtype(dtype))), program, entries_of(other))


def shape_of(shape: Any) -> Shape:
    """Raises TypeError for what is no tuple of sizes from 1 on, ValueError for too many of them."""
    if not isinstance(shape, tuple | list) or not all(hasattr(n, "__index__") and n > 0 for n in shape):
        told = "mesh_explorer takes a shape of sizes from 1 on, or an array on a mesh"
        raise TypeError(f"{told}, got {one_line(repr(shape))}")
    if len(shape) > AXES:
        raise ValueError(f"mesh_explorer draws arrays of at most {AXES} axes, and {tuple(shape)} has {len(shape)}")
    return tuple(map(int, shape))


def grid_of(mesh: Any) -> Grid:
    """A mesh, or a dict of sizes by name. Raises TypeError for others, ValueError for too many devices."""
    shape = getattr(mesh, "shape", mesh)
    if not isinstance(shape, Mapping) or not shape:
        raise TypeError(f'mesh must be a mesh or a dict such as {{"x": 4, "y": 2}}, got {one_line(repr(mesh))}')
    sizes = tuple((str(name), int(size)) for name, size in shape.items())
    count = math.prod(size for _, size in sizes)
    if not 0 < count <= MOST:
        raise ValueError(f"mesh_explorer draws at most {MOST} devices, and the mesh has {count}")
    numbers = [d.id for d in getattr(mesh, "device_list", ())] or range(count)
    return Grid(sizes, tuple(numbers))


def entries_of(spec: Any) -> Entries:
    """The mesh axes of each entry. Raises TypeError for what is no PartitionSpec and no tuple of entries."""
    parts = getattr(spec, "partitions", spec)
    if not isinstance(parts, tuple | list):
        raise TypeError(f"spec must be a PartitionSpec, or a tuple of its entries, got {spec!r}")
    return tuple((p,) if isinstance(p, str) else tuple(p) if isinstance(p, tuple | list) else () for p in parts)


def default_entries(grid: Grid, shape: Shape) -> Entries:
    """Each mesh axis divides one axis of the array."""
    return tuple((name,) for name, _ in zip(grid.names, shape, strict=False))


class MeshExplorer(Recorded):
    """The array in blocks, the devices, and a program."""

    words = mesh_words
    found: Placement

    def __init__(self, choice: Choice, program: str | None, other: Entries):
        super().__init__(placed(choice))
        self.other = other
        self.use = used(program, choice, other) if program else None

    def text(self) -> str:
        return self.text_of(self.found, self.use)

    def text_of(self, found: Placement, use: Use | None) -> str:
        told = [*whole(found), *(about_program(use) if use else [])]
        return "\n".join([f"{mesh_words.heading(found)}.", *told])

    def svg(self) -> str:
        note = about(self.found) if self.found.problem else ""
        return draw(self.found, self.heading(), self.text(), self.use, note)

    def live(self) -> ipywidgets.Widget:
        """A mesh, a shape, an entry for each axis and a program to choose, and the drawing."""
        return Controls(self).box

    def page_of(self, found: Placement, use: Use | None) -> str:
        svg = draw(found, mesh_words.heading(found), "\n".join(whole(found)))
        body = said(about(found), ROWS) + f"<div class='scroll' tabindex='0'>{svg}</div>"
        return page(body + (program_html(use) if use else ""), STYLE)


def program_html(use: Use) -> str:
    """What the types say of the program, and its collectives."""
    notes = "".join(f"<p class='note'>{with_code(line)}</p>" for line in about_program(use)[-2:])
    tables = table(f"The program {use.code}", HEADS, [(row, "") for row in value_rows(use)])
    if use.traffic:
        tables += table("", SENT, [(row, "") for row in traffic_rows(use)])
    return tables + notes


class Controls:
    """The live view: what is chosen, and the drawing of it."""

    def __init__(self, figure: MeshExplorer):
        self.figure, self.choice, self.other = figure, figure.found.choice, figure.other
        self.picture, self.axes, self.second = ipywidgets.HTML(), ipywidgets.VBox(), ipywidgets.VBox()
        grids = grids_like(self.choice.grid)
        self.grids = {grid.title: grid for grid in grids}
        self.shapes = {str(shape): shape for shape in dict.fromkeys([self.choice.shape, *SHAPES])}
        self.mesh = self.buttons("Mesh", [*self.grids], self.choice.grid.title, self.another)
        self.shape = self.buttons("Shape", [*self.shapes], str(self.choice.shape), self.another)
        code = figure.use.code if figure.use else NONE
        self.program = self.buttons("Program", [NONE, *PROGRAMS], code, self.another)
        rows = [self.mesh, self.shape, self.axes, self.program, self.second, self.picture]
        self.box = ipywidgets.VBox(rows)
        self.fill()
        self.show(figure.found, figure.use)

    def buttons(self, name: str, options: Sequence[str], value: str, changed: Any) -> Any:
        made: Any = toggles(name, options, value, ROOM)
        made.observe(lambda change: changed(), names="value")
        return made

    # ---- an entry for each axis

    def fill(self) -> None:
        """Buttons for the entries of as many axes as there are; those that are there stay, with the focus."""
        self.entry_rows(self.axes, "Axis {}", len(self.choice.shape), self.choice.entries)
        code = self.program.value
        names = [] if code == NONE else operands_of(code, self.choice, self.other)[1:]
        self.second.children = self.second.children[: len(names) and len(names[0][1].shape)]
        for name, each in names:
            if not self.second.children or not self.second.children[0].description.startswith(name):
                self.second.children = []
            self.entry_rows(self.second, f"{name}: axis {{}}", len(each.shape), self.other)

    def entry_rows(self, box: Any, title: str, ndim: int, entries: Entries) -> None:
        rows = [*box.children][:ndim]
        for d in range(len(rows), ndim):
            chosen = entry_text(entries[d] if d < len(entries) else ())
            options = [*dict.fromkeys([*self.options(), chosen])]
            rows.append(self.buttons(title.format(d), options, chosen, self.another))
        if rows != [*box.children]:
            box.children = rows

    def options(self) -> list[str]:
        """None, each mesh axis that some mesh has, and several of them at once."""
        names = [*dict.fromkeys(name for grid in self.grids.values() for name in grid.names)]
        several = [(names[0], names[1]), (names[1], names[0]), (*names[:3],)]
        return [entry_text(names) for names in [(), *((name,) for name in names), *several]]

    def entries(self, box: Any, given: Entries) -> Entries:
        """What is chosen; of axes that are not there now, what was."""
        chosen = tuple(names_in(row.value) for row in box.children)
        return (*chosen, *given[len(chosen) :])

    # ---- showing

    def another(self) -> None:
        """Place the array that is chosen, and look at the program that is."""
        shape = self.shapes[self.shape.value]
        entries = self.entries(self.axes, self.choice.entries)
        self.choice = replace(self.choice, grid=self.grids[self.mesh.value], shape=shape, entries=entries)
        self.other = self.entries(self.second, self.other)
        self.fill()
        choice = replace(self.choice, entries=self.entries(self.axes, entries)[: len(shape)])
        code = self.program.value
        self.show(placed(choice), None if code == NONE else used(code, choice, self.entries(self.second, self.other)))

    def show(self, found: Placement, use: Use | None) -> None:
        self.picture.value = self.figure.page_of(found, use)


def grids_like(grid: Grid) -> list[Grid]:
    """The mesh that is given, and others whose axes have the same names."""
    names = [*dict.fromkeys([*grid.names, "x", "y", "z"])]
    others = [Grid(tuple(zip(names, sizes, strict=False)), tuple(range(math.prod(sizes)))) for sizes in SIZES]
    found = {each.title: each for each in others} | {grid.title: grid}
    return [found.pop(grid.title), *found.values()]


def entry_text(names: Sequence[str]) -> str:
    """None; x; (x, y)"""
    return f"({', '.join(names)})" if len(names) > 1 else names[0] if names else "None"


def names_in(text: str) -> tuple[str, ...]:
    return () if text == "None" else tuple(text.strip("()").split(", "))
