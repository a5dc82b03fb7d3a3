"""What a chapter is made of: the folder of its layer, its sections of the faces, and the numbered steps that type it.

A *face* is a module with one of JAX's names, `minijax/numpy/__init__.py`: it stands on the layers, and offers their
names under headings of the form `# ---- chapter 4: gradients`. A *step* is one layer cell of the chapter's notebook;
the table "Core definitions" in the README.md of the layer lists them.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from .statements import Statement, statements

PACKAGE = Path(__file__).parent.parent
ROOT = PACKAGE.parent
NAME = PACKAGE.name
TOOLS = f"{NAME}.{Path(__file__).parent.name}"  # what is in here, which is apart from the chapters
_HEADING = re.compile(r"^# ---- chapter (\d+)", re.MULTILINE)
_ROW = re.compile(r"^\| ([\d.]+) \| `([^`]+)` \| (.*?) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A layer cell: what it is called, the file that it is a part of, and the core definitions that it types."""

    id: str  # '1.4'
    file: str  # 'layer1_core/dtypes.py'
    keys: tuple[str, ...]  # of statements: ('_EDGES',)

    def __str__(self) -> str:
        return f"step {self.id} ({self.file}: {', '.join(self.keys)})"


@cache
def layers() -> dict[int, str]:
    """The folders of the layers that there are: {1: 'layer1_core', ...}."""
    found = {int(m[1]): path.name for path in PACKAGE.iterdir() if (m := re.match(r"layer(\d+)_", path.name))}
    return dict(sorted(found.items()))


def is_within(module: str, package: str) -> bool:
    """Whether a dotted name is that of a package or of a module in it."""
    return module == package or module.startswith(f"{package}.")


@cache
def taught() -> tuple[int, ...]:
    """The chapters whose notebooks are there. A layer may be in the package before its chapter is written."""
    return tuple(k for k in layers() if list((ROOT / "notebooks").glob(f"{k:02}*.ipynb")))


Typed = dict[tuple[str, str], Statement]  # (file, key) -> the statement that was typed


@cache
def steps(chapter: int) -> tuple[Step, ...]:
    """The steps of a chapter, in the order in which its notebook types them."""
    folder = layers()[chapter]
    _, _, table = (PACKAGE / folder / "README.md").read_text().partition("## Core definitions")
    return tuple(
        Step(id, f"{folder}/{file}", tuple(re.findall("`([^`]+)`", keys))) for id, file, keys in _ROW.findall(table)
    )


@cache
def texts(step: Step) -> Typed:
    """What a step types, as it stands in the package."""
    found = {s.key: s for s in statements((PACKAGE / step.file).read_text())}
    return {(step.file, key): found[key] for key in step.keys}


def layer_of(path: Path) -> int | None:
    """The number of the layer that a file of the package belongs to; None for a face."""
    match = re.match(r"layer(\d+)_", path.relative_to(PACKAGE).parts[0])
    return int(match[1]) if match else None


def upto(face: str, chapter: int) -> str:
    """The text of a face as it stood after `chapter`: cut at the first heading of a later one.

    >>> upto("# ---- chapter 1: types\\na = 1\\n# ---- chapter 4: gradients\\nb = 2\\n", 1)
    '# ---- chapter 1: types\\na = 1\\n'
    """
    return face[: next((m.start() for m in _HEADING.finditer(face) if int(m[1]) > chapter), len(face))]


def sections(face: str) -> list[tuple[int, str]]:
    """The sections of a face: (chapter, text). What stands above the first heading belongs to the first section."""
    starts = list(_HEADING.finditer(face))
    if not starts:
        return [(1, face)]
    edges = [0, *(m.start() for m in starts[1:]), len(face)]
    return [(int(m[1]), face[begin:end]) for m, (begin, end) in zip(starts, pairwise(edges), strict=True)]


def refused(face: str, chapter: int) -> dict[str, int]:
    """The names in the sections of later chapters, each with its chapter."""
    later = [(of, text) for of, text in sections(face) if of > chapter]
    return {name: of for of, text in later for s in statements(text) for name in s.names}


def beginning(face: str) -> int:
    """The chapter that brings a face into being: that of its first heading; 1 where it has none."""
    return sections(face)[0][0]
