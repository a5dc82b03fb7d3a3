"""`PartitionSpec`, called P: which axes of a mesh divide which axis of an array.

P('x', None)         axis 0 is divided along mesh axis x, axis 1 is whole
P(('x', 'y'))        axis 0 is divided along x, and each part along y
P(unreduced={'x'})   what lies along x are summands: their sum is the value
"""

import enum
from collections.abc import Iterable, Iterator
from typing import Any

AxisName = Any  # a string, nearly always
Partition = Any  # of one axis of an array: None, an axis name, a tuple of them, or UNCONSTRAINED
Partitions = tuple[Partition, ...]
Names = frozenset[AxisName]


class _Unconstrained:
    """An axis of which nothing is said: it is divided as is best."""

    def __repr__(self) -> str:
        return "UNCONSTRAINED"

    def __reduce__(self) -> str:
        return "UNCONSTRAINED"


UNCONSTRAINED = _Unconstrained()


class UnreducedKind(enum.Enum):
    """How summands become the value."""

    sum = enum.auto()
    max = enum.auto()
    min = enum.auto()


class PartitionSpec:
    """How an array is divided among the devices of a mesh: an entry for each of its first axes.

    An entry is None, the name of a mesh axis, a tuple of names (the first divides most coarsely), or
    `P.UNCONSTRAINED`. A spec is no tuple, so that it is a leaf of a tree.

    >>> PartitionSpec(('x',), None)
    P('x', None)

    Raises ValueError for a tuple inside of a tuple.
    """

    __slots__ = ("_partitions", "unreduced", "reduced", "unreduced_kind", "_hash")
    UNCONSTRAINED = UNCONSTRAINED
    __module__ = "jax"
    _partitions: Partitions
    unreduced: Names
    reduced: Names
    unreduced_kind: UnreducedKind | None

    def __init__(
        self,
        *partitions: Partition,
        unreduced: Any = frozenset(),
        reduced: Any = frozenset(),
        unreduced_kind: UnreducedKind | None = None,
    ):
        unreduced, reduced = _names("unreduced", unreduced), _names("reduced", reduced)
        kind = unreduced_kind or (UnreducedKind.sum if unreduced else None)
        key = tuple(map(canonical_partition, partitions)), unreduced, reduced, kind
        _check(*key)
        for name, value in zip(self.__slots__, (*key, hash(key)), strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"cannot assign to field {name!r} of a PartitionSpec: it is immutable")

    def __init_subclass__(cls, **options: Any) -> None:
        raise TypeError("Subclassing `jax.P` is prohibited.")

    @property
    def partitions(self) -> Partitions:
        return self._partitions

    def _key(self) -> tuple[Any, ...]:
        return self._partitions, self.unreduced, self.reduced, self.unreduced_kind

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is PartitionSpec and self._key() == other._key())

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        return _rebuild, self._key()

    def __repr__(self) -> str:
        told = repr(self._partitions)[1:-1]
        sums = [f"{name}={set(axes)!r}" for name in ("unreduced", "reduced") if (axes := getattr(self, name))]
        if self.unreduced_kind:
            sums.append(f"unreduced_kind={self.unreduced_kind.name}")
        between = "" if not (told and sums) else " " if told.endswith(",") else ", "
        return f"P({told}{between}{', '.join(sums)})"

    def __len__(self) -> int:
        return len(self._partitions)

    def __getitem__(self, i: Any) -> Any:
        self._refuse_sums("pspec[...]", "spec.partitions[...]")
        return self._partitions[i]

    def __iter__(self) -> Iterator[Partition]:
        self._refuse_sums("*pspec", "*spec.partitions")
        return iter(self._partitions)

    def _refuse_sums(self, what: str, instead: str) -> None:
        if self.reduced or self.unreduced:
            raise ValueError(
                f"Using {what} is dangerous when PartitionSpec has non-empty unreduced/reduced set. "
                f"Please use {instead}"
            )

    def __add__(self, other: Any) -> "PartitionSpec":
        if isinstance(other, tuple):
            self._refuse_tuple(other, "__add__")
            return PartitionSpec(*self, *other)
        if not isinstance(other, PartitionSpec):
            raise NotImplementedError
        if self.unreduced_kind != other.unreduced_kind:
            raise TypeError(
                "PartitionSpec can't be added if the unreduced_kind differs in self and other. "
                f"Got {self=} and {other=}"
            )
        sums = dict(unreduced=self.unreduced | other.unreduced, reduced=self.reduced | other.reduced)
        return self.update(partitions=self._partitions + other._partitions, **sums)

    def __radd__(self, other: Any) -> "PartitionSpec":
        if not isinstance(other, tuple):
            raise NotImplementedError
        self._refuse_tuple(other, "__radd__")
        return PartitionSpec(*other, *self)

    def _refuse_tuple(self, other: Any, name: str) -> None:
        for what in ("unreduced", "reduced"):
            if getattr(self, what):
                raise TypeError(
                    f"other {other} cannot be of instance `tuple` when self {self} has {what} in `{name}` of "
                    "PartitionSpec."
                )

    def index(self, value: Partition) -> int:
        """The first axis that is divided so. Raises ValueError where none is."""
        return self._partitions.index(canonical_partition(value))

    def count(self, value: Partition) -> int:
        """How many axes are divided so."""
        return self._partitions.count(canonical_partition(value))

    def update(self, partitions: Any = None, **changes: Any) -> "PartitionSpec":
        """This spec with some fields changed."""
        fields: dict[str, Any] = dict(zip(("unreduced", "reduced", "unreduced_kind"), self._key()[1:], strict=True))
        return PartitionSpec(*(self._partitions if partitions is None else partitions), **(fields | changes))


PartitionSpec.__name__ = PartitionSpec.__qualname__ = "P"
P = PartitionSpec


def _rebuild(partitions: Partitions, unreduced: Names, reduced: Names, kind: UnreducedKind | None) -> PartitionSpec:
    return PartitionSpec(*partitions, unreduced=unreduced, reduced=reduced, unreduced_kind=kind)


def _names(argument: str, names: Any) -> Names:
    """Names of mesh axes as they are kept. Raises TypeError for what is no set."""
    if not isinstance(names, (set, frozenset)):
        raise TypeError(f"{argument} argument of PartitionSpec should of type `frozenset` or `set`. Got type {names}")
    return frozenset(names)


def canonical_partition(partition: Partition) -> Partition:
    """An entry as it is kept: a tuple of one name is that name, and an empty one is None."""
    if not isinstance(partition, (tuple, list)):
        return partition
    for name in partition:
        if isinstance(name, (tuple, list)):
            raise ValueError(
                "A tuple inside PartitionSpec cannot contain a nested tuple. "
                f"Got partition: {partition} and the nested tuple: {name}"
            )
    return partition_of(partition)


def partition_of(names: Iterable[AxisName]) -> Partition:
    """The entry of an axis that is divided along these mesh axes."""
    names = tuple(names)
    return names if len(names) > 1 else names[0] if names else None


def axes_of(partition: Partition) -> tuple[AxisName, ...]:
    """The mesh axes that an entry names.

    >>> axes_of(None), axes_of('x'), axes_of(('x', 'y'))
    ((), ('x',), ('x', 'y'))
    """
    if partition is None or partition is UNCONSTRAINED:
        return ()
    return partition if isinstance(partition, tuple) else (partition,)


def _check(partitions: Partitions, unreduced: Names, reduced: Names, kind: UnreducedKind | None) -> None:
    """Raises ValueError where a mesh axis both divides the array and carries summands."""
    for name, axes in (("unreduced", unreduced), ("reduced", reduced)):
        if None in axes:
            raise ValueError(f"{name} cannot contain None. All elements in {name} should refer to the mesh axes.")
    if unreduced & reduced:
        raise ValueError(
            "`unreduced` and `reduced` argument to PartitionSpec cannot overlap. "
            f"Got unreduced: {unreduced} and reduced: {reduced}"
        )
    if not unreduced and kind is not None:
        raise ValueError(
            "`unreduced_kind` should be `None` when `unreduced` is an empty set. "
            f"Got unreduced_kind={kind} and unreduced={unreduced}"
        )
    for axis in (a for partition in partitions for a in axes_of(partition)):
        for name, axes in (("unreduced", unreduced), ("reduced", reduced)):
            if axis in axes:
                raise ValueError(
                    f"partitions cannot overlap with {name} axes passed to PartitionSpec. "
                    f"Got partitions: {partitions} and {name} axes: {axes}"
                )
