"""The matrix: the primitives of the package in one direction, the families of rules in the other."""

from difflib import get_close_matches
from typing import Any

import ipywidgets

from .figure import Figure, Mover, counted, listed, page, said
from .matrix_drawing import draw
from .rules import HOLE, REASON, RULE, Family, Rules, read_rules

SCROLL = ".minijax-page .scroll { overflow: auto hidden }"
ROWS, NEAREST = 3, 5  # lines that most answers fill; names that are offered for one that is no primitive
OTHER_NAMES = "A function of jnp may bind primitives of other names: make_jaxpr shows which."


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
        """Ways to choose a primitive and a family, a sentence about what is chosen, and the drawing with it marked."""
        names, families = ["", *self.rules.primitives()], {f.name: f for f in self.rules.families}
        picture = ipywidgets.HTML(self.page_at(None, None))

        def show(words: str | None = None) -> None:
            picture.value = self.page_at(names[mover.slider.value] or None, families.get(str(family.value)), words)

        def moved(*change: Any) -> None:
            typed.value = names[mover.slider.value]
            show()

        def wrote(change: dict[str, Any]) -> None:
            known = change["new"] in names
            if known:
                mover.go(names.index(change["new"]))
            show(None if known else self.unknown(change["new"]))

        mover = Mover("Primitive", len(names), moved)
        narrow = ipywidgets.Layout(max_width="100%")
        typed = ipywidgets.Combobox(options=names[1:], description="by name", placeholder="sin", layout=narrow)
        typed.observe(wrote, names="value")
        options = ["all", *families]
        family = ipywidgets.ToggleButtons(options=options, description="Rules", style={"button_width": "auto"})
        family.observe(moved, names="value")
        return ipywidgets.VBox([mover.box, typed, family, picture])

    def page_at(self, primitive: str | None, family: Family | None, words: str | None = None) -> str:
        """A sentence about what is chosen, or `words`; below it the drawing with what is chosen marked."""
        svg = draw(self.rules, primitive, family, self.heading(), self.heading())
        told = said(words or self.answer(primitive, family), ROWS)
        return page(f"{told}<div class='scroll' tabindex='-1'>{svg}</div>", SCROLL)

    # ---- words

    def heading(self) -> str:
        groups = counted(len(self.rules.groups), "group")
        return f"{counted(len(self.rules.primitives()), 'primitive')} in {groups}, and the rules that each one has"

    def answer(self, primitive: str | None, family: Family | None) -> str:
        """What is known of the chosen primitive in the chosen family, or in all that are there."""
        if primitive is None:
            return self.about(family) if family else f"{self.heading()}. Choose one to see where its rules live."
        group = next(name for name, members in self.rules.groups.items() if primitive in members)
        if family:
            told = f"{self.cell_words(primitive, family)} {family.cells[primitive].meaning if family.cells else ''}"
        else:
            told = " ".join(self.cell_words(primitive, f) for f in self.rules.families if f.cells)
        return f"{primitive}, of the group {group}. {told}".strip()

    def cell_words(self, primitive: str, family: Family) -> str:
        if family.cells is None:
            return f"{family.name}: chapter {family.chapter} brings it."
        return f"{family.name}: `{family.cells[primitive].words}`."

    def unknown(self, name: str) -> str:
        """What to say of a name that is no primitive: those that begin with it, have it in them, or look like it."""
        names = self.rules.primitives()
        inside = sorted((n for n in names if name.lower() in n), key=lambda n: (not n.startswith(name.lower()), len(n)))
        near = list(dict.fromkeys([*inside, *get_close_matches(name.lower(), names)]))[:NEAREST]
        verb = "name is" if len(near) == 1 else "names are"
        told = f"The nearest {verb} {listed(near)}." if near else "No name is near it."
        return f"No primitive is called {name}. {told} {OTHER_NAMES}"

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
