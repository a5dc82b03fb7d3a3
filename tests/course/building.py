"""What the tests of the course's mechanics share: a chapter begun here, and the package as it was put back after it."""

import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from minijax.course import construction
from minijax.course.chapters import Step, Typed, steps, texts
from minijax.course.isolation import remember


@contextmanager
def begun(chapter: int, typed: Typed | None = None) -> Iterator[construction.Construction]:
    """A chapter that was begun, with these statements typed. After it, the modules that other tests know are back."""
    modules, finders = {name: sys.modules[name] for name in construction.ours()}, [*sys.meta_path]
    try:
        yield construction.Construction(chapter, typed)
    finally:
        construction.drop()
        sys.modules.update(modules)
        sys.meta_path[:] = finders
        linecache.clearcache()
        remember()  # a %chapter let checks begin with the package that is gone


def upto(id: str) -> Typed:
    """The package's text of the steps of chapter 1 up to one of them."""
    ids = [step.id for step in steps(1)]
    return {key: s for step in steps(1)[: ids.index(id) + 1] for key, s in texts(step).items()}


def step_of(key: str) -> Step:
    return next(step for step in steps(1) if key in step.keys)


def text_of(key: str) -> str:
    step = step_of(key)
    return texts(step)[step.file, key].text
