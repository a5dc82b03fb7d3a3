"""What the course's pictures have in common: three forms of one thing, live controls, and shapes of SVG text.

The colours are those of Okabe and Ito, which differ for colour-blind people too and in lightness. Every picture has its
own white ground with dark text, so that it looks the same under a light and a dark theme and on paper.
"""

import html
import importlib
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets
from IPython.core.getipython import get_ipython

from ..figures import in_lines

BLUE, SKY, YELLOW, ORANGE, RED, GREY = "#0072b2", "#d6ecf8", "#f7ef9a", "#e69f00", "#b34700", "#eeeeee"
DEEP = "#00568a"  # the blue of text
INK, FAINT, LINE = "#1a1a1a", "#5a5a5a", "#8a8a8a"  # text, less important text, borders
FONT, SIZE = "Arial, Helvetica, sans-serif", 14
MONO = "Menlo, 'DejaVu Sans Mono', Consolas, monospace"
DIM = f"color-mix(in srgb, var(--jp-ui-font-color1, {INK}) 70%, transparent)"  # follows JupyterLab's theme
PACKAGE = __name__.split(".")[0]


def package_module(name: str) -> Any:
    """A module of the package as it stands at this moment: nothing of it is kept, because %chapter replaces it."""
    return importlib.import_module(f"{PACKAGE}.{name}")


class Figure:
    """A picture that says the same in three forms: `live()` for a notebook, `svg()` for paper, `text()` for anyone."""

    _view: Any = None  # the live view, made when it is first shown

    def text(self) -> str:
        raise NotImplementedError

    def svg(self) -> str:
        raise NotImplementedError

    def live(self) -> ipywidgets.Widget:
        raise NotImplementedError

    def __repr__(self) -> str:
        """The text with its long lines broken between words."""
        return in_lines(self.text())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Text and drawing; and where a kernel is there to answer, the live view, the same one for each display."""
        bundle: dict[str, Any] = {"text/plain": repr(self), "image/svg+xml": self.svg()}
        if getattr(get_ipython(), "kernel", None) is None:
            return bundle
        self._view = self._view or self.live()
        return self._view._repr_mimebundle_() | bundle


class Recorded(Figure):
    """A picture of a recording. The module `words` tells it: `heading(found)`, and `whole(found)` line by line."""

    words: Any

    def __init__(self, found: Any):
        self.found = found

    def heading(self) -> str:
        return self.words.heading(self.found)

    def text(self) -> str:
        return "\n".join([f"{self.heading()}.", *self.words.whole(self.found)])


# ---- controls


class Mover:
    """Buttons and a slider for one of `count` places. `changed(place)` is called when it is another one.

    Not a list to choose from: JupyterLab takes the keys of a closed one for its own commands, among them "delete cell".
    """

    def __init__(self, name: str, count: int, changed: Callable[[int], None]):
        self.slider = ipywidgets.IntSlider(min=0, max=count - 1, description=name)
        self.buttons = [
            self._button("First", lambda now: 0),
            self._button("Previous", lambda now: now - 1),
            self._button("Next", lambda now: now + 1),
            self._button("Last", lambda now: count - 1),
        ]
        self.slider.observe(lambda change: (self._reach(), changed(change["new"])), names="value")
        self._reach()
        row = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
        self.box = ipywidgets.Box([*self.buttons, self.slider], layout=row)

    def _button(self, name: str, target: Callable[[int], int]) -> ipywidgets.Button:
        button = ipywidgets.Button(description=name, layout=ipywidgets.Layout(width="auto"))
        button.style.font_size = f"{SIZE}px"
        button.on_click(lambda _: self.go(target(self.slider.value)))
        return button

    def go(self, place: int) -> None:
        """Choose a place; one beyond an end is that end."""
        self.slider.value = max(0, min(place, self.slider.max))

    def _reach(self) -> None:
        """Dim the buttons that lead nowhere. They stay buttons: a disabled one would lose the keyboard's focus."""
        at_start, at_end = self.slider.value == 0, self.slider.value == self.slider.max
        for button, dim in zip(self.buttons, (at_start, at_start, at_end, at_end), strict=True):
            button.style.text_color = DIM if dim else None


def page(body: str, style: str = "") -> str:
    """HTML on the picture's own white ground."""
    room = ".widget-html-content:has(> .minijax-page) { min-width: 0 }"  # else it is as wide as the widest line in it
    look = (
        f"color-scheme:light;background:#fff;color:{INK};font:{SIZE + 1}px/1.45 {FONT};padding:10px 12px;"
        f"border:1px solid {LINE};border-radius:6px;max-width:100%;box-sizing:border-box"
    )
    return f"<style>{room}{style}</style><div class='minijax-page' style='{look}'>{body}</div>"


def said(words: str, rows: int = 1) -> str:
    """A sentence that screen readers speak when it changes. What stands between `...` is code.

    With `rows` it takes the room of so many lines, so that a drawing below it stays where it is.
    """
    look = f"margin:0 0 8px;min-height:{1.45 * rows:.2f}em;overflow-wrap:anywhere"
    return f"<p class='minijax-said' role='status' aria-live='polite' style='{look}'>{with_code(words)}</p>"


def with_code(words: str) -> str:
    """HTML in which what stands between `...` is code."""
    parts = html.escape(words).split("`")
    start = f"<code style='font:{SIZE}px {html.escape(MONO)}'>"
    return "".join(f"{start}{part}</code>" if i % 2 else part for i, part in enumerate(parts))


# ---- SVG as text


def width_of(text: str, mono: bool = False) -> float:
    """About how wide `text` is at SIZE: an upper bound in the usual fonts."""
    return len(text) * SIZE * (0.61 if mono else 0.56)


def text_at(x: float, y: float, text: str, more: str = "") -> str:
    return f"<text x='{x:g}' y='{y:g}' {more}>{html.escape(text)}</text>"


def code_at(x: float, y: float, text: str, more: str = "") -> str:
    """Text in a fixed width, blanks kept."""
    return text_at(x, y, text, f"class='mono' xml:space='preserve' {more}")


def rect(x: float, y: float, width: float, height: float, more: str = "") -> str:
    return f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' {more}/>"


def drawing(body: str, width: float, height: float, title: str, words: str) -> str:
    """An SVG of this size in pixels. `title` names it; `words` say everything that is in it."""
    title, words = html.escape(title), html.escape(words)
    style = f".mono{{font-family:{MONO};white-space:pre}}"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' width='{width:.0f}' "
        f"height='{height:.0f}' role='img' aria-label='{title}' font-family='{FONT}' font-size='{SIZE}' fill='{INK}'>"
        f"<title>{title}</title><desc>{words}</desc><style>{style}</style>"
        f"<rect width='100%' height='100%' fill='#ffffff'/>{body}</svg>"
    )


# ---- words


def counted(n: int, noun: str, plural: str = "") -> str:
    """1 part; 2 parts; 2 axes, where the plural is given"""
    return f"{n} {noun if n == 1 else plural or f'{noun}s'}"


def listed(parts: Sequence[str]) -> str:
    """a; a and b; a, b and c"""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
