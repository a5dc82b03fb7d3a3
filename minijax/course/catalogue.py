"""All exercises of the course, by their ids, and the chapters that they belong to."""

from . import chapter1, chapter2, chapter3, chapter4, chapter5, chapter6, chapter7
from .exercise import Exercise

_CHAPTERS = (chapter1, chapter2, chapter3, chapter4, chapter5, chapter6, chapter7)
EXERCISES: dict[str, Exercise] = {exercise.id: exercise for chapter in _CHAPTERS for exercise in chapter.EXERCISES}
TITLES: dict[int, str] = {chapter.EXERCISES[0].chapter: chapter.TITLE for chapter in _CHAPTERS}


def stem(exercise: Exercise) -> str:
    """What the ids of the cells of an exercise begin with: 'ex-1-3'."""
    return f"ex-{exercise.id.replace('.', '-')}"
