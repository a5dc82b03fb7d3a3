"""The figures of chapter 5, made as those in figures.py."""

from collections.abc import Sequence

from .figures import BLUE, GREY, LIGHT, YELLOW, arrow, box, show


def three_ways() -> None:
    """A function of one example, applied to many: by a loop of Python, by map, by vmap."""
    words = (
        "Three ways to apply a function of one example to three examples, which are rows of two numbers. A loop of "
        "Python: the function stands in the program three times, and each takes one row. lax.map: it stands there "
        "once, in a loop, which takes one row after the other. vmap: it stands there once, and each of its operations "
        "takes all rows at once."
    )
    body = ""
    titles = ["a loop of Python", "lax.map: a loop in the program", "vmap: all at once"]
    for k, title in enumerate(titles):
        x = 10 + 265 * k
        body += f"<text x='{x}' y='22' font-weight='bold'>{title}</text>"
        body += "".join(_row(x, 40 + 40 * i, 2) for i in range(3))
    for i in range(3):
        body += arrow(f"M54 {51 + 40 * i}H118") + box(120, 37 + 40 * i, 90, ["f"], LIGHT)
    body += "".join(arrow(f"M319 {51 + 40 * i}C352 {51 + 40 * i} 352 92 382 92") for i in range(3))
    body += box(385, 77, 90, ["f"], LIGHT)
    body += arrow("M460 77C475 40 400 40 412 74", f"stroke='{BLUE}'")
    body += f"<text x='436' y='40' text-anchor='middle' fill='{BLUE}'>one by one</text>"
    body += "<path d='M536 36H592V150H536z' fill='none' stroke='#333' stroke-dasharray='5 3'/>" + arrow("M592 92H638")
    body += box(640, 68, 136, ["f, of a batch", "(each operation)"], YELLOW)
    show(body, words, 785, 165)


def _row(x: int, y: int, n: int, fill: str = GREY) -> str:
    """An example: a row of cells."""
    return "".join(
        f"<rect x='{x + 22 * i}' y='{y}' width='22' height='22' fill='{fill}' stroke='#333'/>" for i in range(n)
    )


def lined_up() -> None:
    """The axes of two batches, as NumPy lines them up and as the rule does."""
    words = (
        "Two batches: x has the axes B and 3, s has the axis B alone. As NumPy lines them up, at the end, the batch "
        "axis of s stands under the axis 3 of x: wrong. As the rule does it, in front, B stands under B, and s has an "
        "axis of size 1 under the axis 3."
    )
    body = ""
    for x, title, under in ((10, "at the end, as NumPy does it", 1), (400, "in front, as the rule does it", 0)):
        body += f"<text x='{x}' y='22' font-weight='bold'>{title}</text>"
        body += f"<text x='{x}' y='60'>x</text><text x='{x}' y='110'>s</text>"
        body += _axis(x + 30, 40, "B", YELLOW) + _axis(x + 110, 40, "3", LIGHT)
        body += _axis(x + 30 + 80 * under, 90, "B", YELLOW)
    body += _axis(510, 90, "1", "white")
    body += "<text x='215' y='110'>B meets 3: wrong</text><text x='605' y='110'>B meets B</text>"
    show(body, words, 785, 130)


def _axis(x: int, y: int, label: str, fill: str) -> str:
    return box(x, y, 64, [label], fill)


def products() -> None:
    """The axes of a product of a matrix and a vector in a batch, in the three cases."""
    words = (
        "The product of a matrix, with axes i and j, and a vector, with axis j, in a batch B. If both have the batch "
        "axis, it is a batch axis of the product: B i j times B j gives B i. If the matrix alone has it, it is a free "
        "axis of the matrix: B i j times j gives B i. If the vector alone has it, it is a free axis of the vector: "
        "i j times B j gives i B, which is turned to B i at the end."
    )
    rows = [
        ("both", "Bij", "Bj", "Bi", "B goes along: a batch axis"),
        ("the matrix", "Bij", "j", "Bi", "B is one more free axis of the matrix"),
        ("the vector", "ij", "Bj", "iB", "B is one more free axis, after those of the matrix"),
    ]
    body = "<text x='10' y='22' font-weight='bold'>who has B</text>"
    for k, (who, left, right, out, said) in enumerate(rows):
        y = 36 + 44 * k
        body += f"<text x='10' y='{y + 20}'>{who}</text>" + _axes(110, y, left) + _axes(225, y, right)
        body += arrow(f"M300 {y + 15}H333") + _axes(340, y, out) + f"<text x='425' y='{y + 20}'>{said}</text>"
    show(f"{body}<text x='225' y='22' fill='#333'>j is contracted</text>", words, 785, 172)


def _axes(x: int, y: int, letters: str) -> str:
    """An array: a cell for each axis. The batch axis is yellow, one that is contracted grey."""
    fills = {"B": YELLOW, "j": GREY, "i": LIGHT}
    return "".join(
        f"<rect x='{x + 32 * k}' y='{y}' width='32' height='30' fill='{fills[c]}' stroke='#333'/>"
        f"<text x='{x + 32 * k + 16}' y='{y + 20}' text-anchor='middle'>{c}</text>"
        for k, c in enumerate(letters)
    )


def selected() -> None:
    """A branch with an index of each example: both arms run on the whole batch, and each example takes one result."""
    words = (
        "A batch of three examples with a predicate of each: true, false, true. Both arms are computed for all three. "
        "A select takes for each example the result of its own arm; the other one is thrown away."
    )
    taken = (True, False, True)
    body = "<text x='10' y='22'>the batch</text>" + _column(30, 34, "xxx", [GREY] * 3)
    body += arrow("M52 60L148 40") + arrow("M52 74L148 110")
    body += box(150, 22, 130, ["one arm, for all"], LIGHT) + box(150, 96, 130, ["the other, for all"], LIGHT)
    body += arrow("M280 37H328") + arrow("M280 111H328")
    body += _column(330, 10, "aaa", [YELLOW if t else "white" for t in taken], [not t for t in taken])
    body += _column(330, 84, "bbb", ["white" if t else YELLOW for t in taken], taken)
    body += arrow("M352 42L448 66") + arrow("M352 116L448 84") + box(450, 60, 90, ["select_n"], GREY)
    body += arrow("M540 75H588") + _column(590, 42, "aba", [YELLOW] * 3)
    body += "<text x='625' y='62'>each its own;</text><text x='625' y='80'>three of six</text>"
    show(f"{body}<text x='625' y='98'>are thrown away</text>", words, 785, 160)


def _column(x: int, y: int, letters: str, fills: Sequence[str], crossed: Sequence[bool] = ()) -> str:
    """Examples, one below the other; a cell that is crossed is thrown away."""
    cells = ""
    for i, (c, fill) in enumerate(zip(letters, fills, strict=True)):
        top = y + 22 * i
        cells += f"<rect x='{x}' y='{top}' width='22' height='22' fill='{fill}' stroke='#333'/>"
        cells += f"<text x='{x + 11}' y='{top + 16}' text-anchor='middle'>{c}</text>"
        if crossed and crossed[i]:
            cells += f"<path d='M{x} {top}l22 22' stroke='#333'/>"
    return cells


def rounds(needed: Sequence[int]) -> None:
    """The rounds of a while loop of a batch: those that each example needs, and those that are computed in vain."""
    last = max(needed)
    told = ", ".join(f"example {i} needs {n}" for i, n in enumerate(needed))
    words = (
        f"A while loop of a batch of {len(needed)} examples, a row for each: {told}. All are computed for {last} "
        f"rounds. Of the {last * len(needed)} cells, {sum(needed)} are needed, and the others are computed and masked."
    )
    body = "<text x='10' y='22'>round</text>"
    body += "".join(f"<text x='{146 + 36 * r}' y='22' text-anchor='middle'>{r + 1}</text>" for r in range(last))
    for i, n in enumerate(needed):
        y = 32 + 34 * i
        body += f"<text x='10' y='{y + 19}'>example {i}</text>"
        for r in range(last):
            x = 130 + 36 * r
            body += (
                f"<rect x='{x}' y='{y}' width='32' height='28' fill='{YELLOW if r < n else 'white'}' stroke='#333'/>"
            )
            if r >= n:
                body += f"<path d='M{x} {y}l32 28' stroke='#333'/>"
    right = 150 + 36 * last
    body += f"<rect x='{right}' y='40' width='24' height='20' fill='{YELLOW}' stroke='#333'/>"
    body += f"<text x='{right + 34}' y='55'>needed</text>"
    body += f"<rect x='{right}' y='74' width='24' height='20' fill='white' stroke='#333'/>"
    body += f"<path d='M{right} 74l24 20' stroke='#333'/><text x='{right + 34}' y='89'>computed and masked</text>"
    show(body, words, 785, 44 + 34 * len(needed))
