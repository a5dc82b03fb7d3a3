"""The panes of the loop viewer: the programs inside an equation, the film of its steps, and one step in full."""

import html
import re
from collections.abc import Callable, Iterable, Sequence

from .cache_drawing import LOOK as TABLE, row_svg
from .figure import BLUE, MONO, SIZE, SKY, drawing, rect, text_at, width_of
from .kernel_drawing import folded
from .loop_recording import Frame, Loop, Value
from .stepper_drawing import BESIDE, HEIGHT, Line, column, column_width, split, wrapped

BREAK = re.compile(r"(?<=\[)(?=\w+=)")  # in code that has no blank: before the first parameter
WINDOW = 7  # rows of the film on the screen
LOOK = f"""{TABLE}
.minijax-page .traces td.mono {{ font: {SIZE}px/1.45 {MONO}; overflow-wrap: break-word }}
.minijax-page .traces tr > * {{ vertical-align: baseline }}
.minijax-page .traces tr.out {{ background: {SKY} }}
.minijax-page .traces caption {{ text-align: left; font-weight: bold; color: inherit; caption-side: top;
  padding: 0 0 4px; font-size: {SIZE + 1}px }}
.minijax-page .branches {{ display: flex; flex-wrap: wrap; gap: 6px 18px; margin-bottom: 6px }}
.minijax-page .branches > div {{ flex: 1 1 260px; min-width: 0 }}
.minijax-page .fold .line {{ min-width: 0; white-space: normal }}
.minijax-page .fold .text {{ white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 2ch; text-indent: -2ch;
  min-width: 0 }}
.minijax-page .fold :is(.mark, .number, .bound) {{ flex: none }}
.minijax-page .fold .mark {{ width: 16px }}
.minijax-page .fold .number {{ width: 20px; padding-right: 8px }}
.minijax-page .ran .code {{ border: 3px solid {BLUE}; padding: 2px 0 }}
@container (min-width: {BESIDE}px) {{
  .minijax-page .cols.step > .col {{ flex: 1 1 0 }}
  .minijax-page .cols.step > .col + .col {{ flex: 0 1 auto; max-width: 62% }}
}}
@container (max-width: 460px) {{
  .minijax-page .film td {{ padding: 0 8px }}
  .minijax-page .values :is(tr, th.place, td) {{ padding: 1px 4px }}
  .minijax-page .values :is(th.place, td) {{ display: inline }}
  .minijax-page .values td::before, .minijax-page .values td:empty {{ display: none }}
}}
"""
STEP_HEADS = ("What", "Name", "Value", "Where")


# ---- what stands in them


def program_lines(loop: Loop, k: int) -> list[Line]:
    """The lines of one of the programs, its equations numbered."""
    program = loop.programs[k][1]
    lines = split("", program.head)
    for number, text in enumerate(program.eqns, start=1):
        lines += split(str(number), text)
    return lines + split("", program.tail)


def program_title(loop: Loop, k: int, ran: bool) -> str:
    """→ Branch 1: traced, and it ran"""
    title = loop.programs[k][0]
    if loop.kind != "cond":
        return title
    return f"→ {title}: traced, and it ran" if ran else f"{title}: traced, and it did not run"


def film_rows(loop: Loop) -> list[tuple[str, ...]]:
    """The heads of the film and, for each step, its row. What the loop does not have has no column."""
    heads = {
        "scan": ("Step", "Carry in", "x", "Carry out", "y"),
        "while": ("Step", "Carry in", "Condition", "Carry out"),
        "cond": ("Run", "Index", "Branch", "Result"),
    }[loop.kind]
    rows = [heads, *(film_cells(loop, frame) for frame in loop.frames)]
    kept = [k for k in range(len(heads)) if any(row[k] for row in rows[1:])]
    return [tuple(row[k] for k in kept) for row in rows]


def film_cells(loop: Loop, frame: Frame) -> tuple[str, ...]:
    """All that the film may say of a step."""
    number = f"{frame.number:,}"
    carry, x, out, y, result = (values_text(frame.of(what)) for what in ("carry in", "x", "carry out", "y", "result"))
    match loop.kind:
        case "scan":
            return number, carry, x, out, y
        case "while":
            return number, carry, str(frame.goes_on), out or "the loop ends"
    return number, frame.of("index")[0].text, f"branch {frame.branch} ran", result


def values_text(values: Sequence[Value]) -> str:
    """b = 3, c = [0 1 2]"""
    return ", ".join(f"{value.name} = {value.text}" for value in values)


def step_cells(frame: Frame) -> list[tuple[str, ...]]:
    """The table of one step, in the order of STEP_HEADS."""
    return [(row.what, f"{row.value.name}:{row.value.type}", row.value.text, row.where) for row in frame.rows]


def step_title(loop: Loop, frame: Frame) -> str:
    word = "Run" if loop.kind == "cond" else "Step"
    return f"{word} {frame.number:,}"


# ---- HTML, for one step


def panes(loop: Loop, place: int) -> str:
    """The programs beside the values of the step, or side by side above them; below these the film of the steps."""
    branch = loop.frames[place].branch if loop.frames else None
    programs = [program_html(loop, k, branch == k) for k in range(len(loop.programs))]
    step, steps = (step_table(loop, loop.frames[place]), film(loop, place)) if loop.frames else ("", "")
    if loop.kind == "cond":
        return f"<div class='branches'>{''.join(programs)}</div>{step}{steps}"
    columns = "".join(f"<div class='col'>{pane}</div>" for pane in ("".join(programs), step))
    return f"<div class='cols step'>{columns}</div>{steps}"


def program_html(loop: Loop, k: int, ran: bool) -> str:
    """A program, whose lines are broken where there is no room for them."""
    title, lines = program_title(loop, k, ran), map(folding_html, program_lines(loop, k))
    return f"<div class='fold{' ran' if ran else ''}'>{code_box(title, lines)}</div>"


def breakable(text: str) -> str:
    """HTML of code, with the places at which a line that is too long is broken first."""
    return BREAK.sub("<wbr/>", html.escape(text))


def folding_html(line: Line) -> str:
    """A line of a program; where it is broken, its other parts are indented further. Parameters begin a part."""
    indent = len(line.text) - len(line.text.lstrip(" ")) + 2
    look = f"style='padding-left:{indent}ch;text-indent:-{indent}ch'"
    text = f"<span class='text' {look}>{breakable(line.text)}</span>"
    return f"<div class='line'><span class='number'>{line.number}</span>{text}</div>"


def code_box(title: str, lines: Iterable[str]) -> str:
    """Lines of code under a title, which are as wide as the page lets them."""
    title = html.escape(title)
    inner = "".join(lines)
    return f"<h4>{title}</h4><div class='code' role='group' tabindex='-1' aria-label='{title}'>{inner}</div>"


def film(loop: Loop, place: int) -> str:
    """The rows of the film around a step."""
    heads, *cells = film_rows(loop)
    if len(cells) == 1:
        return ""
    start = max(0, min(place - WINDOW // 2, len(cells) - WINDOW))
    shown = range(start, min(start + WINDOW, len(cells)))
    return table(film_title(loop), heads, [(cells[k], "now" if k == place else "") for k in shown], "film")


def film_title(loop: Loop) -> str:
    """The steps; of many only some are kept."""
    word, frames = "runs" if loop.kind == "cond" else "steps", loop.frames
    return f"The {word}" if frames[-1].number < len(frames) else f"Some of the {word}"


def step_table(loop: Loop, frame: Frame) -> str:
    """All values of one step; what it gives on is marked."""
    rows = [(cells, "out" if cells[0] in ("carry out", "y", "result") else "") for cells in step_cells(frame)]
    return table(step_title(loop, frame), STEP_HEADS, rows, "values")


def table(title: str, heads: Sequence[str], rows: Sequence[tuple[Sequence[str], str]], kind: str = "") -> str:
    """An HTML table under a title, from the texts and the kind of each row."""
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    body = "".join(row_html(heads, cells, look) for cells, look in rows)
    return f"<table class='traces {kind}'><caption>{title}</caption><tr class='heads'>{head}</tr>{body}</table>"


def row_html(heads: Sequence[str], cells: Sequence[str], kind: str) -> str:
    mark = "→ " if kind == "now" else ""
    first, *others = map(html.escape, cells)
    inner = "".join(
        f"<td class='mono' data-head='{head}'>{cell}</td>" for head, cell in zip(heads[1:], others, strict=True)
    )
    return f"<tr class='{kind}'><th scope='row' class='place'>{mark}{first}</th>{inner}</tr>"


# ---- SVG, everything at once


def paper(loops: Sequence[Loop], about: Callable[[Loop], str], heading: str, notes: Sequence[str], words: str) -> str:
    """One equation below the other: its programs, the film of its steps, and the first of them in full."""
    width, body, y = 960.0, text_at(12, 24, heading, "font-weight='bold'"), 50.0
    for loop in loops:
        for line in wrapped(about(loop).replace("`", ""), width):
            body, y = body + text_at(12, y, line), y + 19
        drawn, y = loop_svg(loop, y + 8, width)
        body += drawn
    for line in (piece for note in notes for piece in wrapped(note, width)):
        body, y = body + text_at(12, y, line), y + 19
    return drawing(body, width, y, heading, words)


def loop_svg(loop: Loop, y: float, width: float) -> tuple[str, float]:
    """The drawing of one equation from y on, and where it ends."""
    body, y = programs_svg(loop, y, width)
    if not loop.frames:
        return body, y
    heads, *steps = film_rows(loop)
    if len(steps) > 1:
        drawn, y = table_svg(film_title(loop), heads, steps, y, width)
        body += drawn
    drawn, y = table_svg(step_title(loop, loop.frames[0]), STEP_HEADS, step_cells(loop.frames[0]), y, width)
    return body + drawn, y + 14


def programs_svg(loop: Loop, y: float, width: float) -> tuple[str, float]:
    """The programs side by side as far as there is room, and where they end."""
    body, x, bottom = "", 12.0, y
    for k in range(len(loop.programs)):
        ran = loop.kind == "cond" and loop.branches[k] > 0
        lines, title = folded(program_lines(loop, k)), program_title(loop, k, ran)
        wide = max(column_width(lines), width_of(title)) + 4
        if x > 12 and x + wide + 12 > width:
            x, y = 12.0, bottom
        body += text_at(x, y + 12, title) + column(x, y + 20, wide, lines)
        if ran:
            body += rect(x, y + 20, wide, HEIGHT * len(lines) + 8, f"fill='none' stroke='{BLUE}' stroke-width='3'")
        x, bottom = x + wide + 18, max(bottom, y + 44 + HEIGHT * len(lines))
    return body, bottom


def table_svg(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], y: float, width: float
) -> tuple[str, float]:
    """A table under its title, with its top at y, and where it ends."""
    widths = shares(heads, rows, width - 24)
    body, y = text_at(12, y + 12, title), y + 20
    for k, texts in enumerate([heads, *rows]):
        drawn, height = row_svg(texts, y, k == 0, widths)
        body, y = body + drawn, y + height
    return body, y + 14


def shares(heads: Sequence[str], rows: Sequence[Sequence[str]], width: float) -> list[float]:
    """The widths of columns: as wide as their texts, and all together at most `width`."""
    wanted = [max(width_of(row[k]) for row in (heads, *rows)) + 22.0 for k in range(len(heads))]
    fixed = wanted[0]
    room = (width - fixed) / max(sum(wanted[1:]), 1)
    return [fixed, *(w * min(1.0, room) for w in wanted[1:])]
