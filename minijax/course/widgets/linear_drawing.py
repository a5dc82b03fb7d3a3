"""The panes of the linearize viewer: the program, its linearization and its transpose, as HTML and as SVG."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from .figure import DEEP, FAINT, LINE, RED, code_at, counted, drawing, rect, text_at, width_of, with_code
from .linear_recording import Listing, Parts, Recording
from .linear_words import owner_number, source_words, total
from .loop_drawing import BREAK, LOOK as LOOPS, breakable, code_box, table, table_svg
from .stepper_drawing import HEIGHT, ranges, wrapped

THREE = 800  # the width of a page with three panes side by side
LOOK = f"""{LOOPS}
.minijax-page .trio {{ display: flex; flex-direction: column; gap: 4px 14px }}
.minijax-page .trio > div {{ min-width: 0; flex: 1 1 0 }}
@container (min-width: {THREE}px) {{
  .minijax-page .trio {{ flex-direction: row; align-items: flex-start }}
}}
.minijax-page .trio .bound {{ padding: 0 6px; margin-left: 4px; border-left: 1px solid {LINE} }}
.minijax-page .trio b {{ color: {RED}; text-decoration: underline }}
.minijax-page .traces tr.sum > * {{ font-weight: bold }}
@container (max-width: 460px) {{
  .minijax-page .traces td:empty {{ display: none }}
}}
"""
WIDE, ROOM = 960, 27  # the width of a drawing; letters of a line in it, where three columns do not fit otherwise
TITLES = ("The program", "Linearized: the values", "Linearized: the tangents", "Transposed: the cotangents")
KEPT = ("Residual", "Bytes", "From", "Read by linear equations")
SUMS = ("Cotangent of", "A sum of", "Read by linear equations", "Added up by")
FIRST = 12  # rows of a table that are shown in any case; of more, those that are marked


@dataclass(frozen=True)
class Marks:
    """What is marked, by index, strongly ("now") or as related ("outer"): in the panes and in the tables."""

    program: dict[int, str] = field(default_factory=dict)
    values: dict[int, str] = field(default_factory=dict)
    linear: dict[int, str] = field(default_factory=dict)
    transposed: dict[int, str] = field(default_factory=dict)
    residuals: dict[int, str] = field(default_factory=dict)
    sums: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A line of a pane."""

    number: str
    parts: Parts
    kind: str = ""
    owner: str = ""


def rows_of(listing: Listing, kinds: dict[int, str]) -> list[Row]:
    """The lines of a program, its equations numbered from 1 on."""
    eqns = [Row(str(k + 1), eqn.parts, kinds.get(k, ""), owner_number(eqn)) for k, eqn in enumerate(listing.eqns)]
    more = [Row("", ((f"... {counted(listing.more, 'more equation')}", False),))] if listing.more else []
    return [Row("", listing.head), *eqns, *more, Row("", ((listing.tail, False),))]


# ---- the tables


def residual_rows(found: Recording, kinds: dict[int, str]) -> list[tuple[Sequence[str], str]]:
    """A row for each residual with its kind, and the sum."""
    rows: list[tuple[Sequence[str], str]] = []
    for i, r in enumerate(found.residuals):
        readers = ranges([j + 1 for j in r.readers]) or "none"
        rows.append(((f"{r.name}:{r.type}", f"{r.bytes:,}", short_source(source_words(r)), readers), kinds.get(i, "")))
    return [*shortened(rows), (("all", f"{total(found.residuals):,}", "", ""), "sum")]


def shortened(rows: Sequence[tuple[Sequence[str], str]]) -> list[tuple[Sequence[str], str]]:
    """The first rows and those that are marked, and how many there are besides."""
    shown = [row for k, row in enumerate(rows) if k < FIRST or row[1]]
    more = len(rows) - len(shown)
    return [*shown, ((f"... {more} more", *[""] * (len(rows[0][0]) - 1)), "")] if more else shown


def short_source(words: str) -> str:
    """the result of equation 2; an input"""
    if words.startswith("Equation"):
        return f"the derivative of e{words[1:].partition(' computes')[0]}"
    return words.removeprefix("It is ").removesuffix(".")


def sum_rows(found: Recording, kinds: dict[int, str]) -> list[tuple[Sequence[str], str]]:
    """A row for each cotangent that is a sum."""
    rows: list[tuple[Sequence[str], str]] = []
    for i, s in enumerate(found.sums):
        readers = [str(j + 1) for j in sorted(j for j in s.senders if j is not None)]
        readers += ["a result"] * s.senders.count(None)
        cells = s.name, str(len(s.senders)), ", ".join(readers), "transposed " + ranges([t + 1 for t in s.lines])
        rows.append((cells, kinds.get(i, "")))
    return shortened(rows)


# ---- HTML, for one choice


def panes(found: Recording, marks: Marks) -> str:
    """The panes in three columns, or below each other on a narrow page, and the tables below them."""
    program, values, linear, transposed = listings(found)
    first = pane(TITLES[0], program, marks.program) + pane(TITLES[1], values, marks.values)
    last = pane(TITLES[3], transposed, marks.transposed) or "".join(map(paragraph, found.refusals))
    columns = [first, pane(TITLES[2], linear, marks.linear), last]
    body = f"<div class='trio fold'>{''.join(f'<div>{column}</div>' for column in columns if column)}</div>"
    if found.residuals:
        body += table("Residuals", KEPT, residual_rows(found, marks.residuals), "residuals")
    if found.sums:
        body += table("Sums of cotangents: what was read more than once", SUMS, sum_rows(found, marks.sums), "sums")
    return body


def listings(found: Recording) -> tuple[Listing | None, ...]:
    return found.program, found.values, found.linear, found.transposed


def paragraph(words: str) -> str:
    return f"<p style='margin:0'>{with_code(words)}</p>"


def pane(title: str, listing: Listing | None, kinds: dict[int, str]) -> str:
    if listing is None:
        return ""
    return code_box(title, map(line_html, rows_of(listing, kinds)))


def line_html(row: Row) -> str:
    """A line. The mark is a sign, so that it does not need its colour."""
    mark = {"now": "→", "outer": "↳"}.get(row.kind, "")
    text = "".join(f"<b>{html.escape(t)}</b>" if residual else breakable(t) for t, residual in row.parts)
    owner = f"<span class='bound' title='its equation of the program'>{row.owner}</span>" if row.owner else ""
    start = f"<div class='line {row.kind}'><span class='mark' aria-hidden='true'>{mark}</span>"
    return f"{start}<span class='number'>{row.number}</span><span class='text'>{text}</span>{owner}</div>"


# ---- SVG, everything at once


def paper(found: Recording, heading: str, notes: Sequence[str], words: str) -> str:
    """The panes in three columns, the tables and the notes below them."""
    body, y = "", 24.0
    for line in wrapped(heading, WIDE * 0.9):
        body, y = body + text_at(12, y, line.strip(), "font-weight='bold'"), y + 20
    drawn, y = columns_svg(found, y + 8)
    body += drawn
    tables = [("Residuals", KEPT, residual_rows(found, {}))] if found.residuals else []
    tables += [("Sums of cotangents: what was read more than once", SUMS, sum_rows(found, {}))] if found.sums else []
    for title, heads, rows in tables:
        drawn, y = table_svg(title, heads, [cells for cells, _ in rows], y, WIDE)
        body += drawn
    y += 16
    for line in (piece for note in notes for piece in wrapped(note.replace("`", ""), WIDE)):
        body, y = body + text_at(12, y, line), y + 19
    return drawing(body, WIDE, y, heading, words)


def columns_svg(found: Recording, y: float) -> tuple[str, float]:
    """The panes side by side from y on, and where they end."""
    program, values, linear, transposed = listings(found)
    groups = [[(TITLES[0], program), (TITLES[1], values)], [(TITLES[2], linear)], [(TITLES[3], transposed)]]
    shown = [[(t, rows_of(p, {})) for t, p in group if p] for group in groups]
    return beside([group for group in shown if group], y)


def beside(shown: Sequence[Sequence[tuple[str, list[Row]]]], y: float) -> tuple[str, float]:
    """Groups of programs with titles side by side from y on, and where they end. Lines that are too wide are folded."""
    fits = sum(map(group_width, shown)) + 16 * (len(shown) - 1) + 24 <= WIDE
    room = 10_000 if fits else ROOM if len(shown) == 3 else 44
    lines = [[(t, [piece for row in rows for piece in folded(row, room)]) for t, rows in group] for group in shown]
    body, x, bottom = "", 12.0, y
    for group in lines:
        width, top = group_width(group), y
        for title, rows in group:
            body += text_at(x, top + 12, title) + column(x, top + 20, width, rows)
            top += 50 + HEIGHT * len(rows)
        x, bottom = x + width + 16, max(bottom, top)
    return body, bottom


def group_width(group: Sequence[tuple[str, Sequence[Row]]]) -> float:
    """The width of the widest line of programs, with its numbers."""
    rows = [row for _, rows in group for row in rows]
    owners = max((width_of(row.owner, mono=True) for row in rows), default=0)
    code = max((width_of("".join(t for t, _ in row.parts), mono=True) for row in rows), default=0)
    return max([code + 44 + (owners + 12 if owners else 0), *(width_of(title) for title, _ in group)])


def folded(row: Row, room: int) -> Iterator[Row]:
    """A line in pieces, broken at blanks or before parameters where there are some; the others are indented."""
    rest = [(letter, residual) for text, residual in row.parts for letter in text]
    number, owner = row.number, row.owner
    while rest:
        before = {found.start() for found in BREAK.finditer("".join(letter for letter, _ in rest))}
        places = [k for k in range(3, min(room + 1, len(rest))) if rest[k][0] == " " or k in before]
        cut = len(rest) if len(rest) <= room else places[-1] if places else room
        yield Row(number, runs(rest[:cut]), row.kind, owner)
        left = rest[cut:]
        rest = [*[(" ", False)] * 2, *left[left[0][0] == " " :]] if left else []
        number = owner = ""


def runs(letters: Sequence[tuple[str, bool]]) -> Parts:
    """The letters joined again, where they are of one kind."""
    return tuple(("".join(t for t, _ in group), kind) for kind, group in groupby(letters, key=lambda pair: pair[1]))


def column(x: float, y: float, width: float, rows: Sequence[Row]) -> str:
    """A frame with the lines of a program in it."""
    body = rect(x, y, width, HEIGHT * len(rows) + 8, f"fill='none' stroke='{LINE}'")
    return body + "".join(line_svg(x, y + 19 + HEIGHT * k, width, row) for k, row in enumerate(rows))


def line_svg(x: float, y: float, width: float, row: Row) -> str:
    number = code_at(x + 26, y, row.number, f"text-anchor='end' fill='{FAINT}'") if row.number else ""
    look = f"font-weight='bold' text-decoration='underline' fill='{RED}'"
    spans = "".join(f"<tspan {look if residual else ''}>{html.escape(t)}</tspan>" for t, residual in row.parts)
    text = f"<text x='{x + 36:g}' y='{y:g}' class='mono' xml:space='preserve'>{spans}</text>"
    more = f"text-anchor='end' fill='{DEEP}' font-weight='bold'"
    return number + text + (code_at(x + width - 6, y, row.owner, more) if row.owner else "")
