"""The matrix: the primitives of the package in one direction, the families of rules in the other."""

from typing import Any

import ipywidgets

from .figure import Figure, Mover, counted, listed, page, said
from .matrix_drawing import draw
from .rules import HOLE, REASON, RULE, Family, Rules, read_rules

SCROLL = ".minijax-page .scroll { overflow: auto }"


def matrix() -> "Matrix":
    """The matrix of the package as it stands at this moment, with what the learner has added to it."""
    return Matrix(read_rules())


class Matrix(Figure):
    """Each tile is one primitive in one family: a rule, a declared reason why there is none, or a hole."""

    def __init__(self, rules: Rules):
        self.rules = rules

    def text(self) -> str:
        """The counts, the families of rules, and the primitives of each group."""
        rows = [f"{f.name}: {self.count_words(f)}" for f in self.rules.families]
        groups = [f"{name}, {len(members)}: {', '.join(members)}" for name, members in self.rules.groups.items()]
        return "\n".join([f"{self.heading()}.", *rows, *groups, *self._exceptions()])

    def svg(self) -> str:
        return draw(self.rules, None, None, self.heading(), self.text())

    def live(self) -> ipywidgets.Widget:
        """Ways to choose a primitive and a family above the drawing; what is chosen is marked, and told below."""
        names, families = ["", *self.rules.primitives()], {f.name: f for f in self.rules.families}
        picture = ipywidgets.HTML(self.page_at(None, None))

        def show(*change: Any) -> None:
            typed.value = name = names[mover.slider.value]
            picture.value = self.page_at(name or None, families.get(str(family.value)))

        mover = Mover("Primitive", len(names), show)
        narrow = ipywidgets.Layout(max_width="100%")
        typed = ipywidgets.Combobox(options=names[1:], description="by name", placeholder="sin", layout=narrow)
        typed.observe(lambda change: change["new"] in names and mover.go(names.index(change["new"])), names="value")
        options = ["all", *families]
        family = ipywidgets.ToggleButtons(options=options, description="Rules", style={"button_width": "auto"})
        family.observe(show, names="value")
        return ipywidgets.VBox([mover.box, typed, family, picture])

    def page_at(self, primitive: str | None, family: Family | None) -> str:
        """The drawing with what is chosen marked, and a sentence about it."""
        svg = draw(self.rules, primitive, family, self.heading(), self.heading())
        return page(f"<div class='scroll' tabindex='-1'>{svg}</div>{self.answer(primitive, family)}", SCROLL)

    # ---- words

    def heading(self) -> str:
        groups = counted(len(self.rules.groups), "group")
        return f"{counted(len(self.rules.primitives()), 'primitive')} in {groups}, and the rules that each one has"

    def answer(self, primitive: str | None, family: Family | None) -> str:
        """What is known of the chosen primitive in the chosen family, or in all that are there."""
        if primitive is None:
            return said(self.about(family) if family else f"{self.heading()}. Choose one to see where its rules live.")
        group = next(name for name, members in self.rules.groups.items() if primitive in members)
        families = [family] if family else [f for f in self.rules.families if f.cells]
        return said(f"{primitive}, of the group {group}. {' '.join(self.cell_words(primitive, f) for f in families)}")

    def cell_words(self, primitive: str, family: Family) -> str:
        if family.cells is None:
            return f"{family.name}: chapter {family.chapter} brings it."
        return f"{family.name}: `{family.cells[primitive].words}`."

    def about(self, family: Family) -> str:
        meaning = f" says {family.meaning}" if family.meaning else ""
        return f"The family {family.name}{meaning}: {self.count_words(family)}."

    def count_words(self, family: Family) -> str:
        """153 rules, 2 declared reasons, 1 hole; or which chapter brings the family."""
        if family.cells is None:
            return f"chapter {family.chapter} brings it"
        parts = [(RULE, "rule"), (REASON, "declared reason"), (HOLE, "hole")]
        return listed([counted(family.count(s), noun) for s, noun in parts if family.count(s) or s == RULE])

    def _exceptions(self) -> list[str]:
        """The cells that hold no rule, a line each."""
        return [
            f"{family.name} of {name}: {cell.words}"
            for family in self.rules.families
            for name, cell in (family.cells or {}).items()
            if cell.state != RULE
        ]
