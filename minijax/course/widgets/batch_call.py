"""A function with its arguments, as the batch-axis explorer keeps them; axes that do not fit them, in words."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .batch_recording import Argument, Place
from .figure import listed, package_module
from .loop_view import reason_of
from .recording import title


@dataclass(frozen=True)
class Stub:
    """An array without its numbers."""

    shape: tuple[int, ...]
    dtype: Any
    weak: bool


class Call:
    """A function and its arguments, with stubs for the arrays: nothing of the package is kept."""

    def __init__(self, fun: Callable[..., Any], args: Sequence[Any]):
        names, tree = package_module("layer1_core.fun_names"), package_module("layer1_core.tree")
        self.fun, self.name = fun, title(fun)
        self.args = tree.tree_map(stub_of, tuple(args))
        labels = names.arg_names(names.fun_signature(fun), self.args, {})
        stubs = [(label, x) for label, x in zip(labels, self.leaves(), strict=True) if isinstance(x, Stub)]
        self.shapes = [x.shape for _, x in stubs]
        self.arguments = tuple(Argument(label, type_of(x), len(x.shape)) for label, x in stubs)

    def leaves(self) -> list[Any]:
        return package_module("layer1_core.tree").tree_flatten(self.args)[0]

    def axes_of(self, in_axes: Any) -> list[Any]:
        """The axis of each array. Raises ValueError where `in_axes` does not fit the arguments."""
        tree = package_module("layer1_core.tree")
        in_axes = tuple(in_axes) if isinstance(in_axes, list) else in_axes
        axes = tree.flatten_axes("vmap in_axes", tree.tree_flatten(self.args)[1], in_axes)
        return [axis for axis, x in zip(axes, self.leaves(), strict=True) if isinstance(x, Stub)]

    def in_axes(self, axes: Sequence[Any]) -> Any:
        """The tree of the axes, as vmap takes it; what is no array has none."""
        return self._with(axes, lambda x: None)

    def structs(self, places: Sequence[Place]) -> list[Any]:
        """The types of the arrays of one example, for make_jaxpr."""
        struct = package_module("layer1_core.aval").ShapeDtypeStruct
        stubs = [x for x in self.leaves() if isinstance(x, Stub)]
        return [
            struct(shape_without(x.shape, place), x.dtype, weak_type=x.weak)
            for x, place in zip(stubs, places, strict=True)
        ]

    def flat(self, *arrays: Any) -> Any:
        """The function, of its arrays alone."""
        return self.fun(*self.filled(arrays))

    def filled(self, arrays: Sequence[Any]) -> Any:
        """The arguments with these arrays."""
        return self._with(arrays, lambda x: x)

    def _with(self, values: Sequence[Any], other: Callable[[Any], Any]) -> Any:
        """The arguments with these values in the place of the stubs."""
        tree, rest = package_module("layer1_core.tree"), iter(values)
        leaves, structure = tree.tree_flatten(self.args)
        return tree.tree_unflatten(structure, [next(rest) if isinstance(x, Stub) else other(x) for x in leaves])


def stub_of(x: Any) -> Any:
    """The stub of an array; what is none stays as it is."""
    aval = package_module("layer1_core.aval")
    if not aval.describes_array(x):
        return x
    found = aval.abstractify(x)
    return Stub(found.shape, found.dtype, found.weak_type)


def type_of(x: Stub) -> str:
    """f32[8,3]"""
    return package_module("layer1_core.aval").ShapedArray(x.shape, x.dtype).str_short(short_dtypes=True)


def shape_without(shape: Sequence[int], place: Place) -> tuple[int, ...]:
    return tuple(n for d, n in enumerate(shape) if d != place)


# ---- what is wrong with axes


def wrong_axes(call: Call, axes: Sequence[Any]) -> str:
    """Why a function cannot be mapped along these axes; "" where it can."""
    for argument, axis in zip(call.arguments, axes, strict=True):
        if axis is not None and not -argument.ndim <= axis < argument.ndim:
            return out_of_range(argument, axis)
    sizes = sizes_along(call, axes)
    if all(n is None for n in sizes):
        return "No argument has a batch axis: one at least must have it, so that the number of examples is known."
    return different(call, axes, sizes) if len({*sizes} - {None}) > 1 else ""


def sizes_along(call: Call, axes: Sequence[Any]) -> list[int | None]:
    """How many examples each array has; None for one that is the same for all."""
    return [None if axis is None else shape[axis] for axis, shape in zip(axes, call.shapes, strict=True)]


def out_of_range(argument: Argument, axis: int) -> str:
    start = f"Axis {axis} of `{argument.name}` is out of range: `{argument.name}`, {argument.type},"
    if not argument.ndim:
        return f"{start} has no axes, so it can only be the same for all examples: choose None."
    last = f"0 to {argument.ndim - 1}, or -1 to {-argument.ndim}" if argument.ndim > 1 else "0, or -1"
    return f"{start} has the axes {last} counted from the end."


def different(call: Call, axes: Sequence[Any], sizes: Sequence[int | None]) -> str:
    """The sizes disagree: axis 0 of `x` has size 8, axis 0 of `y` has size 3. ... Axis 1 of `y` has size 8, too."""
    most = Counter(n for n in sizes if n is not None).most_common(1)[0][0]
    told, hints = [], []
    for argument, shape, axis, n in zip(call.arguments, call.shapes, axes, sizes, strict=True):
        if n is not None:
            told.append(f"axis {axis} of `{argument.name}` has size {n}")
        if n not in (None, most):
            hints += [f"axis {d} of `{argument.name}`" for d, size in enumerate(shape) if size == most]
    fitting = f" {sentence(listed(hints))} would fit, with size {most}." if hints else ""
    rule = "The mapped axes must all have one size, and an argument that is the same for all examples has None."
    return f"The sizes disagree: {listed(told)}. {rule}{fitting}"


def sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def words_of_vmap(call: Call, in_axes: Any, out_axes: Any) -> str:
    """What vmap itself says to these axes, on one line; "" where it says nothing."""
    try:
        vmap = package_module("layer5_vmap.vmap").vmap
        mapped = lambda *arrays: vmap(call.fun, in_axes, out_axes)(*call.filled(arrays))
        package_module("layer1_core.staging").make_jaxpr(mapped)(*call.structs([None] * len(call.arguments)))
    except Exception as error:  # told, where a traceback would say less
        return f"{type(error).__name__}: {one_line(error)}"
    return ""


def one_line(error: Exception | str) -> str:
    """A message without line breaks, and without addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", " ".join(str(error).split()))


def words_of_error(error: Exception) -> str:
    """What an error says, on one line: which step of the course is missing, or its class and message."""
    missing = reason_of(error) if isinstance(error, NameError | AttributeError | ImportError) else ""
    return f"A step is missing: {missing}" if missing else f"{type(error).__name__}: {one_line(error)}"
