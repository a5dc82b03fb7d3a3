"""Functions that bring a rule of their own for their derivative (`custom_jvp`, `custom_vjp`), on batches.

The function is batched, and so is the rule: each is run piece by piece, under traces of one tag. The two must put the
batch axes of the results to the same places.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.custom_derivative import CustomJVPCall, JVPRule, custom_jvp_call_p, custom_jvp_processors
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.lax.shaping import expand_dims, pad
from ..layer1_core.staging import DynamicJaxprTrace
from ..layer1_core.trace import current_trace, set_current_trace
from ..layer1_core.tree import Partial, PyTreeDef, tree_flatten, tree_leaves, tree_unflatten
from ..layer3_control.mismatch import Typed
from ..layer4_grad.custom import run_rule
from ..layer4_grad.custom_vjp import (
    CustomVJPCall,
    custom_lin_p,
    custom_vjp_call_p,
    custom_vjp_processors,
)
from ..layer4_grad.dce import Marks, remembered
from ..layer4_grad.rules.parts import const
from ..layer4_grad.tangents import SymbolicZero, Zero, symbolic
from ..layer4_grad.vjp_rule import CustomVJPPrimal, Trees, VJPRule
from .axes import AxisData
from .batching import (
    BatchTrace,
    Dim,
    Dims,
    axis_batching_rules,
    batch_flat,
    batching_rules,
    mapped_aval,
    matchaxis,
    unmapped_aval,
)
from .programs import batch_jaxpr, batch_jaxpr_axes, batched_avals


@dataclass(frozen=True, eq=False)
class Batching:
    """How one call is batched: the axis, the tag of its traces, and where the batch axes of its arguments are."""

    axis: AxisData
    tag: object
    dims: Dims

    def run(self, fun: Callable[..., Sequence[Any]], vals: Sequence[Any], dims: Dims) -> tuple[list[Any], list[Dim]]:
        """The results of a function of examples, and the places of their batch axes."""
        pairs = [_example(x, d) for x, d in zip(vals, dims, strict=True)]
        return batch_flat(fun, self.axis, self.tag, [x for x, _ in pairs], [d for _, d in pairs])

    def placed(self, vals: Sequence[Any], srcs: Dims, dsts: Dims) -> list[Any]:
        """The values with their batch axes at `dsts`."""
        return [_placed(self.axis, *each) for each in zip(srcs, dsts, vals, strict=True)]


def _example(x: Any, dim: Dim) -> tuple[Any, Dim]:
    """A batch and the place of its axis. A zero that is only a symbol is that of one example, without a batch axis."""
    if type(x) is not SymbolicZero or dim is None:
        return x, dim
    return SymbolicZero(mapped_aval(x.aval, dim)), None


def _placed(axis: AxisData, src: Dim, dst: Dim, x: Any, sum_match: bool = False) -> Any:
    """What `matchaxis` gives, of a zero that is only a symbol too."""
    if type(x) is not SymbolicZero:
        return matchaxis(axis, src, dst, x, sum_match)
    return x if dst is None else SymbolicZero(unmapped_aval(x.aval, dst, axis.size))


class Places:
    """Where the batch axes of the results go: to where the first run has them, be that of the function or of its rule.

    A function that is recorded may be followed by its rule, whose results may have batch axes that its own had not: so
    all its results get one, if an argument has one.
    """

    def __init__(self, dims: Dims | None = None, of_batches: bool = True):
        self.dims = dims
        self.of_batches = of_batches  # whether an argument has a batch axis

    def settle(self, found: Dims) -> Dims:
        """The places: those that are known, else the ones `found`, which are known from then on."""
        if self.dims is None:
            everywhere = self.of_batches and _recorded()
            self.dims = [0 if d is None and everywhere else d for d in found]
        return self.dims


def _recorded() -> bool:
    """Whether what is computed here becomes a program."""
    trace = current_trace.get()
    while isinstance(trace, BatchTrace):
        trace = trace.parent
    return isinstance(trace, DynamicJaxprTrace)


def _batched_function(fun: Callable[..., Any], tree: PyTreeDef, how: Batching, places: Places) -> Callable[..., Any]:
    """`fun` on batches; `tree` is that of its arguments."""

    def batched(*args: Any) -> Any:
        trees: list[PyTreeDef] = []

        def flat(*leaves: Any) -> list[Any]:
            out, out_tree = tree_flatten(fun(*tree_unflatten(tree, leaves)))
            trees.append(out_tree)
            return out

        out, dims = how.run(flat, tree_leaves(args), how.dims)
        return tree_unflatten(trees[0], how.placed(out, dims, places.settle(dims)))

    return batched


def _batch_call(call: Any, processors: dict[Any, Any], rule_of: Callable[..., Any]) -> Any:
    """The call, of functions of batches, by the parent trace."""
    trace = current_trace.get()
    assert isinstance(trace, BatchTrace)
    leaves, tree = tree_flatten(call.args)
    vals, dims = trace.split(leaves)
    how, places = Batching(trace.axis, trace.tag, dims), Places(of_batches=any(d is not None for d in dims))
    fun = _batched_function(call.fun, tree, how, places)
    batched = replace(call, fun=fun, args=tree_unflatten(tree, vals), **rule_of(how, places, vals))
    with set_current_trace(trace.parent):
        out, out_tree = tree_flatten(processors[type(trace.parent)](batched))
    assert places.dims is not None
    return tree_unflatten(out_tree, trace.join(out, places.dims))


# ---- custom_jvp


def _batch_jvp_call(call: CustomJVPCall) -> Any:
    def rule_of(how: Batching, places: Places, vals: Sequence[Any]) -> dict[str, Any]:
        return {"jvp": batched_jvp(call.jvp, call.symbolic_zeros, how, places)}

    return _batch_call(call, custom_jvp_processors, rule_of)


custom_jvp_processors[BatchTrace] = _batch_jvp_call


def batched_jvp(rule: JVPRule, symbolic_zeros: bool, how: Batching, places: Places) -> JVPRule:
    """The rule on batches of primals and tangents. A result and its tangent have one place of batch axes."""

    def batched(primals: Any, tangents: Any) -> tuple[Any, Any]:
        trees: list[PyTreeDef] = []

        def both(*given: Any) -> list[Any]:
            n = len(how.dims)
            out, out_dot, tree = run_rule(rule, symbolic_zeros, given[:n], given[n:])
            trees.append(tree)
            return [*out, *map(symbolic, out_dot)]

        vals, dims = how.run(both, [*tree_leaves(primals), *tree_leaves(tangents)], [*how.dims, *how.dims])
        n = len(vals) // 2
        wanted = places.settle([b if a is None else a for a, b in zip(dims[:n], dims[n:], strict=True)])
        placed = how.placed(vals, dims, [*wanted, *wanted])
        return tree_unflatten(trees[0], placed[:n]), tree_unflatten(trees[0], placed[n:])

    batched.__name__ = batched.__qualname__ = rule.name
    return JVPRule(batched, (), rule.primal_name, rule.in_tree)


def _jvp_equation(
    axis: AxisData,
    args: Sequence[Any],
    dims: Dims,
    *,
    call_jaxpr: Jaxpr,
    jvp_jaxpr_fun: JVPRule,
    num_consts: int,
    symbolic_zeros: bool,
) -> tuple[list[Any], Dims]:
    made, rule, out_dims = _batched_jvp_call(call_jaxpr, axis, tuple(dims), jvp_jaxpr_fun, num_consts, symbolic_zeros)
    params = dict(num_consts=num_consts, symbolic_zeros=symbolic_zeros)
    return custom_jvp_call_p.bind(*args, call_jaxpr=made, jvp_jaxpr_fun=rule, **params), out_dims


@remembered
def _batched_jvp_call(
    call_jaxpr: Jaxpr, axis: AxisData, dims: tuple[Dim, ...], rule: JVPRule, num_consts: int, symbolic_zeros: bool
) -> tuple[Jaxpr, JVPRule, Dims]:
    made, out_dims = _with_all_batched(call_jaxpr, axis, dims)
    how = Batching(axis, object(), dims[num_consts:])
    return made, batched_jvp(rule, symbolic_zeros, how, Places(out_dims)), out_dims


def _with_all_batched(call_jaxpr: Jaxpr, axis: AxisData, dims: tuple[Dim, ...]) -> tuple[Jaxpr, tuple[Dim, ...]]:
    """The program of a call; each result has a batch axis, since the rule may give it one."""
    made, out_dims = batch_jaxpr(call_jaxpr, axis, dims)
    if None not in out_dims or all(d is None for d in dims):
        return made, out_dims
    wanted = tuple(0 if d is None else d for d in out_dims)
    return batch_jaxpr_axes(call_jaxpr, axis, dims, wanted), wanted


axis_batching_rules[custom_jvp_call_p] = _jvp_equation

# ---- custom_vjp


def _batch_vjp_call(call: CustomVJPCall) -> Any:
    def rule_of(how: Batching, places: Places, vals: Sequence[Any]) -> dict[str, Any]:
        return {"rule": batched_vjp(call.rule, how, places, [*map(typeof, vals)])}

    return _batch_call(call, custom_vjp_processors, rule_of)


custom_vjp_processors[BatchTrace] = _batch_vjp_call


def batched_vjp(rule: VJPRule, how: Batching, places: Places, in_avals: Sequence[ShapedArray]) -> VJPRule:
    """The two halves on batches. The residuals are a function of the cotangent: it knows where their batch axes are."""

    def fwd(*args: Any) -> tuple[Any, Any]:
        leaves = tree_leaves(args)
        nonzero = [x.perturbed if type(x) is CustomVJPPrimal else True for x in leaves]
        values = [x.value if type(x) is CustomVJPPrimal else x for x in leaves]
        found: list[Any] = []

        def forward(*primals: Any) -> list[Any]:
            out, residuals, trees = rule.run_fwd(primals, nonzero)
            found.append((trees, [*map(typeof, out)]))
            return [*out, *residuals]

        vals, dims = how.run(forward, values, how.dims)
        trees, out_avals = found[0]
        n = len(out_avals)
        out_dims = places.settle(dims[:n])
        pull = partial(_pulled, rule, how, trees, tuple(out_avals), tuple(out_dims), tuple(dims[n:]))
        return tree_unflatten(trees.out, how.placed(vals[:n], dims[:n], out_dims)), Partial(pull, *vals[n:])

    def bwd(residuals: Partial, ct: Any) -> Any:
        return residuals(ct)

    return replace(rule, fwd=fwd, bwd=bwd, in_avals=[*in_avals], out=None)


def _pulled(
    rule: VJPRule,
    how: Batching,
    trees: Trees,
    out_avals: Sequence[ShapedArray],
    out_dims: Dims,
    residual_dims: Dims,
    *operands: Any,
) -> Any:
    """The tree of the cotangents of the arguments, from residuals and the cotangent of the result.

    What is the same for all examples gets the sum of their cotangents.
    """
    *residuals, ct = operands
    cts = tree_leaves(ct)
    ct_dims = [d if len(x.shape) > a.ndim else None for x, a, d in zip(cts, out_avals, out_dims, strict=True)]
    shared = [d is None and type(x) is not SymbolicZero for x, d in zip(cts, ct_dims, strict=True)]
    cts = [_for_the_first(x, how.axis.size) if mark else x for x, mark in zip(cts, shared, strict=True)]
    ct_dims = [0 if mark else d for d, mark in zip(ct_dims, shared, strict=True)]

    def back(*given: Any) -> list[Any]:
        n = len(residuals)
        zeros = [Zero(x.aval) if type(x) is SymbolicZero else x for x in given[n:]]
        return [None if type(x) is Zero else x for x in rule.run_bwd(trees, given[:n], zeros)]

    found, dims = how.run(back, [*residuals, *cts], [*residual_dims, *ct_dims])
    placed = [
        None if x is None else _placed(how.axis, src, dst, x, sum_match=True)
        for x, src, dst in zip(found, dims, how.dims, strict=True)
    ]
    return tree_unflatten(rule.in_tree, placed)


def _for_the_first(ct: Any, size: int) -> Any:
    """The cotangent of a result that all examples share, as one of each: the first has it, since their sum counts.

    (JAX gives it to each of them, and so an argument that they share too gets it as often as there are examples.)
    """
    first = expand_dims(ct, (0,))
    return pad(first, const(ct, 0), [(0, size - 1, 0), *((0, 0, 0) for _ in np.shape(ct))]) if size else first[:0]


def _vjp_equation(
    axis: AxisData,
    args: Sequence[Any],
    dims: Dims,
    *,
    call_jaxpr: Jaxpr,
    rule: VJPRule,
    num_consts: int,
    used: Marks | None,
) -> tuple[list[Any], Dims]:
    if not args and not call_jaxpr.outvars:  # a call of nothing, which stands before a loop
        return custom_vjp_call_p.bind(call_jaxpr=call_jaxpr, rule=rule, num_consts=num_consts, used=used), ()
    made, batched, out_dims = _batched_vjp_call(call_jaxpr, axis, tuple(dims), rule, num_consts, used)
    return custom_vjp_call_p.bind(*args, call_jaxpr=made, rule=batched, num_consts=num_consts, used=used), out_dims


@remembered
def _batched_vjp_call(
    call_jaxpr: Jaxpr, axis: AxisData, dims: tuple[Dim, ...], rule: VJPRule, num_consts: int, used: Marks | None
) -> tuple[Jaxpr, VJPRule, Dims]:
    """Results that are not used any more (`used`) have no batch axis."""
    made, out_dims = _with_all_batched(call_jaxpr, axis, dims)
    assert rule.out is not None
    rest = iter(out_dims)
    places = [next(rest) if mark else None for mark in used or (True,) * len(rule.out.avals)]
    in_avals = batched_avals(rule.in_avals, dims[num_consts:], axis.size)
    batched = batched_vjp(rule, Batching(axis, object(), dims[num_consts:]), Places(places), in_avals)
    out = Typed(rule.out.tree, batched_avals(rule.out.avals, places, axis.size))
    return made, replace(batched, out=out), out_dims


axis_batching_rules[custom_vjp_call_p] = _vjp_equation


@batching_rules.rule(custom_lin_p)
def _refuse(args: Sequence[Any], dims: Dims, **params: Any) -> Any:
    raise TypeError("can't apply forward-mode autodiff (jvp) to a custom_vjp function.")
