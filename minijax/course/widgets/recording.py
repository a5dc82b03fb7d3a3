"""Run a function once under tracing, and keep for each equation which lines of the learner's code bound it."""

import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
from typing import Any

from .figure import PACKAGE, package_module
from .program import MOST, Printer, Program, subprograms

Spot = tuple[CodeType, int]  # a code object, and the number of the line in its file or cell


@dataclass(frozen=True)
class Source:
    """The lines of one function, with the number of the first in its file or cell."""

    name: str
    file: str
    first: int
    lines: tuple[str, ...]

    def has(self, spot: Spot) -> bool:
        code, line = spot
        return code.co_filename == self.file and self.first <= line < self.first + len(self.lines)


@dataclass(frozen=True)
class Place:
    """A line in one of the sources; `source` is None where its text is not at hand."""

    source: int | None
    line: int
    text: str
    name: str


@dataclass(frozen=True)
class Step:
    """One equation: what was bound, and the lines that were running, from the outermost call inwards."""

    primitive: str
    places: tuple[Place, ...]
    inner: tuple[str, int] | None  # the name and the size of the program that it carries


@dataclass(frozen=True)
class Refusal:
    """The error that ended the tracing: its class, the first line of its message, and where it was raised."""

    error: str
    message: str
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Recording:
    """What tracing did, as text and numbers."""

    name: str
    sources: tuple[Source, ...]
    program: Program
    steps: tuple[Step, ...]
    left_out: int  # equations after the last step that is kept
    refusal: Refusal | None


class Equations(list[Any]):
    """The equations of a trace. It notes for each the lines that were running when it was appended."""

    spots: list[tuple[Spot, ...]]

    def append(self, eqn: Any) -> None:
        super().append(eqn)
        self.spots.append(tuple(running_lines(sys._getframe(1))))


class Watched:
    """A function that, called by a tracer of the package, keeps what the trace holds."""

    def __init__(self, fun: Callable[..., Any]):
        self.fun, self.trace, self.called = fun, None, False
        functools.update_wrapper(self, fun, updated=())

    def __repr__(self) -> str:
        return repr(self.fun)  # messages show it

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.trace = trace = package_module("layer1_core.trace").current_trace.get()
        self.eqns = trace.eqns = Equations(trace.eqns)
        self.eqns.spots = []
        self.invars, self.consts = trace.invars, trace.consts
        return self.fun(*args, **kwargs)


def record(fun: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Recording:
    """What tracing `fun` at these arguments does, step by step.

    An error in the midst of `fun` is part of the recording. Raises TypeError where `fun` is not callable, and what
    make_jaxpr raises where `fun` is never begun: for an argument that is no array, or a missing one.
    """
    if not callable(fun):
        raise TypeError(f"the first argument must be a function, and this is {fun!r}: give it f, not f(x)")
    watched = Watched(fun)
    try:
        jaxpr, refused = package_module("layer1_core.staging").make_jaxpr(watched)(*args, **kwargs), None
    except Exception as error:
        spots = raised_in(error.__traceback__)
        if watched.trace is None or spots is None:
            raise
        jaxpr, refused = half_a_program(watched), (type(error).__name__, first_line(error), spots)
    return told(fun, watched, jaxpr, refused)


def half_a_program(watched: Watched) -> Any:
    """What was recorded before the error. All of it is a result: what nobody has read yet has a name, too."""
    constvars = [var for var, _ in watched.consts.values()]
    made = [v for eqn in watched.eqns for v in eqn.outvars]
    return package_module("layer1_core.jaxpr").Jaxpr(constvars, watched.invars, made, watched.eqns)


def told(fun: Any, watched: Watched, jaxpr: Any, refused: Any) -> Recording:
    """The recording in words: with no object of the package in it."""
    spots = watched.eqns.spots[:MOST]
    met = [spot for group in (*spots, refused[2] if refused else ()) for spot in group]
    sources = sources_of(fun, met)
    place = functools.partial(place_of, sources)
    steps = [
        Step(eqn.primitive.name, tuple(map(place, group)), inner_of(eqn))
        for eqn, group in zip(watched.eqns, spots, strict=False)
    ]
    refusal = Refusal(refused[0], refused[1], tuple(map(place, refused[2]))) if refused else None
    left_out = max(0, len(watched.eqns) - MOST)
    return Recording(title(fun), sources, Printer(jaxpr).program(), tuple(steps), left_out, refusal)


def inner_of(eqn: Any) -> tuple[str, int] | None:
    """The name and the number of equations of the program inside an equation."""
    subs = subprograms(eqn)
    return (str(eqn.params.get("name", eqn.primitive.name)), len(subs[0].eqns)) if subs else None


# ---- lines of the learner's code


def is_ours(namespace: dict[str, Any]) -> bool:
    """Whether code with these globals is the package's own."""
    return str(namespace.get("__name__", "")).split(".")[0] == PACKAGE


def running_lines(frame: FrameType | None) -> list[Spot]:
    """The lines outside the package that are running between the watched call and `frame`, outermost first."""
    spots: list[Spot] = []
    while frame is not None and frame.f_code is not Watched.__call__.__code__:
        if not is_ours(frame.f_globals):
            spots.insert(0, (frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return spots


def raised_in(traceback: TracebackType | None) -> list[Spot] | None:
    """The learner's lines through which an error came, outermost first. None where the function was never begun."""
    frames: list[tuple[FrameType, int]] = []
    while traceback is not None:
        frames.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    calls = [i for i, (frame, _) in enumerate(frames) if frame.f_code is Watched.__call__.__code__]
    inside = frames[calls[-1] + 1 :] if calls else []
    if calls and not inside:
        return None  # the call itself failed: an argument too few
    return [(frame.f_code, line) for frame, line in inside if not is_ours(frame.f_globals)]


def first_line(error: Exception) -> str:
    """The first line of a message, without what differs from one session to the next: places and addresses."""
    line = (str(error).splitlines() or [""])[0]
    return re.sub(r" at (0x[0-9a-f]+|\S+:\d+(?= traced))", "", line)


def code_of(fun: Any) -> CodeType | None:
    """The code that runs when `fun` is called, where it is Python outside the package."""
    while isinstance(fun, functools.partial):
        fun = fun.func
    fun = inspect.unwrap(fun)
    called = fun if hasattr(fun, "__code__") else type(fun).__call__
    return None if is_ours(getattr(called, "__globals__", {})) else getattr(called, "__code__", None)


def title(fun: Any) -> str:
    """What the function is called in sentences."""
    while isinstance(fun, functools.partial):
        fun = fun.func
    name = getattr(fun, "__name__", type(fun).__name__)
    return "the function" if name == "<lambda>" else name


def sources_of(fun: Any, met: Iterable[Spot]) -> tuple[Source, ...]:
    """The source of `fun`, then of the other functions in which something was bound, each once."""
    found: list[Source] = []
    main = code_of(fun)
    for spot in [*([(main, main.co_firstlineno)] if main else []), *met]:
        if not any(source.has(spot) for source in found):
            found.extend(source_of(spot[0]))
    return tuple(found)


def source_of(code: CodeType) -> list[Source]:
    """The source of a code object, in a list; the empty list where it is not at hand."""
    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError, SyntaxError, IndexError):
        return []
    name = "a lambda" if code.co_name == "<lambda>" else code.co_qualname.split("<locals>.")[-1]
    return [Source(name, code.co_filename, max(first, 1), tuple(line.rstrip("\n") for line in lines))]


def place_of(sources: Sequence[Source], spot: Spot) -> Place:
    code, line = spot
    for i, source in enumerate(sources):
        if source.has(spot):
            return Place(i, line, source.lines[line - source.first].strip(), source.name)
    return Place(None, line, "", code.co_name)
