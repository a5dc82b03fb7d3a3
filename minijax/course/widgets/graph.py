"""A jaxpr as boxes and arrows: inputs, equations, literals and outputs, and the values that go between them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .figure import listed
from .program import MOST, Printer, subprograms, type_text

LARGEST_FRAME, DEEPEST = 12, 2  # equations of a program that is drawn inside its equation; frames inside frames
LONGEST = 41  # characters of a parameter in a box


@dataclass
class Box:
    """An input, a constant, a literal, an equation or an output."""

    kind: str
    label: str
    number: str = ""  # of an equation: "3", or "3.1" inside equation 3
    details: tuple[str, ...] = ()  # its parameters, a line each
    line: str = ""  # the equation as it is printed
    results: tuple[str, ...] = ()  # "b:f32[3]", for each value that leaves the box
    frame: "Graph | None" = None  # the program inside


@dataclass(frozen=True)
class Arrow:
    """A value on its way: from result `out` of a box to operand `into` of another one."""

    start: int
    out: int
    stop: int
    into: int


@dataclass
class Graph:
    """Boxes by their index, in the order of the program, and the arrows between them."""

    boxes: list[Box] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    left_out: int = 0

    def add(self, box: Box) -> int:
        self.boxes.append(box)
        return len(self.boxes) - 1

    def equations(self) -> Iterator[tuple["Graph", int]]:
        """All equations, those in frames after the one that they are in: each with its graph and index."""
        for index, box in enumerate(self.boxes):
            if box.kind == "equation":
                yield self, index
                if box.frame:
                    yield from box.frame.equations()


def graph_of(jaxpr: Any) -> Graph:
    """The graph of a jaxpr, in plain text and numbers; of a very long one, its first equations."""
    printer = Printer(jaxpr)
    printer.program()  # gives every variable the letter that it has in print
    return Builder(printer).build(jaxpr, "")


class Builder:
    """Makes the graph of one jaxpr and of those inside it. `left` counts the equations that may still be drawn."""

    def __init__(self, printer: Printer):
        self.printer, self.left = printer, MOST

    def build(self, jaxpr: Any, prefix: str) -> Graph:
        graph, sources = Graph(), {}
        for kind, variables in (("input", jaxpr.invars), ("constant", jaxpr.constvars)):
            for v in variables:
                label = self.printer.name(v)
                sources[id(v)] = graph.add(Box(kind, label, results=(self.typed(v),))), 0
        shown = jaxpr.eqns[: self.left]
        self.left -= len(shown)
        graph.left_out = len(jaxpr.eqns) - len(shown)
        for n, eqn in enumerate(shown, start=1):
            self.add_equation(graph, sources, eqn, f"{prefix}{n}")
        for v in jaxpr.outvars:
            self.connect(graph, sources, [v], graph.add(Box("output", self.printer.name(v))))
        return graph

    def add_equation(self, graph: Graph, sources: dict[int, Any], eqn: Any, number: str) -> None:
        index = graph.add(self.equation(eqn, number))
        self.connect(graph, sources, eqn.invars, index)
        sources.update({id(v): (index, i) for i, v in enumerate(eqn.outvars)})

    def equation(self, eqn: Any, number: str) -> Box:
        params = dict(self.printer.shown_params(eqn))
        subs = subprograms(eqn)
        name = f"{eqn.primitive.name} {params.pop('name', '')}".strip() if subs else eqn.primitive.name
        details = [shortened(f"{key}={value}") for key, value in params.items()][:3]
        frame = self.frame(subs, number)
        if subs and not frame:
            details.append(f"({sum(len(sub.eqns) for sub in subs)} equations inside)")
        results = tuple(map(self.typed, eqn.outvars))
        return Box("equation", name, number, tuple(details), self.printer.flat(eqn), results, frame)

    def frame(self, subs: list[Any], number: str) -> Graph | None:
        """The graph of the program inside an equation, where there is one and it is small."""
        small = len(subs) == 1 and 0 < len(subs[0].eqns) <= min(LARGEST_FRAME, self.left)
        return self.build(subs[0], f"{number}.") if small and number.count(".") < DEEPEST else None

    def connect(self, graph: Graph, sources: dict[int, Any], atoms: list[Any], index: int) -> None:
        """Arrows from where these values come from; a literal gets a box of its own, a left-out equation none."""
        for into, atom in enumerate(atoms):
            if hasattr(atom, "val"):
                sources[id(atom)] = graph.add(Box("literal", self.printer.name(atom), results=(type_text(atom),))), 0
            if id(atom) in sources:
                start, out = sources[id(atom)]
                graph.arrows.append(Arrow(start, out, index, into))

    def typed(self, v: Any) -> str:
        return f"{self.printer.name(v)}:{type_text(v)}"


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


# ---- an equation in words


def in_words(graph: Graph, index: int) -> str:
    """Equation 2, `c:f32[] = mul b a`, reads b of equation 1 and the input a. Its result c is read by equation 3."""
    box = graph.boxes[index]
    reads = list(dict.fromkeys(source_in_words(graph, a) for a in graph.arrows if a.stop == index))
    uses = [result_in_words(graph, index, out) for out in range(len(box.results))]
    start = f"Equation {box.number}, `{box.line}`, reads {listed(reads) or 'nothing'}."
    inside = " Its program is drawn inside the frame." if box.frame else ""
    return " ".join([start, *uses]) + inside


def source_in_words(graph: Graph, arrow: Arrow) -> str:
    box = graph.boxes[arrow.start]
    if box.kind != "equation":
        return f"the {box.kind} {box.label}"
    return f"{box.results[arrow.out].split(':')[0]} of equation {box.number}"


def result_in_words(graph: Graph, index: int, out: int) -> str:
    """Who reads one result of an equation."""
    name = graph.boxes[index].results[out].split(":")[0]
    readers = [graph.boxes[a.stop] for a in graph.arrows if (a.start, a.out) == (index, out)]
    numbers = list(dict.fromkeys(box.number for box in readers if box.kind == "equation"))
    uses = [f"is read by equation{'s' * (len(numbers) > 1)} {listed(numbers)}"] if numbers else []
    uses += ["is returned"] if any(box.kind == "output" for box in readers) else []
    return f"Its result {name} {' and '.join(uses) or 'is read by nothing'}."
