"""What is kept of a collective: what each device has before and after each step, and who sends what to whom."""

import math
from dataclasses import dataclass
from functools import partial

NUMBER = 4  # bytes of a float32: each block is one number


@dataclass(frozen=True)
class Cell:
    """A number in a buffer, and the devices whose numbers are in it."""

    value: float
    parts: tuple[int, ...]

    @property
    def text(self) -> str:
        return f"{self.value:g}" if self.value % 0.25 == 0 else f"{self.value:.2f}"


State = tuple[tuple[Cell | None, ...], ...]  # for each device its places; None for one that holds nothing


@dataclass(frozen=True)
class Message:
    """A block on its way: from a place of one device to a place of another, or of the same."""

    sender: int
    source: int
    receiver: int
    target: int
    keeps: bool = True  # whether the sender has it still
    adds: bool = False  # whether it is combined with what is there

    @property
    def travels(self) -> bool:
        return self.sender != self.receiver


@dataclass(frozen=True)
class Step:
    """What is sent at one time, in the words of the algorithm, and what the devices have then."""

    words: str
    messages: tuple[Message, ...]
    state: State

    @property
    def sent(self) -> int:
        """How many bytes each device sends: the same number for all."""
        return NUMBER * sum(m.travels and m.sender == 0 for m in self.messages)


@dataclass(frozen=True)
class Recording:
    """A collective along one axis of a mesh. `result` has the numbers that the package gives each device."""

    name: str
    code: str  # lax.psum(v, 'x')
    sizes: tuple[tuple[str, int], ...]  # of the mesh
    axis: str
    groups: tuple[tuple[int, ...], ...]  # the devices that speak to each other
    start: State
    steps: tuple[Step, ...]
    end: State  # the results, by the algorithm
    finish: str  # what each device does by itself at the end
    cost: str  # 2 (n - 1) / n
    result: tuple[tuple[float, ...], ...] = ()
    problem: str = ""

    @property
    def n(self) -> int:
        """How many devices take part in each group."""
        return len(self.groups[0])

    @property
    def devices(self) -> int:
        return len(self.start)

    @property
    def places(self) -> int:
        """How many states can be shown: before, after each step, and the result."""
        return len(self.steps) + 2

    def state(self, place: int) -> State:
        return [self.start, *(step.state for step in self.steps), self.end][place]

    def sent(self, place: int) -> int:
        """How many bytes each device has sent until then."""
        return sum(step.sent for step in self.steps[:place])

    @property
    def agrees(self) -> bool:
        """Whether the package gives what the algorithm gives."""
        drawn = [tuple(cell.value for cell in row if cell) for row in self.end]
        return len(self.result) == len(drawn) and all(
            len(got) == len(row) and all(map(partial(math.isclose, rel_tol=1e-6), got, row))
            for got, row in zip(self.result, drawn, strict=True)
        )
