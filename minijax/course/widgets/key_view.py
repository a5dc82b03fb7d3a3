"""The key tree: the keys that a function makes, what uses each one, and which are used twice."""

from collections.abc import Callable
from typing import Any

import ipywidgets

from . import key_words
from .figure import Mover, Recorded, page, said, with_code
from .key_drawing import draw
from .key_pressing import DRAWN, FOLDED, SPLIT_IN_TWO, Presses
from .key_recording import Recording
from .key_running import recorded
from .key_words import about_step, notes, whole

LOOK = """
.minijax-page .scroll { overflow: auto hidden }
.minijax-page .note { margin: 6px 0 0; overflow-wrap: anywhere }
"""
ROWS = 3


def key_tree(fun: Any = 0, *args: Any) -> "KeyTree":
    """The keys that `fun` makes and uses at these arguments, as a tree.

    `fun` is traced, and its program is run once, one operation after the other. Keys are known by their words. A key
    that is split or drawn from twice is marked with all places of its use.

    Where `fun` is a key, or a seed, the tree begins with that, and a learner makes it grow by buttons.

    Raises TypeError where `fun` is none of these. What else is wrong is told in the picture.
    """
    if callable(fun):
        return KeyTree(recorded(fun, args))
    return PressedTree(Presses(fun))


class KeyTree(Recorded):
    """The tree after each step of a function."""

    words = key_words
    found: Recording

    def svg(self) -> str:
        return draw(self.found, len(self.found.steps), -1, self.heading(), self.text())

    def live(self) -> ipywidgets.Widget:
        """Buttons and a slider for the steps, and the tree after the chosen one. At first it is whole."""
        picture, last = ipywidgets.HTML(), len(self.found.steps)

        def show(place: int) -> None:
            picture.value = self.page_at(place)

        mover = Mover("Step", last + 1, show)
        mover.go(last)
        show(mover.slider.value)
        return ipywidgets.VBox([mover.box, picture])

    def page_at(self, place: int) -> str:
        """The tree after a step; place 0 is before the first."""
        return self.page_of(about_step(self.found, place) if place else f"{self.heading()}.", place)

    def page_of(self, sentence: str, place: int, chosen: int | None = None) -> str:
        svg = draw(self.found, place, chosen, self.heading(), "\n".join(whole(self.found)))
        below = "".join(f"<p class='note'>{with_code(note)}</p>" for note in notes(self.found))
        return page(f"{said(sentence, ROWS)}<div class='scroll' tabindex='0'>{svg}</div>{below}", LOOK)


class PressedTree(KeyTree):
    """A tree that grows by buttons."""

    def __init__(self, presses: Presses):
        super().__init__(presses.found)
        self.presses = presses

    def live(self) -> ipywidgets.Widget:
        """The keys to choose from, what to do with the chosen one, and the tree."""
        return Controls(self).box

    def page_at(self, place: int) -> str:
        return self.page_of(f"{self.heading()}.", place)


class Controls:
    """The live view of a tree that grows: which key is chosen, and what is done with it."""

    def __init__(self, figure: PressedTree):
        self.figure, self.picture, self.place = figure, ipywidgets.HTML(), ipywidgets.VBox()
        row = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
        actions = [self.button(name, self.press) for name in (SPLIT_IN_TWO, FOLDED, DRAWN)]
        self.actions = [*actions, self.button("Start again", self.again)]
        self.box = ipywidgets.VBox([self.place, ipywidgets.Box(self.actions, layout=row), self.picture])
        self.choose(0)

    def button(self, name: str, pressed: Callable[[str], None]) -> ipywidgets.Button:
        button = ipywidgets.Button(description=name, layout=ipywidgets.Layout(width="auto"))
        button.on_click(lambda _: pressed(name))
        return button

    def choose(self, k: int, sentence: str = "") -> None:
        """Let the slider go over the keys that there are; key k is chosen."""
        # A mover for each number of keys: a slider whose end is moved does not go there by keys.
        self.mover = Mover("Key", max(len(self.figure.found.keys), 1), lambda place: self.show())
        self.mover.go(k)
        self.place.children = [self.mover.box] if self.figure.found.keys else []
        self.show(sentence)

    def press(self, name: str) -> None:
        if not self.figure.found.keys:
            return
        chosen = self.mover.slider.value
        self.figure.presses.press(name, chosen)
        steps = len(self.figure.found.steps)
        self.choose(chosen, about_step(self.figure.found, steps) if steps else "")

    def again(self, name: str) -> None:
        self.figure.presses.start()
        self.figure.found = self.figure.presses.found
        self.choose(0)

    def show(self, sentence: str = "") -> None:
        found, k = self.figure.found, self.mover.slider.value
        start = f"The key `{found.keys[k].hex}` is chosen. Split it, fold a number in, or draw." if found.keys else ""
        self.picture.value = self.figure.page_of(sentence or start or found.problem, len(found.steps), k)
