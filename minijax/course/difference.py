"""The first place where two values differ, in words, where one does not see it at once."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from .exercise import Raised
from .judge import is_array, same
from .show import show, text_of

_SEEN_AT_ONCE = 40  # characters of two values that one compares without help
_WINDOW = 80  # characters of a line that are shown


def difference(expected: Any, got: Any) -> str:
    """A sentence or a few lines about the first difference; "" where the values are short or it says nothing new."""
    if same(got, expected):
        return ""
    try:
        return "\n".join(_lines(expected, got))
    except Exception:  # values of the learner's own classes may raise whatever is asked of them
        return ""


def _lines(expected: Any, got: Any) -> Iterator[str]:
    if isinstance(expected, Raised) and isinstance(got, Raised):
        if expected.message and got.message and expected.kind == got.kind:
            yield from _of_texts(expected.message, got.message)
    elif isinstance(expected, str) and isinstance(got, str):
        yield from _of_texts(expected, got)
    elif not isinstance(got, Raised) and not isinstance(expected, Raised) and got is not None:
        yield from _of_values(expected, got)


def _of_values(expected: Any, got: Any) -> Iterator[str]:
    path, inner, theirs = first_difference(expected, got, "")
    at = f" at {path}" if path else ""
    if type(inner) is not type(theirs):
        yield f"The type {type(inner).__name__} is expected{at}, and this is {type(theirs).__name__}."
    elif not path:
        yield from _of_wholes(expected, got)
    elif isinstance(inner, str) and (lines := list(_of_texts(inner, theirs))):
        yield f"They differ first{at}. {lines[0]}"
        yield from lines[1:]
    elif max(len(text_of(expected)), len(text_of(got))) > _SEEN_AT_ONCE:
        yield f"They differ first{at}: {show(inner)} is expected, and this is {show(theirs)}."


def first_difference(expected: Any, got: Any, path: str) -> tuple[str, Any, Any]:
    """The path to the first part that differs, and the part of each: ('[0].b', 1, 2); '' for the values themselves."""
    for step, one, other in _parts(expected, got):
        if not same(other, one):
            return first_difference(one, other, path + step)
    return path, expected, got


def _parts(expected: Any, got: Any) -> Iterator[tuple[str, Any, Any]]:
    """The parts of two values of the same form: how to get at one, and the part of each."""
    if type(expected) is not type(got):
        return
    if isinstance(expected, list | tuple):
        yield from ((f"[{i}]", *pair) for i, pair in enumerate(zip(expected, got, strict=False)))
    elif isinstance(expected, dict):
        yield from ((f"[{key!r}]", expected[key], got[key]) for key in expected if key in got)
    elif is_array(expected) and expected.shape == got.shape and expected.dtype == got.dtype:
        one, other = np.asarray(expected), np.asarray(got)
        yield from ((f"[{', '.join(map(str, i))}]", one[i].item(), other[i].item()) for i in np.ndindex(one.shape) if i)


def _of_wholes(expected: Any, got: Any) -> Iterator[str]:
    """What two values of one type have or lack as wholes: lengths, keys, shapes, dtypes."""
    if is_array(expected):
        kinds = [f"{x.dtype}{list(x.shape)}" for x in (expected, got)]
        yield f"{kinds[0]} is expected, and this is {kinds[1]}."
    elif isinstance(expected, dict):
        missing, more = [k for k in expected if k not in got], [k for k in got if k not in expected]
        yield f"Missing keys: {show(missing)}. Keys too many: {show(more)}."
    elif isinstance(expected, list | tuple) and len(expected) != len(got):
        yield f"The length {len(expected)} is expected, and this has the length {len(got)}."


def _of_texts(expected: str, got: str) -> Iterator[str]:
    """The first lines that differ, one above the other, with a caret under the first character that does."""
    if max(len(expected), len(got)) <= _SEEN_AT_ONCE and "\n" not in expected + got:
        return
    ours, theirs = expected.splitlines(), got.splitlines()
    number = _common(ours, theirs)
    pair = [lines[number] if number < len(lines) else "" for lines in (ours, theirs)]
    column = _common(*pair)
    start = max(0, column - _WINDOW // 2)
    yield "The texts differ first here" + (f", in line {number + 1}:" if len(ours) > 1 else ":")
    yield ""
    yield f"    expected: {pair[0][start : start + _WINDOW]}"
    yield f"    got:      {pair[1][start : start + _WINDOW]}"
    yield f"              {' ' * (column - start)}^"


def _common(one: Any, other: Any) -> int:
    """How many items two sequences have in common at their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
