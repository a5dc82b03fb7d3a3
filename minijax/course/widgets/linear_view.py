"""The linearize viewer: a program, its linearization and its transpose, and which equation gives what."""

from collections.abc import Callable, Iterable
from typing import Any

import ipywidgets

from . import linear_words
from .compilation import jaxpr_of
from .figure import Mover, Recorded, package_module, page, said, with_code
from .kernel_view import toggles
from .linear_drawing import LOOK, Marks, panes, paper
from .linear_recording import Recording
from .linear_words import about_equation, about_linear, about_residual, about_transposed, notes
from .linear_writing import recorded

EQUATION, LINEAR, TRANSPOSED, RESIDUAL = "an equation", "a linear one", "a transposed one", "a residual"
SLIDERS = {EQUATION: "Equation", LINEAR: "Linear", TRANSPOSED: "Transposed", RESIDUAL: "Residual"}
ROWS = 4  # lines that most sentences fill


def linearize_viewer(fun: Any, *args: Any, **kwargs: Any) -> "LinearizeViewer":
    """The program of `fun` at these arguments, its linearization, and the transpose of that, equation by equation.

    `fun` is traced, and nothing is computed. Also takes a jaxpr. Raises TypeError where `fun` is neither, and what
    make_jaxpr raises. Where a step of the course is missing, or the package refuses, it says so and shows the rest.
    """
    jaxpr, name, _ = jaxpr_of(fun, args, kwargs, "linearize_viewer")
    leaves = package_module("layer1_core.tree").tree_flatten((args, kwargs))[0]
    return LinearizeViewer(recorded(jaxpr, name, [isinstance(x, int | float | complex) for x in leaves]))


class LinearizeViewer(Recorded):
    """Three panes, and tables of what is kept and of what is added up."""

    words = linear_words
    found: Recording

    def svg(self) -> str:
        return paper(self.found, self.heading(), [*self.found.refusals, *notes(self.found)], self.text())

    def live(self) -> ipywidgets.Widget:
        """What to choose, and buttons and a slider to choose it."""
        return Controls(self).box

    def page_at(self, by: str, place: int) -> str:
        """The panes with one equation or residual chosen; place 0 chooses none."""
        below = "".join(f"<p class='note'>{with_code(note)}</p>" for note in notes(self.found))
        body = panes(self.found, self.marks(by, place))
        return page(said(self.sentence(by, place), ROWS) + body + below, LOOK)

    def sentence(self, by: str, place: int) -> str:
        if not place:
            return f"{self.heading()}. Choose {by}."
        about = {EQUATION: about_equation, LINEAR: about_linear, TRANSPOSED: about_transposed, RESIDUAL: about_residual}
        return about[by](self.found, place - 1)

    def counts(self) -> dict[str, int]:
        """What can be chosen, and how many there are of it."""
        found = self.found
        every = {EQUATION: found.program, LINEAR: found.linear, TRANSPOSED: found.transposed}
        counts = {by: len(listing.eqns) for by, listing in every.items() if listing}
        counts[RESIDUAL] = len(found.residuals)
        return {by: n for by, n in counts.items() if n or by == EQUATION}

    # ---- what belongs together

    def marks(self, by: str, place: int) -> Marks:
        if not place or self.found.linear is None:
            return Marks({place - 1: "now"}) if place else Marks()
        of: dict[str, Callable[[int], Marks]] = {
            EQUATION: self._of_equation, LINEAR: self._of_linear, TRANSPOSED: self._of_transposed,
            RESIDUAL: self._of_residual,
        }  # fmt: skip
        return of[by](place - 1)

    def _of_equation(self, k: int) -> Marks:
        """What its rules gave, the residuals that it needs, and what adds up the cotangents of its result."""
        linear, back = self._owned("linear", k), self._owned("transposed", k)
        needed, made = self._read_by(linear), [i for i, r in enumerate(self.found.residuals) if r.made == k]
        sums = [i for i, s in enumerate(self.found.sums) if s.made == k]
        added = [t for i in sums for t in self.found.sums[i].lines]
        makers = [r.made for i in needed if (r := self.found.residuals[i]).made is not None]
        lines = [r.line for i in needed if (r := self.found.residuals[i]).line is not None]
        return Marks(
            marked([k], makers), marked(self._owned("values", k), lines), marked(linear, []), marked(back, added),
            marked(needed, made), marked(sums, []),
        )  # fmt: skip

    def _of_linear(self, j: int) -> Marks:
        """What it comes from, what it is transposed, and what adds up the cotangents of what it reads."""
        eqn = self._linear(j)
        needed = self._read_by([j])
        sums = [i for i, s in enumerate(self.found.sums) if j in s.senders]
        added = [t for i in sums for t in self.found.sums[i].lines]
        others = self._owned("linear", eqn.owner)
        lines = [r.line for i in needed if (r := self.found.residuals[i]).line is not None]
        return Marks(
            marked([eqn.owner], []), marked([], lines), marked([j], others), marked(self._backwards([j]), added),
            marked(needed, []), marked(sums, []),
        )  # fmt: skip

    def _of_transposed(self, t: int) -> Marks:
        """The linear equation that it is backwards; of a sum, those that read what it is the cotangent of."""
        assert self.found.transposed
        eqn = self.found.transposed.eqns[t]
        sums = [i for i, s in enumerate(self.found.sums) if t in s.lines]
        if sums:
            s = self.found.sums[sums[0]]
            readers = [j for j in s.senders if j is not None]
            return Marks(marked([s.made], []), {}, marked(readers, []), marked([t], s.lines), {}, marked(sums, []))
        needed = self._read_by([eqn.source])
        others = self._backwards([eqn.source])
        return Marks(marked([eqn.owner], []), {}, marked([eqn.source], []), marked([t], others), marked(needed, []), {})

    def _of_residual(self, i: int) -> Marks:
        """The equation that makes it, those that read it, and these transposed."""
        assert self.found.linear
        r = self.found.residuals[i]
        owners = [eqn.owner for j, eqn in enumerate(self.found.linear.eqns) if j in r.readers]
        return Marks(
            marked([r.made], owners), marked([r.line], []), marked(r.readers, []),
            marked(self._backwards(r.readers), []), marked([i], []), {},
        )  # fmt: skip

    def _owned(self, pane: str, k: int | None) -> list[int]:
        listing = getattr(self.found, pane)
        return listing.of(k) if listing and k is not None else []

    def _linear(self, j: int) -> Any:
        assert self.found.linear
        return self.found.linear.eqns[j]

    def _read_by(self, linear: Iterable[int | None]) -> list[int]:
        """The residuals that linear equations read."""
        return [i for i, r in enumerate(self.found.residuals) if {*r.readers} & {*linear}]

    def _backwards(self, linear: Iterable[int | None]) -> list[int]:
        """The transposed equations of linear ones."""
        eqns = self.found.transposed.eqns if self.found.transposed else ()
        return [t for t, eqn in enumerate(eqns) if eqn.source in {*linear} and not eqn.adds]


def marked(strong: Iterable[int | None], related: Iterable[int | None]) -> dict[int, str]:
    """index -> its mark; None is nothing to mark."""
    found = {k: "outer" for k in related if k is not None}
    return found | {k: "now" for k in strong if k is not None}


class Controls:
    """The live view: what is chosen, and the panes that show it."""

    def __init__(self, figure: LinearizeViewer):
        self.figure, self.picture, self.place = figure, ipywidgets.HTML(), ipywidgets.VBox()
        # A mover for each list: a slider whose end is moved does not go there by keys.
        self.movers = {by: Mover(SLIDERS[by], n + 1, lambda place: self.show()) for by, n in figure.counts().items()}
        options = [*self.movers]
        self.by: Any = toggles("Choose", options, options[0])
        self.by.observe(lambda change: self.another(), names="value")
        choice = [self.by] if len(options) > 1 else []
        self.box = ipywidgets.VBox([*choice, self.place, self.picture])
        self.another()

    def another(self) -> None:
        """Let the buttons and the slider go over what is to be chosen."""
        self.place.children = [self.movers[self.by.value].box]
        self.show()

    def show(self) -> None:
        by = self.by.value
        self.picture.value = self.figure.page_at(by, self.movers[by].slider.value)
