"""The panes of the batch-axis explorer: the program of one example and that of the batch, and the axes of a product."""

from collections.abc import Callable, Sequence

from .batch_products import in_words
from .batch_recording import BATCH, LEFT, RIGHT, SUMMED, Axis, Pair, Product, Recording, Step
from .figure import BLUE, FAINT, GREY, INK, LINE, RED, SKY, YELLOW, drawing, rect, text_at, width_of, with_code
from .linear_drawing import LOOK as LISTINGS, WIDE, Row, beside, pane, rows_of
from .loop_drawing import table_svg
from .stepper_drawing import wrapped

LOOK = f"""{LISTINGS}
.minijax-page .products {{ display: flex; flex-wrap: wrap; gap: 4px 26px }}
.minijax-page .products > div {{ overflow-x: auto; max-width: 100% }}
.minijax-page .problem {{ border-left: 5px solid {RED}; padding: 2px 10px; margin: 0 0 8px; overflow-wrap: anywhere }}
"""
HEADS = ("Argument", "Type", "Its axis in in_axes")
BOX, HIGH, GAP, BETWEEN = 66.0, 46.0, 6.0, 48.0  # a box for an axis; between boxes, and between the operands
DROP = 84.0  # from the operands to the result
FILLS = {BATCH: SKY, SUMMED: YELLOW}
PRODUCTS = 4  # that are drawn on paper


def titles(pair: Pair) -> tuple[str, str]:
    of = f": {pair.title}" if pair.title else ""
    return f"One example{of}", f"The batch{of}"


def argument_rows(found: Recording) -> list[tuple[str, str, str]]:
    return [(a.name, a.type, str(axis)) for a, axis in zip(found.arguments, found.axes, strict=True)]


# ---- HTML, for one equation


def page_of(found: Recording, which: int, place: int) -> str:
    """The panes of a pair of programs, with one equation marked and what it became; the axes of a product below."""
    problem = f"<p class='problem'>{with_code(found.problem)}</p>" if found.problem else ""
    if not found.pairs:
        return problem
    pair = found.pairs[which]
    one, batch = titles(pair)
    kinds = {place - 1: "now"} if place else {}
    columns = [pane(one, pair.example, kinds)]
    if pair.batch:
        columns.append(pane(batch, pair.batch, dict.fromkeys(pair.batch.of(place - 1), "now") if place else {}))
    body = f"<div class='trio fold'>{''.join(f'<div>{column}</div>' for column in columns)}</div>"
    return problem + body + (products_html(pair.steps[place - 1]) if place else "")


def products_html(step: Step) -> str:
    """The axes of a product, for one example and for the batch."""
    if not step.products:
        return ""
    drawn = "".join(f"<div tabindex='0'>{picture(title, p)}</div>" for title, p in named(step.products))
    return f"<div class='products'>{drawn}</div>"


def named(products: tuple[Product, Product]) -> list[tuple[str, Product]]:
    return [*zip(("The product for one example", "The product of the batch"), products, strict=True)]


def picture(title: str, product: Product) -> str:
    width, height = size_of(title, product)
    return drawing(
        text_at(0, 14, title, "font-weight='bold'") + axes_svg(product, 0, 26), width, height, title, in_words(product)
    )


# ---- the axes of a product


def size_of(title: str, product: Product) -> tuple[float, float]:
    """The room that a product takes."""
    rows = operand_x(product, 0)
    right = rows[RIGHT] + row_width(product, RIGHT)
    return max(
        right, 1.15 * width_of(title), row_room(product.names[2], len(product.result))
    ) + 6, 26 + 22 + 2 * HIGH + DROP + 26


def row_room(name: str, axes: int) -> float:
    return max(axes * (BOX + GAP) - GAP, width_of(name, mono=True))


def row_width(product: Product, k: int) -> float:
    return row_room(product.names[k], len(product.operands[k]))


def operand_x(product: Product, x: float) -> tuple[float, float]:
    """Where the two operands begin."""
    return x + 2, x + 2 + row_width(product, LEFT) + BETWEEN


def axes_svg(product: Product, x: float, y: float) -> str:
    """The operands above, the result below, and lines from each axis to what becomes of it."""
    starts = operand_x(product, x)
    top, bottom = y + 20, y + 20 + HIGH + DROP
    end = starts[RIGHT] + row_width(product, RIGHT)
    out = max(x + 2, (starts[LEFT] + end - row_room(product.names[2], len(product.result))) / 2)
    body = ""
    for d, axis in enumerate(product.result):
        for k, source in axis.sources:
            body += line_svg(middle(starts[k], source), top + HIGH, middle(out, d), bottom, axis)
    body += "".join(summed_svg(starts, top + HIGH, i, j) for i, j in product.summed)
    for k in (LEFT, RIGHT):
        body += row_svg(product.names[k], product.operands[k], starts[k], top, top - 8)
    return body + row_svg(product.names[2], product.result, out, bottom, bottom + HIGH + 18)


def middle(x: float, d: int) -> float:
    return x + d * (BOX + GAP) + BOX / 2


def summed_svg(starts: Sequence[float], y: float, i: int, j: int) -> str:
    """A bracket from one axis to the other over which the products are summed."""
    left, right = middle(starts[LEFT], i), middle(starts[RIGHT], j)
    look = f"fill='none' stroke='{INK}' stroke-width='1.5' stroke-dasharray='5 3'"
    path = f"<path d='M{left:g} {y:g} V{y + 26:g} H{right:g} V{y:g}' {look}/>"
    x = left + 18  # where no other line comes by
    back = rect(x - 8, y + 15, 16, 20, "fill='#ffffff'")
    return path + back + text_at(x, y + 31, "Σ", "text-anchor='middle'")


def line_svg(x: float, y: float, to_x: float, to_y: float, axis: Axis) -> str:
    color, width = (RED, 3.5) if axis.mapped else (BLUE if axis.role == BATCH else LINE, 1.5)
    return (
        f"<path d='M{x:g} {y:g} C{x:g} {y + DROP * 0.7:g} {to_x:g} {to_y - DROP * 0.6:g} {to_x:g} {to_y:g}' "
        f"fill='none' stroke='{color}' stroke-width='{width}'/>"
    )


def row_svg(name: str, axes: Sequence[Axis], x: float, y: float, label: float) -> str:
    """A box for each axis, and the name of the value."""
    boxes = "".join(box_svg(axis, x + d * (BOX + GAP), y) for d, axis in enumerate(axes))
    none = "" if axes else text_at(x, y + 28, "no axes", f"fill='{FAINT}'")
    return text_at(x, label, name, "class='mono'") + boxes + none


def box_svg(axis: Axis, x: float, y: float) -> str:
    """The size of an axis and what it is for; the batch axis has a frame and a bar."""
    mark = f"stroke='{RED}' stroke-width='3'" if axis.mapped else f"stroke='{LINE}'"
    body = rect(x, y, BOX, HIGH, f"fill='{FILLS.get(axis.role, GREY)}' {mark}")
    bar = rect(x, y, BOX, 7, f"fill='{RED}'") if axis.mapped else ""
    bold = f"font-weight='bold' fill='{RED}'" if axis.mapped else "font-weight='bold'"
    center = "text-anchor='middle'"
    return (
        body
        + bar
        + text_at(x + BOX / 2, y + 22, axis.size, f"{center} {bold}")
        + text_at(x + BOX / 2, y + 39, axis.role, center)
    )


# ---- SVG, everything at once


def paper(found: Recording, about: Callable[[Pair], str], heading: str, notes: Sequence[str], words: str) -> str:
    """The arguments, each pair of programs side by side, and the axes of the first products."""
    body, y = text_at(12, 24, heading, "font-weight='bold'"), 46.0
    drawn, y = table_svg("The arguments", HEADS, argument_rows(found), y, WIDE)
    body += drawn
    for line in wrapped(found.problem.replace("`", ""), WIDE) if found.problem else []:
        body, y = body + text_at(12, y, line), y + 19
    left = PRODUCTS
    for pair in found.pairs:
        drawn, y = pair_svg(pair, about(pair), y + 6, left)
        body, left = body + drawn, left - sum(step.products is not None for step in pair.steps)
    for line in (piece for note in notes for piece in wrapped(note.replace("`", ""), WIDE)):
        body, y = body + text_at(12, y + 12, line), y + 19
    return drawing(body, WIDE, y + 12, heading, words)


def pair_svg(pair: Pair, about: str, y: float, products: int) -> tuple[str, float]:
    """A pair of programs from y on with at most so many products, and where it ends."""
    listings = [
        (title, listing) for title, listing in zip(titles(pair), (pair.example, pair.batch), strict=True) if listing
    ]
    groups: list[list[tuple[str, list[Row]]]] = [[(title, rows_of(listing, {}))] for title, listing in listings]
    body, y = beside(groups, y)
    if about:
        body, y = body + text_at(12, y, about.replace("`", "")), y + 22
    for step in [step for step in pair.steps if step.products][: max(products, 0)]:
        drawn, y = products_svg(step, y)
        body += drawn
    return body, y


def products_svg(step: Step, y: float) -> tuple[str, float]:
    """The two pictures side by side where there is room."""
    assert step.products
    body, x, high = "", 12.0, 0.0
    for title, product in named(step.products):
        width, height = size_of(title, product)
        if x > 12 and x + width > WIDE:
            x, y = 12.0, y + high
        body += text_at(x, y + 14, title) + axes_svg(product, x, y + 26)
        x, high = x + width + 40, height
    return body, y + high + 8
