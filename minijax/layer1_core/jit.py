"""jit: a function is staged to a jaxpr once for each kind of call, and the jaxpr is run.

What makes two calls the same kind: the types of the arrays, the tree they come in, and the values of the
static arguments. The table of traces belongs to the function, so two jit wrappers of one function share it.
"""

import functools
import inspect
import sys
import warnings
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

from . import config, logs, misses
from .advice import not_comparable, on_argument, on_static
from .array import ArrayImpl
from .aval import ShapedArray, ShapeDtypeStruct, abstractify, fits, is_jax_type, typeof
from .collecting import rarely
from .devices import Device, SingleDeviceSharding, default_device, devices, sharding_on
from .donation import without_deleted
from .dtypes import float0, is_extended
from .evaluate import holder_of_constants, keep_interpreted, naming, program_of
from .fun_names import arg_names, fun_name, fun_signature, fun_source_info, too_large, without_positions
from .jaxpr import DebugInfo
from .jit_call import UNSPECIFIED, Inline, Unspecified, jit_p, jit_params
from .jit_options import Options, resolve
from .jit_shardings import check_fit, leaf_names, places, places_of, typed_there
from .placement import with_names
from .quick import Quick, elsewhere_quick, key_of
from .stages import Lowered, Traced, execute
from .staging import (
    check_args,
    eval_jaxpr,
    hoist_tracers,
    not_an_array,
    trace_to_jaxpr,
)
from .static import split_static, with_statics
from .trace import EVAL, current_trace
from .tree import PyTreeDef, tree_flatten, tree_unflatten

# ---- the wrapper

_PACKAGE = __name__.split(".")[0] + "."
_MOST_QUICK = 4096  # kinds of calls that one wrapper remembers

# fun -> {kind of call: Traced without its wrapper's name}. Weak: a trace lives as long as its function.
_traces: "weakref.WeakKeyDictionary[Any, dict[Any, Any]]" = weakref.WeakKeyDictionary()


_wrappers: "weakref.WeakSet[JitWrapped]" = weakref.WeakSet()  # all that live
caches: list[Any] = [_traces]  # what `clear_caches` empties; chapter 3 enters its own table


def _traces_of(fun: Callable[..., Any], own: dict[Any, Any]) -> dict[Any, Any]:
    """The table of traces of `fun`; the wrapper's own where the function cannot be weakly referenced or hashed."""
    try:
        return _traces.setdefault(fun, {})
    except TypeError:
        return own


class JitWrapped:
    """What `jit(fun)` returns: called like `fun`."""

    def __init__(self, fun: Callable[..., Any], options: Options):
        functools.update_wrapper(self, fun)
        self.__name__, self.__doc__ = fun_name(fun), fun.__doc__ or ""
        self.__qualname__ = getattr(fun, "__qualname__", self.__name__)
        self._fun, self._options = fun, options
        self._own: dict[Any, Any] = {}
        self._quick: dict[Any, Any] = {}  # calls that need nothing but the program: see quick.py
        self._updates = config.updates[0]  # of the flags, when the first of them was entered
        _wrappers.add(self)

    @functools.cached_property
    def _signature(self) -> inspect.Signature | None:
        return fun_signature(self._fun)  # asked for names only, so a module of jitted functions is imported fast

    def __repr__(self) -> str:
        return f"<PjitFunction of {self._fun!r}>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and current_trace.get() is EVAL and not config.scoped.get():
            if self._updates != config.updates[0]:
                self._quick, self._updates = {}, config.updates[0]
            x = args[0] if len(args) == 1 else None
            known = (id(x.aval), args) if type(x) is ArrayImpl else key_of(args)
            if known is not None:
                quick = self._quick.get(known[0])
                out = None if quick is None else quick(known[1])
                return self._long_way(args, kwargs, known) if out is None else out
        return self._long_way(args, kwargs)

    def _long_way(self, args: Any, kwargs: Any, known: Any = None) -> Any:
        if config.disable_jit.value:
            return self._fun(*args, **kwargs)
        with rarely():  # once for all that a first call does, and not after each part of it
            leaves, traced, consts = self._stage(args, kwargs)
            out = execute(traced, leaves, lambda leaves: self._run(leaves, traced, consts, args, kwargs))
        if known is not None and not consts:
            self._remember(known[0], leaves, traced)
        return out

    def _remember(self, key: Any, leaves: Any, traced: Traced) -> None:
        """Let calls of this kind go the short way, where nothing is special about them."""
        options, sharding = self._options, sharding_on(default_device())
        elsewhere = any(x._sharding is not sharding for x in leaves)
        special = options.static_argnums or options.static_argnames or traced.places or any(traced.donated)
        special = special or (not elsewhere and jit_p in naming and naming[jit_p](traced.params) is not None)
        special = special or any(is_extended(a.dtype) or a.dtype == float0 for a in traced.jaxpr.out_avals)
        special = special or holder_of_constants(traced.jaxpr) is not None
        if special or traced.jaxpr.effects or config.debug_nans.value or config.debug_infs.value or not leaves:
            return
        if len(self._quick) >= _MOST_QUICK:
            self._quick.clear()
        if elsewhere:
            found = elsewhere_quick[-1](leaves, traced)
        else:
            avals = [x.aval for x in leaves]
            found = Quick(avals, program_of(traced.jaxpr), traced.jaxpr.out_avals, sharding, traced.out_tree)
        if found is not None:
            self._quick[key] = found

    def _run(self, leaves: Any, traced: Traced, consts: Any, args: Any, kwargs: Any) -> Any:
        if self._options.inline is Inline.TRUE and current_trace.get() is not EVAL:
            return eval_jaxpr(traced.jaxpr, traced.jaxpr.consts, *consts, *leaves)
        try:
            return jit_p.bind(*consts, *leaves, **traced.params)
        except RuntimeError:
            if not any(isinstance(x, ArrayImpl) and x.is_deleted() for x in leaves):
                raise
            return jit_p.bind(*consts, *without_deleted(leaves, traced), **traced.params)
        except ValueError as error:
            names = [f"args[{i}]" for i in range(len(consts))] + list(arg_names(self._signature, args, kwargs))
            where = getattr(self._fun, "__qualname__", traced.fun_name)
            raise with_names(error, where, names)  # noqa: B904 (the same error, at most in other words)

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """Stage at the types of these arguments (values or ShapeDtypeStructs); nothing is computed."""
        leaves, traced, _ = self._stage(args, kwargs, describe=True)
        return replace(traced, given=tuple(getattr(x, "sharding", None) for x in leaves))

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """`trace`, ready to be compiled."""
        return self.trace(*args, **kwargs).lower()

    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """The results as ShapeDtypeStructs; nothing is computed."""
        return self.trace(*args, **kwargs).out_info

    def clear_cache(self) -> None:
        """Forget all traces of the function."""
        _traces_of(self._fun, self._own).clear()
        self._quick.clear()

    def _cache_size(self) -> int:
        return len(_traces_of(self._fun, self._own))

    def _misses(self) -> list[misses.Miss]:
        """The traces of the function, in order, each with the reason why it was made."""
        return misses.history(self._fun, _traces_of(self._fun, self._own))

    def _stage(self, args: Any, kwargs: Any, describe: bool = False) -> tuple[list[Any], Traced, list[Any]]:
        if kwargs and self._options.in_shardings is not UNSPECIFIED:
            raise ValueError("pjit does not support kwargs when in_shardings is specified.")
        fixed, fixed_kw, dynamic, dynamic_kw = self._split(args, kwargs)
        leaves, in_tree = tree_flatten((tuple(dynamic), dynamic_kw))
        avals = self._avals(leaves, dynamic, dynamic_kw, fixed, describe)
        key = (*map(_static_key, fixed.items()), *map(_static_key, sorted(fixed_kw.items())), in_tree, *avals,
               config.enable_x64.value, config.numpy_dtype_promotion.value, config.numpy_rank_promotion.value,
               config.default_matmul_precision.value, config.axis_env.value, config.abstract_mesh.value,
               config.everywhere.value, config.entered_mesh.value, config.check_vma.value,
               self._options.key)  # fmt: skip
        table, here = _traces_of(self._fun, self._own), current_trace.get().closures
        try:
            found = table.get(key) or here.get((id(self._fun), key))
        except Exception as error:  # of an __eq__ of the user's
            raise ValueError(not_comparable(key, [*table], error)) from error
        if found is None:
            found = self._trace(fixed, fixed_kw, in_tree, avals, args, kwargs)
            if found[1]:  # what closes over an outer tracer is right only inside that outer trace
                here[id(self._fun), key] = *found, self._fun
            else:
                table[key] = found
        return leaves, found[0], found[1]

    def _split(self, args: Any, kwargs: Any) -> tuple[dict[int, Any], dict[str, Any], list[Any], dict[str, Any]]:
        """Static positional and keyword arguments, then the others. Raises ValueError for an unhashable static."""
        options = self._options
        if not options.static_argnums and not options.static_argnames:
            return {}, {}, args, kwargs
        fixed, dynamic = split_static(args, options.static_argnums)
        fixed_kw = {k: v for k, v in kwargs.items() if k in options.static_argnames}
        for where, value in (fixed | fixed_kw).items():
            try:
                _check_hashable(value)
            except ValueError as error:
                error.add_note(on_static(self._name_of(where), value))
                raise
        return fixed, fixed_kw, dynamic, {k: v for k, v in kwargs.items() if k not in fixed_kw}

    def _name_of(self, where: int | str) -> str:
        """The parameter at a position, or of a name."""
        names = list(self._signature.parameters) if self._signature else []
        return names[where] if isinstance(where, int) and where < len(names) else str(where)

    def _avals(
        self, leaves: list[Any], dynamic: Any, dynamic_kw: Any, fixed: dict[int, Any], describe: bool
    ) -> tuple[ShapedArray, ...]:
        try:
            aval_of = abstractify if describe else typeof
            return tuple([aval_of(x) if type(x) is not int else _aval_in_range(x) for x in leaves])
        except (TypeError, OverflowError):
            names = arg_names(without_positions(self._signature, fixed), dynamic, dynamic_kw)
            self._refuse(leaves, names, describe)
            raise

    def _refuse(self, leaves: list[Any], names: Sequence[str], describe: bool) -> None:
        for leaf, name in zip(leaves, names, strict=False):
            if type(leaf) is ShapeDtypeStruct and not describe:
                raise TypeError(not_an_array(self._fun, leaf, name))
            if isinstance(leaf, int) and not isinstance(leaf, bool) and not fits(leaf):
                raise too_large(leaf, name)
            if not describe and not is_jax_type(leaf):
                error = TypeError(not_an_array(self._fun, leaf, name))
                error.add_note(on_argument(name, leaf))
                raise error
        check_args(leaves, names, self._fun)

    def _trace(
        self, fixed: Any, fixed_kw: Any, in_tree: PyTreeDef, avals: Sequence[ShapedArray], args: Any, kwargs: Any
    ) -> tuple[Traced, list[Any]]:
        """Run the function on tracers. Returns the staged call, and the outer tracers that it closes over."""
        fun = with_statics(self._fun, fixed, fixed_kw)
        dynamic, dynamic_kw = tree_unflatten(in_tree, list(avals))
        names = arg_names(without_positions(self._signature, fixed), dynamic, dynamic_kw)
        info = DebugInfo("jit", fun_source_info(self._fun), names)
        if inspect.isgeneratorfunction(self._fun):
            raise TypeError(f"Expected a function, got a generator function: {self._fun}")
        self._explain(fixed | fixed_kw, in_tree, names, avals)
        options, (args_tree, kwargs_tree) = self._options, in_tree.children()
        places = places_of(options.in_shardings, args_tree) + (UNSPECIFIED,) * kwargs_tree.num_leaves
        if options.in_shardings is not UNSPECIFIED:
            check_fit("arguments", names, avals, places)
            avals = typed_there(avals, places)
        with self._timed(), rarely():
            jaxpr, out_tree = trace_to_jaxpr(fun, in_tree, avals, info)
        jaxpr, consts = hoist_tracers(jaxpr)
        if self._options.interpreted:
            keep_interpreted(jaxpr)
        donated = (False,) * len(consts) + self._donated(fixed, dynamic, dynamic_kw)
        of_results = places_of(options.out_shardings, out_tree)
        if options.out_shardings is not UNSPECIFIED:
            check_fit("outputs", leaf_names("result", out_tree), jaxpr.out_avals, of_results)
        where = (UNSPECIFIED,) * len(consts) + places, of_results
        params = jit_params(jaxpr, fun_name(self._fun), where, donated, options.keep_unused, options.inline)
        traced = Traced(jaxpr, in_tree, out_tree, params["name"], donated[len(consts) :], params, in_tree)
        if config.explain_cache_misses.value and not options.interpreted:
            misses.name_captured(self._fun, traced)
        return traced, consts

    def _explain(self, static: Any, tree: PyTreeDef, names: Sequence[str], avals: Any) -> None:
        """Say why this call is traced, where the flag `jax_explain_cache_misses` asks for it."""
        if self._options.interpreted:
            return
        table = _traces_of(self._fun, self._own)
        if not table:
            misses.note_first(self._fun)
        if config.explain_cache_misses.value:
            flags = [flag.value for flag in misses.FLAGS]
            kind = misses.kind_of(self._fun, static.items(), tree, names, avals, flags, self._options.key)
            misses.explain(self._fun, kind, misses.kinds_of(self._fun, table))

    def _timed(self) -> AbstractContextManager[None]:
        """Logs how long it takes to trace, for a function of the user's that no other one calls."""
        silent = self._options.interpreted or current_trace.get() is not EVAL
        return nullcontext() if silent else logs.timed(f"tracing {fun_name(self._fun)} for jit")

    def _donated(self, fixed: dict[int, Any], dynamic: Any, dynamic_kw: dict[str, Any]) -> tuple[bool, ...]:
        """For each leaf of the arguments, whether it belongs to a donated one."""
        options, total = self._options, len(dynamic) + len(fixed)
        positions = {i % total if i < 0 else i for i in options.donate_argnums} if total else set()
        where = [i for i in range(total) if i not in fixed]
        marks: list[bool] = []
        for i, x in zip(where, dynamic, strict=True):
            marks += [i in positions] * len(tree_flatten(x)[0])
        for name, x in sorted(dynamic_kw.items()):
            marks += [name in options.donate_argnames] * len(tree_flatten(x)[0])
        return tuple(marks)


def _static_key(item: tuple[Any, Any]) -> Any:
    """A static argument in the key: with its type, since 1, 1.0 and True are equal but are traced apart."""
    return item[0], type(item[1]), item[1]


def _check_hashable(value: Any) -> None:
    try:
        hash(value)
    except TypeError as error:
        raise ValueError(
            "Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type "
            f"{type(value)}, {value}. The error was:\nTypeError: {error}\n"
        ) from error


def _aval_in_range(x: int) -> ShapedArray:
    if not fits(x):
        raise OverflowError(x)
    return typeof(x)


def jit(
    fun: Callable[..., Any] | Unspecified = UNSPECIFIED,
    /,
    *,
    in_shardings: Any = UNSPECIFIED,
    out_shardings: Any = UNSPECIFIED,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    keep_unused: bool = False,
    device: Device | None = None,
    backend: str | None = None,
    inline: bool = False,
) -> Any:
    """`fun`, staged: traced once for each kind of call, then run from its jaxpr.

    Arguments and results are pytrees of arrays. Those marked static (by position or name) are values of the
    trace itself: they must be hashable, and a new value is a new trace. Donated arguments give their buffers to
    results that take as many bytes and are deleted. Used without `fun` it is a decorator with options.

    Raises TypeError for arguments or results that are not arrays, ValueError for unhashable static arguments.
    """
    if fun is UNSPECIFIED:
        options = {k: v for k, v in locals().items() if k != "fun"}
        return functools.partial(jit, **options)
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun}")
    static = resolve(fun, static_argnums, static_argnames, "static")
    donated = resolve(fun, donate_argnums, donate_argnames, "donate")
    both = set(static[1]) & set(donated[1])
    if both:
        raise ValueError(
            "static_argnames and donate_argnames cannot intersect. "
            f"Argument names {both} appear in both static_argnames and donate_argnames"
        )
    if device is not None or backend is not None:
        in_shardings = _on_device(device, backend, in_shardings)
    kind = Inline.TRUE if inline else Inline.AUTO
    where = places("in_shardings", in_shardings), places("out_shardings", out_shardings)
    by_package = sys._getframe(1).f_globals.get("__name__", "").startswith(_PACKAGE)
    return JitWrapped(fun, Options(*static, *donated, keep_unused, kind, *where, by_package))


def _on_device(device: Device | None, backend: str | None, in_shardings: Any) -> SingleDeviceSharding:
    if device is not None and backend is not None:
        raise ValueError(f"can't specify both a device and a backend for jit, got {device=} and {backend=}")
    if in_shardings is not UNSPECIFIED:
        raise ValueError("If backend or device is specified on jit, then in_shardings should not be specified.")
    warnings.warn(
        "backend and device argument on jit is deprecated. You can use `jax.device_put(..., jax.local_devices(backend="
        '"cpu")[0])` on the inputs to the jitted function to get the same behavior.',
        DeprecationWarning,
        stacklevel=3,
    )
    return SingleDeviceSharding(devices(backend)[0] if device is None else device)


def clear_caches() -> None:
    """Forget the traces of all functions."""
    for table in caches:
        table.clear()
    for wrapper in [*_wrappers]:
        wrapper._quick.clear()
