"""What is kept of a function's linearization and its transpose: text and numbers, with what ties them together."""

from dataclasses import dataclass

Parts = tuple[tuple[str, bool], ...]  # pieces of a text, and which of them are the names of residuals


@dataclass(frozen=True)
class Equation:
    """A line of a pane. Equations are numbered from 0 on."""

    parts: Parts
    full: str  # on one line, with all parameters
    owner: int | None = None  # the equation of the program whose work it is; None for the results
    source: int | None = None  # of a transposed one: the linear equation that is transposed
    adds: str = ""  # the variable whose cotangents it adds up
    inner: bool = False  # whether it carries programs

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.parts)


@dataclass(frozen=True)
class Listing:
    """A program: its head, its first equations, how many more there are, and its end."""

    head: Parts
    eqns: tuple[Equation, ...]
    more: int
    tail: str

    @property
    def size(self) -> int:
        return len(self.eqns) + self.more

    def of(self, owner: int) -> list[int]:
        """The equations that are one equation's work; without those that add up cotangents."""
        return [k for k, eqn in enumerate(self.eqns) if eqn.owner == owner and not eqn.adds]


@dataclass(frozen=True)
class Residual:
    """A value that the linear program has as a constant."""

    name: str
    type: str
    bytes: int
    kind: str  # "input", "equation" or "constant"
    made: int | None  # the equation of the program, if it was one
    line: int | None  # the equation of the values that computes it
    own: bool  # whether it is a value of the program; else the jvp rule has made it
    number: bool  # whether it is an argument that is a Python number
    readers: tuple[int, ...]  # linear equations


@dataclass(frozen=True)
class Sum:
    """A variable to which several cotangents come."""

    name: str
    tangent: str
    made: int | None  # the equation of the program that makes the variable; None for an input
    senders: tuple[int | None, ...]  # linear equations that read it, one for each time; None for a result
    lines: tuple[int, ...]  # the transposed equations that add up


@dataclass(frozen=True)
class Recording:
    """All of it. A pane that is None is not there: why is in `refusals`."""

    name: str
    program: Listing
    values: Listing | None = None
    linear: Listing | None = None
    transposed: Listing | None = None
    residuals: tuple[Residual, ...] = ()
    sums: tuple[Sum, ...] = ()
    unreached: tuple[int, ...] = ()  # linear equations to which no cotangent comes
    effects: tuple[str, ...] = ()  # of each equation, see linear_running
    facts: tuple[str, ...] = ()  # what is to be said of inputs and results
    refusals: tuple[str, ...] = ()
