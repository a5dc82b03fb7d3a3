"""Abstract values: what is known of a value while a function is traced. Its type, and nothing else."""

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import dtypes
from .config import enable_x64

Shape = tuple[int, ...]  # (8, 128); () for a scalar


class AbstractValue:
    """What is known of a value before there is one."""

    __slots__ = ()


class ShapedArray(AbstractValue):
    """The type of an array: shape and dtype, whether the dtype is weak, and where it lives.

    `sharding`, `vma` (the mesh axes over which the value varies inside shard_map) and `memory_space`
    get their meaning in layer 7; until then they are their defaults in every aval.

    >>> ShapedArray((2, 3), np.dtype("float32"))
    ShapedArray(float32[2,3])
    """

    __slots__ = ("shape", "dtype", "weak_type", "_sharding", "vma", "memory_space", "_hash")

    def __init__(
        self,
        shape: Any,
        dtype: Any,
        weak_type: bool = False,
        *,
        sharding: Any = None,
        vma: frozenset[str] = frozenset(),
        memory_space: str = "device",
    ):
        self.shape: Shape = canonicalize_shape(shape)
        self.dtype = dtype if type(dtype) is np.dtype else canonical_aval_dtype(dtype)
        self.weak_type = weak_type
        self._sharding, self.vma, self.memory_space = sharding, vma, memory_space
        self._hash = hash((self.shape, self.dtype, weak_type, sharding, vma, memory_space))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def sharding(self) -> Any:
        """How the array is divided among the devices of a mesh."""
        return undivided[-1](self.ndim) if self._sharding is None else self._sharding

    @property
    def is_undivided(self) -> bool:
        """Whether no mesh is known to which the array belongs."""
        return self._sharding is None

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def _key(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.weak_type, self._sharding, self.vma, self.memory_space

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is ShapedArray and self._hash == other._hash and self._key() == other._key()
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        return _rebuild, self._key()

    def update(self, **changes: Any) -> "ShapedArray":
        """This aval with some fields changed."""
        fields = dict(zip(("shape", "dtype", "weak_type", "sharding", "vma", "memory_space"), self._key(), strict=True))
        return ShapedArray(**(fields | changes))

    def strip_weak_type(self) -> "ShapedArray":
        return self.update(weak_type=False) if self.weak_type else self

    def str_short(self, short_dtypes: bool = False, mesh_axis_types: bool = False) -> str:
        short = short_dtypes or self.dtype == dtypes.float0  # which NumPy calls void
        name = dtypes.short_name(self.dtype) if short else self.dtype.name
        space = "" if self.memory_space == "device" else f"<{self.memory_space}>"
        if self._sharding is not None:
            return name + space + self._sharding.extent_text(self, mesh_axis_types)
        return f"{name}{space}[{','.join(map(str, self.shape))}]"

    def __str__(self) -> str:
        return "~" * self.weak_type + self.str_short()

    def __repr__(self) -> str:
        return f"ShapedArray({self.str_short()}{', weak_type=True' if self.weak_type else ''})"


# The sharding of an array that belongs to no mesh, by its number of axes: none is told, until chapter 7.
undivided: list[Callable[[int], Any]] = [lambda ndim: None]


def _rebuild(shape: Shape, dtype: Any, weak: bool, sharding: Any, vma: frozenset[str], space: str) -> ShapedArray:
    return ShapedArray(shape, dtype, weak, sharding=sharding, vma=vma, memory_space=space)


def canonical_aval_dtype(dtype: Any) -> Any:
    """The dtype of an aval from what a user wrote. An extended dtype (a key's) stays as it is."""
    return dtype if hasattr(dtype, "_is_extended") else dtypes.as_dtype(dtype)


_interned = functools.lru_cache(maxsize=8192)(ShapedArray)


def shaped(shape: Shape, dtype: Any, weak_type: bool = False) -> ShapedArray:
    """The one ShapedArray of this type: equal avals from here are the same object, so `is` finds them fast."""
    return _interned(shape, dtype, weak_type)


def canonicalize_shape(shape: Any, context: str = "") -> Shape:
    """A shape as a tuple of Python ints. Raises JAX's TypeError for anything else, tracers included.

    `context` is added to its message: which argument this was.
    """
    try:
        return tuple(map(operator.index, shape))
    except TypeError:
        pass_on = shape if isinstance(shape, (tuple, list)) else (shape,)
    message = f"Shapes must be 1D sequences of concrete values of integer type, got {shape}."
    message += f" {context}." if context else ""
    tracers = [d for d in pass_on if hasattr(d, "_origin_msg") and d.known_value() is None]
    if tracers:
        message += "\nIf using `jit`, try using `static_argnums` or applying `jit` to smaller subfunctions."
        message += tracers[0]._origin_msg()
    raise TypeError(message)


# ---- types of parts, and of many


def without_axis(aval: ShapedArray, axis: int) -> ShapedArray:
    """The type of one element along this axis."""
    sharding = None if aval.is_undivided else aval.sharding.without_axis(axis)
    return aval.update(shape=aval.shape[:axis] + aval.shape[axis + 1 :], sharding=sharding)


def with_axis(aval: ShapedArray, axis: int, size: int, partition: Any = None) -> ShapedArray:
    """The type of so many of these, along a new axis; `partition` says which mesh axes divide it."""
    sharding = None if aval.is_undivided else aval.sharding.with_axis(axis, partition)
    return aval.update(shape=(*aval.shape[:axis], size, *aval.shape[axis:]), sharding=sharding)


def partition_of_axis(aval: ShapedArray, axis: int) -> Any:
    """The mesh axes that divide this axis; None where it is whole."""
    return None if aval.is_undivided else aval.sharding.spec.partitions[axis]


def told(aval: ShapedArray, order: Sequence[int] | None = None) -> Any:
    """What the type says of how an array is divided, for its axes in this order; None where it says nothing."""
    return None if aval.is_undivided else aval.sharding.told(order)


def place_in_mesh(aval: ShapedArray, axes: Sequence[int] | None = None) -> Any:
    """How an array is divided, for these of its axes, where its type tells of a mesh whose axes are not all Auto."""
    if aval.is_undivided or aval.sharding.mesh.are_all_axes_auto:
        return None
    return aval.sharding if axes is None else aval.sharding.of([aval.sharding.spec.partitions[d] for d in axes])


def match(a: ShapedArray, b: ShapedArray) -> bool:
    """Whether a value of either type may stand for one of the other.

    That one of them is weak does not count, nor how one is divided where the other belongs to no mesh.
    """
    if (a.shape, a.dtype, a.vma, a.memory_space) != (b.shape, b.dtype, b.vma, b.memory_space):
        return False
    return a.is_undivided or b.is_undivided or a.sharding.matches(b.sharding)


# ---- the aval of a value: one row a type

aval_of_type: dict[type, Callable[[Any], ShapedArray]] = {}


def typeof(x: Any) -> ShapedArray:
    """The type of a value: an array, a NumPy array, a Python scalar or a tracer.

    >>> typeof(1.0)
    ShapedArray(float32[], weak_type=True)

    Raises TypeError for a value that is not an array type.
    """
    rule = aval_of_type.get(type(x)) or _inherited_rule(type(x))
    if rule is None:
        raise not_a_type(x)
    return rule(x)


def not_a_type(x: Any) -> Exception:
    """The error for a value that no array type describes, in JAX's words (which differ by kind)."""
    if isinstance(x, str):
        return TypeError(f"Argument '{x}' of type {type(x)} is not a valid JAX type")
    if isinstance(x, (np.ndarray, np.generic)):
        return TypeError(
            f"Dtype {x.dtype} is not a valid JAX array type. Only arrays of numeric types are supported by JAX."
        )
    if hasattr(x, "__jax_array__"):
        return ValueError(
            "Triggering __jax_array__() during abstractification is no longer supported. To avoid this error, either "
            "explicitly convert your object using jax.numpy.array(), or register your object as a pytree."
        )
    return TypeError(f"Argument '{x}' of type '{type(x)}' is not a valid JAX type")


def _inherited_rule(cls: type) -> Callable[[Any], ShapedArray] | None:
    """The rule of the nearest base class: a subclass of ndarray or int counts as one."""
    return next((aval_of_type[base] for base in cls.__mro__ if base in aval_of_type), None)


def is_jax_type(x: Any) -> bool:
    """Whether `x` is a value that a traced function may take: an array, a NumPy array or a number."""
    rule = aval_of_type.get(type(x)) or _inherited_rule(type(x))
    if rule is None:
        return False
    return not isinstance(x, (np.ndarray, np.generic)) or dtypes.is_supported(x.dtype) or x.dtype == dtypes.float0


def type_of_number(x: Any) -> ShapedArray:
    """The type of an array or a number. Raises TypeError for a list, which is not converted; ValueError for None."""
    if x is None:
        raise ValueError("Invalid argument to dtype: None.")
    if not is_jax_type(x):
        raise TypeError(f"Cannot determine dtype of {x}")
    return typeof(x)


def _aval_of_numpy(x: Any) -> ShapedArray:
    if hasattr(x, "filled"):  # told by its method: naming numpy.ma would import it
        raise ValueError(
            "numpy masked arrays are not supported as direct inputs to JAX functions. "
            "Use arr.filled() to convert the value to a standard numpy array."
        )
    if not dtypes.is_supported(x.dtype) and x.dtype != dtypes.float0:
        raise not_a_type(x)
    return shaped(x.shape, dtypes.canonicalize_dtype(x.dtype))


def _aval_of_python(kind: type) -> Callable[[Any], ShapedArray]:
    wide = shaped((), dtypes.PYTHON_DTYPES[kind], kind is not bool)
    narrow = shaped((), dtypes.narrow(wide.dtype), kind is not bool)
    return lambda x: wide if enable_x64.value else narrow


def fits(x: int) -> bool:
    """Whether an integer fits the default integer dtype."""
    bits = 63 if enable_x64.value else 31
    return -(1 << bits) <= x < (1 << bits)


for _kind in dtypes.PYTHON_DTYPES:
    aval_of_type[_kind] = _aval_of_python(_kind)
aval_of_type[np.ndarray] = aval_of_type[np.generic] = _aval_of_numpy


# ---- a description of an array that a program may pass around


# What a ShapeDtypeStruct of this shape keeps of the `sharding` that a user names. Chapter 7 checks it.
struct_shardings: list[Callable[[Any, Shape], Any]] = [lambda sharding, shape: sharding]


class ShapeDtypeStruct:
    """Shape and dtype of an array that need not exist: an argument of eval_shape, make_jaxpr and lower."""

    __slots__ = ("shape", "dtype", "sharding", "weak_type")

    def __init__(self, shape: Any, dtype: Any, *, sharding: Any = None, weak_type: bool = False):
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype must be specified.")
        sharding = None if sharding is None else struct_shardings[-1](sharding, tuple(shape))
        fields = (tuple(shape), canonical_aval_dtype(dtype), sharding, weak_type)
        for name, value in zip(self.__slots__, fields, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__slots__:
            raise RuntimeError(f"Cannot reassign attributes ({name}) of immutable ShapeDtypeStruct objects")
        super().__setattr__(name, value)

    ndim = ShapedArray.ndim
    size = ShapedArray.size

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def _key(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.sharding, self.weak_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def update(self, **changes: Any) -> "ShapeDtypeStruct":
        """This description with some fields changed; names that are no field are passed over, as in JAX."""
        fields = dict(zip(self.__slots__, self._key(), strict=True))
        return ShapeDtypeStruct(**{name: changes.get(name, value) for name, value in fields.items()})

    def __reduce__(self) -> Any:
        return _rebuild_struct, self._key()

    def __repr__(self) -> str:
        more = f", sharding={self.sharding}" if self.sharding is not None else ""
        more += ", weak_type=True" if self.weak_type else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{more})"


ShapeDtypeStruct.__module__ = "jax"  # what the class prints in JAX


def _rebuild_struct(shape: Any, dtype: Any, sharding: Any, weak_type: bool) -> ShapeDtypeStruct:
    return ShapeDtypeStruct(shape, dtype, sharding=sharding, weak_type=weak_type)


def describes_array(x: Any) -> bool:
    """Whether `x` can stand for an argument where nothing is computed: a value, or a thing with shape and dtype."""
    if isinstance(x, (ShapedArray, ShapeDtypeStruct)) or is_jax_type(x):
        return True
    return hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, (np.ndarray, np.generic))


def abstractify(x: Any) -> ShapedArray:
    """The aval of an argument of a staged function: of a value, or what a ShapeDtypeStruct or its like describes."""
    if isinstance(x, ShapedArray):
        return x
    if type(x) in aval_of_type or _inherited_rule(type(x)) or hasattr(x, "__jax_array__"):
        return typeof(x)
    if isinstance(x, str):
        raise not_a_type(x)
    if not describes_array(x):
        raise TypeError(
            f"Cannot interpret value of type {type(x)} as an abstract array; it does not have a dtype attribute"
        )
    dtype = x.dtype if hasattr(x.dtype, "_is_extended") else dtypes.canonicalize_dtype(x.dtype)
    aval, sharding = ShapedArray(x.shape, dtype, getattr(x, "weak_type", False)), getattr(x, "sharding", None)
    return aval if sharding is None else sharding.typed(aval)
