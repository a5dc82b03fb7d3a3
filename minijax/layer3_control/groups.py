"""How the operands and the results of a loop are grouped: constants, carry and sequences, and groups within these.

Nothing is computed with the finer groups; they tell where an operand comes from (which were left out, which are
residuals). They are printed as JAX prints them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..layer1_core.tree import PyTreeDef, tree_structure
from .bodies import parts


class Group:
    """Values one after the other, in groups."""

    count: int  # how many values have not been left out

    def children(self) -> tuple["Group", ...]:
        """The groups in it."""
        raise NotImplementedError

    def kept(self, marks: Iterator[bool]) -> "Group":
        """The group with those of its values of which the next of the marks is true."""
        raise NotImplementedError

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each of the groups in it has."""
        return tuple(child.count for child in self.children())

    def split(self, values: Sequence[Any]) -> list[list[Any]]:
        """The values of each of the groups in it."""
        *each, rest = parts(values, *self.sizes)
        assert not rest, (self, values)
        return each


@dataclass(frozen=True)
class Leaves(Group):
    """Values that belong together: one of them, or the leaves of a tree. Some may have been left out.

    A cell is None, inside of a Right for each time that it was kept, or of a Left, where it was left out.
    """

    cells: tuple[str, ...] = ("None",)
    tree: PyTreeDef | None = None
    sieved: int = 0  # how many times some of them may have been left out

    @property
    def count(self) -> int:
        return sum("Left" not in cell for cell in self.cells)

    def children(self) -> tuple[Group, ...]:
        """The groups that the tree has at its root."""
        assert self.tree is not None
        trees = self.tree.children()
        *each, _ = parts(self.cells, *(tree.num_leaves for tree in trees))
        return tuple(Leaves(tuple(cells), tree, self.sieved) for cells, tree in zip(each, trees, strict=True))

    def kept(self, marks: Iterator[bool]) -> "Leaves":
        cells = [c if "Left" in c else _marked(c, next(marks)) for c in self.cells]
        return Leaves(tuple(cells), self.tree, self.sieved + 1)

    def __repr__(self) -> str:
        shown = self.cells[0] if self.tree is None else f"Pytree(vals=[{', '.join(self.cells)}], tree={self.tree})"
        return "RightsOnly(" * self.sieved + shown + ")" * self.sieved


def _marked(cell: str, kept: bool) -> str:
    return cell.replace("None", f"{'Right' if kept else 'Left'}(None)")


@dataclass(frozen=True)
class Joined(Group):
    """Groups one after the other."""

    groups: tuple[Group, ...]

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)

    def children(self) -> tuple[Group, ...]:
        return self.groups

    def kept(self, marks: Iterator[bool]) -> "Joined":
        return Joined(tuple(group.kept(marks) for group in self.groups))

    def __repr__(self) -> str:
        return repr(self.groups)


def joined(*groups: Group) -> Joined:
    """Groups, one after the other."""
    return Joined(groups)


def singles(n: int) -> Joined:
    """`n` values, each by itself."""
    return Joined((Leaves(),) * n)


def leaves_of(tree: Any) -> Leaves:
    """The leaves of a tree of values."""
    structure = tree_structure(tree)
    return Leaves(("None",) * structure.num_leaves, structure)


def kept(group: Group, marks: Sequence[bool]) -> Group:
    """The group with those of its values that are marked."""
    return group.kept(iter(marks))
