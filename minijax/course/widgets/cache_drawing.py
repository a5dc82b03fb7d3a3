"""The table of the cache inspector: as HTML for one chosen trace, and as SVG."""

import html
import textwrap
from collections.abc import Sequence

from .figure import FAINT, GREY, LINE, SIZE, YELLOW, drawing, rect, text_at
from .stepper_drawing import STYLE, line_html, listing, split, wrapped
from .traces import Trace, Traces, called_words, captured_words, size_words, why_words

TABLE = f"""
.minijax-page table.traces {{ border-collapse: collapse; font-size: {SIZE}px; width: 100%; margin-bottom: 10px }}
.minijax-page .traces :is(th, td) {{ text-align: left; vertical-align: top; padding: 3px 8px; white-space: normal;
  border-top: 1px solid {LINE}; overflow-wrap: anywhere; background: none; color: inherit; font-weight: normal }}
.minijax-page .traces th {{ font-weight: bold; overflow-wrap: normal }}
.minijax-page .traces tr.now {{ background: {YELLOW} }}
.minijax-page .traces th.place {{ white-space: nowrap; min-width: 34px }}
@container (max-width: 460px) {{
  .minijax-page .traces :is(tr, td, th.place) {{ display: block; border: none; padding: 1px 8px }}
  .minijax-page .traces tr {{ border-top: 1px solid {LINE}; padding: 4px 0 }}
  .minijax-page .traces tr.heads {{ display: none }}
  .minijax-page .traces td::before {{ content: attr(data-head) ": "; color: {FAINT} }}
}}
"""
LOOK = STYLE + TABLE
HEADS = ("Trace", "Called with", "Why it was traced", "Captured", "Program")
WIDTHS = (64, 260, 330, 180, 126)  # of the drawing's columns
ROW = 19  # the height of a line of text


def cells(row: Trace, k: int) -> tuple[str, ...]:
    """The texts of a row, in the order of HEADS."""
    return str(k + 1), called_words(row.called), why_words(row, k == 0), captured_words(row), size_words(row)


def table(found: Traces, chosen: int | None) -> str:
    """The table, and below it the program of the chosen trace."""
    heads = "".join(f"<th scope='col'>{head}</th>" for head in HEADS)
    rows = "".join(row_html(row, k, k == chosen) for k, row in enumerate(found.rows))
    body = f"<table class='traces'><tr class='heads'>{heads}</tr>{rows}</table>" if found.rows else ""
    if chosen is None:
        return body
    program = found.rows[chosen].program
    lines = [*split("", program.head), *(line for k, e in enumerate(program.eqns, 1) for line in split(str(k), e))]
    title = f"The program of trace {chosen + 1}"
    return body + listing(title, map(line_html, [*lines, *split("", program.tail)]))


def row_html(row: Trace, k: int, chosen: bool) -> str:
    place, *texts = cells(row, k)
    mark = "→ " if chosen else ""
    inner = "".join(
        f"<td data-head='{head}'>{html.escape(text)}</td>" for head, text in zip(HEADS[1:], texts, strict=True)
    )
    return f"<tr class='{'now' if chosen else ''}'><th scope='row' class='place'>{mark}{place}</th>{inner}</tr>"


def paper(found: Traces, heading: str, notes: Sequence[str], words: str) -> str:
    """The whole table, each text in lines that fit its column; sentences below it."""
    width = sum(WIDTHS) + 24
    body, y = text_at(12, 24, heading, "font-weight='bold'"), 40.0
    rows = [(HEADS, True), *((cells(row, k), False) for k, row in enumerate(found.rows))] if found.rows else []
    for texts, head in rows:
        drawn, height = row_svg(texts, y, head)
        body, y = body + drawn, y + height
    y += 22
    for line in (piece for note in notes for piece in wrapped(note, width)):
        body, y = body + text_at(12, y, line), y + ROW
    return drawing(body, width, y, heading, words)


def row_svg(
    texts: Sequence[str], y: float, head: bool, widths: Sequence[float] = WIDTHS, x: float = 12
) -> tuple[str, float]:
    """A row with its top left corner at (x, y), and its height."""
    columns = [in_column(text, width) for text, width in zip(texts, widths, strict=True)]
    height = 10.0 + ROW * max(map(len, columns))
    body = rect(x, y, sum(widths), height, f"fill='{GREY if head else '#ffffff'}' stroke='{LINE}'")
    for lines, width in zip(columns, widths, strict=True):
        for k, line in enumerate(lines):
            body += text_at(x + 8, y + 19 + ROW * k, line, "font-weight='bold'" if head else "")
        x += width
    return body, height


def in_column(text: str, width: float) -> list[str]:
    """The text in lines that fit a column; a word that is too long is broken."""
    return textwrap.wrap(text, int((width - 16) / (SIZE * 0.53)), break_on_hyphens=False) or [""]
