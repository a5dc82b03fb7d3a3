"""The drawing of a graph: boxes in layers, arrows from top to bottom, frames around programs inside of equations."""

from dataclasses import dataclass
from html import escape

from .figure import BLUE, FAINT, GREY, INK, LINE, RED, SIZE, SKY, YELLOW, code_at, drawing, rect, text_at, width_of
from .graph import Box, Graph
from .layered import Layout, Node, arrange

STYLE = ".minijax-page .scroll { overflow: auto hidden }"  # the wheel moves the page, not the drawing in it
FILLS = {"input": GREY, "constant": GREY, "literal": "#ffffff", "equation": SKY, "output": GREY}
ROW, PAD, LABEL = 18.0, 12.0, 18.0  # the height of a row of text; the room around a drawing; of an arrow's label
PULLS = {"equation": 4.0, "literal": 0.1}  # so that a chain of equations is a straight line
Chosen = tuple[Graph, int] | None  # an equation: its graph and its index there


@dataclass
class Sized:
    """A graph with places for everything in it, and the same for each frame, by the box it belongs to."""

    graph: Graph
    layout: Layout
    frames: dict[int, "Sized"]


# ---- sizes


def sized(graph: Graph) -> Sized:
    """Places for a graph. A frame is as large as the drawing in it."""
    frames = {i: sized(box.frame) for i, box in enumerate(graph.boxes) if box.frame}
    nodes = [node_of(box, frames.get(i), operands(graph, i)) for i, box in enumerate(graph.boxes)]
    arrows = [(a.start, a.out, a.stop, a.into) for a in graph.arrows]
    kinds = {kind: [i for i, box in enumerate(graph.boxes) if box.kind == kind] for kind in ("input", "output")}
    if not nodes:
        return Sized(graph, Layout([], [], 0, 0), frames)
    return Sized(graph, arrange(nodes, arrows, kinds["input"], kinds["output"]), frames)


def operands(graph: Graph, index: int) -> int:
    return max((a.into + 1 for a in graph.arrows if a.stop == index), default=0)


def node_of(box: Box, frame: Sized | None, count: int) -> Node:
    """The size of a box, and where arrows enter and leave it."""
    labels = [width_of(name, mono=True) + 14 for name in box.results]
    width = max([width_of(text, mono=True) + 22 for text in (heading(box), *box.details)] + [34.0])
    if len(labels) > 1:
        width = max(width, sum(labels))
    height = ROW * (1 + len(box.details)) + 10
    if frame:
        width, height = max(width, frame.layout.width + 2 * PAD), height + frame.layout.height + 2 * PAD
    ins, outs = even(count, width), even(len(box.results), width)
    if frame and frame.layout.nodes:
        ins = entries(frame, width, count) or ins
    half = width / 2
    right = max([half, *(at + room for at, room in zip(outs, labels, strict=True))])
    return Node(half, right, height, ins, outs, pull=PULLS.get(box.kind, 1.0))


def even(count: int, width: float) -> list[float]:
    """`count` places evenly along an edge, from its middle."""
    return [width * ((i + 1) / (count + 1) - 0.5) for i in range(count)]


def entries(frame: Sized, width: float, count: int) -> list[float]:
    """Where the operands of a framed equation enter: right above the inputs inside."""
    inner = [n for n, box in zip(frame.layout.nodes, frame.graph.boxes, strict=False) if box.kind == "input"]
    start = (width - frame.layout.width) / 2 - width / 2
    return [start + n.x for n in inner] if len(inner) >= count else []


def heading(box: Box) -> str:
    """3  sin, input a, 2.0"""
    start = {"equation": f"{box.number} ", "literal": ""}.get(box.kind, box.kind)
    return f"{start} {box.label}".strip()


# ---- the drawing


def draw(whole: Sized, chosen: Chosen, title: str, words: str) -> str:
    """The SVG of a graph. What the chosen equation reads is blue, what it gives is dashed and red-brown."""
    body = TIPS + draw_in(whole, PAD, PAD, chosen)
    width, height = max(whole.layout.width + 2 * PAD, 120), whole.layout.height + 2 * PAD
    if whole.graph.left_out:
        body += text_at(PAD, height + 8, f"... and {whole.graph.left_out} more equations, which are not drawn")
        width, height = max(width, 420), height + 20
    return drawing(body, width, height, title, words)


def draw_in(whole: Sized, x: float, y: float, chosen: Chosen) -> str:
    """A graph with its top left corner at (x, y): arrows, boxes above them, labels above both."""
    layout, graph = whole.layout, whole.graph
    index = chosen[1] if chosen and chosen[0] is graph else None
    arrows = "".join(draw_link(whole, k, x, y, index) for k in range(len(layout.links)))
    boxes = "".join(draw_box(whole, i, x, y, chosen) for i in range(len(graph.boxes)))
    labels = "".join(draw_labels(box, layout.nodes[i], x, y) for i, box in enumerate(graph.boxes))
    return arrows + boxes + labels


def draw_link(whole: Sized, k: int, x: float, y: float, index: int | None) -> str:
    """A piece of an arrow: straight through a layer that it passes, a curve from one layer to the next."""
    link, nodes, arrows = whole.layout.links[k], whole.layout.nodes, whole.graph.arrows
    start, stop = nodes[link.start], nodes[link.stop]
    top, bottom = y + start.y + start.height, y + stop.y
    here, there = x + start.x + start.outs[link.out], x + stop.x + stop.ins[link.into]
    turn = y + start.floor + LABEL
    path = f"M{here:.1f} {top - start.height * start.passing:.1f}V{turn:.1f}"
    middle = (turn + bottom) / 2
    path += f"C{here:.1f} {middle:.1f} {there:.1f} {middle:.1f} {there:.1f} {bottom - (not stop.passing):.1f}"
    reads = index is not None and any(arrows[r].stop == index for r in link.routes)
    gives = index is not None and any(arrows[r].start == index for r in link.routes)
    look, tip = look_of(reads, gives)
    end = "" if stop.passing else f" marker-end='url(#minijax-{tip})'"
    return f"<path d='{path}' fill='none' {look}{end}/>"


def look_of(reads: bool, gives: bool) -> tuple[str, str]:
    if reads:
        return f"stroke='{BLUE}' stroke-width='3.5'", "blue"
    if gives:
        return f"stroke='{RED}' stroke-width='3.5' stroke-dasharray='7 4'", "red"
    return f"stroke='{FAINT}' stroke-width='1.3'", "ink"


def marker(name: str, color: str, size: float) -> str:
    size_of = f"markerWidth='{size:g}' markerHeight='{size:g}' markerUnits='userSpaceOnUse'"
    tip = f"<path d='M0 0L6 3L0 6z' fill='{color}'/>"
    return f"<marker id='minijax-{name}' viewBox='0 0 6 6' refX='5.5' refY='3' {size_of} orient='auto'>{tip}</marker>"


TIPS = f"<defs>{marker('ink', FAINT, 9)}{marker('blue', BLUE, 14)}{marker('red', RED, 14)}</defs>"


def draw_box(whole: Sized, i: int, x: float, y: float, chosen: Chosen) -> str:
    """A box with its texts; the line that it is in print shows when a pointer rests on it."""
    box, node = whole.graph.boxes[i], whole.layout.nodes[i]
    left, top, width = x + node.x - node.left, y + node.y, 2 * node.left
    marked = chosen is not None and chosen[0] is whole.graph and chosen[1] == i
    fill = "#ffffff" if box.frame else YELLOW if marked else FILLS[box.kind]
    body = rect(left, top, width, node.height, f"fill='{fill}' {border(box, marked)}")
    if box.frame:
        body += rect(left + 3, top + 3, width - 6, ROW + 4, f"fill='{YELLOW if marked else SKY}'")
    at = left + 11 if box.frame else left + width / 2
    anchor = "text-anchor='start'" if box.frame else "text-anchor='middle'"
    for k, text in enumerate([heading(box), *box.details]):
        body += code_at(at, top + 19 + ROW * k, text, f"{anchor} {text_look(box, k)}")
    if i in whole.frames:
        frame = whole.frames[i]
        inner = left + (width - frame.layout.width) / 2, top + ROW * (1 + len(box.details)) + 10 + PAD
        body += draw_in(frame, *inner, chosen)
    hint = f"<title>{escape(box.line or f'{box.kind} {box.label}')}</title>"
    return f"<g>{hint}{body}</g>"


def border(box: Box, marked: bool) -> str:
    """Round corners are values from outside and to outside; a dashed border is a frame."""
    dash = " stroke-dasharray='6 3'" if box.frame else ""
    radius = 4 if box.kind == "equation" else 13
    color, width = (INK, 3) if marked else (LINE, 1.2)
    if box.kind == "literal":
        color = "none"
    return f"rx='{radius}' stroke='{color}' stroke-width='{width}'{dash}"


def text_look(box: Box, row: int) -> str:
    if row:
        return f"fill='{FAINT}'"
    return "font-weight='bold'" if box.kind == "equation" else ""


def draw_labels(box: Box, node: Node, x: float, y: float) -> str:
    """Beside each arrow that leaves a box: the name and the type of its value, on a white edge of its own."""
    halo = f"stroke='#ffffff' stroke-width='4' paint-order='stroke' font-size='{SIZE}'"
    return "".join(
        code_at(x + node.x + at + 6, y + node.y + node.height + 17, name, halo)
        for at, name in zip(node.outs, box.results, strict=True)
    )
