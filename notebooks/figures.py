"""The figures of the course, as SVG text.

Each function draws one and shows it in the notebook, together with a sentence that says the same: it is the
figure's label for screen readers, and what stands where SVG cannot be shown. The colours differ in
lightness too (blue, yellow and orange of Okabe and Ito), on a white ground, so that dark themes keep them legible.
"""

import math
import sys
from collections.abc import Callable

from IPython.display import display

from minijax.layer1_core.primitive import Primitive, impl_rules

BLUE, LIGHT, YELLOW, ORANGE, GREY = "#0072b2", "#bfe3f5", "#f0e442", "#d55e00", "#eeeeee"
TIP = (
    "<defs><marker id='tip' viewBox='0 0 6 6' refX='5' refY='3' markerWidth='7' markerHeight='7' orient='auto'>"
    "<path d='M0 0L6 3L0 6z' fill='#333'/></marker></defs>"
)
Place = tuple[float, float]


def show(body: str, words: str, width: int, height: int, font: int = 14) -> None:
    """Show an SVG drawing of this size; `words` say what is in it."""
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='100%' role='img' "
        f"aria-label='{words}' font-family='sans-serif' font-size='{font}'><title>{words}</title>{TIP}"
        f"<rect width='{width}' height='{height}' fill='white'/>{body}</svg>"
    )
    display({"image/svg+xml": svg, "text/plain": words}, raw=True)


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


ROWS_TO_COME = {"lowering, to loops": 2, "jvp, derivatives": 4, "transpose": 4, "batching": 5, "sharding": 7}
FAMILIES = (
    "elementwise converting shaping joining reducing dot indexing gather scatter windows conv sorting "
    "special linalg fft"
)


def families() -> dict[str, list[Primitive]]:
    """The primitives of the package by the module of `lax` that they are in; those from elsewhere are "calls"."""
    start = "minijax.layer1_core.lax."
    modules = {name.removeprefix(start): m for name, m in sys.modules.items() if name.startswith(start)}
    named = [(name, modules.get(name)) for name in dict.fromkeys([*FAMILIES.split(), *sorted(modules)])]
    named += [("calls", module) for name, module in sorted(sys.modules.items()) if name.startswith("minijax.")]
    found: dict[str, list[Primitive]] = {}
    placed: set[Primitive] = set()
    for family, module in named:
        new = [p for p in vars(module).values() if isinstance(p, Primitive) and p not in placed] if module else []
        placed.update(new)
        found.setdefault(family, []).extend(dict.fromkeys(new))
    return {family: members for family, members in found.items() if members}


def rows() -> dict[str, Callable[[Primitive], bool]]:
    """The families of rules that are there: a name, and whether a primitive has its rule."""
    return {"shape rule": lambda p: p.abstract_eval != p._no_abstract_eval, "impl, in NumPy": lambda p: p in impl_rules}


def counts() -> None:
    """The matrix in one line: how many primitives there are, and how many of them have each rule."""
    everything = [p for members in families().values() for p in members]
    have = (f"{name}: {sum(map(rule, everything))}" for name, rule in rows().items())
    print(f"{len(everything)} primitives in {len(families())} families", *have, sep="; ")


def matrix() -> None:
    """The primitives of the package in one direction, the families of rules in the other."""
    step, left, top, pitch = 5, 130, 88, 26
    starts, places, right = {}, [], left
    for family, members in families().items():
        starts[family] = right
        wide = max(step, 20 // len(members))  # so that there is room for the name above, and no gap below
        places += [(right + wide * i, wide - 1, p) for i, p in enumerate(members)]
        right += wide * len(members) + 4
    body = "".join(f"<text transform='translate({x + 6} {top - 6}) rotate(-45)'>{f}</text>" for f, x in starts.items())
    for i, (name, rule) in enumerate([*rows().items(), *ROWS_TO_COME.items()]):
        y = top + pitch * i
        body += f"<text x='{left - 8}' y='{y + 14}' text-anchor='end'>{name}</text>"
        body += planned(rule, left, right, y) if isinstance(rule, int) else bars(rule, places, y)
    show(body, matrix_in_words(), right + 50, top + 10 + pitch * (len(rows()) + len(ROWS_TO_COME)), font=12)


def bars(rule: Callable[[Primitive], bool], places: list[tuple[int, int, Primitive]], y: int) -> str:
    """One row: a bar for each primitive (its place, its width), blue where it has the rule."""
    return "".join(
        f"<rect x='{x}' y='{y}' width='{w}' height='20' fill='{BLUE if rule(p) else ORANGE}'><title>{p}</title></rect>"
        for x, w, p in places
    )


def planned(chapter: int, left: int, right: int, y: int) -> str:
    """One row that a later chapter brings."""
    place = f"x='{left}' y='{y}' width='{right - left - 5}' height='20'"
    frame = f"<rect {place} fill='{GREY}' stroke='#999' stroke-dasharray='4 3'/>"
    return f"{frame}<text x='{(left + right) // 2}' y='{y + 14}' text-anchor='middle'>chapter {chapter}</text>"


def matrix_in_words() -> str:
    found = families()
    everything = [p for members in found.values() for p in members]
    sizes = ", ".join(f"{family} {len(members)}" for family, members in found.items())
    have = " ".join(f"{sum(map(rule, everything))} of them have a rule in the row {n}." for n, rule in rows().items())
    empty = "; ".join(f"{name} (chapter {n})" for name, n in ROWS_TO_COME.items())
    return f"{len(everything)} primitives in {len(found)} families: {sizes}. {have} Still empty are the rows {empty}."


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
