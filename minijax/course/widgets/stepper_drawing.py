"""The two columns of the trace stepper: as HTML for one step, and as SVG for all of them."""

import html
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .figure import DEEP, FAINT, GREY, LINE, MONO, RED, SIZE, SKY, YELLOW, code_at, drawing, rect, text_at, width_of
from .recording import Place, Recording, Source

BESIDE, RIGHT = 680, 320  # the width of a page with columns side by side; the least one of the right column
STYLE = f"""
.minijax-page {{ container-type: inline-size }}
.minijax-page .cols {{ display: flex; flex-direction: column; gap: 10px 22px }}
.minijax-page .col {{ flex: 0 1 auto; min-width: 0; max-width: 100% }}
@container (min-width: {BESIDE}px) {{
  .minijax-page .cols {{ flex-direction: row; align-items: flex-start }}
  .minijax-page .col + .col {{ flex: 1 0 {RIGHT}px }}
}}
.minijax-page h4 {{ font-size: {SIZE + 1}px; margin: 0 0 4px; font-weight: bold }}
.minijax-page .code {{ font: {SIZE}px/21px {MONO}; overflow: auto; border: 1px solid {GREY}; padding: 4px 0;
  margin-bottom: 8px }}
.minijax-page .tall {{ max-height: 420px; display: flex; flex-direction: column-reverse }}
.minijax-page .line {{ display: flex; background: #fff; white-space: pre; min-width: max-content }}
.minijax-page .line > .text {{ flex: 1 }}
.minijax-page .mark {{ width: 22px; text-align: center; font-weight: bold }}
.minijax-page .number {{ width: 30px; text-align: right; padding-right: 10px; color: {FAINT} }}
.minijax-page .bound {{ color: {DEEP}; padding: 0 8px 0 14px; font-weight: bold; text-align: right;
  position: sticky; right: 0; background: inherit; box-sizing: content-box }}
.minijax-page .now {{ background: {YELLOW} }}
.minijax-page .outer {{ background: {SKY} }}
.minijax-page .error {{ color: {RED}; font-weight: bold }}
.minijax-page .note {{ margin: 6px 0 0; color: {FAINT}; font-size: {SIZE}px }}
"""
HEIGHT = 21  # of a line


@dataclass(frozen=True)
class Line:
    """One line of a column."""

    number: str
    text: str
    kind: str = ""  # "now": this step's; "outer": a call on the way to it; "error"
    bound: str = ""  # the numbers of the equations that it bound


# ---- what stands in the columns


def source_lines(recording: Recording, index: int, step: int) -> list[Line]:
    """The lines of one source, with the equations that each has bound up to this step."""
    source, bound, kinds = recording.sources[index], bound_by(recording, index, step), kinds_at(recording, index, step)
    numbers = range(source.first, source.first + len(source.lines))
    return [Line(str(n), t, kinds.get(n, ""), ranges(bound[n])) for n, t in zip(numbers, source.lines, strict=True)]


def bound_by(recording: Recording, index: int, step: int) -> dict[int, list[int]]:
    """line number -> the numbers of the equations that it bound up to this step"""
    found: dict[int, list[int]] = defaultdict(list)
    for number, done in enumerate(recording.steps[:step], start=1):
        for place in done.places[-1:]:
            if place.source == index:
                found[place.line].append(number)
    return found


def kinds_at(recording: Recording, index: int, step: int) -> dict[int, str]:
    """line number -> "now" or "outer", for the lines that run in this step"""
    places = places_at(recording, step)
    kinds = {p.line: "outer" for p in places[:-1] if p.source == index}
    return kinds | {p.line: "now" for p in places[-1:] if p.source == index}


def places_at(recording: Recording, step: int) -> Sequence[Place]:
    if 0 < step <= len(recording.steps):
        return recording.steps[step - 1].places
    ended = step > len(recording.steps) and recording.refusal
    return ended.places if ended else ()


def program_lines(recording: Recording, step: int) -> list[Line]:
    """The program as it stands after this step."""
    program, lines = recording.program, split("", recording.program.head)
    for number, eqn in enumerate(program.eqns[:step], start=1):
        lines += split(str(number), eqn, "now" if number == step else "")
    return lines + (end_lines(recording) if step > len(recording.steps) else [])


def end_lines(recording: Recording) -> list[Line]:
    if recording.refusal:
        return [Line("", f"    {recording.refusal.error}", "error")]
    if recording.left_out:
        return [Line("", f"    ... {recording.left_out} more")]
    return split("", recording.program.tail)


def split(number: str, text: str, kind: str = "") -> list[Line]:
    """The lines of a text; the first of them has the number."""
    first, *rest = text.split("\n")
    return [Line(number, first, kind), *(Line("", line, kind) for line in rest)]


def ranges(numbers: Sequence[int]) -> str:
    """[1, 2, 3, 7] is "1-3, 7"; of many runs, the first two and the last one."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][-1] == n - 1:
            runs[-1][1:] = [n]
        else:
            runs.append([n])
    texts = ["-".join(map(str, run)) for run in runs]
    return ", ".join(texts if len(texts) <= 4 else [*texts[:2], "...", texts[-1]])


# ---- HTML, for one step


def columns(recording: Recording, step: int) -> str:
    """The sources on the left, the program on the right; below each other where the page is narrow."""
    sources = range(len(recording.sources))
    left = [source_listing(recording, i, step) for i in sources]
    left = left or [f"<p class='note'>{no_source(recording)}</p>"]
    height = sum(map(len, (program_lines(recording, len(recording.steps)), end_lines(recording))))
    right = listing("The program so far", map(line_html, program_lines(recording, step)), height)
    return f"<div class='cols'><div class='col'>{''.join(left)}</div><div class='col'>{right}</div></div>"


def source_listing(recording: Recording, index: int, step: int) -> str:
    """The lines of one source. Each has the room for its numbers from the start, so that no step moves a column."""
    lines, final = (source_lines(recording, index, s) for s in (step, len(recording.steps)))
    rooms = [len(line.bound) for line in final]
    return listing(caption(recording.sources[index]), map(line_html, lines, rooms))


def listing(title: str, lines: Iterable[str], rows: int = 0) -> str:
    """A box of code under a title; with `rows`, as high as it is going to be, and scrolled to its end."""
    room = f" style='min-height:{min(rows * HEIGHT + 8, 420)}px'" if rows else ""
    inner = f"<div style='min-width:max-content;margin-bottom:auto'>{''.join(lines)}</div>"
    scroll = f"class='code{' tall' if rows else ''}' tabindex='{0 if rows * HEIGHT > 420 else -1}'"
    return (
        f"<h4>{html.escape(title)}</h4><div {scroll} role='group' aria-label='{html.escape(title)}'{room}>{inner}</div>"
    )


def line_html(line: Line, room: int = 0) -> str:
    """The mark is a sign, so that it does not need its colour. `room` is in characters, for the bound numbers."""
    mark = {"now": "→", "outer": "↳", "error": "✗"}.get(line.kind, "")
    hint = f"title='equations that this line bound' style='min-width:{room}ch'"
    bound = f"<span class='bound' {hint}>{line.bound}</span>" if room else ""
    number, text = f"<span class='number'>{line.number}</span>", html.escape(line.text) or " "
    start = f"<div class='line {line.kind}'><span class='mark' aria-hidden='true'>{mark}</span>"
    return f"{start}{number}<span class='text'>{text}</span>{bound}</div>"


def caption(source: Source) -> str:
    return f"Lines of {source.name}"


def no_source(recording: Recording) -> str:
    return html.escape(f"The lines of {recording.name} are not shown: they are the package's own, or not at hand.")


# ---- SVG, for all steps


def paper(recording: Recording, heading: str, end: str, words: str, note: str) -> str:
    """Both columns complete; the numbers of the equations stand at the lines that bound them."""
    last = len(recording.steps) + 1
    sources = [source_lines(recording, i, last) for i in range(len(recording.sources))]
    left, right = [line for lines in sources for line in lines], program_lines(recording, last)
    width = max(column_width(left), 300.0)
    beside = width + column_width(right) <= 960
    body, y = text_at(12, 24, heading, "font-weight='bold'"), 52.0
    start = y
    for source, lines in zip(recording.sources, sources, strict=True):
        body += text_at(12, y, caption(source)) + column(12, y + 9, width - 12, lines)
        y += 40 + HEIGHT * len(lines)
    x, top = (width + 24, start) if beside and left else (12, y)
    wide = max(column_width(right), 260.0)
    body += text_at(x, top, "The program") + column(x, top + 9, wide, right)
    y = max(y, top + 40 + HEIGHT * len(right))
    total = max(x + wide + 12, 640)
    for words_line in [*wrapped(end.replace("`", ""), total), *wrapped(note, total)]:
        body += text_at(12, y, words_line)
        y += 19
    return drawing(body, total, y, heading, words)


def wrapped(text: str, width: float) -> list[str]:
    """The text in lines that fit a drawing of this width."""
    lines, room = [""], (width - 24) / (SIZE * 0.5)
    for word in text.split():
        if len(lines[-1]) + len(word) > room:
            lines.append("")
        lines[-1] += word + " "
    return lines


def column_width(lines: Sequence[Line]) -> float:
    return 62 + max(
        (width_of(line.text + "   " * bool(line.bound) + line.bound, mono=True) for line in lines), default=0
    )


def column(x: float, y: float, width: float, lines: Sequence[Line]) -> str:
    """A frame with lines of code in it."""
    body = rect(x, y, width, HEIGHT * len(lines) + 8, f"fill='none' stroke='{LINE}'")
    for i, line in enumerate(lines):
        body += line_svg(x, y + 4 + HEIGHT * i, width, line)
    return body


def line_svg(x: float, y: float, width: float, line: Line) -> str:
    fill = {"now": YELLOW, "outer": SKY}.get(line.kind)
    back = rect(x + 1, y, width - 2, HEIGHT, f"fill='{fill}'") if fill else ""
    number = code_at(x + 34, y + 15, line.number, f"text-anchor='end' fill='{FAINT}'")
    color = f"fill='{RED}' font-weight='bold'" if line.kind == "error" else ""
    sign = code_at(x + 6, y + 15, {"error": "✗", "now": "→"}.get(line.kind, ""))
    bound = code_at(x + width - 8, y + 15, line.bound, f"text-anchor='end' fill='{DEEP}' font-weight='bold'")
    return back + sign + number + code_at(x + 46, y + 15, line.text, color) + bound
