"""The collective animator: what devices send each other, step by step."""

from typing import Any

import ipywidgets

from . import ring_words
from .figure import Mover, Recorded, page, said
from .kernel_view import toggles
from .ring_algorithms import ALGORITHMS
from .ring_drawing import draw, paper
from .ring_recording import Recording
from .ring_running import Sizes, recorded
from .ring_words import about, whole

# The meshes to choose from, and the axis along which the collective is.
MESHES: dict[str, tuple[Sizes, str]] = {
    **{str(n): ((("x", n),), "x") for n in (2, 3, 4)},
    **{f"2 x 2, along {axis}": ((("x", 2), ("y", 2)), axis) for axis in ("x", "y")},
}
STYLE = ".minijax-page .scroll { overflow: auto hidden }"
ROWS, ROOM = 3, "84px"  # lines that most sentences fill; for the names of the choices


def collectives(name: str = "psum", devices: Any = 4, axis: str = "x") -> "CollectiveAnimator":
    """What devices have and what they send each other in each step of a collective, by the ring algorithm.

    `name` is one of "psum", "pmean", "pmax", "all_gather", "psum_scatter", "ppermute" (to the next device) and
    "all_to_all". `devices` is 2, 3 or 4, or (2, 2) for a mesh of the axes x and y, of which `axis` is the one that is
    meant. A learner chooses others by buttons. The result is computed by the package too, with `shard_map`.

    Raises ValueError for other names, numbers and axes.
    """
    if name not in ALGORITHMS:
        raise ValueError(f"collectives shows {', '.join(ALGORITHMS)}, got {name!r}")
    return CollectiveAnimator(name, mesh_named(devices, axis))


def mesh_named(devices: Any, axis: str) -> str:
    """Which of the meshes is meant. Raises ValueError for one that is not there."""
    name = f"2 x 2, along {axis}" if devices == (2, 2) else str(devices) if axis == "x" else ""
    if name not in MESHES:
        told = "devices must be 2, 3 or 4 along 'x', or (2, 2) along 'x' or 'y'"
        raise ValueError(f"{told}, got {devices} along {axis!r}")
    return name


class CollectiveAnimator(Recorded):
    """The buffers before and after each step, and the messages between them."""

    words = ring_words
    found: Recording

    def __init__(self, name: str, mesh: str):
        super().__init__(recorded(name, *MESHES[mesh]))
        self.mesh = mesh

    def svg(self) -> str:
        return paper(self.found, self.heading(), self.text())

    def live(self) -> ipywidgets.Widget:
        """Which collective, how many devices, and buttons and a slider for the steps."""
        return Controls(self).box

    def page_at(self, place: int, found: Recording | None = None) -> str:
        """One step; place 0 is before the first, the last one is the result."""
        found = found or self.found
        svg = draw(found, place, ring_words.heading(found), "\n".join(whole(found)))
        return page(f"{said(about(found, place), ROWS)}<div class='scroll' tabindex='0'>{svg}</div>", STYLE)


class Controls:
    """The live view: which collective on which devices, and which step of it."""

    def __init__(self, figure: CollectiveAnimator):
        self.figure, self.found = figure, figure.found
        self.picture, self.place = ipywidgets.HTML(), ipywidgets.VBox()
        self.name = self.buttons("Collective", [*ALGORITHMS], figure.found.name)
        self.mesh = self.buttons("Devices", [*MESHES], figure.mesh)
        self.box = ipywidgets.VBox([self.name, self.mesh, self.place, self.picture])
        self.steps()

    def buttons(self, name: str, options: list[str], value: str) -> Any:
        made: Any = toggles(name, options, value, ROOM)
        made.observe(lambda change: self.another(), names="value")
        return made

    def another(self) -> None:
        """Carry out what is chosen."""
        self.found = recorded(self.name.value, *MESHES[self.mesh.value])
        self.steps()

    def steps(self) -> None:
        """Let the slider go over the steps, from the first on."""
        # A mover for each: a slider whose end is moved does not go there by keys.
        self.mover = Mover("Step", self.found.places, lambda place: self.show())
        self.place.children = [self.mover.box]
        self.show()

    def show(self) -> None:
        self.picture.value = self.figure.page_at(self.mover.slider.value, self.found)
