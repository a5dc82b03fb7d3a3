"""What is kept of the keys that a function makes and uses: text and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

SEED, SPLIT, FOLD, DRAW, CLONE = "seed", "split", "fold_in", "draw", "clone"
USES = (SPLIT, DRAW)  # what uses a key up
FIRST, MOST = 6, 60  # keys of one split that are shown; keys of all


@dataclass(frozen=True)
class Origin:
    """How a key came to be: split(3)[1] of the key number 0, in step 2."""

    how: str
    parent: int | None
    step: int


@dataclass
class Key:
    """A key is its words: where the same words come again, it is the same key."""

    words: tuple[int, ...]
    origins: list[Origin] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)  # the steps that use it up
    clones: int = 0

    @property
    def hex(self) -> str:
        return " ".join(f"{word:08x}" for word in self.words)

    @property
    def short(self) -> str:
        """The last four digits of each word."""
        return " ".join(f"{word & 0xFFFF:04x}" for word in self.words[:4])

    def used_by(self, step: int) -> list[int]:
        return [s for s in self.uses if s <= step]

    def reused(self, step: int) -> bool:
        return len(self.used_by(step)) > 1 + self.clones


@dataclass(frozen=True)
class Step:
    """An operation on keys. `code` is the text of the call; `place` says where it stands."""

    kind: str
    code: str
    place: str
    used: tuple[int, ...]
    made: tuple[int, ...]
    more: int = 0  # keys that it takes or makes and that are not kept


@dataclass
class Recording:
    """Steps are numbered from 1 on; key k is `keys[k]`."""

    name: str
    keys: list[Key] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    problem: str = ""
    places: dict[tuple[int, ...], int] = field(default_factory=dict)

    def key(self, words: Sequence[int], how: str, parent: int | None = None) -> int:
        """The number of the key with these words; a new one, or one that has now come in one more way."""
        words = tuple(words)
        origin = Origin(how, parent, len(self.steps) + 1)
        if words not in self.places:
            self.places[words] = len(self.keys)
            self.keys.append(Key(words, [origin]))
        key = self.keys[self.places[words]]
        if how and (how, parent) not in [(o.how, o.parent) for o in key.origins]:
            key.origins.append(origin)
        return self.places[words]

    def add(self, step: Step) -> None:
        self.steps.append(step)
        for k in {*step.used}:
            if step.kind in USES:
                self.keys[k].uses += [len(self.steps)] * step.used.count(k)
            self.keys[k].clones += step.kind == CLONE

    # ---- the tree

    def there(self, step: int) -> list[int]:
        """The keys that there are after a step."""
        return [k for k, key in enumerate(self.keys) if key.origins[0].step <= max(step, 1)]

    def children(self, k: int | None, step: int) -> list[int]:
        return [c for c in self.there(step) if self.keys[c].origins[0].parent == k]

    def rows(self, step: int) -> list[tuple[int, int | None, int]]:
        """The tree from the top: (depth, key, 0); (depth, None, n) for n keys of one parent that are left out.

        Of many children the first are shown, and those that have children or are used twice.
        """
        found: list[tuple[int, int | None, int]] = []
        self._grow(None, 0, step, found)
        if len(found) > MOST:
            left = [k for _, k, _ in found[MOST:] if k is not None]
            return [*found[:MOST], (0, None, len(left))]
        return found

    def _grow(self, parent: int | None, depth: int, step: int, found: list[tuple[int, int | None, int]]) -> None:
        children = self.children(parent, step)
        special = [k for k in children[FIRST:] if self.children(k, step) or self.keys[k].reused(step)]
        shown = [*children[:FIRST], *special[:FIRST]]
        for k in shown:
            found.append((depth, k, 0))
            if len(found) <= MOST:
                self._grow(k, depth + 1, step, found)
        if len(children) > len(shown):
            found.append((depth, None, len(children) - len(shown)))
