"""jax.debug: to print from inside of a program, and to call a function of Python's with what it computes.

They run each time the program does: in each step of a loop, and only in the branch that is taken.
"""

import string
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.aval import is_jax_type
from ..layer1_core.primitive import impl_rules
from ..layer1_core.trace import pure
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_unflatten
from .callbacks import Calling, called
from .effects import debug_effect, ordered_debug_effect

Fun = Callable[..., Any]
Static = tuple[tuple[int, Any], ...]  # (position among the leaves, value): what is not an array

# ---- arguments that are not arrays stay what they are


def _split(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[PyTreeDef, list[Any], Static]:
    """The tree of the arguments, the leaves that are arrays, and the other ones."""
    leaves, tree = tree_flatten((args, kwargs))
    static = tuple((i, x) for i, x in enumerate(leaves) if not is_jax_type(x))
    return tree, [x for x in leaves if is_jax_type(x)], static


def _merge(tree: PyTreeDef, arrays: Sequence[Any], static: Static) -> Any:
    """What `_split` took apart: (args, kwargs)."""
    others, rest = dict(static), iter(arrays)
    leaves = [others[i] if i in others else next(rest) for i in range(len(arrays) + len(others))]
    return tree_unflatten(tree, leaves)


# ---- the primitives

debug_callback_p = Calling("debug_callback", debug_effect, ordered_debug_effect)
debug_print_p = Calling("debug_print", debug_effect, ordered_debug_effect)
for _p in (debug_callback_p, debug_print_p):
    _p.def_abstract_eval(lambda *avals, **params: [])
debug_callback_p.effects_of = lambda params: frozenset({params["effect"]})  # type: ignore[method-assign]


def _callback_of(params: dict[str, Any]) -> Fun:
    """The function of arrays that an equation of `debug_print` calls."""

    def show(*arrays: Any) -> None:
        args, kwargs = _merge(params["in_tree"], arrays, params["static_args"])
        with np.printoptions(**dict(params["np_printoptions"])):
            sys.stdout.write(f"{_text(params['fmt'], params['has_placeholders'], args, kwargs)}\n")

    return show


def _text(fmt: str, has_placeholders: bool, args: Any, kwargs: Any) -> str:
    return fmt.format(*args, **kwargs) if has_placeholders else " ".join([fmt, *map(str, args)])


def _at_once(callback: Fun, args: Sequence[Any]) -> list[Any]:
    """Outside of a program the arguments are as they came, and an error is the callback's own."""
    callback(*map(pure, args))
    return []


def _in_program(callback: Fun, values: Sequence[np.ndarray]) -> list[Any]:
    called(callback, values)
    return []


debug_callback_p.def_impl(lambda *args, callback, **params: _at_once(callback, args))
debug_print_p.def_impl(lambda *args, **params: _at_once(_callback_of(params), args))
impl_rules[debug_callback_p] = lambda *values, callback, **params: _in_program(callback, values)
impl_rules[debug_print_p] = lambda *values, **params: _in_program(_callback_of(params), values)

# ---- callback


def debug_callback(
    callback: Fun | None = None, *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any
) -> Any:
    """Call `callback(*args, **kwargs)` when the program runs; its result is not used.

    >>> debug_callback(lambda x: print(x + 1), 2)
    3

    Arguments that are not arrays reach it as they are. `ordered` asks for the order of the program, in which callbacks
    come here in any case. Without a callback it returns a function that takes one with its arguments, so that their
    names cannot be taken for options.
    """

    def _debug_callback(callback: Fun, *args: Any, **kwargs: Any) -> None:
        if not callable(callback):
            raise TypeError(
                f"first argument to jax.debug.callback must be callable, but got an object of type {type(callback)}"
            )
        tree, arrays, static = _split(args, kwargs)

        def _flat_callback(*arrays: Any) -> None:
            args, kwargs = _merge(tree, arrays, static)
            callback(*args, **kwargs)

        effect = ordered_debug_effect if ordered else debug_effect
        debug_callback_p.bind(*arrays, callback=_flat_callback, effect=effect, partitioned=partitioned)

    if callback is not None:
        return _debug_callback(callback, *args, **kwargs)
    return _options_alone("debug_callback", args, kwargs) or _debug_callback


def _options_alone(name: str, args: Any, kwargs: Any) -> None:
    if args or kwargs:
        raise TypeError(f"{name} received unexpected arguments in the two-call form: {args=} {kwargs=}")


# ---- print


def debug_print(
    fmt: str | None = None,
    *args: Any,
    ordered: bool = False,
    partitioned: bool = False,
    skip_format_check: bool = False,
    **kwargs: Any,
) -> Any:
    """Print `fmt.format(*args, **kwargs)` when the program runs.

    >>> debug_print("x = {x}", x=1.5)
    x = 1.5

    Raises ValueError for an argument that `fmt` does not name: an f-string is formatted before there are values.
    Without `fmt` it returns a function that takes it with its arguments.
    """

    def _debug_print(fmt: str, *args: Any, **kwargs: Any) -> None:
        if not skip_format_check:
            _FORM.format(fmt, *args, **kwargs)
        tree, arrays, static = _split(args, kwargs)
        debug_print_p.bind(
            *arrays, fmt=fmt, ordered=ordered, partitioned=partitioned, in_tree=tree, static_args=static,
            np_printoptions=tuple(np.get_printoptions().items()), has_placeholders=_begins_with_a_field(fmt),
            logging_record=None,
        )  # fmt: skip

    if fmt is not None:
        return _debug_print(fmt, *args, **kwargs)
    return _options_alone("debug_print", args, kwargs) or _debug_print


def _begins_with_a_field(fmt: str) -> bool:
    """Whether the first piece of a format ends with a field, as JAX asks before it formats at all."""
    return next((field for _, field, *_ in string.Formatter().parse(fmt)), None) is not None


class _Form(string.Formatter):
    """Checks that arguments and fields fit, and formats nothing."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return ""

    def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
        unused = [x for i, x in enumerate(args) if i not in used_args]
        if unused:
            raise ValueError(f"Unused positional arguments to `jax.debug.print`: {unused}")
        names = [name for name in kwargs if name not in used_args]
        if names:
            raise ValueError(
                f"Unused keyword arguments to `jax.debug.print`: {names}. You may be passing an f-string (i.e, "
                '`f"{x}"`) into `jax.debug.print` and instead should pass in a regular string.'
            )


_FORM = _Form()
