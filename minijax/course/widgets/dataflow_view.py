"""A jaxpr as a drawing: where each value comes from, and where it goes to."""

from collections.abc import Callable
from typing import Any

import ipywidgets

from .dataflow_drawing import STYLE, draw, sized
from .figure import Figure, Mover, counted, package_module, page, said
from .graph import Graph, graph_of, in_words


def dataflow(program: Any, *args: Any, **kwargs: Any) -> "Dataflow":
    """The drawing of a jaxpr; or of the jaxpr that a function has at these arguments.

    Raises TypeError for what is neither, and what make_jaxpr raises where it refuses the function or the arguments.
    """
    if isinstance(program, package_module("layer1_core.jaxpr").Jaxpr):
        return of_jaxpr(program, args, kwargs)
    if not callable(program):
        raise TypeError(f"dataflow draws a jaxpr or a function with its arguments, and this is {program!r}")
    make: Callable[..., Any] = package_module("layer1_core.staging").make_jaxpr
    return Dataflow(graph_of(make(program)(*args, **kwargs)))


def of_jaxpr(jaxpr: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> "Dataflow":
    """Raises TypeError where there are arguments: a jaxpr has its types already."""
    if args or kwargs:
        raise TypeError("dataflow of a jaxpr takes no arguments: it has its types already")
    return Dataflow(graph_of(jaxpr))


class Dataflow(Figure):
    """Boxes for inputs, equations, literals and outputs; on each arrow stands the type of its value."""

    def __init__(self, graph: Graph):
        self.graph, self.whole = graph, sized(graph)
        self.equations = list(graph.equations())

    def text(self) -> str:
        """The inputs, a sentence for each equation, and the outputs."""
        inputs, outputs = self._named("input"), self._named("output")
        lines = [self.sentence(place) for place in range(1, len(self.equations) + 1)]
        start = f"Inputs: {', '.join(inputs) or 'none'}. Outputs: {', '.join(outputs) or 'none'}."
        return "\n".join([f"{self.heading()}.", start, *lines])

    def svg(self) -> str:
        return draw(self.whole, None, self.heading(), self.text())

    def live(self) -> ipywidgets.Widget:
        """Buttons and a slider, a sentence about the chosen equation, and the drawing with it marked."""
        picture = ipywidgets.HTML(self.page_at(0))
        count = len(self.equations) + 1
        mover = Mover("Equation", count, lambda place: setattr(picture, "value", self.page_at(place)))
        return ipywidgets.VBox([mover.box, picture])

    def page_at(self, place: int) -> str:
        """The drawing with one equation chosen; 0 chooses none."""
        chosen = self.equations[place - 1] if place else None
        svg = draw(self.whole, chosen, self.heading(), self.sentence(place))
        return page(f"{said(self.sentence(place), rows=2)}<div class='scroll' tabindex='-1'>{svg}</div>", STYLE)

    # ---- words

    def heading(self) -> str:
        more = f", and {self.graph.left_out} more that are not drawn" if self.graph.left_out else ""
        return f"The dataflow of a program of {counted(len(self._named('equation')), 'equation')}{more}"

    def sentence(self, place: int) -> str:
        if not place:
            return f"{self.heading()}. Choose an equation to see what it reads and who reads it."
        return in_words(*self.equations[place - 1])

    def _named(self, kind: str) -> list[str]:
        return [(*box.results, box.label)[0] for box in self.graph.boxes if box.kind == kind]
