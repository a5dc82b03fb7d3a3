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


# ---- chapter 2


def memory() -> None:
    """Four equations as four calls, with an array between each two; and as one loop."""
    words = (
        "Equation by equation, mul, add, mul and sub each read arrays from memory and write one: nine passes, with the "
        "arrays b, c and d in between. As one loop they read a and write e: two passes, and b, c and d are numbers in "
        "registers."
    )
    body = "<text x='10' y='24' font-weight='bold'>one call for each equation: 9 passes</text>"
    body += "".join(_array(15 + 175 * k, 95, name) for k, name in enumerate("abcde"))
    for k, (name, also) in enumerate(zip(("mul", "add", "mul", "sub"), (0, 0, 1, 0), strict=True)):
        x = 95 + 175 * k
        body += box(x, 42, 75, [name], YELLOW)
        body += arrow(f"M{x - 45} 93L{x + 2} 72") + arrow(f"M{x + 73} 72L{x + 122} 92")
        if also:  # the second mul reads a again
            body += arrow(f"M40 131V148H{x + 38}V73")
    body += "<text x='10' y='192' font-weight='bold'>one loop: 2 passes</text>"
    body += _array(15, 215, "a") + _array(715, 215, "e")
    body += box(190, 209, 420, ["for each i:  b = 2 a[i];  c = b + 1;  d = c a[i];  e[i] = d - 3"], YELLOW)
    body += arrow("M67 225H188") + arrow("M610 225H713")
    show(body, words, 790, 262)


def _array(x: int, y: int, name: str) -> str:
    """An array in memory: a row of cells under its name."""
    cells = "".join(
        f"<rect x='{x + 13 * k}' y='{y}' width='13' height='20' fill='{LIGHT}' stroke='#333'/>" for k in range(4)
    )
    return f"{cells}<text x='{x + 26}' y='{y + 35}' text-anchor='middle'>{name}</text>"


def compiler() -> None:
    """The parts of the compiler, each with the section that builds it, and what is between them."""
    words = (
        "A jaxpr goes through the passes (section 2) and becomes a smaller jaxpr. Fusion (6), which asks the lowering "
        "rules (5), makes a plan of it. Writing (7) turns each group of the plan into a kernel: loops as data (3), "
        "which call functions (4). Rendering (3) gives its text, which Python can run, and Numba (8) makes machine "
        "code of it, which the program (9) calls."
    )
    made = [["jaxpr"], ["smaller", "jaxpr"], ["plan:", "groups"], ["kernels:", "loops as data"], ["text:", "Python"]]
    done = [["passes", "(2)"], ["fusion", "(5, 6)"], ["writing", "(4, 7)"], ["render", "(3)"]]
    widths, x, body = (80, 90, 90, 125, 90), 5, ""
    for k, (lines, width) in enumerate(zip(made, widths, strict=True)):
        body += box(x, 20 if len(lines) > 1 else 28, width, lines, LIGHT)
        x += width
        if k < len(done):
            body += arrow(f"M{x} 43H{x + 88}")
            body += "".join(
                f"<text x='{x + 42}' y='{34 + 28 * i}' text-anchor='middle'>{t}</text>" for i, t in enumerate(done[k])
            )
            x += 90
    body += arrow(f"M{x - 45} 65V103") + f"<text x='{x - 38}' y='90'>Numba (8)</text>"
    body += box(x - 125, 105, 125, ["machine code"], LIGHT)
    body += box(x - 330, 105, 130, ["jit calls it (9)"], YELLOW) + arrow(f"M{x - 200} 120H{x - 127}")
    body += f"<text x='{x + 8}' y='40'>Python</text><text x='{x + 8}' y='57'>runs it, too</text>"
    show(body, words, x + 100, 145)


def call() -> None:
    """What happens in a call of a jitted function: its kind is looked up."""
    words = (
        "A call of a jitted function is flattened into leaves. Its kind is the function object, the tree, the aval of "
        "each leaf (shape, dtype, weak or not) and each static value with its type. Where a program is known for this "
        "kind, it is run with the values of the leaves. Where none is known, the function is traced and compiled "
        "first. Values that are not static are in no key."
    )
    body = box(5, 62, 105, ["a call", "f(x, y, k)"], GREY) + arrow("M110 85H158")
    body += box(160, 8, 250, ["its kind:", "the function object", "the tree of the arguments"], LIGHT)
    body += box(160, 69, 250, ["the aval of each leaf:", "shape, dtype, weak or not"], LIGHT)
    body += box(160, 114, 250, ["static values, and their types"], LIGHT)
    body += arrow("M410 85H458") + box(460, 62, 105, ["known", "already?"], YELLOW)
    body += arrow("M512 62V35H618") + "<text x='545' y='28'>yes</text>" + box(620, 19, 190, ["run the program"], LIGHT)
    body += arrow("M512 107V135H618") + "<text x='545' y='128'>no</text>"
    body += box(620, 111, 190, ["trace the function,", "compile, keep"], YELLOW) + arrow("M715 111V50")
    show(body, words, 815, 165)


# ---- chapter 3


def unrolled() -> None:
    """A loop as many equations, one after the other; and as one equation that holds the program of a step."""
    words = (
        "Traced in Python, a loop of n steps is a chain: sub, mul, add, and the same three again for each step, 3 n "
        "equations. As scan it is one equation, which holds the program of one step (sub, mul, add: three "
        "equations) and the number of steps."
    )
    body = "<text x='10' y='24' font-weight='bold'>a loop of Python: 3 equations for each step</text>"
    for k in range(3):
        x = 10 + 205 * k
        body += "".join(box(x + 62 * j, 38, 52, [name], YELLOW) for j, name in enumerate(("sub", "mul", "add")))
        body += "".join(arrow(f"M{x + 52 + 62 * j} 53H{x + 61 + 62 * j}") for j in range(2))
        body += arrow(f"M{x + 176} 53H{x + 204}") + f"<text x='{x + 88}' y='86' text-anchor='middle'>step {k}</text>"
    body += "<text x='632' y='58'>... and so on</text>"
    body += "<text x='10' y='130' font-weight='bold'>scan: 1 equation, whatever the number of steps</text>"
    body += f"<rect x='10' y='144' width='440' height='74' rx='6' fill='{LIGHT}' stroke='#333'/>"
    body += "<text x='24' y='186'>scan</text><text x='320' y='178'>length = n</text>"
    body += "<text x='320' y='198'>reverse = False</text>"
    body += f"<rect x='76' y='154' width='226' height='54' rx='6' fill='white' stroke='{BLUE}' stroke-dasharray='5 3'/>"
    body += "".join(box(92 + 68 * j, 166, 58, [name], YELLOW) for j, name in enumerate(("sub", "mul", "add")))
    body += "".join(arrow(f"M{150 + 68 * j} 181H{159 + 68 * j}") for j in range(2))
    show(body + "<text x='466' y='186'>the program of a step is a parameter</text>", words, 760, 230)


def scan() -> None:
    """What goes through the steps of a scan: the carry; an element of xs into each, an element of ys out of each."""
    words = (
        "A scan of three steps. init goes into the first step as its carry. What the first step gives as carry goes "
        "into the second, and so on; the last carry is a result. Each step takes one element of xs and gives one "
        "element of ys, which are stacked. The constants go into each step as they are."
    )
    body = f"<text x='12' y='108'>init</text>{arrow('M42 103H118')}"
    for k in range(3):
        x = 120 + 190 * k
        body += box(x, 80, 100, ["the body:", "one step"], YELLOW) + arrow(f"M{x + 100} 103H{x + 188}")
        body += box(x + 15, 8, 70, [f"xs[{k}]"], LIGHT) + arrow(f"M{x + 50} 37V78")
        body += arrow(f"M{x + 50} 125V168") + box(x + 15, 170, 70, [f"ys[{k}]"], LIGHT)
        body += f"<text x='{x + 120}' y='97'>carry</text>" if k < 2 else ""
    body += "<text x='694' y='100'>the last</text><text x='694' y='117'>carry</text>"
    body += "<text x='12' y='28'>sequences</text><text x='12' y='190'>stacked</text>"
    body += f"<path d='M40 148H642' stroke='{BLUE}' stroke-dasharray='5 3' fill='none'/>"
    dashed = f"stroke='{BLUE}' stroke-dasharray='5 3'"
    body += "".join(arrow(f"M{135 + 190 * k} 148V127", dashed) for k in range(3))
    show(f"{body}<text x='12' y='143' fill='{BLUE}'>constants</text>", words, 760, 206)


def branches() -> None:
    """A cond: all branches are traced, with the same operands and the same types of results; one is run."""
    words = (
        "cond(pred, true_fun, false_fun, x). While tracing, both functions are traced: the equation holds two "
        "programs, branch 0 for false and branch 1 for true. Both take the same operands and give results of the same "
        "types. When the equation is run, the index chooses one of them, and only that one is run."
    )
    body = "<text x='10' y='22' font-weight='bold'>while tracing: both</text>"
    body += box(10, 38, 110, ["false_fun"], GREY) + box(10, 108, 110, ["true_fun"], GREY)
    body += f"<rect x='190' y='28' width='190' height='120' rx='6' fill='{LIGHT}' stroke='#333'/>"
    body += box(200, 38, 170, ["branch 0: a program"], "white") + box(200, 108, 170, ["branch 1: a program"], "white")
    body += "<text x='285' y='92' text-anchor='middle'>one equation: cond</text>"
    body += arrow("M120 53H198") + arrow("M120 123H198")
    body += "<text x='430' y='22' font-weight='bold'>in each run: one</text>"
    body += box(430, 73, 90, ["index, x"], GREY) + arrow("M520 88L598 58") + arrow("M520 88L598 120", "stroke='#999'")
    body += box(600, 38, 110, ["branch 0"], YELLOW) + box(600, 108, 110, ["branch 1"], "white")
    body += "<text x='535' y='58'>index 0</text>" + arrow("M710 53H768") + "<text x='774' y='58'>results</text>"
    show(body, words, 830, 158)


def prefix() -> None:
    """The partial sums of eight elements: pairs are added, then the partial sums of the pairs, which is half the work.

    Each row is one operation on whole arrays.
    """
    words = (
        "The partial sums of eight numbers 1 to 8. Neighbours are added: 3, 7, 11, 15. The partial sums of these four "
        "are found in the same way: 3, 10, 21, 36. They are the results at the odd places. Each of them plus the next "
        "element gives the results at the even places: 1, 6, 15, 28. Together: 1, 3, 6, 10, 15, 21, 28, 36."
    )
    left, wide = 175, 72
    rows = {
        "the elements": (10, range(8), range(1, 9), GREY),
        "add neighbours": (72, range(1, 8, 2), (3, 7, 11, 15), LIGHT),
        "their partial sums": (134, range(1, 8, 2), (3, 10, 21, 36), YELLOW),
        "plus the next element": (196, range(0, 8, 2), (1, 6, 15, 28), LIGHT),
        "put together": (258, range(8), (1, 3, 6, 10, 15, 21, 28, 36), GREY),
    }
    body = ""
    for name, (y, places, values, fill) in rows.items():
        body += f"<text x='8' y='{y + 20}'>{name}</text>"
        body += "".join(box(left + wide * k, y, 50, [str(v)], fill) for k, v in zip(places, values, strict=True))
    at = lambda k: left + wide * k + 25
    for k in range(1, 8, 2):
        body += arrow(f"M{at(k - 1)} 39L{at(k) - 8} 70") + arrow(f"M{at(k)} 39V70") + arrow(f"M{at(k)} 101V132")
        body += arrow(f"M{at(k)} 163V256")
    for k in range(0, 8, 2):
        body += arrow(f"M{at(k)} 39V194") + arrow(f"M{at(k)} 225V256")
        body += arrow(f"M{at(k - 1)} 163L{at(k) - 8} 194") if k else ""
    show(body, words, 760, 296)
