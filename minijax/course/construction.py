"""The package under construction: in chapter N, what stood after chapter N - 1, and layer N as far as it was typed.

`Construction(4)` drops the package from `sys.modules` and puts an import finder in front of Python's own. From then on
`import minijax` loads the folders of the layers below 4 as they are; the files of layer 4 and the faces grow with each
`write` (see growing.py). A function that is typed again gets its new code in place, where that is right (see adopt.py);
after any other change the package is built anew from the learner's texts.
"""

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from .chapters import (
    NAME,
    PACKAGE,
    TOOLS,
    Step,
    Typed,
    beginning,
    is_within,
    layer_of,
    refused,
    sections,
    steps,
    upto,
)
from .growing import Growing, GrowingModule, Page, growing, growing_of
from .snapshot import Snapshot
from .statements import CELL, Statement, lines_of, one_name_each, statements


class NoSuchFile(ValueError):
    """A layer cell for a file that the chapter does not type."""


class Construction:
    """The package as it stands in a chapter."""

    def __init__(self, chapter: int, typed: Typed | None = None):
        self.chapter = chapter
        self.steps = {step.id: step for step in steps(chapter)}
        self.typed: Typed = {}  # by the learner, or for them, in this order
        self.called: set[CodeType] = set()  # the functions that were called while the package was built
        self.pages: dict[Path, Page] = {}
        self._build(typed or {})

    def _build(self, typed: Typed) -> None:
        """Load the package as it is with these statements, anew."""
        flags = _flags()
        leave()
        drop()
        sys.meta_path.insert(0, _Finder(self))
        self.typed, self.called = typed, set()
        package = importlib.import_module(NAME)
        for file, _ in typed:
            importlib.import_module(_module_name(file))
        package.course = sys.modules[TOOLS]  # type: ignore[attr-defined]
        self._advance()
        _set_flags(flags)

    # ---- what is there

    def own(self) -> Typed:
        """What was typed otherwise than it is in the package."""
        return {key: s for key, s in self.typed.items() if s.text != self.module(key[0]).package_text(s)}

    def missing(self) -> list[Step]:
        """The steps that were not typed, in order."""
        return [s for s in self.steps.values() if any((s.file, key) not in self.typed for key in s.keys)]

    def module(self, file: str) -> Growing:
        """The module of a file in which there are steps, as it stands.

        Raises NoSuchFile for any other file.
        """
        files = list(dict.fromkeys(step.file for step in self.steps.values()))
        if file not in files:
            raise NoSuchFile(f"Chapter {self.chapter} has no step in {file!r}. Its steps are in {', '.join(files)}.")
        name = _module_name(file)
        importlib.import_module(name)
        found = growing_of(name)
        assert found is not None
        return found

    # ---- typing

    def write(self, file: str, source: str) -> list[Statement]:
        """Execute the statements of `source` in the module of `file`; those that are new or differ from what stood.

        Whatever raises leaves the package as it was.
        """
        compile(source, CELL, "exec", dont_inherit=True)  # which finds more errors than parsing: `return` at top level
        found = [each for s in statements(source) for each in one_name_each(s)]
        with self._all_or_nothing():
            module = self.module(file)
            parts = [s for s in found if not s.only_shows or module.package_text(s)]
            changed = [s for s in parts if module.text_of(s) != s.text]
            self._type(file, parts, changed)
            for experiment in (s for s in found if s not in parts):
                self.module(file).show(experiment)
        return changed

    def _type(self, file: str, parts: list[Statement], changed: list[Statement]) -> None:
        typed = self.typed | {(file, s.key): s for s in parts}
        if all(map(self.module(file).take, changed)):
            self.typed = typed
            self._advance()
            return
        self._build(typed)
        module = self.module(file)
        for statement in changed:
            if module.text_of(statement) is None:  # it waits: run it at once, which tells for what
                module.put(statement)

    def fill(self, typed: Typed) -> None:
        """Let these statements stand in the package, as if they had been typed; each runs when its turn comes."""
        with self._all_or_nothing():
            if any(key in self.typed and self.typed[key].text != typed[key].text for key in typed) or not self.typed:
                self._build(self.typed | typed)
                return
            for (file, key), statement in typed.items():
                if (file, key) not in self.typed:
                    self.module(file).fill([statement])
            self.typed = self.typed | typed
            self._advance()

    def _advance(self) -> None:
        """Run what can run, until nothing more can."""
        while sum(module.advance() for module in growing()):
            pass

    # ---- care

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Put the package, and what is known of it, back as it was where the body raises."""
        modules = {name: sys.modules[name] for name in ours()}
        mine, finders = {**vars(self)}, [*sys.meta_path]
        states = [(module, module.states()) for module in growing()]
        snapshot = Snapshot.take()
        try:
            yield
        except BaseException:
            drop()
            sys.modules.update(modules)
            sys.meta_path[:] = finders
            snapshot.restore()
            for module, those in states:
                module.go_back(those)
            vars(self).update(mine)
            raise


class _Finder(MetaPathFinder, Loader):
    """Finds the modules that are not loaded as they are: those that grow, and those that a later chapter brings."""

    def __init__(self, construction: Construction):
        self.construction, self.chapter = construction, construction.chapter
        self.holes: dict[str, dict[str, Step]] = {}  # file -> key -> step
        for step in steps(self.chapter):
            self.holes.setdefault(step.file, {}).update(dict.fromkeys(step.keys, step))

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        file = _file_of(name)
        if file is None:
            return None
        arrives = layer_of(file) or beginning(file.read_text())
        if arrives > self.chapter:
            raise ModuleNotFoundError(f"No module named {name!r} yet: chapter {arrives} brings it", name=name)
        if not self._grows(file):
            return None
        inside = [str(file.parent)] if file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(name, file, loader=self, submodule_search_locations=inside)

    def _grows(self, file: Path) -> bool:
        if layer_of(file):
            return layer_of(file) == self.chapter and (_is_part(file) or _in_package(file) in self.holes)
        return self.chapter == 1 or any(chapter >= self.chapter for chapter, _ in sections(file.read_text()))

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return GrowingModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        assert isinstance(module, GrowingModule) and module.__spec__ and module.__spec__.origin
        path, built = Path(module.__spec__.origin), self.construction
        file, source, later = _in_package(path), path.read_text(), {}
        page = built.pages.setdefault(path, lines_of(source))
        if layer_of(path) is None:
            source, later = upto(source, self.chapter), refused(source, self.chapter)
        grows = Growing(module, path, page, built.called)
        grows.begin(source, self.holes.get(file, {}), later)
        grows.fill(statement for (of, _), statement in built.typed.items() if of == file)
        grows.advance()


def _file_of(name: str) -> Path | None:
    """The file of a module of the package, the tools excepted; None for any other."""
    if not is_within(name, NAME) or is_within(name, TOOLS):
        return None
    path = PACKAGE.joinpath(*name.split(".")[1:])
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def _is_part(file: Path) -> bool:
    """Whether a file is the index of a part of a layer, such as layer1_core/lax/__init__.py: that grows."""
    return file.name == "__init__.py" and len(file.relative_to(PACKAGE).parts) <= 3


def _in_package(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def _module_name(file: str) -> str:
    return f"{NAME}.{file.removesuffix('.py').replace('/', '.')}"


def ours() -> list[str]:
    """The names of the package's modules that are loaded, the tools excepted."""
    return [name for name in sys.modules if _file_of(name)]


def drop() -> None:
    """Forget the package's modules: the next import loads them anew."""
    for name in ours():
        del sys.modules[name]


def leave() -> None:
    """Take the finder of a chapter away."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]


def _flags() -> dict[str, Any]:
    """The package's flags that have a plain value: a package that is built anew keeps them."""
    known = getattr(sys.modules.get(f"{NAME}.layer1_core.config"), "FLAGS", {})
    return {name: flag.default for name, flag in known.items() if isinstance(flag.default, bool | int | str)}


def _set_flags(values: dict[str, Any]) -> None:
    known = getattr(sys.modules.get(f"{NAME}.layer1_core.config"), "FLAGS", {})
    for name in values.keys() & known.keys():
        known[name].default = values[name]
