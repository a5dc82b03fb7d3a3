"""Trees of types that should be equal, and the words for how they differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..layer1_core.aval import ShapedArray, match
from ..layer1_core.tree import PyTreeDef, tree_flatten_with_path, tree_unflatten


@dataclass(frozen=True)
class Typed:
    """A tree of arrays, by its structure and the types of its leaves."""

    tree: PyTreeDef
    avals: Sequence[ShapedArray]

    @property
    def whole(self) -> Any:
        """The tree with the types as leaves."""
        return tree_unflatten(self.tree, self.avals)

    @property
    def paths(self) -> list[Any]:
        """The key path of each leaf."""
        return [path for path, _ in tree_flatten_with_path(self.whole)[0]]


def same_type(a: ShapedArray, b: ShapedArray) -> bool:
    """Whether two types are equal; that one of them is weak does not count."""
    return match(a, b)


def same_types(some: Sequence[ShapedArray], others: Sequence[ShapedArray]) -> bool:
    return len(some) == len(others) and all(map(same_type, some, others))


def differing(a: Typed, b: Typed) -> list[tuple[Any, ShapedArray, ShapedArray]]:
    """The path and the two types of each leaf whose types differ, of two trees of one structure."""
    found = zip(a.paths, a.avals, b.avals, strict=True)
    return [(path, x, y) for path, x, y in found if not same_type(x, y)]


def what_differs(a: ShapedArray, b: ShapedArray) -> str:
    """How two types differ.

    >>> what_differs(ShapedArray((2,), "int8"), ShapedArray((), "int32"))
    ', so the dtypes do not match, and the shapes do not match'
    """
    fields = {"dtypes": "dtype", "shapes": "shape", "manual axis types": "vma"}
    told = [f"the {name} do not match" for name, field in fields.items() if getattr(a, field) != getattr(b, field)]
    if not told:
        return ""
    *first, last = told
    return f", so {', '.join(first)}, and {last}" if first else f", so {last}"


SEE = "See https://docs.jax.dev/en/latest/notebooks/shard_map.html#scan-vma for more information.\n"


def advice(fixes: Sequence[str], gap: str = "") -> str:
    """What to try where values vary along other axes of a mesh, `listed`: an empty text for no fixes."""
    if not fixes:
        return ""
    told = f" {fixes[0]}.\n" if len(fixes) == 1 else ":\n" + listed(fixes, gap)
    return f"\nThis might be fixed by{told}{SEE}"


def made_varying(a: ShapedArray, b: ShapedArray) -> str:
    """What makes a value of type `a` vary as one of type `b` does."""
    return f"applying `jax.lax.pcast(..., {tuple(sorted(b.vma - a.vma, key=str))}, to='varying')`"


def listed(differences: Sequence[str], gap: str = "") -> str:
    """One difference as a sentence; more as a list, with `gap` between all but the last two."""
    *first, last = differences
    if not first:
        return f"The {last[4:]}.\n" if last.startswith("the ") else f"{last}.\n"  # a name keeps its first letter
    return gap.join(f"  * {d};\n" for d in first) + f"  * {last}.\n"
