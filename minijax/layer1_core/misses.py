"""Why a call was traced again: what its table of traces says about it, for messages and for the learner's tools."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import config, logs
from .aval import ShapedArray
from .fun_names import fun_signature, fun_source_info
from .jit_options import options_of
from .stages import Traced
from .trace import place_of, user_line
from .tree import PyTreeDef, equality_errors_pytreedef, keystr, tree_flatten_with_path

FLAGS = (  # what is traced depends on these: their values stand in a key in this order
    config.enable_x64,
    config.numpy_dtype_promotion,
    config.numpy_rank_promotion,
    config.default_matmul_precision,
    config.axis_env,
    config.abstract_mesh,
    config.everywhere,
    config.entered_mesh,
    config.check_vma,
)
_HEADINGS = {
    "options": "different options of jit:",
    "tree": "different input pytree:",
    "flags": "Tracing context doesn't match, e.g. due to config or context manager.",
    "static": "different static arguments:",
    "types": "different input types:",
}
MANY = 5  # traces of one function from which on it is said whose shape keeps changing
LONGEST = 80  # letters of a static value that are shown
LARGE = 1000  # elements of a captured array from which on it is named
_NOT_GIVEN = object()


@dataclass(frozen=True)
class Kind:
    """A kind of call: what is equal for all calls that one trace serves."""

    static: dict[str, Any]  # the values of static arguments by name
    tree: PyTreeDef
    types: dict[str, ShapedArray]  # of each leaf of the other arguments: 'x', "params['w']"
    flags: dict[str, Any]
    options: dict[str, Any]  # of jit


@dataclass(frozen=True)
class Difference:
    """In what one kind of call differs from another one."""

    about: str  # 'types', 'static', 'tree', 'flags' or 'options'
    where: str  # an argument, a path or a flag
    now: str
    before: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.now} was {self.before}"

    @property
    def line(self) -> str:
        """As JAX words it."""
        match self.about:
            case "tree":
                return f"at input path {self.where}, now {self.now} and before {self.before}, so {self.why}"
            case "flags" | "options":
                return f"{self.where} differs: now {self.now} and before {self.before}"
        return f"at {self.where}, now {self.now} and before {self.before}"


@dataclass(frozen=True)
class Miss:
    """A call that was traced: its kind, and in what it differs from the closest kind before it."""

    kind: Kind
    traced: Traced
    differences: tuple[Difference, ...]
    captured: tuple[str, ...]  # arrays from outside that became constants of the program: 'big: f32[1000]'

    @property
    def reason(self) -> str:
        """One line: 'x: f32[3] was f32[2]'."""
        return "; ".join(map(str, self.differences)) or "the first call"


def history(fun: Callable[..., Any], table: dict[Any, Any]) -> list[Miss]:
    """The traces of `fun`, in order, each with the reason why it was made. `table` maps keys to (Traced, ...)."""
    kinds = kinds_of(fun, table)
    return [
        Miss(kind, traced, closest(kind, kinds[:k]), captures(fun, traced))
        for k, (kind, (traced, *_)) in enumerate(zip(kinds, table.values(), strict=True))
    ]


# ---- kinds of calls


def kind_of(
    fun: Callable[..., Any],
    static: Iterable[tuple[int | str, Any]],
    tree: PyTreeDef,
    names: Sequence[str],
    avals: Sequence[ShapedArray],
    flags: Sequence[Any],
    options: int,
) -> Kind:
    """The kind with these parts; static arguments go by position or by name."""
    signature = fun_signature(fun)
    params = [*signature.parameters] if signature else []
    called = {params[k] if isinstance(k, int) and k < len(params) else str(k): value for k, value in static}
    unnamed = (f"leaf {k}" for k in range(len(names), len(avals)))
    types = dict(zip((*names, *unnamed), avals, strict=True))
    flagged = {flag.name: value for flag, value in zip(FLAGS, flags, strict=True)}
    return Kind(called, tree, types, flagged, options_of(options))


def kinds_of(fun: Callable[..., Any], table: dict[Any, Any]) -> list[Kind]:
    """The kinds of calls of `fun` that were traced, in order."""
    return [kind_of_key(fun, key, traced) for key, (traced, *_) in table.items()]


def kind_of_key(fun: Callable[..., Any], key: tuple[Any, ...], traced: Traced) -> Kind:
    """The kind that a key of a table of traces says: (static arguments, tree, types, flags, options)."""
    place = next(k for k, part in enumerate(key) if isinstance(part, PyTreeDef))
    static = [(where, value) for where, _, value in key[:place]]
    avals, (*flags, options) = key[place + 1 : -len(FLAGS) - 1], key[-len(FLAGS) - 1 :]
    info = traced.jaxpr.debug_info
    return kind_of(fun, static, key[place], info.arg_names if info else (), avals, flags, options)


def closest(kind: Kind, seen: Sequence[Kind]) -> tuple[Difference, ...]:
    """How `kind` differs from the kind that it differs least from; from the last one of these."""
    return min((tuple(differences(kind, other)) for other in reversed(seen)), key=_distance, default=())


def _distance(found: tuple[Difference, ...]) -> tuple[bool, int]:
    return any(d.about == "tree" for d in found), len(found)  # of other trees the arguments cannot be compared


def differences(now: Kind, before: Kind) -> Iterator[Difference]:
    """In what two kinds of calls of a function differ."""
    for name, a, b in _changed(now.options, before.options):
        yield Difference("options", name, str(a), str(b))
    if now.tree != before.tree:
        for path, a, b, why in equality_errors_pytreedef(now.tree, before.tree):
            yield Difference("tree", keystr(path), a, b, why)
    for name, a, b in _changed(now.flags, before.flags):
        yield Difference("flags", name, str(a), str(b))
    for name, a, b in _changed(now.static, before.static):
        yield Difference("static", name, _value(a), _value(b))
    if now.tree == before.tree:
        for name, a, b in _changed(now.types, before.types):
            yield Difference("types", name, *_types(a, b))


def _changed(now: dict[str, Any], before: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """(name, value, value before) where the two differ: 1, 1.0 and True differ too."""
    for name in {**now, **before}:
        a, b = now.get(name, _NOT_GIVEN), before.get(name, _NOT_GIVEN)
        if type(a) is not type(b) or a != b:
            yield name, a, b


def _value(x: Any) -> str:
    text = "not given" if x is _NOT_GIVEN else repr(x)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _types(a: ShapedArray, b: ShapedArray) -> tuple[str, str]:
    """Two types in short; where only weakness differs, that is said."""
    short = [x.str_short(short_dtypes=True) if x is not _NOT_GIVEN else "not given" for x in (a, b)]
    if short[0] != short[1]:
        return short[0], short[1]
    return f"{short[0]}{{weak_type={a.weak_type}}}", f"{short[1]}{{weak_type={b.weak_type}}}"


# ---- what else can be seen


def changing_shapes(kinds: Sequence[Kind]) -> dict[str, list[str]]:
    """The arguments that had another shape in each of the last traces, with these types, from the fifth trace on."""
    last = kinds[-MANY:]
    found = {}
    for name in last[-1].types:
        avals = [kind.types.get(name) for kind in last]
        if len({aval.shape for aval in avals if aval is not None}) == MANY:
            found[name] = [aval.str_short(short_dtypes=True) for aval in avals if aval is not None]
    return found


def captures(fun: Callable[..., Any], traced: Traced, least: int = 0) -> tuple[str, ...]:
    """The arrays from outside that are constants of the program, by the names under which `fun` knows them.

    Those with fewer than `least` elements are left out.
    """
    large = [c for c in traced.jaxpr.consts if np.size(c) >= least]
    if not large:
        return ()
    names = {id(leaf): name + keystr(path) for name, x in _outer(fun) for path, leaf in tree_flatten_with_path(x)[0]}
    types = {id(v): a.aval for v, a in zip(traced.jaxpr.consts, traced.jaxpr.constvars, strict=True)}
    return tuple(f"{names.get(id(c), 'an array')}: {types[id(c)].str_short(short_dtypes=True)}" for c in large)


def _outer(fun: Callable[..., Any]) -> list[tuple[str, Any]]:
    """The variables of the functions and the module around `fun` that it names, with their values."""
    try:
        found = inspect.getclosurevars(inspect.unwrap(fun))
    except (TypeError, ValueError):  # not a Python function, or one that is not complete yet
        return []
    return [*found.nonlocals.items(), *found.globals.items()]


# ---- messages

_defined: Counter[Any] = Counter()  # (function, 'f at FILE:LINE') -> how many functions made there were traced


def _origin(fun: Callable[..., Any]) -> tuple[type, str]:
    return type(fun), fun_source_info(fun)  # partials of a function are not that function again


def note_first(fun: Callable[..., Any]) -> None:
    """Remember where a function that is traced for the first time was made."""
    _defined[_origin(fun)] += 1


def explain(fun: Callable[..., Any], kind: Kind, seen: Sequence[Kind]) -> None:
    """Log why a call of `fun` is traced, where the flag `jax_explain_cache_misses` asks for it."""
    told = [f"TRACING CACHE MISS at {place_of(user_line())}:", *(_again(fun, kind, seen) if seen else _never_seen(fun))]
    logs.tracing.warning("%s", "\n".join(told))


def _never_seen(fun: Callable[..., Any]) -> Iterator[str]:
    name, _, place = fun_source_info(fun).partition(" at ")
    yield "  never seen function:"
    yield f"    {name} id={id(fun)} defined at {place}"
    if _defined[_origin(fun)] > 1:
        yield "  but seen another function defined on the same line; maybe the function is"
        yield "  being re-defined repeatedly, preventing caching?"


def _again(fun: Callable[..., Any], kind: Kind, seen: Sequence[Kind]) -> Iterator[str]:
    name, _, place = fun_source_info(fun).partition(" at ")
    yield f"  for {name} defined at {place}"
    yield "  all previously seen cache keys differ. For the closest previous key:"
    found = closest(kind, seen)
    for about, heading in _HEADINGS.items():
        lines = [f"  * {d.line}" for d in found if d.about == about]
        yield from [f"  {heading}", *lines] if lines else []
    for argument, types in changing_shapes([*seen, kind]).items():
        yield f"  the shape of {argument} changed at each of the last {MANY} traces: {', '.join(types)};"
        yield "  with arrays padded to a few sizes there would be few traces"


def name_captured(fun: Callable[..., Any], traced: Traced) -> None:
    """Log which large arrays became constants of the program."""
    for array in captures(fun, traced, LARGE):
        logs.tracing.warning("%s captures %s; pass it as an argument", traced.fun_name, array)
