"""The cache inspector: the traces of a jitted function, in order, and why each one was made."""

from collections.abc import Sequence
from typing import Any

import ipywidgets
from IPython.core.getipython import get_ipython

from .cache_drawing import LOOK, paper, table
from .figure import Figure, Mover, counted, page, said
from .recording import first_line
from .traces import (
    Traces,
    called_words,
    captured_words,
    size_words,
    traces_of,
    verdict,
    verdict_words,
    why_words,
    wrapper_of,
)  # fmt: skip

KEY = (
    "What decides: the function itself, the tree of the arguments, the type of each array in it, the values of static "
    "arguments, and some flags. The values of arrays do not."
)
ROWS = 3  # lines that most sentences fill


def cache_inspector(fun: Any, *args: Any, **kwargs: Any) -> "CacheInspector":
    """The traces of a jitted function at this moment, and why each was made; with arguments, what that call would do.

    Nothing is traced or run. Raises TypeError where `fun` is not jitted, and what the call would raise where it refuses
    the arguments.
    """
    fun, bound = wrapper_of(fun)
    asked = verdict_words(verdict(fun, (*bound, *args), kwargs), not fun._misses()) if args or kwargs else ""
    return CacheInspector(fun, bound, asked)


class CacheInspector(Figure):
    """A table with a row for each trace. Its drawing and its text are of the moment when it was made."""

    def __init__(self, fun: Any, bound: Sequence[Any], asked: str):
        self.fun, self.bound, self.asked = fun, bound, asked
        self.found = traces_of(fun)

    def text(self) -> str:
        """A sentence for each trace."""
        rows = [self.about(self.found, k) for k in range(len(self.found.rows))]
        return "\n".join([f"{self.heading(self.found)}.", *rows, *self._notes()])

    def svg(self) -> str:
        return paper(self.found, self.heading(self.found), self._notes(), self.text())

    def live(self) -> ipywidgets.Widget:
        """A slider over the traces, a button that looks again, and a field for the arguments of a call."""
        return Controls(self).box

    def page_at(self, found: Traces, place: int, words: str = "") -> str:
        """The table with one trace chosen; place 0 chooses none."""
        sentence = words or self.sentence(found, place)
        notes = "".join(f"<p class='note'>{note}</p>" for note in (*found.advice, KEY))
        return page(said(sentence, ROWS) + table(found, place - 1 if place else None) + notes, LOOK)

    def ask(self, arguments: str) -> str:
        """What the call with these arguments, as they are typed, would do."""
        namespace = getattr(get_ipython(), "user_ns", {})
        try:
            args, kwargs = eval(f"(lambda *args, **kwargs: (args, kwargs))({arguments}\n)", namespace)
            return verdict_words(verdict(self.fun, (*self.bound, *args), kwargs), not self.fun._misses())
        except SyntaxError as error:
            return f"These arguments are refused. SyntaxError: {error.msg}"
        except Exception as error:  # whatever the learner's expression raises, or the call would
            return f"These arguments are refused. {type(error).__name__}: {first_line(error)}"

    # ---- words

    def heading(self, found: Traces) -> str:
        return f"The traces of {found.name}: {len(found.rows) or 'none'}"

    def sentence(self, found: Traces, place: int) -> str:
        if place:
            return self.about(found, place - 1)
        end = "Choose one to see its program." if found.rows else "It was not called yet."
        return f"{self.heading(found)}. {self.asked} {end}".replace("  ", " ")

    def about(self, found: Traces, k: int) -> str:
        """Trace 2 was made for x: f32[3]. x is f32[3], and was f32[2]. Captured: nothing. 3 equations."""
        row = found.rows[k]
        start = f"Trace {k + 1} was made for a call with {called_words(row.called)}. {why_words(row, k == 0)}"
        return f"{start} Captured: {captured_words(row)}. Its program has {size_words(row)}."

    def _notes(self) -> list[str]:
        return [*filter(None, [self.asked]), *self.found.advice, KEY]


class Controls:
    """The live view: a table of the traces as they are when it is asked for."""

    def __init__(self, figure: CacheInspector):
        self.figure, self.found, self.picture = figure, figure.found, ipywidgets.HTML()
        again = ipywidgets.Button(description="Look again", layout=ipywidgets.Layout(width="auto"))
        again.on_click(lambda button: self.look_again())
        typed = ipywidgets.Text(
            description="Arguments",
            placeholder="jnp.ones(4), k=2",
            continuous_update=False,
            layout=ipywidgets.Layout(max_width="calc(100% - 4px)", width="420px"),
        )
        typed.observe(lambda change: self.show(self.figure.ask(change["new"]) if change["new"] else ""), names="value")
        self.place = ipywidgets.VBox()
        self.box = ipywidgets.VBox([self.place, ipywidgets.Box([typed, again], layout=WRAPPED), self.picture])
        self.move_over(0)
        self.show()

    def move_over(self, place: int) -> None:
        """Let buttons and a slider go over the traces that are known, and begin at a place."""
        self.mover = Mover("Trace", len(self.found.rows) + 1, lambda place: self.show())
        self.mover.go(place)
        self.place.children = [self.mover.box]

    def look_again(self) -> None:
        """Read the table anew; where it has become longer, choose its last row."""
        before, self.found = len(self.found.rows), traces_of(self.figure.fun)
        now = len(self.found.rows)
        if now != before:
            self.move_over(now if now > before else 0)
        self.show(f"{counted(now - before, 'new trace')}." if now > before else "No new trace.")

    def show(self, words: str = "") -> None:
        self.picture.value = self.figure.page_at(self.found, self.mover.slider.value, words)


WRAPPED = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
