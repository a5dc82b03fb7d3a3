"""The figures of chapter 4, made as those in figures.py."""

import numpy as np

from .figures import BLUE, GREY, LIGHT, YELLOW, arrow, box, show

DASHED = f"stroke='{BLUE}' stroke-dasharray='5 3'"


def differences() -> None:
    """The error of the slope of x * x * x at 2, found by a difference in float32, against the step; both axes in powers
    of ten.
    """
    words = (
        "The error of the slope by a difference, against the step h, for h from 1 down to 1e-8; both axes in powers of "
        "ten. From 1 to about 1e-3 the error falls with h, a tenth for a tenth. Then it rises again, in a jagged line: "
        "the smaller h is, the more digits are lost. It is never below one thousandth, and from 1e-7 on it is as large "
        "as the slope itself."
    )
    body = "<path d='M80 20V160H730' fill='none' stroke='#333'/>"
    for k in range(0, 9, 2):
        x = 730 - 80 * k
        body += f"<path d='M{x} 160v5' stroke='#333'/><text x='{x}' y='181' text-anchor='middle'>{_power(k)}</text>"
    for k in range(4):
        y = 60 + 30 * k
        body += f"<path d='M80 {y}h-5' stroke='#333'/><text x='70' y='{y + 5}' text-anchor='end'>{_power(k)}</text>"
    points = [f"{730 + 80 * np.log10(h):.1f} {60 - 30 * np.log10(error):.1f}" for h, error in _errors()]
    body += f"<path d='M{'L'.join(points)}' fill='none' stroke='{BLUE}' stroke-width='2'/>"
    body += "<text x='610' y='105'>the curve bends</text><text x='610' y='122'>between x and x + h</text>"
    body += "<text x='120' y='122'>digits are lost in f(x + h) - f(x)</text>"
    body += (
        "<text x='405' y='202' text-anchor='middle'>the step h</text><text x='88' y='18'>the error of the slope</text>"
    )
    show(body, words, 780, 210)


def _power(k: int) -> str:
    """10 to the power -k, as it is read best."""
    return f"1e-{k}" if k else "1"


def _errors() -> list[tuple[float, float]]:
    """Steps, and for each the worst error of the quotients for some near it: IEEE arithmetic alone, so the same on all
    machines.
    """
    x, found = np.float32(2.0), []
    for k in range(65):
        steps = [np.float32(2.0 ** (-(k + j / 16) / 2.4)) for j in range(16)]
        slopes = [((x + h) * (x + h) * (x + h) - x * x * x) / h for h in steps]
        found.append((float(steps[0]), max(abs(float(slope) - 12.0) for slope in slopes)))
    return found


def derivatives() -> None:
    """From a function to its tangents, to a linear program, and to that backwards."""
    words = (
        "A function f. Forward mode (section 2) gives from x and a tangent t the value and the tangent of the result, "
        "J t. Linearize (section 4) divides this: the values are computed from x, and a linear program from t to J t "
        "is left, which has residuals. Transposed (section 5), it goes from a cotangent ct to J transposed times ct. "
        "For a function to one number and ct = 1 this is the gradient."
    )
    body = box(5, 62, 70, ["f"], GREY) + arrow("M75 77H113")
    body += box(115, 54, 165, ["jvp (section 2)", "x, t  to  f(x), J t"], YELLOW)
    body += arrow("M280 70L333 40") + arrow("M280 84L333 115")
    body += box(335, 12, 160, ["the values (4)", "x  to  f(x)"], LIGHT)
    body += box(335, 94, 160, ["a linear program (4)", "t  to  J t"], LIGHT)
    body += arrow("M415 57V92", DASHED) + f"<text x='425' y='80' fill='{BLUE}'>residuals</text>"
    body += arrow("M495 117H553") + box(555, 94, 160, ["backwards (5)", "ct  to  J^T ct"], YELLOW)
    body += arrow("M495 35C560 35 600 60 625 92", DASHED) + f"<text x='575' y='38' fill='{BLUE}'>residuals</text>"
    show(f"{body}<text x='635' y='165' text-anchor='middle'>ct = 1: the gradient</text>", words, 730, 176)


def backwards() -> None:
    """A linear program as a picture, and its transpose: the same boxes, with all arrows turned round."""
    words = (
        "On the left a linear program. The tangent t is used twice: it goes to a product with b, and to a product with "
        "a and then one with 2. Where the two ways meet, they are added; that is the result. On the right its "
        "transpose: the same boxes, with all arrows turned round. The cotangent ct is used twice, where there was a "
        "sum. It goes through the products in the opposite order. Where t was used twice, the two ways are added."
    )
    body = "<text x='10' y='22' font-weight='bold'>forward: t to J t</text>"
    body += "<text x='425' y='22' font-weight='bold'>transposed: ct to J^T ct</text>"
    for x, turned in ((10, False), (425, True)):
        first, last = ("add", "") if turned else ("", "add")
        body += box(x, 77, 50, [first or "t"], YELLOW if first else GREY)
        body += box(x + 130, 40, 70, ["times b"], LIGHT)
        body += box(x + 95, 115, 70, ["times a"], LIGHT) + box(x + 190, 115, 70, ["times 2"], LIGHT)
        body += box(x + 300, 77, 50, [last or "ct"], YELLOW if last else GREY)
        ways = [(50, 86, 128, 57), (50, 98, 93, 128), (200, 57, 298, 86), (165, 130, 188, 130), (260, 130, 298, 98)]
        for a, b, c, d in ways:
            start, stop = (f"{x + a} {b}", f"{x + c} {d}")
            body += arrow(f"M{stop}L{start}") if turned else arrow(f"M{start}L{stop}")
    show(body, words, 785, 160)


def price() -> None:
    """The values in order, the cotangents in the opposite order, and what the second half reads of the first."""
    words = (
        "Above, from left to right: the input x and five values, each computed from the one before, the last of which "
        "is the result. Below, from right to left: the cotangent 1 of the result, and one equation backwards for each "
        "forward. Each of them reads a residual of the equation above it. At the turn all residuals are kept."
    )
    body = "<text x='10' y='22'>forward: the values</text>"
    for k in range(6):
        x = 20 + 118 * k
        body += box(x, 34, 60, ["x" if k == 0 else f"f{k}"], GREY if k == 0 else LIGHT)
        body += box(x, 120, 60, ["1" if k == 5 else "ct"], GREY if k == 5 else YELLOW)
        if k < 5:
            body += arrow(f"M{x + 60} 49H{x + 116}") + arrow(f"M{x + 118} 135H{x + 62}")
            body += arrow(f"M{x + 86} 51V132", DASHED)
    body += f"<text x='112' y='92' fill='{BLUE}'>residuals</text>"
    body += arrow("M670 49C720 55 720 130 672 135") + "<text x='713' y='97'>the turn</text>"
    show(f"{body}<text x='10' y='172'>backwards: the cotangents, from the last to the first</text>", words, 785, 182)
