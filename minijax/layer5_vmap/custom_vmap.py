"""Functions that say themselves what they are on a batch: `custom_vmap`, `sequential_vmap`."""

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.aval import typeof
from ..layer1_core.custom_derivative import positional
from ..layer1_core.evaluate import run
from ..layer1_core.fun_names import arg_names, fun_name, fun_signature, fun_source_info
from ..layer1_core.jaxpr import DebugInfo, Jaxpr
from ..layer1_core.literals import with_type
from ..layer1_core.primitive import impl_rules
from ..layer1_core.staging import trace_to_jaxpr
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_map, tree_structure, tree_unflatten, treedef_tuple
from ..layer2_jit.lowering import CALLED, lowering_rules
from ..layer2_jit.passes import called
from ..layer3_control.bodies import Carrier
from ..layer3_control.fori import map as lax_map
from ..layer4_grad.families import no_rule
from ..layer4_grad.forward import jvp
from ..layer4_grad.jvp import jvp_rules
from ..layer4_grad.programs import closed_over_nothing, jvp_jaxpr
from ..layer4_grad.tangents import instantiate
from ..layer4_grad.transpose import transpose_rules
from .axes import AxisData, no_axis_name
from .batching import Dim, Dims, at_front, batch_flat, batching_rules, dims_of, marks_of, size_of

# (axis_size, in_batched, *args) -> (result, which of its leaves have a batch axis)
Rule = Callable[..., tuple[Any, Any]]

# ---- the primitive

custom_vmap_p = Carrier("custom_vmap_call")
custom_vmap_p.def_abstract_eval(lambda *avals, call, **params: call.out_avals)
called[custom_vmap_p] = lambda eqn: eqn.params["call"]
lowering_rules[custom_vmap_p] = CALLED


@impl_rules.rule(custom_vmap_p)
def _run_call(*values: np.ndarray, call: Jaxpr, **params: Any) -> list[np.ndarray]:
    return run(call, values)


class ClosedRule:
    """A rule of the user's in an equation. The first operands, what the function closes over, it does not see."""

    def __init__(self, rule: Rule):
        functools.update_wrapper(self, rule)
        self.rule = rule

    def __call__(self, axis_size: int, in_batched: Any, consts: Any, args: Any) -> tuple[Any, Any]:
        _, batched = in_batched
        return self.rule(axis_size, [*batched], *args)

    def __str__(self) -> str:
        return str(self.rule)


# ---- the function


class custom_vmap:
    """A decorator: `fun` with a rule of the user's for batches.

        @custom_vmap
        def f(x, y): ...

        @f.def_vmap
        def f_rule(axis_size, in_batched, xs, ys): ...     # -> (result, which of its leaves have a batch axis)

    `in_batched` is a list with a truth value for each leaf of each argument; a batch axis is the first one. It has no
    transpose: for reverse mode, put `custom_vjp` around it.
    """

    def __init__(self, fun: Callable[..., Any]):
        functools.update_wrapper(self, fun)
        self.fun, self.vmap_rule = fun, None

    def def_vmap(self, vmap_rule: Rule) -> Rule:
        """Set the rule. Returns it."""
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = fun_name(self.fun)
        args = positional(self.fun, "custom_vmap", args, kwargs)
        if self.vmap_rule is None:
            raise AttributeError(f"No batching rule defined for custom_vmap function {name} using def_vmap.")
        leaves, in_tree = tree_flatten((args, {}))
        names = arg_names(fun_signature(self.fun), args, {})
        info = DebugInfo("custom_vmap fun", fun_source_info(self.fun), names)
        jaxpr, out_tree = trace_to_jaxpr(self.fun, in_tree, [typeof(x) for x in leaves], info)
        call, consts = closed_over_nothing(jaxpr)
        whole = treedef_tuple((tree_structure([*consts]), in_tree.children()[0]))
        out = custom_vmap_p.bind(
            *consts,
            *map(with_type, leaves),
            call=call,
            rule=ClosedRule(self.vmap_rule),
            in_tree=whole,
            out_tree=out_tree,
        )
        return tree_unflatten(out_tree, out)


# ---- on batches


@batching_rules.rule(custom_vmap_p)
def _batched_call(
    args: Sequence[Any], dims: Dims, *, call: Jaxpr, rule: Rule, in_tree: PyTreeDef, out_tree: PyTreeDef
) -> tuple[list[Any], list[Dim]]:
    size = size_of(args, dims)
    batched = tree_unflatten(in_tree, marks_of(dims))
    operands = tree_unflatten(in_tree, [at_front(x, d) for x, d in zip(args, dims, strict=True)])
    out, out_batched = rule(size, batched, *operands)
    leaves, tree = tree_flatten(out)
    marks, marks_tree = tree_flatten(out_batched)
    _check_trees(rule, out_tree, tree, marks_tree)
    return leaves, dims_of(marks)


def _check_trees(rule: Rule, original: PyTreeDef, tree: PyTreeDef, batched: PyTreeDef) -> None:
    """Raises ValueError where the rule's result is not like the function's, or not like what it says of it."""
    name = getattr(rule, "__name__", "<unnamed rule>")
    if tree != batched:
        raise ValueError(
            "structure of output value and output batching specification returned by custom vmap rule "
            f"({name}) do not match.\nOutput values: {tree}\nBatching spec: {batched}"
        )
    if tree != original:
        raise ValueError(
            f"structure of output returned by custom vmap rule ({name}) does not match that of original "
            f"custom-vmapped function.\nOriginal output: {original}\nRule output: {tree}"
        )


# ---- forward mode: a call of values and tangents, whose rule is the jvp of the rule


@jvp_rules.rule(custom_vmap_p)
def _call_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, call: Jaxpr, rule: Rule, in_tree: PyTreeDef, out_tree: PyTreeDef
) -> tuple[list[Any], list[Any]]:
    both, _ = jvp_jaxpr(call, (True,) * len(primals), (True,) * len(call.outvars))
    out = custom_vmap_p.bind(
        *primals, *map(instantiate, tangents), call=both, rule=_rule_of_jvp(rule, out_tree),
        in_tree=treedef_tuple((in_tree, in_tree)), out_tree=treedef_tuple((out_tree, out_tree)),
    )  # fmt: skip
    n = len(call.outvars)
    return out[:n], out[n:]


def _rule_of_jvp(rule: Rule, out_tree: PyTreeDef) -> Rule:
    """The rule on values and tangents. It is given as batched what is so in both; of what is so in one alone, it is
    mapped once more.
    """

    def jvp_of_rule(axis_size: int, in_batched: Any, primals: Any, tangents: Any) -> tuple[Any, Any]:
        in_primals, in_tangents = in_batched
        in_both = tree_map(operator.and_, in_primals, in_tangents)
        said: list[Any] = []

        def values(*args: Any) -> Any:
            out, out_batched = rule(axis_size, in_both, *args)
            _check_trees(rule, out_tree, tree_structure(out), tree_structure(out_batched))
            said.append(out_batched)
            return out

        leaves, tree = tree_flatten((primals, tangents))
        alone = dims_of(
            mark and not both
            for marks in (in_primals, in_tangents)
            for mark, both in zip(tree_flatten(marks)[0], tree_flatten(in_both)[0], strict=True)
        )
        flat = lambda *given: tree_flatten(jvp(values, *tree_unflatten(tree, given)))[0]
        out, dims = batch_flat(flat, AxisData(no_axis_name, axis_size), object(), leaves, alone)
        out = [at_front(x, d) for x, d in zip(out, dims, strict=True)]
        marks = [mark or d is not None for mark, d in zip(tree_flatten(said[0])[0] * 2, dims, strict=True)]
        pair = treedef_tuple((out_tree, out_tree))
        return tree_unflatten(pair, out), tree_unflatten(pair, marks)

    return jvp_of_rule


# ---- one example after the other


def sequential_vmap(f: Callable[..., Any]) -> custom_vmap:
    """`f`, which on a batch is a loop over the examples: for a function that does not know what to do with a batch."""
    fun = custom_vmap(f)

    @fun.def_vmap
    def rule(axis_size: int, in_batched: Any, *args: Any) -> tuple[Any, Any]:
        mapped = tree_map(lambda mark, x: x if mark else None, in_batched, [*args])
        shared = tree_map(lambda mark, x: None if mark else x, in_batched, [*args])

        def one(mapped: Any) -> Any:
            return fun(*tree_map(lambda mark, a, b: a if mark else b, in_batched, mapped, shared))

        out = lax_map(one, mapped)
        return out, tree_map(lambda _: True, out)

    return fun


no_rule(transpose_rules, "JAX has none: there is no reverse mode through a custom_vmap", custom_vmap_p)
