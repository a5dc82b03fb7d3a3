"""Where a computation happens: where committed operands are, on the devices of the context's mesh, or by default."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import config
from .array import ArrayImpl
from .devices import Device, Sharding, default_device, sharding_on


def device_conflict(
    where: str,
    operands: Mapping[int, ArrayImpl],
    names: Sequence[str] | None = None,
    of_mesh: Sequence[Device] | None = None,
) -> ValueError:
    """The error for committed operands on different devices, or on others than those of the context's mesh.

    It keeps what it is about, for `with_names`.
    """
    told = [
        f"argument {names[i] if names else f'args[{i}]'} of {where} with shape {x.aval.str_short()} "
        f"and with {_told(x._sharding.device_list)}"
        for i, x in operands.items()
    ]
    if of_mesh is not None:
        told.append(f"jit's context mesh with {_told(of_mesh)}")
    error = ValueError(f"Received incompatible devices for jitted computation. Got {' and '.join(told)}")
    error.about = operands, of_mesh  # type: ignore[attr-defined]
    return error


def _told(devices: Sequence[Device]) -> str:
    return f"device ids {[d.id for d in devices]} on platform CPU"


def with_names(error: ValueError, where: str, names: Sequence[str]) -> ValueError:
    """A device conflict in the words of the function `where`, whose arguments have these names; others as they are."""
    about = getattr(error, "about", None)
    return error if about is None else device_conflict(where, about[0], names, about[1])


def placement(args: Sequence[Any], where: str) -> tuple[Sharding, bool]:
    """The (sharding, committed) of what is computed from `args`, whole.

    That is the sharding of the first committed operand, else all devices of the context's mesh, else the default
    device. Raises ValueError where committed operands are on different devices, naming both.
    """
    everywhere = config.everywhere.value
    found: tuple[int, ArrayImpl] | None = None
    for i, x in enumerate(args):
        if type(x) is ArrayImpl and x._committed:
            if found is None:
                found = i, x
            elif x._sharding is not found[1]._sharding and not _together(x, found[1]):
                raise device_conflict(where, dict([found, (i, x)]))
    if everywhere is None:
        return (found[1]._sharding, True) if found else (sharding_on(default_device()), False)
    if found and found[1]._sharding.device_list != everywhere.device_list:
        raise device_conflict(where, dict([found]), of_mesh=everywhere.device_list)
    return found[1]._sharding if found and type(found[1]._sharding) is type(everywhere) else everywhere, True


def _together(x: ArrayImpl, y: ArrayImpl) -> bool:
    return x._sharding.device_list == y._sharding.device_list


# ---- where a result belongs that the user names with `out_sharding=`


def _refuse(*args: Any) -> Any:
    raise NotImplementedError("out_sharding= needs a mesh: chapter 7 brings them")


# What an equation holds for it, from what the user wrote and the function's name; and how a function is computed whose
# equations know of no `out_sharding`, from it, its arguments and what the user wrote. Chapter 7 enters both.
namers: list[Callable[[Any, str], Any]] = [_refuse]
placers: list[Callable[[Callable[..., Any], Sequence[Any], Any], Any]] = [_refuse]


def named(out_sharding: Any, function: str) -> Any:
    """The parameter of an equation for this `out_sharding`."""
    return None if out_sharding is None else namers[-1](out_sharding, function)


def placed(function: Callable[..., Any], args: Sequence[Any], out_sharding: Any) -> Any:
    """`function(*args)`, divided as `out_sharding` says."""
    return function(*args) if out_sharding is None else placers[-1](function, args, out_sharding)
