"""The drawing of the tree: a line for each key with a box that says whether it has been used, below it by what."""

from .figure import BLUE, FAINT, INK, LINE, RED, SKY, code_at, drawing, rect, text_at, width_of
from .key_recording import Key, Recording
from .key_words import origins, times

WIDTH, LEFT, STEP = 640.0, 12.0, 30.0  # of all; the first box; to the right for each generation
BOX, HIGH, LINE_HIGH = 94.0, 22.0, 19.0
ROOM = 200.0  # that generations may take
USES = 4  # that are drawn of a key


def draw(found: Recording, step: int, chosen: int | None, title: str, words: str) -> str:
    """The SVG of the tree after a step. What the step does is framed, or else the chosen key."""
    rows = found.rows(step)
    deepest = max((depth for depth, _, _ in rows), default=0)
    indent = min(STEP, ROOM / max(deepest, 1))
    y, places, body = 10.0, dict[int, tuple[float, float]](), ""
    for depth, k, left in rows:
        x = LEFT + depth * indent
        if k is None:
            body += text_at(x, y + 15, f"and {left} more key{'s' * (left != 1)}", f"fill='{FAINT}'")
            y += HIGH + 12
            continue
        key = found.keys[k]
        parent = key.origins[0].parent
        if parent in places:
            body = branch(*places[parent], x, y) + body
        places[k] = x, y
        body += one_key(found, k, step, chosen, x, y)
        lines = len(use_lines(found, key, step))
        y += HIGH + 12 + LINE_HIGH * lines + 2 * bool(lines)
    return drawing(body + legend(y + 12), WIDTH, y + 42, title, words)


def branch(x: float, y: float, left: float, top: float) -> str:
    """A line from a parent to one of its keys."""
    path = f"M{x + 10:g} {y + HIGH:g} V{top + HIGH / 2:g} H{left:g}"
    return f"<path d='{path}' fill='none' stroke='{LINE}' stroke-width='1.5'/>"


def one_key(found: Recording, k: int, step: int, chosen: int | None, x: float, y: float) -> str:
    """A box with the key's digits, how it came to be, and what has used it."""
    key = found.keys[k]
    of_step = found.steps[step - 1] if step and chosen is None else None
    now = k == chosen or (of_step is not None and k in (*of_step.used, *of_step.made))
    body = box(key.short, bool(key.used_by(step)), key.reused(step), x, y)
    if now:
        body += rect(x - 4, y - 4, BOX + 8, HIGH + 8, f"fill='none' stroke='{INK}' stroke-width='2.5' rx='7'")
    how = origins(key, step)
    again = f" used {times(len(key.used_by(step)))}" if key.reused(step) else ""
    room = WIDTH - x - BOX - 24 - width_of(again) * 1.15
    body += code_at(x + BOX + 12, y + 16, cut(how, room))
    if again:
        at = x + BOX + 12 + width_of(cut(how, room), mono=True)
        body += text_at(at + 6, y + 16, again.strip(), f"fill='{RED}' font-weight='bold'")
    for i, (line, current) in enumerate(use_lines(found, key, step)):
        bold = "font-weight='bold'" if current else ""
        body += code_at(x + 26, y + HIGH + 18 + i * LINE_HIGH, cut(line, WIDTH - x - 34), bold)
    return body


def use_lines(found: Recording, key: Key, step: int) -> list[tuple[str, bool]]:
    """A line for each use, and whether it is that of the step."""
    uses = key.used_by(step)
    shown = uses if len(uses) <= USES else [*uses[: USES - 1]]
    lines = [(use_line(found, s), s == step) for s in shown]
    left = uses[len(shown) :]
    return lines + [(f"and {len(left)} more", step in left)] * bool(left)


def use_line(found: Recording, step: int) -> str:
    one = found.steps[step - 1]
    return "← " + ": ".join(filter(None, [one.place, one.code]))


def box(text: str, used: bool, reused: bool, x: float, y: float) -> str:
    """Not used: a dashed line. Used once: a full one. Used twice: a thick double one."""
    if reused:
        outer = rect(x, y, BOX, HIGH, f"fill='#ffffff' stroke='{RED}' stroke-width='3' rx='4'")
        look = f"fill='#ffffff' stroke='{RED}' rx='2'"
        frame = outer + rect(x + 4, y + 3.5, BOX - 8, HIGH - 7, look)
    else:
        look = f"fill='{SKY}' stroke='{BLUE}'" if used else f"fill='#ffffff' stroke='{BLUE}' stroke-dasharray='4 3'"
        frame = rect(x, y, BOX, HIGH, f"{look} stroke-width='1.5' rx='4'")
    return frame + code_at(x + BOX / 2, y + 16, text, "text-anchor='middle'")


def cut(text: str, room: float) -> str:
    """As much of a text in a fixed width as there is room for."""
    letters = int(room / width_of("m", mono=True))
    return text if len(text) <= letters else f"{text[: max(letters - 1, 0)]}…"


def legend(y: float) -> str:
    """What the boxes mean. Their digits are the last four of each word."""
    body, x = "", LEFT
    for words, used, reused in (("not used", False, False), ("used once", True, False), ("used too often", True, True)):
        body += box("", used, reused, x, y) + text_at(x + BOX + 8, y + 16, words)
        x += BOX + 8 + width_of(words) + 24
    return body
