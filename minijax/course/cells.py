"""Layer cells: what their first line says, and what they type."""

import re
from collections.abc import Mapping

from .statements import Statement, lines_of, statements

_MAGIC = re.compile(r"%%layer (\S+) \(step (\d+\.\d+)\)(\n|$)")


def is_layer_cell(source: str) -> bool:
    return source.startswith("%%layer")


def about(source: str) -> tuple[str, str]:
    """The file and the step that a layer cell names in its first line.

    Raises ValueError where it has another form.

    >>> about("%%layer layer1_core/aval.py (step 1.1)\\nx = 1")
    ('layer1_core/aval.py', '1.1')
    """
    match = _MAGIC.match(source)
    if match is None:
        raise ValueError(f"not like %%layer layer1_core/aval.py (step 1.1): {source.partition(chr(10))[0]}")
    return match[1], match[2]


def typed(source: str) -> tuple[Statement, ...]:
    """The statements of a layer cell, with their lines in the cell."""
    return statements("\n" + source.partition("\n")[2])


def woven(source: str, theirs: Mapping[str, Statement]) -> str:
    """The source of a layer cell with these texts of its statements, by key; a statement that is not there stays."""
    lines = lines_of(source)
    for s in reversed(typed(source)):
        lines[s.first - 1 : s.last] = lines_of(theirs.get(s.key, s).text)
    return "\n".join(lines)
