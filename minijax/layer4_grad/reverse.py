"""Reverse mode for users: `vjp` and `linear_transpose`."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import ShapedArray, abstractify, typeof
from ..layer1_core.dtypes import float0
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.literals import with_type
from ..layer1_core.staging import DynamicJaxprTrace
from ..layer1_core.trace import current_trace, set_current_trace
from ..layer1_core.tree import Partial, PyTreeDef, register_pytree_node, tree_flatten, tree_leaves, tree_unflatten
from ..layer1_core.tree_errors import equality_errors_pytreedef
from ..layer1_core.tree_paths import keystr
from .dce import dce_whole
from .flat import Flat, InvalidInputException, check_arg, check_callable, info_of, refuse_reduce_axes
from .linearize import PartialTrace, linearize_flat
from .tangents import Zero, instantiate, same_type, tangent_aval
from .transpose import UndefinedPrimal, backward_pass

# ---- vjp


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, reduce_axes: Any = (),
        saveable_args: Any = True) -> Any:  # fmt: skip
    """(fun(*primals), a function from a cotangent of that to a tuple of cotangents of the arguments).

    >>> y, f_vjp = vjp(lambda x, y: x * y, 3.0, 4.0)
    >>> print(y, *f_vjp(1.0))
    12.0 4.0 3.0

    With `has_aux` the function returns a pair, of which the second part is handed through, third.
    """
    refuse_reduce_axes(reduce_axes, "vjp")
    if saveable_args is not True:
        raise NotImplementedError("saveable_args of vjp: use jax.checkpoint to choose what is saved")
    check_callable(fun)
    leaves, in_tree = tree_flatten(primals)
    for x in leaves:
        check_arg(x, InvalidInputException)
    leaves = [*map(with_type, leaves)]
    flat = Flat(fun, in_tree, has_aux)
    made = linearize_flat(flat, leaves, info_of(fun, "linearize"))
    place = {id(x): i for i, x in enumerate(leaves)}
    sources = [place.get(id(c)) for c in made.jaxpr.consts]
    own = [c for c, i in zip(made.jaxpr.consts, sources, strict=True) if i is None]
    used = set(sources)
    kept = iter([x if i in used else NotNeeded() for i, x in enumerate(leaves)])
    pullback = Pullback(made.jaxpr, made.nonzero, made.out_avals, sources)
    args_res = [_as_tuples(child, kept) for child in in_tree.children()]
    results = tree_unflatten(flat.out_tree, made.primals), VJP(pullback, in_tree, flat.out_tree, args_res, own)
    return (*results, flat.aux) if has_aux else results


def _as_tuples(tree: PyTreeDef, leaves: Iterator[Any]) -> Any:
    """The next leaves, in tuples that are nested as `tree` is."""
    if tree.node_data() is None and tree.num_leaves == 1:
        return next(leaves)
    return tuple(_as_tuples(child, leaves) for child in tree.children())


@dataclass(frozen=True)
class NotNeeded:
    """Stands for an argument whose value no derivative needs."""


register_pytree_node(NotNeeded, lambda x: ((), None), lambda aux, children: NotNeeded())


@dataclass(frozen=True, eq=False)
class Pullback:
    """A linear program to be run backwards, and where its residuals come from: an argument, or None for its own."""

    jaxpr: Jaxpr
    nonzero: list[bool]
    out_avals: list[ShapedArray]
    sources: list[int | None]

    def __call__(self, residuals: Sequence[Any], cts: Sequence[Any]) -> list[Any]:
        wanted = [ct for ct, mark in zip(cts, self.nonzero, strict=True) if mark]
        linear = [UndefinedPrimal(tangent_aval(v.aval)) for v in self.jaxpr.invars]
        return [instantiate(ct) for ct in backward_pass(self.jaxpr, residuals, linear, wanted)]


@dataclass(frozen=True, eq=False)
class VJP:
    """What `vjp` returns: called with a cotangent of the result. A pytree, whose leaves are the residuals."""

    fun: Pullback
    in_tree: PyTreeDef
    out_tree: PyTreeDef
    args_res: list[Any]
    opaque_residuals: list[Any]

    @property
    def jaxpr(self) -> Jaxpr:
        return self.fun.jaxpr

    def replace(self, **changes: Any) -> "VJP":
        """This function with some fields changed."""
        return replace(self, **changes)

    def with_refs(self, *refs: Any) -> Any:
        raise NotImplementedError("with_refs: gradients are returned as values; add them up yourself")

    def __call__(self, out_ct: Any, *extra_args: Any) -> Any:
        """The cotangents of the arguments. Raises ValueError for a cotangent that does not fit the result."""
        if extra_args:
            name = self.jaxpr.debug_info.func_name if self.jaxpr.debug_info else ""
            raise TypeError(_TOO_MANY.format(name, len(extra_args) + 1))
        cts, tree = tree_flatten(out_ct, is_leaf=lambda x: isinstance(x, Zero))
        if tree != self.out_tree:
            raise ValueError(self._tree_message(tree))
        for ct, aval in zip(cts, self.fun.out_avals, strict=True):
            _check_cotangent(ct, aval)
        args = tree_leaves(self.args_res, is_leaf=lambda x: isinstance(x, NotNeeded))
        own = iter(self.opaque_residuals)
        residuals = [next(own) if i is None else args[i] for i in self.fun.sources]
        return tree_unflatten(self.in_tree, self.fun(residuals, cts))

    def _tree_message(self, tree: PyTreeDef) -> str:
        info = self.jaxpr.debug_info
        lines = [
            f"  * out{keystr(path)} was a {a} in the original output, but a {b} here, so {why}."
            for path, a, b, why in equality_errors_pytreedef(self.out_tree, tree)
        ]
        return (
            "unexpected tree structure.\n\nThe argument to a VJP function returned by `jax.vjp` must match the pytree\n"
            f"structure of the differentiated function {info.func_src_info if info else ''}.\n\n"
            "But the tree structures differ:\n" + "\n".join(lines)
        )


register_pytree_node(
    VJP,
    lambda f: ((f.args_res, f.opaque_residuals), (f.fun, f.in_tree, f.out_tree)),
    lambda aux, children: VJP(*aux, *children),
)

_TOO_MANY = """
The function returned by `jax.vjp` applied to {} was called with {} arguments,
but functions returned by `jax.vjp` must be called with a single argument
corresponding to the single value returned by the function being differentiated
(even if that returned value is a tuple or other container).

For example, if we have:

  def f(x):
    return (x, x)
  _, f_vjp = jax.vjp(f, 1.0)

the function `f` returns a single tuple as output, and so we call `f_vjp` with a
single tuple as its argument:

  x_bar, = f_vjp((2.0, 2.0))

If we instead call `f_vjp(2.0, 2.0)`, with the values 'splatted out' as
arguments rather than in a tuple, this error can arise.
"""


def _check_cotangent(ct: Any, aval: ShapedArray) -> None:
    """Raises JAX's ValueError for a cotangent that has not the type of those of values of type `aval`."""
    if type(ct) is Zero:
        return
    found, expected = typeof(ct), tangent_aval(aval)
    divided_alike = found.is_undivided or expected.is_undivided or found.sharding.matches(expected.sharding)
    if same_type(found, expected) and divided_alike:
        return
    if found.shape == expected.shape and expected.dtype == float0:
        return
    raise ValueError(
        f"unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got {found.str_short()}, but expected "
        f"{expected.str_short()} because the corresponding output of the differentiated function had JAX type "
        f"{aval.str_short()}"
    )


# ---- linear_transpose


def linear_transpose(fun: Callable[..., Any], *primals: Any, reduce_axes: Any = ()) -> Callable[[Any], Any]:
    """The transpose of a function that is linear: from a cotangent of its result to cotangents of its arguments.

    >>> print(*linear_transpose(lambda x, y: 2.0 * x - y, 0.0, 0.0)(3.0))
    6.0 -3.0

    Of `primals` only the types matter: ShapeDtypeStructs will do. Where `fun` is not linear, an error tells which
    operation is not; integers go with integers only.
    """
    refuse_reduce_axes(reduce_axes, "transpose")
    leaves, in_tree = tree_flatten(primals)
    in_avals = [abstractify(x) for x in leaves]
    flat = Flat(fun, in_tree)
    jaxpr = _staged_unknown(flat, in_avals, info_of(fun, "linear_transpose"))
    _check_dtypes([a.dtype for a in in_avals], [a.dtype for a in jaxpr.out_avals])
    return Partial(functools.partial(_transposed, jaxpr, in_tree, flat.out_tree), jaxpr.consts)


def _staged_unknown(fun: Callable[..., Any], avals: Sequence[ShapedArray], info: Any) -> Jaxpr:
    """The program of a function of unknown values; what does not depend on them is computed at once."""
    unknown = DynamicJaxprTrace(info)
    try:
        with set_current_trace(PartialTrace(current_trace.get(), unknown)):
            out = fun(*map(unknown.new_arg, avals))
        return dce_whole(unknown.finish(out))
    finally:
        unknown.close()


def _check_dtypes(ins: Sequence[Any], outs: Sequence[Any]) -> None:
    """Raises JAX's TypeError where numbers of several kinds go together."""
    everything = [*ins, *outs]
    if not any(all(dtypes.issubdtype(d, kind) for d in everything) for kind in (np.inexact, np.integer)):
        raise TypeError(
            "linear_transpose only supports [float or complex] -> [float or complex], and integer -> integer "
            f"functions, but got {ins} -> {outs}."
        )


def _transposed(jaxpr: Jaxpr, in_tree: PyTreeDef, out_tree: PyTreeDef, consts: Sequence[Any], out_ct: Any) -> Any:
    """The cotangents of the arguments. Raises TypeError for a cotangent that does not fit the result."""
    cts, tree = tree_flatten(out_ct)
    if tree != out_tree:
        raise TypeError(f"cotangent tree does not match function output, expected {out_tree} but got {tree}")
    if not all(same_type(a, typeof(ct)) for a, ct in zip(jaxpr.out_avals, cts, strict=True)):
        raise TypeError(
            f"cotangent type does not match function output, expected {tuple(jaxpr.out_avals)} but got {cts}"
        )
    linear = [UndefinedPrimal(tangent_aval(a)) for a in jaxpr.in_avals]
    return tree_unflatten(in_tree, [instantiate(ct) for ct in backward_pass(jaxpr, consts, linear, cts)])
