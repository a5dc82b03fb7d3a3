"""Calls: jit, and functions that bring a jvp rule of their own, on batches."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..layer1_core.custom_derivative import CustomJVPCall, JVPRule, custom_jvp_call_p, custom_jvp_processors
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.jit_call import jit_p
from ..layer1_core.trace import current_trace, set_current_trace
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_leaves, tree_unflatten
from ..layer4_grad.custom import run_rule
from ..layer4_grad.dce import remembered
from ..layer4_grad.tangents import SymbolicZero, Zero
from .axes import AxisData
from .batching import BatchTrace, Dim, axis_batching_rules, batch_flat, mapped_aval, matchaxis, unmapped_aval
from .programs import batch_jaxpr

Dims = Sequence[Dim]

# ---- jit


def _jit_rule(axis: AxisData, args: Sequence[Any], dims: Dims, *, jaxpr: Jaxpr, **params: Any) -> Any:
    made, out_dims = batch_jaxpr(jaxpr, axis, tuple(dims))
    return jit_p.bind(*args, jaxpr=made, **params), out_dims


axis_batching_rules[jit_p] = _jit_rule

# ---- a call of a function with a jvp rule


def _batch_call(call: CustomJVPCall) -> Any:
    """The call, of functions of batches, by the parent trace: whichever of the two is run says where the batch axes of
    the results are.
    """
    trace = current_trace.get()
    assert isinstance(trace, BatchTrace)
    leaves, tree = tree_flatten(call.args)
    vals, dims = trace.split(leaves)
    places: list[Dims] = []

    def fun(*args: Any) -> Any:
        trees: list[PyTreeDef] = []
        out, out_dims = batch_flat(_flat(call.fun, tree, trees), trace.axis, trace.tag, tree_flatten(args)[0], dims)
        places.append(out_dims)
        return tree_unflatten(trees[0], out)

    rule = batched_rule(call.jvp, call.symbolic_zeros, trace.axis, trace.tag, dims, places)
    with set_current_trace(trace.parent):
        batched = replace(call, fun=fun, args=tree_unflatten(tree, vals), jvp=rule)
        out, out_tree = tree_flatten(custom_jvp_processors[type(trace.parent)](batched))
    return tree_unflatten(out_tree, trace.join(out, places[-1]))


custom_jvp_processors[BatchTrace] = _batch_call


def _flat(fun: Callable[..., Any], tree: PyTreeDef, trees: list[PyTreeDef]) -> Callable[..., list[Any]]:
    """`fun` as a function of leaves and to leaves; the tree of its results is added to `trees`."""

    def flat(*leaves: Any) -> list[Any]:
        out, out_tree = tree_flatten(fun(*tree_unflatten(tree, leaves)))
        trees.append(out_tree)
        return out

    return flat


def batched_rule(
    rule: JVPRule, symbolic_zeros: bool, axis: AxisData, tag: object, dims: Dims, places: list[Dims]
) -> JVPRule:
    """The rule on batches of primals and tangents, whose batch axes are at `dims`.

    The places of the batch axes of the results are added to `places`. A result and its tangent have theirs at one.
    """

    def batched(primals: Any, tangents: Any) -> tuple[Any, Any]:
        trees: list[PyTreeDef] = []

        def both(*given: Any) -> list[Any]:
            out, out_dot, tree = run_rule(rule, symbolic_zeros, given[: len(dims)], given[len(dims) :])
            trees.append(tree)
            return [*out, *(SymbolicZero(t.aval) if type(t) is Zero else t for t in out_dot)]

        given = zip([*tree_leaves(primals), *tree_leaves(tangents)], [*dims, *dims], strict=True)
        examples = [_example(x, d) for x, d in given]
        vals, val_dims = batch_flat(both, axis, tag, [x for x, _ in examples], [d for _, d in examples])
        n = len(vals) // 2
        out_dims = [b if a is None else a for a, b in zip(val_dims[:n], val_dims[n:], strict=True)]
        places.append(out_dims)
        placed = [_placed(axis, *each) for each in zip(val_dims, [*out_dims, *out_dims], vals, strict=True)]
        return tree_unflatten(trees[0], placed[:n]), tree_unflatten(trees[0], placed[n:])

    batched.__name__ = batched.__qualname__ = rule.name
    return JVPRule(batched, (), rule.primal_name, rule.in_tree)


def _example(x: Any, dim: Dim) -> tuple[Any, Dim]:
    """A batch and the place of its axis. A zero that is only a symbol is that of one example, without a batch axis."""
    if type(x) is not SymbolicZero or dim is None:
        return x, dim
    return SymbolicZero(mapped_aval(x.aval, dim)), None


def _placed(axis: AxisData, src: Dim, dst: Dim, x: Any) -> Any:
    if type(x) is not SymbolicZero:
        return matchaxis(axis, src, dst, x)
    return x if dst is None else SymbolicZero(unmapped_aval(x.aval, dst, axis.size))


# ---- an equation of such a call


def _equation_rule(
    axis: AxisData,
    args: Sequence[Any],
    dims: Dims,
    *,
    call_jaxpr: Jaxpr,
    jvp_jaxpr_fun: JVPRule,
    num_consts: int,
    symbolic_zeros: bool,
) -> Any:
    made, rule, out_dims = _batched_call(call_jaxpr, axis, tuple(dims), jvp_jaxpr_fun, num_consts, symbolic_zeros)
    params = dict(num_consts=num_consts, symbolic_zeros=symbolic_zeros)
    return custom_jvp_call_p.bind(*args, call_jaxpr=made, jvp_jaxpr_fun=rule, **params), out_dims


@remembered
def _batched_call(
    call_jaxpr: Jaxpr, axis: AxisData, dims: tuple[Dim, ...], rule: JVPRule, num_consts: int, symbolic_zeros: bool
) -> tuple[Jaxpr, JVPRule, Dims]:
    made, out_dims = batch_jaxpr(call_jaxpr, axis, dims)
    return made, batched_rule(rule, symbolic_zeros, axis, object(), dims[num_consts:], []), out_dims


axis_batching_rules[custom_jvp_call_p] = _equation_rule
