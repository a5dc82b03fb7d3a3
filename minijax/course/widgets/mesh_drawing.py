"""The drawing of an array in blocks, and of the mesh: on each device the block that it holds."""

import math
from collections.abc import Sequence
from itertools import product

from .figure import FAINT, GREY, INK, LINE, code_at, counted, drawing, rect, text_at, width_of
from .loop_drawing import table_svg
from .mesh_recording import Grid, Placement, Shape, Use
from .mesh_words import collectives
from .stepper_drawing import wrapped

WIDTH, LEFT, TOP = 640.0, 62.0, 12.0
WIDE = WIDTH - LEFT - 28  # of the array
ROW, LEAST, GAP = 34.0, 96.0, 14.0  # the height of a row of blocks; of all rows; between the drawings of an array
CARD, TALL, BETWEEN = 62.0, 64.0, 8.0  # a device
TIGHT = 0.86  # of the width: lines of messages, whose letters are wide
BOLD, CENTER = "font-weight='bold'", "text-anchor='middle'"
# A fill and a hatching for each block: they differ without colours too.
FILLS = ("#d6ecf8", "#f7ef9a", "#fbdcb0", "#c9e8dc", "#f3d0e2", "#cfd8ea", "#f6c9b8", "#e4e4e4")
HATCHINGS = ("", "/", "\\", "-", "|", "x", "+", ":")


def draw(found: Placement, title: str, words: str, use: Use | None = None, note: str = "") -> str:
    """The SVG: a note, the array, the devices, and below them what a program needs."""
    body, y = lines_svg([note], TOP) if note else ("", TOP)
    if found.blocks:
        drawn, y = array_svg(found, y)
        body += drawn
    drawn, y = devices_svg(found, y)
    body += drawn
    if use:
        drawn, y = program_svg(use, y + 14)
        body += drawn
    return drawing(body, WIDTH, y, title, words)


# ---- the array


def array_svg(found: Placement, y: float) -> tuple[str, float]:
    """The array with its axes named, and each block with the numbers of its devices; and where that ends."""
    body = text_at(8, y + 12, f"The array: {found.type}", BOLD)
    y += 22
    for line in axis_lines(found):
        body, y = body + text_at(8, y + 12, line), y + 19
    sheets, rows, columns = sheet_places(found), *last_two(found.tiling)
    wide, tall = (WIDE - GAP * (len(sheets) - 1)) / len(sheets), max(LEAST, ROW * rows)
    y += 26
    for s, place in enumerate(sheets):
        x = LEFT + s * (wide + GAP)
        body += ticks(found, place, x, y, wide, tall, s == 0)
        for k, block in enumerate(found.blocks):
            if block.place[: len(place)] == place:
                body += block_svg(k, *spot(block.place, rows, columns, x, y, wide, tall))
                body += chip(block.devices, *spot(block.place, rows, columns, x, y, wide, tall))
    return body, y + tall + 24


def axis_lines(found: Placement) -> list[str]:
    """Which way each axis goes in the drawing."""
    ways = ["across", "down"]
    shape, lines = found.choice.shape, []
    for d, (n, names) in enumerate(zip(shape, found.choice.entries, strict=True)):
        behind = len(shape) - 1 - d
        way = ways[behind] if behind < len(ways) else "from drawing to drawing"
        along = f", divided along {' and '.join(names)}" if names else ", whole"
        lines.append(f"axis {d}, {way}: {n:,}{along}")
    return lines or ["no axes: one number"]


def sheet_places(found: Placement) -> list[Shape]:
    """An array of more than two axes is drawn in several drawings: one for each part along the first axes."""
    return [*product(*map(range, found.tiling[:-2]))]


def last_two(of_axes: Shape, missing: int = 1) -> tuple[int, int]:
    """Of the last two axes, the one that goes down and the one that goes across; `missing` of an axis there is not."""
    down, across = (missing, missing, *of_axes)[-2:]
    return down, across


def spot(
    place: Shape, rows: int, columns: int, x: float, y: float, wide: float, tall: float
) -> tuple[float, float, float, float]:
    """Where a block is: x, y, width and height."""
    row, column = last_two(place, missing=0)
    return x + column * wide / columns, y + row * tall / rows, wide / columns, tall / rows


def ticks(found: Placement, sheet: Shape, x: float, y: float, wide: float, tall: float, first: bool) -> str:
    """The numbers of the elements where blocks begin and end."""
    rows, columns = last_two(found.tiling)
    size = (1, 1, *found.choice.shape)[-2:]
    body = ""
    if sheet:
        told = ", ".join(f"{p * n}:{(p + 1) * n}" for p, n in zip(sheet, found.part, strict=False))
        body += code_at(x + wide / 2, y + tall + 18, f"[{told}]", CENTER)
    if found.choice.shape and (first or wide > 90):
        apart = math.ceil((width_of(str(size[1]), mono=True) + 10) * columns / wide)
        for k in range(columns + 1):
            if (k % apart and k < columns) or 0 < columns - k < apart:
                continue
            anchor = "start" if k == 0 else "end" if k == columns else "middle"
            body += code_at(x + k * wide / columns, y - 6, str(k * size[1] // columns), f"text-anchor='{anchor}'")
    if len(found.choice.shape) > 1 and first:
        for k in range(rows + 1):
            at = y + k * tall / rows + (11 if k == 0 else 0 if k == rows else 5)
            body += code_at(x - 8, at, str(k * size[0] // rows), "text-anchor='end'")
    return body


def block_svg(k: int, x: float, y: float, wide: float, tall: float) -> str:
    """A block in its colour and hatching."""
    frame = rect(x, y, wide, tall, f"fill='{FILLS[k]}'")
    border = rect(x, y, wide, tall, f"fill='none' stroke='{INK}'")
    return frame + hatching(HATCHINGS[k], x, y, wide, tall) + border


def hatching(kind: str, x: float, y: float, wide: float, tall: float) -> str:
    """Lines over a box: "/" and "\\" slanted, "-" and "|" straight, "x" and "+" both of these, ":" dashed."""
    step, path = 9.0, ""
    across, down = steps(tall, step), steps(wide, step)
    if kind in ("/", "x"):
        path += "".join(slanted(t, wide, tall, x, y, 1) for t in steps(wide + tall, step))
    if kind in ("\\", "x"):
        path += "".join(slanted(t, wide, tall, x + wide, y, -1) for t in steps(wide + tall, step))
    if kind in ("-", "+", ":"):
        path += "".join(f"M{x:.1f} {y + t:.1f}h{wide:.1f}" for t in across)
    if kind in ("|", "+"):
        path += "".join(f"M{x + t:.1f} {y:.1f}v{tall:.1f}" for t in down)
    dashes = " stroke-dasharray='2 5'" if kind == ":" else ""
    return f"<path d='{path}' fill='none' stroke='{LINE}'{dashes}/>" if path else ""


def steps(length: float, step: float) -> list[float]:
    """Where the lines of a hatching are along a side: in the middle of each step."""
    return [step * (k + 0.5) for k in range(math.ceil(length / step - 0.5))]


def slanted(t: float, wide: float, tall: float, x: float, y: float, way: int) -> str:
    """A slanted line in a box whose upper corner is at x, y: the left one for way 1, the right one for -1."""
    start, end = (max(0.0, t - tall), min(t, tall)), (min(t, wide), max(0.0, t - wide))
    return f"M{x + way * start[0]:.1f} {y + start[1]:.1f}L{x + way * end[0]:.1f} {y + end[1]:.1f}"


def chip(devices: Sequence[int], x: float, y: float, wide: float, tall: float) -> str:
    """The numbers of the devices, on white; in several lines where there is no room for one."""
    per_line = max(1, int((wide - 10) / width_of("0 ", mono=True)))
    lines = [" ".join(map(str, devices[i : i + per_line])) for i in range(0, len(devices), per_line)]
    room = max(width_of(line, mono=True) for line in lines) + 6
    top = y + tall / 2 - 9 * len(lines)
    body = rect(x + (wide - room) / 2, top, room, 18 * len(lines), f"fill='#ffffff' stroke='{LINE}' rx='3'")
    return body + "".join(
        code_at(x + wide / 2, top + 14 + 18 * i, line, f"{CENTER} {BOLD}") for i, line in enumerate(lines)
    )


# ---- the mesh


def devices_svg(found: Placement, y: float) -> tuple[str, float]:
    """The devices in the grid of the mesh, and on each the block that it holds; and where that ends."""
    grid = found.choice.grid
    each = f"; on each device {counted(found.bytes_of_part, 'byte')}" if found.blocks else ""
    body = text_at(8, y + 12, f"The mesh: {grid.title}{each}", BOLD)
    y += 24
    groups, rows, columns = grid_sizes(grid)
    corner, devices = corner_width(grid), iter(grid.devices)
    per_line = max(1, int((WIDTH - 8) // (corner + columns * (CARD + BETWEEN) + GAP)))
    high = 22.0 + 20 * (groups > 1) + rows * (TALL + BETWEEN)
    for g in range(groups):
        x, top = 8 + g % per_line * (corner + columns * (CARD + BETWEEN) + GAP), y + g // per_line * (high + 6)
        body += group_svg(found, [next(devices) for _ in range(rows * columns)], g, x, top)
    return body, y + math.ceil(groups / per_line) * (high + 6)


def grid_sizes(grid: Grid) -> Shape:
    """Groups, rows and columns: the last mesh axis goes across, the one before it down."""
    sizes = (1, 1, *(n for _, n in grid.sizes))
    return math.prod(sizes[:-2]), *sizes[-2:]


def corner_text(grid: Grid) -> str:
    """x ↓ y →"""
    names = grid.names[-2:]
    return " ".join(f"{name} {arrow}" for name, arrow in zip(names, "↓→"[-len(names) :], strict=True))


def corner_width(grid: Grid) -> float:
    """What the names of the axes take to the left of a grid."""
    return width_of(corner_text(grid)) + 14


def group_svg(found: Placement, devices: Sequence[int], g: int, x: float, y: float) -> str:
    """The devices of one place along the first of three mesh axes."""
    grid = found.choice.grid
    groups, _, columns = grid_sizes(grid)
    body, corner = "", corner_width(grid)
    if groups > 1:
        told = ", ".join(f"{name} = {i}" for name, i in zip(grid.names[:-2], place_of(g, grid), strict=True))
        body, y = text_at(x, y + 12, told), y + 20
    body += text_at(x, y + 12, corner_text(grid), f"fill='{FAINT}'")
    for i, device in enumerate(devices):
        row, column = divmod(i, columns)
        left, top = x + corner + column * (CARD + BETWEEN), y + 18 + row * (TALL + BETWEEN)
        if row == 0:
            body += text_at(left + CARD / 2, y + 12, str(column), CENTER)
        if column == 0 and len(grid.sizes) > 1:
            body += text_at(x + corner - 12, top + TALL / 2 + 5, str(row), "text-anchor='end'")
        body += card(found, device, left, top)
    return body


def place_of(g: int, grid: Grid) -> Shape:
    """The coordinates of a group along the first mesh axes."""
    found: list[int] = []
    for _, n in reversed(grid.sizes[:-2]):
        g, i = divmod(g, n)
        found.append(i)
    return tuple(reversed(found))


def card(found: Placement, device: int, x: float, y: float) -> str:
    """A device: its number, and its block in a small drawing of the array."""
    body = rect(x, y, CARD, TALL, f"fill='#ffffff' stroke='{LINE}' rx='4'")
    body += code_at(x + CARD / 2, y + 16, str(device), f"{CENTER} {BOLD}")
    return body + small_array(found, device, x + 7, y + 24, CARD - 14, TALL - 32) if found.blocks else body


def small_array(found: Placement, device: int, x: float, y: float, wide: float, tall: float) -> str:
    """The array in grey, and in it the block of one device."""
    sheets, (rows, columns) = sheet_places(found), last_two(found.tiling)
    each, mine, body = wide / len(sheets), found.block_of(device), ""
    for s, place in enumerate(sheets):
        body += rect(x + s * each, y, each - (len(sheets) > 1), tall, f"fill='{GREY}' stroke='{LINE}'")
        if found.blocks[mine].place[: len(place)] == place:
            room = each - (len(sheets) > 1)
            body += block_svg(mine, *spot(found.blocks[mine].place, rows, columns, x + s * each, y, room, tall))
    return body


# ---- a program

HEADS = ("Value", "Divided as", "Type along Explicit axes")
SENT = ("Collective", "Along", "Bytes that one device sends")


def value_rows(use: Use) -> list[tuple[str, str, str]]:
    """The operands and, where something is known of it, the result: name, spec and type."""
    rows = [(value.name, value.spec, value.type) for value in use.operands]
    told = use.explicit or "the types do not tell it"
    return [*rows, (use.code, use.auto or "-", told)] if use.explicit or use.refused else rows


def traffic_rows(use: Use) -> list[tuple[str, str, str]]:
    """The collectives: name, mesh axes and bytes."""
    return [(one.name, one.axes, f"{one.bytes:,}") for one in use.traffic]


def program_svg(use: Use, y: float) -> tuple[str, float]:
    """The values of a program and its collectives, and where that ends."""
    body = text_at(8, y + 12, f"The program {use.code}", BOLD)
    drawn, y = table_svg("", HEADS, value_rows(use), y + 6, WIDTH)
    body += drawn
    if use.traffic:
        drawn, y = table_svg("", SENT, traffic_rows(use), y - 14, WIDTH)
        body += drawn
    told = [use.refused, use.problem, "" if use.problem or use.traffic else f"{collectives(use)}."]
    lines, y = lines_svg(told, y)
    return body + lines, y + 4


def lines_svg(told: Sequence[str], y: float) -> tuple[str, float]:
    """Sentences in lines that fit, and where they end."""
    body = ""
    for line in (piece for words in filter(None, told) for piece in wrapped(words.replace("`", ""), WIDTH * TIGHT)):
        body, y = body + text_at(12, y + 8, line), y + 19
    return body, y + 6
