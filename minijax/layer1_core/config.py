"""The configuration flags: one value for the process, and one per thread inside a `with`.

    config.update("jax_enable_x64", True)      # from here on, everywhere
    with enable_x64(True): ...                 # here, and in this thread only

A flag starts from the environment variable of its name in capitals (JAX_ENABLE_X64=1), as in JAX.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

_UNSET = object()
scoped: ContextVar[bool] = ContextVar("scoped", default=False)  # whether a `with` sets a flag in this thread
updates = [0]  # how often a flag was set for the whole process


def _from_environment(name: str, default: Any) -> Any:
    """The value of the environment variable `NAME` read as `default`'s type, or `default`."""
    text = os.environ.get(name.upper())
    if text is None:
        return default
    if isinstance(default, bool):
        return text.lower() in ("1", "true", "yes", "on")
    return int(text) if isinstance(default, int) else text


def _devices_of_xla_flags() -> int:
    """The number of devices that the environment variable XLA_FLAGS asks for; 1 where it does not."""
    found = re.search(r"--xla_force_host_platform_device_count=(\d+)", os.environ.get("XLA_FLAGS", ""))
    return int(found[1]) if found else 1


class Flag:
    """A named setting; calling it gives a context manager that sets it for the current thread."""

    def __init__(self, name: str, default: Any, choices: tuple[Any, ...] | None = None):
        self.name, self.choices = name, choices
        self.default = _from_environment(name, default)
        self._local: ContextVar[Any] = ContextVar(name, default=_UNSET)
        FLAGS[name] = self

    @property
    def value(self) -> Any:
        local = self._local.get()
        return self.default if local is _UNSET else local

    def check(self, value: Any) -> Any:
        """`value` as this flag takes it. Raises ValueError for one that it does not take."""
        if isinstance(self.default, bool):
            return bool(value)
        if self.choices is not None and value not in self.choices:
            which = "None or in" if None in self.choices else "in"
            named = [choice for choice in self.choices if choice is not None]
            raise ValueError(f"new enum value must be {which} {named}, got {value} of type {type(value)}.")
        return value

    def __call__(self, value: Any = True) -> AbstractContextManager[None]:
        return self._set(self.check(value))

    @contextmanager
    def _set(self, value: Any) -> Iterator[None]:
        undo = self.set_here(value)
        try:
            yield
        finally:
            undo()

    def set_here(self, value: Any) -> Callable[[], None]:
        """Set the flag for the current thread. What is returned brings back what was before."""
        token, scope = self._local.set(self.check(value)), scoped.set(True)

        def undo() -> None:
            self._local.reset(token)
            scoped.reset(scope)

        return undo


class PromotionFlag(Flag):
    """A setting with a type of its own in JAX, which its message names."""

    def check(self, value: Any) -> Any:
        if value not in ("standard", "strict"):
            raise ValueError(f"{value!r} is not a valid NumpyDtypePromotion")
        return value


class DeviceFlag(Flag):
    """A setting that names a device: None, a platform, or a Device (known here by having a platform)."""

    def check(self, value: Any) -> Any:
        if value in (None, "cpu") or hasattr(value, "platform"):
            return value
        raise ValueError(
            "jax.default_device must be passed either a Device object (e.g. `jax.devices('cpu')[0]`) or a platform "
            f"name string like 'cpu' or 'gpu', got: {value!r}"
        )


# What `jax_default_matmul_precision` may name: how exact a product is, or an algorithm with the types that it uses.
MATMUL_PRECISIONS = (
    "default", "high", "highest", "bfloat16", "tensorfloat32", "float32",
    "ANY_F8_ANY_F8_F32", "ANY_F8_ANY_F8_F32_FAST_ACCUM", "ANY_F8_ANY_F8_ANY", "ANY_F8_ANY_F8_ANY_FAST_ACCUM",
    "F16_F16_F16", "F16_F16_F32", "BF16_BF16_BF16", "BF16_BF16_F32", "BF16_BF16_F32_X3", "BF16_BF16_F32_X6",
    "BF16_BF16_F32_X9", "TF32_TF32_F32", "TF32_TF32_F32_X3", "F32_F32_F32", "F64_F64_F64",
)  # fmt: skip
FLAGS: dict[str, Flag] = {}

enable_x64 = Flag("jax_enable_x64", False)
disable_jit = Flag("jax_disable_jit", False)
numpy_dtype_promotion = PromotionFlag("jax_numpy_dtype_promotion", "standard")
numpy_rank_promotion = Flag("jax_numpy_rank_promotion", "allow", ("allow", "warn", "raise"))
checking_leaks = Flag("jax_check_tracer_leaks", False)
debug_nans = Flag("jax_debug_nans", False)
debug_infs = Flag("jax_debug_infs", False)
# What is said about tracing and compiling.
log_compiles = Flag("jax_log_compiles", False)
explain_cache_misses = Flag("jax_explain_cache_misses", False)
compile_progress = Flag("minijax_compile_progress", True)  # each second a line, where it takes that long
dump_ir_to = Flag("jax_dump_ir_to", "")  # a folder for the text of each program that is compiled
default_device = DeviceFlag("jax_default_device", None)
default_matmul_precision = Flag("jax_default_matmul_precision", None, (None, *MATMUL_PRECISIONS))
# The named axes over which functions are mapped here, ((name, size), ...): chapter 5 sets them.
axis_env = Flag("minijax_axis_env", ())
# The mesh that types speak of here, the sharding of a value that is whole on each of its devices, and the mesh of the
# innermost `with mesh:`: chapter 7 sets them.
abstract_mesh = Flag("minijax_abstract_mesh", None)
everywhere = Flag("minijax_everywhere", None)
entered_mesh = Flag("minijax_entered_mesh", None)
# Whether types say along which axes of the mesh values vary: inside of `shard_map`, chapter 7.
check_vma = Flag("minijax_check_vma", False)
num_cpu_devices = Flag("jax_num_cpu_devices", _devices_of_xla_flags())
# By what processes speak to each other. It is MPI: the other values are taken, so that programs may name them.
cpu_collectives = Flag("jax_cpu_collectives_implementation", "mpi", ("mpi", "gloo"))
# How a jitted function runs: by the compiler (once layer 2 is there) or equation by equation through
# the impl rules, which a debugger can step through.
interpret_jaxprs = Flag("minijax_interpret_jaxprs", False)


# The machine code that is kept between processes.
enable_compilation_cache = Flag("jax_enable_compilation_cache", True)
compilation_cache_dir = Flag("jax_compilation_cache_dir", "")


class Config:
    """`jax.config`: flags by name, read as attributes and set with `update`."""

    def update(self, name: str, value: Any) -> None:
        """Set the flag `name` for the whole process. Raises AttributeError for an unknown name."""
        flag = FLAGS[self._known(name)]
        flag.default = flag.check(value)
        updates[0] += 1

    def read(self, name: str) -> Any:
        """The value of the flag `name`. Raises AttributeError for an unknown name."""
        return FLAGS[self._known(name)].value

    @property
    def values(self) -> dict[str, Any]:
        """The values of all flags for the whole process, by name."""
        return {name: flag.default for name, flag in FLAGS.items()}

    @property
    def x64_enabled(self) -> bool:
        """Whether arrays may have 64 bits."""
        return enable_x64.value

    def _known(self, name: str) -> str:
        if name not in FLAGS:
            raise AttributeError(f"Unrecognized config option: {name}")
        return name

    def __getattr__(self, name: str) -> Any:
        if name not in FLAGS:
            raise AttributeError(f"'Config' object has no attribute {name!r}")
        return FLAGS[name].value


config = Config()
