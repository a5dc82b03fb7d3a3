"""The traces of a jitted function: what was called, why it was traced again, what it captured. As plain text."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .figure import counted, listed, package_module
from .program import Printer, Program
from .recording import title


@dataclass(frozen=True)
class Captured:
    """An array from outside that is a constant of the program: 'big: f32[1000]'."""

    text: str
    large: bool


@dataclass(frozen=True)
class Trace:
    """One row of the table of traces."""

    called: tuple[str, ...]  # 'x: f32[3]', 'k = 2 (static)'
    reasons: tuple[str, ...]  # in what it differs from the closest trace before it; none of the first
    captured: tuple[Captured, ...]
    equations: int
    program: Program


@dataclass(frozen=True)
class Traces:
    """The table of a function as it was at one moment."""

    name: str
    rows: tuple[Trace, ...]
    advice: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What a call would do: run the program of a trace, by its place in the table; or be traced, for these reasons."""

    called: tuple[str, ...]
    known: int | None
    reasons: tuple[str, ...]


def wrapper_of(fun: Any) -> tuple[Any, tuple[Any, ...]]:
    """The jitted function, and the arguments that are bound to it already, such as `self`.

    Raises TypeError where there is none.
    """
    bound: tuple[Any, ...] = ()
    while isinstance(fun, functools.partial):
        fun, bound = fun.func, (*fun.args, *bound)
    if not isinstance(fun, package_module("layer1_core.jit").JitWrapped):
        raise TypeError(
            f"cache_inspector shows the traces of a jitted function, and this is {fun!r}: give it jax.jit(f)"
        )
    return fun, bound


def traces_of(fun: Any) -> Traces:
    """The table of a jitted function at this moment."""
    misses, found = package_module("layer1_core.misses"), fun._misses()
    rows = tuple(trace_of(fun, miss) for miss in found)
    changing = misses.changing_shapes([miss.kind for miss in found]) if found else {}
    advice = tuple(
        f"The shape of {name} was another one in each of the last {len(types)} traces. Arrays padded to a few sizes "
        "would need few traces."
        for name, types in changing.items()
    )
    return Traces(title(fun._fun), rows, advice)


def trace_of(fun: Any, miss: Any) -> Trace:
    misses, jaxpr = package_module("layer1_core.misses"), miss.traced.jaxpr
    large = {*misses.captures(fun._fun, miss.traced, misses.LARGE)}
    captured = tuple(Captured(text, text in large) for text in miss.captured)
    reasons = tuple(map(reason, miss.differences))
    return Trace(called_with(miss.kind), reasons, captured, len(jaxpr.eqns), Printer(jaxpr).program())


def called_with(kind: Any) -> tuple[str, ...]:
    """What is said of a call: the types of its arrays, and the values of its static arguments."""
    types = [f"{name}: {short(aval)}" for name, aval in kind.types.items()]
    return (*types, *(f"{name} = {shown(value)} (static)" for name, value in kind.static.items()))


def short(aval: Any) -> str:
    """f32[3]; a weak type is marked as such."""
    weak = " (weak)" if getattr(aval, "weak_type", False) else ""
    return aval.str_short(short_dtypes=True) + weak


def shown(value: Any) -> str:
    """The text of a value, without what differs from one session to the next."""
    text = repr(value)
    longest = package_module("layer1_core.misses").LONGEST
    return without_addresses(text if len(text) <= longest else f"{text[:longest]}...")


def without_addresses(text: str) -> str:
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def reason(difference: Any) -> str:
    """x is f32[3], and was f32[2]"""
    now, before = without_addresses(difference.now), without_addresses(difference.before)
    kinds = {"static": "the static argument ", "flags": "the flag ", "options": "the option of jit "}
    if difference.about == "tree":
        return f"the tree of the arguments is another one: {without_addresses(difference.line)}"
    same = " (it looks the same, but is not equal)" if now == before else ""
    return f"{kinds.get(difference.about, '')}{difference.where} is {now}, and was {before}{same}"


def verdict(fun: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Verdict:
    """What a call with these arguments would do. Nothing is traced or run.

    Raises what the call would raise for arguments that are refused.
    """
    misses, kind = package_module("layer1_core.misses"), kind_of(fun, args, kwargs)
    seen = [miss.kind for miss in fun._misses()]
    known = next((k for k, other in enumerate(seen) if not [*misses.differences(kind, other)]), None)
    reasons = () if known is not None else tuple(map(reason, misses.closest(kind, seen)))
    return Verdict(called_with(kind), known, reasons)


def kind_of(fun: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The kind of a call, as the table of traces has it."""
    names, misses = package_module("layer1_core.fun_names"), package_module("layer1_core.misses")
    if fun._signature is not None:
        fun._signature.bind(*args, **kwargs)  # raises TypeError for a call that is none
    fixed, fixed_kw, dynamic, dynamic_kw = fun._split(args, kwargs)
    leaves, tree = package_module("layer1_core.tree").tree_flatten((tuple(dynamic), dynamic_kw))
    avals = fun._avals(leaves, dynamic, dynamic_kw, fixed, describe=True)
    arguments = names.arg_names(names.without_positions(fun._signature, fixed), dynamic, dynamic_kw)
    static = [*fixed.items(), *sorted(fixed_kw.items())]
    flags = [flag.value for flag in misses.FLAGS]
    return misses.kind_of(fun._fun, static, tree, arguments, avals, flags, fun._options.key)


# ---- in words


def called_words(called: Sequence[str]) -> str:
    return "; ".join(called) or "no arguments"


def why_words(row: Trace, first: bool) -> str:
    """The reason why a row is there."""
    if first:
        return "It is the first trace."
    return f"{listed_reasons(row.reasons)}." if row.reasons else "It differs in what is not shown."


def listed_reasons(reasons: Sequence[str]) -> str:
    told = "; ".join(reasons)
    return told[0].upper() + told[1:] if told.startswith("the ") else told


def captured_words(row: Trace) -> str:
    """What became a constant of the program."""
    if not row.captured:
        return "nothing"
    return listed([f"{each.text}{' (large)' if each.large else ''}" for each in row.captured])


def verdict_words(found: Verdict, empty: bool) -> str:
    """The call with x: f32[4] would be traced again: x is f32[4], and was f32[3]."""
    start = f"A call with {called_words(found.called)}"
    if found.known is not None:
        return f"{start} runs the program of trace {found.known + 1}. It is not traced again."
    if empty:
        return f"{start} would be traced: it is the first one."
    return f"{start} would be traced again: {'; '.join(found.reasons)}."


def size_words(row: Trace) -> str:
    return counted(row.equations, "equation")
