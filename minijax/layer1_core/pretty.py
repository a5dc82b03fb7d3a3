"""The text of a jaxpr, laid out as JAX does it: on one line where it fits in 80 columns, else nested.

A document is text, a possible line break, or a group of documents that breaks as a whole.
Source: Philip Wadler, "A prettier printer" (2003), in the strict form of Christian Lindig.
"""

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .jaxpr import Atom, DropVar, Jaxpr, JaxprEqn, Literal, Var, jaxprs_in_params, printer
from .literals import TypedNumber

WIDTH = 80
HOISTED_FROM = 11  # a sub-program of so many equations is printed first, under a name of its own


@dataclass(frozen=True, slots=True)
class Break:
    """A line break, or `flat` where its group fits on the line."""

    flat: str = " "


@dataclass(frozen=True, slots=True)
class Nest:
    """A document whose line breaks are indented by `by` more columns."""

    by: int
    doc: "Doc"


@dataclass(frozen=True, slots=True)
class Group:
    """A document that is laid flat where that fits, and otherwise broken at all of its own breaks."""

    doc: "Doc"


Doc = str | Break | Nest | Group | list  # a list is its parts one after the other


def join(separator: Doc, docs: Iterable[Doc]) -> list[Doc]:
    parts = [part for doc in docs for part in (separator, doc)]
    return parts[1:]


def layout(doc: Doc, width: int = WIDTH) -> str:
    """The text of `doc` in lines of at most `width` columns where possible."""
    out: list[str] = []
    column = 0
    work: list[tuple[int, bool, Doc]] = [(0, False, doc)]
    while work:
        indent, flat, doc = work.pop()
        match doc:
            case str():
                out.append(doc)
                column += len(doc)
            case list():
                work.extend((indent, flat, part) for part in reversed(doc))
            case Nest(by, inner):
                work.append((indent + by, flat, inner))
            case Group(inner):
                work.append((indent, flat or _fits(inner, width - column), inner))
            case Break(text):
                out.append(text if flat else "\n" + " " * indent)
                column = column + len(text) if flat else indent
    return "".join(out)


def _fits(doc: Doc, room: int) -> bool:
    """Whether `doc` laid flat takes at most `room` columns. What follows it on the line does not count, as in JAX."""
    work: list[Doc] = [doc]
    while work and room >= 0:
        match work.pop():
            case str() as text:
                room -= len(text)
            case list() as parts:
                work.extend(reversed(parts))
            case Nest(_, inner) | Group(inner):
                work.append(inner)
            case Break(text):
                room -= len(text)
    return room >= 0


@dataclass(frozen=True, slots=True)
class Settings:
    """What a text shows: the types of variables, the special rules of some equations, the effects of a program."""

    print_shapes: bool = True
    custom_pp_eqn_rules: bool = True
    print_effects: bool = False


# ---- names


def letters(n: int) -> str:
    """The n-th variable name: a, b, ..., z, ba, bb, ..."""
    name = chr(ord("a") + n % 26)
    while n := n // 26:
        name = chr(ord("a") + n % 26) + name
    return name


class Names:
    """The names in one text: of variables, by letters in order of appearance, and of hoisted programs."""

    def __init__(self, root: Jaxpr | None = None, settings: Settings | None = None):
        self.settings = settings or Settings()
        self.vars: dict[int, str] = {}
        self.jaxprs: dict[int, str] = {}
        self.taken: set[str] = set()  # by programs: variables are called otherwise
        self.count = 0
        self.keep: list[Any] = [root]  # names go by id: what is named must outlive this
        self.unread = _unread(root) if root else set()

    def var(self, v: Var) -> str:
        if isinstance(v, DropVar) or id(v) in self.unread:
            return "_"
        if id(v) not in self.vars:
            self.vars[id(v)] = self.fresh()
        return self.vars[id(v)]

    def share(self, variables: Sequence[Atom], like: Sequence[Atom]) -> None:
        """Give each variable the name of the one at its place in `like`, unless that is taken or it has its own."""
        taken: set[int] = set()
        for v, other in zip(variables, like, strict=True):
            if not (isinstance(v, Var) and isinstance(other, Var)):
                continue
            if id(other) not in taken and id(v) not in self.vars:
                taken.add(id(other))
                self.vars[id(v)] = self.var(other)

    def fresh(self) -> str:
        while True:
            name = letters(self.count)
            self.count += 1
            if name not in self.taken:
                return name

    def hoist(self, jaxpr: Jaxpr, name: str) -> None:
        name = name.strip("<>").replace(" ", "_")
        tries = (name + str(i or "") for i in range(len(self.taken) + 1))
        self.jaxprs[id(jaxpr)] = next(n for n in tries if n not in self.taken)
        self.taken.add(self.jaxprs[id(jaxpr)])


def _unread(jaxpr: Jaxpr) -> set[int]:
    """The results that no equation reads and that are no results of the program, by id."""
    read = {id(v) for eqn in jaxpr.eqns for v in eqn.invars} | {id(v) for v in jaxpr.outvars}
    return {id(v) for eqn in jaxpr.eqns for v in eqn.outvars} - read


def hoisted(root: Jaxpr) -> list[tuple[Jaxpr, str]]:
    """The sub-programs that are printed first: the long ones and those met more than once, outer before inner.

    A sub-program of one that is met twice is met twice too.
    """
    met: dict[int, int] = {}
    names: dict[int, str] = {}
    order, queue = [root], deque([root])
    while queue:
        jaxpr = queue.popleft()
        met[id(jaxpr)] = met.get(id(jaxpr), 0) + 1
        for eqn in jaxpr.eqns:
            for sub in jaxprs_in_params(eqn.params):
                order += [sub] * (id(sub) not in names)
                names.setdefault(id(sub), str(eqn.params.get("name", "jaxpr")))
                queue.append(sub)
    return [(sub, names[id(sub)]) for sub in order[1:] if met[id(sub)] > 1 or len(sub.eqns) >= HOISTED_FROM]


# ---- documents of a program's parts


def value_text(val: Any) -> str:
    """The text of a literal's value: that of the Python number."""
    if isinstance(val, TypedNumber):
        return str(val.value)
    return str(val.item() if isinstance(val, (np.ndarray, np.generic)) and val.dtype != object else val)


def atom_doc(atom: Atom, names: Names) -> str:
    if isinstance(atom, Literal):
        return f"{value_text(atom.val)}:{atom.aval.str_short(short_dtypes=True)}"
    return names.var(atom)


def words(docs: Iterable[Doc], separator: str = "") -> Doc:
    """The parts with blanks between; where they do not fit on the line, a blank at its end is a line break."""
    return Nest(2, Group(join([separator, Group(Break())], docs)))


def binders(variables: Sequence[Var], names: Names) -> Doc:
    if not names.settings.print_shapes:
        return words([names.var(v) for v in variables])
    return words([f"{names.var(v)}:{v.aval.str_short(short_dtypes=True)}" for v in variables])


def jaxpr_doc(jaxpr: Jaxpr, names: Names) -> Doc:
    """{ lambda constvars; invars. let eqns in (outvars) }"""
    head = [binders(jaxpr.constvars, names), "; ", binders(jaxpr.invars, names)]
    eqns = join(Break("; "), [eqn_doc(eqn, names) for eqn in jaxpr.eqns])
    outs = words([atom_doc(v, names) for v in jaxpr.outvars], ",")
    result = ["in (", outs, ",)" if len(jaxpr.outvars) == 1 else ")"]
    effects = f" : {{ {', '.join(map(str, jaxpr.effects))} }}" if names.settings.print_effects else ""
    return Group([Nest(2, ["{ lambda ", *head, ". let", Nest(2, [Break(), eqns]), Break(), *result, effects]), " }"])


def eqn_doc(eqn: JaxprEqn, names: Names) -> Doc:
    """outvars = primitive[params] invars. Letters are given in this order."""
    special = eqn.primitive.pretty if names.settings.custom_pp_eqn_rules else None
    params = special(eqn, names) if special else sorted(eqn.params.items())
    left = binders(eqn.outvars, names)
    right: list[Doc] = [eqn.primitive.name, params_doc(params, names), " "]
    right.append(words([atom_doc(v, names) for v in eqn.invars]))
    return right if not eqn.outvars else [left, " = ", *right]


def params_doc(params: Sequence[tuple[str, Any]], names: Names) -> Doc:
    if not params:
        return ""
    pairs = [param_doc(key, value, names) for key, value in params]
    return Group([Nest(2, ["[", Break(""), *join(Break(), pairs)]), Break(""), "]"])


def param_doc(key: str, value: Any, names: Names) -> Doc:
    if isinstance(value, Jaxpr):
        return [f"{key}=", sub_doc(value, names)]
    if type(value) is tuple and value and all(isinstance(v, Jaxpr) for v in value):
        subs = join(Break(), [sub_doc(v, names) for v in value])
        return Group([f"{key}=(", Nest(2, [Break(""), *subs]), Break(""), ")"])
    return f"{key}={param_text(value)}"


def sub_doc(jaxpr: Jaxpr, names: Names) -> Doc:
    name = names.jaxprs.get(id(jaxpr))
    return jaxpr_doc(jaxpr, names) if name is None else name


def param_text(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(map(repr, sorted(value)))}}})"
    return re.sub(r" at 0x([0-9a-fA-F]+)", lambda m: " at 0x" + "X" * len(m[1]), str(value))


def jaxpr_text(jaxpr: Jaxpr, settings: Settings | None = None) -> str:
    """What `print` shows of a jaxpr: the hoisted sub-programs by name, then the program."""
    names = Names(jaxpr, settings)
    first = hoisted(jaxpr)
    for sub, name in first:
        names.hoist(sub, name)
    lines = []
    for sub, _ in first:
        name = names.jaxprs.pop(id(sub))
        lines.append(layout([f"let {name} = ", jaxpr_doc(sub, names), " in"]))
        names.jaxprs[id(sub)] = name
    return "\n".join([*lines, layout(jaxpr_doc(jaxpr, names))])


def eqn_text(eqn: JaxprEqn) -> str:
    """One equation by itself, its variables named from a."""
    return layout(eqn_doc(eqn, Names()))


printer[Jaxpr] = lambda jaxpr, **settings: jaxpr_text(jaxpr, Settings(**settings))
printer[JaxprEqn] = eqn_text


# ---- what an equation of a family shows of its parameters


def without(*hidden: str, **defaults: Any) -> Any:
    """A printing rule: leave out the params `hidden`, and those that have the given default."""

    def shown(eqn: JaxprEqn, names: Names) -> list[tuple[str, Any]]:
        keep = {k: v for k, v in eqn.params.items() if k not in hidden}
        return sorted((k, v) for k, v in keep.items() if k not in defaults or v is not defaults[k])

    return shown
