"""The batch-axis explorer: the program of one example beside that of the batch, equation by equation."""

from collections.abc import Callable
from typing import Any

import ipywidgets

from . import batch_words
from .batch_call import Call, one_line, words_of_vmap
from .batch_drawing import LOOK, page_of, paper
from .batch_recording import Argument, Recording
from .batch_words import about_equation, about_pair, asked, heading, notes
from .batch_writing import recorded
from .figure import Mover, Recorded, page, said, with_code
from .kernel_view import toggles

WHOLE = "the whole"
ROWS = 5  # lines that most sentences fill
LETTER, WIDEST = 8, 280  # the width of a letter of a label, and of the widest label
LEAST = 3  # axes of results to choose from
MANY = 8  # arguments that are all in view


def batch_axis_explorer(
    fun: Callable[..., Any], *args: Any, in_axes: Any = 0, out_axes: Any = 0
) -> "BatchAxisExplorer":
    """What vmap makes of `fun` at these arguments, which are batches: each equation, and what becomes of it.

    `in_axes` and `out_axes` are as for vmap; a learner chooses others by buttons. `fun` is traced once for each choice,
    and nothing is computed. What is no array among the arguments reaches the function as it is.

    Raises TypeError where `fun` is no function. What else is wrong is told in the picture.
    """
    if not callable(fun):
        raise TypeError(
            f"batch_axis_explorer shows a function with its arguments, and this is {fun!r}: give it f, not f(x)"
        )
    return BatchAxisExplorer(Call(fun, args), in_axes, out_axes)


class BatchAxisExplorer(Recorded):
    """Two panes, and the axes of a product."""

    words = batch_words

    def __init__(self, call: Call, in_axes: Any, out_axes: Any):
        self.call, self.out_axes = call, out_axes
        self.axes, self.refused = axes_of(call, in_axes, out_axes)
        self.found = self.recorded(self.axes, out_axes)
        if self.refused:
            self.found = Recording(
                call.name, call.arguments, str(in_axes), tuple(self.axes), str(out_axes), problem=self.refused
            )

    def recorded(self, axes: list[Any], out_axes: Any) -> Recording:
        return recorded(self.call, axes, out_axes)

    def svg(self) -> str:
        return paper(self.found, about_pair, self.heading(), [asked(self.found), *notes(self.found)], self.text())

    def live(self) -> ipywidgets.Widget:
        """The axes of each argument to choose from, which program, and buttons and a slider for its equations."""
        return Controls(self).box

    def page_at(self, which: int, place: int, found: Recording | None = None) -> str:
        """The panes of one pair of programs with an equation chosen; place 0 chooses none."""
        found = found or self.found
        below = "".join(f"<p class='note'>{with_code(note)}</p>" for note in notes(found))
        rows = ROWS if found.pairs else 1
        return page(said(sentence(found, which, place), rows) + page_of(found, which, place) + below, LOOK)


def axes_of(call: Call, in_axes: Any, out_axes: Any) -> tuple[list[Any], str]:
    """The axis of each array; where `in_axes` does not fit the arguments, 0 for each, and why."""
    try:
        axes = call.axes_of(in_axes)
    except ValueError as error:
        return [0] * len(call.arguments), f"in_axes={in_axes} does not fit the arguments. {one_line(error)}"
    if all(axis is None or type(axis) is int for axis in axes):
        return axes, ""
    return [0] * len(axes), words_of_vmap(call, in_axes, out_axes)


def sentence(found: Recording, which: int, place: int) -> str:
    """What is said of the equation that is chosen."""
    if not found.pairs:
        return f"{heading(found)}. {asked(found)}"
    pair = found.pairs[which]
    if place:
        return about_equation(pair, place - 1)
    start = f"{heading(found)}. {asked(found)}" if not which else f"{pair.title[0].upper()}{pair.title[1:]}."
    return " ".join(filter(None, [start, about_pair(pair), "Choose an equation."]))


class Controls:
    """The live view: which axes are chosen, which program and which of its equations, and the panes that show it."""

    def __init__(self, figure: BatchAxisExplorer):
        self.figure, self.found, self.kept = figure, figure.found, (WHOLE, 0)
        self.picture, self.place = ipywidgets.HTML(), ipywidgets.VBox()
        names = [*map(label, figure.call.arguments), "out_axes"]
        self.room = f"{min(LETTER * max(map(len, names)) + 8, WIDEST)}px"
        self.axes = [self.chooser(a, axis) for a, axis in zip(figure.call.arguments, figure.axes, strict=True)]
        self.out = self.out_chooser()
        scroll = {"max_height": "300px", "overflow": "auto"} if len(self.axes) > MANY else {}
        rows = ipywidgets.VBox([*self.axes], layout=ipywidgets.Layout(flex="0 0 auto", **scroll))
        self.box = ipywidgets.VBox([rows, self.out, self.place, self.picture])
        self.again()

    def chooser(self, argument: Argument, axis: Any) -> Any:
        """Buttons for the axes of one argument."""
        options = [str(d) for d in (None, *range(max(argument.ndim, 1)), -1)]
        options += [str(axis)] * (str(axis) not in options)
        return self.watched(label(argument), options, str(axis))

    def out_chooser(self) -> Any:
        """Buttons for the axis of all results. Which axes they have depends on the others that are chosen."""
        options = [str(d) for d in (None, *range(max(self.found.results + 1, LEAST)), -1)]
        given = str(self.figure.out_axes)
        return self.watched("out_axes", options + [given] * (given not in options), given)

    def watched(self, name: str, options: list[str], value: str) -> Any:
        buttons: Any = toggles(name, options, value, self.room)
        buttons.observe(lambda change: self.another_choice(), names="value")
        return buttons

    def another_choice(self) -> None:
        """Map along the axes that are chosen."""
        out, given = self.out.value, str(self.figure.out_axes)
        out_axes = self.figure.out_axes if out == given else number(out)
        self.found = self.figure.recorded([number(buttons.value) for buttons in self.axes], out_axes)
        self.again()

    def again(self) -> None:
        """Let the buttons and the slider go over the equations of what is found; the same equation stays chosen."""
        pairs, (program, place) = self.found.pairs, self.kept
        # A mover for each: a slider whose end is moved does not go there by keys.
        self.movers = [Mover("Equation", len(pair.steps) + 1, lambda place: self.show()) for pair in pairs]
        names = [pair.short or WHOLE for pair in pairs]
        program = program if program in names else WHOLE
        self.which: Any = toggles("Program", names, program) if len(names) > 1 else None
        if self.which:
            self.which.style.description_width = self.room
            self.which.observe(lambda change: self.another(), names="value")
        if program == self.kept[0] and self.movers:
            self.movers[self.index()].go(place)
        self.another()

    def index(self) -> int:
        return self.which.options.index(self.which.value) if self.which else 0

    def another(self) -> None:
        """Show another program."""
        which = [self.which] if self.which else []
        self.place.children = [*which, *(mover.box for mover in self.movers[self.index() :][:1])]
        self.show()

    def show(self) -> None:
        place = self.movers[self.index()].slider.value if self.movers else 0
        if self.found.pairs:
            self.kept = self.found.pairs[self.index()].short or WHOLE, place
        self.picture.value = self.figure.page_at(self.index(), place, self.found)


def label(argument: Argument) -> str:
    return f"{argument.name}: {argument.type}"


def number(text: str) -> int | None:
    return None if text == "None" else int(text)
