"""The avalanche grid: one bit of what threefry scrambles is flipped, and round by round more bits of it differ."""

from typing import Any

import ipywidgets

from .avalanche_drawing import counted_rounds, draw, why_not
from .avalanche_running import BITS, COUNTER, KEY, ROUNDS, Avalanche, measured, what_is_missing
from .figure import Figure, Mover, counted, listed, page, said
from .kernel_view import toggles

SCROLL = ".minijax-page .scroll { overflow: auto hidden }"
HALF, ROWS = BITS // 2, 3
DIFFERS = "The rounds of `mix` and the function `block` give different words: one of the two is not threefry."


def avalanche(seed: int = 0, counter: int = 0) -> "AvalancheGrid":
    """What one flipped bit makes of the 64 bits of threefry, after 0 to 20 rounds.

    `seed` is that of the key and `counter` is what is scrambled, each a number of 64 bits. A learner chooses which bit
    of the two is flipped. The rounds are those of the package as it stands: `mix`, `ROTATIONS`, `PARITY`.

    Raises TypeError for what is no integer, ValueError for one that has not 64 bits.
    """
    return AvalancheGrid(*(number(name, n) for name, n in (("seed", seed), ("counter", counter))))


def number(name: str, n: Any) -> int:
    if not hasattr(n, "__index__"):
        raise TypeError(f"avalanche takes integers, and {name} is {n!r}")
    if not 0 <= int(n) < 1 << BITS:
        raise ValueError(f"{name} must be from 0 to 2**64 - 1, got {n}")
    return int(n)


class AvalancheGrid(Figure):
    """The bits after the chosen number of rounds, and which of them differ after each."""

    def __init__(self, seed: int, counter: int):
        self.missing = what_is_missing()
        self.found = None if self.missing else measured(seed, counter)

    def heading(self) -> str:
        if self.found is None:
            return f"The avalanche of threefry. A step is missing: {self.missing.rstrip('.')}"
        return f"The avalanche of threefry under the key of {self.found.key}: one bit is flipped, and others follow"

    def text(self) -> str:
        return "\n".join([f"{self.heading()}.", *self.details(COUNTER, 0)])

    def svg(self) -> str:
        if self.found is None:
            return why_not(self.heading())
        return draw(self.found, COUNTER, 0, ROUNDS, self.heading(), self.text())

    def live(self) -> ipywidgets.Widget:
        """Which number, which of its bits and how many rounds; below them the grid."""
        return Controls(self).box

    def page_at(self, of: str, bit: int, rounds: int) -> str:
        if self.found is None:
            return page(said(f"{self.heading()}."))
        svg = draw(self.found, of, bit, rounds, self.heading(), "\n".join(self.details(of, bit)))
        told = said(self.sentence(of, bit, rounds), ROWS)
        return page(f"{told}<div class='scroll' tabindex='0'>{svg}</div>", SCROLL)

    # ---- words

    def sentence(self, of: str, bit: int, rounds: int) -> str:
        """What is to be seen after so many rounds, and whether other bits would do the same."""
        assert self.found
        count, every = self.found.count(of, bit, rounds), self.found.counts(rounds)
        start = f"Bit {bit} of {of} is flipped. After {counted_rounds(rounds)} {differ(count)}."
        rest = f"Each of the {len(every)} bits that can be flipped makes {min(every)} to {max(every)} bits differ then"
        told = f"{start} {rest}, {sum(every) / len(every):.1f} on average."
        return told if self.found.agrees else f"{told} {DIFFERS}"

    def details(self, of: str, bit: int) -> list[str]:
        """The counts of all rounds, and the words of the last."""
        found = self.found
        if found is None:
            return []
        lines = [self.sentence(of, bit, ROUNDS)]
        lines += [
            f"After {counted_rounds(n)} {differ(found.count(of, bit, n))}: {places(found, of, bit, n)}."
            for n in range(3)
        ]
        lines += ["How many bits differ after 0 to 20 rounds: " + self.row(of, bit) + "."]
        return [*lines, f"The result is {hexadecimal(found.plain[-1])}, and {hexadecimal(found.flipped[of, bit][-1])}."]

    def row(self, of: str, bit: int) -> str:
        assert self.found
        return ", ".join(str(self.found.count(of, bit, n)) for n in range(ROUNDS + 1))


def differ(count: int) -> str:
    return f"{counted(count, 'bit')} of {BITS} differ{'s' * (count == 1)}"


def places(found: Avalanche, of: str, bit: int, rounds: int) -> str:
    changed = found.changed(of, bit, rounds)
    return listed([str(k) for k in range(BITS) if changed >> k & 1]) or "none"


def hexadecimal(state: int) -> str:
    return f"{state >> HALF:08x} {state & 0xFFFFFFFF:08x}"


class Controls:
    """The live view: what is flipped, how many rounds, and the grid that shows it."""

    def __init__(self, figure: AvalancheGrid):
        self.figure, self.picture = figure, ipywidgets.HTML()
        self.of: Any = toggles("Flip a bit of", [COUNTER, KEY], COUNTER)
        self.of.observe(lambda change: self.show(), names="value")
        self.bit = Mover("Bit", BITS, lambda place: self.show())
        self.rounds = Mover("Rounds", ROUNDS + 1, lambda place: self.show())
        self.box = ipywidgets.VBox([self.of, self.bit.box, self.rounds.box, self.picture])
        if figure.found is None:
            self.box.children = [self.picture]
        self.show()

    def show(self) -> None:
        self.picture.value = self.figure.page_at(self.of.value, self.bit.slider.value, self.rounds.slider.value)
