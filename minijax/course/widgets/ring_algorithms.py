"""Collectives by the ring algorithm: who sends which block to whom in each step. Without the package.

A ring of n devices: each sends to the next, and the last one to the first. Blocks are numbered as devices are.
Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations" (2009).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .ring_recording import Cell, Message, State, Step

Round = tuple[str, list[Message]]  # what is done, and the messages between the n devices of a group


@dataclass(frozen=True)
class Algorithm:
    """`blocks(n)` are those that a device has at first, `kept(n, i)` the places of device i that make up its result."""

    call: str
    rounds: Callable[[int], list[Round]]
    blocks: Callable[[int], int]
    kept: Callable[[int, int], Sequence[int]]
    cost: str
    fold: Callable[[float, float], float] = max
    finish: str = "Nothing is left to do."
    scale: Callable[[int], float] = lambda n: 1.0
    digits: bool = False  # whether numbers to be added up are shown, and not such as tell where they come from


# ---- rounds

HANDS_ON = "Each device sends the block that it has just combined to the next one, which combines it with its own."
FIRST = "Each device sends one block to the next one, which combines it with its own: a different block on each device."
COPIES = "Each device sends the finished block that it got last to the next one, which keeps a copy."
OWN = "Each device sends its own block to the next one, which keeps a copy."


def reduce_scatter(n: int) -> list[Round]:
    """In the end device i has block i of the total. Block k goes round from device k + 1 on."""
    sent = lambda i, k: Message(i, k, (i + 1) % n, k, keeps=False, adds=True)
    return [(HANDS_ON if s > 1 else FIRST, [sent(i, (i - s) % n) for i in range(n)]) for s in range(1, n)]


def all_gather(n: int) -> list[Round]:
    """Device i begins with block i; in the end each has all."""
    sent = lambda i, k: Message(i, k, (i + 1) % n, k)
    return [(COPIES if s else OWN, [sent(i, (i - s) % n) for i in range(n)]) for s in range(n - 1)]


def all_reduce(n: int) -> list[Round]:
    """The two, one after the other."""
    done = "Each device sends its finished block to the next one, which keeps a copy."
    return [*reduce_scatter(n), *((done if words == OWN else words, sent) for words, sent in all_gather(n))]


def permute(n: int) -> list[Round]:
    return [("Each device sends its block to the next one, and the last one to the first.", next_places(n))]


def next_places(n: int) -> list[Message]:
    return [Message(i, 0, (i + 1) % n, 0, keeps=False) for i in range(n)]


def exchange(n: int) -> list[Round]:
    """Block k of device i goes to device k, and is block i there. The places for what comes are behind the others."""
    rounds: list[Round] = []
    for s in range(1, n):
        own = [Message(i, i, i, n + i, keeps=False) for i in range(n)] if s == 1 else []
        how = "to the next one" if s == 1 else f"to the one {s} places on"
        keeps = " Its own block stays with it." if own else ""
        rounds.append(
            (f"Each device sends the block that is for it {how}.{keeps}", [*own, *(to(i, s, n) for i in range(n))])
        )
    return rounds


def to(i: int, s: int, n: int) -> Message:
    return Message(i, (i + s) % n, (i + s) % n, n + i, keeps=False)


# ---- the collectives

every = lambda n, i: range(n)
ALL_REDUCE = "2 (n - 1) / n of its buffer"
PARTS = "(n - 1) / n of its buffer"
plus = lambda a, b: a + b
ALGORITHMS = {
    "psum": Algorithm("lax.psum(v, {axis!r})", all_reduce, lambda n: n, every, ALL_REDUCE, plus, digits=True),
    "pmean": Algorithm(
        "lax.pmean(v, {axis!r})", all_reduce, lambda n: n, every, ALL_REDUCE, plus,
        "Each device divides the sums by the number of devices.", lambda n: 1 / n, digits=True,
    ),
    "pmax": Algorithm("lax.pmax(v, {axis!r})", all_reduce, lambda n: n, every, ALL_REDUCE, max, digits=True),
    "all_gather": Algorithm(
        "lax.all_gather(v, {axis!r}, tiled=True)", all_gather, lambda n: 1, every, "(n - 1) / n of its result"
    ),
    "psum_scatter": Algorithm(
        "lax.psum_scatter(v, {axis!r}, tiled=True)", reduce_scatter, lambda n: n, lambda n, i: [i], PARTS, plus,
        "Each device has its own block of the sum, and no other.", digits=True,
    ),
    "ppermute": Algorithm(
        "lax.ppermute(v, {axis!r}, {ring})", permute, lambda n: 1, lambda n, i: [0], "its whole buffer"
    ),
    "all_to_all": Algorithm(
        "lax.all_to_all(v, {axis!r}, 0, 0, tiled=True)", exchange, lambda n: n, lambda n, i: range(n, 2 * n), PARTS
    ),
}  # fmt: skip


# ---- carrying out

DIGITS = "7142592614972639"  # no two sums are equal, and each device has a greatest one


def numbers(algorithm: Algorithm, device: int, n: int) -> list[float]:
    """What a device has at first: digits to be added up, or numbers that tell device and block."""
    count = algorithm.blocks(n)
    return [float(DIGITS[4 * device + k]) if algorithm.digits else 10.0 * device + k for k in range(count)]


def start_of(algorithm: Algorithm, groups: Sequence[Sequence[int]]) -> State:
    """The buffers before: with room for the result."""
    n, state = len(groups[0]), {}
    for group in groups:
        for i, device in enumerate(group):
            cells: list[Cell | None] = [Cell(x, (device,)) for x in numbers(algorithm, device, n)]
            room = 1 + max(m.target for _, sent in algorithm.rounds(n) for m in sent)
            at = i if len(cells) == 1 < room else 0  # a single block stands at its place among all
            state[device] = (*(None,) * at, *cells, *(None,) * (room - at - len(cells)))
    return tuple(state[device] for device in sorted(state))


def steps_of(algorithm: Algorithm, groups: Sequence[Sequence[int]]) -> tuple[State, tuple[Step, ...]]:
    """The buffers before, and the steps: in all groups at the same time."""
    start = state = start_of(algorithm, groups)
    steps: list[Step] = []
    for words, sent in algorithm.rounds(len(groups[0])):
        messages = tuple(replace(m, sender=g[m.sender], receiver=g[m.receiver]) for g in groups for m in sent)
        state = delivered(state, messages, algorithm)
        steps.append(Step(words, messages, state))
    return start, tuple(steps)


def delivered(state: State, messages: Sequence[Message], algorithm: Algorithm) -> State:
    """The buffers after messages that are sent at the same time."""
    rows = [list(row) for row in state]
    for m in messages:
        if not m.keeps:
            rows[m.sender][m.source] = None
    for m in messages:
        block, there = state[m.sender][m.source], state[m.receiver][m.target]
        rows[m.receiver][m.target] = combined(there, block, algorithm) if m.adds and there and block else block
    return tuple(map(tuple, rows))


def combined(one: Cell, other: Cell, algorithm: Algorithm) -> Cell:
    return Cell(algorithm.fold(one.value, other.value), tuple(sorted({*one.parts, *other.parts})))


def end_of(algorithm: Algorithm, groups: Sequence[Sequence[int]], state: State) -> State:
    """The results: the places that are kept, and what each device makes of them by itself."""
    n, found = len(groups[0]), {}
    for group in groups:
        for i, device in enumerate(group):
            cells = [state[device][k] for k in algorithm.kept(n, i)]
            found[device] = tuple(cell and Cell(cell.value * algorithm.scale(n), cell.parts) for cell in cells)
    return tuple(found[device] for device in sorted(found))
