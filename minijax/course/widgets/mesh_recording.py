"""What is kept of an array on a mesh, and of a program on it: text and numbers."""

import math
from dataclasses import dataclass

Names = tuple[str, ...]
Entries = tuple[Names, ...]  # for each axis of an array, the mesh axes that divide it
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """A mesh: the size of each axis, and the numbers of its devices, row by row."""

    sizes: tuple[tuple[str, int], ...]
    devices: tuple[int, ...]

    @property
    def names(self) -> Names:
        return tuple(name for name, _ in self.sizes)

    @property
    def title(self) -> str:
        """x: 4, y: 2"""
        return ", ".join(f"{name}: {size}" for name, size in self.sizes)


@dataclass(frozen=True)
class Choice:
    """An array on a mesh, as it is asked for."""

    grid: Grid
    shape: Shape
    entries: Entries
    dtype: str = "float32"


@dataclass(frozen=True)
class Block:
    """A part of the array, and the devices that hold it."""

    starts: Shape
    stops: Shape
    place: Shape  # which part it is along each axis
    devices: tuple[int, ...]

    @property
    def title(self) -> str:
        """[0:2, 8:16]"""
        return f"[{', '.join(f'{a}:{b}' for a, b in zip(self.starts, self.stops, strict=True))}]"


@dataclass(frozen=True)
class Placement:
    """Where the array is; or `problem`: what the package says instead, and `reason`, why."""

    choice: Choice
    spec: str  # P('x', 'y')
    type: str = ""  # float32[8@x,16@y]
    part: Shape = ()
    itemsize: int = 0
    blocks: tuple[Block, ...] = ()  # in order
    problem: str = ""
    reason: str = ""

    @property
    def tiling(self) -> Shape:
        """Into how many parts each axis is divided."""
        return tuple(n // m for n, m in zip(self.choice.shape, self.part, strict=True))

    @property
    def bytes(self) -> int:
        """Of the whole array."""
        return math.prod(self.choice.shape) * self.itemsize

    @property
    def bytes_of_part(self) -> int:
        return math.prod(self.part) * self.itemsize

    def block_of(self, device: int) -> int:
        return next(k for k, block in enumerate(self.blocks) if device in block.devices)


# ---- a program


@dataclass(frozen=True)
class Value:
    """An operand or the result of a program. Along Auto axes the type says nothing of the division: the spec does."""

    name: str
    spec: str
    type: str


@dataclass(frozen=True)
class Traffic:
    """A collective: along which mesh axes, and the bytes that one device sends."""

    name: str
    axes: str
    bytes: int


@dataclass(frozen=True)
class Use:
    """A program on divided arrays."""

    code: str
    operands: tuple[Value, ...]
    explicit: str = ""  # the type of the result where the mesh axes are Explicit
    refused: str = ""  # what the types say where they do not tell it
    auto: str = ""  # the spec of the result where they are Auto
    traffic: tuple[Traffic, ...] = ()  # what the compiler puts in
    problem: str = ""  # why something of this is not known
