"""The drawing of a collective: a row of buffers before a step, a row after it, and between them what is sent."""

import math
from collections.abc import Collection, Sequence

from .figure import BLUE, INK, LINE, RED, YELLOW, code_at, counted, drawing, rect, text_at
from .mesh_drawing import FILLS
from .ring_recording import Cell, Message, Recording, State

WIDTH, LEFT, TOP = 704.0, 84.0, 12.0  # to the left, the step and what has been sent
CELL, TALL, BETWEEN = 34.0, 42.0, 6.0  # a place of a buffer; between rows of places
TICK = 6.0  # a mark for each device whose number may be in a block
DROP, QUIET = 60.0, 20.0  # from one row of buffers to the next, with messages between them and without
BOLD, CENTER = "font-weight='bold'", "text-anchor='middle'"
Places = Collection[tuple[int, int]]  # a device and a place of its buffer


def draw(found: Recording, place: int, title: str, words: str) -> str:
    """The SVG of one step: the buffers before and after it; of place 0 and of the result, one row."""
    alone = place in (0, found.places - 1)
    return picture(found, [place] if alone else [place - 1, place], title, words)


def paper(found: Recording, title: str, words: str) -> str:
    """The SVG of all steps, from top to bottom."""
    return picture(found, range(found.places), title, words)


def picture(found: Recording, places: Sequence[int], title: str, words: str) -> str:
    """Rows of buffers, and the messages from one to the next."""
    body, y = names_svg(found, TOP), TOP + 26 + 18 * (len(found.sizes) > 1)
    for k, place in enumerate(places):
        sent = messages(found, place + 1) if k + 1 < len(places) else []
        came = messages(found, place) if k else []
        body += label(found, place, y + height(found, place) / 2) + row_svg(found, place, y, sent, came)
        bottom = y + height(found, place)
        y = bottom + (DROP if sent else QUIET)
        body += "".join(message_svg(found, m, place, bottom - height(found, place), y) for m in sent if m.travels)
    body += legend(found, y + 8)
    return drawing(body, WIDTH, y + 30, title, words)


def label(found: Recording, place: int, y: float) -> str:
    """Which step it is, and how many bytes each device has sent until then."""
    told = "Before" if place == 0 else "Result" if place == found.places - 1 else f"Step {place}"
    return text_at(8, y, told, BOLD) + text_at(8, y + 19, counted(found.sent(place), "byte"))


def messages(found: Recording, place: int) -> Sequence[Message]:
    """Those that lead to a place."""
    return found.steps[place - 1].messages if 0 < place <= len(found.steps) else []


def names_svg(found: Recording, y: float) -> str:
    """The number of each device above its column, and its place in a mesh of two axes."""
    body = ""
    for d in range(found.devices):
        x = LEFT + (d + 0.5) * column(found)
        body += text_at(x, y + 12, f"device {d}", f"{CENTER} {BOLD}")
        if len(found.sizes) > 1:
            (a, _), (b, n) = found.sizes
            body += text_at(x, y + 30, f"{a} = {d // n}, {b} = {d % n}", CENTER)
    return body


def column(found: Recording) -> float:
    return (WIDTH - LEFT - 8) / found.devices


# ---- buffers


def lines(found: Recording, place: int) -> int:
    """Rows of places that a buffer takes: of what comes and, below that, of what is sent, where these are apart."""
    return max(1, math.ceil(len(found.state(place)[0]) / found.n))


def height(found: Recording, place: int) -> float:
    return lines(found, place) * (TALL + BETWEEN) - BETWEEN


def spot(found: Recording, place: int, device: int, k: int, y: float) -> tuple[float, float]:
    """The upper left corner of a place of a buffer."""
    line, at = divmod(k, found.n)
    line = lines(found, place) - 1 - line
    count = min(found.n, len(found.state(place)[device]))
    left = LEFT + (device + 0.5) * column(found) - count * CELL / 2
    return left + at * CELL, y + line * (TALL + BETWEEN)


def row_svg(found: Recording, place: int, y: float, sent: Sequence[Message], came: Sequence[Message]) -> str:
    """The buffers of all devices. What is sent next has a blue frame, what has just come a red one."""
    gone = {(m.sender, m.source) for m in sent if m.travels}
    new = {(m.receiver, m.target) for m in came if m.travels}
    state: State = found.state(place)
    cells = [(d, k, cell) for d, row in enumerate(state) for k, cell in enumerate(row)]
    body = "".join(cell_svg(found, cell, *spot(found, place, d, k, y)) for d, k, cell in cells)
    for places, color, wide, inset in ((new, RED, 3, 1.0), (gone, BLUE, 2, 3.5)):
        look = f"fill='none' stroke='{color}' stroke-width='{wide}'"
        for d, k in sorted(places):
            x, top = spot(found, place, d, k, y)
            body += rect(x + inset, top + inset, CELL - 2 * inset, TALL - 2 * inset, look)
    return body


def cell_svg(found: Recording, cell: Cell | None, x: float, y: float) -> str:
    """A number, and a mark for each device: a dark one for those whose numbers are in it."""
    if cell is None:
        return rect(x + 1, y + 1, CELL - 2, TALL - 2, f"fill='#ffffff' stroke='{LINE}' stroke-dasharray='3 3'")
    body = rect(x, y, CELL, TALL, f"fill='{fill(found, cell)}' stroke='{INK}'")
    body += code_at(x + CELL / 2, y + 21, cell.text, f"{CENTER} {BOLD if len(cell.parts) > 1 else ''}")
    left = x + (CELL - TICK * found.devices) / 2
    return body + "".join(tick(left + TICK * d, y + 28, d in cell.parts) for d in range(found.devices))


def fill(found: Recording, cell: Cell) -> str:
    """One number of one device has that device's colour; what is combined of all has another; the others are white."""
    if len(cell.parts) == 1:
        return ORIGINS[cell.parts[0]]
    return YELLOW if len(cell.parts) == found.n else "#ffffff"


ORIGINS = (FILLS[0], FILLS[2], FILLS[3], FILLS[4])


def tick(x: float, y: float, dark: bool) -> str:
    color = INK if dark else "#ffffff"
    return rect(x + 0.5, y, TICK - 1, TICK - 1, f"fill='{color}' stroke='{INK}' stroke-width='0.8'")


# ---- messages


def message_svg(found: Recording, m: Message, place: int, y: float, below: float) -> str:
    """An arrow from the bottom of the place where a block was to the top of the one where it comes."""
    x0, y0 = spot(found, place, m.sender, m.source, y)
    x1, y1 = spot(found, place + 1, m.receiver, m.target, below)
    return arrow(x0 + CELL / 2, y0 + TALL, x1 + CELL / 2, y1 - 1)


def arrow(x0: float, y0: float, x1: float, y1: float) -> str:
    """A line with a head."""
    length = math.hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    back = x1 - 10 * ux, y1 - 10 * uy
    head = f"{x1:.1f},{y1:.1f} " + " ".join(f"{back[0] - s * 4 * uy:.1f},{back[1] + s * 4 * ux:.1f}" for s in (1, -1))
    line = f"<path d='M{x0:.1f} {y0:.1f}L{back[0]:.1f} {back[1]:.1f}' fill='none' stroke='{BLUE}' stroke-width='2'/>"
    return f"{line}<polygon points='{head}' fill='{BLUE}'/>"


def legend(found: Recording, y: float) -> str:
    """What the marks and the frames mean."""
    body, x = "", 8.0
    for d in range(found.devices):
        body += tick(x + TICK * d, y, d == found.devices - 1)
    x += TICK * found.devices + 8
    told = f"with a number of device {found.devices - 1}"
    body += text_at(x, y + 8, told)
    for color, words, at in ((BLUE, "is sent next", 280.0), (RED, "has just come", 420.0)):
        body += rect(at, y - 6, 22, 16, f"fill='none' stroke='{color}' stroke-width='3'")
        body += text_at(at + 30, y + 8, words)
    return body
