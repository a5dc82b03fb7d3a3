"""The panes of the kernel viewer: the program, the loops and what they cost, as HTML for one choice and as SVG."""

import html
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .compilation import Compilation
from .figure import BLUE, FAINT, GREY, LINE, SIZE, YELLOW, code_at, counted, drawing, rect, text_at, width_of
from .stages import Stage
from .stepper_drawing import HEIGHT, STYLE, Line, column, column_width, line_html, listing, ranges, split, wrapped

BAR = 60  # pixels, of a share of all
COSTS = f"""
.minijax-page table.costs {{ border-collapse: collapse; font-size: {SIZE}px; margin-bottom: 8px }}
.minijax-page .costs th, .minijax-page .costs td {{ padding: 2px 8px 2px 4px; text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; color: inherit; background: none }}
.minijax-page .costs :is(th, td):first-child {{ text-align: left; font-weight: normal; white-space: pre }}
.minijax-page .costs tr.step > * {{ font-weight: bold; border-top: 1px solid {LINE} }}
.minijax-page .costs tr.now {{ background: {YELLOW} }}
.minijax-page .cols.halves > .col {{ flex: 1 1 0 }}
@container (min-width: 680px) {{ .minijax-page .cols.halves > .col + .col {{ flex: 1.1 1 0; min-width: 0 }} }}
.minijax-page .costs .bar {{ display: inline-block; width: {BAR}px; height: 10px; background: {GREY} }}
@container (max-width: 480px) {{
  .minijax-page .costs tr {{ display: flex; flex-wrap: wrap }}
  .minijax-page .costs :is(.bar, td:empty, th[scope="col"]:not(:first-child)) {{ display: none }}
  .minijax-page .costs tr.step > * {{ border: none }}
  .minijax-page .costs td::before {{ content: attr(data-head) " " }}
}}
.minijax-page .costs .bar > i {{ display: block; height: 10px; background: {BLUE} }}
"""
LOOK = STYLE + COSTS
WIDE, ROOM = 960, 100  # the width of a drawing; letters of a line of code in it
HEADS = ("share", "operations", "bytes", "measured")  # of the table of costs
BOLD = 1.1  # bold letters are wider
PLACES = (240, 315, 370)  # where the columns of the drawn costs end
ENDS = "The program after all passes"
LOOPS = "The loops, with the numbers of equations"


@dataclass(frozen=True)
class Marks:
    """What is chosen, by index: lines of the program and of the loops that are marked, strongly or as related."""

    equations: tuple[int, ...] = ()
    related_equations: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    related_lines: tuple[int, ...] = ()
    compiled: tuple[int, ...] = ()  # the equations of the last stage: whose costs are marked


def kind(index: int, strong: Sequence[int], related: Sequence[int]) -> str:
    return "now" if index in strong else "outer" if index in related else ""


# ---- lines


def program_lines(stage: Stage, marks: Marks) -> list[Line]:
    """The program of a stage, its equations numbered from 1 on."""
    program = stage.program
    lines = split("", program.head)
    for k, text in enumerate(program.eqns):
        lines += split(str(k + 1), text, kind(k, marks.equations, marks.related_equations))
    return lines + split("", program.tail)


def loop_lines(found: Compilation, marks: Marks) -> list[Line]:
    """The lines of all steps, numbered from 1 on, with the numbers of the equations that each computes."""
    lines = []
    for k, line in enumerate(found.lines):
        own = ranges([i + 1 for i in line.equations]) if found.computes(line) else ""
        lines.append(Line(str(k + 1), line.text, kind(k, marks.lines, marks.related_lines), own))
    return lines + ([Line("", f"... {counted(found.left_out, 'more line')}")] if found.left_out else [])


@dataclass(frozen=True)
class Row:
    """A row of the table of costs: a step, or an equation in it."""

    name: str
    equation: int | None
    operations: str
    bytes: str
    share: float


def cost_rows(found: Compilation) -> Iterator[Row]:
    """Each step, and below it its equations with their shares."""
    total = sum(step.cost for step in found.steps) or 1
    shown = len(found.stages[-1].program.short)
    for k, step in enumerate(found.steps):
        yield Row(step.name, None, f"{step.operations:,}", f"{step.bytes:,}", step.cost / total)
        for i in sorted(i for of, i in found.costs if of == k and i < shown) if step.kernel else ():
            yield Row(f"{i + 1:>3}  {left_side(found, i)}", i, "", "", found.costs[k, i] / total)


def left_side(found: Compilation, equation: int) -> str:
    """b = mul: the result and the primitive of an equation."""
    result, _, right = found.stages[-1].program.short[equation].partition(" = ")
    return f"{result.split(':')[0]} = {right.split('[')[0].split(' ')[0]}"


def percent(share: float) -> str:
    """12 %; what is there but rounds to nothing is less than 1 %."""
    return "< 1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


# ---- HTML, for one choice


def panes(found: Compilation, stage: Stage, marks: Marks, times: Sequence[float] = ()) -> str:
    """The program on the left, the loops on the right, the costs below; all below each other on a narrow page."""
    title = f"The program: {stage.name}"
    program = listing(title, map(line_html, program_lines(stage, marks)))
    if found.missing:
        return f"{program}<p class='note'>{html.escape(no_loops(found))}</p>"
    lines = loop_lines(found, marks)
    room = max((len(line.bound) for line in lines), default=0)
    loops = listing(LOOPS, (code_html(x, room) for x in lines))
    columns = "".join(f"<div class='col'>{pane}</div>" for pane in (program, loops))
    return f"<div class='cols halves'>{columns}</div>{cost_table(found, marks, times)}"


def code_html(line: Line, room: int) -> str:
    """A line of the loops, whose numbers are those of equations that it computes."""
    return line_html(line, room).replace("equations that this line bound", "equations that this line computes")


def no_loops(found: Compilation) -> str:
    return f"There are no loops yet, because there is no compiler: {found.missing}."


def cost_table(found: Compilation, marks: Marks, times: Sequence[float]) -> str:
    """The costs as a table; with `times`, a column of measured ones."""
    heads = ["Cost of each step", *HEADS[: 4 if times else 3]]
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    measured = iter(times)
    body = ""
    for row in cost_rows(found):
        time = f"{next(measured):.2f} µs" if times and row.equation is None else ""
        body += cost_html(row, row.equation in marks.compiled, [time] if times else [])
    table = f"<table class='costs'><tr>{head}</tr>{body}</table>"
    return f"<div class='code' style='border:none' tabindex='-1'>{table}</div>"


def cost_html(row: Row, marked: bool, more: Sequence[str]) -> str:
    bar = f"<span class='bar' aria-hidden='true'><i style='width:{BAR * row.share:.0f}px'></i></span>"
    cells = [f"{html.escape(percent(row.share))} {bar}", row.operations, row.bytes, *more]
    inner = "".join(f"<td data-head='{head}'>{cell}</td>" for head, cell in zip(HEADS, cells, strict=False))
    look = "step" if row.equation is None else "now" if marked else ""
    mark = "→" if marked else " "
    name = f"<th scope='row'>{mark if row.equation is not None else ''}{html.escape(row.name)}</th>"
    return f"<tr class='{look}'>{name}{inner}</tr>"


# ---- SVG, everything at once


def paper(found: Compilation, heading: str, notes: Sequence[str], words: str) -> str:
    """The last stage's program, the loops with the numbers of its equations, and the costs."""
    program, loops = folded(program_lines(found.stages[-1], Marks())), folded(loop_lines(found, Marks()))
    left, right = max(column_width(program), 430.0), max(column_width(loops), width_of(LOOPS))
    beside = left + right + 36 <= WIDE and bool(found.lines)
    costs = cost_drawing(found, 12, 95 + HEIGHT * len(program)) if found.lines else ("", 0.0)
    below = 95 + HEIGHT * len(program) + costs[1]
    title = ENDS if found.lines else f"The program: {found.stages[-1].name}"
    body = text_at(12, 24, heading, "font-weight='bold'") + text_at(12, 52, title)
    body += column(12, 61, left, program) + costs[0]
    x, top = (left + 36, 52.0) if beside else (12.0, below + 10)
    if found.lines:
        body += text_at(x, top, LOOPS) + column(x, top + 9, right, loops)
    bottom = max(below, top + 45 + HEIGHT * len(loops)) if found.lines else below
    width = max(x + right + 12, left + 24, BOLD * width_of(heading) + 24, 640)
    for line in (piece for note in notes for piece in wrapped(note.replace("`", ""), width)):
        body += text_at(12, bottom, line)
        bottom += 19
    return drawing(body, width, bottom, heading, words)


def folded(lines: Sequence[Line]) -> list[Line]:
    """The lines, long ones in pieces; a piece is indented further than the line."""
    found = []
    for line in lines:
        first, *rest = pieces(line.text)
        found += [replace(line, text=first), *(Line("", piece, line.kind) for piece in rest)]
    return found


def pieces(text: str) -> list[str]:
    if len(text) <= ROOM:
        return [text]
    start = len(text) - len(text.lstrip())
    inner = " " * min(start + 4, ROOM // 2)
    found = textwrap.wrap(text.lstrip(), ROOM - start, subsequent_indent=inner[start:], break_on_hyphens=False)
    return [" " * start + piece for piece in found]


def cost_drawing(found: Compilation, x: float, y: float) -> tuple[str, float]:
    """The table of costs with its top left corner at (x, y), and its height."""
    body = heads = ""
    for at, name in zip(PLACES, ("operations", "bytes", "share"), strict=True):
        heads += text_at(x + at, y, name, f"text-anchor='end' fill='{FAINT}'")
    rows = [*cost_rows(found)]
    for k, row in enumerate(rows):
        body += cost_row(row, x, y + HEIGHT * (k + 1))
    return text_at(x, y, "Cost of each step") + heads + body, 24.0 + HEIGHT * len(rows)


def cost_row(row: Row, x: float, y: float) -> str:
    bold = "font-weight='bold'" if row.equation is None else ""
    body = code_at(x, y, row.name, bold)
    for at, text in zip(PLACES, (row.operations, row.bytes, percent(row.share)), strict=True):
        body += text_at(x + at, y, text, f"text-anchor='end' {bold}")
    ground = rect(x + 382, y - 10, BAR, 10, f"fill='{GREY}'")
    return body + ground + rect(x + 382, y - 10, BAR * row.share, 10, f"fill='{BLUE}'")
