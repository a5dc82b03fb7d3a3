"""Named axes: a function that is mapped may ask by name how long the axis is, and compute along it.

The names are bound while the function runs. Programs are remembered by them too, as by flags: the same function at the
same types is another program where an axis has another size.
"""

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ..layer1_core import config, staging


class _NoName:
    """The name of an axis that has none: it is equal to no name that a user gives."""

    def __repr__(self) -> str:
        return "<no axis name>"


no_axis_name = _NoName()


@dataclass(frozen=True)
class AxisData:
    """The axis over which a function is mapped."""

    name: Hashable
    size: int
    # Of these chapter 7 makes use: names of a mesh's axes; how the axis is divided, where types say so (a sharding).
    spmd_name: tuple[Any, ...] | None = None
    place: Any = None


_place: ContextVar[Any] = ContextVar("place", default=None)


def place_of_batch() -> Any:
    """How the batch axis is divided that a rule is asked about here; None where no type says it."""
    return _place.get()


@contextmanager
def divided_as(place: Any) -> Iterator[None]:
    """Inside of this `with`, batch axes are divided so."""
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


def bound(pairs: Iterable[tuple[Hashable, int]]) -> AbstractContextManager[None]:
    """Inside this `with` these names are bound to axes of these sizes; an inner name hides an outer one."""
    named = {name: size for name, size in pairs if name is not no_axis_name}
    return config.axis_env((*(dict(config.axis_env.value) | named).items(),)) if named else nullcontext()


def axis_sizes() -> dict[Hashable, int]:
    """The sizes of the axes that are bound here, by name."""
    return dict(config.axis_env.value)


def size_of_axis(name: Hashable) -> int:
    """The size of the axis of this name. Raises NameError where there is none."""
    sizes = axis_sizes()
    if name not in sizes:
        raise NameError(f"unbound axis name: {name}")
    return sizes[name]


def check_bound(names: Sequence[Hashable], function: str) -> None:
    """Raises NameError, in JAX's words, for a name that is bound to no axis."""
    for name in names:
        if name not in axis_sizes():
            raise NameError(
                f"Found an unbound axis name: {name}. To fix this, please call {function} under `jax.shard_map`."
            )


def make_jaxpr(
    fun: Callable[..., Any],
    static_argnums: int | Sequence[int] = (),
    axis_env: Iterable[tuple[Hashable, int]] | None = None,
    return_shape: bool = False,
) -> Callable[..., Any]:
    """`staging.make_jaxpr` for a function of named axes: `axis_env` says their names and sizes."""
    made = staging.make_jaxpr(fun, static_argnums, return_shape)

    @functools.wraps(made)
    def jaxpr_of(*args: Any, **kwargs: Any) -> Any:
        with bound(axis_env or ()):
            return made(*args, **kwargs)

    return jaxpr_of
