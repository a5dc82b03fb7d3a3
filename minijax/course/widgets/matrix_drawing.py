"""The drawing of the matrix: a row for each group of primitives, a column for each family of rules, a tile a cell."""

import html

from .figure import BLUE, FAINT, GREY, INK, LINE, ORANGE, RED, YELLOW, drawing, rect, text_at, width_of
from .rules import HOLE, REASON, RULE, Cell, Family, Rules

TOP, LEFT, GAP = 50.0, 140.0, 14.0  # heads of columns, names of rows, between columns
HIGH, ACROSS = 13.0, 31  # the height of a tile; tiles in a line
LEAST, MOST = 4.0, 9.0  # the width of a tile
BOLD = 1.15  # bold letters are wider
ROOM = 310.0  # for all columns that are there, where tiles may be wide


def draw(rules: Rules, primitive: str | None, family: Family | None, title: str, words: str) -> str:
    """The SVG of the matrix. A chosen primitive and a chosen family are marked with frames."""
    there = [f for f in rules.families if f.cells is not None]
    step = min(MOST, max(LEAST, ROOM / max(len(there), 1) / ACROSS))
    rows = heights(rules)
    bottom = TOP + sum(rows.values())
    body, x = names(rules, rows, primitive), LEFT
    for one in rules.families:
        width = max(ACROSS * step if one.cells is not None else 0.0, width_of(one.name) * BOLD)
        body += head(one, x, width, one is family, bottom)
        body += (
            column(rules, rows, one, x, step, primitive) if one.cells is not None else to_come(one, x, width, bottom)
        )
        x += width + GAP
    return drawing(body + legend(bottom + 44), max(x, 640), bottom + 58, title, words)


def heights(rules: Rules) -> dict[str, float]:
    """The height of each row: a line of tiles for every ACROSS primitives."""
    return {name: 7 + (HIGH + 1) * -(-len(members) // ACROSS) for name, members in rules.groups.items()}


def names(rules: Rules, rows: dict[str, float], primitive: str | None) -> str:
    """The names of the groups, and how many primitives each has."""
    body, y = "", TOP
    for name, members in rules.groups.items():
        bold = "font-weight='bold'" if primitive in members else ""
        body += text_at(LEFT - 36, y + 14, name, f"text-anchor='end' {bold}")
        body += text_at(LEFT - 8, y + 14, str(len(members)), f"text-anchor='end' fill='{FAINT}'")
        y += rows[name]
    return body


def head(family: Family, x: float, width: float, chosen: bool, bottom: float) -> str:
    """The name of a family, and how many rules it has."""
    bold = "font-weight='bold'" if chosen else ""
    below = "" if family.cells is None else f"{family.count(RULE)} of {len(family.cells)}"
    body = text_at(x, 20, family.name, bold) + text_at(x, 38, below, f"fill='{FAINT}'")
    frame = rect(x - 5, 3, width + 10, bottom - 2, f"fill='none' stroke='{INK}' stroke-width='2.5' rx='4'")
    return body + (frame if chosen else "")


def column(rules: Rules, rows: dict[str, float], family: Family, x: float, step: float, primitive: str | None) -> str:
    """The tiles of one family; the chosen primitive's last, so that its frame is above its neighbours."""
    body, last, y = "", "", TOP
    for group, members in rules.groups.items():
        for k, name in enumerate(members):
            place = x + step * (k % ACROSS), y + 2 + (HIGH + 1) * (k // ACROSS)
            one = tile(*place, step, name, (family.cells or {})[name])
            body += one
            last += one + chosen_tile(*place, step) if name == primitive else ""
        y += rows[group]
    return body + last


def tile(x: float, y: float, step: float, name: str, cell: Cell) -> str:
    """A rule is a full tile, a reason half of one, a hole an empty one: the shape says it without the colour."""
    shape = {
        RULE: rect(x, y, step - 1, HIGH, f"fill='{BLUE}'"),
        REASON: rect(x, y + HIGH / 2, step - 1, HIGH / 2, f"fill='{ORANGE}'"),
        HOLE: rect(x + 0.5, y + 0.5, step - 2, HIGH - 1, f"fill='#ffffff' stroke='{RED}'"),
    }
    return f"<g><title>{html.escape(name)}: {cell.state}</title>{shape[cell.state]}</g>"


def chosen_tile(x: float, y: float, step: float) -> str:
    ring = rect(x - 3, y - 3, step + 5, HIGH + 6, f"fill='none' stroke='{INK}' stroke-width='2.5' rx='2'")
    return rect(x - 1, y - 1, step + 1, HIGH + 2, f"fill='none' stroke='{YELLOW}' stroke-width='2'") + ring


def to_come(family: Family, x: float, width: float, bottom: float) -> str:
    """A family that a later chapter brings."""
    ground = rect(x, TOP + 2, width, bottom - TOP - 7, f"fill='{GREY}' stroke='{LINE}' stroke-dasharray='4 3'")
    middle = x + width / 2 + 5, (TOP + bottom) / 2
    turned = f"text-anchor='middle' transform='rotate(-90 {middle[0]:g} {middle[1]:g})'"
    return ground + text_at(*middle, f"chapter {family.chapter}", turned)


def legend(y: float) -> str:
    """What the tiles mean."""
    body, x = "", 12.0
    for state, words in ((RULE, "a rule"), (REASON, "no rule, for a declared reason"), (HOLE, "a hole")):
        body += tile(x, y - 11, 9, words, Cell(state, "")) + text_at(x + 15, y, words)
        x += 15 + width_of(words) + 22
    grey = rect(x, y - 11, 9, HIGH, f"fill='{GREY}' stroke='{LINE}' stroke-dasharray='4 3'")
    return body + grey + text_at(x + 15, y, "a chapter to come")
