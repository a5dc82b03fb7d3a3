"""Names that are not there: those that a later chapter brings, and those that are left out on purpose."""

from collections.abc import Callable, Iterable, Mapping


def later(
    module: str, chapters: Mapping[int, Iterable[str]], refused: Mapping[str, str] | None = None
) -> Callable[[str], object]:
    """A module's `__getattr__`: an AttributeError that says which chapter brings the name or what to do instead."""
    chapter_of = {name: chapter for chapter, names in chapters.items() for name in names}

    def __getattr__(name: str) -> object:
        message = f"module {module!r} has no attribute {name!r}"
        if name in chapter_of:
            message += f" yet: chapter {chapter_of[name]} brings it"
        elif refused and name in refused:
            message += f": {refused[name]}"
        raise AttributeError(message)

    return __getattr__
