"""The figures of the course, as SVG text.

Each function draws one and shows it in the notebook, together with a sentence that says the same: it is the
figure's label for screen readers, and what stands where SVG cannot be shown. The colours differ in
lightness too (blue and yellow of Okabe and Ito), on a white ground, so that dark themes keep them legible.
"""

import math
import textwrap

from IPython.display import display

BLUE, LIGHT, YELLOW, GREY = "#0072b2", "#bfe3f5", "#f0e442", "#eeeeee"
COLUMNS = 88  # of a text; JupyterLab breaks longer lines in the midst of a word
TIP = (
    "<defs><marker id='tip' viewBox='0 0 6 6' refX='5' refY='3' markerWidth='7' markerHeight='7' orient='auto'>"
    "<path d='M0 0L6 3L0 6z' fill='#333'/></marker></defs>"
)
Place = tuple[float, float]


def in_lines(text: str) -> str:
    """`text` with each line of more than COLUMNS broken between words; what is broken off is indented."""
    return "\n".join(piece for line in text.split("\n") for piece in broken(line))


def broken(line: str) -> list[str]:
    """A line in pieces. One that fits stays as it is, with all its blanks."""
    if len(line) <= COLUMNS:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip()) + 4, COLUMNS // 2)
    pieces = textwrap.wrap(line, COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return pieces or [""]


def show(body: str, words: str, width: int, height: int) -> None:
    """Show an SVG drawing of this size; `words` say what is in it."""
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='100%' role='img' "
        f"aria-label='{words}' font-family='sans-serif' font-size='14'><title>{words}</title>{TIP}"
        f"<rect width='{width}' height='{height}' fill='white'/>{body}</svg>"
    )
    display({"image/svg+xml": svg, "text/plain": textwrap.fill(words, COLUMNS, break_long_words=False)}, raw=True)


def box(x: int, y: int, width: int, lines: list[str], fill: str) -> str:
    """A rounded box with lines of text in its middle."""
    middle, height = x + width / 2, 13 + 16 * len(lines)
    frame = f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='6' fill='{fill}' stroke='#333'/>"
    return frame + "".join(
        f"<text x='{middle:g}' y='{y + 19 + 16 * i}' text-anchor='middle'>{line}</text>" for i, line in enumerate(lines)
    )


def arrow(path: str, more: str = "stroke='#333'") -> str:
    return f"<path d='{path}' fill='none' {more} marker-end='url(#tip)'/>"


# ---- chapter 0


def pipeline() -> None:
    """From a function to a program, and what can be done with one."""
    words = (
        "A Python function is traced: it is run once, on types. The trace gives a jaxpr, a program. The program can be "
        "run (chapter 1), compiled to loops (2), differentiated (4), batched (5), and spread over devices (7). "
        "The last three give a jaxpr again."
    )
    uses = ["run it (chapter 1)", "compile to loops (2)", "differentiate it (4)", "batch it (5)", "spread it out (7)"]
    heights = range(5, 5 + 40 * len(uses), 40)
    body = box(5, 78, 125, ["Python function"], GREY) + box(185, 70, 155, ["trace: run it once", "on types"], YELLOW)
    body += box(400, 70, 120, ["jaxpr:", "a program"], LIGHT)
    body += "".join(box(600, y, 195, [use], GREY) for y, use in zip(heights, uses, strict=True))
    body += arrow("M130 93L183 93") + arrow("M340 93L398 93") + "".join(arrow(f"M520 93L598 {y + 14}") for y in heights)
    dashed = f"stroke='{BLUE}' stroke-dasharray='5 3'"
    body += "".join(f"<path d='M795 {y}H808' {dashed}/>" for y in (99, 139, 179)) + arrow("M808 99V212H460V119", dashed)
    show(f"{body}<text x='530' y='207' text-anchor='middle' fill='{BLUE}'>a program again</text>", words, 815, 222)


# ---- chapter 1

LATTICE = {
    "b1": (30, 90), "i*": (105, 90), "u1": (180, 45), "u2": (255, 45), "u4": (330, 45), "u8": (405, 45),
    "i1": (180, 135), "i2": (255, 135), "i4": (330, 135), "i8": (405, 135), "f*": (480, 90), "bf": (555, 45),
    "f2": (555, 135), "f4": (630, 90), "f8": (705, 45), "c*": (555, 190), "c8": (705, 190), "c16": (780, 135),
}  # fmt: skip


def lattice(edges: dict[str, list[str]]) -> None:
    """The lattice of type promotion: from each node, arrows to the nodes right above it. Weak nodes are yellow."""
    told = [f"{node} is below {', '.join(above)}" for node, above in edges.items() if above]
    body = "".join(arrow(between(LATTICE[n], LATTICE[up], 20)) for n, ups in edges.items() for up in ups)
    for name, (x, y) in LATTICE.items():
        body += f"<circle cx='{x}' cy='{y}' r='18' fill='{YELLOW if '*' in name else LIGHT}' stroke='#333'/>"
        body += f"<text x='{x}' y='{y + 5}' text-anchor='middle'>{name}</text>"
    show(body, f"The promotion lattice. {'; '.join(told)}.", 820, 225)


def between(start: Place, stop: Place, gap: float) -> str:
    """The path from one point to another that keeps `gap` away from both."""
    (x, y), (u, v) = start, stop
    k = gap / math.dist(start, stop)
    return f"M{x + k * (u - x):.0f} {y + k * (v - y):.0f}L{u - k * (u - x):.0f} {v - k * (v - y):.0f}"


def dispatch() -> None:
    """What happens in a call of a jnp function: the current trace decides."""
    words = (
        "jnp.sin(x) calls sin_p.bind(x). bind asks the current trace. EvalTrace computes with the impl rule and "
        "returns an array. DynamicJaxprTrace asks the shape rule, writes an equation and returns a tracer. "
        "Others come in chapters 4, 5 and 7."
    )
    body = box(5, 79, 110, ["jnp.sin(x)"], GREY) + box(150, 79, 130, ["sin_p.bind(x)"], GREY)
    body += box(315, 71, 130, ["the current", "trace decides"], YELLOW)
    body += box(500, 5, 345, ["EvalTrace: the impl rule computes", "result: an array"], LIGHT)
    body += box(500, 71, 345, ["DynamicJaxprTrace: the shape rule, an equation", "result: a tracer"], LIGHT)
    body += box(500, 137, 345, ["JVPTrace, BatchTrace, ...", "chapters 4, 5 and 7"], GREY)
    ways = ["M115 93L148 93", "M280 93L313 93", "M445 93L498 32", "M445 93L498 93", "M445 93L498 158"]
    show(body + "".join(map(arrow, ways)), words, 850, 188)
