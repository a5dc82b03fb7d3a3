"""The figures of chapter 6, made as those in figures.py."""

import math
from statistics import NormalDist

from .figures import BLUE, GREY, LIGHT, YELLOW, arrow, box, show


def chain_and_row() -> None:
    """A generator that keeps a state; and a function of a key and a place."""
    words = (
        "A generator that keeps a state is a chain. Each draw needs the state that the draw before it has left, so the "
        "fourth number cannot be had before the first three. A function of a key and a place is a row. Each number is "
        "computed from the key and from its own place, 0, 1, 2 or 3, and from no other number."
    )
    body = "<text x='10' y='22' font-weight='bold'>a state: each needs the one before</text>"
    for k in range(4):
        x = 10 + 225 * k
        body += box(x, 38, 90, [f"state {k}"], GREY) + arrow(f"M{x + 45} 67V98")
        body += box(x, 100, 90, [f"number {k}"], YELLOW)
        body += arrow(f"M{x + 90} 52H{x + 223}") if k < 3 else ""
    body += "<text x='10' y='172' font-weight='bold'>a function: each needs the key, and its place</text>"
    body += box(347, 186, 90, ["the key"], LIGHT)
    for k in range(4):
        x = 10 + 225 * k
        body += arrow(f"M392 215L{x + 52} 248", f"stroke='{BLUE}'")
        body += box(x, 250, 90, [f"f(key, {k})"], YELLOW)
    show(body, words, 785, 290)


def one_round(turn: int) -> None:
    """A round of threefry as what flows through it."""
    words = (
        f"One round of threefry. Two words come in, x0 and x1. The first goes out as the sum of both. The second is "
        f"turned to the left by {turn} bits, and then xored with that sum."
    )
    body = "<text x='10' y='46'>x0</text><text x='10' y='136'>x1</text>"
    body += arrow("M32 41H206") + _operation(222, 41, "+")
    body += "<path d='M32 131H110' stroke='#333' fill='none'/>" + arrow("M110 131L213 56")
    body += f"<circle cx='110' cy='131' r='3' fill='#333'/>{arrow('M110 131H278')}"
    body += box(280, 116, 150, [f"turn left by {turn}"], YELLOW) + arrow("M430 131H526")
    body += "<path d='M238 41H542' stroke='#333' fill='none'/><circle cx='542' cy='41' r='3' fill='#333'/>"
    body += arrow("M542 41V113") + _operation(542, 131, "xor") + arrow("M542 41H678") + arrow("M560 131H678")
    body += "<text x='684' y='46'>x0 + x1</text><text x='684' y='136'>x1 turned, xor that</text>"
    show(body, words, 830, 160)


def _operation(x: int, y: int, name: str) -> str:
    radius = 16 if len(name) == 1 else 18
    circle = f"<circle cx='{x}' cy='{y}' r='{radius}' fill='{LIGHT}' stroke='#333'/>"
    return f"{circle}<text x='{x}' y='{y + 5}' text-anchor='middle'>{name}</text>"


def layout() -> None:
    """Six numbers in a shape: each element's place is its counter, and parts of the whole are drawn by themselves."""
    words = (
        "A draw of shape 2 by 3. Its elements are counted 0 to 5, row by row, and each is threefry of the key and of "
        "its own counter. So the second row alone, computed on another device, is threefry of the same key and of the "
        "counters 3, 4 and 5. Nothing is sent from one device to the other."
    )
    body = "<text x='10' y='22' font-weight='bold'>bits(key, (2, 3))</text>"
    for row, (y, fill) in enumerate(((36, LIGHT), (76, YELLOW))):
        for col in range(3):
            body += _cell(10 + 70 * col, y, 70, str(3 * row + col), fill)
    body += "<text x='10' y='138'>the counter of each element:</text><text x='10' y='156'>its place, row by row</text>"
    for y, first, fill, who in ((18, 0, LIGHT, "device 0"), (98, 3, YELLOW, "device 1")):
        body += arrow(f"M224 {56 if first == 0 else 96}L288 {y + 28}")
        body += f"<text x='292' y='{y + 34}'>{who}</text>"
        for col in range(3):
            x = 370 + 145 * col
            body += box(x, y + 14, 135, [f"f(key, {first + col})"], fill)
    body += "<text x='370' y='84' fill='#333'>the same key, other counters, no messages</text>"
    show(body, words, 815, 168)


def _cell(x: int, y: int, width: int, text: str, fill: str) -> str:
    return (
        f"<rect x='{x}' y='{y}' width='{width}' height='40' fill='{fill}' stroke='#333'/>"
        f"<text x='{x + width / 2:g}' y='{y + 25}' text-anchor='middle'>{text}</text>"
    )


def to_float(word: int) -> None:
    """How the upper 23 bits of a word become a uniform number."""
    mantissa = word >> 9
    number = 1 + mantissa / 2**23
    words = (
        f"From bits to a float, for the word {word}. Its upper 23 bits are put in the place of the mantissa of a float "
        f"whose sign and exponent are those of 1.0. That is a number between 1 and 2, here {number:.6f}. 1 is "
        f"subtracted, and what is left is {number - 1:.6f}. The lower 9 bits of the word are not used."
    )
    x, wide = 130, 20
    body = "<text x='10' y='44'>32 random bits</text>"
    body += _bits(x, 26, f"{word:032b}", [LIGHT] * 23 + ["white"] * 9)
    body += f"<text x='{x + 27.5 * wide:g}' y='72' text-anchor='middle'>not used</text>"
    body += arrow(f"M{x + 11.5 * wide:g} 52L{x + 20.5 * wide:g} 92")
    body += "<text x='10' y='114'>a float32</text>"
    body += _bits(x, 96, f"0{127:08b}{mantissa:023b}", [GREY] + [YELLOW] * 8 + [LIGHT] * 23)
    body += f"<text x='{x + 4.5 * wide:g}' y='142' text-anchor='middle'>sign, exponent of 1.0</text>"
    body += f"<text x='{x + 20.5 * wide:g}' y='142' text-anchor='middle'>mantissa: the steps between 1 and 2</text>"
    body += f"<text x='10' y='180'>read as a number</text><text x='{x + 20}' y='180'>{number:.6f}</text>"
    body += f"<text x='{x + 140}' y='180'>minus 1:</text><text x='{x + 220}' y='180'>{number - 1:.6f}</text>"
    show(body, words, 785, 194)


def _bits(x: int, y: int, bits: str, fills: list[str]) -> str:
    return "".join(
        f"<rect x='{x + 20 * i}' y='{y}' width='20' height='26' fill='{fill}' stroke='#333'/>"
        f"<text x='{x + 20 * i + 10}' y='{y + 18}' text-anchor='middle' font-size='13'>{bit}</text>"
        for i, (bit, fill) in enumerate(zip(bits, fills, strict=True))
    )


def tree() -> None:
    """Keys from keys: each is split or drawn from, once."""
    words = (
        "A tree of keys. The seed 0 gives the root key. It is split into three: one for the weights, one for the order "
        "of the data, one for the steps. The first two are drawn from. The third gives a key for each step, by fold_in "
        "of its number, and each of these is split into one for dropout and one for noise. Each key has one use."
    )
    body = box(10, 98, 70, ["seed 0"], GREY) + arrow("M80 112H128") + box(130, 98, 60, ["key"], LIGHT)
    for y, name in ((8, "weights"), (68, "order"), (158, "steps")):
        body += arrow(f"M190 112L268 {y + 15}") + box(270, y, 90, [name], LIGHT)
    body += "<text x='196' y='60'>split</text>"
    body += arrow("M360 22H428") + box(430, 8, 150, ["normal(weights)"], YELLOW)
    body += arrow("M360 82H428") + box(430, 68, 150, ["permutation(order)"], YELLOW)
    for k, y in enumerate((128, 188)):
        body += arrow(f"M360 172L428 {y + 15}") + box(430, y, 80, [f"step {k}"], LIGHT)
        for j, name in enumerate(("dropout", "noise")):
            body += arrow(f"M510 {y + 15}L588 {y + 2 + 28 * j}")
            body += f"<text x='594' y='{y + 7 + 28 * j}'>{name}</text>"
    body += "<text x='366' y='148'>fold_in</text><text x='520' y='122'>split</text>"
    body += "<text x='463' y='238' text-anchor='middle'>...</text>"
    show(body, words, 785, 248)


def inverse() -> None:
    """Even steps of probability become uneven steps of a normal number, by the inverse of its distribution function."""
    words = (
        "The distribution function of normal numbers: from a number x to the probability of being below x, a curve "
        "from 0 to 1. Read backwards it takes a uniform number to a normal one. Eleven uniform numbers in even steps, "
        "from 0.045 to 0.955, come to lie close together around 0, where the curve is steep, and far apart at the ends."
    )
    left, wide, top, high = 60, 680, 20, 180
    at = lambda x: left + wide * (x + 3) / 6
    up = lambda p: top + high * (1 - p)
    curve = [(at(x / 20), up(0.5 + 0.5 * math.erf(x / 20 / math.sqrt(2)))) for x in range(-60, 61)]
    body = f"<path d='M{left} {top}V{top + high}H{left + wide}' fill='none' stroke='#333'/>"
    for k in range(11):
        p = (k + 0.5) / 11
        x, y = at(NormalDist().inv_cdf(p)), up(p)
        body += f"<path d='M{left} {y:.1f}H{x:.1f}V{top + high}' fill='none' stroke='{BLUE}' stroke-dasharray='4 3'/>"
        body += f"<circle cx='{left}' cy='{y:.1f}' r='4' fill='{YELLOW}' stroke='#333'/>"
        body += f"<circle cx='{x:.1f}' cy='{top + high}' r='4' fill='{YELLOW}' stroke='#333'/>"
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in curve)
    body += f"<path d='{path}' fill='none' stroke='#333' stroke-width='2'/>"
    body += f"<text x='{left - 12}' y='{top + 6}' text-anchor='end'>1</text>"
    body += f"<text x='{left - 12}' y='{top + high + 4}' text-anchor='end'>0</text>"
    body += "".join(
        f"<text x='{at(x):.0f}' y='{top + high + 22}' text-anchor='middle'>{x}</text>" for x in range(-3, 4)
    )
    body += f"<text x='{left + 12}' y='{top + 6}'>uniform</text>"
    body += f"<text x='{left + wide - 4}' y='{top + high - 10}' text-anchor='end'>normal</text>"
    show(body, words, 785, top + high + 32)


def race() -> None:
    """A choice as a race: the waiting time of each thing is divided by its probability, and the first bell decides."""
    things = {"A": (0.1, 0.5), "B": (0.3, 2.1), "C": (0.6, 1.2)}
    times = {name: wait / p for name, (p, wait) in things.items()}
    first = min(times, key=lambda name: times[name])
    told = ", ".join(
        f"{n} waits {w:g}, and its bell rings at {w:g} / {p:g} = {w / p:g}" for n, (p, w) in things.items()
    )
    words = (
        f"A race between three things, whose probabilities are 0.1, 0.3 and 0.6. Each draws a waiting time: {told}. "
        f"The first bell is that of {first}, so {first} is chosen."
    )
    body = "<text x='10' y='22' font-weight='bold'>p</text><text x='70' y='22' font-weight='bold'>waiting time e</text>"
    body += "<text x='220' y='22' font-weight='bold'>the bell rings at e / p</text>"
    for k, (name, (p, wait)) in enumerate(things.items()):
        y = 36 + 38 * k
        fill = YELLOW if name == first else LIGHT
        body += f"<text x='10' y='{y + 19}'>{name}: {p:g}</text><text x='70' y='{y + 19}'>{wait:g}</text>"
        body += f"<rect x='220' y='{y}' width='{62 * times[name]:g}' height='28' fill='{fill}' stroke='#333'/>"
        said = f"{times[name]:g}" + (": the first" if name == first else "")
        body += f"<text x='{228 + 62 * times[name]:g}' y='{y + 19}'>{said}</text>"
    show(body, words, 785, 156)
