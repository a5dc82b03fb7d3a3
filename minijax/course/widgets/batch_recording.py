"""What is kept of a function and of its batch: text and numbers, with what ties them together."""

from dataclasses import dataclass

from .linear_recording import Listing

Place = int | None  # of the batch axis; None for a value that has none
Values = tuple[tuple[str, Place], ...]  # names of values, each once, and where their batch axes are
LEFT, RIGHT = 0, 1  # the operands of a product
BATCH, SUMMED, FREE = "batch", "summed", "free"


@dataclass(frozen=True)
class Argument:
    """An array among the arguments: what it is called, and its type."""

    name: str
    type: str
    ndim: int


@dataclass(frozen=True)
class Axis:
    """An axis of an operand or of the result of a product, and what it is for."""

    size: str
    role: str  # BATCH, SUMMED or FREE
    mapped: bool  # whether it is the batch axis
    sources: tuple[tuple[int, int], ...] = ()  # of the result: (LEFT or RIGHT, axis), where it comes from


@dataclass(frozen=True)
class Product:
    """The axes of a dot_general."""

    names: tuple[str, str, str]  # of the operands and of the result, with their types
    operands: tuple[tuple[Axis, ...], tuple[Axis, ...]]
    result: tuple[Axis, ...]
    summed: tuple[tuple[int, int], ...]  # pairs of axes


@dataclass(frozen=True)
class Step:
    """An equation for one example: where the batch axes are, and what became of it."""

    primitive: str
    operands: Values
    results: Values
    made: tuple[str, ...] = ()  # the primitives of its equations of the batch
    changes: tuple[tuple[str, str, str], ...] = ()  # parameters that are others now: name, before, after
    by_example: bool = False  # of a while: whether each example has a condition of its own
    rows: bool = False  # of a scan: whether a sequence, which it takes row by row, has the batch axis
    got: tuple[str, ...] = ()  # parts of a carry that have a batch axis in the loop, and none before it
    products: tuple[Product, Product] | None = None  # of one example, and of the batch

    @property
    def batched(self) -> bool:
        return any(place is not None for _, place in (*self.operands, *self.results))


@dataclass(frozen=True)
class Pair:
    """A program for one example and that of the batch; the whole of them, or one inside of an equation."""

    title: str  # "the body of equation 3 (scan)"; "" for the whole
    short: str  # "3 body"
    example: Listing
    steps: tuple[Step, ...]
    batch: Listing | None  # None where its equations stand among those of the program around it
    moved: tuple[str, ...] = ()  # of the whole: the primitives that put the results' axes where they are wanted


@dataclass(frozen=True)
class Recording:
    """All of it, for one choice of axes. Where `problem` says why there is no batch, `pairs` has what there is."""

    name: str
    arguments: tuple[Argument, ...]
    in_axes: str
    axes: tuple[Place, ...]  # of each argument, as they were chosen
    out_axes: str
    size: int | None = None
    pairs: tuple[Pair, ...] = ()
    results: int = 0  # the most axes that a result of one example has
    problem: str = ""
