"""The text of any value: short, without addresses or files, and without an error even where its own repr raises."""

import re
import textwrap
from typing import Any

from .exercise import Raised

_LONGEST = 600  # characters of a value


def text_of(value: Any) -> str:
    """The text of a value: a string of several lines stands for itself, and everything else for its repr."""
    try:
        plain = isinstance(value, Raised) or (isinstance(value, str) and "\n" in value)
        text = str(value) if plain else repr(value)
    except Exception:
        text = f"a {type(value).__name__} whose repr raises"
    return re.sub(r" at 0x[0-9a-fA-F]+| at \S+\.py:\d+|\(id=\d+\)| with object id \d+", "", text)


def show(value: Any) -> str:
    """The text of a value; one of several lines begins on a line of its own."""
    text = text_of(value)
    return "\n" + textwrap.indent(cut(text), "    ") if "\n" in text else cut(text)


def indented(value: Any) -> str:
    """The text of a value as a block."""
    return textwrap.indent(cut(text_of(value)), "    ")


def cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
