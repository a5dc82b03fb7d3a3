"""Traces and tracers: who decides what a primitive does.

A trace is an interpreter. `Primitive.bind` hands each operation to the current one: the base trace
computes; others record, differentiate, batch. A tracer is the stand-in that a trace passes to the
traced function: it has a type, but no value.
"""

import itertools
import operator
import sys
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from types import CodeType, FrameType
from typing import Any

import numpy as np

from .aval import ShapedArray, aval_of_type
from .basearray import Array
from .errors import (
    ConcretizationTypeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
)


class Trace:
    """An interpreter of primitives. `parent` is the trace that was current when this one began."""

    def __init__(self) -> None:
        self.alive = True  # until the traced function has returned
        self.closures: dict[Any, Any] = {}  # the traces of inner functions that use values of this one

    def process_primitive(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        raise NotImplementedError

    def pure(self, x: Any) -> Any:
        """The constant `x` as a value of this trace: an array where it computes, a tracer where it records."""
        raise NotImplementedError


class EvalTrace(Trace):
    """The base trace, which computes. Its two methods are attached by evaluate.py (a late binding)."""


EVAL = EvalTrace()
# A thread starts with an empty context: so each begins at the base trace and has a current trace of its own.
current_trace: ContextVar[Trace] = ContextVar("current_trace", default=EVAL)


class set_current_trace:
    """`with set_current_trace(trace):` primitives bound inside go to `trace`. Restored whatever happens."""

    __slots__ = ("trace", "token")

    def __init__(self, trace: Trace):
        self.trace = trace

    def __enter__(self) -> Trace:
        self.token = current_trace.set(self.trace)
        return self.trace

    def __exit__(self, *error: Any) -> None:
        current_trace.reset(self.token)


def pure(x: Any) -> Any:
    """The constant `x` (a number, a NumPy array) as a value of the current trace; arrays and tracers stay."""
    return current_trace.get().pure(x)


# ---- where a value came from

SourceLine = tuple[CodeType, int]  # the code object of the user's program, and the instruction in it
_internal: dict[str, bool] = {}
# A function of this package that runs a program, by the id of its code: from its frame to the line that the equation
# it is at came from. staging.py enters `eval_jaxpr`.
running: dict[int, Callable[[FrameType], SourceLine | None]] = {}
_PACKAGE = __name__.split(".")[0]


def user_line() -> SourceLine | None:
    """The innermost line of the program that is being traced, outside this package.

    Where a program is traced again it is the line that the equation came from.
    """
    frame = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        inside = _internal.get(code.co_filename)
        if inside is None:
            module = frame.f_globals.get("__name__", "")
            inside = _internal[code.co_filename] = module.split(".")[0] == _PACKAGE
        if not inside:
            return code, frame.f_lasti  # the line is worked out by whoever asks for it
        if id(code) in running and (line := running[id(code)](frame)) is not None:
            return line
        frame = frame.f_back
    return None


def place_of(source: SourceLine | None) -> str:
    """Where in the user's program something was made: file, line, column (but for the first one), function."""
    if source is None:
        return "<unknown>"
    code, instruction = source
    line, _, column, _ = next(itertools.islice(code.co_positions(), instruction // 2, None))
    return f"{code.co_filename}:{line}{f':{column}' if column else ''} ({code.co_qualname})"


# ---- tracers


class Tracer(Array):
    """A stand-in for an array: it has an aval and a trace, and no value. Everything that needs one is refused."""

    __slots__ = ("_trace", "aval")
    __array_priority__ = 1000
    __hash__ = None  # type: ignore[assignment]  # equality is elementwise, so a tracer cannot be a key

    def __init__(self, trace: Trace, aval: ShapedArray):
        self._trace, self.aval = trace, aval

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        return self.aval.dtype

    @property
    def weak_type(self) -> bool:
        return self.aval.weak_type

    @property
    def ndim(self) -> int:
        return len(self.aval.shape)

    @property
    def size(self) -> int:
        return self.aval.size

    @property
    def itemsize(self) -> int:
        return self.aval.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.aval.size * self.itemsize

    def __len__(self) -> int:
        return len(self.aval)

    def __bool__(self) -> bool:
        if self.aval.shape != ():
            raise ValueError(truth_value_message(self.aval))
        raise TracerBoolConversionError(self)

    def __index__(self) -> int:
        raise TracerIntegerConversionError(self)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TracerArrayConversionError(self)

    def __float__(self) -> float:
        raise _no_number(self, "float", "`x.astype(float)` or `jnp.array(x, float)`")

    def __int__(self) -> int:
        raise _no_number(self, "int", "`x.astype(int)` or `jnp.array(x, int)`")

    def __complex__(self) -> complex:
        raise _no_number(self, "complex", "`x.astype(complex)` or `jnp.array(x, complex)`")

    def known_value(self) -> Any:
        """The value that this stands for, or None: only a trace that computes while it records knows it (chapter 4)."""
        return None

    def item(self, *args: Any) -> Any:
        known = self.known_value()
        if known is None:
            raise ConcretizationTypeError(self, "This occurred in the item() method of jax.Array")
        return np.asarray(known).item(*args)

    def tolist(self) -> Any:
        told = f"The tolist() method was called on {self._error_repr()}.{self._origin_msg()}"
        raise ConcretizationTypeError(self, told)

    def tobytes(self, order: str = "C") -> Any:
        told = f"The tobytes() method was called on {self._error_repr()}.{self._origin_msg()}"
        raise ConcretizationTypeError(self, told)

    def __getattr__(self, name: str) -> Any:
        if name in _METHODS_OF_BUFFERS:
            return partial(_refuse_method, self, name)
        if name in _PROPERTIES_OF_BUFFERS:
            raise ConcretizationTypeError(self, _told(self, _PROPERTIES_OF_BUFFERS[name]))
        raise AttributeError(_told(self, _UNKNOWN.get(name, f"{type(self).__name__} has no attribute {name}")))

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError(IMMUTABLE)

    def _error_repr(self) -> str:
        return f"traced array with shape {self.aval.str_short()}"

    def _origin_msg(self) -> str:
        return ""

    def __repr__(self) -> str:
        return f"Traced<{self.aval}>"

    def __copy__(self) -> "Tracer":
        return self

    def __deepcopy__(self, memo: Any) -> "Tracer":
        return self


def index_or_tracer(x: Any) -> Any:
    """A parameter of an operation as a Python integer; a tracer as it is: `bind` says that it can be none."""
    return x if isinstance(x, Tracer) else operator.index(x)


# A tracer has a type, but no buffers and no place: what asks for these is refused, in JAX's words.
_METHODS_OF_BUFFERS = frozenset(
    ["addressable_data", "delete", "devices", "is_deleted", "on_device_size_in_bytes", "unsafe_buffer_pointer"]
)
_PROPERTIES_OF_BUFFERS = {
    "addressable_shards": "The 'addressable_shards' attribute is not available on {}.",
    "committed": "The 'committed' attribute is not available on {}.",
    "global_shards": "The global_shards property was called on {}.",
    "is_fully_addressable": "The is_fully_addressable property was called on {}.",
    "is_fully_replicated": "The is_fully_replicated property was called on {}.",
}
_UNKNOWN = {
    "block_until_ready": "The 'block_until_ready' method is not available on {}.",
    "copy_to_host_async": "The 'copy_to_host_async' method is not available on {}.",
    "sharding": "The 'sharding' attribute is not available on {}. To query sharding information on tracers, use "
    "`jax.typeof(x)`.",
}
IMMUTABLE = (
    "JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use "
    "x = x.at[idx].set(y) or another .at[] method: "
    "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html"
)


def _refuse_method(tracer: Tracer, name: str, *args: Any) -> Any:
    raise ConcretizationTypeError(tracer, _told(tracer, f"The {name}() method was called on {{}}."))


def _told(tracer: Tracer, message: str) -> str:
    return message.format(tracer._error_repr()) + tracer._origin_msg() if "{}" in message else message


def _no_number(tracer: Tracer, name: str, instead: str) -> ConcretizationTypeError:
    return ConcretizationTypeError(
        tracer,
        f"The problem arose with the `{name}` function. If trying to convert the data type of a value, "
        f"try using {instead} instead.",
    )


def truth_value_message(aval: ShapedArray) -> str:
    """NumPy's sentence for an array that is neither true nor false."""
    if aval.size == 0:
        return (
            "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
        )
    return "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"


def aval_property(cls: type) -> Callable[[Any], ShapedArray]:
    """Enter `cls` in the table of avals: its instances carry theirs."""
    rule = lambda x: x.aval  # the same rule for every class that carries its aval
    aval_of_type[cls] = rule
    return rule


aval_property(Tracer)
