"""The course as a table: what there is to do, and how far one is."""

import html
from dataclasses import dataclass
from typing import NamedTuple

from .catalogue import EXERCISES, TITLES
from .exercise import Exercise
from .logbook import Entries, Entry


class Row(NamedTuple):
    id: str
    title: str
    stars: str
    time: str
    state: str
    hints: str


_HEADS = Row("", "exercise", "stars", "time", "state", "hints read")


@dataclass(frozen=True, repr=False)
class Table:
    """Shown as HTML in a notebook, and as text in a terminal. Without a chapter, all of them."""

    entries: Entries
    chapter: int | None = None

    def _chapters(self) -> list[int]:
        return [number for number in TITLES if self.chapter in (None, number)]

    def _rows(self, chapter: int) -> list[Row]:
        return [_row(e, self.entries.get(e.id, Entry())) for e in EXERCISES.values() if e.chapter == chapter]

    def _title(self, chapter: int) -> str:
        rows = self._rows(chapter)
        passed = sum(row.state == "passed" for row in rows)
        return f"Chapter {chapter}, {TITLES[chapter]}: {passed} of {len(rows)} passed"

    def __repr__(self) -> str:
        return "\n\n".join(map(self._text, self._chapters()))

    def _text(self, chapter: int) -> str:
        rows = [_HEADS, *self._rows(chapter)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join([self._title(chapter), "", *lines])

    def _repr_html_(self) -> str:
        return "\n".join(map(self._html, self._chapters()))

    def _html(self, chapter: int) -> str:
        heads = "".join(f'<th scope="col" style="text-align: left">{head}</th>' for head in _HEADS)
        rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in self._rows(chapter))
        caption = f'<caption style="text-align: left">{html.escape(self._title(chapter))}</caption>'
        return f"<table>\n{caption}\n<tr>{heads}</tr>\n{rows}\n</table>"


def _cell(text: str) -> str:
    text = html.escape(text)
    return f'<td style="text-align: left">{f"<b>{text}</b>" if text == "passed" else text}</td>'


def _row(exercise: Exercise, entry: Entry) -> Row:
    hints = f"{entry.hints} of {len(exercise.hints)}" if entry.hints else ""
    stars, time = "*" * exercise.stars, f"{exercise.minutes} min"
    return Row(exercise.id, exercise.title, stars, time, entry.state, hints)
