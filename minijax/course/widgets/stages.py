"""What the passes make of a program, stage by stage, and what becomes of each equation. As plain text and numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .figure import package_module
from .program import Printer, Program

# The passes in their order: what each does, and what it says of an equation that is gone after it.
PASSES = {
    "inlined": ("The programs of calls stand in the place of the calls", ""),
    "folded": ("What depends on numbers alone is a number", "its operands are numbers, so its result is one too"),
    "in_slices": ("The parts of a split are slices", ""),
    "reshaped": (
        "What has the elements of something before it, in their order, is a reshape of that, or that itself",
        "its result is what another one gives",
    ),
    "turned": ("A product of matrices reads a transposed factor where it lies", ""),
    "exchanged": ("A transposed product is the product of its factors in the other order", ""),
    "spread": ("A product without a sum is a multiplication", ""),
    "padded": ("The padding of a convolution is an equation of its own", ""),
    "merged": ("Equal equations are one", "an equal equation stands before it"),
    "shown": (
        "Optimization barriers are gone: equal equations behind them have stayed apart",
        "nothing is computed by it",
    ),
    "without_dead": ("What nobody reads is gone", "nobody reads its result"),
    "within": ("The programs in loops and conditionals go through the same passes", ""),
}
# Shown where they change something.
RARE = (
    "in_slices",
    "reshaped",
    "turned",
    "exchanged",
    "spread",
    "padded",
    "shown",
    "within",
)
TRACED, SMALLER = "traced", "optimized"


@dataclass(frozen=True)
class Stage:
    """The program after a pass. `becomes` and `fates` are about its equations, in order."""

    name: str
    meaning: str
    program: Program
    size: int  # how many equations it has; of very many the first ones are shown
    becomes: tuple[tuple[int, ...], ...]  # the numbers of the last stage's equations that do its work, from 0 on
    fates: tuple[str, ...]  # where there are none: which pass took it away, and why


def stages_of(jaxpr: Any, smaller: Any = None) -> list[Stage]:
    """The stages from what was traced to the program that is compiled: `smaller`, where that is known.

    The passes are those that the package has at this moment. Where together they give another program than `smaller`,
    because a learner has passes of another kind, there are two stages: the first and the last.
    """
    chain = chain_of(jaxpr)
    if smaller is not None and str(chain[-1][1]) != str(smaller):
        first = stage(TRACED, "The program as it was recorded", jaxpr, [()] * len(jaxpr.eqns), [""] * len(jaxpr.eqns))
        own = [(k,) for k in range(len(smaller.eqns))]
        return cut([first, stage(SMALLER, "The program that is compiled", smaller, own, [""] * len(own))])
    return cut(followed(chain))


def chain_of(jaxpr: Any) -> list[tuple[str, Any]]:
    """The program after each pass that is there, with the pass's name; a rare one only where it changes something."""
    found = [(TRACED, jaxpr)]
    for name in PASSES:
        change = pass_named(name)
        if change is None:
            break
        after = change(found[-1][1])
        if name not in RARE or str(after) != str(found[-1][1]):
            found.append((name, after))
    return found


def pass_named(name: str) -> Callable[[Any], Any] | None:
    """A pass of the package; None where it is not there yet."""
    try:
        return getattr(package_module("layer2_jit.passes"), name)
    except (AttributeError, ImportError):
        return None


def followed(chain: Sequence[tuple[str, Any]]) -> list[Stage]:
    """The stages, from the last one back: an equation becomes what it becomes in the next stage."""
    found: list[Stage] = []
    for k in reversed(range(len(chain))):
        name, jaxpr = chain[k]
        meaning = PASSES[name][0] if name in PASSES else "The program as it was recorded"
        if not found:
            own = [(i,) for i in range(len(jaxpr.eqns))]
            found.append(stage(name, meaning, jaxpr, own, [""] * len(own)))
            continue
        after, later = chain[k + 1][0], found[-1]
        places = next_places(jaxpr, chain[k + 1][1], after)
        becomes = [tuple(j for i in here for j in later.becomes[i]) for here in places]
        fates = [fate(here, after, later) for here in places]
        found.append(stage(name, meaning, jaxpr, becomes, fates))
    return found[::-1]


def next_places(jaxpr: Any, after: Any, name: str) -> list[list[int]]:
    """For each equation, which equations of the next stage do its work."""
    if name == "inlined":
        ends = running([inlined_size(eqn) for eqn in jaxpr.eqns])
        return [[*range(start, stop)] for start, stop in zip([0, *ends], ends, strict=False)]
    place = {key(eqn): k for k, eqn in enumerate(after.eqns)}
    return [[place[key(eqn)]] if key(eqn) in place else [] for eqn in jaxpr.eqns]


def key(eqn: Any) -> tuple[int, ...]:
    """What stays the same of an equation when a pass changes its operands: its results."""
    return tuple(map(id, eqn.outvars))


def running(sizes: Sequence[int]) -> list[int]:
    return [sum(sizes[: k + 1]) for k in range(len(sizes))]


def inlined_size(eqn: Any) -> int:
    """How many equations stand in the place of one, when the calls in it are inlined."""
    program = package_module("layer2_jit.passes").called.get(eqn.primitive)
    return 1 if program is None else sum(map(inlined_size, program(eqn).eqns))


def fate(here: Sequence[int], name: str, later: Stage) -> str:
    """Why an equation has no successor in the last stage; "" where it has one."""
    if not here:
        return f"{name} takes it away: {PASSES[name][1]}" if PASSES[name][1] else f"{name} leaves nothing of it"
    if any(later.becomes[i] for i in here):
        return ""
    return later.fates[here[0]]


def stage(name: str, meaning: str, jaxpr: Any, becomes: Sequence[tuple[int, ...]], fates: Sequence[str]) -> Stage:
    return Stage(name, meaning, Printer(jaxpr).program(), len(jaxpr.eqns), tuple(becomes), tuple(fates))


def cut(stages: Sequence[Stage]) -> list[Stage]:
    """The stages, told of the equations that are shown: of a very long program the first ones."""
    shown = len(stages[-1].program.eqns)
    return [
        replace(
            s,
            becomes=tuple(tuple(j for j in here if j < shown) for here in s.becomes[: len(s.program.eqns)]),
            fates=s.fates[: len(s.program.eqns)],
        )
        for s in stages
    ]
