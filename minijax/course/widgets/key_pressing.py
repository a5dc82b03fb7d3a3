"""Operations on keys that a learner asks for by buttons: they are those of the package, carried out at once."""

from typing import Any

import numpy as np

from .batch_call import one_line, words_of_error
from .figure import package_module
from .key_recording import DRAW, Recording
from .key_running import Notes, Stopped, uses_allowed, words_of

SPLIT_IN_TWO, FOLDED, DRAWN = "Split in two", "Fold in the next number", "Draw a number"


class Presses:
    """A recording that grows. Of the keys only the words are kept, so that another package may come meanwhile."""

    def __init__(self, start: Any):
        self.impl, self.words = None, None
        self.seed = int(start) if isinstance(start, int | np.integer) else None
        if self.seed is None:
            self.take(start)
        self.start()

    def take(self, key: Any) -> None:
        """Begin with a key that there is. Raises TypeError where this is none."""
        random = package_module("random")
        try:
            self.impl, (self.words,) = random.key_impl(key), words_of(key)
        except (TypeError, ValueError, AttributeError):
            told = "key_tree shows a function with its arguments, or one key, or a seed"
            raise TypeError(f"{told}, and this is {one_line(repr(key))}") from None

    def start(self) -> None:
        """The first key alone."""
        self.found, self.folded = Recording("the tree"), dict[int, int]()
        self.told(self.first)

    def first(self) -> None:
        if self.words is None:
            self.words = words_of(package_module("random").key(self.seed))[0]
        self.found.key(self.words, "given" if self.seed is None else f"key({self.seed})")

    def press(self, name: str, k: int) -> None:
        """Do to key k what the button says. A refusal of the package is told."""
        self.found.problem = ""
        action = {SPLIT_IN_TWO: self.split, FOLDED: self.fold_in, DRAWN: self.draw}[name]
        self.told(lambda: action(k, f"press {len(self.found.steps) + 1}"))

    def told(self, action: Any) -> None:
        try:
            with uses_allowed():
                action()
        except Stopped:
            self.found.problem = "The tree is large enough: start again."
        except Exception as error:  # told, where a traceback would say less
            self.found.problem = f"The package refuses. {words_of_error(error)}"

    def key(self, k: int) -> Any:
        """The key as the package has it."""
        random = package_module("random")
        words = package_module("numpy").array(self.found.keys[k].words, "uint32")
        return random.wrap_key_data(words) if self.impl is None else random.wrap_key_data(words, impl=self.impl)

    def split(self, k: int, place: str) -> None:
        key = self.key(k)
        Notes(self.found).split(key, package_module("random").split(key), "split(key)", place)

    def fold_in(self, k: int, place: str) -> None:
        key, n = self.key(k), self.folded.get(k, 0)
        self.folded[k] = n + 1
        made = package_module("random").fold_in(key, n)
        Notes(self.found).folded(key, n, made, f"fold_in(key, {n})", place)

    def draw(self, k: int, place: str) -> None:
        number = float(package_module("random").uniform(self.key(k)))
        Notes(self.found).add(DRAW, f"uniform(key) = {number:.6f}", place, [k], [])
