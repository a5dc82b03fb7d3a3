"""The primitives of the package and the families of their rules, read from the package's own tables, as text."""

import functools
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .figure import PACKAGE, package_module

# The families of rules in the order of the chapters: the name of a table, what it says, the chapter that brings it.
# A table of another name is shown too, after these.
PLANNED = (
    ("shape rule", "the types of the results", 1),
    ("impl", "the values, with NumPy", 1),
    ("lowering", "a line of a compiled loop", 2),
    ("jvp", "how small changes flow through", 4),
    ("transpose", "how cotangents flow back", 4),
    ("batching", "the same for a whole batch", 5),
    ("sharding", "how the result is divided", 7),
    ("partition", "the same on one device's parts", 7),
)
GROUPS = (
    "elementwise converting shaping joining reducing dot indexing gather scatter windows conv sorting special "
    "linalg fft calls"
).split()
RULE, REASON, HOLE = "rule", "reason", "hole"


@dataclass(frozen=True)
class Cell:
    """One primitive in one family: a rule and where it lives, a declared reason why there is none, or a hole."""

    state: str
    words: str
    meaning: str = ""  # a sentence more, of a rule that is an object


@dataclass(frozen=True)
class Family:
    """A row of the matrix. Without `cells` it is one that `chapter` will bring."""

    name: str
    meaning: str
    chapter: int | None
    cells: dict[str, Cell] | None

    def count(self, state: str) -> int:
        return sum(cell.state == state for cell in (self.cells or {}).values())


@dataclass(frozen=True)
class Rules:
    """The whole matrix: groups of primitives by name, and families of rules."""

    groups: dict[str, list[str]]
    families: list[Family]

    def primitives(self) -> list[str]:
        return [name for members in self.groups.values() for name in members]


def read_rules() -> Rules:
    """The matrix of the package as it stands at this moment."""
    groups, tables = primitives(), rule_tables()
    everything = labelled(p for members in groups.values() for p in members)
    families = [family("shape rule", shape_rule, everything)]
    families += [family(name, functools.partial(entry, table), everything) for name, table in tables.items()]
    there = {f.name for f in families}
    families += [Family(name, meaning, k, None) for name, meaning, k in PLANNED if name not in there]
    order = [name for name, _, _ in PLANNED]
    families.sort(key=lambda f: order.index(f.name) if f.name in order else len(order))
    label_of = {p: label for label, p in everything.items()}
    return Rules({name: [label_of[p] for p in members] for name, members in groups.items()}, families)


def labelled(primitives: Iterable[Any]) -> dict[str, Any]:
    """The primitives by name. Where a learner gives one a name that is taken, it gets a prime: sin'."""
    found: dict[str, Any] = {}
    for primitive in primitives:
        label = primitive.name
        while label in found:
            label += "'"
        found[label] = primitive
    return found


def family(name: str, rule_of: Callable[[Any], Any], everything: dict[str, Any]) -> Family:
    planned = {planned: (meaning, chapter) for planned, meaning, chapter in PLANNED}
    meaning, chapter = planned.get(name, ("", None))
    return Family(name, meaning, chapter, {label: cell(rule_of(p)) for label, p in everything.items()})


# ---- what the package has


def package_modules() -> list[tuple[str, Any]]:
    """The modules of the package that are imported, in the order of their names; without the course's own."""
    mine = f"{PACKAGE}.course"
    found = [(n, m) for n, m in sys.modules.items() if n.startswith(f"{PACKAGE}.") and not n.startswith(mine)]
    return sorted(found, key=lambda pair: pair[0])


def primitives() -> dict[str, list[Any]]:
    """The primitives by the module of `lax` that they are defined in; then the calls; then the learner's own."""
    kind = package_module("layer1_core.primitive").Primitive
    found: dict[str, list[Any]] = {name: [] for name in GROUPS}
    placed: set[Any] = set()
    modules = package_modules()
    for name, module in sorted(modules, key=lambda pair: ".lax." not in pair[0]):
        new = [p for p in vars(module).values() if isinstance(p, kind) and p not in placed]
        found.setdefault(group_of(name), []).extend(p for p in dict.fromkeys(new) if not _is_internal(p))
        placed.update(new)
    for table in rule_tables().values():
        found.setdefault("your own", []).extend(p for p in table if p not in placed)
        placed.update(table)
    return {name: members for name, members in found.items() if members}


def _is_internal(primitive: Any) -> bool:
    """Whether only the compiler makes equations of a primitive of the package: nobody can bind it."""
    without = type(primitive)._no_abstract_eval
    shapeless = getattr(primitive.abstract_eval, "__func__", None) is without
    return shapeless and primitive not in package_module("layer1_core.primitive").impl_rules


def group_of(module: str) -> str:
    """minijax.layer1_core.lax.linalg.solving is "linalg"; what is not in a folder `lax` is "calls"."""
    parts = module.split(".")
    return parts[parts.index("lax") + 1] if "lax" in parts[:-1] else "calls"


def rule_tables() -> dict[str, Any]:
    """The tables of rules by the name of their family, in the order of the layers."""
    kind = package_module("layer1_core.primitive").RuleTable
    return {t.family: t for _, module in package_modules() for t in vars(module).values() if isinstance(t, kind)}


def shape_rule(primitive: Any) -> Any:
    missing = type(primitive)._no_abstract_eval
    return None if getattr(primitive.abstract_eval, "__func__", None) is missing else primitive.abstract_eval


def entry(table: Any, primitive: Any) -> Any:
    return table.get(primitive)


# ---- one cell


def cell(rule: Any) -> Cell:
    """A rule in words. An entry that carries a `reason` says why there is no rule."""
    if rule is None:
        return Cell(HOLE, "no rule: to ask for it is an error that names the primitive")
    reason = getattr(rule, "reason", None)
    if reason:
        return Cell(REASON, f"no rule, and that is right: {reason}")
    return object_cell(rule) if type(rule).__module__.startswith(f"{PACKAGE}.") else Cell(RULE, lives_in(rule))


def object_cell(rule: Any) -> Cell:
    """A rule that is an object: its class, where the function that it was given lives, and what its class says."""
    kind = type(rule)
    given = [
        v
        for k, v in getattr(rule, "__dict__", {}).items()
        if hasattr(v, "__code__") and v is not getattr(kind, k, None)
    ]
    words = (
        f"{kind.__name__} with {lives_in(given[0])}"
        if given
        else f"{kind.__name__} of {file_in_package(kind, Path(inspect.getfile(kind)))}"
    )
    return Cell(RULE, words, inspect.cleandoc(kind.__doc__ or "").split("\n")[0])


def lives_in(rule: Any) -> str:
    """layer1_core/impl/elementwise.py, function sign"""
    while isinstance(rule, functools.partial):
        rule = rule.func
    code = getattr(rule, "__code__", None)
    if code is None:
        return f"{type(rule).__name__} {getattr(rule, '__name__', '')}".strip()
    return f"{file_in_package(rule, Path(code.co_filename))}, {named(rule.__qualname__)}"


def file_in_package(rule: Any, path: Path) -> str:
    """A file's path inside the package; outside of it, the module's name."""
    root = Path(inspect.getfile(sys.modules[PACKAGE])).parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else f"module {rule.__module__}"


def named(qualname: str) -> str:
    """function `sign`; a function made by `unary`; a lambda"""
    outer, _, inner = qualname.rpartition(".<locals>.")
    if outer:
        return f"a function made by {outer}"
    return "a lambda" if inner == "<lambda>" else f"function {inner}"
