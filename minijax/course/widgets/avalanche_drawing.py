"""The drawing of an avalanche: 64 bits after some rounds, and below it which of them differ after every round."""

from .avalanche_running import BITS, ROUNDS, Avalanche
from .figure import BLUE, FAINT, GREY, INK, LINE, ORANGE, code_at, drawing, rect, text_at, width_of

WIDTH, LEFT = 640.0, 74.0
HALF = BITS // 2
CELL, TALL = 16.5, 22.0  # a bit with its digit: two rows of 32
TILE, ROW = 7.0, 16.0  # a bit without: a row of 64 for each round
BARS = LEFT + BITS * TILE + 8  # where the bars of the counts begin
BAR = 0.9  # the length of a bar, for each bit


def draw(found: Avalanche, of: str, bit: int, rounds: int, title: str, words: str) -> str:
    """The SVG. The chosen number of rounds is framed."""
    body = text_at(8, 18, f"The 64 bits after {counted_rounds(rounds)}: as they are, and with the bit flipped", BOLD)
    y = 30.0
    for name, low in (("upper", HALF), ("lower", 0)):
        body += word(found, of, bit, rounds, low, name, y)
        y += 2 * TALL + 12
    body += legend(y + 12)
    body += history(found, of, bit, rounds, y + 40)
    return drawing(body, WIDTH, y + 40 + 32 + (ROUNDS + 1) * ROW + 8, title, words)


BOLD = "font-weight='bold'"


def counted_rounds(n: int) -> str:
    return f"{n} round{'s' * (n != 1)}"


def why_not(words: str) -> str:
    """A drawing that says why there is none."""
    return drawing(text_at(8, 20, words), max(WIDTH, width_of(words) + 16), 32, words, words)


# ---- the bits


def word(found: Avalanche, of: str, bit: int, rounds: int, low: int, name: str, y: float) -> str:
    """One of the two words, its highest bit first: its digits, below them those with the bit flipped."""
    plain, changed = found.plain[rounds], found.changed(of, bit, rounds)
    body = text_at(8, y + 16, f"{name}") + text_at(8, y + TALL + 14, "flipped", f"fill='{FAINT}'")
    for k in range(HALF):
        at, x = low + HALF - 1 - k, LEFT + k * CELL + 4 * (k // 8)
        body += cell(x, y, plain >> at & 1, False) + cell(
            x, y + TALL - 2, (plain ^ changed) >> at & 1, changed >> at & 1
        )
    return body


def cell(x: float, y: float, digit: int, differs: int) -> str:
    """A bit that differs is filled, and its digit bold."""
    look = f"fill='{ORANGE}' stroke='{INK}'" if differs else f"fill='#ffffff' stroke='{LINE}'"
    bold = BOLD if differs else ""
    return rect(x, y, CELL - 1, TALL - 3, look) + code_at(
        x + CELL / 2 - 0.5, y + 14.5, str(digit), f"text-anchor='middle' {bold}"
    )


def legend(y: float) -> str:
    body = cell(8, y - 15, 1, 1) + text_at(30, y, "a bit that differs")
    body += cell(170, y - 15, 1, 0) + text_at(192, y, "one that does not")
    line = f"<path d='M{BARS - 120:g} {y - 16:g} v18' stroke='{INK}' stroke-dasharray='4 3'/>"
    return body + line + text_at(BARS - 110, y, "32 bits: one half of them")


# ---- every round


def history(found: Avalanche, of: str, bit: int, rounds: int, y: float) -> str:
    """A row for each number of rounds: the bits that differ, and how many they are, beside the line of one half."""
    body = text_at(8, y + 14, "Round", BOLD) + text_at(LEFT, y + 14, "which of the 64 bits differ", BOLD)
    body += text_at(WIDTH - 8, y + 14, "how many", f"text-anchor='end' {BOLD}")
    top = y + 24
    for n in range(ROUNDS + 1):
        body += row(found, of, bit, n, top + n * ROW)
    middle = BARS + HALF * BAR
    body += f"<path d='M{middle:g} {top - 2:g} V{top + (ROUNDS + 1) * ROW:g}' stroke='{INK}' stroke-dasharray='4 3'/>"
    frame = f"fill='none' stroke='{INK}' stroke-width='2.5' rx='3'"
    return body + rect(4, top + rounds * ROW - 1.5, WIDTH - 8, ROW + 1, frame)


def row(found: Avalanche, of: str, bit: int, n: int, y: float) -> str:
    changed, count = found.changed(of, bit, n), found.count(of, bit, n)
    body = text_at(LEFT - 30, y + 12, str(n), "text-anchor='end'")
    body += rect(LEFT, y, BITS * TILE, ROW - 2, f"fill='{GREY}'")
    for at in range(BITS):
        if changed >> at & 1:
            body += rect(LEFT + (BITS - 1 - at) * TILE, y, TILE - 1, ROW - 2, f"fill='{INK}'")
    body += rect(BARS, y + 1, count * BAR, ROW - 4, f"fill='{BLUE}'")
    return body + text_at(WIDTH - 12, y + 12, str(count), "text-anchor='end'")
