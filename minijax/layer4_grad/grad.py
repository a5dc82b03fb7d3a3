"""Gradients of functions to a number: `grad` and `value_and_grad`."""

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import typeof
from ..layer1_core.jit import JitWrapped
from ..layer1_core.jit_options import Options
from ..layer1_core.lax.shaping import as_typed, full_like
from ..layer1_core.tree import tree_leaves, tree_map
from .flat import check_arg, check_callable, refuse_reduce_axes
from .reverse import vjp

Argnums = int | tuple[int, ...]


def grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Any] = (),
) -> Callable[..., Any]:
    """The gradient of `fun`: a function of the same arguments. The options are those of `value_and_grad`.

    >>> grad(lambda x: x**3)(2.0)
    Array(12., dtype=float32, weak_type=True)

    With `has_aux` it returns (gradient, aux).
    """
    both = value_and_grad(fun, argnums, has_aux, holomorphic, allow_int, reduce_axes)

    @functools.wraps(fun)
    def grad_f(*args: Any, **kwargs: Any) -> Any:
        return both(*args, **kwargs)[1]

    @functools.wraps(fun)
    def grad_f_aux(*args: Any, **kwargs: Any) -> Any:
        (_, aux), gradient = both(*args, **kwargs)
        return gradient, aux

    return grad_f_aux if has_aux else grad_f


def value_and_grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Any] = (),
) -> Callable[..., tuple[Any, Any]]:
    """A function of the arguments of `fun` that returns (its value, its gradient).

    The gradient is by the argument at position `argnums`, or a tuple of them for several; it is a tree like the
    argument. `fun` returns a real number; with `has_aux` a pair of that and anything, and then the value is this pair.
    `holomorphic` promises that `fun` is a holomorphic function of complex numbers. `allow_int` lets integers in: their
    gradient has the dtype float0, and holds nothing.

    >>> value_and_grad(lambda x, y: x * y, argnums=(0, 1))(3.0, 4.0)[1]
    (Array(4., dtype=float32, weak_type=True), Array(3., dtype=float32, weak_type=True))

    Raises TypeError for arguments and results of other types.
    """
    refuse_reduce_axes(reduce_axes, "grad")
    check_callable(fun)
    nums = as_index(argnums)

    @functools.wraps(fun)
    def value_and_grad_f(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        _check_enough(nums, args)
        partial, dynamic = split_args(fun, nums, args, kwargs)
        for leaf in tree_leaves(dynamic):
            check_input("grad", holomorphic, allow_int, leaf)
        out, pullback, *aux = vjp(partial, *dynamic, has_aux=has_aux)
        _check_scalar(out)
        tree_map(functools.partial(check_output, "grad", holomorphic), out)
        cts = pullback(as_typed(full_like(out, 1, shape=()), typeof(out)))
        return (out, *aux) if has_aux else out, cts[0] if isinstance(nums, int) else cts

    return value_and_grad_f


def fwd_and_bwd(
    fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool = False, jitted: bool = True
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The two passes of reverse mode as two functions: fwd(*args) is what `vjp` gives, bwd(f_vjp, ct) is its gradient.

    >>> fwd, bwd = fwd_and_bwd(lambda x, y: x * y, argnums=0)
    >>> y, f_vjp = fwd(2.0, 3.0)
    >>> print(y, bwd(f_vjp, 1.0))
    6.0 3.0

    Both are jitted, unless told otherwise: so the second is compiled once, for all points.
    """
    check_callable(fun)
    nums = as_index(argnums)

    def fwd(*args: Any, **kwargs: Any) -> Any:
        partial, dynamic = split_args(fun, nums, args, kwargs)
        return vjp(partial, *dynamic, has_aux=has_aux)

    def bwd(f_vjp: Any, ct: Any) -> Any:
        cts = f_vjp(ct)
        return cts[0] if isinstance(nums, int) else cts

    options = Options()  # not those of a function that the package jits for itself, which is interpreted
    return (JitWrapped(fwd, options), JitWrapped(bwd, options)) if jitted else (fwd, bwd)


# ---- which arguments


def as_index(argnums: Any) -> Argnums:
    """A position, or a tuple of positions."""
    try:
        return operator.index(argnums)
    except TypeError:
        return tuple(map(operator.index, argnums))


def split_args(fun: Callable[..., Any], nums: Argnums, args: Any, kwargs: Any) -> tuple[Callable[..., Any], Any]:
    """`fun` as a function of the arguments at these positions only, and these arguments."""
    positions = [_in_bounds(i, len(args)) for i in ((nums,) if isinstance(nums, int) else nums)]

    def partial(*chosen: Any) -> Any:
        full = list(args)
        for i, x in zip(positions, chosen, strict=True):
            full[i] = x
        return fun(*full, **kwargs)

    return functools.update_wrapper(partial, fun), tuple(args[i] for i in positions)


def _in_bounds(i: int, n: int) -> int:
    if not -n <= i < n:
        raise ValueError(
            "Positional argument indices, e.g. for `static_argnums`, must have value greater than or equal to "
            f"-len(args) and less than len(args), but got value {i} for len(args) == {n}."
        )
    return i % n


def _check_enough(argnums: Argnums, args: Sequence[Any]) -> None:
    largest = argnums if isinstance(argnums, int) else max(argnums)
    if largest >= len(args):
        raise TypeError(
            f"differentiating with respect to {argnums=} requires at least {largest + 1} positional arguments to be "
            f"passed by the caller, but got only {len(args)} positional arguments."
        )


# ---- which types


def check_input(name: str, holomorphic: bool, allow_int: bool, x: Any) -> None:
    """Raises JAX's TypeError for an argument by which `name` does not differentiate."""
    check_arg(x)
    dtype = typeof(x).dtype
    if holomorphic and not dtypes.issubdtype(dtype, np.complexfloating):
        raise TypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype.name}.")
    if not dtypes.issubdtype(dtype, np.inexact) and not allow_int:
        raise TypeError(
            f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
            f"{dtype.name}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
        )


def check_output(name: str, holomorphic: bool, x: Any) -> None:
    """Raises JAX's TypeError for a result that `name` does not differentiate."""
    dtype = typeof(x).dtype
    if holomorphic:
        if not dtypes.issubdtype(dtype, np.complexfloating):
            raise TypeError(f"{name} with holomorphic=True requires outputs with complex dtype, but got {dtype.name}.")
        return
    requires = f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got "
    if dtypes.issubdtype(dtype, np.complexfloating):
        raise TypeError(
            f"{requires}{dtype.name}. For holomorphic differentiation, pass holomorphic=True. For differentiation of "
            "non-holomorphic functions involving complex outputs, use jax.vjp directly."
        )
    if not dtypes.issubdtype(dtype, np.floating):
        raise TypeError(
            f"{requires}{dtype.name}. For differentiation of functions with integer outputs, use jax.vjp directly."
        )


def _check_scalar(x: Any) -> None:
    head = "Gradient only defined for scalar-output functions. Output "
    try:
        shape = typeof(x).shape
    except TypeError as error:
        raise TypeError(f"{head}was {x}.") from error
    if shape != ():
        raise TypeError(f"{head}had shape: {shape}.")
