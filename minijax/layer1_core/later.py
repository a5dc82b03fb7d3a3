"""Names that are not there: those that a later chapter brings, and those that are left out on purpose."""

from collections.abc import Callable, Iterable, Mapping


def later(
    module: str, chapters: Mapping[int, Iterable[str]], refused: Mapping[str, str] | None = None
) -> Callable[[str], object]:
    """A module's `__getattr__`: an AttributeError that says which chapter brings the name or what to do instead.

    A name that JAX does not have either is refused in JAX's words.
    """
    chapter_of = {name: chapter for chapter, names in chapters.items() for name in names}

    def __getattr__(name: str) -> object:
        if name in chapter_of:
            raise AttributeError(
                f"module {module!r} has no attribute {name!r} yet: chapter {chapter_of[name]} brings it"
            )
        if refused and name in refused:
            raise AttributeError(f"module {module!r} has no attribute {name!r}: {refused[name]}")
        raise AttributeError(f"module {module.replace('minijax', 'jax')!r} has no attribute {name!r}")

    return __getattr__
