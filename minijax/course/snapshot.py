"""What the package holds at one moment, to be put back later, whatever was done to it in between.

A learner who tries things out changes the package: a rule is overwritten, a flag is set, a class gets a method. A
snapshot remembers what all modules, tables, classes, functions and primitives of the package hold. It keeps references
only, one level deep, so taking one is cheap, and `restore` brings the same objects back.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from operator import is_
from types import FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, NamedTuple

# Python itself writes these into a module or a class, some of them when they are first asked for.
_PYTHONS_OWN = frozenset(["__builtins__", "__dict__", "__weakref__", "__annotations__", "__annotations_cache__"])
_DEEPEST = 2  # a module's table is at 0, a primitive in it at 1, and the primitive's own table at 2
_NEVER_CHANGE = frozenset([str, int, float, bool, complex, bytes, type(None), type(...), ModuleType])
_WRAPPERS: dict[type, Callable[[Any], Iterable[Any]]] = {  # what holds a function, and how to get at that
    staticmethod: lambda w: [w.__func__],
    classmethod: lambda w: [w.__func__],
    MethodType: lambda w: [w.__func__],
    property: lambda w: [w.fget, w.fset, w.fdel],
    cached_property: lambda w: [w.func],
    partial: lambda w: [w.func],
    tuple: list,
    frozenset: list,
}


def is_of_package(name: str | None) -> bool:
    """Whether a module of this name is one that a snapshot covers: minijax without the course."""
    first, second = (f"{name}..").split(".")[:2]
    return first == "minijax" and second != "course"


class Record(NamedTuple):
    """One object and what it held. `restore(subject, held)` puts that back, and tells whether it had to."""

    restore: Callable[[Any, Any], bool]
    subject: Any
    held: Any


class Snapshot:
    """What the modules of the package hold. `Snapshot.take()` makes one."""

    def __init__(self, modules: dict[str, ModuleType], records: list[Record], caches: list[Any]):
        self.modules, self._records, self._caches = modules, records, caches

    @classmethod
    def take(cls) -> "Snapshot":
        """The state of all modules of the package that are imported, those of the course excepted."""
        modules = {name: module for name, module in list(sys.modules.items()) if is_of_package(name)}
        walk = _Walk(modules)
        return cls(modules, walk.classes + walk.others, walk.caches)

    def restore(self) -> None:
        """Put all of it back in place: the same objects, not one name less and not one more.

        Modules of the package that were imported since leave `sys.modules` and the modules above them. Where anything
        had changed, the package also forgets what it remembers of earlier calls: it may come from the change.
        """
        for name in [name for name in list(sys.modules) if is_of_package(name) and name not in self.modules]:
            del sys.modules[name]
        sys.modules.update(self.modules)
        if [record for record in self._records if record.restore(record.subject, record.held)]:
            self._forget()

    def _forget(self) -> None:
        for cached in self._caches:
            cached.cache_clear()
        clear = getattr(self.modules.get("minijax"), "clear_caches", None)
        if clear is not None:
            clear()


# ---- finding what can change


class _Walk:
    """Records of everything changeable that the modules lead to."""

    def __init__(self, modules: dict[str, ModuleType]):
        self.classes: list[Record] = []  # they come back first: the others are restored by means of their methods
        self.others: list[Record] = []
        self.caches: list[Any] = []
        self._seen: set[int] = set()
        self._slots: dict[type, list[MemberDescriptorType]] = {}
        self._globals = {id(vars(module)) for module in modules.values()}
        for module in modules.values():
            self._namespace(vars(module), 0)

    def _visit(self, values: Iterable[Any], depth: int) -> None:
        for value in values:
            if type(value) not in _NEVER_CHANGE and id(value) not in self._seen:
                self._seen.add(id(value))
                self._one(value, depth)

    def _one(self, value: Any, depth: int) -> None:
        kind = type(value)
        if kind is FunctionType:
            self._function(value, depth)
        elif isinstance(value, type):
            self._class(value, depth)
        elif kind in _WRAPPERS:
            self._visit(_WRAPPERS[kind](value), depth)
        elif hasattr(kind, "cache_clear"):
            self.caches.append(value)
            self._visit([value.__wrapped__], depth)
        else:
            self._object(value, depth)

    def _namespace(self, namespace: dict[str, Any], depth: int) -> None:
        self.others.append(Record(_restore_namespace, namespace, dict(namespace)))
        self._visit([value for name, value in namespace.items() if name not in _PYTHONS_OWN], depth)

    def _function(self, function: FunctionType, depth: int) -> None:
        if id(function.__globals__) in self._globals:
            code = function.__code__, function.__defaults__, function.__kwdefaults__
            attributes = dict(vars(function))
            self.others.append(Record(_restore_function, function, (*code, attributes)))
            self._visit(attributes.values(), depth)

    def _class(self, cls: type, depth: int) -> None:
        if is_of_package(cls.__module__):
            held = dict(vars(cls))
            self.classes.append(Record(_restore_class, cls, held))
            self._visit(held.values(), depth)

    def _object(self, value: Any, depth: int) -> None:
        if isinstance(value, dict):
            self._container(_restore_mapping, value, dict(value), value.values(), depth)
        elif isinstance(value, list | deque):
            self._container(_restore_sequence, value, list(value), value, depth)
        elif isinstance(value, set):
            self._container(_restore_set, value, list(value), value, depth)
        if depth < _DEEPEST and is_of_package(type(value).__module__):
            self._instance(value, depth)

    def _container(self, restore: Any, value: Any, held: Any, inside: Iterable[Any], depth: int) -> None:
        self.others.append(Record(restore, value, held))
        if depth < _DEEPEST:
            self._visit(list(inside), depth + 1)

    def _instance(self, value: Any, depth: int) -> None:
        slots = self._slots_of(type(value))
        if slots:
            held = [(slot, _read(slot, value)) for slot in slots]
            self.others.append(Record(_restore_slots, value, held))
            self._visit([content for _, content in held], depth + 1)
        namespace = getattr(value, "__dict__", None)
        if isinstance(namespace, dict):
            self._namespace(namespace, depth + 1)

    def _slots_of(self, cls: type) -> list[MemberDescriptorType]:
        if cls not in self._slots:
            members = [member for base in cls.__mro__ for member in vars(base).values()]
            self._slots[cls] = [member for member in members if type(member) is MemberDescriptorType]
        return self._slots[cls]


# ---- putting it back


_NOTHING: Any = object()  # an empty slot


def _same(old: dict[Any, Any], new: Any) -> bool:
    """Whether two mappings hold the same objects under the same keys, in the same order."""
    return len(old) == len(new) and all(map(is_, old, new)) and all(map(is_, old.values(), new.values()))


def _read(slot: MemberDescriptorType, value: Any) -> Any:
    try:
        return slot.__get__(value)
    except AttributeError:
        return _NOTHING


def _restore_namespace(namespace: dict[str, Any], held: dict[str, Any]) -> bool:
    if _same(held, namespace):
        return False
    added = [name for name in list(namespace) if name not in held]
    changed = [name for name in held if namespace.get(name, _NOTHING) is not held[name]]
    for name in added:
        del namespace[name]
    namespace.update((name, held[name]) for name in changed)
    return bool(added or changed)


def _restore_mapping(mapping: Any, held: dict[Any, Any]) -> bool:
    if _same(held, mapping):
        return False
    mapping.clear()
    mapping.update(held)
    return True


def _restore_sequence(items: Any, held: list[Any]) -> bool:
    if len(items) == len(held) and all(map(is_, items, held)):
        return False
    items.clear()
    items.extend(held)
    return True


def _restore_set(items: set[Any], held: list[Any]) -> bool:
    if len(items) == len(held) and set(map(id, items)) == set(map(id, held)):
        return False
    items.clear()
    items.update(held)
    return True


def _restore_function(function: FunctionType, held: tuple[Any, Any, Any, dict[str, Any]]) -> bool:
    code, defaults, kwdefaults, attributes = held
    now = vars(function)
    changed = bool(now or attributes) and _restore_namespace(now, attributes)  # most have none
    if function.__code__ is code and function.__defaults__ is defaults and function.__kwdefaults__ is kwdefaults:
        return changed
    function.__code__, function.__defaults__, function.__kwdefaults__ = code, defaults, kwdefaults
    return True


def _restore_class(cls: type, held: dict[str, Any]) -> bool:
    now = vars(cls)
    if _same(held, now):
        return False
    added = [name for name in list(now) if name not in held and name not in _PYTHONS_OWN]
    changed = [name for name in held if now.get(name, _NOTHING) is not held[name] and name not in _PYTHONS_OWN]
    for name in added:
        type.__delattr__(cls, name)
    for name in changed:
        type.__setattr__(cls, name, held[name])
    return bool(added or changed)


def _restore_slots(value: Any, held: list[tuple[MemberDescriptorType, Any]]) -> bool:
    changed = [(slot, content) for slot, content in held if _read(slot, value) is not content]
    for slot, content in changed:
        slot.__delete__(value) if content is _NOTHING else slot.__set__(value, content)
    return bool(changed)
