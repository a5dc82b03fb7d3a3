"""`PRNGKeyArray`: an array of keys that has a value. Around an array of words; it looks like an array of keys.

It is a `jax.Array` by inheritance, the third class of those, and has the shape of the keys. What does not look at the
elements works on it: indexing, reshaping, stacking. Arithmetic is refused, since a key is not a number.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..layer1_core.array import Shard, array_on, from_numpy
from ..layer1_core.aval import Shape, ShapedArray, shaped, without_axis
from ..layer1_core.basearray import Array
from ..layer1_core.device_put import device_put, put_rules
from ..layer1_core.trace import Tracer, aval_property
from .key_types import U32, KeyTy, PRNGImpl, keys_aval, prngs


def check_key_data(impl: PRNGImpl, data: Any) -> None:
    """Raises TypeError where `data` cannot be the words of keys."""
    if not all(hasattr(data, name) for name in ("ndim", "shape", "dtype")):
        told = f"key_data to have ndim, shape, and dtype attributes. Got {data}"
    elif data.ndim < 1:
        told = f"key_data.ndim >= 1; got ndim={data.ndim}"
    elif data.shape[-len(impl.key_shape) :] != impl.key_shape:
        told = f"key_data.shape to end with {impl.key_shape}; got shape={data.shape} for {impl=}"
    elif data.dtype != U32:
        told = f"key_data.dtype = uint32; got dtype={data.dtype}"
    else:
        return
    raise TypeError(f"JAX encountered invalid PRNG key data: expected {told}")


def _keys_around(impl: PRNGImpl, words: Any) -> ShapedArray:
    """The type of the keys that these words are: divided as the words are along the keys' own axes."""
    aval: ShapedArray = words.aval
    if aval.is_undivided:
        return keys_aval(impl, aval.shape[: -len(impl.key_shape)])
    for _ in impl.key_shape:
        aval = without_axis(aval, aval.ndim - 1)
    return aval.update(dtype=KeyTy(impl))


class PRNGKeyArray(Array):
    """An array of keys, around the array of their words. Made by `jax.random.key` and its kin."""

    __slots__ = ("_impl", "_base_array", "aval", "_consumed", "_used_at")
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]  # equality is elementwise

    def __init__(self, impl: PRNGImpl, key_data: Any):
        check_key_data(impl, key_data)
        self._impl = impl
        self._base_array: Any = from_numpy(key_data) if isinstance(key_data, np.ndarray) else key_data
        self.aval: ShapedArray = _keys_around(impl, self._base_array)
        self._consumed: Any = False  # which of the keys have been used, and by what line: see reuse.py
        self._used_at: Any = None

    @property
    def shape(self) -> Shape:
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        return self.aval.dtype

    @property
    def ndim(self) -> int:
        return self.aval.ndim

    @property
    def size(self) -> int:
        return self.aval.size

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    def __len__(self) -> int:
        return len(self.aval)

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over a 0-d key array")
        return map(self._like, self._base_array)

    def __bool__(self) -> bool:
        raise TypeError("key array cannot be converted to boolean.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise TypeError(
            "JAX array with PRNGKey dtype cannot be converted to a NumPy array. "
            "Use jax.random.key_data(arr) if you wish to extract the underlying integer array."
        )

    def __repr__(self) -> str:
        return f"Array({self.shape}, dtype={self.dtype.name}) overlaying:\n{self._base_array}"

    def __reduce__(self) -> Any:
        return _unpickle, (self._impl.name, np.array(self._base_array._value))

    def copy(self) -> "PRNGKeyArray":
        """The same keys in memory of their own. (What has been used stays used.)"""
        out = PRNGKeyArray(self._impl, self._base_array.copy())
        out._consumed, out._used_at = self._consumed, self._used_at
        return out

    # where it is: where its words are

    sharding = property(lambda self: self._base_array.sharding)
    committed = property(lambda self: self._base_array.committed)
    device = property(lambda self: self._base_array.device)
    is_fully_addressable = property(lambda self: self._base_array.is_fully_addressable)
    is_fully_replicated = property(lambda self: self._base_array.is_fully_replicated)

    def devices(self) -> Any:
        return self._base_array.devices()

    @property
    def addressable_shards(self) -> list[Shard]:
        return [shard for shard in self.global_shards if shard.data is not None]

    @property
    def global_shards(self) -> list[Shard]:
        shards = self._base_array.global_shards
        like: Any = lambda data: None if data is None else self._like(data)  # data is an array, of one class or another
        return [Shard(s.device, s.index[: self.ndim], s.replica_id, like(s.data)) for s in shards]

    def addressable_data(self, index: int) -> "PRNGKeyArray":
        return self._like(self._base_array.addressable_data(index))

    def _like(self, words: Any) -> "PRNGKeyArray":
        return PRNGKeyArray(self._impl, words)

    # its memory

    def block_until_ready(self) -> "PRNGKeyArray":
        self._base_array.block_until_ready()
        return self

    def copy_to_host_async(self) -> None:
        self._base_array.copy_to_host_async()

    def delete(self) -> None:
        self._base_array.delete()

    def give_away(self) -> None:
        """Be deleted as a donated argument is: a result has the buffers."""
        self._base_array.give_away()

    def is_deleted(self) -> bool:
        return self._base_array.is_deleted()

    def on_device_size_in_bytes(self) -> int:
        return self._base_array.on_device_size_in_bytes()

    def unsafe_buffer_pointer(self) -> int:
        return self._base_array.unsafe_buffer_pointer()


def _unpickle(name: str, words: np.ndarray) -> PRNGKeyArray:
    return PRNGKeyArray(prngs[name], words)


def _of_words(impl: PRNGImpl, value: np.ndarray, sharding: Any, committed: bool) -> PRNGKeyArray:
    return PRNGKeyArray(impl, array_on(value, shaped(value.shape, U32), sharding, committed))


KeyTy.of_words = staticmethod(_of_words)
aval_property(PRNGKeyArray)
put_rules[PRNGKeyArray] = lambda x, place: x if place is None else x._like(device_put(x._base_array, place))

# ---- the operators and methods of arrays that make sense for keys, and those that do not

_KEPT = (
    "at flatten ravel reshape squeeze swapaxes take transpose T __getitem__ __add__ __radd__ __sub__ __rsub__ __mul__ "
    "__rmul__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __pow__ __rpow__ __matmul__ "
    "__rmatmul__ __and__ __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__ __rlshift__ __rshift__ __rrshift__ "
    "__divmod__ __rdivmod__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __neg__ __pos__ __abs__ __invert__"
).split()
for _name in _KEPT:
    setattr(PRNGKeyArray, _name, vars(Tracer)[_name])

_ABSTRACT = (
    "all any argmax argmin argpartition argsort astype choose clip compress conj conjugate cumprod cumsum diagonal "
    "dot item max mean min nonzero prod ptp repeat round searchsorted sort std sum trace var view"
).split()


def _refused(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"Cannot call abstract method {name}")

    method.__name__ = name
    return method


for _name in _ABSTRACT:
    setattr(PRNGKeyArray, _name, _refused(_name))
